// SPDX-License-Identifier: Apache-2.0

package machines_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/machine"
)

// undrawn are the attributes that no random machine has. Links between chips, which a timeout needs, have draws of their own.
var undrawn = regexp.MustCompile(`^(machine\.routers|link\.word_bits|link\.flight|link\.silence|endpoint\.timeout|synthesis\.family|variable\..*|collective in .*)$`)

// The draws are legal and reproducible, have every attribute with its default and with other values, and meet every situation
// that the comparison of Verilog and model is about.
func TestDrawsAreLegalReproducibleAndOfEveryKind(t *testing.T) {
	const draws = 1000
	seen := map[string]int{}
	count := func(what string, is bool) {
		seen[what] += 0
		if is {
			seen[what]++
		}
	}
	different := map[string]bool{}
	for seed := range draws {
		m := machines.Described().Example(seed)
		text := string(m.HCL())
		require.Equal(t, text, string(machines.Described().Example(seed).HCL()))
		different[text] = true
		legal(t, m)
		for _, a := range machine.Attributes() {
			if name := a.Block + "." + a.Name; !undrawn.MatchString(name) {
				blocks, given := attributes(text, a)
				count(name+" given", given > 0)
				if a.Default != "required" {
					count(name+" left out", blocks > given || blocks == 0)
				}
			}
		}
		situations(m, count)
	}
	assert.Greater(t, len(different), draws-10)
	for what, n := range seen {
		assert.GreaterOrEqual(t, n, 3, what)
	}
}

// FuzzDescribed: whatever rapid draws from, the machine is legal.
func FuzzDescribed(f *testing.F) {
	for seed := range 10 {
		bytes := make([]byte, 8<<10)
		_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(bytes) // it does not fail
		f.Add(bytes)
	}
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { legal(t, machines.Described().Draw(t, "machine")) }))
}

// legal checks that the description of a machine, in both syntaxes, is loaded as the machine.
func legal(t require.TestingT, m *machine.Machine) {
	text := string(m.HCL())
	loaded, _, diags := machine.LoadBytes("machine.hcl", m.HCL(), nil)
	require.Empty(t, diags, text)
	again, _, diags := machine.LoadBytes("machine.hcl.json", m.JSON(), nil)
	require.Empty(t, diags, text)
	require.Equal(t, loaded.Hash, again.Hash)
	if len(m.Synthesis) == 0 {
		m.Synthesis = loaded.Synthesis
	}
	require.Equal(t, string(m.CanonicalJSON()), string(loaded.CanonicalJSON()), text)
}

// attributes counts the blocks of a type in a description, and those that give an attribute.
func attributes(text string, a machine.Attribute) (blocks, given int) {
	var open []string
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[len(words)-1] == "{":
			if open = append(open, words[0]); words[0] == a.Block {
				blocks++
			}
		case words[0] == "}":
			open = open[:len(open)-1]
		case open[len(open)-1] == a.Block && words[0] == a.Name:
			given++
		}
	}
	return blocks, given
}

func situations(m *machine.Machine, count func(what string, is bool)) {
	nodes, stalls := m.Graph.Nodes(), false
	for _, d := range m.Dimensions {
		count("links to the antipode", 2*d.Rho == d.M)
		count("rings of neighbours", d.D() == 1)
		count("long paths", d.D() > 3)
		count("transfers", d.Rho > 1 && d.D() > 1)
		for _, n := range []int{0, 1, 2, 3, 8} {
			count(fmt.Sprint(n, " registers on links"), d.Link.Registers == n)
		}
		count("clocks and registers", d.Link.Kind == machine.Clocks && m.Registers() > 0)
		count("different registers", d.Link.Registers < m.Registers() && d.Link.Registers > 0)
	}
	for rank := range 4 {
		count(fmt.Sprint(rank+1, " dimensions"), len(m.Dimensions) == rank+1)
	}
	count("array", !m.Network && nodes <= machines.ArrayNodes)
	count("large", nodes > machines.ArrayNodes)
	count("most ports", m.Graph.Degree() == hypercycle.MaxDegree)
	count("one bit", m.PayloadBits == 1)
	count("wide", m.PayloadBits > 64)
	count("widest", m.PayloadBits == machine.MaxPayloadBits)
	count("odd depth", m.FIFODepth%2 == 1)
	count("deepest", m.FIFODepth == machine.MaxFIFODepth)
	count("destinations, tlast and barrier", m.Destination && m.Last && m.Barrier)
	count("destinations without a network top", m.Destination && !m.Network)
	count("registers on links of a network", m.Network && m.Registers() > 0)
	count("registers on links and no network", !m.Network && m.Registers() > 0)
	count("programmable with errors of nodes", m.NodeErrors && m.Programmable != nil)
	count("programmable with a port to spare", m.Programmable != nil && m.Programmable.MaxDegree > m.Graph.Degree())
	count("long name", len(m.Name) == machine.MaxNameLength)
	for _, p := range []hypercycle.Preference{hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced} {
		count(p.String(), m.Preference == p)
	}
	for variant := range 8 {
		stages, delivery, destination := variant%2+1, machine.Delivery(variant/2%2), variant >= 4
		count(fmt.Sprint(stages, " stages, ", delivery, ", destinations ", destination), m.Stages == stages && m.Delivery == delivery && m.Destination == destination)
	}
	for _, w := range m.Traffic {
		for _, s := range w.Sends {
			count("scheduled broadcasts", s.To == nil)
			count("messages to one node", s.To != nil && s.To.Unicast())
			count("messages to several nodes", s.To != nil && !s.To.Unicast())
		}
		if r := w.Random; r != nil {
			stalls = stalls || r.Stall >= 0.1 && r.Rate >= 0.1
			for p := machine.ToAll; p <= machine.ToRow; p++ {
				count("pattern "+p.String(), m.Destination && r.Pattern == p)
			}
		}
		count("scheduled messages and random load", len(w.Sends) > 0 && w.Random != nil)
	}
	count("stalls", stalls)
	count("no stalls", !stalls)
}
