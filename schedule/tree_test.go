// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// The tree of a schedule by Algorithm 2 is the one that the router makes.
func TestTreeOfAlgorithm2IsTheRouters(t *testing.T) {
	g := graph(t, 6, 2, 4, 2, 3, 1)
	s, err := Make(g, Request{Operation: collective.Broadcast, Algorithm: "algorithm-2", Root: 17})
	require.NoError(t, err)
	want := g.Broadcast(17, hypercycle.Clockwise)
	assert.Equal(t, want, s.Tree())
}
