// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

// The assumptions about rings are checked for each ring, and the checks can fail: in C_7<1,2>
// the nodes 1 to 6 are at distances 1, 1, 2, 2, 1, 1.
func TestRingsThatTheArgumentDoesNotHoldForAreNoticed(t *testing.T) {
	d := hypercycle.Dimension{M: 7, Rho: 2}
	for _, c := range []struct {
		apply func(*ringTree)
		says  string
	}{
		{func(r *ringTree) { r.distance[3], r.step[3] = 3, 3 }, "ring (7,2): linked nodes 1 and 3 are at distances 1 and 3"},
		{func(r *ringTree) { r.step[5] = 2 }, "ring (7,2): balanced serves node 5 in step 2, its distance is 1"},
	} {
		r, err := newRingTree(d, hypercycle.Balanced)
		require.NoError(t, err)
		c.apply(r)
		require.EqualError(t, r.check(d, hypercycle.Balanced), c.says)
	}

	// only balanced promises the distance
	r, err := newRingTree(d, hypercycle.Clockwise)
	require.NoError(t, err)
	r.step[5] = 2
	require.NoError(t, r.check(d, hypercycle.Clockwise))
}
