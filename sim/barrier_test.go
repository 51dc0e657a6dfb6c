// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
)

// No node is released before all have arrived, and all are released at most D + 2 cycles after the last arrival.
func TestBarrierReleasesAllAfterTheLastArrival(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, r := range corner {
		p := newPlan(t, r, func(m *machine.Machine) { m.Barrier = true })
		n := NewNetwork(p, machine.Traffic{})
		n.arrivals.rate = newChance(0) // nodes arrive as the test says
		arrived := n.arrivals.arrived
		arrivals, releases := make([][]int, p.Nodes), make([][]int, p.Nodes) // by node: the cycles
		for cycle := range 3000 {
			rate := []float64{1, 0.3, 0.05, 0.01}
			for v := range p.Nodes {
				if !arrived[v] && random.Float64() < rate[(cycle/500+v)%4] {
					arrived[v] = true
					arrivals[v] = append(arrivals[v], cycle)
				}
				if n.barriers[v].release {
					releases[v] = append(releases[v], cycle)
				}
			}
			n.Step()
		}
		done := p.Nodes * 3000
		for v := range p.Nodes {
			done = min(done, len(releases[v]))
		}
		require.Greater(t, done, 3, "%v", r)
		for i := range done {
			var arrived, released []int
			for v := range p.Nodes {
				arrived, released = append(arrived, arrivals[v][i]), append(released, releases[v][i])
			}
			require.Greater(t, slices.Min(released), slices.Max(arrived), "%v: barrier %d", r, i)
			require.LessOrEqual(t, slices.Max(released), slices.Max(arrived)+p.Machine.Graph.Diameter()+2, "%v: barrier %d", r, i)
		}
		for v := range p.Nodes {
			require.LessOrEqual(t, len(releases[v]), done+1, "%v: a node is a barrier ahead", r)
		}
	}
}
