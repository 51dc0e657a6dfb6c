// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// treeCase is what a node of a tree arbiter meets in a cycle in which it is asked.
type treeCase struct {
	selected bool // one of its halves is
	upper    bool // the one that is, or would be
	both     bool // both halves ask
	turn     bool // it is that of the upper half
	done     bool // the selected requester is completed
}

// treeFlaws are flaws of a node: whether it is the turn of the upper half afterwards, if it is wrong.
var treeFlaws = map[string]func(c treeCase) (turn, wrong bool){
	"the turn does not pass from a half that asks alone": func(c treeCase) (bool, bool) {
		return c.upper, c.selected && !c.both && c.done
	},
	"nothing changes when a half that asks alone is completed": func(c treeCase) (bool, bool) {
		return c.turn, c.selected && !c.both && c.done
	},
	"the turn becomes that of a half that asks alone in the other's": func(c treeCase) (bool, bool) {
		return !c.turn, c.selected && !c.both && c.done
	},
	"the turn does not pass if both halves ask": func(c treeCase) (bool, bool) {
		return c.upper, c.selected && c.both && c.done
	},
	"the turn passes though the requester is not completed": func(c treeCase) (bool, bool) {
		return !c.upper, c.selected && !c.done
	},
	"the turn passes from a half that asks alone though the requester is not completed": func(c treeCase) (bool, bool) {
		return !c.upper, c.selected && !c.both && !c.done
	},
	"the turn does not become that of a half that asks alone and is not completed": func(c treeCase) (bool, bool) {
		return c.turn, c.selected && !c.both && !c.done
	},
	"the turn passes though another is selected": func(c treeCase) (bool, bool) {
		return !c.upper, !c.selected && c.done
	},
	"the turn becomes that of the half that asks though another is selected": func(c treeCase) (bool, bool) {
		return c.upper, !c.selected && !c.done
	},
}

// withFlaw is the clock edge of a tree arbiter with a flaw of a node.
func (n *treeNode) withFlaw(flaw func(treeCase) (bool, bool), was tree, req uint32, who uint8, completed bool) tree {
	is := was.after(who, completed)
	halves := n.halves(req)
	if halves == 0 {
		return is
	}
	c := treeCase{selected: n.below(who), both: halves == 3, turn: was&n.bit != 0, done: completed}
	c.upper = halves == 2 || c.both && c.turn
	if turn, wrong := flaw(c); wrong {
		is = is&^n.bit | n.bit&tree(all(turn))
	}
	return is
}

// Wrong rules of any node of any tree arbiter must show.
func TestRouterTraceShowsFlawsOfEveryTreeNode(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, r := range mutated {
		p := newPlan(t, r)
		s := newShape(p)
		for at, requesters := range treesOf(s) {
			for _, n := range nodesOf(requesters) {
				for _, name := range slices.Sorted(maps.Keys(treeFlaws)) {
					if n.top && (name == "the turn passes though another is selected" || name == "the turn becomes that of the half that asks though another is selected") {
						continue // somebody below it always is
					}
					tried++
					wrong := func(which int, was tree, req uint32, who uint8, completed bool) tree {
						if which != at {
							return was.after(who, completed)
						}
						return n.withFlaw(treeFlaws[name], was, req, who, completed)
					}
					m := mutant{reset: func(b *Router) { b.shape.rule.turn = wrong }}
					assert.Less(t, firstDifference(p, m), traceLength(p), "%v: %s: %v: %s", r, treeTitle(s, at), &n, name)
				}
			}
		}
	}
	assert.Greater(t, tried, 500)
}
