// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// line is a line of a trace; node and port are -1 where it has -.
type line struct {
	cycle, node       int
	wire              string
	port              int
	index, data, text string
}

// written is the golden trace of a network, and its lines.
func written(t *testing.T, p *plan.Collective) (header string, lines []line) {
	t.Helper()
	var b, again bytes.Buffer
	require.NoError(t, Write(&b, p, "0123abcd", nil))
	require.NoError(t, Write(&again, p, "0123abcd", nil))
	require.Equal(t, b.String(), again.String(), "the same input gives the same bytes")
	rows := strings.Split(b.String(), "\n")
	require.Empty(t, rows[len(rows)-1], "the last line ends with a newline")
	for _, row := range rows[1 : len(rows)-1] {
		f := strings.Split(row, " ")
		require.Len(t, f, 6, row)
		number := func(s string) int {
			if s == "-" {
				return -1
			}
			n, err := strconv.Atoi(s)
			require.NoError(t, err, row)
			return n
		}
		lines = append(lines, line{number(f[0]), number(f[1]), f[2], number(f[3]), f[4], f[5], row})
	}
	return rows[0], lines
}

// traced are networks of every operation, those that combine words also in two and in more chunks than a period has cycles,
// and with operations that take turns.
func traced(bits int) (list []machine.Collective) {
	for _, operation := range operations {
		c := collectiveOf(operation, bits)
		list = append(list, c)
		if c.Operator != "" {
			for _, c.ChunkBits = range []int{bits - 1, 1} {
				list = append(list, c)
			}
			c.ChunkBits, c.Operator, c.Latency, c.Pipelined = 0, "module", 2, true
			list = append(list, c)
		}
	}
	return list
}

// several are networks of several operations: all that the page has, as few as there can be, and a reduction in chunks with the longest
// skew.
func several(bits int) (list []machine.Collective) {
	list = append(list, severalOf(bits, collective.Operations()...), severalOf(bits, collective.AllGather, collective.ReduceScatter),
		severalOf(bits, collective.AllReduceWord, collective.TotalExchange, collective.Broadcast))
	list[2].ChunkBits = 1
	return list
}

// Every line has the form of docs/simulation.md, and lines ascend.
func TestFormatOfTraces(t *testing.T) {
	for _, r := range []rings{{{2, 1}}, {{5, 2}}, {{3, 1}, {5, 1}}, {{2, 1}, {2, 1}, {14, 7}}} {
		for _, c := range append(traced(10), several(10)...) {
			if (c.ChunkBits > 0 || c.Pipelined || c.Operations != nil) && len(r) > 2 {
				continue // the form of lines does not depend on them
			}
			p := planOf(t, r, c)
			header, lines := written(t, p)
			head := regexp.MustCompile(`^# hcgen-collective-trace v1 machine=machine collective=test config=0123abcd cycles=(\d+) operations=(\d+)$`).FindStringSubmatch(header)
			require.NotNil(t, head, header)
			number := map[int]string{1: "", 2: "|- operation - - [01]", 3: "|- operation - - [0-3]", 7: "|- operation - - [0-7]"}[len(p.Schedules)]
			index := fmt.Sprintf("[0-9a-f]{%d}", (p.IndexBits+3)/4)
			form := regexp.MustCompile(`^\d+ (- (done|ready|rst|start) - - -` + number + `|\d+ (late - - -|m_data \d+ ` + index +
				` ([0-9a-f]{3}|undefined)|m_own_data - - ([0-9a-f]{3}|undefined)|s_data \d+ - ([0-9a-f]{3}|late)|s_own_data - - ([0-9a-f]{3}|late)|s_request \d+ ` + index + ` -))$`)
			done := 0
			cycles, err := strconv.Atoi(head[1])
			require.NoError(t, err)
			for k, l := range lines {
				if !form.MatchString(l.text) {
					t.Fatalf("line %d: %q", k+2, l.text)
				}
				if k > 0 {
					b := lines[k-1]
					if cmp.Or(cmp.Compare(b.cycle, l.cycle), cmp.Compare(b.node, l.node), strings.Compare(b.wire, l.wire), cmp.Compare(b.port, l.port)) >= 0 {
						t.Fatalf("line %d is not sorted: %q", k+2, l.text)
					}
				}
				if l.wire == "done" {
					done++
				}
				require.Less(t, l.cycle, cycles, l.text)
			}
			assert.Equal(t, head[2], strconv.Itoa(done))
			assert.GreaterOrEqual(t, done, fewestRounds-1)
		}
	}
}

// A trace has whole operations back to back and after pauses, starts that are ignored, late words of both kinds, and
// resets in the middle of an operation. If results are some cycles on their way to the ports, resets come then, too. If
// operations take turns, all turns are taken, words of some are late, and resets end several.
func TestTracesHaveEverySituation(t *testing.T) {
	for _, c := range traced(16) {
		p := planOf(t, rings{{4, 1}, {3, 1}}, c)
		operation := fmt.Sprint(p.Streaming.Operation, " in chunks of ", p.Chunk, ", turns: ", p.Turns)
		_, lines := written(t, p)
		at := map[string]bool{} // wire and cycle
		data := map[string]int{}
		for _, l := range lines {
			at[fmt.Sprint(l.wire, l.cycle)] = true
			data[l.wire+" "+l.data]++
		}
		ignored, backToBack, paused, cut, several, lost, starts := 0, 0, 0, 0, 0, 0, []int{}
		round := p.Steps * p.Turns // if operations take turns
		for cycle := range lines[len(lines)-1].cycle {
			in := func(wire string, cycle int) bool { return at[fmt.Sprint(wire, cycle)] }
			if in("rst", cycle) {
				ended := 0
				for _, start := range starts {
					if start+p.Period > cycle {
						ended++
					}
				}
				if ended > 1 {
					several++
				}
				for _, start := range starts {
					switch {
					case start+p.Period > cycle:
						cut++
					case start+p.Period+p.Skew >= cycle:
						lost++
					}
				}
			}
			switch {
			case in("start", cycle) && !in("ready", cycle):
				ignored++
			case in("start", cycle) && !in("rst", cycle):
				switch before := starts[max(0, len(starts)-1):]; {
				case p.Pipelined && slices.Contains(starts, cycle-round) && len(starts) >= p.Turns && starts[len(starts)-p.Turns] == cycle-round:
					backToBack++ // and all turns between are taken
				case !p.Pipelined && len(before) > 0 && in("done", cycle+1+p.Skew) && before[0] == cycle-p.Period:
					backToBack++
				case len(before) > 0 && before[0] < cycle-p.Period:
					paused++
				}
				starts = append(starts, cycle)
			}
		}
		for name, count := range map[string]int{"back to back": backToBack, "after a pause": paused, "cut by a reset": cut} {
			assert.Positive(t, count, "%s: %s", operation, name)
		}
		if p.Skew > 0 {
			assert.Positive(t, lost, "%s: results on their way", operation)
		}
		if p.Pipelined {
			assert.Positive(t, several, "%s: resets that end several", operation)
			some := 0
			for _, l := range lines {
				if l.wire == "m_own_data" && l.node == 0 && l.data == "undefined" {
					result := regexp.MustCompile(fmt.Sprintf(`(?m)^%d 0 m_own_data - - [0-9a-f]+$`, l.cycle+1))
					if slices.ContainsFunc(lines, func(l line) bool { return result.MatchString(l.text) }) {
						some++
					}
				}
			}
			assert.Positive(t, some, "%s: operations with late words beside others", operation)
		}
		if p.Period > 1 {
			assert.Positive(t, ignored, "%s: ignored starts", operation)
		}
		assert.Positive(t, data["late -"], operation)
		if p.Requests() {
			assert.Positive(t, data["s_data late"], operation)
		}
		if p.HasOwn() {
			assert.Positive(t, data["s_own_data late"], operation)
		}
		if p.Delivers() {
			assert.Positive(t, data["m_data undefined"], operation)
		}
		if p.HasResult() {
			assert.Positive(t, data["m_own_data undefined"], operation)
		}
	}
}

// A trace of several operations has each of them back to back after each, with words that are all in time; after a pause; with one late word
// and with many; and ended by a reset. Numbers that no operation has stand for the last. While ready is 1 the number changes without
// a start; while it is 0 there is none, and the bench has random ones.
func TestTracesOfSeveralOperationsHaveEverySituation(t *testing.T) {
	for _, c := range several(16) {
		p := planOf(t, rings{{4, 1}, {3, 1}}, c)
		_, lines := written(t, p)
		at := map[string]string{} // by wire and cycle: the data
		lateWords := map[int]int{}
		for _, l := range lines {
			at[fmt.Sprint(l.wire, l.cycle)] = l.data
			if l.data == "late" {
				lateWords[l.cycle]++
			}
		}
		type operation struct{ start, number, late int }
		var before *operation
		counts := map[string]int{}
		last := len(p.Schedules) - 1
		period := func(o *operation) int { return p.Schedules[o.number].Period }
		for cycle := range lines[len(lines)-1].cycle {
			has := func(wire string) bool { _, has := at[fmt.Sprint(wire, cycle)]; return has }
			require.Equal(t, has("ready"), has("operation"), cycle)
			if before != nil {
				before.late += lateWords[cycle] // also of cycle P, in which the next operation can begin: its words are sampled later
			}
			number := -1
			if has("ready") {
				n, err := strconv.ParseUint(at[fmt.Sprint("operation", cycle)], 16, 8)
				require.NoError(t, err)
				number = min(int(n), last)
				if !has("start") {
					counts[fmt.Sprint("no start of ", number)]++
				} else if int(n) > last {
					counts["beyond"]++
				}
			}
			if !has("rst") && !(has("start") && has("ready")) {
				continue
			}
			if before != nil {
				switch {
				case has("rst") && cycle < before.start+period(before):
					counts[fmt.Sprint("reset of ", before.number)]++
				case before.late == 1:
					counts[fmt.Sprint("one word late in ", before.number)]++
				case before.late > 1:
					counts[fmt.Sprint("words late in ", before.number)]++
				}
			}
			if has("rst") {
				before = nil
				continue
			}
			switch {
			case before != nil && cycle == before.start+period(before) && before.late == 0:
				counts[fmt.Sprint("back to back: ", before.number, ", ", number)]++
			case before == nil || cycle > before.start+period(before):
				counts[fmt.Sprint("pause before ", number)]++
			}
			before = &operation{start: cycle, number: number}
		}
		for number := range p.Schedules {
			for _, what := range []string{"no start of ", "pause before ", "reset of ", "one word late in ", "words late in "} {
				if p.All()[number] == collective.Broadcast && what == "words late in " {
					continue // it has one word
				}
				assert.Positive(t, counts[fmt.Sprint(what, number)], "%s: %s%d", c.All(), what, number)
			}
			for first := range p.Schedules {
				assert.Positive(t, counts[fmt.Sprint("back to back: ", first, ", ", number)], "%s: %d, %d", c.All(), first, number)
			}
		}
		assert.Equal(t, len(p.Schedules) > 2, counts["beyond"] > 0, c.All())
	}
}

// The bytes of a trace grow with the machine, but a large one has the fewest operations only.
func TestTracesOfLargeNetworksHaveFewOperations(t *testing.T) {
	p := planOf(t, rings{{8, 1}, {8, 1}}, collectiveOf(collective.TotalExchange, 256))
	assert.Equal(t, fewestRounds-1, newScript(p, seed).operations)
	p = planOf(t, rings{{8, 1}}, collectiveOf(collective.Broadcast, 8))
	assert.Equal(t, mostRounds*3/4, newScript(p, seed).operations)
	p = planOf(t, rings{{8, 1}, {8, 1}}, severalOf(256, collective.TotalExchange, collective.AllReduce))
	assert.Equal(t, 2*(fewestRounds-1), newScript(p, seed).operations)
	p = planOf(t, rings{{8, 1}}, severalOf(8, collective.Broadcast, collective.Gather))
	assert.Equal(t, 2*mostRounds*3/4+2*2+1, newScript(p, seed).operations)
	c := collectiveOf(collective.AllReduce, 256)
	c.ChunkBits = 1
	p = planOf(t, rings{{8, 1}, {8, 1}}, c)
	assert.Equal(t, fewestRounds-1, newScript(p, seed).operations, "their results reach the ports")
	c.ChunkBits, c.Operator, c.Latency, c.Pipelined = 0, "module", 5, true
	p = planOf(t, rings{{8, 1}, {8, 1}}, c)
	assert.Equal(t, 1+5*3, p.Turns)
	assert.InDelta(t, fewestRounds, newScript(p, seed).operations, 1, "one operation a round, but at random in some")
}

// failing is a writer that fails after some bytes.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(b), nil
}

func TestWriteReportsTheErrorOfTheWriter(t *testing.T) {
	p := planOf(t, rings{{4, 1}}, collectiveOf(collective.AllGather, 8))
	assert.EqualError(t, Write(&failing{1000}, p, "0", nil), "full")
}
