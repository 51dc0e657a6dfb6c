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

// Build-time limits of a programmable router: their legal range. The largest values are the
// defaults, and those of the paper's prototype.
const (
	MostDimensions = 4  // 1 or more
	LeastRing      = 2  // of max_nodes
	MostRing       = 15 // of max_nodes
	MostDegree     = 16 // 1 or more
)

// Programmable holds the build-time parameters of a programmable router. The machine of the
// description, as which the benches configure it, is within the limits.
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

// kind reads the kind of the router and what belongs to it.
func (l *loader) kind(b *block, dimensions hcl.Blocks, r *rings, m *Machine) {
	kind, ok := b.oneOf("kind")
	switch {
	case !ok:
	case kind == kindProgrammable:
		p, usable := l.programmable(b, m)
		m.Programmable = p
		if m.Scope {
			l.errorAt(b.Attributes["kind"].Expr.Range(), "deliver_destination of a programmable router",
				"kind is %q, but the message block has deliver_destination = true, which is not available with programmable routers: remove it, or write kind = %q.", kindProgrammable, kindSpecialized)
		}
		l.withinLimits(p, dimensions, r, usable)
	default:
		b.without(withProgrammable, func(name string) string {
			return fmt.Sprintf("Only a programmable router has %s, but the kind of this one is %q: remove the line, or write kind = %q.", name, kindSpecialized, kindProgrammable)
		})
	}
}

// programmable reads what a programmable router is built with. A limit that is wrong
// is left at its default; ok is false if the limits do not fit each other.
func (l *loader) programmable(b *block, m *Machine) (p *Programmable, ok bool) {
	p, ok = &Programmable{}, true
	p.Bus, _ = b.oneOf("config_bus")
	limit := func(name string, otherwise int) (int, bool) {
		n, ok := b.integer(name)
		if !ok || !b.given(name) {
			n = otherwise
		}
		return n, ok
	}
	var dimensionsOK, nodesOK, degreeOK bool
	p.MaxDimensions, dimensionsOK = limit("max_dimensions", MostDimensions)
	p.MaxNodes, nodesOK = limit("max_nodes", MostRing)
	// a ring whose nodes are all linked has the most ports
	usable := min(MostDegree, p.MaxDimensions*(p.MaxNodes-1))
	p.MaxDegree, degreeOK = limit("max_degree", usable)
	if a := b.Attributes["max_degree"]; a != nil && dimensionsOK && nodesOK && degreeOK {
		ok = l.usableDegree(a.Expr.Range(), p, usable)
	}
	for _, fixed := range []struct {
		name   string
		other  bool // than the default, which a programmable router has
		detail string
	}{
		{"fifo_depth", m.FIFODepth > MinFIFODepth, fmt.Sprintf("fifo_depth is %d, but a hop between programmable routers has %d slots: remove the line.", m.FIFODepth, MinFIFODepth)},
		{"stages", m.Stages > MinStages, fmt.Sprintf("stages is %d, but a hop between programmable routers takes one cycle: remove the line, or write kind = %q.", m.Stages, kindSpecialized)},
		{"delivery", m.Delivery != Merged, fmt.Sprintf("delivery is %q, but a programmable router has one stream of deliveries: remove the line, or write kind = %q.", m.Delivery, kindSpecialized)},
		{"barrier", m.Barrier, fmt.Sprintf("barrier is true, but it is not available with programmable routers: remove the line, or write kind = %q.", kindSpecialized)},
	} {
		if fixed.other {
			l.errorAt(b.Attributes[fixed.name].Expr.Range(), fixed.name+" of a programmable router", "%s", fixed.detail)
		}
	}
	return p, ok
}

// usableDegree checks that some machine can use each limit to the full.
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

// withinLimits checks the machine of the description against the limits, at the values
// that exceed them. Degrees are counted only if nothing else is wrong, the limits included.
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

// builtWith names a limit and begins to say what to do.
func builtWith(name string, limit, most int) string {
	if limit < most {
		return fmt.Sprintf("the programmable router is built with %s = %d: raise it, up to %d, or", name, limit, most)
	}
	return fmt.Sprintf("%s of a programmable router is at most %d: write kind = %q, or", name, most, kindSpecialized)
}
