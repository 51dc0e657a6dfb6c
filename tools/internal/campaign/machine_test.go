// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// drawn loads what a machine describes.
func drawn(t *testing.T, m *Machine) *machine.Machine {
	t.Helper()
	loaded, _, diags := machine.LoadBytes("machine.hcl", []byte(m.HCL()), nil)
	require.Empty(t, diags, m.HCL())
	return loaded
}

func TestDrawsAreLegalReproducibleAndOfEveryKind(t *testing.T) {
	seen := map[string]int{}
	count := func(what string, is bool) {
		if is {
			seen[what]++
		}
	}
	different := map[string]bool{}
	for number := range uint64(500) {
		m := Draw(7, number)
		require.Equal(t, m.HCL(), Draw(7, number).HCL())
		require.NotEqual(t, m.HCL(), Draw(8, number).HCL())
		different[m.HCL()] = true
		loaded := drawn(t, m)
		again, _, diags := machine.LoadBytes("machine.hcl.json", []byte(m.JSON()), nil)
		require.Empty(t, diags, m.JSON())
		require.Equal(t, loaded.Hash, again.Hash)

		n, degree := m.nodes()
		assert.Equal(t, loaded.Graph.Nodes(), n)
		assert.Equal(t, loaded.Graph.Degree(), degree)
		stalls := 0.0
		for _, traffic := range loaded.Traffic {
			if traffic.Random != nil {
				stalls = max(stalls, traffic.Random.Stall)
			}
			for _, s := range traffic.Stalls {
				count("scheduled stalls", s.Cycles > 0)
				count("scheduled stalls to the end", s.Cycles == 0)
			}
			count("random load of some nodes", traffic.Random != nil && traffic.Random.Sources != nil)
			for _, send := range traffic.Sends {
				count("broadcasts", send.To == nil)
				count("messages to one node", send.To != nil && send.To.Unicast())
				count("messages to several nodes", send.To != nil && !send.To.Unicast())
				count("messages with tlast", send.Last)
			}
			if r := traffic.Random; r != nil && loaded.Destination {
				count("pattern "+r.Pattern.String(), true)
				count("mixed with broadcasts", r.Broadcasts > 0)
				count("hot spot elsewhere", r.Hot > 0)
			}
			count("no stalls", traffic.Random == nil || traffic.Random.Stall == 0)
		}
		assert.GreaterOrEqual(t, stalls, 0.1)
		for _, d := range loaded.Dimensions {
			count("longest links", 2*d.Rho == d.M)
			count("rings of complete graphs", d.D() == 1)
			count("long paths", d.D() > 3)
			count("transfers", d.Rho > 1 && d.D() > 1)
		}
		count([]string{"", "r1", "r2", "r3", "r4", "r5"}[len(loaded.Dimensions)], true)
		count("network", m.Network)
		count("array", !m.Network && n <= arrayNodes)
		count("large", n > arrayNodes)
		count("degree of 16", degree == hypercycle.MaxDegree)
		count("one bit", m.PayloadBits == 1)
		count("wide", m.PayloadBits > 64)
		count("widest", m.PayloadBits == machine.MaxPayloadBits)
		count("source id", m.SourceID)
		count("destinations", m.Destination)
		count("tlast", m.Last)
		count("barrier", m.Barrier)
		count("errors of nodes", loaded.NodeErrors)
		count("deliveries with destinations", loaded.Scope)
		count("programmable with errors of nodes", loaded.NodeErrors && loaded.Programmable != nil)
		count("destinations, tlast and barrier", m.Destination && m.Last && m.Barrier)
		count("destinations without a network top", m.Destination && !m.Network)
		count(fmt.Sprintf("destinations, %d stages, %s", loaded.Stages, loaded.Delivery), m.Destination)
		count(loaded.Preference.String(), true)
		count("default depth", m.FIFODepth == 0)
		count("odd depth", loaded.FIFODepth%2 == 1)
		count("deepest", loaded.FIFODepth == machine.MaxFIFODepth)
		count(fmt.Sprintf("%d stages, %s", loaded.Stages, loaded.Delivery), true)
		count("default options", m.Stages == 0 && m.Delivery == "")
		count("synthesis", len(m.Synthesis) > 0)
		count("programmable", loaded.Programmable != nil)
		count("programmable with a port to spare", loaded.Programmable != nil && loaded.Programmable.MaxDegree > degree)
		count("axi4lite", loaded.Programmable != nil && loaded.Programmable.Bus == machine.AXI4Lite)
		count("long name", len(m.Name) == machine.MaxNameLength)
	}
	assert.Greater(t, len(different), 490)
	for _, what := range []string{"broadcasts", "no stalls", "longest links", "rings of complete graphs", "long paths", "transfers", "r1", "r2", "r3", "r4", "network", "array", "large", "degree of 16", "one bit", "wide", "widest", "source id",
		"clockwise", "counterclockwise", "balanced", "default depth", "odd depth", "deepest", "1 stages, merged", "1 stages, per_port", "2 stages, merged", "2 stages, per_port", "default options", "synthesis", "long name",
		"programmable", "programmable with a port to spare", "axi4lite",
		"errors of nodes", "deliveries with destinations", "programmable with errors of nodes",
		"destinations", "tlast", "barrier", "destinations, tlast and barrier", "destinations without a network top",
		"destinations, 1 stages, merged", "destinations, 1 stages, per_port", "destinations, 2 stages, merged", "destinations, 2 stages, per_port",
		"messages to one node", "messages to several nodes", "messages with tlast", "mixed with broadcasts", "hot spot elsewhere",
		"scheduled stalls", "scheduled stalls to the end", "random load of some nodes",
		"pattern broadcast", "pattern uniform", "pattern transpose", "pattern hotspot", "pattern neighbour", "pattern rows"} {
		assert.GreaterOrEqual(t, seen[what], 3, "%s: %v", what, seen)
	}
}
