// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"math"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/fpga"
)

// machine reads the whole description. What it returns is valid only if no
// error has been recorded.
func (l *loader) machine(root hcl.Body) *Machine {
	before := len(l.diags)
	b := l.content(&hcl.Block{Type: rootBlock, Body: root})
	m := &Machine{Destination: true, Last: true} // an unknown option forbids nothing
	l.m, l.rings = m, &rings{}
	if mb := b.first("machine"); mb != nil {
		l.machineBlock(mb, m)
	} else if !mentions(l.diags[before:], "machine") {
		l.errorAt(b.MissingItemRange, "No machine", "The description needs one block: machine \"name\" { dimension \"x\" { ... } }.")
	}
	l.trafficBlocks(b.Blocks.OfType("traffic"), m)
	l.synthesisBlocks(b.Blocks.OfType("synthesis"), m)
	l.collectiveTargets(m)
	if l.diags.HasErrors() {
		return nil
	}
	if len(m.Traffic) == 0 && !m.NoRouters {
		m.Traffic = m.defaultTraffic()
	}
	if len(m.Synthesis) == 0 {
		m.Synthesis = append(m.Synthesis, l.synthesis(empty("synthesis"), fpga.Families[0].Device))
	}
	m.Hash = m.hash()
	return m
}

// mentions reports whether a diagnostic is about the given block type.
func mentions(diags hcl.Diagnostics, blockType string) bool {
	for _, d := range diags {
		if strings.Contains(d.Summary, blockType) || strings.Contains(d.Detail, blockType) {
			return true
		}
	}
	return false
}

// rings holds the dimensions as far as they are known, valid or not, for the
// checks of the other blocks.
type rings struct {
	known bool   // all dimension blocks were found
	m     []ring // one per block, dimension 1 first
	graph *hypercycle.Graph
}

// ring is one dimension block.
type ring struct {
	name       string
	m, rho     int // 0 if wrong
	mAt, rhoAt hcl.Range

	link                   Link
	kindAt                 hcl.Range // of the link, as the others
	registersAt, silenceAt hcl.Range
	timed                  bool // flight, silence and word_bits are right
}

func (l *loader) machineBlock(hb *hcl.Block, m *Machine) {
	m.Name = hb.Labels[0]
	l.identifier("machine", m.Name, hb.LabelRanges[0])
	b := l.content(hb)
	b.decode(m, nil)
	l.rings = l.dimensions(b, hb.LabelRanges[0], m)
	l.graph(l.rings, m)
	l.message(b, m)
	l.endpoint(b, l.router(b, m), hb.LabelRanges[0], m)
	l.collectives(b, m)
	l.legalLinks(hb.LabelRanges[0], m)
	switch {
	case m.NoRouters:
		l.withoutRouters(b, m)
	case m.Endpoint == nil: // which has checks of its own
		l.network(b, hb.LabelRanges[0], m)
	}
}

// dimensions reads the dimension blocks.
func (l *loader) dimensions(b *block, machine hcl.Range, m *Machine) *rings {
	r := &rings{known: b.ok || len(b.Blocks.OfType("dimension")) > 0 && !l.missingDimensions(b)}
	names := l.names("dimension", false)
	for _, hb := range b.Blocks.OfType("dimension") {
		name, _ := names.take(hb)
		dimension := Dimension{Name: name}
		d := l.content(hb)
		d.decode(&dimension, narrower{"rho": func() kind {
			half := dimension.M / 2
			if half == 0 {
				return nil
			}
			return bounds{lo: 1, hi: int64(half), why: fmt.Sprintf("it must lie between 1 and floor(m/2) = %d, half the ring of m = %d nodes", half, dimension.M)}
		}})
		found := ring{name: name, m: dimension.M, rho: dimension.Rho, mAt: d.at("m"), rhoAt: d.at("rho")}
		if lb := d.first("link"); lb != nil {
			link := l.content(lb)
			link.decode(&dimension.Link, nil)
			found.link = dimension.Link
			found.kindAt, found.registersAt, found.silenceAt = link.at("kind"), link.at("registers"), link.at("silence")
			if !link.given("silence") {
				found.silenceAt = link.at("flight")
			}
			found.timed = link.right("flight") && link.right("silence") && link.right("word_bits")
			if link.right("kind") {
				l.linkOfItsKind(link, dimension.Link)
			}
		}
		r.m = append(r.m, found)
		m.Dimensions = append(m.Dimensions, dimension)
	}
	if len(r.m) == 0 && r.known {
		l.errorAt(machine, "No dimension", "A machine needs at least one dimension block, with m and rho.")
		r.known = false
	}
	return r
}

// linkOfItsKind reports what links of the kind do not have.
func (l *loader) linkOfItsKind(b *block, link Link) {
	if link.Kind != Wires {
		b.without(withWires, func(name string) string {
			return fmt.Sprintf("Links between %s have a queue and no %s: remove the line, or write kind = %q.", link.Kind, name, linkKinds[Wires])
		})
	}
	if link.Kind != Chips {
		b.without(withChips, func(name string) string {
			return fmt.Sprintf("Only cables between chips have %s, but the kind of these links is %q: remove the line, or write kind = %q.", name, link.Kind, linkKinds[Chips])
		})
	}
}

// legalLinks reports links with registers, between clocks or between chips of a machine that cannot have them.
func (l *loader) legalLinks(machine hcl.Range, m *Machine) {
	for _, ring := range l.rings.m {
		switch kind := ring.link.Kind; {
		case kind == Clocks && m.Programmable != nil:
			l.errorAt(ring.kindAt, "Clocks of programmable routers",
				"kind is %q, but programmable routers have a pace for links without latency, and one configuration bus on one clock: remove the link block, or write kind = %q in the router block.",
				kind, kindSpecialized)
		case kind == Clocks && len(m.Collectives) > 0:
			l.errorAt(ring.kindAt, "Clocks of a collective network",
				"kind is %q, but all nodes carry out the steps of collective %q in the same cycles: remove the link block, or move the collective block to a description without clocks.",
				kind, m.Collectives[0].Name)
		case kind == Chips && m.Programmable != nil:
			l.errorAt(ring.kindAt, "Chips of programmable routers",
				"kind is %q, but programmable routers have a pace for links without latency, and one configuration bus for all nodes: remove the link block, or write kind = %q in the router block.",
				kind, kindSpecialized)
		case kind == Chips && len(m.Collectives) > 0:
			l.errorAt(ring.kindAt, "Chips of a collective network",
				"kind is %q, but all nodes carry out the steps of collective %q in the same cycles, and a word that a cable repeats comes late: remove the link block, or move the collective block to a description without chips.",
				kind, m.Collectives[0].Name)
		case kind == Chips:
			l.legalChips(ring, m)
		case ring.link.Registers > 0 && m.Programmable != nil:
			l.errorAt(ring.registersAt, "Registers on links of programmable routers",
				"registers is %d, but programmable routers have a pace for links without registers: remove the line, or write kind = %q in the router block.",
				ring.link.Registers, kindSpecialized)
		}
	}
	if m.Chips() {
		l.sizeOfChips(machine, m)
	}
}

// legalChips reports a silence that is shorter than a round trip, and a dimension with links between chips beside one with links
// between clocks.
func (l *loader) legalChips(chips ring, m *Machine) {
	if link := chips.link; chips.timed {
		if least := 2*link.Flight + max(MinSilence, 2*(link.largestFrame(m.PayloadBits)+CableStates)); link.Silence < least {
			l.errorAt(chips.silenceAt, "silence is too short for the flight",
				"silence is %d, but flight is %d, and an end that is reset must outlast a round trip with its frames: write silence = %d or more.",
				link.Silence, link.Flight, least)
		}
	}
	for _, other := range l.rings.m {
		if other.link.Kind == Clocks {
			l.errorAt(chips.kindAt, "Chips and clocks in one machine",
				"kind is %q, but the links of dimension %q are between clocks (line %d), and all nodes of a chip have one clock: write kind = %q there, or kind = %q here.",
				Chips, other.name, other.kindAt.Start.Line, Wires, Clocks)
			return
		}
	}
}

// sizeOfChips checks the ports and nodes of a chip.
func (l *loader) sizeOfChips(machine hcl.Range, m *Machine) {
	if m.Graph == nil {
		return
	}
	if n := m.Graph.Degree(); n > MaxChipDegree {
		l.errorAt(machine, "Degree too large for chips",
			"A router has %d ports, but with links between chips it has at most %d, because the ends of a cable exchange their ports in 4 bits: lower rho, or remove dimensions.", n, MaxChipDegree)
	}
	places := 1
	for _, d := range m.Dimensions {
		if d.Link.Kind != Chips {
			places *= d.M
		}
	}
	if places > MaxNetworkNodes {
		l.errorAt(machine, "Chip too large",
			"A chip is limited to %d nodes, but one of this machine has %d, the product of m of all dimensions whose links are not between chips: give another dimension links between chips, or lower m.", MaxNetworkNodes, places)
	}
}

// missingDimensions reports whether a mistake in the machine block may have
// hidden a dimension.
func (l *loader) missingDimensions(b *block) bool {
	if b.ok {
		return false
	}
	return mentions(l.diags, "dimension") || mentions(l.diags, "dynamic") || mentions(l.diags, "for_each")
}

// graph checks N and the degree. Wrong dimensions are left out: if the rest is
// too large, so is the whole.
func (l *loader) graph(r *rings, m *Machine) {
	nodes, degree := 1, 0
	var parts []string
	tooLarge, incomplete := false, !r.known
	var over *ring
	dims := make([]hypercycle.Dimension, len(r.m))
	for i := range r.m {
		ring := &r.m[i]
		if ring.m == 0 || ring.rho == 0 {
			incomplete = true
			continue
		}
		dims[i] = hypercycle.Dimension{M: ring.m, Rho: ring.rho}
		if nodes > math.MaxInt32/ring.m && !tooLarge {
			l.errorAt(ring.mAt, "Too many nodes",
				"With dimension %q the machine has more than 2^31 - 1 nodes, the product of all m. Lower m or remove dimensions.", ring.name)
			tooLarge = true
		}
		if !tooLarge {
			nodes *= ring.m
		}
		d := dims[i].Degree()
		degree += d
		parts = append(parts, fmt.Sprintf("%q (m = %d, rho = %d) has %d", ring.name, ring.m, ring.rho, d))
		if degree > hypercycle.MaxDegree && over == nil {
			over = ring
		}
	}
	if over != nil {
		const most = 8
		if len(parts) > most {
			parts = append(parts[:most], fmt.Sprintf("and so on, %d dimensions in all", len(dims)))
		}
		l.errorAt(over.rhoAt, "Degree too large",
			"A router has at most %d ports, but this one has %d: %s. Lower rho or remove dimensions.",
			hypercycle.MaxDegree, degree, strings.Join(parts, ", "))
	}
	if over != nil || tooLarge || incomplete {
		return
	}
	g, err := hypercycle.New(dims...)
	if err != nil {
		// every value was checked above, so this is a fault of the program
		panic(fmt.Sprintf("machine: hypercycle rejects a checked machine: %v", err))
	}
	r.graph, m.Graph = g, g
}

// message reads the message block.
// In a block with a mistake, an option counts as set if it may be meant, so that
// attributes that need it are not reported too.
func (l *loader) message(b *block, m *Machine) {
	c := b.options("message")
	c.decode(m, nil)
	option := func(name string, on bool) bool { return on || !c.ok && !c.given(name) }
	m.Destination, m.Last = option("destination", m.Destination), option("last", m.Last)
	if m.Scope && !m.Destination {
		l.errorAt(c.at("deliver_destination"), "deliver_destination without a destination",
			"deliver_destination is true, but every message is a broadcast: write destination = true, or remove the line.")
	}
}

// router reads the router block.
func (l *loader) router(b *block, m *Machine) *block {
	c := b.options("router")
	c.decode(m, nil)
	switch {
	case !c.right("kind"):
	case m.Programmable != nil:
		l.programmable(c, b.Blocks.OfType("dimension"), m)
	default:
		c.without(withProgrammable, func(name string) string {
			return fmt.Sprintf("Only a programmable router has %s, but the kind of this one is %q: remove the line, or write kind = %q.", name, kindSpecialized, kindProgrammable)
		})
	}
	return c
}

// network checks the network attributes and decides the default of the first.
func (l *loader) network(b *block, machine hcl.Range, m *Machine) {
	ok := b.right("network")
	if m.NodeErrors && ok && !m.Network {
		l.errorAt(b.at("node_errors"), "Errors of nodes without a network",
			"node_errors is true, but only the network has the errors of each node, and network is false: remove one of the lines.")
	}
	if !ok || !m.Network || m.Graph == nil || m.Graph.Nodes() <= MaxNetworkNodes {
		return
	}
	n := m.Graph.Nodes()
	if b.given("network") {
		l.errorAt(b.at("network"), "Network too large",
			"A network is limited to %d nodes, but this machine has %d. Set network = false to generate only the router.", MaxNetworkNodes, n)
		return
	}
	m.Network, m.NodeErrors = false, false
	chip := ""
	if m.Chips() {
		chip = " and that of a chip"
	}
	l.diags = append(l.diags, &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "No network top",
		Detail: fmt.Sprintf("The machine has %d nodes, and a network is limited to %d: only the router%s is generated. "+
			"Write network = false in the machine block to confirm this.", n, MaxNetworkNodes, chip),
		Subject: &machine,
	})
}
