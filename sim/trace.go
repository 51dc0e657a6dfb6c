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
	localDigits  int // of a local output: scope, tlast and source; 0 without
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
		localDigits:  (p.ScopeBits + p.LastBits + p.SourceBits + 3) / 4,
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
		h.push(bit(m.Spread), 1)
		h.push(m.Route, d.RouteBits)
	}
	h.push(uint64(m.Scope), p.ScopeBits)
	h.push(bit(m.Last), p.LastBits)
	h.push(uint64(m.Source), p.SourceBits)
	t.header(h, t.headerDigits)
	t.end(m.Source, m.Seq)
}

func (t *traceWriter) local(cycle, node int, name string, ready bool, m *Message) {
	t.begin(cycle, node, name, ready)
	var h header
	h.push(uint64(m.Scope), t.plan.ScopeBits)
	h.push(bit(m.Last), t.plan.LastBits)
	h.push(uint64(m.Source), t.plan.SourceBits)
	t.header(h, t.localDigits)
	t.end(m.Source, m.Seq)
}

// outputs writes the lines of the link outputs and of the local outputs.
func (t *traceWriter) outputs(cycle, node int, in *Inputs, out *Outputs) {
	for p, name := range t.names.mLink {
		if out.LinkValid>>p&1 != 0 {
			t.link(cycle, node, name, in.LinkReady>>p&1 != 0, &out.Link[p])
		}
	}
	for d, name := range t.names.mLocal {
		if out.LocalValid>>d&1 != 0 {
			t.local(cycle, node, name, in.LocalReady>>d&1 != 0, &out.Local[d])
		}
	}
}

// offer writes the line of the local input, if it has a message.
func (t *traceWriter) offer(cycle, node int, in *Inputs, out *Outputs) {
	if !in.LocalValid {
		return
	}
	t.begin(cycle, node, " s_local ", out.LocalReady)
	var h header
	h.push(bit(in.LocalLast), t.plan.LastBits)
	if d := t.plan.Destination; d != nil {
		h.push(in.LocalDest, d.TDestBits)
	}
	t.header(h, t.offerDigits)
	t.end(uint32(node), in.LocalSeq)
}

// bit is a field of one bit.
func bit(set bool) uint64 {
	if set {
		return 1
	}
	return 0
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

func (t *traceWriter) destinationError(cycle, node int) {
	t.begin(cycle, node, " destination_error ", true)
	t.line = append(t.line, "- -\n"...)
	t.w.Write(t.line)
}

func (t *traceWriter) headerError(cycle, node, port int) {
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

// finish flushes and returns the first error of all writes.
func (t *traceWriter) finish() error { return t.w.Flush() }

// WriteNetworkTrace runs the traffic in the network of the plan for t.Cycles
// cycles and writes the golden trace of the network: the streams m_link,
// m_local and s_local of every node, and the paces (header_error is never valid in a
// network). If progress is not nil, it is called from time to time with the cycles done and their
// total. The error is the first of w.
func WriteNetworkTrace(w io.Writer, p *plan.Plan, t machine.Traffic, progress func(done, total int)) (Summary, error) {
	var in Inputs
	var out Outputs
	return writeTrace(w, p, t, progress, func(n *Network, tw *traceWriter) {
		for v, r := range n.routers {
			if n.arrivals != nil && n.arrivals.arrived[v] {
				tw.barrier(n.cycle, v, r.barrier.release)
			}
			if n.arrivals != nil && v == 0 {
				n.tracePaces(tw, " barrier_pace ", func(r *Router) uint8 { return r.barrier.pace })
			}
			if !n.idle(v) {
				n.wires(v, &in, &out)
				tw.outputs(n.cycle, v, &in, &out)
			}
			if v == 0 {
				n.tracePaces(tw, " pace ", func(r *Router) uint8 { return r.clock.pace })
			}
			if !n.idle(v) {
				tw.offer(n.cycle, v, &in, &out)
			}
		}
	})
}

// WriteNodeTrace is like WriteNetworkTrace, but writes the trace of one router,
// that of node 0, with all its streams: for a bench that drives the router as it is driven inside
// the network.
func WriteNodeTrace(w io.Writer, p *plan.Plan, t machine.Traffic, progress func(done, total int)) (Summary, error) {
	var in Inputs
	var out Outputs
	return writeTrace(w, p, t, progress, func(n *Network, tw *traceWriter) {
		n.wires(0, &in, &out)
		traceRouter(tw, n.cycle, 0, &in, &out)
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

// tracePaces writes a line of the paces of all nodes, node 0 lowest.
func (n *Network) tracePaces(tw *traceWriter, name string, pace func(*Router) uint8) {
	const perWord = 64 / plan.PaceBits
	tw.paces(n.cycle, 0, name, plan.PaceBits*len(n.routers), func(w int) (word uint64) {
		for i, r := range n.routers[perWord*w : min(perWord*(w+1), len(n.routers))] {
			word |= uint64(pace(r)) << (plan.PaceBits * i)
		}
		return word
	})
}
