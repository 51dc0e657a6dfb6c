// SPDX-License-Identifier: Apache-2.0

package soak

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// wrong is the failure of a machine with a property. Each machine must be legal.
func wrong(t *testing.T, is func(*machine.Machine) bool) func(*machine.Machine) *Failure {
	return func(m *machine.Machine) *Failure {
		_, _, diags := machine.LoadBytes("machine.hcl", m.HCL(), nil)
		require.Empty(t, diags, "%s", m.HCL())
		if is(m) {
			return &Failure{Stage: Simulate, Bench: "network"}
		}
		return nil
	}
}

// summary is what the smallest machine has beside its defaults.
func summary(m *machine.Machine) string {
	text := ""
	for _, d := range m.Dimensions {
		text += fmt.Sprintf("(%d,%d)", d.M, d.Rho)
		switch {
		case d.Link.Kind == machine.Clocks:
			text += " clocks"
		case d.Link.Registers > 0:
			text += fmt.Sprintf(" %d registers", d.Link.Registers)
		}
	}
	add := func(is bool, what string, values ...any) {
		if is {
			text += " " + fmt.Sprintf(what, values...)
		}
	}
	add(m.PayloadBits > 1, "%d bits", m.PayloadBits)
	add(m.SourceID, "source_id")
	add(m.Destination, "destination")
	add(m.Last, "last")
	add(m.Scope, "scope")
	add(m.Barrier, "barrier")
	add(m.NodeErrors, "node_errors")
	add(m.Preference != hypercycle.Clockwise, "%s", m.Preference)
	add(m.FIFODepth > machine.MinFIFODepth, "depth %d", m.FIFODepth)
	add(m.Stages > machine.MinStages, "stages %d", m.Stages)
	add(m.Delivery != machine.Merged, "%s", m.Delivery)
	add(m.Programmable != nil, "programmable")
	add(len(m.Synthesis) > 0, "synthesis")
	for _, w := range m.Traffic {
		add(true, "%d cycles", w.Cycles)
		add(len(w.Sends) > 1, "%d sends", len(w.Sends))
		add(len(w.Stalls) > 0, "%d stalls", len(w.Stalls))
		add(w.Random != nil, "random")
	}
	return text
}

// The smallest machine has only the parts that the failure needs.
func TestShrinkFindsTheSmallest(t *testing.T) {
	ring := func(m *machine.Machine, is func(d machine.Dimension) bool) bool {
		return slices.ContainsFunc(m.Dimensions, is)
	}
	traffic := func(m *machine.Machine, is func(w machine.Traffic) bool) bool {
		return slices.ContainsFunc(m.Traffic, is)
	}
	wanted := 3
	if testing.Short() {
		wanted = 1
	}
	// Endpoints bring a payload, destinations, a barrier and errors of nodes at once, so what looks for these looks at other machines.
	for _, c := range []struct {
		name string
		is   func(m *machine.Machine) bool
		want string
	}{
		{"everything", func(*machine.Machine) bool { return true }, "(2,1) 1 cycles"},
		{"rings that go on", func(m *machine.Machine) bool { return ring(m, func(d machine.Dimension) bool { return d.M > 3*d.Rho }) }, "(4,1) 1 cycles"},
		{"transfers", func(m *machine.Machine) bool {
			return ring(m, func(d machine.Dimension) bool { return d.Rho == 2 && d.M >= 6 })
		}, "(6,2) 1 cycles"},
		{"two dimensions", func(m *machine.Machine) bool { return len(m.Dimensions) >= 2 }, "(2,1)(2,1) 1 cycles"},
		{"registers on links", func(m *machine.Machine) bool { return m.Registers() > 0 }, "(2,1) 1 registers 1 cycles"},
		{"credits on a ring", func(m *machine.Machine) bool {
			return ring(m, func(d machine.Dimension) bool { return d.Link.Registers > 2 && d.D() > 1 })
		}, "(4,1) 3 registers 1 cycles"},
		{"clocks", (*machine.Machine).Clocks, "(2,1) clocks 1 cycles"},
		{"payloads above 8 bits", func(m *machine.Machine) bool { return m.PayloadBits > 8 && m.Endpoint == nil }, "(2,1) 9 bits 1 cycles"},
		{"a source id and another preference", func(m *machine.Machine) bool { return m.SourceID && m.Preference == hypercycle.Balanced }, "(2,1) source_id balanced 1 cycles"},
		{"hops of 6 slots", func(m *machine.Machine) bool { return m.FIFODepth >= 6 }, "(2,1) depth 6 1 cycles"},
		{"two stages and deliveries by port", func(m *machine.Machine) bool { return m.Stages == 2 && m.Delivery == machine.PerPort }, "(2,1) stages 2 per_port 1 cycles"},
		{"deliveries with destinations", func(m *machine.Machine) bool { return m.Scope }, "(2,1) destination scope 1 cycles"},
		{"errors of nodes", func(m *machine.Machine) bool { return m.NodeErrors && m.Endpoint == nil }, "(2,1) node_errors 1 cycles"},
		{"a barrier and tlast", func(m *machine.Machine) bool { return m.Barrier && m.Last }, "(2,1) last barrier 1 cycles"},
		{"programmable", func(m *machine.Machine) bool { return m.Programmable != nil }, "(2,1) programmable 1 cycles"},
		{"a message to one node with tlast", func(m *machine.Machine) bool {
			return traffic(m, func(w machine.Traffic) bool {
				return slices.ContainsFunc(w.Sends, func(s machine.Send) bool { return s.Last && s.To != nil && s.To.Unicast() })
			})
		}, "(2,1) destination last 1 cycles"},
		{"a scheduled stall", func(m *machine.Machine) bool {
			return traffic(m, func(w machine.Traffic) bool { return len(w.Stalls) > 0 })
		}, "(2,1) 1 cycles 1 stalls"},
		{"one source that is not node 0", func(m *machine.Machine) bool {
			return traffic(m, func(w machine.Traffic) bool {
				return w.Random != nil && len(w.Random.Sources) == 1 && w.Random.Sources[0] > 0
			})
		}, "(2,1) 1 cycles random"},
		{"a ring of 5 with 3 bits after 40 cycles", func(m *machine.Machine) bool {
			return ring(m, func(d machine.Dimension) bool { return d.M >= 5 }) && m.PayloadBits >= 3 && m.Endpoint == nil && traffic(m, func(w machine.Traffic) bool { return w.Cycles >= 40 })
		}, "(5,1) 3 bits 40 cycles"},
	} {
		t.Run(c.name, func(t *testing.T) {
			shrunk, check := 0, wrong(t, c.is)
			for number := uint64(0); shrunk < wanted; number++ {
				require.Less(t, number, uint64(400), "the draws have no such machine")
				first := check(Draw(5, number))
				if first == nil {
					continue
				}
				found := Shrink(t.Context(), 5, number, first, time.Minute, check)
				require.Equal(t, c.want, summary(found.Machine), "machine %d: %s", number, found.Machine.HCL())
				assert.Less(t, found.Tried, 150)
				shrunk++
			}
		})
	}
}

func TestShrinkKeepsToTheKindOfFailure(t *testing.T) {
	m := Draw(5, 1)
	found := Shrink(t.Context(), 5, 1, &Failure{Stage: Simulate, Bench: "network"}, time.Minute, func(c *machine.Machine) *Failure {
		if c.PayloadBits < m.PayloadBits {
			return &Failure{Stage: Lint}
		}
		return &Failure{Stage: Simulate, Bench: "network"}
	})
	assert.Equal(t, m.PayloadBits, found.Machine.PayloadBits)
	assert.Equal(t, Simulate, found.Failure.Stage)
	assert.Less(t, found.Machine.Graph.Nodes(), m.Graph.Nodes())
}

// The drawn machine is the result if there is no time for others.
func TestShrinkStopsWithTheContextAndTheTime(t *testing.T) {
	m := string(Draw(5, 1).HCL())
	ctx, cancel := context.WithCancel(t.Context())
	found := Shrink(ctx, 5, 1, &Failure{}, time.Minute, func(*machine.Machine) *Failure { cancel(); return nil })
	assert.Equal(t, m, string(found.Machine.HCL()))
	assert.Equal(t, 1, found.Tried)
	found = Shrink(t.Context(), 5, 1, &Failure{}, 50*time.Millisecond, func(*machine.Machine) *Failure { time.Sleep(20 * time.Millisecond); return nil })
	assert.Equal(t, m, string(found.Machine.HCL()))
	assert.Less(t, found.Tried, 4)
}
