// SPDX-License-Identifier: Apache-2.0

package model

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The arbiter agrees with the contract, stated with a list of requesters that begins with the pointer.
func TestArbiterTakesTurnsAsAListDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 17; n++ {
		var list []int
		for i := range n {
			list = append(list, i)
		}
		var a Arbiter
		requests := make([]bool, n)
		require.Equal(t, none, a.Selects(requests))
		for round := range 2000 {
			for i := range requests {
				requests[i] = random.IntN(2) == 0
			}
			requests[random.IntN(n)] = true
			at := slices.IndexFunc(list, func(who int) bool { return requests[who] })
			who := a.Selects(requests)
			require.Equal(t, list[at], who, "%d requesters, round %d, %v", n, round, requests)
			completed := random.IntN(2) == 0
			a.Update(who, completed)
			if completed {
				at++
			}
			list = slices.Concat(list[at:], list[:at])
		}
	}
}
