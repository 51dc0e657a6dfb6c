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
	contradicted := func(wrong flaw) error {
		for _, c := range tight {
			for _, kinds := range [][2]int{{5, 5}, {8, 1}, {0, 10}} {
				p := newPlan(t, c.r, destination())
				n := c.load.network(p)
				n.offers.choose = mixed(p, kinds[0], kinds[1])
				wrong(n.rules)
				j := newJudge(p)
				for n.Cycle() < 2000 {
					n.evaluate()
					if err := j.network(n); err != nil {
						return err
					}
					n.commit()
				}
			}
		}
		return nil
	}
	require.NoError(t, contradicted(right))
	for _, name := range []string{
		"always done", "nobody is behind", "an injection costs nothing", "the cap and the rest are more", "the refill is twice as large", "credit without a tick",
	} {
		err := contradicted(paceFlaws[name])
		t.Log(name, ": ", err)
		assert.Error(t, err, name)
	}
}

// The lines that let a router advance: nodes that send to one node, or nothing, do not hold up broadcasts. Node 0 sends to its
// neighbour, node 4 to all, the others nothing.
func TestBroadcastsAreNotHeldUpBySingleMessages(t *testing.T) {
	for name, wrong := range map[string]flaw{
		"":                             right,
		"served is ignored":            destinationPaceFlaws["served is ignored"],
		"done if served alone":         destinationPaceFlaws["done if served alone"],
		"those who offer nothing wait": paceFlaws["those who offer nothing wait"],
	} {
		p := newPlan(t, rings{{8, 1}}, destination(), perPort())
		n := newNetwork(p, random(1, 0, 1), []int{0, 4})
		n.offers.choose = func(v int32, _ int) offer {
			if v == 0 {
				return offer{to: p.Machine.Graph.To(1)}
			}
			return offer{to: hypercycle.Everywhere(1)}
		}
		wrong(n.rules)
		for n.Cycle() < 400 {
			n.Step()
		}
		single, all := n.count.injections[0], n.count.injections[4]
		t.Logf("%q: %d messages to one node, %d broadcasts", name, single, all)
		require.Equal(t, name == "", all >= 390, name)
	}
}
