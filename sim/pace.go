// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"

	"github.com/hcgen/hcgen/plan"
)

const paceMask = 1<<plan.PaceBits - 1

// clock is the neighbour clock of a router on its own (docs/architecture.md, "Pace"; with destinations
// docs/addressed-messages.md, "Pace"). The credit is counted in parts of a turn, of which a broadcast costs unit.
// Without destinations unit is 1 and served changes nothing: after a handshake rest is at most 1.
type clock struct {
	unit   uint8
	pace   uint8
	credit uint8
	cost   uint8 // of the message whose handshake was in the cycle before; 0: there was none
	served bool  // a message has been injected since the last tick
}

func resetClock(unit uint8) clock { return clock{unit: unit, credit: unit} }

// open tells whether the local input may ask for a message of this cost.
func (c *clock) open(cost uint8) bool { return c.credit-c.cost >= cost }

// step is the clock edge of a cycle with these paces of the neighbours, of so many links. cost is that of the message
// whose handshake is in this cycle, 0 without one.
func (c *clock) step(linkPace uint64, links int, offered bool, cost uint8) {
	rest, served := c.credit-c.cost, c.served || c.cost > 0
	done := rest <= c.unit || served || !offered
	for p := range links {
		if pace := uint8(linkPace>>(plan.PaceBits*p)) & paceMask; pace == (c.pace-1)&paceMask {
			done = false
		}
	}
	c.credit, c.served = rest, served
	if done {
		c.pace = (c.pace + 1) & paceMask
		c.credit, c.served = min(rest+c.unit, 2*c.unit), false
	}
	c.cost = cost
}

// clocks are the neighbour clocks of all routers of a network, 64 in a word. Most of the
// time most of them advance, or most do not, and both cost little: who is behind whom only
// changes between one that advances and one that does not.
type clocks struct {
	neighbor []int32 // [node*degree + port]
	degree   int
	nodes    set // all

	pace   [2]set  // the bits of the paces, the lowest first
	credit [2]set  // those of the credits
	before set     // routers whose local input completed a handshake in the cycle before
	open   set     // routers whose local input may ask
	behind []uint8 // by node: links at whose other end is one that is behind
	held   set     // routers of which somebody is behind

	parts *parts // with destinations: the credits, instead of credit, before and open

	injected set // routers whose local input completes a handshake in this cycle
	advance  set // routers whose pace advances at the end of this cycle
}

// It does not compile with another refill or cap, nor with wider paces.
var _ = [1]struct{}{}[plan.Refill-1+plan.Cap-2+plan.PaceBits-2+plan.CreditCap-2*plan.TurnCost]

// newClocks are the clocks after reset.
func newClocks(nodes, degree int, neighbor []int32) clocks {
	words := (nodes + 63) / 64
	sets := make([]uint64, 9*words)
	next := func() set {
		s := set(sets[:words:words])
		sets = sets[words:]
		return s
	}
	c := clocks{neighbor: neighbor, degree: degree, behind: make([]uint8, nodes)}
	c.nodes, c.before, c.open, c.held, c.injected, c.advance = next(), next(), next(), next(), next(), next()
	c.pace = [2]set{next(), next()}
	c.credit = [2]set{next(), make(set, words)}
	for v := range nodes {
		c.nodes.add(int32(v))
	}
	copy(c.credit[0], c.nodes)
	copy(c.open, c.nodes)
	return c
}

// of returns the pace of a node.
func (c *clocks) of(v int32) uint8 { return uint8(c.pace[0].bit(v) | c.pace[1].bit(v)<<1) }

// parts are credits counted in parts of a turn, by node.
type parts struct {
	rest   []uint8 // what the local input can still use
	cost   []uint8 // of the message on offer
	free   bool    // every message may start
	served set     // nodes that have injected since their last tick, of handshakes before this cycle
}

func newParts(nodes int) *parts {
	t := &parts{rest: make([]uint8, nodes), cost: make([]uint8, nodes), served: make(set, (nodes+63)/64)}
	for v := range t.rest {
		t.rest[v] = plan.TurnCost
	}
	return t
}

// stepParts counts the credits and finds the nodes that advance.
func (c *clocks) stepParts(offered set) {
	t := c.parts
	for w, nodes := range c.nodes {
		var advance uint64
		for word := nodes; word != 0; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			v := w<<6 + b
			done := c.held[w]>>b&1 == 0 && (t.rest[v] <= plan.TurnCost || (t.served[w]|^offered[w])>>b&1 != 0)
			if done {
				advance |= 1 << b
				t.rest[v] = min(t.rest[v]+plan.TurnCost, plan.CreditCap)
			}
			if c.injected[w]>>b&1 != 0 && !t.free {
				t.rest[v] -= t.cost[v]
			}
		}
		c.advance[w] = advance
		t.served[w] = t.served[w]&^advance | c.injected[w]
		c.injected[w] = 0
	}
}

// stepCredits counts the credits and finds the nodes that advance, if all messages are broadcasts.
func (c *clocks) stepCredits(offered set) {
	for w, nodes := range c.nodes {
		injected := c.before[w]
		// rest is the credit, less 1 after a handshake; at most one of its bits is set
		rest0 := c.credit[0][w] ^ injected
		rest1 := c.credit[1][w] &^ (injected &^ c.credit[0][w])
		advance := nodes &^ c.held[w] &^ (rest1 & offered[w])
		c.advance[w] = advance
		// one that advances has one more, but not more than 2
		credit0 := rest0&^advance | advance&^(rest0|rest1)
		credit1 := rest1 | advance&rest0
		c.credit[0][w], c.credit[1][w] = credit0, credit1
		c.before[w] = c.injected[w]
		c.open[w] = nodes & (credit1 | credit0&^c.injected[w])
		c.injected[w] = 0
	}
}

// step is the clock edge of a cycle in which these nodes offer a message.
func (c *clocks) step(offered set) {
	if c.parts != nil {
		c.stepParts(offered)
	} else {
		c.stepCredits(offered)
	}
	advancing, all := 0, len(c.behind)
	for _, advance := range c.advance {
		advancing += bits.OnesCount64(advance)
	}
	switch {
	case advancing == 0 || advancing == all:
	case 2*advancing < all:
		c.relate(true)
	default:
		c.relate(false)
	}
	for w, advance := range c.advance {
		c.pace[1][w] ^= c.pace[0][w] & advance
		c.pace[0][w] ^= advance
	}
}

// relate finds who is behind whom after this clock edge. It goes through those that
// advance, or through the others.
func (c *clocks) relate(advancing bool) {
	var other uint64
	if !advancing {
		other = ^other
	}
	for w, advance := range c.advance {
		for word := (advance ^ other) & c.nodes[w]; word != 0; word &= word - 1 {
			v := int32(w<<6 + bits.TrailingZeros64(word))
			for _, u := range c.neighbor[int(v)*c.degree:][:c.degree] {
				if c.advance.has(u) == advancing {
					continue
				}
				ahead, still := v, u
				if !advancing {
					ahead, still = u, v
				}
				// Nobody was behind the one that advances, so the other one had the same
				// pace or was one ahead.
				if c.pace[0].has(ahead) == c.pace[0].has(still) {
					c.behind[ahead]++
					c.held.add(ahead)
				} else if c.behind[still]--; c.behind[still] == 0 {
					c.held.remove(still)
				}
			}
		}
	}
}
