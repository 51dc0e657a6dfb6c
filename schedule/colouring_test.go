// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A random bipartite multigraph gets no more colours than its largest degree.
func TestEdgeColouring(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		left, right := 1+random.IntN(12), 1+random.IntN(8)
		edges, degree := make([][]int32, left), make([]int, left+right)
		for range random.IntN(120) {
			v, p := random.IntN(left), random.IntN(right)
			edges[v] = append(edges[v], int32(p))
			degree[v]++
			degree[left+p]++
		}
		colours := slices.Max(degree)
		got := colourEdges(edges, right, colours, nil)
		used := map[[2]int32]bool{} // vertex, the right ones after the left ones, and colour
		for v, list := range edges {
			require.Len(t, got[v], len(list))
			for k, p := range list {
				c := got[v][k]
				assert.True(t, 0 <= c && int(c) < colours)
				for _, end := range []int32{int32(v), int32(left) + p} {
					assert.False(t, used[[2]int32{end, c}], "seed %d", seed)
					used[[2]int32{end, c}] = true
				}
			}
		}
	}
}
