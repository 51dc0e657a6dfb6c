// SPDX-License-Identifier: Apache-2.0

package sim

import "math/bits"

// turn is the state of the arbiter of a ring port (docs/architecture.md): the requester whose
// turn it is, from which on the others follow in the order of their numbers, the lowest after
// the highest.
type turn uint8

// pick returns the first in the order that asks. Somebody must ask.
func (t turn) pick(req uint32) uint8 {
	if behind := req >> (t & 31) << (t & 31); behind != 0 {
		req = behind
	}
	return uint8(bits.TrailingZeros32(req))
}

// after says whose turn it is when who was selected: still his, or if he was completed that of
// the next. That may be one more than there are, which is the same as the first.
func after(who uint8, completed bool) turn {
	if completed {
		who++
	}
	return turn(who)
}
