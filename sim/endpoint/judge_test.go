// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// judge runs a system and checks it against what docs/endpoints.md promises. It decodes the accesses itself, and has memories
// and registers of its own. Of the system it observes when messages cross the local ports, when an access begins, and when a
// requester has its turn at a memory port: that is the order in which it does the accesses to its own memories.
type judge struct {
	*System
	programs Programs
	memories []map[int]uint32
	nodes    []judged
	stats    stats
	fault    string // the first
}

// judged is what the judge knows of a node.
type judged struct {
	began   bool    // the access that is open
	current *effect // of the access that is open
	turned  bool    // it has had its turn

	sent  []*effect         // by number of the message
	asked []*effect         // gets that arrived and had no turn
	next  map[string]int    // by source and destination: messages that arrived
	last  map[string]int    // by destination: messages that were sent
	stall int               // cycles for which the delivered message waits
	wants map[string]uint32 // registers, by name
	rings uint32            // events of this cycle

	arrivals, releases int
}

// effect is an access as the page describes it.
type effect struct {
	region      int
	write       bool
	word, words int
	strobes     uint8
	data        uint32
	wrong       string // bit of ERRORS: outside or unsupported
	node        int    // of the master
	to          []int  // nodes of the destination, without the own if there are others
	own         bool   // the destination is the own node
	place       string // the destination in words
	number      int    // among the messages of the node to this destination
	value       uint32 // that a read must have
	known       bool   // value is known
	answered    bool   // the reply to a get has arrived
	reply       bool   // it answers the get value
	asker       int    // of a reply
}

// stats are of a run.
type stats struct {
	accesses, errors, interrupts, conflicts int
	longest                                 map[string]int // cycles of an access, by kind
	total, count                            map[string]int
	stall, queue                            int // largest
}

func newJudge(p *plan.Plan, programs Programs) *judge {
	j := &judge{programs: programs, nodes: make([]judged, p.Nodes)}
	j.stats = stats{longest: map[string]int{}, total: map[string]int{}, count: map[string]int{}}
	for v := range j.nodes {
		j.memories = append(j.memories, map[int]uint32{})
		j.nodes[v] = judged{next: map[string]int{}, last: map[string]int{}, wants: map[string]uint32{}}
	}
	j.System = New(p, j)
	return j
}

func (j *judge) Next(v, cycle int) (Access, bool) { return j.programs.Next(v, cycle) }

func (j *judge) fail(format string, args ...any) {
	if j.fault == "" {
		j.fault = fmt.Sprintf("cycle %d: ", j.Cycle()) + fmt.Sprintf(format, args...)
	}
}

// effectOf decodes an access as the tables of the page do.
func (j *judge) effectOf(v int, a Access) *effect {
	p := j.plan
	m := p.Machine
	x := &effect{node: v, write: a.Write, strobes: a.Strobes, data: a.Data}
	rest := a.Address
	field := func(bits int) int {
		f := rest & (1<<bits - 1)
		rest >>= bits
		return int(f)
	}
	x.words = 1 << (m.Endpoint.AddressBits - 2)
	x.word = field(m.Endpoint.AddressBits) / 4
	digits, all, set := make([]int, len(m.Dimensions)), make([]bool, len(m.Dimensions)), false
	something := rest&(1<<(p.Endpoint.BusBits-m.Endpoint.AddressBits-2)-1) != 0
	for i, d := range m.Dimensions {
		bits := 0
		for 1<<bits < d.M {
			bits++
		}
		digits[i] = field(bits)
	}
	for i := range all {
		all[i] = field(1) == 1
		set = set || all[i]
	}
	x.region = field(2)
	for i, d := range m.Dimensions {
		if x.region >= 2 && !all[i] && digits[i] >= d.M {
			x.wrong = "outside"
		}
	}
	if x.region < 2 && something {
		x.wrong = "outside"
	}
	if x.wrong != "" {
		return x
	}
	x.place = "own"
	if x.region < 2 {
		x.to, x.own = []int{v}, true
	} else {
		x.place = fmt.Sprint(x.place, all)
		for i := range digits {
			if !all[i] {
				x.place += fmt.Sprint(i, ":", digits[i], " ")
			}
		}
		for u := range p.Nodes {
			in := true
			for i := range digits {
				in = in && (all[i] || m.Graph.Digit(u, i+1) == digits[i])
			}
			if in && (u != v || !set) {
				x.to = append(x.to, u)
			}
		}
		x.own = !set && x.to[0] == v
	}
	whole := a.Strobes == 15
	unsupported := false
	switch x.region {
	case 1:
		r := j.register(x.word)
		unsupported = r == "" || a.Write && (!whole || !slices.Contains([]string{"BARRIER", "EVENTS", "ENABLE", "ERRORS"}, r))
	case 2:
		unsupported = !a.Write && (set || !x.own && !m.Endpoint.Gets)
	case 3:
		unsupported = !a.Write || !whole || !m.Endpoint.Adds
	}
	if unsupported {
		x.wrong = "unsupported"
	}
	return x
}

// register is the name of a register.
func (j *judge) register(word int) string {
	names := []string{"ID", "NODE", "DIGITS", "NODES", "BARRIER", "EVENTS", "ENABLE", "ERRORS", "WAITING"}
	switch {
	case word < len(names):
		return names[word]
	case word >= 16 && word < 16+len(j.plan.Dims):
		return "DIMENSION"
	}
	return ""
}

// rings reports whether an access is for the doorbell, and the doorbells that it rings.
func (x *effect) rings() (bits uint32, is bool) {
	if x.region != 2 || !x.write || x.word != x.words-1 {
		return 0, false
	}
	if x.strobes&1 == 0 {
		return 0, true
	}
	return x.data & 255, true
}

// do does an access to the memory of a node.
func (j *judge) do(v int, x *effect) {
	if j.nodes[v].turned && x.node == v {
		j.fail("node %d: a second turn", v)
	}
	word := j.memories[v][x.word]
	switch {
	case !x.write:
		x.value, x.known = word, true
	case x.region == 3:
		word += x.data
	default:
		for i := range 4 {
			if x.strobes>>i&1 == 1 {
				word = word&^(255<<(8*i)) | x.data&(255<<(8*i))
			}
		}
	}
	j.memories[v][x.word] = word
}

// cycle checks a cycle that was evaluated, and ends it.
func (j *judge) cycle() {
	j.Evaluate()
	p := j.plan
	for v := range j.nodes {
		j.begin(v)
		if len(j.sent[v]) > len(j.nodes[v].sent) {
			j.send(v)
		}
	}
	for v := range j.nodes {
		n, e := &j.nodes[v], j.endpoints[v]
		n.rings = 0
		r := &e.registers
		if r.events != n.wants["EVENTS"] || r.errors != n.wants["ERRORS"] || r.enable != n.wants["ENABLE"] {
			j.fail("node %d: the registers are %+v, not %v", v, *r, n.wants)
		}
		if is := n.wants["ENABLE"]&n.wants["EVENTS"] != 0; is != j.Interrupt(v) {
			j.fail("node %d: the interrupt is wrong", v)
		} else if is {
			j.stats.interrupts++
		}
		router := j.network.Router(v)
		var arrives *effect
		if m := router.Offers(0); m != nil {
			x := j.nodes[m.Source].sent[m.Seq]
			if router.Delivered(0) == nil {
				n.stall++
			} else {
				arrives, n.stall = x, 0
				j.arrive(v, x)
			}
			j.stats.stall = max(j.stats.stall, n.stall)
			if n.stall > j.longestStall() {
				j.fail("node %d: the receiver stalls for %d cycles", v, n.stall)
			}
		}
		requesters := 0
		for _, waits := range []bool{n.stall > 0 || arrives != nil && !arrives.reply && arrives.write, len(n.asked) > 0, n.current != nil && n.current.own && n.current.region != 1} {
			if waits {
				requesters++
			}
		}
		if requesters > 1 {
			j.stats.conflicts++
		}
		switch e.memory.turn {
		case turnOfMessage:
			if arrives == nil {
				j.fail("node %d: a turn of a message that is not accepted", v)
			} else {
				j.do(v, arrives)
			}
		case turnOfGet:
			if len(n.asked) == 0 {
				j.fail("node %d: a turn of a get that is not there", v)
				break
			}
			j.do(v, n.asked[0])
			n.asked = n.asked[1:]
		case turnOfAccess:
			if n.current == nil || !n.current.own || n.current.region == 1 {
				j.fail("node %d: a turn of an access that is not of the own memory", v)
				break
			}
			j.do(v, n.current)
			n.turned = true
		}
		switch {
		case arrives == nil || arrives.reply:
		case !arrives.write: // its turn comes later
			n.asked = append(n.asked, arrives)
		default:
			if _, is := arrives.rings(); !is && e.memory.turn != turnOfMessage {
				j.fail("node %d accepts a message without a turn", v)
			}
		}
		if j.stats.queue = max(j.stats.queue, len(n.asked)); len(n.asked) > p.Nodes-1 || len(e.queue) > p.Nodes-1 {
			j.fail("node %d: %d gets in the queue", v, len(n.asked))
		}
		if router.Released() {
			n.releases++
			for u := range j.nodes {
				if j.nodes[u].arrivals < n.releases {
					j.fail("node %d is released before node %d has arrived", v, u)
				}
			}
			if n.wants["BARRIER"] == 0 {
				j.fail("node %d is released, but does not wait", v)
			}
		}
	}
	for v := range j.nodes {
		j.stepRegisters(v)
	}
	j.Step()
}

// longestStall is R.
func (j *judge) longestStall() int {
	r := 1
	if j.plan.Machine.Endpoint.Gets {
		r++
	}
	if j.plan.Machine.Endpoint.Adds {
		r += 4
	}
	return r
}

// begin checks the access of a node in the cycle in which it begins.
func (j *judge) begin(v int) {
	n, e, d := &j.nodes[v], j.endpoints[v], j.open[v]
	if d == nil || n.began || e.access == nil {
		return
	}
	n.began, n.turned = true, false
	x := j.effectOf(v, d.Access)
	n.current = x
	if x.wrong != "" || x.region != 1 {
		return
	}
	g := j.plan.Machine.Graph
	name := j.register(x.word)
	x.known, x.value = true, n.wants[name]
	switch name {
	case "ID":
		x.value = 1<<24 | uint32(j.plan.Machine.Endpoint.AddressBits)<<8 | uint32(len(j.plan.Dims))
		if j.plan.Machine.Endpoint.Gets {
			x.value |= 1 << 16
		}
		if j.plan.Machine.Endpoint.Adds {
			x.value |= 1 << 17
		}
	case "NODE":
		x.value = uint32(v)
	case "NODES":
		x.value = uint32(g.Nodes())
	case "DIMENSION":
		x.value = uint32(g.Dimension(x.word-15).M | g.Dimension(x.word-15).Rho<<16)
	case "DIGITS":
		x.value = 0
		for i := g.Rank(); i >= 1; i-- {
			for bits := 1; bits < g.Dimension(i).M; bits *= 2 {
				x.value *= 2
			}
			x.value += uint32(g.Digit(v, i))
		}
	case "WAITING":
		x.value = uint32(len(n.asked))
		if e.reply.full {
			x.value |= 1 << 16
		}
	}
}

// arrive checks a message that a node accepts.
func (j *judge) arrive(v int, x *effect) {
	n := &j.nodes[v]
	if x.reply {
		if a := n.current; x.asker != v || a == nil || a.write || a.own || !a.known || a.answered || a.to[0] != x.node {
			j.fail("node %d gets a reply of node %d that it has not asked for", v, x.node)
		} else {
			a.answered = true
		}
		return
	}
	if !slices.Contains(x.to, v) {
		j.fail("node %d gets a message of node %d that is not for it", v, x.node)
	}
	from := fmt.Sprint(x.node, " ", x.place)
	if n.next[from] != x.number {
		j.fail("node %d: message %d of node %d to %s arrives as number %d", v, x.number, x.node, x.place, n.next[from])
	}
	n.next[from]++
	if bits, is := x.rings(); is {
		n.rings |= bits
	}
}

// send notes the message of a node that is offered to the network.
func (j *judge) send(v int) {
	n, e := &j.nodes[v], j.endpoints[v]
	x := n.current
	if e.offered == offerOfReply {
		m, dest := e.offer()
		asker := -1
		for u := range j.nodes {
			if j.endpoints[u].tdest() == dest {
				asker = u
			}
		}
		n.sent = append(n.sent, &effect{reply: true, value: m.data, asker: asker, node: v})
		return
	}
	if x == nil || x.wrong != "" || x.own || x.reply {
		j.fail("node %d sends a message without an access", v)
		x = &effect{}
	}
	x.number = n.last[x.place]
	n.last[x.place]++
	n.sent = append(n.sent, x)
}

// stepRegisters does at the end of a cycle what changes the registers of a node.
func (j *judge) stepRegisters(v int) {
	n := &j.nodes[v]
	events, errors := n.rings, uint32(0)
	waited, released := n.wants["BARRIER"], j.network.Router(v).Released()
	if x := n.current; x != nil && !n.turned { // an access that is done as it begins
		switch {
		case x.wrong == "outside":
			errors = 1
		case x.wrong == "unsupported":
			errors = 2
		case x.region == 1 && x.write:
			switch j.register(x.word) {
			case "BARRIER":
				n.wants["BARRIER"] = 1
				if waited == 0 {
					n.arrivals++
				}
			case "EVENTS":
				n.wants["EVENTS"] &^= x.data
			case "ERRORS":
				n.wants["ERRORS"] &^= x.data
			case "ENABLE":
				n.wants["ENABLE"] = x.data & 511
			}
		case x.own && x.region != 1:
			if bits, is := x.rings(); is {
				events |= bits
			}
		}
		if x.wrong != "" || x.region == 1 {
			n.turned = true // once
		} else if _, is := x.rings(); is && x.own {
			n.turned = true
		}
	}
	if released {
		events |= 256
		n.wants["BARRIER"] = 0
	}
	n.wants["EVENTS"] |= events
	n.wants["ERRORS"] |= errors
}

// Ended is part of Programs: it checks the answer.
func (j *judge) Ended(d Done) {
	n := &j.nodes[d.Node]
	x := n.current
	if x == nil {
		j.fail("node %d: an access ends that has not begun", d.Node)
		return
	}
	n.current, n.began = nil, false
	j.stats.accesses++
	name := "own"
	switch {
	case x.wrong != "":
		name = "error"
		j.stats.errors++
	case x.region == 1:
		name = "register"
	case x.own:
		// Its turn comes within R cycles, too. On AXI4-Lite it begins in the second cycle, a read has its word in the cycle after the
		// turn, and the answer is in the next one.
		if d.End-d.Cycle > j.longestStall()+3 {
			j.fail("node %d: %+v takes too long", d.Node, d)
		}
	case !x.write:
		name = "get"
	default:
		name = map[int]string{2: "put", 3: "add"}[x.region]
		if len(x.to) > 1 {
			name += " to a set"
		}
	}
	j.stats.longest[name] = max(j.stats.longest[name], d.End-d.Cycle)
	j.stats.total[name] += d.End - d.Cycle
	j.stats.count[name]++
	switch {
	case !n.turned && x.own:
		j.fail("node %d: %+v ends without a turn", d.Node, d)
	case d.Err != (x.wrong != ""):
		j.fail("node %d: %+v: it should end with the error %q", d.Node, d, x.wrong)
	case d.Err || x.write:
		if d.Answer.Data != 0 {
			j.fail("node %d: %+v has data", d.Node, d)
		}
	case !x.known || d.Answer.Data != x.value || !x.own && !x.answered:
		j.fail("node %d: %+v: the word is %08x (known %v)", d.Node, d, x.value, x.known)
	}
	j.programs.Ended(d)
}

// finish checks that everything that was sent has arrived, and the memories.
func (j *judge) finish() {
	for v := range j.nodes {
		n := &j.nodes[v]
		for _, x := range n.sent {
			for _, u := range x.to {
				if from := fmt.Sprint(v, " ", x.place); j.nodes[u].next[from] != n.last[x.place] {
					j.fail("node %d has %d of %d messages of %s", u, j.nodes[u].next[from], n.last[x.place], from)
				}
			}
		}
		words := map[int]bool{}
		for w := range j.memories[v] {
			words[w] = true
		}
		for w := range j.Memory(v) {
			words[int(w)] = true
		}
		for _, w := range slices.Sorted(maps.Keys(words)) {
			if is, want := j.Memory(v)[uint32(w)], j.memories[v][w]; is != want {
				j.fail("node %d: word %d is %08x, not %08x", v, w, is, want)
			}
		}
	}
}

// run runs cycles until the condition holds, at most the given number, and finds a fault.
func (j *judge) run(limit int, over func() bool) (fault string) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprint("panic: ", r)
		}
	}()
	for !over() && j.fault == "" {
		if j.Cycle() >= limit {
			j.fail("it does not end")
		}
		j.cycle()
	}
	return j.fault
}

// judgeScript runs random accesses of all nodes to their end.
func judgeScript(p *plan.Plan, seed int64, accesses, limit int) (*judge, string) {
	s := NewScript(p, seed, accesses)
	j := newJudge(p, s)
	if fault := j.run(limit, func() bool { return s.Over() && j.Idle() }); fault != "" {
		return j, fault
	}
	s.End()
	j.run(limit+1000, s.Over)
	if j.fault == "" {
		j.finish()
	}
	return j, j.fault
}

// endpoints loads a machine with the given rings, (m, rho) of each dimension, and lines of its endpoint block.
func endpoints(t testing.TB, lines string, rings ...[2]int) *plan.Plan {
	text := "machine \"m\" {\n"
	for i, r := range rings {
		text += fmt.Sprintf("dimension \"d%d\" {\n m = %d\n rho = %d\n}\n", i, r[0], r[1])
	}
	m, _, diags := machine.LoadBytes("machine.hcl", []byte(text+"endpoint {\n"+lines+"\n}\n}\n"), nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return plan.New(m)
}
