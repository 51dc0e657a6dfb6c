// SPDX-License-Identifier: Apache-2.0

package sim

import "math/bits"

// order is the state of an arbiter of docs/architecture.md: its requesters,
// four bits each, the first in the order lowest, and 0 above the last.
//
// 16 are enough: a group has the local input and the ports of higher dimensions,
// which leaves out at least one of the 16 ports; delivery has the ports.
type order uint64

// resetOrder is 0, 1, 2, .. of n requesters.
func resetOrder(n int) order { return 0xfedcba9876543210 & (1<<(4*n) - 1) }

// pick returns the first in the order of n that asks and its place (in bits), for
// moved. Somebody must ask.
//
// It looks at all places: how far down the order the first one stands is as good as
// random, and a loop that ends there would mostly surprise the processor.
func (o order) pick(req uint32, n int) (who, place uint8) {
	var asks uint32 // by place, the first highest
	rest := o
	for range n {
		asks = asks<<1 | req>>(rest&15)&1
		rest >>= 4
	}
	place = uint8(n-bits.Len32(asks)) * 4 & 60 // the & changes nothing, here and in moved; it saves checks of shifts
	return uint8(o>>place) & 15, place
}

// moved is the order of n after the one at the place was selected: to the end if it
// was completed, else to the front.
func (o order) moved(place uint8, completed bool, n int) order {
	place &= 60
	who := o >> place & 15
	before := order(1)<<place - 1
	others := o&before | o>>4&^before
	first, last := others<<4|who, others|who<<(4*(n-1)&60)
	if completed {
		first = last
	}
	return first
}
