// SPDX-License-Identifier: Apache-2.0

package model

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traffic"
)

// wrongDestination is a flaw of the rules of destinations, and whether it can show in the router of a machine.
type wrongDestination struct {
	mutant
	shown func(p *plan.Plan) bool
}

// wrongDestinations lists flaws of the rules of destinations.
func wrongDestinations() (list []wrongDestination) {
	add := func(name string, m mutant, shown func(p *plan.Plan) bool) {
		m.name = name
		list = append(list, wrongDestination{m, shown})
	}
	flawed := func(name string, wrong flaw, shown func(p *plan.Plan) bool) {
		add(name, mutant{reset: func(b *Router) { wrong(b.rules) }}, shown)
	}
	for line, shown := range map[string]func(p *plan.Plan) bool{
		"antipodes of odd digits are counterclockwise": oddAntipodes,
		"antipodes of even digits are clockwise":       antipodes,
		"all is not a digit":                           everywhere,
		"digits of m and more are illegal": func(p *plan.Plan) bool {
			return has(p, func(d *plan.Dim, f plan.DestinationField) bool { return 1<<f.DigitBits > d.M })
		},
		"a set without any node is illegal": everywhere,
		"a distance ends spreading":         several,
		"all goes on spreading":             several,
		"a distance ends delivery":          several,
		"stay is no target":                 several,
		"distances have a limit": func(p *plan.Plan) bool {
			return slices.ContainsFunc(p.Destination.Fields[:len(p.Dims)-1], func(f plan.DestinationField) bool {
				return f.MaxDistance < 1<<f.DistanceBits-1
			})
		},
		"other messages do not spread":                  long,
		"a message spreads at its last router":          everywhere,
		"a message with spread spreads at every router": long,
	} {
		flawed(line, off(line), shown)
	}
	for _, flaws := range []map[string]flaw{paceFlaws, destinationPaceFlaws} {
		for name, wrong := range flaws {
			flawed(name, wrong, everywhere)
		}
	}
	add("illegal destinations are not flagged", mutant{after: func(b *Router) { b.errors.destination = false }}, everywhere)
	for name, change := range takenFlaws {
		add(name, mutant{before: func(b *Router) {
			for p := range b.outputs {
				if o := &b.outputs[p]; o.takes != noWay {
					change.as(b, p, o)
				}
			}
		}}, change.shown)
	}
	slices.SortFunc(list, func(a, b wrongDestination) int { return cmp.Compare(a.name, b.name) })
	return list
}

// takenFlaws change the message that a link output takes.
var takenFlaws = map[string]struct {
	shown func(p *plan.Plan) bool
	as    func(b *Router, p int, o *output)
}{
	"spread is set on entering": {everywhere, func(_ *Router, _ int, o *output) { o.taken.Spread = o.taken.Spread || o.takes == enters }},
	"spread is lost on the way": {long, func(_ *Router, _ int, o *output) { o.taken.Spread = o.taken.Spread && o.takes == enters }},
	"spread is never set":       {everywhere, func(_ *Router, _ int, o *output) { o.taken.Spread = false }},
	"the fields of lower dimensions are lost on the way": {
		func(p *plan.Plan) bool { return p.Dims[len(p.Dims)-1].D > 1 && several(p) },
		func(_ *Router, _ int, o *output) {
			if o.takes != enters {
				o.taken.Route = 0
			}
		},
	},
	"the field of the dimension is kept": {everywhere, func(b *Router, p int, o *output) {
		if o.takes == enters {
			j := b.plan.Ports[p].Dimension
			f := b.plan.Destination.Fields[j-1]
			route := b.inputs[b.groups[j-1].selected].head.Route
			o.taken.Route |= route & ((1<<f.Bits() - 1) << f.RouteLow)
		}
	}},
	"a message to one node enters with the weight of a broadcast": {long, func(b *Router, p int, o *output) {
		if first := b.plan.Ports[p].First; o.takes == enters && !o.taken.Spread && first > 0 {
			o.taken.WC = uint32(first)
		}
	}},
	"a message for all enters with weight 1": {long, func(_ *Router, _ int, o *output) {
		if o.takes == enters && o.taken.Spread {
			o.taken.WC = 1
		}
	}},
}

func everywhere(*plan.Plan) bool { return true }

func several(p *plan.Plan) bool { return len(p.Dims) > 1 }

func has(p *plan.Plan, is func(d *plan.Dim, f plan.DestinationField) bool) bool {
	for i := range p.Dims {
		if is(&p.Dims[i], p.Destination.Fields[i]) {
			return true
		}
	}
	return false
}

func long(p *plan.Plan) bool {
	return has(p, func(d *plan.Dim, _ plan.DestinationField) bool { return d.D > 1 })
}

func antipodes(p *plan.Plan) bool {
	return has(p, func(d *plan.Dim, _ plan.DestinationField) bool { return d.M%2 == 0 && 2*d.Rho < d.M })
}

// oddAntipodes reports whether the node of the router trace has an odd digit where direction matters.
func oddAntipodes(p *plan.Plan) bool {
	for i, d := range p.Dims {
		if d.M%2 == 0 && 2*d.Rho < d.M && p.Machine.Graph.Digit(traffic.RouterNode(p), i+1)%2 == 1 {
			return true
		}
	}
	return false
}

// Router traces detect wrong rules of destinations. A short run has two variants of each machine.
func TestRouterTracesShowWrongRulesOfDestinations(t *testing.T) {
	t.Parallel()
	if !inWeakenedModel(t) {
		return
	}
	list, shown := wrongDestinations(), map[string]bool{}
	for i, r := range mutated {
		for j, v := range variants {
			if testing.Short() && j != i%len(variants) && j != (i+2)%len(variants) {
				continue
			}
			p := newPlan(t, r, v.With(destination(), last(), sourceID(), preference(preferences[(i+j)%3]), fifoDepth(2+(i+j)%2))...)
			require.Equal(t, traffic.RouterCycles(p), firstDifference(p, &mutant{}), "%v %s", r, v.Name)
			for _, m := range list {
				if m.shown(p) {
					shown[m.name] = true
					assert.Less(t, firstDifference(p, &m.mutant), traffic.RouterCycles(p), "%v %s: %s", r, v.Name, m.name)
				}
			}
		}
	}
	require.Len(t, shown, len(list))
}
