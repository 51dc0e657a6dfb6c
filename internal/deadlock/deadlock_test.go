// SPDX-License-Identifier: Apache-2.0

package deadlock_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/internal/deadlock"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

var preferences = []hypercycle.Preference{hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced}

// variants is the number of combinations of stages, delivery and destination.
const variants = 8

func variantOf(t require.TestingT, variant, depth int, p hypercycle.Preference, dims ...hypercycle.Dimension) *plan.Plan {
	m, err := machine.Bare(dims...)
	require.NoError(t, err)
	m.Preference, m.FIFODepth, m.Stages, m.Delivery = p, depth, 1+variant%2, machine.Delivery(variant/2%2)
	m.Destination = variant >= 4
	return plan.New(m)
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// holds checks the graph of a plan, and compares its size with the machine.
func holds(t require.TestingT, p *plan.Plan) {
	g := graphOf(p)
	require.Empty(t, deadlock.Check(parameters(p.Machine), g), "%v %s", p.Dims, p.Machine.Preference)
	rings, links, deliveries := 0, 0, 1
	for i := range p.Dims {
		if d := p.Machine.Graph.Dimension(i + 1); d.D() >= 2 {
			rings += 2 * gcd(d.M, d.Rho)
		}
	}
	for _, q := range p.Ports {
		if q.Fed {
			links++
		}
	}
	if p.PerPort() {
		deliveries = links // one for each output with messages
	}
	require.Len(t, g.Rings, rings)
	require.Len(t, g.Resources, 2*links+len(p.Dims)+deliveries+1, "ports, link inputs, groups, deliveries and local input")
}

// All rings up to 40 nodes, all pairs of small rings, cubes.
func TestNoCycleOfWaitsOutsideRings(t *testing.T) {
	var small []hypercycle.Dimension
	for m := 2; m <= 40; m++ {
		for rho := 1; rho <= m/2; rho++ {
			d := hypercycle.Dimension{M: m, Rho: rho}
			if d.Degree() > hypercycle.MaxDegree {
				continue
			}
			if m <= 9 {
				small = append(small, d)
			}
			for _, p := range preferences {
				for v := range variants {
					holds(t, variantOf(t, v, 2+v, p, d))
				}
			}
		}
	}
	for i, a := range small {
		for j, b := range small {
			if a.Degree()+b.Degree() <= hypercycle.MaxDegree {
				holds(t, variantOf(t, (i+j)%variants, 2, preferences[(i+j)%3], a, b))
			}
		}
	}
	for rank := 3; rank <= 16; rank++ {
		cube := slices.Repeat([]hypercycle.Dimension{{M: 2, Rho: 1}}, rank)
		for v := range variants {
			holds(t, variantOf(t, v, 2, hypercycle.Balanced, cube...))
		}
	}
	holds(t, variantOf(t, 0, 2, hypercycle.Counterclockwise, hypercycle.Dimension{M: machine.MaxRing, Rho: 8}))
	holds(t, variantOf(t, 0, 2, hypercycle.Balanced, hypercycle.Dimension{M: machine.MaxRing, Rho: 3}, hypercycle.Dimension{M: machine.MaxRing/2 - 1, Rho: 5}))
}

func TestNoCycleOfWaitsInRandomMachines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := machines.Draw(t, arbitrary.Limits{Nodes: math.MaxInt32, Rank: 8, Ring: 100})
		m.Destination = rapid.Bool().Draw(t, "destination")
		holds(t, plan.New(m))
	})
}

func TestNoCycleOfWaitsInExamples(t *testing.T) {
	names, err := filepath.Glob("../../configs/*.hcl")
	require.NoError(t, err)
	require.Greater(t, len(names), 10)
	for _, name := range names {
		m, _, diags := machine.Load(name, nil)
		require.False(t, diags.HasErrors(), name)
		holds(t, plan.New(m))
	}
}

func TestSlotsOfAllDepths(t *testing.T) {
	for depth := machine.MinFIFODepth; depth <= machine.MaxFIFODepth; depth++ {
		for v := range variants {
			holds(t, variantOf(t, v, depth, hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2}, hypercycle.Dimension{M: 3, Rho: 1}))
		}
	}
}

// The graph of a machine small enough to check by hand: C_6<1,2>, where the counterclockwise ring port has messages
// that continue, but none that enter.
func TestGraphOfC6IsTheOneWorkedOutByHand(t *testing.T) {
	assert.Equal(t, deadlock.Graph{
		Resources: []deadlock.Resource{
			{Name: "delivery", Slots: 1, Order: 0},
			{Name: "port 0", Slots: 1, Order: 3}, {Name: "input 2", Slots: 1, Order: 2},
			{Name: "port 1", Slots: 1, Order: 1}, {Name: "input 3", Slots: 1, Order: 1},
			{Name: "port 2", Slots: 1, Order: 3}, {Name: "input 0", Slots: 1, Order: 2},
			{Name: "port 3", Slots: 1, Order: 1}, {Name: "input 1", Slots: 1, Order: 1},
			{Name: "group 1", Slots: 0, Order: 4},
			{Name: "local", Slots: 0, Order: 5},
		},
		Edges: []deadlock.Edge{
			{From: "port 0", To: "input 2", Rule: "send"}, {From: "input 2", To: "delivery", Rule: "deliver"}, {From: "input 2", To: "port 1", Rule: "transfer"},
			{From: "port 1", To: "input 3", Rule: "pass"}, {From: "input 3", To: "delivery", Rule: "deliver"}, {From: "input 3", To: "port 1", Rule: "continue"},
			{From: "port 2", To: "input 0", Rule: "send"}, {From: "input 0", To: "delivery", Rule: "deliver"}, {From: "input 0", To: "port 3", Rule: "transfer"},
			{From: "port 3", To: "input 1", Rule: "pass"}, {From: "input 1", To: "delivery", Rule: "deliver"}, {From: "input 1", To: "port 3", Rule: "continue"},
			{From: "group 1", To: "port 0", Rule: "enter"}, {From: "group 1", To: "port 1", Rule: "enter"}, {From: "group 1", To: "port 2", Rule: "enter"},
			{From: "local", To: "group 1", Rule: "ask"},
		},
		Rings: []deadlock.Ring{
			{Port: "port 1", Input: "input 3", Places: 2, Digits: []int{0, 2, 4}}, {Port: "port 1", Input: "input 3", Places: 2, Digits: []int{1, 3, 5}},
			{Port: "port 3", Input: "input 1", Places: 2, Digits: []int{0, 4, 2}}, {Port: "port 3", Input: "input 1", Places: 2, Digits: []int{1, 5, 3}},
		},
	}, graphOf(variantOf(t, 0, 2, hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2})))
}

// Messages to every destination wait only along edges of the graph, and enter on all ports.
func TestMessagesToEveryDestinationWaitAlongTheGraph(t *testing.T) {
	for _, dims := range [][]hypercycle.Dimension{
		{{M: 2, Rho: 1}}, {{M: 6, Rho: 2}}, {{M: 6, Rho: 3}}, {{M: 9, Rho: 3}}, {{M: 8, Rho: 1}},
		{{M: 4, Rho: 1}, {M: 4, Rho: 1}}, {{M: 6, Rho: 2}, {M: 3, Rho: 1}}, {{M: 3, Rho: 1}, {M: 7, Rho: 2}}, {{M: 2, Rho: 1}, {M: 4, Rho: 2}, {M: 5, Rho: 2}},
	} {
		for _, preference := range preferences {
			p := variantOf(t, 4, machine.MinFIFODepth, preference, dims...)
			g := p.Machine.Graph
			done := map[deadlock.Edge]bool{}
			do := func(rule, from, to string) { done[deadlock.Edge{From: from, To: to, Rule: rule}] = true }
			name := func(what string, n int) string { return fmt.Sprintf("%s %d", what, n) }
			follow := func(source int, to hypercycle.Destination) {
				tree := g.Multicast(source, to, preference)
				for v := range g.Nodes() {
					if tree.Parent[v] < 0 {
						continue
					}
					// how the copy for v was made, and its way to the next input
					port := p.Ports[tree.Port[v]]
					from := "local"
					before := -1
					if parent := tree.Parent[v]; int(parent) != source {
						before = int(tree.Port[parent])
						from = name("input", g.Opposite(before))
					}
					switch {
					case before < 0 || p.Ports[before].Dimension != port.Dimension:
						do(deadlock.Ask, from, name("group", port.Dimension))
						do(deadlock.Enter, name("group", port.Dimension), name("port", port.Index))
					case before == port.Index:
						do(deadlock.Continue, from, name("port", port.Index))
					default:
						do(deadlock.Transfer, from, name("port", port.Index))
					}
					rule := deadlock.Send
					if port.Ring {
						rule = deadlock.Pass
					}
					do(rule, name("port", port.Index), name("input", port.Opposite))
					if tree.Delivers[v] {
						do(deadlock.Deliver, name("input", port.Opposite), "delivery")
					}
				}
			}
			var all func(to hypercycle.Destination)
			all = func(to hypercycle.Destination) {
				if len(to) == g.Rank() {
					for source := range g.Nodes() {
						follow(source, to)
					}
					return
				}
				for digit := hypercycle.All; digit < g.Dimension(len(to)+1).M; digit++ {
					all(append(to, digit))
				}
			}
			all(make(hypercycle.Destination, 0, g.Rank()))
			listed := map[deadlock.Edge]bool{}
			for _, e := range graphOf(p).Edges {
				listed[e] = true
			}
			for e := range done {
				require.True(t, listed[e], "%v %v: %s is not in the graph", dims, preference, e)
			}
			for e := range listed {
				if e.Rule == deadlock.Enter {
					require.True(t, done[e], "%v %v: no message enters as %s", dims, preference, e)
				}
			}
		}
	}
}

// Ports 0 and 1 in dimension 1, a ring of 5; ports 2 to 5 in dimension 2, (6,2), where 3 and 5 are ring ports.
func good(t *testing.T, variant int) (deadlock.Machine, deadlock.Graph) {
	t.Helper()
	p := variantOf(t, variant, machine.MinFIFODepth, hypercycle.Clockwise, hypercycle.Dimension{M: 5, Rho: 1}, hypercycle.Dimension{M: 6, Rho: 2})
	return parameters(p.Machine), graphOf(p)
}

// Every entry that is left out, listed twice or changed is a fault; the numbers of the order may be others, if no edge
// leads upwards.
func TestNoEntryCanBeLeftOutAddedOrChanged(t *testing.T) {
	for variant := range variants {
		m, g := good(t, variant)
		tried := 0
		wrong := func(what string, changed deadlock.Graph) {
			require.NotEmpty(t, deadlock.Check(m, changed), what)
			tried++
		}
		for i, r := range g.Resources {
			set := func(what string, list ...deadlock.Resource) {
				changed := g
				changed.Resources = slices.Concat(g.Resources[:i:i], list, g.Resources[i+1:])
				wrong(fmt.Sprintf("%s %+v", what, r), changed)
			}
			set("without")
			set("twice", r, r)
			set("another name", deadlock.Resource{Name: r.Name + "0", Slots: r.Slots, Order: r.Order})
			set("a slot more", deadlock.Resource{Name: r.Name, Slots: r.Slots + 1, Order: r.Order})
			set("a slot less", deadlock.Resource{Name: r.Name, Slots: r.Slots - 1, Order: r.Order})
			ordered := func(end func(deadlock.Edge) string) bool {
				return slices.ContainsFunc(g.Edges, func(e deadlock.Edge) bool {
					return end(e) == r.Name && e.Rule != deadlock.Pass && e.Rule != deadlock.Continue
				})
			}
			if ordered(func(e deadlock.Edge) string { return e.To }) {
				set("highest", deadlock.Resource{Name: r.Name, Slots: r.Slots, Order: 99})
			}
			if ordered(func(e deadlock.Edge) string { return e.From }) {
				set("lowest", deadlock.Resource{Name: r.Name, Slots: r.Slots, Order: -99})
			}
		}
		for i, e := range g.Edges {
			set := func(what string, list ...deadlock.Edge) {
				changed := g
				changed.Edges = slices.Concat(g.Edges[:i:i], list, g.Edges[i+1:])
				wrong(what+" "+e.String(), changed)
			}
			set("without")
			set("twice", e, e)
			for _, other := range g.Edges {
				if other.To != e.To {
					set("to "+other.To, deadlock.Edge{From: e.From, To: other.To, Rule: e.Rule})
				}
				if other.From != e.From {
					set("from "+other.From, deadlock.Edge{From: other.From, To: e.To, Rule: e.Rule})
				}
				if other.Rule != e.Rule {
					set("by "+other.Rule, deadlock.Edge{From: e.From, To: e.To, Rule: other.Rule})
				}
			}
		}
		for i, r := range g.Rings {
			set := func(what string, list ...deadlock.Ring) {
				changed := g
				changed.Rings = slices.Concat(g.Rings[:i:i], list, g.Rings[i+1:])
				wrong(fmt.Sprintf("%s %+v", what, r), changed)
			}
			of := func(change func(*deadlock.Ring)) deadlock.Ring {
				changed := r
				changed.Digits = slices.Clone(r.Digits)
				change(&changed)
				return changed
			}
			set("without")
			set("twice", r, r)
			set("another port", of(func(r *deadlock.Ring) { r.Port = "port 2" }))
			set("another input", of(func(r *deadlock.Ring) { r.Input = "input 4" }))
			set("one place for each node", of(func(r *deadlock.Ring) { r.Places = 1 }))
			set("a node less", of(func(r *deadlock.Ring) { r.Digits = r.Digits[1:] }))
			set("a node twice", of(func(r *deadlock.Ring) { r.Digits = append(r.Digits, r.Digits[0]) }))
			set("round twice", of(func(r *deadlock.Ring) { r.Digits = append(r.Digits, r.Digits...) }))
			set("the other way round", of(func(r *deadlock.Ring) { slices.Reverse(r.Digits) }))
			set("a digit outside", of(func(r *deadlock.Ring) { r.Digits[0] += 30 }))
		}
		assert.Greater(t, tried, 1000)
		require.Empty(t, deadlock.Check(m, g), "the graph is as it was")
	}
}

// The graph of one machine is not that of another.
func TestGraphsOfOtherMachinesAreRejected(t *testing.T) {
	m, g := good(t, 0)
	for name, change := range map[string]func(*deadlock.Machine){
		"preference":  func(m *deadlock.Machine) { m.Preference = "balanced" },
		"depth":       func(m *deadlock.Machine) { m.FIFODepth++ },
		"stages":      func(m *deadlock.Machine) { m.Stages = 2 },
		"delivery":    func(m *deadlock.Machine) { m.PerPort = true },
		"destination": func(m *deadlock.Machine) { m.Destination = true },
		"nodes":       func(m *deadlock.Machine) { m.Dimensions[0].M++ },
		"reach":       func(m *deadlock.Machine) { m.Dimensions[0].Rho++ },
		"order":       func(m *deadlock.Machine) { slices.Reverse(m.Dimensions) },
	} {
		other := m
		other.Dimensions = slices.Clone(m.Dimensions)
		change(&other)
		assert.NotEmpty(t, deadlock.Check(other, g), name)
	}
}

func TestFaultsAreDescribed(t *testing.T) {
	m, g := good(t, 0)
	at := slices.IndexFunc(g.Edges, func(e deadlock.Edge) bool { return e.Rule == deadlock.Transfer })
	g.Edges = append(slices.Clone(g.Edges[:at]), g.Edges[at+1:]...)
	assert.Equal(t, []string{"missing: transfer: input 4 waits for port 3"}, deadlock.Check(m, g))

	_, g = good(t, 0)
	at = slices.IndexFunc(g.Resources, func(r deadlock.Resource) bool { return r.Name == "group 1" })
	g.Resources[at].Order = 6
	assert.Contains(t, deadlock.Check(m, g), "waits upwards, from order 6 to order 6: ask: input 4 waits for group 1")

	_, g = good(t, 0)
	g.Rings[2].Digits[1]++
	assert.Contains(t, deadlock.Check(m, g), "ring of port 3 through [0 3 4]: the port leads from 0 to 2")
}

// The package imports only the standard library: it shares no code with the plan.
func TestCheckerIsIndependent(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "deadlock.go", nil, parser.ImportsOnly)
	require.NoError(t, err)
	require.NotEmpty(t, f.Imports)
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		assert.NotContains(t, path, ".", path)
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	assert.Equal(t, []string{"deadlock.go"}, files)
}
