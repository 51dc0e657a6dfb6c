// SPDX-License-Identifier: Apache-2.0

// Package traces writes golden traces: what the ports of the reference model carry, cycle by cycle, in a network under a
// traffic or at one router under a stimulus. Benches replay them against the Verilog.
package traces

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// traceWriter writes the golden trace format of docs/architecture.md.
type traceWriter struct {
	w       *bufio.Writer
	line    []byte
	payload traffic.Payload

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

func newTraceWriter(w io.Writer, p *plan.Plan, payload traffic.Payload) *traceWriter {
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
	for _, name := range measure.LocalOutputs(p) {
		t.names.mLocal = append(t.names.mLocal, " "+name+" ")
	}
	return t
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
	t.line = append(t.line, ' ')
	t.words(t.plan.PayloadBits, func(w int) uint64 { return t.payload.Word(source, seq, w) })
	t.line = append(t.line, '\n')
	t.w.Write(t.line)
}

func (t *traceWriter) link(cycle, node int, name string, ready bool, m *sim.Message) {
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

func (t *traceWriter) local(cycle, node int, name string, ready bool, m *sim.Message) {
	t.begin(cycle, node, name, ready)
	var h header
	h.push(uint64(m.Scope), t.plan.ScopeBits)
	h.push(bit(m.Last), t.plan.LastBits)
	h.push(uint64(m.Source), t.plan.SourceBits)
	t.header(h, t.localDigits)
	t.end(m.Source, m.Seq)
}

// outputs writes the lines of the link outputs and of the local outputs.
func (t *traceWriter) outputs(cycle, node int, in *sim.Inputs, out *sim.Outputs) {
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
func (t *traceWriter) offer(cycle, node int, in *sim.Inputs, out *sim.Outputs) {
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

// header holds the fields of a stream other than the payload, as a number of up to 128 bits.
type header struct{ high, low uint64 }

// push appends a field of the given number of bits, 0 to 63, below the others.
func (h *header) push(value uint64, bits int) {
	h.high = h.high<<bits | h.low>>(64-bits)
	h.low = h.low<<bits | value&(1<<bits-1)
}

// header writes a header of the given number of digits, or - for none.
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

// linkInput writes the line of the link input of a port, if it has a message.
func (t *traceWriter) linkInput(cycle, node, p int, in *sim.Inputs, out *sim.Outputs) {
	if in.LinkValid>>p&1 != 0 {
		t.link(cycle, node, t.names.sLink[p], out.LinkReady>>p&1 != 0, &in.Link[p])
	}
}

// paces writes a line of a number of paces of the given number of bits each, packed, number 0 lowest.
func (t *traceWriter) paces(cycle, node int, name string, count, bits int, pace func(i int) uint8) {
	t.begin(cycle, node, name, true)
	t.line = append(t.line, '-', ' ')
	packed := make([]uint64, (count*bits+63)/64)
	for i := range count {
		word, low, value := bits*i/64, bits*i%64, uint64(pace(i))
		packed[word] |= value << low
		if low+bits > 64 {
			packed[word+1] |= value >> (64 - low)
		}
	}
	t.words(count*bits, func(w int) uint64 { return packed[w] })
	t.line = append(t.line, '\n')
	t.w.Write(t.line)
}

// words appends a number of the given number of bits as lower-case hex; word returns 64 bits of it.
func (t *traceWriter) words(bits int, word func(w int) uint64) {
	digits := (bits + 3) / 4
	for w := (bits - 1) / 64; w >= 0; w-- {
		n := digits - 16*w
		t.line = appendHex(t.line, word(w), n)
		digits -= n
	}
}

// appendHex appends the lowest digits of x as lower-case hex.
func appendHex(b []byte, x uint64, digits int) []byte {
	for i := digits - 1; i >= 0; i-- {
		b = append(b, "0123456789abcdef"[x>>(4*i)&15])
	}
	return b
}

// barrier writes the line of a barrier at which the node has arrived.
func (t *traceWriter) barrier(cycle, node int, release bool) {
	t.begin(cycle, node, " barrier ", release)
	t.line = append(t.line, "- -\n"...)
	t.w.Write(t.line)
}

// finish flushes and returns the first error of all writes.
func (t *traceWriter) finish() error { return t.w.Flush() }

// WriteNetwork runs the traffic in the network of the plan for t.Cycles
// cycles and writes the golden trace of the network: the streams m_link,
// m_local and s_local of every node, s_link of ports whose links have registers, and the paces
// (header_error is never valid in a network). If progress is not nil, it is called at intervals with the completed cycles and their
// total. The error is the first of w.
func WriteNetwork(w io.Writer, p *plan.Plan, t machine.Traffic, progress func(done, total int)) (measure.Summary, error) {
	var in sim.Inputs
	var out sim.Outputs
	return writeTrace(w, p, t, progress, func(r *measure.Run, tw *traceWriter) {
		n := r.Network
		for v := range p.Nodes {
			if p.Machine.Barrier && r.Nodes.Arrived(v) {
				tw.barrier(n.Cycle(), v, n.Router(v).Released())
			}
			if p.Machine.Barrier && v == 0 {
				tw.pacesOfAll(n, " barrier_pace ", plan.BarrierPaceBits, (*model.Router).BarrierPace)
			}
			if !n.Idle(v) {
				n.Wires(v, &in, &out)
				tw.outputs(n.Cycle(), v, &in, &out)
			}
			if v == 0 {
				tw.pacesOfAll(n, " pace ", p.PaceBits, (*model.Router).Pace)
			}
			if n.Idle(v) {
				continue
			}
			for q := range p.Degree {
				if p.Ports[q].Queue.Latency > 0 {
					tw.linkInput(n.Cycle(), v, q, &in, &out)
				}
			}
			tw.offer(n.Cycle(), v, &in, &out)
		}
	})
}

// WriteNode is like WriteNetwork, but writes the trace of the router of
// node 0, with all its streams, for a bench that drives the router as inside the
// network.
func WriteNode(w io.Writer, p *plan.Plan, t machine.Traffic, progress func(done, total int)) (measure.Summary, error) {
	var in sim.Inputs
	var out sim.Outputs
	return writeTrace(w, p, t, progress, func(r *measure.Run, tw *traceWriter) {
		r.Network.Wires(0, &in, &out)
		traceRouter(tw, r.Network.Cycle(), 0, &in, &out)
	})
}

func writeTrace(w io.Writer, p *plan.Plan, t machine.Traffic, progress func(done, total int), cycle func(*measure.Run, *traceWriter)) (measure.Summary, error) {
	tw := newTraceWriter(w, p, traffic.NewPayload(t.Name, traffic.Seed(t), p.PayloadBits))
	if err := tw.start(p, t.Name, t.Cycles); err != nil {
		return measure.Summary{}, err
	}
	r, every := measure.NewRun(p, t, model.Options{}), measure.ProgressEvery(p)
	for done := 0; done < t.Cycles; {
		r.Network.Evaluate()
		cycle(r, tw)
		r.Finish()
		done++
		if done%every == 0 || done == t.Cycles {
			if progress != nil {
				progress(done, t.Cycles)
			}
			// stop early if the writer fails
			if err := tw.finish(); err != nil {
				return r.Summary(), err
			}
		}
	}
	return r.Summary(), tw.finish()
}

// pacesOfAll writes a line of the paces of all nodes, of the given number of bits each, node 0 lowest.
func (t *traceWriter) pacesOfAll(n *model.Network, name string, bits int, pace func(*model.Router) uint8) {
	t.paces(n.Cycle(), 0, name, t.plan.Nodes, bits, func(v int) uint8 { return pace(n.Router(v)) })
}
