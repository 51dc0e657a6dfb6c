// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// Kinds of router.
const (
	kindSpecialized  = "specialized"
	kindProgrammable = "programmable"
)

// Configuration buses of a programmable router.
const (
	Wishbone = "wishbone" // Wishbone B4 classic
	AXI4Lite = "axi4lite"
)

// Legal ranges of the build-time limits of a programmable router. The largest values are the
// defaults and those of the paper's prototype.
const (
	MostDimensions = 4  // 1 or more
	LeastRing      = 2  // of max_nodes
	MostRing       = 15 // of max_nodes
	MostDegree     = 16 // 1 or more
)

// Programmable holds the build-time parameters of a programmable router. The machine of the
// description, with which the benches configure the router, is within the limits.
type Programmable struct {
	Bus           string // Wishbone or AXI4Lite
	MaxDimensions int    // 1..MostDimensions
	MaxNodes      int    // of a dimension, LeastRing..MostRing
	MaxDegree     int    // ports of the router, 1..MostDegree
}

// Kind returns the value of the attribute kind.
func (m *Machine) Kind() string {
	if m.Programmable != nil {
		return kindProgrammable
	}
	return kindSpecialized
}

// setKind makes the router programmable or not.
func (m *Machine) setKind(kind string) {
	m.Programmable = nil
	if kind == kindProgrammable {
		m.Programmable = &Programmable{}
	}
}

// programmable reads the build-time parameters of a programmable router, and checks the machine against them. A wrong
// limit keeps its default.
func (l *loader) programmable(b *block, dimensions hcl.Blocks, m *Machine) {
	p := m.Programmable
	p.MaxDimensions, p.MaxNodes = MostDimensions, MostRing
	b.decode(p, nil)
	// a ring whose nodes are all linked has the most ports
	usable := min(MostDegree, p.MaxDimensions*(p.MaxNodes-1))
	if !b.given("max_degree") || !b.right("max_degree") {
		p.MaxDegree = usable
	}
	fits := true
	if b.given("max_degree") && b.right("max_dimensions") && b.right("max_nodes") && b.right("max_degree") {
		fits = l.usableDegree(b.at("max_degree"), p, usable)
	}
	for _, fixed := range []struct {
		name   string
		other  bool // the value differs from that of programmable routers
		detail string
	}{
		{"fifo_depth", m.FIFODepth > MinFIFODepth, fmt.Sprintf("fifo_depth is %d, but a hop between programmable routers has %d slots: remove the line.", m.FIFODepth, MinFIFODepth)},
		{"stages", m.Stages > MinStages, fmt.Sprintf("stages is %d, but a hop between programmable routers takes one cycle: remove the line, or write kind = %q.", m.Stages, kindSpecialized)},
		{"delivery", m.Delivery != Merged, fmt.Sprintf("delivery is %q, but a programmable router has one stream of deliveries: remove the line, or write kind = %q.", m.Delivery, kindSpecialized)},
		{"barrier", m.Barrier, fmt.Sprintf("barrier is true, but it is not available with programmable routers: remove the line, or write kind = %q.", kindSpecialized)},
	} {
		if fixed.other {
			l.errorAt(b.at(fixed.name), fixed.name+" of a programmable router", "%s", fixed.detail)
		}
	}
	if m.Scope {
		l.errorAt(b.at("kind"), "deliver_destination of a programmable router",
			"kind is %q, but the message block has deliver_destination = true, which is not available with programmable routers: remove it, or write kind = %q.", kindProgrammable, kindSpecialized)
	}
	l.withinLimits(p, dimensions, l.rings, fits)
}

// usableDegree checks that each limit can be reached by some machine.
func (l *loader) usableDegree(at hcl.Range, p *Programmable, usable int) bool {
	const summary = "max_degree does not fit the other limits"
	switch {
	case p.MaxDegree > usable:
		l.errorAt(at, summary, "max_degree is %d, but no machine within max_dimensions = %d and max_nodes = %d has more than %d ports: give %d, or less, or remove the line.",
			p.MaxDegree, p.MaxDimensions, p.MaxNodes, usable, usable)
	case p.MaxDegree < p.MaxDimensions:
		l.errorAt(at, summary, "max_degree is %d, but max_dimensions is %d, and each dimension takes a port at least: give %d or more, or lower max_dimensions.",
			p.MaxDegree, p.MaxDimensions, p.MaxDimensions)
	case p.MaxDegree < 2 && p.MaxNodes > 2:
		l.errorAt(at, summary, "max_degree is %d, but max_nodes is %d, and a ring of 3 nodes or more takes 2 ports at least: give 2 or more, or write max_nodes = 2.",
			p.MaxDegree, p.MaxNodes)
	default:
		return true
	}
	return false
}

// withinLimits checks the machine of the description against the limits, and reports the values
// that exceed them. It checks the degree only if everything else, including the limits, is right.
func (l *loader) withinLimits(p *Programmable, dimensions hcl.Blocks, r *rings, fine bool) {
	if len(r.m) > p.MaxDimensions {
		fine = false
		l.errorAt(dimensions[p.MaxDimensions].DefRange, "Too many dimensions", "This is dimension %d, but %s remove dimensions.",
			p.MaxDimensions+1, builtWith("max_dimensions", p.MaxDimensions, MostDimensions))
	}
	for _, ring := range r.m {
		fine = fine && ring.m > 0 && ring.rho > 0
		if ring.m > p.MaxNodes {
			fine = false
			l.errorAt(ring.mAt, "Ring too long", "m is %d, but %s lower m.", ring.m, builtWith("max_nodes", p.MaxNodes, MostRing))
		}
	}
	if !fine || r.graph == nil {
		return
	}
	degree := 0
	for i, ring := range r.m {
		if degree += r.graph.Dimension(i + 1).Degree(); degree > p.MaxDegree {
			l.errorAt(ring.rhoAt, "Too many ports", "With dimension %q the machine's routers have %d ports, but %s lower rho or remove dimensions.",
				ring.name, degree, builtWith("max_degree", p.MaxDegree, MostDegree))
			return
		}
	}
}

// builtWith names a limit and begins the advice of an error.
func builtWith(name string, limit, most int) string {
	if limit < most {
		return fmt.Sprintf("the programmable router is built with %s = %d: raise it, up to %d, or", name, limit, most)
	}
	return fmt.Sprintf("%s of a programmable router is at most %d: write kind = %q, or", name, most, kindSpecialized)
}
