// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traffic"
)

// line is one line of a trace.
type line struct {
	cycle, node     int
	stream          string
	ready           bool
	header, payload string
}

// allNodes makes parse read the trace of a network.
const allNodes = -1

// parse reads a trace, that of one node or of all, and checks its format: first
// line, order, widths.
func parse(t *testing.T, p *plan.Plan, text string, traffic string, cycles, node int) []line {
	t.Helper()
	rows := strings.SplitAfter(text, "\n")
	require.Equal(t, fmt.Sprintf("# hcgen-trace v1 machine=test config=0123456789abcdef traffic=%s cycles=%d\n", traffic, cycles), rows[0])
	require.Empty(t, rows[len(rows)-1], "the last line ends with a newline")
	hex := func(bits int) string { return fmt.Sprintf("[0-9a-f]{%d}", (bits+3)/4) }
	link := hex(p.WdBits+p.WcBits+p.SourceBits) + " " + hex(p.PayloadBits)
	local := "- " + hex(p.PayloadBits)
	delivered := local
	if p.SourceBits > 0 {
		delivered = hex(p.SourceBits) + " " + hex(p.PayloadBits)
	}
	locals := "m_local"
	if p.Machine.Delivery == machine.PerPort {
		locals = `m_local\d\d`
	}
	paces := p.PaceBits
	if node == allNodes {
		paces *= p.Nodes
	}
	form := regexp.MustCompile(`^\d+ \d+ (m_link\d\d [01] ` + link + `|s_link\d\d [01] ` + link + `|` + locals + ` [01] ` + delivered + `|s_local [01] ` + local + `|header_error\d\d 1 - -|link_pace 1 - ` + hex(p.PaceBits*p.Degree) + `|pace 1 - ` + hex(paces) + `)\n$`)
	lines := make([]line, 0, len(rows)-2)
	for i, row := range rows[1 : len(rows)-1] {
		if !form.MatchString(row) {
			t.Fatalf("line %d: %q", i+2, row)
		}
		f := strings.Fields(row)
		l := line{stream: f[2], ready: f[3] == "1", header: f[4], payload: f[5]}
		l.cycle, _ = strconv.Atoi(f[0])
		l.node, _ = strconv.Atoi(f[1])
		if len(lines) > 0 {
			b := lines[len(lines)-1]
			if b.cycle > l.cycle || b.cycle == l.cycle && (b.node > l.node || b.node == l.node && b.stream >= l.stream) {
				t.Fatalf("line %d is not sorted: %q", i+2, row)
			}
		}
		require.Less(t, l.cycle, cycles)
		require.Less(t, l.node, p.Nodes)
		if node != allNodes {
			require.Equal(t, node, l.node)
		}
		lines = append(lines, l)
	}
	return lines
}

// checkAXI checks that a stream keeps valid and data until the handshake.
func checkAXI(t *testing.T, lines []line, cycles int) {
	t.Helper()
	type stream struct {
		node int
		name string
	}
	waiting := map[stream]line{}
	for i := 0; i < len(lines); {
		cycle := lines[i].cycle
		now := map[stream]line{}
		for ; i < len(lines) && lines[i].cycle == cycle; i++ {
			now[stream{lines[i].node, lines[i].stream}] = lines[i]
		}
		for s, b := range waiting {
			l, ok := now[s]
			if !ok || b.cycle != cycle-1 || l.header != b.header || l.payload != b.payload {
				t.Fatalf("cycle %d node %d: %s does not hold its message until the handshake", cycle, s.node, s.name)
			}
		}
		waiting = map[stream]line{}
		for s, l := range now {
			if !l.ready {
				waiting[s] = l
			}
		}
	}
	for s, l := range waiting {
		require.Equal(t, cycles-1, l.cycle, "%v: a message disappears", s)
	}
}

var traceMachines = []struct {
	r       rings
	options []option
}{
	{rings{{4, 1}, {4, 1}}, nil},
	{rings{{6, 2}, {5, 1}}, []option{payloadBits(1), preference(2)}},
	{rings{{8, 3}}, []option{payloadBits(65), sourceID()}},
	{rings{{2, 1}}, []option{payloadBits(1024), sourceID()}},
	{rings{{2, 1}, {2, 1}, {2, 1}, {14, 7}}, []option{payloadBits(3)}},
	{rings{{4, 1}, {4, 1}}, []option{stages(2), perPort(), sourceID()}},
	{rings{{6, 2}, {3, 1}}, []option{perPort()}},
	{rings{{4, 1}, {4, 1}}, []option{sourceID(), registers(1)}},
	{rings{{6, 2}, {3, 1}, {2, 1}}, []option{registers(0, 4, 2)}},  // paces of 4 bits
	{rings{{5, 1}, {3, 1}}, []option{registers(2, 20), stages(2)}}, // of 6 bits: some are in two words of 64 bits
}

// numberOf is the port of a link stream.
func numberOf(t *testing.T, stream string) int {
	t.Helper()
	port, err := strconv.Atoi(stream[len(stream)-2:])
	require.NoError(t, err)
	return port
}

func TestNetworkTraceFormatAndAXIRules(t *testing.T) {
	for _, m := range traceMachines {
		p := newPlan(t, m.r, m.options...)
		load := random(0.2, 0.4, 5)
		load.Cycles = 300
		load.Sends = []machine.Send{{From: p.Nodes - 1, At: 10}}
		var b, again bytes.Buffer
		var reports []int
		s, err := WriteNetwork(&b, p, load, func(done, total int) {
			require.Equal(t, 300, total)
			reports = append(reports, done)
		})
		require.NoError(t, err)
		require.Equal(t, []int{256, 300}, reports)
		lines := parse(t, p, b.String(), "random", 300, allNodes)
		checkAXI(t, lines, 300)
		delivered, injected := 0, 0
		for _, l := range lines {
			if strings.HasPrefix(l.stream, "s_link") {
				require.Positive(t, p.Ports[numberOf(t, l.stream)].Queue.Latency, "an s_link is the m_link at its other end")
			}
			if strings.HasPrefix(l.stream, "m_local") && l.ready {
				delivered++
			}
			if l.stream == "s_local" && l.ready {
				injected++
			}
		}
		require.Equal(t, s.Deliveries, delivered)
		require.Equal(t, s.Injections, injected)
		_, err = WriteNetwork(&again, p, load, nil)
		require.NoError(t, err)
		require.Equal(t, sha256.Sum256(b.Bytes()), sha256.Sum256(again.Bytes()), "two runs differ")
	}
}

// The trace of node 0 shows the same wires as the trace of the network.
func TestNodeTraceAgreesWithNetworkTrace(t *testing.T) {
	for _, m := range traceMachines {
		p := newPlan(t, m.r, m.options...)
		load := random(0.3, 0.3, 6)
		load.Cycles = 200
		var network, node bytes.Buffer
		arrived := 0 // messages at link inputs with registers
		_, err := WriteNetwork(&network, p, load, nil)
		require.NoError(t, err)
		_, err = WriteNode(&node, p, load, nil)
		require.NoError(t, err)
		var want []line
		read := map[int]*big.Int{} // link_pace of node 0, by cycle
		links := map[string]line{} // m_link lines of the neighbours of node 0, by cycle and port of node 0
		for _, l := range parse(t, p, network.String(), "random", 200, allNodes) {
			if l.stream == "pace" { // of all nodes: the part that node 0 drives and reads
				paces, ok := new(big.Int).SetString(l.payload, 16)
				require.True(t, ok)
				of := func(v int) *big.Int {
					pace := new(big.Int).Rsh(paces, uint(p.PaceBits*v))
					return pace.And(pace, big.NewInt(1<<p.PaceBits-1))
				}
				for q := range p.Ports {
					at := l.cycle + p.Ports[q].Queue.Latency
					if read[at] == nil {
						read[at] = new(big.Int)
					}
					read[at].Or(read[at], new(big.Int).Lsh(of(p.Machine.Graph.Neighbor(0, q)), uint(p.PaceBits*q)))
				}
				l.payload = fmt.Sprintf("%0*x", (p.PaceBits+3)/4, of(0))
				if read[l.cycle] == nil {
					read[l.cycle] = new(big.Int) // all links have registers, and it is one of the first cycles
				}
				links[fmt.Sprint(l.cycle, "link_pace")] = line{l.cycle, 0, "link_pace", true, "-", fmt.Sprintf("%0*x", (p.PaceBits*p.Degree+3)/4, read[l.cycle])}
			}
			if l.node == 0 && strings.HasPrefix(l.stream, "s_link") {
				links[fmt.Sprint(l.cycle, l.stream)] = l
				arrived++
			} else if l.node == 0 {
				want = append(want, l)
			}
			for q := range p.Ports {
				if p.Ports[q].Queue.Latency == 0 && l.node == p.Machine.Graph.Neighbor(0, q) && l.stream == fmt.Sprintf("m_link%02d", p.Ports[q].Opposite) {
					l := l
					l.node, l.stream = 0, fmt.Sprintf("s_link%02d", q)
					links[fmt.Sprint(l.cycle, l.stream)] = l
				}
			}
		}
		got := parse(t, p, node.String(), "random", 200, 0)
		checkAXI(t, got, 200)
		seen := 0
		var rest []line
		for _, l := range got {
			if strings.HasPrefix(l.stream, "s_link") || l.stream == "link_pace" {
				require.Equal(t, links[fmt.Sprint(l.cycle, l.stream)], l)
				seen++
			} else {
				rest = append(rest, l)
			}
		}
		require.Equal(t, want, rest)
		require.Len(t, links, seen, "every s_link and link_pace is shown")
		require.NotZero(t, seen)
		require.Equal(t, p.Lead > 1, arrived > 0)
	}
}

func TestRouterTraceFormatAndAXIRules(t *testing.T) {
	for _, m := range traceMachines {
		p := newPlan(t, m.r, m.options...)
		var b, again, other bytes.Buffer
		require.NoError(t, WriteRouter(&b, p, 0, 1, nil))
		cycles := traffic.RouterCycles(p)
		lines := parse(t, p, b.String(), plan.RouterTraffic, cycles, traffic.RouterNode(p))
		checkAXI(t, lines, cycles)
		require.Less(t, b.Len(), 16<<20, "%v", m.r)
		require.NoError(t, WriteRouter(&again, p, 0, 1, nil))
		require.True(t, bytes.Equal(b.Bytes(), again.Bytes()), "two runs differ")
		require.NoError(t, WriteRouter(&other, p, 0, 2, nil))
		require.False(t, bytes.Equal(b.Bytes(), other.Bytes()), "the seed makes no difference")
	}
}

// failing is a writer that takes some bytes and then fails.
type failing struct{ left int }

var errFull = errors.New("disk full")

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestTracesReportWriteErrors(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	load := random(0.3, 0, 1)
	load.Cycles = 100000
	for _, left := range []int{0, 100000} {
		last := 0
		_, err := WriteNetwork(&failing{left}, p, load, func(done, _ int) { last = done })
		require.ErrorIs(t, err, errFull)
		require.Less(t, last, 10000, "a long run goes on although nothing can be written")
		_, err = WriteNode(&failing{left}, p, load, nil)
		require.ErrorIs(t, err, errFull)
		require.ErrorIs(t, WriteRouter(&failing{left}, p, 0, 1, nil), errFull)
	}
}
