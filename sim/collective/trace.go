// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/hcgen/hcgen/plan"
)

// seed is that of golden traces.
const seed = 1

// Write writes the golden trace of a network, in the format of docs/simulation.md. config is the hash of the
// description. If progress is not nil, it is called from time to time with the cycles done and their total.
// The error is the first of w.
func Write(w io.Writer, p *plan.Collective, config string, progress func(done, total int)) error {
	n, s := New(p), newScript(p, seed)
	c := newCaller(n, s)
	t := &trace{w: bufio.NewWriterSize(w, 1<<16), network: n, indexDigits: (p.IndexBits + 3) / 4, dataDigits: (p.PayloadBits + 3) / 4}
	fmt.Fprintf(t.w, "# hcgen-collective-trace v1 machine=%s collective=%s config=%s cycles=%d operations=%d\n",
		p.Machine, p.Name, config, len(s.ticks), s.operations)
	for cycle := range s.ticks {
		in := c.inputs(cycle)
		t.cycle(cycle, in, n.Outputs(), n.Requests(in.Operation))
		n.Step(in)
		if cycle%64 == 0 {
			if progress != nil {
				progress(cycle, len(s.ticks))
			}
			if err := t.w.Flush(); err != nil { // a writer that fails must not cost a long run
				return err
			}
		}
	}
	return t.w.Flush()
}

// trace writes a golden trace. Errors stay in the bufio.Writer until it is flushed.
type trace struct {
	w                       *bufio.Writer
	network                 *Network
	indexDigits, dataDigits int
	place                   string // cycle and node, as lines begin with them
}

// cycle writes the lines of a cycle. The input operation has a meaning while ready is 1.
func (t *trace) cycle(cycle int, in Inputs, out Outputs, requests []int32) {
	t.place = fmt.Sprintf("%d -", cycle)
	for _, of := range []struct {
		wire string
		set  bool
		data string
	}{
		{"done", out.Done, "-"}, {"operation", out.Ready && t.network.plan.Several(), fmt.Sprintf("%x", in.Operation)},
		{"ready", out.Ready, "-"}, {"rst", in.Rst, "-"}, {"start", in.Start, "-"},
	} {
		if of.set {
			t.line(of.wire, "-", "-", of.data)
		}
	}
	data, own := t.network.Samples()
	for node := range own {
		t.place = fmt.Sprintf("%d %d", cycle, node)
		if out.Late[node] {
			t.line("late", "-", "-", "-")
		}
		t.ports(node, func(lane int, port string) {
			if index := out.Delivered[lane]; index != None {
				t.line("m_data", port, t.index(index), t.data(out.Data[lane], "undefined"))
			}
		})
		if out.OwnValid {
			t.line("m_own_data", "-", "-", t.data(out.Own[node], "undefined"))
		}
		t.ports(node, func(lane int, port string) {
			if data[lane] {
				t.line("s_data", port, "-", t.data(in.Data[lane], "late"))
			}
		})
		if own[node] {
			t.line("s_own_data", "-", "-", t.data(in.Own[node], "late"))
		}
		t.ports(node, func(lane int, port string) {
			if index := requests[lane]; index != None {
				t.line("s_request", port, t.index(index), "-")
			}
		})
	}
}

// ports visits the lanes of a node.
func (t *trace) ports(node int, visit func(lane int, port string)) {
	for port := range t.network.plan.Degree {
		visit(node*t.network.plan.Degree+port, strconv.Itoa(port))
	}
}

// line writes a line.
func (t *trace) line(wire, port, index, data string) {
	fmt.Fprintln(t.w, t.place, wire, port, index, data)
}

// index writes an index as the network packs it.
func (t *trace) index(offset int32) string {
	return fmt.Sprintf("%0*x", t.indexDigits, t.network.plan.IndexOf(int(offset)))
}

// data writes a word, or what stands in place of one that is not there.
func (t *trace) data(w Word, without string) string {
	if w == nil {
		return without
	}
	return fmt.Sprintf("%0*x", t.dataDigits, w)
}
