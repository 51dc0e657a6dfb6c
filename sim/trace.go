// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// progressEvery is the number of cycles between two reports of progress, if
// the network is not large.
const progressEvery = 256

// traceWriter writes the golden trace format of docs/architecture.md.
type traceWriter struct {
	w       *bufio.Writer
	line    []byte
	payload Payload

	cycle, node int    // of the last line
	place       []byte // both, as lines begin with them; empty before the first line

	wcBits, sourceBits uint
	headerDigits       int
	sourceDigits       int // 0 without source id
	names              traceNames
}

// traceNames holds the stream names with the spaces around them.
type traceNames struct {
	mLink, sLink, headerError []string // by port
	mLocal                    []string // by delivery register
}

func newTraceWriter(w io.Writer, p *plan.Plan, payload Payload) *traceWriter {
	t := &traceWriter{
		w:            bufio.NewWriterSize(w, 1<<16),
		payload:      payload,
		wcBits:       uint(p.WcBits),
		sourceBits:   uint(p.SourceBits),
		headerDigits: (p.WdBits + p.WcBits + p.SourceBits + 3) / 4,
		sourceDigits: (p.SourceBits + 3) / 4,
	}
	for i := range p.Ports {
		t.names.mLink = append(t.names.mLink, fmt.Sprintf(" m_link%02d ", i))
		t.names.sLink = append(t.names.sLink, fmt.Sprintf(" s_link%02d ", i))
		t.names.headerError = append(t.names.headerError, fmt.Sprintf(" header_error%02d 1 - -\n", i))
	}
	for _, name := range localNames(p) {
		t.names.mLocal = append(t.names.mLocal, " "+name+" ")
	}
	return t
}

// localNames are the names of the local outputs.
func localNames(p *plan.Plan) (names []string) {
	if p.Machine.Delivery == machine.Merged {
		return []string{"m_local"}
	}
	for q := range p.Deliveries {
		names = append(names, fmt.Sprintf("m_local%02d", q))
	}
	return names
}

// start writes the first line.
func (t *traceWriter) start(p *plan.Plan, traffic string, cycles int) error {
	_, err := fmt.Fprintf(t.w, "# hcgen-trace v1 machine=%s config=%s traffic=%s cycles=%d\n", p.Name, p.Machine.Hash, traffic, cycles)
	return err
}

// begin starts a line: cycle, node, stream, ready.
func (t *traceWriter) begin(cycle, node int, name string, ready bool) {
	if cycle != t.cycle || node != t.node || len(t.place) == 0 {
		t.cycle, t.node = cycle, node
		t.place = strconv.AppendInt(t.place[:0], int64(cycle), 10)
		t.place = append(t.place, ' ')
		t.place = strconv.AppendInt(t.place, int64(node), 10)
	}
	b := append(t.line[:0], t.place...)
	b = append(b, name...)
	if ready {
		b = append(b, '1', ' ')
	} else {
		b = append(b, '0', ' ')
	}
	t.line = b
}

// end writes the payload and the line. Errors stay in the bufio.Writer and are
// returned by finish.
func (t *traceWriter) end(source, seq uint32) {
	b := append(t.line, ' ')
	b = t.payload.append(b, source, seq)
	b = append(b, '\n')
	t.line = b
	t.w.Write(b)
}

func (t *traceWriter) link(cycle, node int, name string, ready bool, m *Message) {
	t.begin(cycle, node, name, ready)
	header := (uint64(m.WD)<<t.wcBits|uint64(m.WC))<<t.sourceBits | uint64(m.Source)&(1<<t.sourceBits-1)
	t.line = appendHex(t.line, header, t.headerDigits)
	t.end(m.Source, m.Seq)
}

func (t *traceWriter) local(cycle, node int, name string, ready bool, m *Message) {
	t.begin(cycle, node, name, ready)
	if t.sourceDigits == 0 {
		t.line = append(t.line, '-')
	} else {
		t.line = appendHex(t.line, uint64(m.Source), t.sourceDigits)
	}
	t.end(m.Source, m.Seq)
}

func (t *traceWriter) offer(cycle, node int, ready bool, source, seq uint32) {
	t.begin(cycle, node, " s_local ", ready)
	t.line = append(t.line, '-')
	t.end(source, seq)
}

func (t *traceWriter) errorPulse(cycle, node, port int) {
	b := strconv.AppendInt(t.line[:0], int64(cycle), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(node), 10)
	b = append(b, t.names.headerError[port]...)
	t.line = b
	t.w.Write(b)
}

// paces writes a line of paces, of so many bits; word returns 64 of them.
func (t *traceWriter) paces(cycle, node int, name string, bits int, word func(w int) uint64) {
	t.begin(cycle, node, name, true)
	b := append(t.line, '-', ' ')
	digits := (bits + 3) / 4
	for w := (bits - 1) / 64; w >= 0; w-- {
		n := digits - 16*w
		b = appendHex(b, word(w), n)
		digits -= n
	}
	b = append(b, '\n')
	t.line = b
	t.w.Write(b)
}

func (t *traceWriter) pace(cycle, node int, pace uint8) {
	t.paces(cycle, node, " pace ", plan.PaceBits, func(int) uint64 { return uint64(pace) })
}

func (t *traceWriter) linkPace(cycle, node, links int, pace uint64) {
	t.paces(cycle, node, " link_pace ", plan.PaceBits*links, func(int) uint64 { return pace })
}

// finish flushes and returns the first error of all writes.
func (t *traceWriter) finish() error { return t.w.Flush() }

// WriteNetworkTrace runs the traffic in the network of the plan for t.Cycles
// cycles and writes the golden trace of the network: the streams m_link,
// m_local and s_local of every node, and the paces (header_error is never valid in a
// network). If progress is not nil, it is called from time to time with the cycles done and their
// total. The error is the first of w.
func WriteNetworkTrace(w io.Writer, p *plan.Plan, t machine.Traffic, progress func(done, total int)) (Summary, error) {
	return writeTrace(w, p, t, progress, func(n *Network, tw *traceWriter) {
		for v := range n.routers {
			n.traceOutputs(tw, v)
			if v == 0 {
				tw.paces(n.cycle, 0, " pace ", plan.PaceBits*p.Nodes, n.clocks.packed)
			}
			n.traceOffer(tw, v)
		}
	})
}

// WriteNodeTrace is like WriteNetworkTrace, but writes the trace of one router,
// that of node 0, with all its streams: for a bench that drives the router as it is driven inside
// the network.
func WriteNodeTrace(w io.Writer, p *plan.Plan, t machine.Traffic, progress func(done, total int)) (Summary, error) {
	return writeTrace(w, p, t, progress, func(n *Network, tw *traceWriter) {
		tw.linkPace(n.cycle, 0, p.Degree, n.linkPace(0))
		n.traceOutputs(tw, 0)
		tw.pace(n.cycle, 0, n.clocks.of(0))
		n.traceInputs(tw, 0)
		n.traceOffer(tw, 0)
	})
}

func writeTrace(w io.Writer, p *plan.Plan, t machine.Traffic, progress func(done, total int), cycle func(*Network, *traceWriter)) (Summary, error) {
	n := NewNetwork(p, t)
	tw := newTraceWriter(w, p, n.payload)
	if err := tw.start(p, t.Name, t.Cycles); err != nil {
		return Summary{}, err
	}
	every := min(progressEvery, max(1, 1<<17/p.Nodes))
	for n.cycle < t.Cycles {
		n.evaluate()
		cycle(n, tw)
		n.commit()
		if n.cycle%every == 0 || n.cycle == t.Cycles {
			if progress != nil {
				progress(n.cycle, t.Cycles)
			}
			// a writer that fails must not cost a long run
			if err := tw.finish(); err != nil {
				return n.Summary(), err
			}
		}
	}
	return n.Summary(), tw.finish()
}

// linkPace returns the paces that the router of a node reads.
func (n *Network) linkPace(v int) (paces uint64) {
	for p, u := range n.neighbor[v*n.shape.degree:][:n.shape.degree] {
		paces |= uint64(n.clocks.of(u)) << (plan.PaceBits * p)
	}
	return paces
}

// packed returns word w of the paces of all nodes, node 0 lowest.
func (c *clocks) packed(w int) (word uint64) {
	for i := range 64 / plan.PaceBits {
		if v := 64/plan.PaceBits*w + i; v < len(c.behind) {
			word |= uint64(c.of(int32(v))) << (plan.PaceBits * i)
		}
	}
	return word
}

// traceOutputs writes the lines of the outputs of a node for the cycle just evaluated.
func (n *Network) traceOutputs(tw *traceWriter, v int) {
	r := &n.routers[v]
	for i := r.valid; i != 0; i &= i - 1 {
		p := lowest(i)
		tw.link(n.cycle, v, tw.names.mLink[p], r.linkReady>>p&1 != 0, n.output(v, p))
	}
	for i := r.local; i != 0; i &= i - 1 {
		q := lowest(i)
		tw.local(n.cycle, v, tw.names.mLocal[q], r.popLocal>>q&1 != 0, &r.handed[q])
	}
}

// traceInputs writes the lines of the link inputs of a node.
func (n *Network) traceInputs(tw *traceWriter, v int) {
	r := &n.routers[v]
	for i := r.linkValid; i != 0; i &= i - 1 {
		p := lowest(i)
		tw.link(n.cycle, v, tw.names.sLink[p], r.full>>p&1 == 0, n.onLink(v, p))
	}
}

// traceOffer writes the line of the local input of a node, if it has one.
func (n *Network) traceOffer(tw *traceWriter, v int) {
	if n.offers.on.has(int32(v)) {
		tw.offer(n.cycle, v, n.routers[v].done&1 != 0, uint32(v), n.count.injections[v])
	}
}
