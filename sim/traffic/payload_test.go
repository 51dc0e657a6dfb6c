// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The payload is the published generator: splitmix64, lowest word first, and
// no bit above the width.
func TestPayloadBits(t *testing.T) {
	require.Equal(t, uint64(0xe220a8397b1dcdaf), mix(golden), "first output of splitmix64 from 0")
	require.Equal(t, uint64(0x6e789e6aa1b965f4), mix(mul(2)), "second output")
	wide := NewPayload("storm", 1, 1024)
	for _, width := range []int{1, 3, 4, 63, 64, 65, 128, 1000, 1024} {
		x := NewPayload("storm", 1, width)
		for w := 0; 64*w < width; w++ {
			mask := ^uint64(0)
			if rest := width - 64*w; rest < 64 {
				mask = 1<<rest - 1
			}
			require.Equal(t, wide.Word(3, 4, w)&mask, x.Word(3, 4, w))
		}
	}
	require.NotEqual(t, wide.Word(3, 4, 0), wide.Word(4, 3, 0))
	require.NotEqual(t, wide.Word(3, 4, 0), NewPayload("storm", 2, 1024).Word(3, 4, 0))
	require.NotEqual(t, wide.Word(3, 4, 0), NewPayload("calm", 1, 1024).Word(3, 4, 0))
}

// mul is the state of splitmix64 after n steps from 0.
func mul(n uint64) uint64 { return n * golden }
