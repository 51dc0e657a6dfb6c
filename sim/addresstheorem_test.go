// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

// Without one of the lines that hold a router back, the theorem does not hold for messages of every kind.
func TestEveryLineOfThePaceRuleOfDestinationsIsNeeded(t *testing.T) {
	contradicted := func(rule string) (err error) {
		for _, c := range tight {
			for _, kinds := range [][2]int{{5, 5}, {8, 1}, {0, 10}} {
				p := newPlan(t, c.r, destination())
				x := newNaive(p, random(c.load.Rate, c.load.Stall, c.load.Seed), c.load.Sources)
				x.offers.slow(c.load.Slow)
				x.offers.choose = mixed(p, kinds[0], kinds[1])
				x.step = wrongAddress{rule, p}.step
				j := newJudge(p)
				for x.cycle < 2000 {
					x.settle()
					if err := j.naive(x); err != nil {
						return err
					}
					x.commit()
				}
			}
		}
		return nil
	}
	require.NoError(t, contradicted(""), "the copy of the rule is right")
	for _, rule := range []string{"always done", "nobody is behind", "an injection costs nothing", "the cap is 48, and done up to 32", "the refill is 32", "credit without a tick"} {
		err := contradicted(rule)
		t.Log(rule, ": ", err)
		assert.Error(t, err, rule)
	}
}

// The lines that let a router advance: nodes that send to one node, or nothing, do not hold up broadcasts. Node 0 sends to its
// neighbour, node 4 to all, the others nothing.
func TestBroadcastsAreNotHeldUpBySingleMessages(t *testing.T) {
	for rule, least := range map[string]uint32{"": 390, "served is ignored": 0, "done if served alone": 0, "those who offer nothing wait": 0} {
		p := newPlan(t, rings{{8, 1}}, destination(), perPort())
		x := newNaive(p, random(1, 0, 1), []int{0, 4})
		x.offers.choose = func(v int32, _ int) offer {
			if v == 0 {
				return offer{to: p.Machine.Graph.To(1)}
			}
			return offer{to: hypercycle.Everywhere(1)}
		}
		x.step = wrongAddress{rule, p}.step
		for x.cycle < 400 {
			x.settle()
			x.commit()
		}
		t.Logf("%q: %d messages to one node, %d broadcasts", rule, x.injections[0], x.injections[4])
		require.GreaterOrEqual(t, x.injections[4], least, rule)
		require.Equal(t, rule == "", x.injections[4] >= 390, rule)
	}
}
