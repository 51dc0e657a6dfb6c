// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

// size measures a machine: shrinking makes nothing of it larger.
func size(m *Machine) []int {
	sizes := []int{len(m.Dimensions), len(m.Traffic), len(m.Synthesis), m.PayloadBits, m.FIFODepth, m.Stages}
	nodes, degree := m.nodes()
	cycles, broadcasts, stalls := 0, 0, 0
	for _, t := range m.Traffic {
		cycles += t.Cycles
		broadcasts += len(t.Broadcasts) + len(t.Sends)
		if t.Random != nil {
			stalls += t.Random.Stall
		}
	}
	options := 0
	for _, on := range []bool{m.SourceID, m.Destination, m.Last, m.Barrier, m.NodeErrors, m.Scope} {
		if on {
			options++
		}
	}
	return append(sizes, nodes, degree, cycles, broadcasts, stalls, options)
}

func TestCandidatesAreLegalAndSmaller(t *testing.T) {
	for number := range uint64(60) {
		m := Draw(3, number)
		before := m.HCL()
		tries := uint64(0)
		Shrink(t.Context(), m, &Failure{}, 1, func(_ context.Context, c *Machine, _ *Failure) *Failure {
			drawn(t, c)
			for i, s := range size(c) {
				assert.LessOrEqual(t, s, size(m)[i], "%s\n%s", before, c.HCL())
			}
			if tries++; (tries+number)%5 == 0 {
				return &Failure{}
			}
			return nil
		})
		require.Equal(t, before, m.HCL(), "a machine was changed in place")
	}
}

// fails makes a check from a property of a machine.
func fails(is func(m *Machine) bool) checkFunc {
	return func(_ context.Context, m *Machine, _ *Failure) *Failure {
		if is(m) {
			return &Failure{Stage: StageSimulate, Bench: "network", Text: "wrong"}
		}
		return nil
	}
}

// The smallest machine has only the parts that the failure needs.
func TestShrinkFindsTheSmallest(t *testing.T) {
	someRing := func(m *Machine, is func(d Dimension) bool) bool { return slices.ContainsFunc(m.Dimensions, is) }
	for _, c := range []struct {
		name string
		is   func(m *Machine) bool
		want string
	}{
		{"everything", func(*Machine) bool { return true }, "{[{a 2 1}] 1 false  0 0  1 []}"},
		{"rings that go on", func(m *Machine) bool { return someRing(m, func(d Dimension) bool { return d.M > 3*d.Rho }) }, "{[{a 4 1}] 1 false  0 0  1 []}"},
		{"transfers", func(m *Machine) bool { return someRing(m, func(d Dimension) bool { return d.Rho == 2 && d.M >= 6 }) }, "{[{a 6 2}] 1 false  0 0  1 []}"},
		{"two dimensions", func(m *Machine) bool { return len(m.Dimensions) >= 2 }, "{[{a 2 1} {b 2 1}] 1 false  0 0  1 []}"},
		{"payloads above 8 bits", func(m *Machine) bool { return m.PayloadBits > 8 }, "{[{a 2 1}] 9 false  0 0  1 []}"},
		{"a source id and another preference", func(m *Machine) bool { return m.SourceID && m.Preference == "balanced" }, "{[{a 2 1}] 1 true balanced 0 0  1 []}"},
		{"hops of 6 slots", func(m *Machine) bool { return m.FIFODepth >= 6 }, "{[{a 2 1}] 1 false  6 0  1 []}"},
		{"two stages", func(m *Machine) bool { return m.Stages == 2 }, "{[{a 2 1}] 1 false  0 2  1 []}"},
		{"deliveries by port", func(m *Machine) bool { return m.Delivery == "per_port" }, "{[{a 2 1}] 1 false  0 0 per_port 1 []}"},
		{"destinations", func(m *Machine) bool { return m.Destination }, "{[{a 2 1}] 1 false  0 0  1 [destination]}"},
		{"deliveries with destinations", func(m *Machine) bool { return m.Scope }, "{[{a 2 1}] 1 false  0 0  1 [destination scope]}"},
		{"errors of nodes", func(m *Machine) bool { return m.NodeErrors }, "{[{a 2 1}] 1 false  0 0  1 [node errors]}"},
		{"a barrier and tlast", func(m *Machine) bool { return m.Barrier && m.Last }, "{[{a 2 1}] 1 false  0 0  1 [last barrier]}"},
		{"a scheduled row with tlast", func(m *Machine) bool {
			return slices.ContainsFunc(m.Traffic, func(t Traffic) bool {
				return slices.ContainsFunc(t.Sends, func(s Send) bool { return s.Last && s.To[0] == hypercycle.All })
			})
		}, "{[{a 2 1}] 1 false  0 0  1 [destination last]}"},
		{"a scheduled stall", func(m *Machine) bool {
			return slices.ContainsFunc(m.Traffic, func(t Traffic) bool { return len(t.Stalls) > 0 })
		}, "{[{a 2 1}] 1 false  0 0  1 []}"},
		{"one source that is not node 0", func(m *Machine) bool {
			return slices.ContainsFunc(m.Traffic, func(t Traffic) bool {
				return t.Random != nil && len(t.Random.Sources) == 1 && slices.Max(t.Random.Sources[0]) > 0
			})
		}, "{[{a 2 1}] 1 false  0 0  1 []}"},
		{"a hot spot that is not node 0", func(m *Machine) bool {
			return slices.ContainsFunc(m.Traffic, func(t Traffic) bool { return t.Random != nil && slices.Max(append(t.Random.Hot, 0)) > 0 })
		}, "{[{a 2 1}] 1 false  0 0  1 [destination]}"},
		{"a ring of 5 with 3 bits after 40 cycles", func(m *Machine) bool {
			return someRing(m, func(d Dimension) bool { return d.M >= 5 }) && m.PayloadBits >= 3 &&
				slices.ContainsFunc(m.Traffic, func(t Traffic) bool { return t.Cycles >= 40 })
		}, "{[{a 5 1}] 3 false  0 0  40 []}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			shrunk := 0
			for number := range uint64(400) {
				m := Draw(5, number)
				if !c.is(m) {
					continue
				}
				shrunk++
				f := fails(c.is)(t.Context(), m, nil)
				small, failure, tried := Shrink(t.Context(), m, f, 1+int(number%4), fails(c.is))
				require.NotNil(t, failure)
				require.Len(t, small.Traffic, 1)
				require.Equal(t, c.want, fmt.Sprint(struct {
					D          []Dimension
					Payload    int
					SourceID   bool
					Preference string
					FIFODepth  int
					Stages     int
					Delivery   string
					Cycles     int
					Options    []string
				}{small.Dimensions, small.PayloadBits, small.SourceID, small.Preference, small.FIFODepth, small.Stages, small.Delivery, small.Traffic[0].Cycles, small.carries()}), "machine %d", number)
				assert.Empty(t, small.Synthesis)
				assert.LessOrEqual(t, len(small.Traffic[0].Broadcasts)+len(small.Traffic[0].Sends), 1)
				assert.LessOrEqual(t, len(small.Traffic[0].Stalls), 1)
				assert.Less(t, tried, 80)
				if shrunk == 30 {
					break
				}
			}
			assert.GreaterOrEqual(t, shrunk, 5)
		})
	}
}

// carries lists the options of addressed messages that are on.
func (m *Machine) carries() (on []string) {
	for _, o := range []struct {
		name string
		on   bool
	}{{"destination", m.Destination}, {"last", m.Last}, {"barrier", m.Barrier}, {"node errors", m.NodeErrors}, {"scope", m.Scope}} {
		if o.on {
			on = append(on, o.name)
		}
	}
	return on
}

func TestShrinkKeepsToTheKindOfFailure(t *testing.T) {
	m := Draw(5, 1)
	check := func(_ context.Context, c *Machine, _ *Failure) *Failure {
		if c.PayloadBits < m.PayloadBits {
			return &Failure{Stage: StageLint}
		}
		return &Failure{Stage: StageSimulate, Bench: "network"}
	}
	small, failure, _ := Shrink(t.Context(), m, &Failure{Stage: StageSimulate, Bench: "network"}, 2, check)
	assert.Equal(t, m.PayloadBits, small.PayloadBits)
	assert.Equal(t, StageSimulate, failure.Stage)
	assert.Less(t, small.nodesOnly(), m.nodesOnly())
}

func (m *Machine) nodesOnly() int { n, _ := m.nodes(); return n }

func TestShrinkStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tries := 0
	m := Draw(5, 1)
	small, _, _ := Shrink(ctx, m, &Failure{}, 1, func(context.Context, *Machine, *Failure) *Failure {
		if tries++; tries == 3 {
			cancel()
		}
		return nil
	})
	assert.Equal(t, m, small)
	assert.Equal(t, 3, tries)
}
