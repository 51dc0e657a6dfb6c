// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"
)

// turnsOf is the state of such a tree arbiter of a router.
func turnsOf(c *control, s *shape, at int) *tree {
	if at < len(s.groups) {
		return &c.group[at].turn
	}
	return &c.deliverTurn
}

// treeTitle is the name of such a tree arbiter.
func treeTitle(s *shape, at int) string {
	if at < len(s.groups) {
		return fmt.Sprintf("group %d", at+1)
	}
	return "delivery"
}

func (n *treeNode) String() string {
	return fmt.Sprintf("node of %s and %s", ends(n.lower), ends(n.upper))
}

// ends names the first and the last of some requesters.
func ends(requesters uint32) string {
	if requesters == 1 {
		return "the local input"
	}
	first, last := bits.TrailingZeros32(requesters)-1, bits.Len32(requesters)-2
	if first == last {
		return fmt.Sprintf("link %02d", first)
	}
	return fmt.Sprintf("links %02d to %02d", first, last)
}

// halves says which halves of a node ask: bit 0 the lower one, bit 1 the upper one.
func (n *treeNode) halves(req uint32) int {
	return int(all(req&n.lower != 0)&1 | all(req&n.upper != 0)&2)
}

// below tells whether a requester is below the node.
func (n *treeNode) below(who uint8) bool { return (n.lower|n.upper)>>who&1 != 0 }

// turn is whose turn it is: 0 that of the lower half, 1 of the upper one.
func (n *treeNode) turn(t tree) int { return int(all(t&n.bit != 0) & 1) }

// nodeAt is a node as the place of an event.
func nodeAt(at, node int) int { return at<<8 | node }

// nodeCase is what happens at a node of whose halves one is selected.
func nodeCase(halves, turn int, completed bool) int {
	return halves<<2 | turn<<1 | int(all(completed)&1)
}

// addTrees adds the events of each node of each tree arbiter.
func (c *coverage) addTrees() {
	for at, requesters := range treesOf(c.shape) {
		for i, n := range nodesOf(requesters) {
			title := fmt.Sprintf("%s: %v", treeTitle(c.shape, at), &n)
			for halves, asks := range []string{1: "the lower half alone asks", "the upper half alone asks", "both halves ask"} {
				if halves == 0 {
					continue
				}
				for turn, whose := range []string{"lower", "upper"} {
					for done, name := range []string{"not completed", "completed"} {
						c.add("node", nodeAt(at, i), nodeCase(halves, turn, done > 0), "%s: %s in the turn of the %s one, %s", title, asks, whose, name)
					}
				}
				if !n.top {
					c.add("node beside", nodeAt(at, i), halves, "%s: %s, another is selected", title, asks)
				}
			}
			c.add("node after reset", nodeAt(at, i), 0, "%s: selects after reset while both halves ask", title)
			c.unselected[nodeAt(at, i)] = true
		}
	}
}

// observeTree counts the events of a tree arbiter that these ask, from its state before and
// after. It returns who is selected.
func (c *coverage) observeTree(at int, req uint32, was, is tree) (who uint8) {
	who = was.pick(req)
	completed := is == was.after(who, true)
	for i, n := range nodesOf(treesOf(c.shape)[at]) {
		halves, node := n.halves(req), nodeAt(at, i)
		if !n.below(who) {
			c.hit("node beside", node, halves)
			continue
		}
		c.hit("node", node, nodeCase(halves, n.turn(was), completed))
		c.hitIf(c.unselected[node] && halves == 3, "node after reset", node, 0)
		c.unselected[node] = false
	}
	return who
}
