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

	plan         *plan.Plan
	headerDigits int // of a link
	offerDigits  int // of the local input: tlast and tdest; 0 without
	localDigits  int // of a local output: tlast and source; 0 without
	names        traceNames
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
		plan:         p,
		headerDigits: (p.LinkBits - p.PayloadBits + 3) / 4,
		localDigits:  (p.LastBits + p.SourceBits + 3) / 4,
		offerDigits:  (p.LastBits + 3) / 4,
	}
	if d := p.Destination; d != nil {
		t.offerDigits = (p.LastBits + d.TDestBits + 3) / 4
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
	p := t.plan
	var h header
	h.push(uint64(m.WD), p.WdBits)
	h.push(uint64(m.WC), p.WcBits)
	if d := p.Destination; d != nil {
		h.push(uint64(all(m.Spread)&1), 1)
		h.push(m.Route, d.RouteBits)
	}
	h.push(uint64(all(m.Last)&1), p.LastBits)
	h.push(uint64(m.Source), p.SourceBits)
	t.header(h, t.headerDigits)
	t.end(m.Source, m.Seq)
}

func (t *traceWriter) local(cycle, node int, name string, ready bool, m *Message) {
	t.begin(cycle, node, name, ready)
	var h header
	h.push(uint64(all(m.Last)&1), t.plan.LastBits)
	h.push(uint64(m.Source), t.plan.SourceBits)
	t.header(h, t.localDigits)
	t.end(m.Source, m.Seq)
}

// offer writes the line of the local input. tdest is 0 without destinations.
func (t *traceWriter) offer(cycle, node int, ready bool, m *Message, tdest uint64) {
	t.begin(cycle, node, " s_local ", ready)
	var h header
	h.push(uint64(all(m.Last)&1), t.plan.LastBits)
	if d := t.plan.Destination; d != nil {
		h.push(tdest, d.TDestBits)
	}
	t.header(h, t.offerDigits)
	t.end(m.Source, m.Seq)
}

// header is what a trace has of a stream beside the payload, as a number of up to 128 bits.
type header struct{ high, low uint64 }

// push appends a field of so many bits, 0 to 63, below those that are there.
func (h *header) push(value uint64, bits int) {
	h.high = h.high<<bits | h.low>>(64-bits)
	h.low = h.low<<bits | value&(1<<bits-1)
}

// header writes a header of so many digits, - if there are none.
func (t *traceWriter) header(h header, digits int) {
	if digits == 0 {
		t.line = append(t.line, '-')
		return
	}
	if digits > 16 {
		t.line = appendHex(t.line, h.high, digits-16)
		digits = 16
	}
	t.line = appendHex(t.line, h.low, digits)
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

// barrier writes a line of a barrier at which the node has arrived.
func (t *traceWriter) barrier(cycle, node int, release bool) {
	t.begin(cycle, node, " barrier ", release)
	t.line = append(t.line, "- -\n"...)
	t.w.Write(t.line)
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
			if n.barriers != nil {
				n.traceBarrier(tw, v, p.Nodes)
			}
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
		if n.barriers != nil {
			n.traceBarrier(tw, 0, 1)
			tw.paces(n.cycle, 0, " link_barrier_pace ", plan.PaceBits*p.Degree, func(int) uint64 { return n.barriers.linkPace(0) })
		}
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

// traceBarrier writes the lines of the barrier of a node, node 0 with the paces of so many nodes.
func (n *Network) traceBarrier(tw *traceWriter, v, nodes int) {
	if n.barriers.arrived.has(int32(v)) {
		tw.barrier(n.cycle, v, n.barriers.at[v].release)
	}
	if v == 0 {
		tw.paces(n.cycle, 0, " barrier_pace ", plan.PaceBits*nodes, func(w int) uint64 {
			return n.barriers.packed(w) & (1<<min(64, plan.PaceBits*nodes-64*w) - 1)
		})
	}
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
		var tdest uint64
		if n.shape.address != nil {
			tdest = n.shape.address.tdest(n.offers.message(int32(v)).to)
		}
		tw.offer(n.cycle, v, n.routers[v].done&1 != 0, &n.routers[v].slots[0], tdest)
	}
}
