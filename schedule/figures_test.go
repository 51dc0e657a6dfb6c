// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// KN: the table of k-ary n-cubes (spec of sections 6.1 to 6.3).
func TestFiguresOfKaryCubes(t *testing.T) {
	for _, row := range fixture(t, "kary") {
		of := func(column string) int { return number(t, row[column]) }
		k, n := of("k"), of("n")
		g := kary(t, k, n, 1)
		name := fmt.Sprintf("k = %d, n = %d", k, n)
		assert.Equal(t, of("nodes"), g.Nodes(), name)
		assert.Equal(t, of("degree"), g.Degree(), name)
		assert.Equal(t, of("links"), g.Links(), name)
		assert.Equal(t, of("diameter"), g.Diameter(), name)
		steps := func(operation, algorithm string, ports Ports) int {
			return makeChecked(t, g, Request{Operation: operation, Algorithm: algorithm, Ports: ports}).Steps
		}
		assert.Equal(t, of("bcast_2n_port"), steps(collective.Broadcast, "lee-tree", AllPorts), name)
		assert.Equal(t, of("bcast_one_port_tree"), steps(collective.Broadcast, "lee-tree", OnePort), name)
		assert.Equal(t, of("multi_bcast_one_port"), steps(collective.AllGather, "gray-ring", OnePort), name)
		assert.Equal(t, of("scatter_one_port"), steps(collective.Scatter, "gray-ring", OnePort), name)
		assert.Equal(t, of("multi_bcast_2n_port_bound"), ceil(g.Nodes()-1, g.Degree()), name)
		assert.Equal(t, of("multi_bcast_2n_port_bound"), steps(collective.AllGather, "matching", AllPorts), name)
		assert.Equal(t, of("L_ring"), g.Dimension(1).DistanceSum(), name)
		assert.Equal(t, of("total_exchange_one_port"), steps(collective.TotalExchange, "colouring", OnePort), name)
		assert.Equal(t, of("total_exchange_one_port"), Bound(g, collective.TotalExchange, OnePort, 1), name)
	}
}

// KN: the tree is optimal with one port for even k, not for odd k.
func TestOnePortBroadcastOfOddCubes(t *testing.T) {
	for _, c := range []struct{ k, n, tree, possible int }{{3, 3, 6, 5}, {5, 2, 6, 5}, {7, 2, 8, 7}, {4, 2, 4, 4}, {6, 2, 6, 6}} {
		g := kary(t, c.k, c.n, 1)
		tree := makeChecked(t, g, Request{Operation: collective.Broadcast, Algorithm: "lee-tree", Ports: OnePort})
		best := makeChecked(t, g, Request{Operation: collective.Broadcast, Ports: OnePort})
		assert.Equal(t, []int{c.tree, c.possible}, []int{tree.Steps, best.Steps}, "k = %d, n = %d", c.k, c.n)
	}
}

// KN: the leaves of the tree have the leftmost digit floor(k/2) or floor(k/2) + 1.
func TestLeavesOfTheLeeTree(t *testing.T) {
	for _, c := range [][2]int{{3, 3}, {4, 2}, {5, 3}, {6, 2}, {7, 2}} {
		k, n := c[0], c[1]
		lee := leeTree(kary(t, k, n, 1))
		inner := map[int32]bool{}
		for _, p := range lee {
			inner[p] = true
		}
		for v := int32(1); int(v) < len(lee); v++ {
			left := int(v)
			for left >= k {
				left /= k
			}
			if !inner[v] {
				assert.Contains(t, []int{k / 2, k/2 + 1}, left, "k = %d, node %d", k, v)
			}
		}
	}
}

// KN as printed: rule 3 takes the zero digits that follow the leftmost nonzero digit. Then nodes are reached twice.
func TestPrintedRuleOfTheLeeTreeReachesNodesTwice(t *testing.T) {
	reached := func(k, n int) (twice int) {
		count := make([]int, kary(t, k, n, 1).Nodes())
		type message struct{ digits []int }
		queue := []message{{make([]int, n)}} // [0] is the leftmost
		for len(queue) > 0 && twice < 100 {
			d := queue[0].digits
			queue = queue[1:]
			send := func(i, x int) {
				next := slices.Clone(d)
				next[i] = (x + k) % k
				v := 0
				for _, y := range next {
					v = v*k + y
				}
				if count[v]++; count[v] > 1 {
					twice++
					return
				}
				queue = append(queue, message{next})
			}
			left := slices.IndexFunc(d, func(x int) bool { return x != 0 })
			if left >= 0 && d[left] < k/2 {
				send(left, d[left]+1)
			}
			if left >= 0 && d[left] > k/2+1 {
				send(left, d[left]-1)
			}
			for i := left + 1; i < n; i++ {
				if d[i] == 0 {
					send(i, 1)
					send(i, k-1)
				}
			}
		}
		return twice
	}
	assert.Positive(t, reached(4, 2))
	assert.Positive(t, reached(5, 2))
	assert.Positive(t, reached(3, 3))
	assert.Zero(t, reached(3, 1))
}

func TestGrayCodes(t *testing.T) {
	for name, kn := range map[string][2]int{"gray_4_2": {4, 2}, "gray_3_2": {3, 2}, "gray_3_3": {3, 3}} {
		code := grayCode(kn[0], kn[1])
		rows := fixture(t, name)
		assert.Len(t, code, len(rows))
		for i, row := range rows {
			assert.Equal(t, word(t, row["word"], kn[0]), code[i], name)
		}
	}
	for k := 2; k <= 9; k++ {
		for n := 1; n <= 4; n++ {
			g, code := kary(t, k, n, 1), grayCode(k, n)
			seen := map[int32]bool{}
			for i, v := range code {
				seen[v] = true
				assert.Equal(t, 1, g.Distance(int(v), int(code[(i+1)%len(code)])), "k = %d, n = %d", k, n)
			}
			assert.Len(t, seen, g.Nodes())
		}
	}
}

// SL: the numbering as repaired.
func TestRotationTrees(t *testing.T) {
	for d, name := range map[int]string{3: "multibcast_3", 4: "multibcast_4"} {
		order := rotationOrder(d)
		rows := fixture(t, name)
		assert.Len(t, order, len(rows))
		for i, row := range rows {
			r := order[i]
			assert.Equal(t, word(t, row["node"], 2), r.word, "%s, n = %d", name, i+1)
			assert.Equal(t, number(t, row["local_m"]), r.local, "%s, n = %d", name, i+1)
			assert.Equal(t, word(t, row["parent"], 2), r.word&^(1<<(r.local-1)), "%s, n = %d", name, i+1)
			assert.Equal(t, number(t, row["step"]), 1+i/d, "%s, n = %d", name, i+1)
		}
	}
	for d := 1; d <= 12; d++ {
		s := makeChecked(t, kary(t, 2, d, 1), Request{Operation: collective.AllGather, Algorithm: "rotation-trees"})
		assert.Equal(t, ceil(1<<d-1, d), s.Steps)
		s = makeChecked(t, kary(t, 2, d, 1), Request{Operation: collective.Scatter, Algorithm: "rotation-trees"})
		assert.Equal(t, ceil(1<<d-1, d), s.Steps)
	}
}

// SL as printed: six readings of the order within a class have nodes whose parent is not informed in time.
func TestSlidesAsPrintedAreNotCausal(t *testing.T) {
	for _, row := range fixture(t, "slide_failures") {
		for d := 2; d <= 8; d++ {
			want := number(t, row[fmt.Sprintf("d%d", d)])
			assert.Equal(t, want, late(d, row["class_order"], row["bits_from"]), "%s %s, d = %d", row["class_order"], row["bits_from"], d)
		}
	}
}

// late counts the words whose parent is not informed in an earlier step.
func late(d int, order, from string) int {
	var words []int32
	switch order {
	case "corrected":
		for _, r := range rotationOrder(d) {
			words = append(words, r.word)
		}
	default:
		words = printed(d, order)
	}
	step := make([]int, 1<<d)
	for i, w := range words {
		step[w] = 1 + i/d
	}
	failures := 0
	for i, w := range words {
		bit := i % d
		if from == "left" {
			bit = d - 1 - bit
		}
		parent := w &^ (1 << bit)
		if parent == w || step[parent] >= step[w] {
			failures++
		}
	}
	return failures
}

// printed numbers the words as the slides say, in one reading of "ordered by rightmost concentration".
func printed(d int, order string) []int32 {
	all := int32(1)<<d - 1
	var words []int32
	seen := make([]bool, all+1)
	for weight := 1; weight <= d; weight++ {
		for w := int32(1); w <= all; w++ { // the smallest member of a class comes first
			if strings.Count(strconv.FormatInt(int64(w), 2), "1") != weight || seen[w] {
				continue
			}
			var class []int32
			for x := w; !seen[x]; {
				seen[x] = true
				class = append(class, x)
				if order == "rotr" {
					x = (x>>1 | x<<(d-1)) & all
				} else {
					x = (x<<1 | x>>(d-1)) & all
				}
			}
			if order == "num" {
				slices.Sort(class)
			}
			words = append(words, class...)
		}
	}
	return words
}

// GH: tables 2 and 3, the unfolded necklaces being repetitions.
func TestNecklaces(t *testing.T) {
	for name, nk := range map[string][2]int{"necklaces_2_4": {2, 4}, "necklaces_3_3": {3, 3}} {
		n, k := nk[0], nk[1]
		h := newGeneralized(kary(t, k, n, k/2))
		var got, want []string
		for _, list := range h.necklaces {
			line := fmt.Sprint(h.distance(list[0]), " ", len(list))
			for _, v := range list {
				line += fmt.Sprintf(" %0*s", n, strconv.FormatInt(int64(v), k))
			}
			got = append(got, line)
		}
		for _, row := range fixture(t, name)[1:] { // the first is node 0
			want = append(want, row["distance"]+" "+row["period"]+" "+row["members_by_displacement"])
		}
		assert.ElementsMatch(t, want, got)
	}
}

func TestBalancedSpanningTree(t *testing.T) {
	h := newGeneralized(kary(t, 4, 2, 2))
	bst := h.bst()
	for _, row := range fixture(t, "bst_2_4") {
		v := word(t, row["node"], 4)
		at := h.at[v]
		assert.Equal(t, number(t, row["displacement"]), at.displacement, row["node"])
		assert.Equal(t, number(t, row["period"]), len(h.necklaces[at.necklace]), row["node"])
		assert.Equal(t, word(t, row["parent"], 4), bst[v], row["node"])
	}
	extra := fixture(t, "bsg_extra_2_4")
	for _, row := range extra {
		v, tree := word(t, row["node"], 4), number(t, row["tree"])
		assert.Equal(t, word(t, row["parent"], 4), h.parent(v, tree), row["node"])
		p := len(h.necklaces[h.at[v].necklace])
		assert.Equal(t, h.at[v].displacement%p, tree%p)
	}
	members := 0 // of nonfull nodes
	for _, list := range h.necklaces {
		if len(list) < len(h.shift) {
			members += len(h.streams(list, 2, true))
		}
	}
	assert.Equal(t, len(extra), members)
}

// GH: Table 4, by the formulas of section 8 for every row and by enumeration where k^n is at most 20,000
// (2,000 with -short).
func TestTable4(t *testing.T) {
	most := 20_000
	if testing.Short() {
		most = 2_000
	}
	for _, row := range fixture(t, "table4") {
		of := func(column string) int { return number(t, row[column]) }
		n, k, nodes := of("n"), of("k"), of("nodes")
		name := fmt.Sprintf("GH(%d,%d)", n, k)
		ports := n * (k - 1)
		exact, nonfull, kinds := map[int]int{}, 1, 0
		for m := n; m >= 1; m-- {
			if n%m != 0 || gcd(m, k-1) != 1 {
				continue
			}
			exact[m] = pow(k, n/m) - 1
			for x, c := range exact {
				if x > m && x%m == 0 {
					exact[m] -= c
				}
			}
			kinds += exact[m] * m / ports
			if m > 1 {
				nonfull += exact[m]
			}
		}
		full := exact[1] / ports
		got := []int{pow(k, n), nonfull, kinds + 1, full, kinds}
		want := []int{nodes, of("nonfull_nodes"), of("necklaces"), of("min_subtree"), of("max_subtree")}
		assert.Equal(t, want, got, name)
		mean := float64(nodes-1) / float64(ports)
		assert.InDelta(t, mean, parseFloat(t, row["mean_subtree"]), 0.006, name) // a row is rounded up wrongly
		assert.InDelta(t, float64(kinds)/mean, parseFloat(t, row["ratio_printed"]), 0.0051, name)
		if nodes > most {
			continue
		}
		h := newGeneralized(kary(t, k, n, k/2))
		subtree, periods := make([]int, ports), 0
		for _, list := range h.necklaces {
			periods += b2i(len(list) == ports)
			for i := range list {
				subtree[i]++
			}
		}
		assert.Equal(t, []int{full, kinds}, []int{periods, len(h.necklaces)}, name)
		assert.Equal(t, []int{of("min_subtree"), of("max_subtree")}, []int{slices.Min(subtree), slices.Max(subtree)}, name)
	}
}

func pow(k, n int) int {
	p := 1
	for range n {
		p *= k
	}
	return p
}

func parseFloat(t *testing.T, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	assert.NoError(t, err)
	return f
}

// GH: section 8.2, with M the smallest number of messages that splits evenly, and M = 1.
func TestStepsOfGeneralizedHypercubes(t *testing.T) {
	for _, row := range fixture(t, "ghtimes") {
		of := func(column string) int { return number(t, row[column]) }
		n, k := of("n"), of("k")
		g := kary(t, k, n, k/2)
		name := fmt.Sprintf("GH(%d,%d)", n, k)
		steps := func(operation, algorithm string) *Schedule {
			return makeChecked(t, g, Request{Operation: operation, Algorithm: algorithm})
		}
		assert.Equal(t, []int{of("nodes"), of("degree")}, []int{g.Nodes(), g.Degree()}, name)
		assert.Equal(t, n, steps(collective.Broadcast, "bst").Steps, name)
		gather := steps(collective.AllGather, "bsg")
		assert.Equal(t, of("unit_M"), gather.Packets, name)
		assert.Equal(t, of("multi_bcast_steps_at_unit_M"), gather.Steps, name)
		assert.Equal(t, gather.Bound, gather.Steps, name)
		assert.Equal(t, gather.Steps, steps(collective.Scatter, "bsg").Steps, name)
		all := steps(collective.TotalExchange, "bsg")
		assert.Equal(t, of("multi_scatter_steps_at_unit_M"), all.Steps, name)
		assert.Equal(t, all.Bound, all.Steps, name)
		assert.Equal(t, all.Packets*n*(k-1)*pow(k, n-1), len(all.Transfers), name) // hops
		one := steps(collective.AllGather, "bst")
		assert.Equal(t, []int{of("multi_bcast_steps_M1"), of("bound_M1")}, []int{one.Steps, one.Bound}, name)
		one = steps(collective.TotalExchange, "bst")
		assert.Equal(t, []int{of("multi_scatter_steps_M1"), of("bound_scatter_M1")}, []int{one.Steps, one.Bound}, name)
		// The general algorithms meet the bounds that the trees miss.
		assert.Equal(t, of("bound_M1"), steps(collective.AllGather, "matching").Steps, name)
		assert.Equal(t, of("bound_scatter_M1"), steps(collective.TotalExchange, "colouring").Steps, name)
	}
}

// KN: the example of distances, the ring of total exchange, and why equal shares on all paths are not the best.
func TestExamplesOfKary(t *testing.T) {
	g := kary(t, 5, 6, 1)
	a, b := int(word(t, "301234", 5)), int(word(t, "304000", 5))
	hamming := 0
	for i := 1; i <= 6; i++ {
		hamming += b2i(g.Digit(a, i) != g.Digit(b, i))
	}
	assert.Equal(t, []int{4, 7}, []int{hamming, g.Distance(a, b)})

	for k := 3; k <= 20; k++ {
		d := hypercycle.Dimension{M: k, Rho: 1}
		clockwise := balanced(d, 1).load
		if k%2 == 1 {
			assert.Equal(t, (k*k-1)/8, clockwise, "k = %d", k)
		} else {
			assert.Equal(t, (k*k+2*k)/8, clockwise, "k = %d", k)
		}
		assert.Equal(t, k*k/4, d.DistanceSum())
	}

	// 20 packets to the neighbour on the ring of 5: by paths of 1 and 4 hops, the last of m packets
	// arrives m + hops - 1 steps after the start.
	paths, _ := kary(t, 5, 1, 1).DisjointPaths(0, 1)
	assert.ElementsMatch(t, []int{1, 4}, lengths(paths))
	assert.Equal(t, 13, max(10+1-1, 10+4-1), "equal shares")
	best := 20
	for short := range 21 {
		best = min(best, max(short+1-1, 20-short+4-1))
	}
	assert.Equal(t, 12, best)
}

// BH, SL and KN have the same tree where their machines meet: SL's by clearing the rightmost 1; KN's with the
// digits in reverse order.
func TestTreesOfThePapersAgree(t *testing.T) {
	for v, parent := range treeOf(kary(t, 2, 7, 1), hypercycle.Clockwise) {
		if v > 0 {
			assert.Equal(t, int32(v&(v-1)), parent)
		}
	}
	for _, c := range [][2]int{{3, 3}, {4, 3}, {5, 2}, {6, 2}} {
		k, n := c[0], c[1]
		g := kary(t, k, n, 1)
		reverse := func(v int32) int32 {
			r := int32(0)
			for range n {
				r = r*int32(k) + v%int32(k)
				v /= int32(k)
			}
			return r
		}
		bh, kn := treeOf(g, hypercycle.Clockwise), leeTree(g)
		for v := int32(1); int(v) < len(bh); v++ {
			assert.Equal(t, reverse(bh[v]), kn[reverse(v)], "k = %d, n = %d, node %d", k, n, v)
		}
	}
}

// GH: the examples of translation and rotation, and the errata about necklaces.
func TestExamplesOfGeneralizedHypercubes(t *testing.T) {
	h := newGeneralized(kary(t, 4, 3, 2))
	assert.Equal(t, word(t, "323", 4), h.add(word(t, "231", 4), word(t, "132", 4)))
	assert.Equal(t, word(t, "103", 4), h.sub(word(t, "231", 4), word(t, "132", 4)), "the inverse")
	assert.Equal(t, word(t, "213", 4), h.rotate(word(t, "221", 4)))
	assert.Equal(t, word(t, "120", 4), h.rotate(word(t, "012", 4)))
	for v := range int32(64) {
		x := v
		for range 9 { // n (k-1)
			x = h.rotate(x)
		}
		assert.Equal(t, v, x)
	}
	h = newGeneralized(kary(t, 4, 6, 2))
	assert.Len(t, h.necklaces[h.at[word(t, "330220", 4)].necklace], 9, "12 as printed")
	for _, c := range [][2]int{{2, 4}, {3, 3}, {4, 3}} {
		n, k := c[0], c[1]
		assert.Equal(t, n*(k-1)*pow(k, n-1), kary(t, k, n, k/2).DistanceSum())
	}
}

// BH: Algorithm 2 takes D steps on every machine, for every root.
func TestAlgorithm2TakesTheDiameter(t *testing.T) {
	for _, g := range []*hypercycle.Graph{graph(t, 6, 2, 4, 1), graph(t, 5, 1, 4, 1), graph(t, 9, 3, 2, 1)} {
		for root := range g.Nodes() {
			s := makeChecked(t, g, Request{Operation: collective.Broadcast, Algorithm: "algorithm-2", Root: root})
			assert.Equal(t, g.Diameter(), s.Steps)
			assert.Len(t, s.Transfers, g.Nodes()-1)
		}
	}
}
