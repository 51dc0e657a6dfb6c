// SPDX-License-Identifier: Apache-2.0

package certificate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/internal/certificate"
	"github.com/hcgen/hcgen/internal/certificate/verify"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

var preferences = []hypercycle.Preference{hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced}

func planOf(t require.TestingT, p hypercycle.Preference, dims ...hypercycle.Dimension) *plan.Plan {
	return variantOf(t, 0, machine.MinFIFODepth, p, dims...)
}

// variants is the number of combinations of stages, delivery and destination.
const variants = 8

func variantOf(t require.TestingT, variant, depth int, p hypercycle.Preference, dims ...hypercycle.Dimension) *plan.Plan {
	m, err := machine.Bare(dims...)
	require.NoError(t, err)
	m.Preference, m.FIFODepth, m.Stages, m.Delivery = p, depth, 1+variant%2, machine.Delivery(variant/2%2)
	m.Destination = variant >= 4
	return plan.New(m)
}

func encoded(t require.TestingT, p *plan.Plan) []byte {
	data, err := certificate.New(p).Encode()
	require.NoError(t, err)
	return data
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// holds checks a certificate, and compares the counts of the verifier with the graph.
func holds(t require.TestingT, p *plan.Plan) {
	result, err := verify.Certificate(encoded(t, p))
	require.NoError(t, err, "%v %s", p.Dims, p.Machine.Preference)
	rings, links, deliveries := 0, 0, 1
	for i := range p.Dims {
		if d := p.Machine.Graph.Dimension(i + 1); d.D() >= 2 {
			rings += 2 * gcd(d.M, d.Rho) * p.Nodes / d.M
		}
	}
	for _, q := range p.Ports {
		if q.Fed {
			links++
		}
	}
	if p.Machine.Delivery == machine.PerPort {
		deliveries = links // one for each output with messages
	}
	require.Equal(t, rings, result.Rings)
	require.Equal(t, 2*links+len(p.Dims)+deliveries+1, result.Resources, "ports, link inputs, groups, deliveries and local input")
	require.Equal(t, p.Stages, result.Stages)
	require.Equal(t, p.Machine.Delivery.String(), result.Delivery)
	require.Equal(t, p.Machine.Destination, result.Destination)
	require.Equal(t, p.Nodes, result.Nodes)
}

// Generator and verifier share no code, so each machine on which they agree is evidence
// for both: all rings up to 40 nodes, all pairs of small rings, cubes.
func TestCertificatesHold(t *testing.T) {
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
		var cube []hypercycle.Dimension
		for range rank {
			cube = append(cube, hypercycle.Dimension{M: 2, Rho: 1})
		}
		for v := range variants {
			holds(t, variantOf(t, v, 2, hypercycle.Balanced, cube...))
		}
	}
	largest := hypercycle.Dimension{M: machine.MaxRing, Rho: 8}
	holds(t, planOf(t, hypercycle.Counterclockwise, largest))
	holds(t, planOf(t, hypercycle.Balanced, hypercycle.Dimension{M: machine.MaxRing, Rho: 3}, hypercycle.Dimension{M: machine.MaxRing/2 - 1, Rho: 5}))
}

func TestCertificatesOfRandomMachinesHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := machines.Draw(t, arbitrary.Limits{Nodes: math.MaxInt32, Rank: 8, Ring: 100})
		m.Destination = rapid.Bool().Draw(t, "destination")
		holds(t, plan.New(m))
	})
}

func TestCertificatesOfTheExamplesHold(t *testing.T) {
	names, err := filepath.Glob("../../configs/*.hcl")
	require.NoError(t, err)
	require.Greater(t, len(names), 10)
	for _, name := range names {
		m, _, diags := machine.Load(name, nil)
		require.False(t, diags.HasErrors(), name)
		p := plan.New(m)
		holds(t, p)
		data := encoded(t, p)
		assert.Equal(t, data, encoded(t, plan.New(m)), "two runs give the same bytes")
		assert.True(t, json.Valid(data))
		assert.Less(t, len(data), 16<<10, "one router stands for all")
	}
}

// The slots in a certificate are those of the plan.
func TestSlotsAreThoseOfThePlan(t *testing.T) {
	for depth := machine.MinFIFODepth; depth <= machine.MaxFIFODepth; depth++ {
		for v := range variants {
			p := variantOf(t, v, depth, hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2}, hypercycle.Dimension{M: 3, Rho: 1})
			holds(t, p)
			want := map[string]int{certificate.KindRing: 1, certificate.KindEntry: 1, certificate.KindDelivery: 1, certificate.KindInput: p.InputSlots}
			for _, r := range certificate.New(p).Resources {
				require.Equal(t, want[r.Kind], r.Depth, r.Name)
			}
		}
	}
}

// The certificate of a machine small enough to check by hand: C_6<1,2>, where the
// counterclockwise ring port has messages that continue, but none that enter.
func TestCertificateOfC6IsTheOneWorkedOutByHand(t *testing.T) {
	p := planOf(t, hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2})
	want, err := os.ReadFile("testdata/c6_2.json")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(encoded(t, p)))
}

// The certificate of a machine with destinations covers messages to every destination: they wait as broadcasts do,
// and enter on all ports.
func TestMessagesToEveryDestinationWaitAsCertified(t *testing.T) {
	for _, dims := range [][]hypercycle.Dimension{
		{{M: 2, Rho: 1}}, {{M: 6, Rho: 2}}, {{M: 6, Rho: 3}}, {{M: 9, Rho: 3}}, {{M: 8, Rho: 1}},
		{{M: 4, Rho: 1}, {M: 4, Rho: 1}}, {{M: 6, Rho: 2}, {M: 3, Rho: 1}}, {{M: 3, Rho: 1}, {M: 7, Rho: 2}}, {{M: 2, Rho: 1}, {M: 4, Rho: 2}, {M: 5, Rho: 2}},
	} {
		for _, preference := range preferences {
			p := variantOf(t, 4, machine.MinFIFODepth, preference, dims...)
			g := p.Machine.Graph
			done := map[certificate.Edge]bool{}
			do := func(at, rule, from, to string) { done[certificate.Edge{From: from, To: to, At: at, Rule: rule}] = true }
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
						do(certificate.AtNode, certificate.RuleAsk, from, name("group", port.Dimension))
						do(certificate.AtNode, certificate.RuleEnter, name("group", port.Dimension), name("port", port.Index))
					case before == port.Index:
						do(certificate.AtNode, certificate.RuleContinue, from, name("port", port.Index))
					default:
						do(certificate.AtNode, certificate.RuleTransfer, from, name("port", port.Index))
					}
					rule := certificate.RuleSend
					if port.Ring {
						rule = certificate.RulePass
					}
					do(certificate.AtNeighbor, rule, name("port", port.Index), name("input", port.Opposite))
					if tree.Delivers[v] {
						do(certificate.AtNode, certificate.RuleDeliver, name("input", port.Opposite), "delivery")
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
			listed := map[certificate.Edge]bool{}
			for _, e := range certificate.New(p).Edges {
				listed[e] = true
			}
			for e := range done {
				require.True(t, listed[e], "%v %v: %+v is not certified", dims, preference, e)
			}
			for e := range listed {
				if e.Rule == certificate.RuleEnter {
					require.True(t, done[e], "%v %v: no message enters as %+v", dims, preference, e)
				}
			}
		}
	}
}

// leaves calls visit for each value of a JSON text that is no list and no object, with a function to
// set it.
func leaves(t *testing.T, at any, path string, visit func(path string, old any, set func(any))) {
	t.Helper()
	each := func(name string, v any, set func(any)) {
		switch v.(type) {
		case map[string]any, []any:
			leaves(t, v, path+"."+name, visit)
		default:
			visit(path+"."+name, v, set)
		}
	}
	switch v := at.(type) {
	case map[string]any:
		for name, x := range v {
			each(name, x, func(y any) { v[name] = y })
		}
	case []any:
		for i, x := range v {
			each("[]", x, func(y any) { v[i] = y })
		}
	}
}

func decoded(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	require.NoError(t, d.Decode(&v))
	return v
}

// The verifier detects every change of a value, except of the name of the machine and of the
// numbers of the order if it stays a valid order.
func TestNoValueCanBeChanged(t *testing.T) {
	needs.Time(t)
	for variant, dims := range [variants][]hypercycle.Dimension{
		{{M: 4, Rho: 1}, {M: 6, Rho: 2}},
		{{M: 2, Rho: 1}, {M: 6, Rho: 2}},
		{{M: 2, Rho: 1}, {M: 6, Rho: 3}},
		{{M: 3, Rho: 1}, {M: 7, Rho: 2}},
		{{M: 4, Rho: 1}, {M: 6, Rho: 2}},
		{{M: 2, Rho: 1}, {M: 6, Rho: 2}},
		{{M: 2, Rho: 1}, {M: 6, Rho: 3}},
		{{M: 3, Rho: 1}, {M: 7, Rho: 2}},
	} {
		data := encoded(t, variantOf(t, variant, machine.MinFIFODepth+variant%2*14, hypercycle.Clockwise, dims...))
		v := decoded(t, data)
		changed := 0
		leaves(t, v, "", func(path string, old any, set func(any)) {
			var others []any
			switch old := old.(type) {
			case json.Number:
				n, err := old.Int64()
				require.NoError(t, err)
				others = []any{n + 1, n - 1, -n - 1, n + 1000000, "1", nil, true, float64(n) + 0.5, json.RawMessage("1e400"), json.RawMessage("99999999999999999999999999")}
			case string:
				others = []any{old + " ", "", strings.ToUpper(old) + "x", "port 0x", 7, nil}
			case bool:
				others = []any{!old, 1, "true", nil}
			}
			for _, other := range others {
				set(other)
				broken, err := json.Marshal(v)
				require.NoError(t, err)
				_, err = verify.Certificate(broken)
				if n, isNumber := other.(int64); path == ".machine.name" && other == "Mx" {
					require.NoError(t, err)
				} else if path == ".resources.[].order" && isNumber && err == nil {
					assertOrder(t, v, n)
				} else {
					require.Error(t, err, "%s = %v", path, other)
				}
				changed++
			}
			set(old)
		})
		assert.Greater(t, changed, 500)
		again, err := json.Marshal(v)
		require.NoError(t, err)
		_, err = verify.Certificate(again)
		require.NoError(t, err, "the order of the fields does not matter")
	}
}

// assertOrder checks independently that only edges of rings go upwards.
func assertOrder(t *testing.T, v map[string]any, changed int64) {
	t.Helper()
	order := map[string]int64{}
	for _, r := range v["resources"].([]any) {
		r := r.(map[string]any)
		switch n := r["order"].(type) {
		case json.Number:
			order[r["name"].(string)], _ = n.Int64()
		case int64:
			order[r["name"].(string)] = n
		}
	}
	for _, e := range v["edges"].([]any) {
		e := e.(map[string]any)
		if from, to := e["from"].(string), e["to"].(string); e["rule"] != "continue" && e["rule"] != "pass" {
			require.Greater(t, order[from], order[to], "%s waits for %s, with order %d changed", from, to, changed)
		}
	}
}

// Entries that are left out, listed twice or added are detected.
func TestNothingCanBeLeftOutOrAdded(t *testing.T) {
	for variant, preference := range map[int]hypercycle.Preference{
		0: hypercycle.Balanced, 3: hypercycle.Balanced,
		4: hypercycle.Clockwise, variants - 1: hypercycle.Clockwise, // broadcasts do not enter by all ports
	} {
		nothingCanBeLeftOutOrAdded(t, encoded(t, variantOf(t, variant, 2, preference, hypercycle.Dimension{M: 6, Rho: 2}, hypercycle.Dimension{M: 5, Rho: 1})))
	}
}

func nothingCanBeLeftOutOrAdded(t *testing.T, data []byte) {
	t.Helper()
	tried := 0
	try := func(path string, v any) {
		broken, err := json.Marshal(v)
		require.NoError(t, err)
		_, err = verify.Certificate(broken)
		require.Error(t, err, path)
		tried++
	}
	root := decoded(t, data)
	var walk func(path string, at any, replace func(any))
	walk = func(path string, at any, replace func(any)) {
		switch v := at.(type) {
		case map[string]any:
			for name, x := range v {
				delete(v, name)
				try("without "+path+"."+name, root)
				v[name] = x
				walk(path+"."+name, x, func(y any) { v[name] = y })
			}
			v["more"] = 1
			try("more in "+path, root)
			delete(v, "more")
		case []any:
			for i, x := range v {
				without := append(append([]any{}, v[:i]...), v[i+1:]...)
				replace(without)
				try("without one of "+path, root)
				replace(append(append([]any{}, v...), x))
				try("twice one of "+path, root)
				replace(v)
				walk(path+".[]", x, func(y any) { v[i] = y })
			}
			replace(append(append([]any{}, v...), map[string]any{}))
			try("more in "+path, root)
			replace(v)
		}
	}
	walk("", root, nil)
	assert.Greater(t, tried, 200)
	again, err := json.Marshal(root)
	require.NoError(t, err)
	_, err = verify.Certificate(again)
	require.NoError(t, err, "the walk leaves the certificate as it was")
}
