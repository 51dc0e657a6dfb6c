// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The packed order does what the page says with a list.
func TestArbiterKeepsTheOrderOfAList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 16; n++ {
		var list []uint8
		for i := 0; i < n; i++ {
			list = append(list, uint8(i))
		}
		o := resetOrder(n)
		for i := 0; i < 2000; i++ {
			req := random.Uint32N(1<<n-1) + 1
			at := slices.IndexFunc(list, func(who uint8) bool { return req>>who&1 != 0 })
			who, place := o.pick(req, n)
			require.Equal(t, list[at], who, "%d requesters, round %d, %b", n, i, req)
			completed := random.IntN(2) == 0
			o = o.moved(place, completed, n)
			list = slices.Delete(list, at, at+1)
			if completed {
				list = append(list, who)
			} else {
				list = slices.Insert(list, 0, who)
			}
		}
	}
}
