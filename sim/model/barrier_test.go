// SPDX-License-Identifier: Apache-2.0

package model

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/sim"
)

// arrivals are nodes without messages, and whether each has arrived at its barrier.
type arrivals []bool

func (a arrivals) Begin(int)              {}
func (a arrivals) Offering(int) bool      { return false }
func (a arrivals) Offer(int, *sim.Inputs) {}
func (a arrivals) Ready(int, int) bool    { return true }
func (a arrivals) Arrived(v int) bool     { return a[v] }
func (a arrivals) Taken(int)              {}
func (a arrivals) Released(v int)         { a[v] = false }

// All nodes are released in the same cycle, exactly D + 1 cycles after the last arrival.
func TestBarrierReleasesAllTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, r := range corner {
		p := newPlan(t, r, withBarrier())
		arrived := make(arrivals, p.Nodes)
		n := NewNetwork(p, arrived, Options{})
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
			n.Evaluate()
			n.Step()
		}
		done := p.Nodes * 3000
		for v := range p.Nodes {
			done = min(done, len(releases[v]))
		}
		require.Greater(t, done, 3, "%v", r)
		for i := range done {
			last := 0
			for v := range p.Nodes {
				last = max(last, arrivals[v][i])
			}
			for v := range p.Nodes {
				require.Equal(t, last+p.Machine.Graph.Diameter()+1, releases[v][i], "%v: barrier %d, node %d", r, i, v)
			}
		}
		for v := range p.Nodes {
			require.Len(t, releases[v], done, "%v: node %d is a barrier ahead", r, v)
		}
	}
}
