// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// gate is the self-clocked injection gate of a router.
type gate struct {
	balance int32  // -Cost..Cap; the gate is open if it is not negative
	silent  uint32 // the counter q: cycles without a delivery, up to 2^QuietBits - 1
	quiet   bool
}

// open tells whether the local input may ask.
func (g *gate) open() bool { return g.balance >= 0 }

// step is the clock edge of a cycle in which the local input completed a
// handshake or not and the local output completed one or not.
func (g *gate) step(k *plan.Gate, injected, delivered bool) {
	before := g.balance
	if g.quiet {
		g.balance = int32(k.Cap)
	} else {
		if injected {
			g.balance -= int32(k.Cost)
		}
		if delivered && before < int32(k.Cap) {
			g.balance++
		}
	}
	last := uint32(1)<<k.QuietBits - 1
	switch {
	case delivered:
		g.silent, g.quiet = 0, false
	case g.silent == last:
		g.quiet = true
	default:
		g.silent++
	}
}

// skip is n clock edges at once, none with a handshake. After the counter has
// reached its end, one edge sets quiet and the next refills the balance.
func (g *gate) skip(k *plan.Gate, n int) {
	if n <= 0 {
		return
	}
	last := uint32(1)<<k.QuietBits - 1
	toQuiet := 0 // edges until quiet is set
	if !g.quiet {
		toQuiet = int(last-g.silent) + 1
	}
	if n > toQuiet {
		g.balance = int32(k.Cap)
	}
	if n >= toQuiet {
		g.quiet = true
	}
	if n < int(last-g.silent) {
		g.silent += uint32(n)
	} else {
		g.silent = last
	}
}
