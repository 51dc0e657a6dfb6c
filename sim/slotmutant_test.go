// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// takeWrongly is a flaw of the choice of what output slots take: it changes the right
// choice for the ports concerned, of which free are those with a free output slot.
type takeWrongly func(r *Router, free, on, in uint32) (uint32, uint32)

// writeWrongly is a flaw of the room for messages that enter or continue.
type writeWrongly func(r *Router, enterable, open uint32) (uint32, uint32)

// instead takes the ports of in away from those of on.
func instead(on, in, more uint32) (uint32, uint32) { return on &^ more, in | more }

// Ports by what is in the waiting slots: a message that was there before, or one
// written in this cycle.
func waitedOn(r *Router) uint32 { return r.waitsOn &^ r.continuing }
func waitedIn(r *Router) uint32 { return r.waitsIn &^ r.entering }
func cameOn(r *Router) uint32   { return r.waitsOn & r.continuing }
func cameIn(r *Router) uint32   { return r.waitsIn & r.entering }

// Flaws of ports that messages enter.
var takesInWrongly = map[string]takeWrongly{
	"takes the one that waits to enter before the one that waits to continue": func(r *Router, free, on, in uint32) (uint32, uint32) {
		return instead(on, in, free&waitedIn(r)&waitedOn(r))
	},
	"takes the one that enters before the one that waits to continue": func(r *Router, free, on, in uint32) (uint32, uint32) {
		return instead(on, in, free&cameIn(r)&waitedOn(r))
	},
	"takes the one that waits to enter before the one that continues": func(r *Router, free, on, in uint32) (uint32, uint32) {
		return instead(on, in, free&waitedIn(r)&cameOn(r))
	},
	"takes the one that enters before the one that continues": func(r *Router, free, on, in uint32) (uint32, uint32) {
		return instead(on, in, free&cameIn(r)&cameOn(r))
	},
	"takes the one that waits to enter although a malformed one asks to continue": func(r *Router, free, on, in uint32) (uint32, uint32) {
		return on, in | free&waitedIn(r)&^r.waitsOn
	},
	"takes the one that enters although a malformed one asks to continue": func(r *Router, free, on, in uint32) (uint32, uint32) {
		return on, in | free&cameIn(r)&^r.waitsOn
	},
	"the one that waits to enter does not follow at once": func(r *Router, _, on, in uint32) (uint32, uint32) {
		return on, in &^ (waitedIn(r) & r.valid)
	},
	"the one that enters does not follow at once": func(r *Router, _, on, in uint32) (uint32, uint32) {
		return on, in &^ (cameIn(r) & r.valid)
	},
	"the one that enters always waits first": func(r *Router, _, on, in uint32) (uint32, uint32) {
		return on, in &^ cameIn(r)
	},
	"the one that waits to enter is lost when one continues": func(r *Router, _, on, in uint32) (uint32, uint32) {
		r.waitsIn &^= on & waitedIn(r)
		return on, in
	},
	"the one that enters is lost when one continues": func(r *Router, _, on, in uint32) (uint32, uint32) {
		r.waitsIn &^= on & cameIn(r)
		return on, in
	},
	"the one that enters is lost if the output slot is not free": func(r *Router, free, on, in uint32) (uint32, uint32) {
		r.waitsIn &^= cameIn(r) &^ free
		return on, in
	},
	"the one that enters is lost if a malformed one asks to continue": func(r *Router, free, on, in uint32) (uint32, uint32) {
		r.waitsIn &^= cameIn(r) & free & r.asked &^ on
		return on, in
	},
	"the one that waits to enter is lost if a malformed one asks to continue": func(r *Router, free, on, in uint32) (uint32, uint32) {
		r.waitsIn &^= waitedIn(r) & free & r.asked &^ on
		return on, in
	},
}

var writesInWrongly = map[string]writeWrongly{
	"enters an occupied waiting slot":            func(r *Router, enterable, open uint32) (uint32, uint32) { return enterable | r.waitsIn, open },
	"does not enter while one asks to continue":  func(r *Router, enterable, open uint32) (uint32, uint32) { return enterable &^ r.asked, open },
	"does not enter while one waits to continue": func(r *Router, enterable, open uint32) (uint32, uint32) { return enterable &^ r.waitsOn, open },
	"enters only a port with a free output":      func(r *Router, enterable, open uint32) (uint32, uint32) { return enterable &^ r.valid, open },
	"does not continue while one waits to enter": func(r *Router, enterable, open uint32) (uint32, uint32) { return enterable, open &^ r.waitsIn },
	"both wait only if the other waiting slot is free": func(r *Router, enterable, open uint32) (uint32, uint32) {
		return enterable &^ (r.valid & r.waitsOn), open &^ (r.valid & r.waitsIn)
	},
}

// Flaws of all ring ports.
var takesOnWrongly = map[string]takeWrongly{
	"the one that waits to continue does not follow at once": func(r *Router, _, on, in uint32) (uint32, uint32) {
		return on &^ (waitedOn(r) & r.valid), in
	},
	"the one that continues does not follow at once": func(r *Router, _, on, in uint32) (uint32, uint32) {
		return on &^ (cameOn(r) & r.valid), in
	},
	"the one that continues always waits first": func(r *Router, _, on, in uint32) (uint32, uint32) {
		return on &^ cameOn(r), in
	},
	"the one that continues is lost if the output slot is not free": func(r *Router, free, on, in uint32) (uint32, uint32) {
		r.waitsOn &^= cameOn(r) &^ free
		return on, in
	},
}

var writesOnWrongly = map[string]writeWrongly{
	"continues into an occupied waiting slot":       func(r *Router, enterable, open uint32) (uint32, uint32) { return enterable, open | r.waitsOn },
	"continues only into a port with a free output": func(r *Router, enterable, open uint32) (uint32, uint32) { return enterable, open &^ r.valid },
}

// right is the choice of a router without a flaw.
func right(r *Router, free uint32) (on, in uint32) {
	return free & r.waitsOn, free & r.waitsIn &^ (r.waitsOn | r.asked)
}

// Wrong rules of any ring port must show.
func TestRouterTraceShowsFlawsOfEveryRingPort(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, r := range mutated {
		p := newPlan(t, r)
		for o, q := range p.Ports {
			if !q.Ring {
				continue
			}
			bit := uint32(1) << o
			take, write := maps.Clone(takesOnWrongly), maps.Clone(writesOnWrongly)
			if enteredAtAll(p, o) {
				maps.Copy(take, takesInWrongly)
				maps.Copy(write, writesInWrongly)
			}
			rules := map[string]wrongRule{}
			for name, wrong := range take {
				rules[name] = wrongRule{take: func(r *Router, free uint32) (uint32, uint32) {
					on, in := right(r, free)
					others := *r // what the flaw does to other ports is undone
					newOn, newIn := wrong(r, free, on, in)
					r.waitsOn = others.waitsOn&^bit | r.waitsOn&bit
					r.waitsIn = others.waitsIn&^bit | r.waitsIn&bit
					return on&^bit | newOn&bit, in&^bit | newIn&bit
				}}
			}
			for name, wrong := range write {
				rules[name] = wrongRule{write: func(r *Router, enterable, open uint32) (uint32, uint32) {
					newEnterable, newOpen := wrong(r, enterable, open)
					return enterable&^bit | newEnterable&bit, open&^bit | newOpen&bit
				}}
			}
			for _, name := range slices.Sorted(maps.Keys(rules)) {
				tried++
				wrong := mutant{reset: func(b *Router) { b.shape.rule = rules[name] }}
				assert.Less(t, firstDifference(p, wrong), traceLength(p), "%v: port %d: %s", r, o, name)
			}
		}
	}
	assert.Greater(t, tried, 500)
}
