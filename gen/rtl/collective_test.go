// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

func collectiveOf(t *testing.T, c machine.Collective, rings ...hypercycle.Dimension) *plan.Collective {
	t.Helper()
	m, err := machine.Bare(rings...)
	require.NoError(t, err)
	p, err := plan.NewCollective(m, c, schedule.ForNetwork)
	require.NoError(t, err)
	return p
}

// declaration is a port of a generated module.
var declaration = regexp.MustCompile(`(?m)^    (input|output) +wire (?:\[(.*):0\] )?(\w+),?(?:  //.*)?$`)

// The ports of a network are those of the plan, in its order, also if words are combined in chunks.
func TestPortsOfCollectiveNetworksAreThoseOfThePlan(t *testing.T) {
	check := func(c machine.Collective) {
		p := collectiveOf(t, c, hypercycle.Dimension{M: 3, Rho: 1}, hypercycle.Dimension{M: 2, Rho: 1})
		var b strings.Builder
		require.NoError(t, render.Template("collective_network.v.tmpl", newCollectiveView(p))(&b))
		ports, _, _ := strings.Cut(b.String(), "\n);")
		var found []string
		for _, match := range declaration.FindAllStringSubmatch(ports, -1) {
			found = append(found, match[1]+" "+match[3]+" "+match[2])
		}
		var want []string
		for _, w := range p.Wires() {
			direction, width := "input", ""
			if w.Output {
				direction = "output"
			}
			switch {
			case w.Words && w.Lanes == 1:
				width = "WIDTH-1"
			case w.Words:
				width = fmt.Sprintf("%d*WIDTH-1", w.Lanes)
			case w.Vector:
				width = fmt.Sprint(w.Width() - 1)
			}
			want = append(want, direction+" "+w.Name+" "+width)
		}
		assert.Equal(t, want, found, c.All())
	}
	for _, operation := range collective.Operations() {
		for _, one := range []bool{false, true} {
			if one && operation != collective.AllReduce {
				continue
			}
			c := machine.Collective{Name: "net", Operation: operation, OneWord: one, PayloadBits: 8}
			if collective.Reduces(operation) {
				c.Operator = "add"
				c.ChunkBits = 3
				check(c)
				c.ChunkBits = 8
			}
			check(c)
		}
	}
	for _, c := range choices() {
		check(c)
	}
}

// choices are networks of several operations, with results of all of them, of some, and of none.
func choices() (list []machine.Collective) {
	for _, operations := range [][]string{
		{collective.AllGather, collective.ReduceScatter}, {collective.AllReduce, collective.ReduceScatter}, {collective.Gather, collective.Scatter, collective.Broadcast},
		collective.Operations(),
	} {
		c := machine.Collective{Name: "net", Operations: operations, PayloadBits: 8}
		if c.Reduces() {
			c.Operator, c.ChunkBits = "add", 3
			list = append(list, c)
			c.ChunkBits = 8
		}
		list = append(list, c)
	}
	return list
}

// Each module of a network is in the list, before the modules that use it.
func TestModulesOfCollectiveNetworksAreListedBeforeTheirUsers(t *testing.T) {
	instance := regexp.MustCompile(`(?m)^ +(\w+) #\(`)
	check := func(p *plan.Collective, known ...string) []string {
		files, err := Collective(p, nil)
		require.NoError(t, err)
		for _, f := range files {
			var b strings.Builder
			require.NoError(t, f.Content(&b))
			for _, match := range instance.FindAllStringSubmatch(b.String(), -1) {
				assert.Contains(t, known, match[1], "%s of %s", f.Path, p.Operator)
			}
			known = append(known, strings.TrimSuffix(strings.TrimPrefix(f.Path, "rtl/"), ".v"))
		}
		return known
	}
	for _, operator := range machine.Operators {
		for _, registers := range []int{0, 1} {
			c := machine.Collective{Name: "net", Operation: collective.AllReduce, PayloadBits: 8, Operator: operator, ChunkBits: 3}
			p := collectiveOf(t, c, hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 4, Rho: 1})
			p.Flight = registers
			assert.Contains(t, check(p), "hc_chunk_mux")
		}
	}
	c := machine.Collective{Name: "net", Operation: collective.AllReduce, PayloadBits: 8, Operator: "mine", Latency: 2, Pipelined: true}
	known := check(collectiveOf(t, c, hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 4, Rho: 1}), "mine")
	assert.Contains(t, known, "hc_step_turns")
	assert.Contains(t, known, "hc_word_delay")
	for _, c := range choices() {
		known := check(collectiveOf(t, c, hypercycle.Dimension{M: 4, Rho: 1}))
		assert.Contains(t, known, "hc_operation_counter")
		assert.NotContains(t, known, "hc_step_counter")
	}
}

// What needs to know the operation that starts is decoded from at, and the results of the operation before from count: no value of a
// control in a step is decoded from a number that count has in another cycle than the one before the step, and the numbers are different.
func TestControlsOfSeveralOperationsKnowTheOperation(t *testing.T) {
	for _, c := range choices() {
		p := collectiveOf(t, c, hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 3, Rho: 1})
		begins, results := map[string]string{}, map[string]string{} // labels by comment
		width := bits.Len(uint(p.Schedules[len(p.Schedules)-1].Last()))
		for i, s := range p.Schedules {
			for k := range s.Steps {
				begins[fmt.Sprintf("%s, step %d", s.Name, k+1)] = fmt.Sprintf("%d'd%d", width, s.First+s.Times[k])
			}
			if s.HasResult() {
				results["result of "+s.Name] = fmt.Sprintf("%d'd%d", width, s.First+s.Times[s.Steps])
			}
			if i > 0 {
				assert.Equal(t, p.Schedules[i-1].Last()+1, s.First)
			}
		}
		for class := range p.Programs {
			v := newCollectiveNodeView(p, class)
			for _, selects := range v.Selects {
				for i, row := range selects.Rows {
					want, isStep := begins[row.Comment]
					if !isStep {
						want = results[row.Comment]
						assert.Equal(t, "count", selects.Count, row.Comment)
					}
					if selects.Count == "count" {
						assert.NotContains(t, row.Comment, "step 1")
					}
					if i == len(selects.Rows)-1 {
						want = "default"
					}
					assert.Equal(t, want, row.Labels, row.Comment)
				}
			}
		}
	}
}

// Of n terms the first ceil(n / 2) are combined, and the others, each in the same way, in a tree for more terms, too.
func TestSumsKeepTheShapeOfTheirTree(t *testing.T) {
	var shape func(terms []string) string
	shape = func(terms []string) string {
		if len(terms) == 1 {
			return terms[0]
		}
		half := (len(terms) + 1) / 2
		return "(" + shape(terms[:half]) + shape(terms[half:]) + ")"
	}
	for leaves := 2; leaves <= 9; leaves++ {
		for n := 1; n <= leaves; n++ {
			terms := strings.Split("abcdefghi", "")[:n]
			at := make([]string, leaves)
			place(terms, 0, leaves, func(leaf int, term string) { at[leaf] = term })
			var tree func(low, count int) string
			tree = func(low, count int) string { // an operator with one operand passes it
				if count == 1 {
					return at[low]
				}
				a, b := tree(low, (count+1)/2), tree(low+(count+1)/2, count/2)
				if b == "" {
					return a
				}
				return "(" + a + b + ")"
			}
			assert.Equal(t, shape(terms), tree(0, leaves), "%d terms on %d leaves", n, leaves)
		}
	}
}

// Of operations that take turns, the words that an operator combines, or that a multiplexer selects between, are equally many
// cycles behind the words that the node reads, and a select is as late. Each word is written when all operators of a step are behind it.
func TestWordsOfOperationsThatTakeTurnsComeTogether(t *testing.T) {
	rings := [][]hypercycle.Dimension{
		{{M: 2, Rho: 1}}, {{M: 3, Rho: 1}}, {{M: 8, Rho: 4}}, {{M: 7, Rho: 2}}, {{M: 4, Rho: 1}, {M: 4, Rho: 1}}, {{M: 3, Rho: 1}, {M: 4, Rho: 2}, {M: 2, Rho: 1}},
		{{M: 2, Rho: 1}, {M: 2, Rho: 1}, {M: 2, Rho: 1}, {M: 2, Rho: 1}},
	}
	seen := map[string]bool{}
	for _, list := range rings {
		for _, c := range []machine.Collective{
			{Operation: collective.ReduceScatter}, {Operation: collective.AllReduce}, {Operation: collective.AllReduce, OneWord: true},
		} {
			for _, latency := range []int{1, 3} {
				c.Name, c.PayloadBits, c.Operator, c.Latency, c.Pipelined = "net", 8, "mine", latency, true
				p := collectiveOf(t, c, list...)
				for class := range p.Programs {
					checkTimes(t, newCollectiveNodeView(p, class), seen)
				}
			}
		}
	}
	for _, module := range []string{"hc_mux", "hc_word_delay", "hc_word_register", "mine"} {
		assert.True(t, seen[module], module)
	}
}

// The result has its time, too, if it has fewer terms than another sum, or fewer operators in series than that of another node.
func TestResultsOfOperationsThatTakeTurnsComeInTime(t *testing.T) {
	c := machine.Collective{Name: "net", Operation: collective.ReduceScatter, PayloadBits: 8, Operator: "mine", Latency: 2, Pipelined: true}
	words := map[string]int{}
	for terms := 1; terms <= 6; terms++ {
		for more := range 2 {
			p := collectiveOf(t, c, hypercycle.Dimension{M: 9, Rho: 3})
			program := &p.Programs[0]
			sum := collective.Sum{{Source: collective.Held}}
			for port := range p.Degree {
				sum = append(sum, collective.Term{Source: collective.Arrived, Index: int32(port)})
			}
			program.Writes[1][0], program.Result = sum[:5], sum[:terms]
			p.Turns = 1 + 4*p.Latency
			p.Schedules[0].Period = p.Times[p.Steps] + p.Latency*(plan.Levels(program.Result)+more)
			v := newCollectiveNodeView(p, 0)
			checkTimes(t, v, map[string]bool{})
			words[v.ResultWord]++
		}
	}
	assert.Equal(t, map[string]int{
		"register0": 1, "register0_sum_0to1": 1, "register0_sum_0to2": 1, "result_sum": 1, "register0_sum": 2, "result_waiting": 6,
	}, words)
}

// checkTimes computes how many cycles each wire of a node is behind the words that it reads.
func checkTimes(t *testing.T, v *collectiveNodeView, seen map[string]bool) {
	t.Helper()
	times, selects := map[string]int{}, map[string]int{}
	for _, c := range v.Controls {
		selects[c.Name] = c.level * v.Latency
	}
	at := func(word string) int {
		if behind, is := times[word]; is {
			return behind
		}
		require.Regexp(t, `^(register\d+|link_in.*|s_data.*|s_own_data)$`, word)
		return 0
	}
	for _, c := range v.Cells {
		seen[c.Module] = true
		to := map[string]string{}
		for _, connection := range slices.Concat(c.Parameters, c.Connections) {
			to[connection.Port] = connection.Value
		}
		switch c.Module {
		case "hc_mux":
			for word := range strings.SplitSeq(strings.Join(strings.Fields(strings.Trim(to["words"], "{}")), ""), ",") {
				assert.Equal(t, selects[to["select"]], at(word), "%s of %s", word, c.Instance)
			}
			times[to["word"]] = selects[to["select"]]
		case "hc_word_delay":
			cycles, err := strconv.Atoi(to["CYCLES"])
			require.NoError(t, err)
			if strings.HasPrefix(c.Instance, "register") && strings.HasSuffix(c.Instance, "_register") {
				assert.Equal(t, v.OperatorCycles(), at(to["word"]), c.Instance)
				assert.Equal(t, 1+v.Flight, cycles, c.Instance)
				continue
			}
			times[to["late"]] = at(to["word"]) + cycles
		case "hc_word_register":
			assert.Equal(t, v.OperatorCycles(), at(to["next"]), c.Instance)
		default:
			assert.Equal(t, at(to["a"]), at(to["b"]), c.Instance)
			times[to["y"]] = at(to["a"]) + v.Latency
		}
	}
	assert.Equal(t, v.ResultCycles(), at(v.ResultWord), "the result of %s", v.Module)
}
