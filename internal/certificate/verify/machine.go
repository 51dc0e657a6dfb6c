// SPDX-License-Identifier: Apache-2.0

package verify

import "fmt"

// Limits of a machine, as in descriptions.
const (
	maxNodes  = 1<<31 - 1
	maxRing   = 1 << 16
	maxDegree = 30

	minHopSlots = 2 // fifo_depth
	maxHopSlots = 16
)

// register is the number of slots of a register.
const register = 1

// parameters are the parameters of the machine in a certificate.
type parameters struct {
	name       string
	preference string
	nodes      int
	hopSlots   int    // fifo_depth
	stages     int    // cycles per hop
	delivery   string // merged, or per_port
	dims       []ring // dimension 1 first

	destination bool // messages have destinations
}

// inputSlots is the number of slots of a link input. With one stage fifo_depth counts an output
// register and the slots of an input. With two stages an input has one slot more.
func (p *parameters) inputSlots() int {
	if p.stages == 2 {
		return p.hopSlots
	}
	return p.hopSlots - register
}

type ring struct{ m, rho int }

// diameter is the largest number of steps of a message in the ring: half of the ring, over
// links of length rho.
func (r ring) diameter() int { return (r.m/2 + r.rho - 1) / r.rho }

// served is the number of nodes that a broadcast reaches clockwise and
// counterclockwise of its source.
func (r ring) served(preference string) (clockwise, counterclockwise int) {
	preferred := r.diameter() * r.rho
	switch preference {
	case "clockwise":
		return preferred, r.m - 1 - preferred
	case "counterclockwise":
		return r.m - 1 - preferred, preferred
	}
	return r.m / 2, r.m - 1 - r.m/2 // balanced
}

// resource is a register, the slots of a link input, a group or the local input of a router.
type resource struct {
	kind      string
	dimension int
	direction string
	distance  int
	depth     int
}

// edge means that the holder of one resource may wait for another.
type edge struct{ from, to, at, rule string }

// port is a link of a router.
type port struct {
	dimension int // 1..r
	direction int // +1 or -1
	distance  int
}

// expected is what the certificate of a machine must list.
type expected struct {
	resources map[string]resource
	names     []string // of the resources, in the order of the documentation
	edges     map[edge]bool
	list      []edge
}

// ports lists the links of a router: dimension by dimension, clockwise by distance, then
// counterclockwise. Half way round a ring there is only the clockwise port.
func (p *parameters) ports() (all []port) {
	for i, r := range p.dims {
		for _, direction := range []int{+1, -1} {
			for x := 1; x <= r.rho; x++ {
				if direction > 0 || 2*x < r.m {
					all = append(all, port{i + 1, direction, x})
				}
			}
		}
	}
	return all
}

// other is the port at the other end of the link; half way round a ring it is the port itself.
func (p *parameters) other(q port) port {
	if 2*q.distance == p.dims[q.dimension-1].m {
		return q
	}
	return port{q.dimension, -q.direction, q.distance}
}

// expect computes the resources and the edges of the machine.
func (p *parameters) expect() *expected {
	e := &expected{resources: map[string]resource{}, edges: map[edge]bool{}}
	resources := func(name string, r resource) {
		e.resources[name] = r
		e.names = append(e.names, name)
	}
	edges := func(from, to, at, rule string) {
		k := edge{from, to, at, rule}
		e.edges[k] = true
		e.list = append(e.list, k)
	}
	number := map[port]int{}
	ports := p.ports()
	for i, q := range ports {
		number[q] = i
	}
	name := func(q port) string { return fmt.Sprintf("port %d", number[q]) }
	group := func(dimension int) string { return fmt.Sprintf("group %d", dimension) }
	way := map[int]string{+1: "clockwise", -1: "counterclockwise"}

	if p.delivery == "merged" {
		resources("delivery", resource{kind: "delivery", depth: register})
	}
	for _, q := range ports {
		r := p.dims[q.dimension-1]
		goesOn := r.diameter() >= 2 // a message may have steps left in this dimension
		isRing := goesOn && q.distance == r.rho
		isEntered := p.entered(q)
		// the input of the next node that the port leads to, and its delivery register
		far := p.other(q)
		input := fmt.Sprintf("input %d", number[far])
		switch {
		case isRing:
			resources(name(q), resource{"ring", q.dimension, way[q.direction], q.distance, register})
			edges(name(q), input, "neighbor", "pass")
		case isEntered:
			resources(name(q), resource{"entry", q.dimension, way[q.direction], q.distance, register})
			edges(name(q), input, "neighbor", "send")
		default:
			continue // no message uses this port
		}
		if isEntered {
			edges(group(q.dimension), name(q), "node", "enter")
		}
		resources(input, resource{"input", far.dimension, way[far.direction], far.distance, p.inputSlots()})
		delivery := "delivery"
		if p.delivery == "per_port" {
			delivery = fmt.Sprintf("delivery %d", number[far])
			resources(delivery, resource{"delivery", far.dimension, way[far.direction], far.distance, register})
		}
		edges(input, delivery, "node", "deliver")
		for j := 1; j < q.dimension; j++ {
			edges(input, group(j), "node", "ask")
		}
		switch onward := (port{q.dimension, q.direction, r.rho}); {
		case isRing:
			edges(input, name(q), "node", "continue")
		case goesOn:
			edges(input, name(onward), "node", "transfer")
		}
	}
	for i := range p.dims {
		resources(group(i+1), resource{kind: "group", dimension: i + 1})
		edges("local", group(i+1), "node", "ask")
	}
	resources("local", resource{kind: "local"})
	return e
}

// entered reports whether messages enter their dimension on a port. Broadcasts do if a first step of
// its distance stays within the nodes served in its direction. With destinations every port can begin
// the shortest way to a digit: that of the node at its distance.
func (p *parameters) entered(q port) bool {
	if p.destination {
		return true
	}
	r := p.dims[q.dimension-1]
	clockwise, counterclockwise := r.served(p.preference)
	if 2*q.distance == r.m { // the way half round serves both
		return q.distance <= max(clockwise, counterclockwise)
	}
	if q.direction > 0 {
		return q.distance <= clockwise
	}
	return q.distance <= counterclockwise
}
