// SPDX-License-Identifier: Apache-2.0

package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/sim"
)

// A network skips idle routers, which changes no wire.
func TestIdleRoutersMayBeSkipped(t *testing.T) {
	cycles := 400
	if testing.Short() {
		cycles = 100
	}
	skipped := 0
	for at, r := range corner {
		for i, load := range []struct {
			rate, stall float64
			registers   []int
		}{{0.002, 0, []int{0}}, {0.02, 0.3, []int{0}}, {1, 0.2, []int{0}}, {1, 0.7, []int{0}}, {0.01, 0.3, []int{1, 3}}, {0.2, 0.3, []int{2, 0}}} {
			options := variants[(at+i)%len(variants)].With(fifoDepth(2+(at+i)%3), registers(load.registers...), func(m *machine.Machine) { m.Barrier = i%2 == 0 })
			if at%2 == 0 {
				options = append(options, destination(), last())
			}
			p := newPlan(t, r, options...)
			n, every := newRun(p, random(load.rate, load.stall, 7)), newRun(p, random(load.rate, load.stall, 7))
			every.every = true
			if p.Destination != nil {
				n.offers.Choose = mixed(p, 6, 1)
				every.offers.Choose = n.offers.Choose
			}
			var in, otherIn sim.Inputs
			for n.Cycle() < cycles {
				n.Evaluate()
				every.Evaluate()
				require.Len(t, every.evaluated, p.Nodes)
				skipped += p.Nodes - len(n.evaluated)
				for v := range p.Nodes {
					var out, otherOut sim.Outputs
					every.Wires(v, &otherIn, &otherOut)
					n.Wires(v, &in, &out)
					if n.Idle(v) {
						require.Zero(t, otherOut.LinkValid|otherOut.LocalValid|otherIn.LinkValid, "%v cycle %d node %d", r, n.cycle, v)
						out.LocalReady = false // of an earlier cycle
					}
					if in != otherIn || out != otherOut {
						t.Fatalf("%v cycle %d node %d: a skipped router makes a difference", r, n.cycle, v)
					}
				}
				n.finish()
				every.finish()
			}
		}
	}
	require.Positive(t, skipped)
}
