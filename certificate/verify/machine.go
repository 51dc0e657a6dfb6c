// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"fmt"
	"strings"
)

// Limits of a machine, those of a description.
const (
	maxNodes  = 1<<31 - 1
	maxRing   = 1 << 16
	maxDegree = 16

	minQueueDepth = 2
	maxQueueDepth = 16
)

// What docs/architecture.md says of the router.
const (
	ringDepth     = 2 // slots of a ring port in its ring
	waitingDepth  = 1 // and its slot for a message that enters
	continueSlots = 1
	joinSlots     = 2 // so that one stays free
	otherSlots    = 1
	inputDepth    = 2 // slots of the queue of a link input
)

// parameters are what a certificate says of its machine.
type parameters struct {
	name       string
	preference string
	nodes      int
	queueDepth int    // slots of every queue that is not a ring port's or a link input's
	stages     int    // 2 if link inputs have queues, else 1
	delivery   string // merged, or per_port
	dims       []ring // dimension 1 first
}

type ring struct{ m, rho int }

// diameter is the most steps that a message goes in the ring: half of it, by links
// of length rho.
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

// resource is a queue, waiting slot, group or local input of a router.
type resource struct {
	kind      string
	dimension int
	direction string
	distance  int
	depth     int
}

// edge is that the holder of one resource may wait for another.
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
	names     []string     // of the resources, in the order of the documentation
	edges     map[edge]int // slots
	list      []edge
}

// ports lists the links of a router: dimension by dimension, clockwise by distance,
// then counterclockwise; half way round a ring both are one, the clockwise one.
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

// other is the same link at its other end: half way round a ring one port is both.
func (p *parameters) other(q port) port {
	if 2*q.distance == p.dims[q.dimension-1].m {
		return q
	}
	return port{q.dimension, -q.direction, q.distance}
}

// expect works out what waits for what in the routers of the machine.
func (p *parameters) expect() *expected {
	e := &expected{resources: map[string]resource{}, edges: map[edge]int{}}
	resources := func(name string, r resource) {
		e.resources[name] = r
		e.names = append(e.names, name)
	}
	edges := func(from, to, at, rule string, slots int) {
		k := edge{from, to, at, rule}
		e.edges[k] = slots
		e.list = append(e.list, k)
	}
	names := map[port]string{}
	ports := p.ports()
	for i, q := range ports {
		names[q] = fmt.Sprintf("port %d", i)
	}
	waiting := map[port]string{} // of ring ports
	for i, q := range ports {
		waiting[q] = fmt.Sprintf("waiting %d", i)
	}
	group := func(dimension int) string { return fmt.Sprintf("group %d", dimension) }

	if p.delivery == "merged" {
		resources("delivery", resource{kind: "delivery", depth: p.queueDepth})
	}
	for _, q := range ports {
		name, r := names[q], p.dims[q.dimension-1]
		goesOn := r.diameter() >= 2 // a message may have further to go in this dimension
		isRing := goesOn && q.distance == r.rho
		isEntered := p.entered(q)
		direction := map[int]string{+1: "clockwise", -1: "counterclockwise"}[q.direction]
		switch {
		case isRing:
			resources(name, resource{"ring", q.dimension, direction, q.distance, ringDepth})
			resources(waiting[q], resource{"waiting", q.dimension, direction, q.distance, waitingDepth})
			edges(waiting[q], name, "node", "join", joinSlots)
		case isEntered:
			resources(name, resource{"entry", q.dimension, direction, q.distance, p.queueDepth})
		default:
			continue // no message is ever put on it
		}
		if isEntered {
			first := name // where the message is put
			if isRing {
				first = waiting[q]
			}
			edges(group(q.dimension), first, "node", "enter", otherSlots)
		}
		// the message at its output, as the neighbour sees it, at once or through a queue
		far := p.other(q)
		farDirection := map[int]string{+1: "clockwise", -1: "counterclockwise"}[far.direction]
		number := strings.TrimPrefix(names[far], "port ")
		delivery := "delivery"
		if p.delivery == "per_port" {
			delivery += " " + number
			resources(delivery, resource{"delivery", far.dimension, farDirection, far.distance, p.queueDepth})
		}
		seen, at := name, "neighbor"
		if p.stages == 2 {
			seen, at = "input "+number, "node"
			resources(seen, resource{"input", far.dimension, farDirection, far.distance, inputDepth})
			if isRing {
				edges(name, seen, "neighbor", "pass", otherSlots)
			} else {
				edges(name, seen, "neighbor", "send", otherSlots)
			}
		}
		edges(seen, delivery, at, "deliver", otherSlots)
		for j := 1; j < q.dimension; j++ {
			edges(seen, group(j), at, "ask", 0)
		}
		switch onward := (port{q.dimension, q.direction, r.rho}); {
		case isRing:
			edges(seen, name, at, "continue", continueSlots)
		case goesOn:
			edges(seen, waiting[onward], at, "transfer", otherSlots)
		}
	}
	for i := range p.dims {
		resources(group(i+1), resource{kind: "group", dimension: i + 1})
		edges("local", group(i+1), "node", "ask", 0)
	}
	resources("local", resource{kind: "local"})
	return e
}

// entered reports whether messages enter their dimension by a port: whether a first
// step of its distance stays within the nodes served in its direction.
func (p *parameters) entered(q port) bool {
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
