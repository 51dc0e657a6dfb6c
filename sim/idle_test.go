// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
)

// A network skips idle routers, which changes no wire.
func TestIdleRoutersMayBeSkipped(t *testing.T) {
	skipped := 0
	for at, r := range corner {
		for i, load := range []struct{ rate, stall float64 }{{0.002, 0}, {0.02, 0.3}, {1, 0.2}, {1, 0.7}} {
			options := variants[(at+i)%len(variants)].with(fifoDepth(2+(at+i)%3), func(m *machine.Machine) { m.Barrier = i%2 == 0 })
			if at%2 == 0 {
				options = append(options, destination(), last())
			}
			p := newPlan(t, r, options...)
			n, every := NewNetwork(p, random(load.rate, load.stall, 7)), NewNetwork(p, random(load.rate, load.stall, 7))
			every.every = true
			if p.Destination != nil {
				n.offers.choose = mixed(p, 6, 1)
				every.offers.choose = n.offers.choose
			}
			var in, otherIn Inputs
			for n.Cycle() < 400 {
				n.evaluate()
				every.evaluate()
				require.Len(t, every.evaluated, p.Nodes)
				skipped += p.Nodes - len(n.evaluated)
				for v := range p.Nodes {
					var out, otherOut Outputs
					every.wires(v, &otherIn, &otherOut)
					n.wires(v, &in, &out)
					if n.idle(v) {
						require.Zero(t, otherOut.LinkValid|otherOut.LocalValid|otherIn.LinkValid, "%v cycle %d node %d", r, n.cycle, v)
						out.LocalReady = false // of an earlier cycle
					}
					if in != otherIn || out != otherOut {
						t.Fatalf("%v cycle %d node %d: a skipped router makes a difference", r, n.cycle, v)
					}
				}
				n.commit()
				every.commit()
			}
		}
	}
	require.Positive(t, skipped)
}
