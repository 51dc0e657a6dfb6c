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
}

// trafficBlocks reads the traffic blocks.
func (l *loader) trafficBlocks(blocks hcl.Blocks, m *Machine, r *rings) {
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
		m.Traffic = append(m.Traffic, l.traffic(hb, name, m, r))
	}
}

func (l *loader) traffic(hb *hcl.Block, name string, m *Machine, r *rings) Traffic {
	t := Traffic{Name: name}
	b := l.content(hb)
	t.Cycles, _ = b.integer("cycles")
	for _, inner := range b.Blocks {
		switch inner.Type {
		case "broadcast":
			t.Sends = append(t.Sends, l.broadcasts(inner, t.Cycles, m, r)...)
		case "send":
			t.Sends = append(t.Sends, l.sends(inner, t.Cycles, m, r)...)
		case "collective":
			t.Sends = append(t.Sends, l.collective(b.inner(inner), t.Cycles, m, r)...)
		case "stall":
			t.Stalls = append(t.Stalls, l.stall(inner, t.Cycles, r))
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
		t.Random = l.random(random, m, r)
	} else if len(b.Blocks) == len(t.Stalls) && b.ok {
		l.errorAt(hb.LabelRanges[0], "No traffic", "The traffic %q needs a broadcast, a send, a collective or a random block.", name)
	}
	return t
}

// random reads a random block.
func (l *loader) random(hb *hcl.Block, m *Machine, r *rings) *Random {
	b := l.content(hb)
	random := &Random{Sources: l.different(b, "sources", r)}
	if r.graph != nil && len(random.Sources) == r.graph.Nodes() {
		random.Sources = nil // the default
	}
	random.Rate = b.real("rate")
	random.Stall = b.real("stall")
	seed, _ := b.integer("seed")
	random.Seed = int64(seed)
	l.pattern(b, random, m, r)
	return random
}

// stall reads a stall block. cycles is 0 if it is unknown.
func (l *loader) stall(hb *hcl.Block, cycles int, r *rings) Stall {
	b := l.content(hb)
	s := Stall{Receivers: l.different(b, "receivers", r)}
	at, ok := b.integer("at", cyclesOf(cycles))
	var limit []bounds
	if ok && cycles > 0 {
		limit = append(limit, bounds{lo: 1, hi: int64(cycles - at), why: fmt.Sprintf("the trace has %d cycles and the stall begins in cycle %d", cycles, at)})
	}
	s.At = at
	s.Cycles, _ = b.integer("cycles", limit...)
	return s
}

// pattern reads the destinations of random messages.
func (l *loader) pattern(b *block, random *Random, m *Machine, r *rings) {
	otherwise := ToAll
	if m.Destination {
		otherwise = ToUniform
	}
	name, ok := otherwise.String(), true
	if b.given("pattern") {
		name, ok = b.oneOf("pattern")
	}
	random.Broadcasts = b.real("broadcasts")
	share := b.real("share")
	hot := 0
	if v, e, given := b.value("hot"); given {
		hot = l.address(element{value: v, at: e.Range(), expr: e}, "hot", r)
	}
	if !ok {
		return
	}
	random.Pattern = Pattern(slices.Index(patternNames, name))
	if !m.Destination {
		for _, attribute := range []string{"pattern", "broadcasts", "hot", "share"} {
			if a := b.Attributes[attribute]; a != nil && (attribute != "pattern" || random.Pattern != ToAll) {
				l.errorAt(a.NameRange, attribute+" without destinations", "%s or remove the line.", allBroadcasts)
			}
		}
		return
	}
	if random.Pattern == ToTranspose && r.known && len(r.m) == 1 {
		l.errorAt(b.Attributes["pattern"].Expr.Range(), "Pattern for several dimensions",
			"pattern is %q, which reverses the digits of an address, but this machine has one dimension, so that every node would send to itself: give another pattern.", name)
	}
	without := func(c condition) {
		b.without(c, func(attribute string) string {
			return fmt.Sprintf("%s needs %s, but the pattern is %q: remove the line, or change the pattern.", attribute, c, name)
		})
	}
	if random.Pattern == ToAll {
		without(withOthers)
	}
	if random.Pattern == ToHotSpot {
		random.Hot, random.Share = max(0, hot), share
	} else {
		without(withHotSpot)
	}
}

// allBroadcasts is the advice of an error.
const allBroadcasts = "Without destinations every message is a broadcast: write destination = true in the message block,"

// broadcasts reads a broadcast block. cycles is 0 if it is unknown.
func (l *loader) broadcasts(hb *hcl.Block, cycles int, m *Machine, r *rings) []Send {
	b := l.content(hb)
	sources, _, known := l.addressesOf(b, "sources", r)
	return l.schedule(b, sources, nil, known, cycles, m)
}

// sends reads a send block. cycles is 0 if it is unknown.
func (l *loader) sends(hb *hcl.Block, cycles int, m *Machine, r *rings) []Send {
	b := l.content(hb)
	if !m.Destination {
		l.errorAt(hb.DefRange, "Send without destinations",
			"%s or use a broadcast block.", allBroadcasts)
	}
	sources, at, known := l.from(b, r)
	to, ok := l.to(b, r)
	for i, source := range sources {
		if known && ok && r.graph != nil && source >= 0 && r.graph.Nobody(to, source) {
			l.errorAt(at[i], "Message without receivers",
				"The message from %s to %s has no receiver, because it is not delivered to its source: give another source, or a destination of more nodes, such as %s.",
				written(r.graph.To(source)), written(to), written(r.graph.Row(source)))
		}
	}
	return l.schedule(b, sources, allAsNil(to), known && ok, cycles, m)
}

// allAsNil returns the canonical form of a destination in a Send.
func allAsNil(d hypercycle.Destination) hypercycle.Destination {
	if d.Broadcast() {
		return nil
	}
	return d
}

// schedule makes the messages of a block with sources and one destination for all of them.
// It returns none if known is false or anything else is wrong.
func (l *loader) schedule(b *block, sources []int, to hypercycle.Destination, known bool, cycles int, m *Machine) []Send {
	times, ok := l.times(b, len(sources), known, cycles)
	last, lastOK := b.boolean("last")
	if last && !m.Last {
		l.errorAt(b.Attributes["last"].Expr.Range(), "last without tlast",
			"last is true, but messages have no tlast: write last = true in the message block, or remove the line.")
	}
	if !known || !ok || !lastOK {
		return nil
	}
	list := make([]Send, len(sources))
	for i := range list {
		list[i] = Send{From: max(0, sources[i]), To: to, At: times[i], Last: last}
	}
	return list
}

// addressesOf reads an attribute that is a list of addresses, with their places. known reports whether their
// number is known; wrong addresses are unknown in the list.
func (l *loader) addressesOf(b *block, name string, r *rings) (nodes []int, at []hcl.Range, known bool) {
	v, e, ok := b.value(name)
	if !ok {
		return nil, nil, false
	}
	list, ok := l.elements(v, e, e.Range(), name, "a list of addresses, each a list of digits, highest dimension first")
	if !ok {
		return nil, nil, false
	}
	return l.addresses(list, e, name, r)
}

// different reads an attribute that is a list of different addresses. The nodes are in ascending order.
func (l *loader) different(b *block, name string, r *rings) []int {
	nodes, at, _ := l.addressesOf(b, name, r)
	first := map[int]int{} // index by node
	for i, node := range nodes {
		j, taken := first[node]
		switch {
		case node == unknown:
		case taken:
			l.errorAt(at[i], "Duplicate address", "%s[%d] is %s, and so is %s[%d]: remove one of them.", name, i, written(r.graph.To(node)), name, j)
		default:
			first[node] = i
		}
	}
	slices.Sort(nodes)
	return nodes
}

// from reads the address or addresses of a send block, as addressesOf does.
func (l *loader) from(b *block, r *rings) (nodes []int, at []hcl.Range, known bool) {
	v, e, ok := b.value("from")
	if !ok {
		return nil, nil, false
	}
	list, ok := l.elements(v, e, e.Range(), "from", "an address, a list of digits, highest dimension first, or a list of addresses")
	if !ok {
		return nil, nil, false
	}
	if len(list) > 0 && !list[0].value.CanIterateElements() { // digits, right or wrong
		return []int{l.address(element{value: v, at: e.Range(), expr: e}, "from", r)}, []hcl.Range{e.Range()}, true
	}
	return l.addresses(list, e, "from", r)
}

// addresses reads a list of one or more addresses, with their places.
func (l *loader) addresses(list []element, e hcl.Expression, what string, r *rings) (nodes []int, at []hcl.Range, known bool) {
	if len(list) == 0 {
		l.errorAt(e.Range(), "Empty list", "%s is empty: give at least one address, such as %s.", what, exampleAddress(r, false))
		return nil, nil, false
	}
	for i, item := range list {
		nodes = append(nodes, l.address(item, fmt.Sprintf("%s[%d]", what, i), r))
		at = append(at, item.at)
	}
	return nodes, at, true
}

// to reads the destination of a send block. ok is false if it is absent or wrong.
func (l *loader) to(b *block, r *rings) (d hypercycle.Destination, ok bool) {
	v, e, ok := b.value("to")
	if !ok {
		return nil, false
	}
	digits, ok := l.digits(element{value: v, at: e.Range(), expr: e}, "to", r, true)
	if !ok || r.graph == nil {
		return nil, false
	}
	d, err := r.graph.Destination(digits...)
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
func (l *loader) address(item element, what string, r *rings) int {
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

// times reads the cycles of n messages: a list, or one number for all.
// cycles is 0 if the length of the trace is unknown.
func (l *loader) times(b *block, n int, known bool, cycles int) ([]int, bool) {
	times := make([]int, n)
	if b.Attributes["at"] == nil {
		return times, true
	}
	v, e, ok := b.value("at")
	if !ok {
		return nil, false
	}
	limit := cyclesOf(cycles)
	if v.Type() == cty.Number {
		at, ok := l.integer(v, e.Range(), "at", limit)
		for i := range times {
			times[i] = int(at)
		}
		return times, ok
	}
	list, ok := l.elements(v, e, e.Range(), "at", "a cycle for all sources, or a list with a cycle for each")
	if !ok {
		return nil, false
	}
	if known && len(list) != n {
		l.errorAt(e.Range(), "Lists of different length", "at has %s, but there are %s: give one cycle for each source, or a single number for all.", counted(len(list), "cycle"), counted(n, "source"))
		ok = false
	}
	for i, item := range list {
		at, valid := l.integer(item.value, item.at, fmt.Sprintf("at[%d]", i), limit)
		if ok = ok && valid; ok && known {
			times[i] = int(at)
		}
	}
	return times, ok
}
