// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStimuliAreShort(t *testing.T) {
	for _, r := range append([]rings{{{15, 2}, {15, 2}, {15, 2}, {15, 2}}, {{31, 8}}, {{300, 8}}}, corner...) {
		for _, v := range variants {
			for _, payload := range []int{32, 1024} {
				p := newPlan(t, r, v.With(payloadBits(payload), sourceID(), fifoDepth(16))...)
				require.LessOrEqual(t, RouterCycles(p)-passesCycles(p), 13000, "%v", r)
				require.LessOrEqual(t, passesCycles(p), 3500, "%v", r)
			}
		}
	}
}
