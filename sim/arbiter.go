// SPDX-License-Identifier: Apache-2.0

package sim

import "math/bits"

// order is the state of an arbiter of docs/architecture.md: its requesters,
// four bits each, the first in the order lowest. It always holds 16 numbers;
// those that are no requesters never ask, so their places do not matter and the
// end of the order is the same place for every arbiter.
//
// 16 are enough: a group has the local input and the ports of higher dimensions,
// which leaves out at least one of the 16 ports; delivery has the ports.
type order uint64

// resetOrder is 0, 1, 2, ..
const resetOrder order = 0xfedcba9876543210

// pick returns the first in the order that asks and its place (in bits), for
// moved. If nobody asks, moving the place that is returned to the front changes
// nothing.
//
// It looks up the place of each that asks instead of walking along the order: few
// ask in most cycles, and those that never ask gather at its front.
func (o order) pick(req uint32) (who, place uint8) {
	first := 64 << 4 // place and number; behind all places
	for ; req != 0; req &= req - 1 {
		w := lowest(req)
		ahead := o.placeOf(w)<<4 + w - first
		first += ahead & (ahead >> 63) // the smaller one, without a branch
	}
	return uint8(first & 15), uint8(first >> 4)
}

// placeOf returns the place of a number. It compares all places at once: where the
// number stands x is 0, and the subtraction borrows there first.
func (o order) placeOf(who int) int {
	const ones, highest = 0x1111111111111111, 0x8888888888888888
	x := uint64(o) ^ uint64(who)*ones
	return bits.TrailingZeros64((x-ones)&^x&highest) - 3
}

// moved is the order after the one at the place was selected: to the end if it
// was completed, else to the front.
func (o order) moved(place uint8, completed bool) order {
	place &= 60 // as it is anyway; the compiler then needs no check of the shifts
	who := o >> place & 15
	before := order(1)<<place - 1
	through := before<<4 | 15
	first, last := o&^through|o&before<<4|who, who<<60|o>>4&^before|o&before
	if completed {
		first = last
	}
	return first
}
