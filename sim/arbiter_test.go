// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The arbiter does what the page says with a list of its requesters, whose turn it is first.
func TestArbiterTakesTurnsAsAListDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 17; n++ {
		var list []uint8
		for i := range n {
			list = append(list, uint8(i))
		}
		var whose turn
		for round := range 2000 {
			req := random.Uint32N(1<<n-1) + 1
			at := slices.IndexFunc(list, func(who uint8) bool { return req>>who&1 != 0 })
			who := whose.pick(req)
			require.Equal(t, list[at], who, "%d requesters, round %d, %b", n, round, req)
			completed := random.IntN(2) == 0
			whose = after(who, completed)
			if completed {
				at++
			}
			list = slices.Concat(list[at:], list[:at])
		}
	}
}
