// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Flaws of the queue of a link input, each of the ports in a mask: what a router does wrong
// after its clock edge, from its state before.
var inputFlaws = map[string]func(b *Router, before control, port uint32){
	"a malformed message stays for a cycle": func(b *Router, before control, port uint32) {
		again := b.headerError & port &^ before.headerError
		b.headerError &^= again
	},
	"header_error in the cycle of the arrival": func(b *Router, _ control, port uint32) {
		b.headerError &^= port
		if i := b.inputs; i.taken&port != 0 && b.shape.bad(lowest(port), &i.coming[lowest(port)]) {
			b.headerError |= port
		}
	},
	"a malformed message is not counted": func(b *Router, _ control, port uint32) { b.headerError &^= port },
	"a malformed message is lost that comes behind another": func(b *Router, _ control, port uint32) {
		if i := b.inputs; i.heads.full&port != 0 && b.shape.bad(lowest(port), &i.behind[lowest(port)]) {
			i.heads.full &^= port
		}
	},
	"a message is lost that comes behind another": func(b *Router, _ control, port uint32) {
		if i := b.inputs; i.heads.full&port != 0 && i.taken&port != 0 {
			i.heads.full &^= port
		}
	},
	"the second message overtakes the first": func(b *Router, _ control, port uint32) {
		p := lowest(port)
		if i := b.inputs; i.heads.full&port != 0 && i.taken&port != 0 {
			i.from[p+1], i.behind[p] = i.behind[p], i.from[p+1]
			i.heads.set(b.shape, p, &i.from[p+1], 1)
		}
	},
	"the head keeps what the one before has made": func(b *Router, before control, port uint32) {
		b.delivered |= before.delivered & port
	},
	"what a message that leaves has made is kept": func(b *Router, _ control, port uint32) {
		if b.ready&port != 0 {
			b.delivered |= port
		}
	},
}

// acceptFlaws are flaws of when the link is ready.
var acceptFlaws = map[string]func(r *Router, ready uint32) uint32{
	"ready only if the queue is empty":               func(r *Router, ready uint32) uint32 { return ready &^ r.inputs.heads.valid },
	"ready if a slot gets free in this cycle":        func(r *Router, ready uint32) uint32 { return ready | r.ready },
	"ready only if the head leaves or there is none": func(r *Router, ready uint32) uint32 { return ready &^ (r.inputs.heads.valid &^ r.ready) },
}

// deliverFlaws are flaws of the delivery queue of a link.
var deliverFlaws = map[string]func(r *Router, asks, bad, made uint32) uint32{
	"into a slot that gets free in this cycle": func(r *Router, asks, bad, made uint32) uint32 {
		return made | asks&^bad&^r.localRoom&r.popLocal
	},
	"malformed messages are delivered":    func(r *Router, asks, bad, made uint32) uint32 { return made | asks&bad&r.localRoom },
	"only into an empty queue":            func(r *Router, _, _, made uint32) uint32 { return made &^ r.local },
	"only one in a cycle":                 func(_ *Router, _, _, made uint32) uint32 { return made & -made },
	"a malformed one goes before":         func(_ *Router, asks, bad, made uint32) uint32 { return made & (asks&bad - 1) },
	"only if all queues have a free slot": func(r *Router, _, _, made uint32) uint32 { return made & all(r.localRoom == 1<<r.shape.degree-1) },
	"not while a copy is missing":         func(r *Router, _, _, made uint32) uint32 { return made &^ (r.group[0].made >> 1) },
}

// Wrong rules of link inputs and deliveries must show, of the first link and the last.
func TestRouterTraceShowsFlawsOfLinkInputsAndDeliveries(t *testing.T) {
	t.Parallel()
	tried := 0
	for i, r := range mutated {
		p := newPlan(t, r, variants[3].options...)
		check := func(port int, name string, m mutant) {
			tried++
			assert.Less(t, firstDifference(p, m), traceLength(p), "%v: link %d: %s", r, port, name)
		}
		for port := range p.Degree {
			if port > 0 && port < p.Degree-1 || i > 5 && port > 0 {
				continue
			}
			bit := uint32(1) << port
			for _, name := range slices.Sorted(maps.Keys(inputFlaws)) {
				if q := p.Ports[port]; name == "the head keeps what the one before has made" && q.Dimension == 1 && q.D == 1 {
					continue // it has been delivered and leaves
				}
				wrong := inputFlaws[name]
				check(port, name, mutant{after: func(b *Router, before control) { wrong(b, before, bit) }})
			}
			for _, name := range slices.Sorted(maps.Keys(acceptFlaws)) {
				wrong := acceptFlaws[name]
				check(port, name, mutant{reset: func(b *Router) {
					b.shape.rule.accept = func(r *Router, ready uint32) uint32 { return ready&^bit | wrong(r, ready)&bit }
				}})
			}
			for _, name := range slices.Sorted(maps.Keys(deliverFlaws)) {
				if p.Degree == 1 && (name == "only one in a cycle" || name == "a malformed one goes before" || name == "only if all queues have a free slot") {
					continue
				}
				if port == 0 && (name == "only one in a cycle" || name == "a malformed one goes before") || name == "not while a copy is missing" && p.Ports[port].Dimension == 1 {
					continue // of which it makes no difference
				}
				wrong := deliverFlaws[name]
				check(port, name, mutant{reset: func(b *Router) {
					b.shape.rule.deliver = func(r *Router, asks, bad, made uint32) uint32 {
						return made&^bit | wrong(r, asks, bad, made)&bit
					}
				}})
			}
		}
	}
	assert.Greater(t, tried, 200)
}
