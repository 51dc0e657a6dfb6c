// SPDX-License-Identifier: Apache-2.0

package sim

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
// moved. req must not be 0.
func (o order) pick(req uint32) (who, place uint8) {
	for {
		who = uint8(o >> place & 15)
		if req>>who&1 != 0 {
			return who, place
		}
		place += 4
	}
}

// moved is the order after the one at the place was selected: to the end if it
// was completed, else to the front.
func (o order) moved(place uint8, completed bool) order {
	who := o >> place & 15
	before := order(1)<<place - 1
	if completed {
		return who<<60 | o>>4&^before | o&before
	}
	through := order(1)<<(place+4) - 1
	return o&^through | o&before<<4 | who
}
