// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// reservedTraffic names the simulations that every machine has, and what they are of.
var reservedTraffic = map[string]string{
	"router": "the single router",
	"alone":  "one broadcast alone",
	"array":  "an array of routers",
}

// trafficBlocks reads the traffic blocks.
func (l *loader) trafficBlocks(blocks hcl.Blocks, m *Machine, r *rings) {
	names := l.names("traffic", true)
	for i, hb := range blocks {
		name, ok := names.take(hb)
		// Names become file names, and not every file system tells cases apart.
		if what := reservedTraffic[strings.ToLower(name)]; ok && what != "" {
			l.errorAt(hb.LabelRanges[0], "Reserved traffic name",
				"The target sim-%s is the simulation of %s: give this traffic another name.", strings.ToLower(name), what)
		}
		if i == 0 && r.graph != nil && r.graph.Nodes() > MaxTrafficNodes {
			l.errorAt(hb.LabelRanges[0], "Machine too large for traffic",
				"Traffic is limited to machines of %d nodes, but this one has %d. Remove the traffic blocks.", MaxTrafficNodes, r.graph.Nodes())
		}
		m.Traffic = append(m.Traffic, l.traffic(hb, name, r))
	}
}

func (l *loader) traffic(hb *hcl.Block, name string, r *rings) Traffic {
	t := Traffic{Name: name}
	b := l.content(hb, required("cycles"),
		hcl.BlockHeaderSchema{Type: "broadcast"},
		hcl.BlockHeaderSchema{Type: "random"},
	)
	t.Cycles, _ = b.integer("cycles", bounds{1, MaxCycles, ""})
	for _, one := range b.Blocks.OfType("broadcast") {
		t.Broadcasts = append(t.Broadcasts, l.broadcasts(one, t.Cycles, r)...)
		if len(t.Broadcasts) > MaxBroadcasts {
			l.errorAt(one.DefRange, "Too many broadcasts", "A traffic block schedules at most %d broadcasts. Use a random block.", MaxBroadcasts)
			break
		}
	}
	// one order for every reader: by time, and as written within a cycle
	sort.SliceStable(t.Broadcasts, func(i, j int) bool { return t.Broadcasts[i].At < t.Broadcasts[j].At })
	if one := b.single("random"); one != nil {
		t.Random = l.random(one)
	} else if len(b.Blocks) == 0 && b.ok {
		l.errorAt(hb.LabelRanges[0], "No traffic", "The traffic %q needs a broadcast or a random block.", name)
	}
	return t
}

// random reads a random block.
func (l *loader) random(hb *hcl.Block) *Random {
	b := l.content(hb, append(required("rate"), optional("stall", "seed")...))
	r := &Random{}
	r.Rate = b.real("rate", interval{lo: 0, hi: 1}, 0)
	r.Stall = b.real("stall", interval{lo: 0, hi: 1, openHi: true}, 0)
	seed, _ := b.integerOr("seed", bounds{0, math.MaxInt64, ""}, 1)
	r.Seed = int64(seed)
	return r
}

// broadcasts reads a broadcast block. cycles is 0 if it is not known.
func (l *loader) broadcasts(hb *hcl.Block, cycles int, r *rings) []Broadcast {
	b := l.content(hb, append(required("sources"), optional("at")...))
	sources, known := l.sources(b, r)
	times, ok := l.times(b, len(sources), known, cycles)
	if !known || !ok {
		return nil
	}
	list := make([]Broadcast, len(sources))
	for i := range list {
		list[i] = Broadcast{Source: sources[i], At: times[i]}
	}
	return list
}

// sources reads the addresses of a broadcast block. known tells whether their
// number is known; wrong addresses are 0 in the list.
func (l *loader) sources(b *block, r *rings) (nodes []int, known bool) {
	v, e, ok := b.value("sources")
	if !ok {
		return nil, false
	}
	wanted := "a list of addresses, each a list of digits, highest dimension first"
	list, ok := l.elements(v, e, e.Range(), "sources", wanted)
	if !ok {
		return nil, false
	}
	if len(list) == 0 {
		l.errorAt(e.Range(), "No sources", "sources is empty: give at least one address, such as %s.", exampleAddress(r))
		return nil, false
	}
	for i, item := range list {
		nodes = append(nodes, l.address(item, fmt.Sprintf("sources[%d]", i), r))
	}
	return nodes, true
}

// exampleAddress is the address of node 0 as it is written in a description.
func exampleAddress(r *rings) string {
	n := 1
	if r.known {
		n = len(r.m)
	}
	s := "[0"
	for range n - 1 {
		s += ", 0"
	}
	return s + "]"
}

// address returns the node with the given address.
func (l *loader) address(item element, what string, r *rings) int {
	if item.value.Type() == cty.Number {
		l.errorAt(item.at, "Wrong type for "+what, "%s must be an address, a list of digits, highest dimension first, such as %s. Put the digit in brackets.", what, exampleAddress(r))
		return 0
	}
	list, ok := l.elements(item.value, item.expr, item.at, what, "an address, a list of digits, highest dimension first, such as "+exampleAddress(r))
	if !ok || !r.known {
		return 0
	}
	rank := len(r.m)
	if len(list) != rank {
		l.errorAt(item.at, "Wrong number of digits", "The address %s has %d digits, but the machine has %d dimensions: give one digit for each, highest dimension first, such as %s.",
			what, len(list), rank, exampleAddress(r))
		return 0
	}
	digits := make([]int, rank)
	for j, d := range list {
		ring := r.m[rank-1-j]
		limit := bounds{0, MaxRing - 1, ""}
		if ring.m > 0 {
			limit = bounds{0, int64(ring.m - 1), fmt.Sprintf("dimension %q has m = %d", ring.name, ring.m)}
		}
		x, valid := l.integer(d.value, d.at, fmt.Sprintf("%s[%d]", what, j), limit)
		digits[j] = int(x)
		ok = ok && valid
	}
	if !ok || r.graph == nil {
		return 0
	}
	node, err := r.graph.Node(digits...)
	if err != nil {
		// every digit was checked above, so this is a fault of the program
		panic(fmt.Sprintf("machine: hypercycle rejects a checked address: %v", err))
	}
	return node
}

// times reads the cycles of n broadcasts: a list, or one number for all.
// cycles is 0 if the length of the trace is not known.
func (l *loader) times(b *block, n int, known bool, cycles int) ([]int, bool) {
	times := make([]int, n)
	if b.Attributes["at"] == nil {
		return times, true
	}
	v, e, ok := b.value("at")
	if !ok {
		return nil, false
	}
	limit := bounds{0, MaxCycles - 1, ""}
	if cycles > 0 {
		limit = bounds{0, int64(cycles - 1), fmt.Sprintf("the trace has %d cycles", cycles)}
	}
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
		l.errorAt(e.Range(), "Lists of different length", "at has %d elements, but there are %d sources: give one cycle for each, or a single number for all.", len(list), n)
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
