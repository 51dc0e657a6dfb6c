// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/hcgen/hcgen/hypercycle"
)

// reservedTraffic describes, by name, the simulations that machines have without a traffic block.
var reservedTraffic = map[string]string{
	"router":  "the single router",
	"alone":   "one broadcast alone",
	"array":   "an array of routers",
	"packets": "hc_packets",
	"system":  "the network with its endpoints",
}

// trafficBlocks reads the traffic blocks.
func (l *loader) trafficBlocks(blocks hcl.Blocks, m *Machine) {
	r := l.rings
	names := l.names("traffic", true)
	for i, hb := range blocks {
		name, ok := names.take(hb)
		// Names become file names, and not every file system distinguishes upper and lower case.
		if what := reservedTraffic[strings.ToLower(name)]; ok && what != "" {
			l.errorAt(hb.LabelRanges[0], "Reserved traffic name",
				"The target sim-%s is the simulation of %s: give this traffic another name.", strings.ToLower(name), what)
		}
		if i == 0 && m.NoRouters {
			l.errorAt(hb.LabelRanges[0], "Traffic without routers",
				"Traffic is for routers, but routers is false in the machine block: remove the traffic blocks, or that line.")
		}
		if i == 0 && r.graph != nil && r.graph.Nodes() > MaxTrafficNodes {
			l.errorAt(hb.LabelRanges[0], "Machine too large for traffic",
				"Traffic is limited to machines of %d nodes, but this one has %d. Remove the traffic blocks.", MaxTrafficNodes, r.graph.Nodes())
		}
		m.Traffic = append(m.Traffic, l.traffic(hb, name, m))
	}
}

func (l *loader) traffic(hb *hcl.Block, name string, m *Machine) Traffic {
	t := Traffic{Name: name}
	b := l.content(hb)
	b.decode(&t, nil)
	for _, inner := range b.Blocks {
		switch inner.Type {
		case "broadcast":
			t.Sends = append(t.Sends, l.broadcasts(inner, t.Cycles, m)...)
		case "send":
			t.Sends = append(t.Sends, l.sends(inner, t.Cycles, m)...)
		case "collective":
			t.Sends = append(t.Sends, l.collective(b.inner(inner), t.Cycles, m)...)
		case "stall":
			t.Stalls = append(t.Stalls, l.stall(inner, t.Cycles))
		}
		if len(t.Sends) > MaxSends {
			l.errorAt(inner.DefRange, "Too many messages", "A traffic block schedules at most %d messages. Use a random block.", MaxSends)
			break
		}
	}
	// by time, and within a cycle in the order of the file
	sort.SliceStable(t.Sends, func(i, j int) bool { return t.Sends[i].At < t.Sends[j].At })
	sort.SliceStable(t.Stalls, func(i, j int) bool { return t.Stalls[i].At < t.Stalls[j].At })
	if random := b.first("random"); random != nil {
		t.Random = l.random(random, m)
	} else if len(b.Blocks) == len(t.Stalls) && b.ok {
		l.errorAt(hb.LabelRanges[0], "No traffic", "The traffic %q needs a broadcast, a send, a collective or a random block.", name)
	}
	return t
}

// random reads a random block.
func (l *loader) random(hb *hcl.Block, m *Machine) *Random {
	b := l.content(hb)
	random := &Random{}
	b.decode(random, nil)
	if r := l.rings; r.graph != nil && len(random.Sources) == r.graph.Nodes() {
		random.Sources = nil // the default
	}
	if b.right("pattern") {
		l.pattern(b, random, m)
	}
	return random
}

// defaultPattern is the default of the pattern attribute.
func defaultPattern(m *Machine, _ any) any {
	if m.Destination {
		return ToUniform.String()
	}
	return ToAll.String()
}

// stall reads a stall block. cycles is 0 if it is unknown.
func (l *loader) stall(hb *hcl.Block, cycles int) Stall {
	b := l.content(hb)
	var s Stall
	b.decode(&s, narrower{
		"at": func() kind { return cyclesOf(cycles) },
		"cycles": func() kind {
			if cycles == 0 || !b.right("at") {
				return nil
			}
			return bounds{lo: 1, hi: int64(cycles - s.At), why: fmt.Sprintf("the trace has %d cycles and the stall begins in cycle %d", cycles, s.At)}
		},
	})
	return s
}

// pattern checks the destinations of random messages.
func (l *loader) pattern(b *block, random *Random, m *Machine) {
	if !m.Destination {
		for _, attribute := range []string{"pattern", "broadcasts", "hot", "share"} {
			if a := b.Attributes[attribute]; a != nil && (attribute != "pattern" || random.Pattern != ToAll) {
				l.errorAt(a.NameRange, attribute+" without destinations", "%s or remove the line.", allBroadcasts)
			}
		}
		return
	}
	if r := l.rings; random.Pattern == ToTranspose && r.known && len(r.m) == 1 {
		l.errorAt(b.at("pattern"), "Pattern for several dimensions",
			"pattern is %q, which reverses the digits of an address, but this machine has one dimension, so that every node would send to itself: give another pattern.", random.Pattern)
	}
	for _, c := range []*condition{withOthers, withHotSpot} {
		if !c.holds(random) {
			b.without(c, func(attribute string) string {
				return fmt.Sprintf("%s needs %s, but the pattern is %q: remove the line, or change the pattern.", attribute, c.needs, random.Pattern)
			})
		}
	}
}

// allBroadcasts is the advice of an error.
const allBroadcasts = "Without destinations every message is a broadcast: write destination = true in the message block,"

// sending is a broadcast or send block: messages with one destination.
type sending struct {
	from sources
	to   hypercycle.Destination // nil: all nodes
	at   any                    // cycle for all messages, an int64; or one for each, an []int
	last bool
}

// sources are the nodes of an attribute, with their places; unknown stands for a wrong address.
type sources struct {
	nodes  []int
	places []hcl.Range
}

// broadcasts reads a broadcast block. cycles is 0 if it is unknown.
func (l *loader) broadcasts(hb *hcl.Block, cycles int, m *Machine) []Send {
	b := l.content(hb)
	s := l.sending(b, cycles)
	return l.schedule(b, s, m)
}

// sends reads a send block. cycles is 0 if it is unknown.
func (l *loader) sends(hb *hcl.Block, cycles int, m *Machine) []Send {
	b := l.content(hb)
	s := l.sending(b, cycles)
	if !m.Destination {
		l.errorAt(hb.DefRange, "Send without destinations",
			"%s or use a broadcast block.", allBroadcasts)
	}
	for i, source := range s.from.nodes {
		if r := l.rings; b.right("to") && r.graph != nil && source >= 0 && r.graph.Nobody(s.to, source) {
			l.errorAt(s.from.places[i], "Message without receivers",
				"The message from %s to %s has no receiver, because it is not delivered to its source: give another source, or a destination of more nodes, such as %s.",
				written(r.graph.To(source)), written(s.to), written(r.graph.Row(source)))
		}
	}
	return l.schedule(b, s, m)
}

// sending reads the attributes of a block of messages.
func (l *loader) sending(b *block, cycles int) *sending {
	s := &sending{}
	b.decode(s, narrower{"at": func() kind { return cyclesIn(cyclesOf(cycles)) }})
	return s
}

// allAsNil returns the canonical form of a destination in a Send.
func allAsNil(d hypercycle.Destination) hypercycle.Destination {
	if d.Broadcast() {
		return nil
	}
	return d
}

// schedule makes the messages of a block. It returns none if their number or anything else but a source is wrong.
func (l *loader) schedule(b *block, s *sending, m *Machine) []Send {
	times, ok := l.times(b, s)
	if s.last && !m.Last {
		l.errorAt(b.at("last"), "last without tlast",
			"last is true, but messages have no tlast: write last = true in the message block, or remove the line.")
	}
	if !ok || !b.right("to") || !b.right("last") {
		return nil
	}
	list := make([]Send, len(s.from.nodes))
	for i := range list {
		list[i] = Send{From: max(0, s.from.nodes[i]), To: allAsNil(s.to), At: times[i], Last: s.last}
	}
	return list
}

// readAddresses reads one or more addresses, as sources.
func readAddresses(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	list, ok := l.elements(v, e, e.Range(), name, "a list of addresses, each a list of digits, highest dimension first")
	if !ok {
		return nil, false
	}
	return l.addresses(list, e, name)
}

// readDifferent reads one or more different addresses, as nodes in ascending order.
func readDifferent(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	value, ok := readAddresses(l, name, v, e)
	if value == nil {
		return nil, false
	}
	nodes := value.(sources).nodes
	first := map[int]int{} // index by node
	for i, node := range nodes {
		j, taken := first[node]
		switch {
		case node == unknown:
		case taken:
			l.errorAt(value.(sources).places[i], "Duplicate address", "%s[%d] is %s, and so is %s[%d]: remove one of them.", name, i, written(l.rings.graph.To(node)), name, j)
			ok = false
		default:
			first[node] = i
		}
	}
	slices.Sort(nodes)
	return nodes, ok
}

// readFrom reads an address, or one or more addresses, as sources.
func readFrom(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	list, ok := l.elements(v, e, e.Range(), name, "an address, a list of digits, highest dimension first, or a list of addresses")
	if !ok {
		return nil, false
	}
	if len(list) > 0 && !list[0].value.CanIterateElements() { // digits, right or wrong
		node, ok := readAddress(l, name, v, e)
		return sources{[]int{node.(int)}, []hcl.Range{e.Range()}}, ok
	}
	return l.addresses(list, e, name)
}

// addresses reads a list of one or more addresses, as sources.
func (l *loader) addresses(list []element, e hcl.Expression, what string) (value any, ok bool) {
	r := l.rings
	if len(list) == 0 {
		l.errorAt(e.Range(), "Empty list", "%s is empty: give at least one address, such as %s.", what, exampleAddress(r, false))
		return nil, false
	}
	var s sources
	ok = true
	for i, item := range list {
		node := l.address(item, fmt.Sprintf("%s[%d]", what, i))
		s.nodes, s.places = append(s.nodes, node), append(s.places, item.at)
		ok = ok && node != unknown
	}
	return s, ok
}

// readAddress reads an address, as a node.
func readAddress(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	node := l.address(element{value: v, at: e.Range(), expr: e}, name)
	return node, node != unknown
}

// readDestination reads the destination of a send block.
func readDestination(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	digits, ok := l.digits(element{value: v, at: e.Range(), expr: e}, name, l.rings, true)
	if !ok || l.rings.graph == nil {
		return nil, false
	}
	d, err := l.rings.graph.Destination(digits...)
	if err != nil {
		// every digit was checked above, so this is a fault of the program
		panic(fmt.Sprintf("machine: hypercycle rejects a checked destination: %v", err))
	}
	return d, true
}

// exampleAddress is the address of node 0 as it is written in a description; with
// all, the destination of its row.
func exampleAddress(r *rings, all bool) string {
	n := 1
	if r.known {
		n = len(r.m)
	}
	d := make(hypercycle.Destination, n)
	if all {
		d[0] = hypercycle.All
	}
	return written(d)
}

// written returns a destination as it is written in a description.
func written(d hypercycle.Destination) string {
	var digits []string
	for _, x := range slices.Backward(d) {
		digit := `"*"`
		if x != hypercycle.All {
			digit = strconv.Itoa(x)
		}
		digits = append(digits, digit)
	}
	return "[" + strings.Join(digits, ", ") + "]"
}

// unknown stands for a node whose address is wrong or cannot be checked.
const unknown = -1

// address returns the node with the given address, unknown after an error.
func (l *loader) address(item element, what string) int {
	r := l.rings
	digits, ok := l.digits(item, what, r, false)
	if !ok || r.graph == nil {
		return unknown
	}
	node, err := r.graph.Node(digits...)
	if err != nil {
		// every digit was checked above, so this is a fault of the program
		panic(fmt.Sprintf("machine: hypercycle rejects a checked address: %v", err))
	}
	return node
}

// digits returns the digits of an address, highest dimension first, with hypercycle.All for "*" if
// that is allowed. ok is false if they are wrong or cannot be checked.
func (l *loader) digits(item element, what string, r *rings, all bool) (digits []int, ok bool) {
	form, wanted := "highest dimension first", "give one digit for each"
	if all {
		form, wanted = `highest dimension first, each a digit or "*" for all`, `give a digit or "*" for each`
	}
	example := exampleAddress(r, all)
	if item.value.Type() == cty.Number {
		l.errorAt(item.at, "Wrong type for "+what, "%s must be an address, a list of digits, %s, such as %s. Put the digit in brackets.", what, form, example)
		return nil, false
	}
	list, ok := l.elements(item.value, item.expr, item.at, what, fmt.Sprintf("an address, a list of digits, %s, such as %s", form, example))
	if !ok || !r.known {
		return nil, false
	}
	rank := len(r.m)
	if len(list) != rank {
		l.errorAt(item.at, "Wrong number of digits", "The address %s has %s, but the machine has %s: %s, highest dimension first, such as %s.",
			what, counted(len(list), "digit"), counted(rank, "dimension"), wanted, example)
		return nil, false
	}
	digits = make([]int, rank)
	for j, d := range list {
		ring := r.m[rank-1-j]
		limit := digit
		if ring.m > 0 {
			limit = bounds{lo: 0, hi: int64(ring.m - 1), why: fmt.Sprintf("dimension %q has m = %d", ring.name, ring.m)}
		}
		x, valid := l.digit(d, fmt.Sprintf("%s[%d]", what, j), limit, all)
		digits[j] = x
		ok = ok && valid
	}
	return digits, ok
}

// digit reads a digit of an address.
func (l *loader) digit(d element, what string, limit bounds, all bool) (int, bool) {
	if all && d.value.Type() == cty.String && !d.value.IsNull() {
		if s := d.value.AsString(); s != "*" {
			l.errorAt(d.at, "Wrong digit", "%s is %s: give %s, without quotes, or \"*\" for all digits.", what, quote(s), limit)
			return 0, false
		}
		return hypercycle.All, true
	}
	x, ok := l.integer(d.value, d.at, what, limit)
	return int(x), ok
}

// cyclesOf is the range of a cycle of a trace. cycles is the length of the trace, 0 if it is unknown.
func cyclesOf(cycles int) bounds {
	if cycles == 0 {
		return cycle
	}
	return bounds{lo: 0, hi: int64(cycles - 1), why: fmt.Sprintf("the trace has %d cycles", cycles)}
}

// cyclesIn is the kind of the cycles of several messages: one for all, or a list with one for each.
func cyclesIn(limit bounds) custom {
	return custom{limit.text(), object{"anyOf": []object{limit.form(), {"type": "array", "items": limit.schema()}, templateForm}},
		func(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
			if v.Type() == cty.Number {
				return limit.read(l, name, v, e)
			}
			list, ok := l.elements(v, e, e.Range(), name, "a cycle for all sources, or a list with a cycle for each")
			if !ok {
				return nil, false
			}
			times := make([]int, len(list))
			for i, item := range list {
				at, valid := l.integer(item.value, item.at, fmt.Sprintf("%s[%d]", name, i), limit)
				times[i], ok = int(at), ok && valid
			}
			return times, ok
		}, nil}
}

// times returns the cycle of each message. ok is false if it is wrong, or the number of messages is unknown.
func (l *loader) times(b *block, s *sending) (times []int, ok bool) {
	n := len(s.from.nodes)
	switch at := s.at.(type) {
	case int64:
		times = slices.Repeat([]int{int(at)}, n)
	case []int:
		if times = at; n > 0 && len(at) != n {
			l.errorAt(b.at("at"), "Lists of different length", "at has %s, but there are %s: give one cycle for each source, or a single number for all.", counted(len(at), "cycle"), counted(n, "source"))
			return nil, false
		}
	}
	return times, n > 0 && b.right("at")
}
