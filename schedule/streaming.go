// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hcgen/hcgen/collective"
)

// Unstreamable is the error of a schedule that hardware cannot carry out as Streaming describes it.
type Unstreamable struct {
	Operation, Algorithm string
	Why                  string
}

// Error says why the schedule does not work as hardware.
func (u *Unstreamable) Error() string {
	return fmt.Sprintf("%s by %s cannot be made hardware: %s", u.Operation, u.Algorithm, u.Why)
}

// Hint names an algorithm that works.
func (u *Unstreamable) Hint() string { return "use --algorithm streaming" }

// Streaming is the schedule as hardware carries it out. What a node does not send on in the step after it
// arrived waits in a register. The schedule must be sound. The error is an *Unstreamable.
func (s *Schedule) Streaming() (*collective.Streaming, error) {
	switch {
	case s.Ports != AllPorts:
		return nil, &Unstreamable{s.Operation, s.Algorithm, "it uses one port of a node in a step, not all"}
	case s.Packets != 1:
		return nil, &Unstreamable{s.Operation, s.Algorithm, fmt.Sprintf("an item has %d packets, not 1", s.Packets)}
	}
	a := newAddresses(s.Graph)
	var compilers []*compiler
	number := map[int32]int{} // of the compiler, by the node whose transfers are listed
	to := &collective.Streaming{Operation: s.Operation, Root: s.Root, Steps: s.Steps, Accumulators: b2i(collective.Reduces(s.Operation))}
	for node := range int32(s.Graph.Nodes()) {
		listed := a.listed(node, s.Period)
		if _, known := number[listed]; !known {
			number[listed] = len(compilers)
			compilers = append(compilers, newCompiler(s, a, listed))
		}
		to.Class = append(to.Class, number[listed])
	}
	for _, t := range s.Transfers {
		compilers[number[t.From]].send(t)
		t = a.moved(t, a.sub(a.listed(t.To, s.Period), t.To))
		compilers[number[t.To]].receive(t)
	}
	for _, c := range compilers {
		if err := c.compile(); err != nil {
			return nil, err
		}
		to.Programs = append(to.Programs, c.made)
		to.Registers = max(to.Registers, len(c.made.Writes[0]))
	}
	for _, p := range to.Programs { // all nodes have as many registers
		for step, writes := range p.Writes {
			p.Writes[step] = append(writes, make([]collective.Sum, to.Registers-len(writes))...)
		}
	}
	return to, nil
}

// listed is the node whose transfers are listed and stand for those of a node.
func (a *addresses) listed(node int32, period []int) int32 {
	sum := int32(0)
	for i, p := range period {
		sum += int32(a.digit(node, i)%p) * a.unit[i]
	}
	return sum
}

// compiler makes the program of a node from the transfers that the node takes part in.
type compiler struct {
	*addresses
	of          *Schedule
	node        int32
	items       map[collective.Item]*traffic
	waits       []*wait
	accumulator *wait // of the node's own result
	made        collective.Program
}

// traffic is what a node sends and receives of one item.
type traffic struct{ sends, adds, receives, receivesAdds []use }

// use is the use of a port in a step.
type use struct{ step, port int32 }

// wait is a value in a register, from its first write to its last read.
type wait struct {
	number int                      // in compiler.waits
	writes map[int32]collective.Sum // by step
	last   int32                    // step of the last read
}

func newCompiler(s *Schedule, a *addresses, node int32) *compiler {
	c := &compiler{addresses: a, of: s, node: node, items: map[collective.Item]*traffic{}}
	for range s.Steps {
		c.made.Sends = append(c.made.Sends, make([]collective.Sum, len(a.shift)))
		c.made.Delivers = append(c.made.Delivers, slices.Repeat([]int32{-1}, len(a.shift)))
	}
	return c
}

// traffic is that of an item.
func (c *compiler) traffic(i collective.Item) *traffic {
	if c.items[i] == nil {
		c.items[i] = &traffic{}
	}
	return c.items[i]
}

func (c *compiler) send(t collective.Transfer) {
	of := c.traffic(t.Item)
	list := &of.sends
	if t.Add {
		list = &of.adds
	}
	*list = append(*list, use{t.Step, int32(slices.Index(c.shift, c.sub(t.To, t.From)))})
}

func (c *compiler) receive(t collective.Transfer) {
	of := c.traffic(t.Item)
	list := &of.receives
	if t.Add {
		list = &of.receivesAdds
	}
	*list = append(*list, use{t.Step, int32(slices.Index(c.shift, c.sub(t.From, t.To)))})
}

// compile makes the program, item by item.
func (c *compiler) compile() error {
	items := slices.SortedFunc(maps.Keys(c.items), func(x, y collective.Item) int {
		return cmp.Or(cmp.Compare(x.Node, y.Node), cmp.Compare(x.For, y.For))
	})
	for _, i := range items {
		of := c.items[i]
		for _, uses := range [][]use{of.sends, of.adds, of.receives, of.receivesAdds} {
			slices.SortFunc(uses, func(x, y use) int { return cmp.Or(cmp.Compare(x.step, y.step), cmp.Compare(x.port, y.port)) })
		}
		if !collective.Reduces(c.of.Operation) {
			c.move(i, of)
		} else if err := c.reduce(i.Node, of); err != nil {
			return err
		}
	}
	c.allot()
	return nil
}

// ends is where an item that moves begins, and where it ends: -1 for all nodes.
func (s *Schedule) ends(i collective.Item) (from, to int32) {
	switch s.Operation {
	case collective.Scatter:
		return int32(s.Root), i.Node
	case collective.Gather:
		return i.Node, int32(s.Root)
	}
	return i.Node, i.For
}

// move sends an item on, and delivers it.
func (c *compiler) move(i collective.Item, of *traffic) {
	from, to := c.of.ends(i)
	switch {
	case from != c.node:
		c.copy(from, to, of)
	case c.of.Operation == collective.Broadcast:
		c.sendOn(collective.Sum{{Source: collective.Own}}, 1, of.sends)
	default:
		index := int32(0)
		if to >= 0 && c.of.Operation != collective.Gather {
			index = c.sub(to, from)
		}
		for _, s := range of.sends {
			c.made.Sends[s.step-1][s.port] = collective.Sum{{Source: collective.Requested, Index: index}}
		}
	}
}

// copy sends on what arrived, and delivers it if it is for this node.
func (c *compiler) copy(from, to int32, of *traffic) {
	arrived := of.receives[0]
	if to == c.node || to < 0 {
		c.made.Delivers[arrived.step-1][arrived.port] = c.sub(from, c.node)
	}
	c.sendOn(collective.Sum{{Source: collective.Arrived, Index: arrived.port}}, arrived.step+1, of.sends)
}

// sendOn sends a sum that can be read in one step: in that step at once, later from a register.
func (c *compiler) sendOn(sum collective.Sum, step int32, sends []use) {
	var w *wait
	for _, s := range sends {
		if s.step > step && w == nil {
			w = c.wait()
			w.writes[step] = sum
		}
		if w != nil {
			sum = collective.Sum{w.read(s.step)}
		}
		c.made.Sends[s.step-1][s.port] = sum
	}
}

// wait begins a value that waits.
func (c *compiler) wait() *wait {
	w := &wait{number: len(c.waits), writes: map[int32]collective.Sum{}}
	c.waits = append(c.waits, w)
	return w
}

// read is the value as a term of a step.
func (w *wait) read(step int32) collective.Term {
	w.last = max(w.last, step)
	return collective.Term{Source: collective.Held, Index: int32(w.number)}
}

// first is the step of the first write.
func (w *wait) first() int32 { return slices.Min(slices.Collect(maps.Keys(w.writes))) }

// reduce adds up the sum of the result of a node.
func (c *compiler) reduce(result int32, of *traffic) error {
	arrived := map[int32]collective.Sum{} // by the step in which it can be read
	for _, u := range of.receivesAdds {
		arrived[u.step+1] = append(arrived[u.step+1], collective.Term{Source: collective.Arrived, Index: u.port})
	}
	steps := slices.Sorted(maps.Keys(arrived))
	why := ""
	switch {
	case result == c.node && len(of.adds) > 0:
		why = fmt.Sprintf("node %d sends a partial sum for itself in step %d, but a node only adds up its own sum", c.node, of.adds[0].step)
	case result == c.node:
		c.accumulate(arrived, steps, of.sends)
	case len(of.adds) > 1:
		why = fmt.Sprintf("node %d sends partial sums for node %d in steps %d and %d, but a node sends one for each other node", c.node, result, of.adds[0].step, of.adds[1].step)
	case len(steps) > 0 && steps[len(steps)-1] > of.adds[0].step:
		why = fmt.Sprintf("node %d sends its partial sum for node %d in step %d, but what it must add arrives in step %d", c.node, result, of.adds[0].step, steps[len(steps)-1]-1)
	default:
		c.addUp(c.sub(result, c.node), arrived, steps, of.adds[0])
		if len(of.receives) > 0 {
			c.copy(result, -1, of)
		}
	}
	if why != "" {
		return &Unstreamable{c.of.Operation, c.of.Algorithm, why}
	}
	return nil
}

// addUp adds what arrives to the node's part of the result of another node, and sends the sum.
func (c *compiler) addUp(index int32, arrived map[int32]collective.Sum, steps []int32, sent use) {
	sum := collective.Sum{{Source: collective.Requested, Index: index}}
	var w *wait
	for _, step := range steps {
		switch {
		case step == sent.step:
		case w == nil:
			w = c.wait()
			w.writes[step] = arrived[step]
		default:
			w.writes[step] = append(collective.Sum{w.read(step)}, arrived[step]...)
		}
	}
	if w != nil {
		sum = append(sum, w.read(sent.step))
	}
	c.made.Sends[sent.step-1][sent.port] = append(sum, arrived[sent.step]...)
}

// accumulate adds what arrives to the node's part of its own result, and sends the result.
func (c *compiler) accumulate(arrived map[int32]collective.Sum, steps []int32, sends []use) {
	w := c.wait()
	c.accumulator = w
	sum := collective.Sum{{Source: collective.Own}}
	w.writes[1] = sum
	for _, step := range steps {
		sum = append(collective.Sum{w.read(step)}, arrived[step]...)
		if int(step) > c.of.Steps {
			c.made.Result = sum
			return
		}
		w.writes[step] = sum
	}
	for _, s := range sends {
		if s.step > steps[len(steps)-1] {
			sum = collective.Sum{w.read(s.step)}
		}
		c.made.Sends[s.step-1][s.port] = sum
	}
	c.made.Result = collective.Sum{w.read(int32(c.of.Steps) + 1)}
}

// allot gives the values that wait as few registers as possible: each the first that is free. The accumulator
// is register 0.
func (c *compiler) allot() {
	order := slices.SortedFunc(slices.Values(c.waits), func(x, y *wait) int {
		return cmp.Or(cmp.Compare(b2i(x != c.accumulator), b2i(y != c.accumulator)), cmp.Compare(x.first(), y.first()), cmp.Compare(x.number, y.number))
	})
	var last []int32 // by register: the step of the last read
	register := make([]int32, len(c.waits))
	for _, w := range order {
		k := slices.IndexFunc(last, func(step int32) bool { return step <= w.first() })
		if k < 0 || w == c.accumulator {
			k = len(last)
			last = append(last, 0)
		}
		last[k], register[w.number] = w.last, int32(k)
		if w == c.accumulator {
			last[k] = int32(c.of.Steps) + 1
		}
	}
	renumbered := func(sum collective.Sum) collective.Sum { // sums are shared
		sum = slices.Clone(sum)
		for k := range sum {
			if sum[k].Source == collective.Held {
				sum[k].Index = register[sum[k].Index]
			}
		}
		return sum
	}
	for _, sends := range c.made.Sends {
		for port := range sends {
			sends[port] = renumbered(sends[port])
		}
	}
	c.made.Result = renumbered(c.made.Result)
	for range c.of.Steps {
		c.made.Writes = append(c.made.Writes, make([]collective.Sum, len(last)))
	}
	for _, w := range c.waits {
		for step, sum := range w.writes {
			c.made.Writes[step-1][register[w.number]] = renumbered(sum)
		}
	}
}
