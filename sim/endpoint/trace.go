// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/hcgen/hcgen/plan"
)

// Write writes the golden trace of a system, in the format of docs/endpoints.md. If progress is not nil, it is called from time to
// time with the accesses done and a number that they reach at least. The error is the first of w.
func Write(w io.Writer, p *plan.Plan, progress func(done, total int)) error {
	t := &trace{Script: goldenScript(p), interrupts: make([]bool, p.Nodes), digits: (p.Endpoint.BusBits + 3) / 4}
	t.system = New(p, t)
	t.until(progress, func() bool { return t.Over() && t.system.Idle() })
	t.End()
	t.until(progress, t.Over)
	return t.write(w, p)
}

// trace is the golden trace of a script.
type trace struct {
	*Script
	system     *System
	lines      []line
	accesses   int
	interrupts []bool // by node
	digits     int    // of an address
}

// line is a line of a cycle.
type line struct {
	cycle, node, order int // order: access before interrupt
	text               string
}

// until runs the system until the condition holds.
func (t *trace) until(progress func(done, total int), holds func() bool) {
	for !holds() {
		for v := range t.interrupts {
			if is := t.system.Interrupt(v); is != t.interrupts[v] {
				t.interrupts[v] = is
				t.lines = append(t.lines, line{t.system.Cycle(), v, 1, fmt.Sprintf("interrupt %d %d %d", t.system.Cycle(), v, bit(is))})
			}
		}
		t.system.Run()
		if progress != nil && t.system.Cycle()%256 == 0 {
			progress(t.accesses, max(t.accesses, len(t.nodes)*t.Script.accesses))
		}
	}
}

// Ended records an access.
func (t *trace) Ended(d Done) {
	direction, end := "r", "ok"
	if d.Write {
		direction = "w"
	}
	if d.Err {
		end = "err"
	}
	t.accesses++
	t.lines = append(t.lines, line{d.Cycle, d.Node, 0, fmt.Sprintf("access %d %d %s %0*x %x %08x %d %s %08x",
		d.Cycle, d.Node, direction, t.digits, d.Address, d.Strobes, d.Access.Data, d.End, end, d.Answer.Data)})
	t.Script.Ended(d)
}

// write writes all lines.
func (t *trace) write(w io.Writer, p *plan.Plan) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# hcgen-accesses v1 %s\n", p.Name)
	slices.SortFunc(t.lines, func(a, b line) int {
		return cmp.Or(a.cycle-b.cycle, a.node-b.node, a.order-b.order)
	})
	for _, l := range t.lines {
		fmt.Fprintln(b, l.text)
	}
	for v := range p.Nodes {
		memory := t.system.Memory(v)
		for _, word := range slices.Sorted(maps.Keys(memory)) {
			if memory[word] != 0 {
				fmt.Fprintf(b, "memory %d %0*x %08x\n", v, (p.Endpoint.WordBits()+3)/4, word, memory[word])
			}
		}
	}
	return b.Flush()
}
