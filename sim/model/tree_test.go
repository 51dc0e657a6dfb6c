// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

// listedTree is a tree arbiter or a half of a node, stated with lists as in the contract: a requester, or two halves that
// both have a requester.
type listedTree struct {
	requesters   []int
	lower, upper *listedTree
	upperTurn    bool
}

// listTree is the tree of requesters among a range of numbers; nil if there is none.
func listTree(requesters []int, from, numbers int) *listedTree {
	var below []int
	for _, who := range requesters {
		if who >= from && who < from+numbers {
			below = append(below, who)
		}
	}
	if len(below) == 0 {
		return nil
	}
	if numbers == 1 {
		return &listedTree{requesters: below}
	}
	lower, upper := listTree(below, from, numbers/2), listTree(below, from+numbers/2, numbers/2)
	switch {
	case lower == nil:
		return upper
	case upper == nil:
		return lower
	}
	return &listedTree{requesters: below, lower: lower, upper: upper}
}

// listGroup puts the local input in front of a tree of links, which may be nil.
func listGroup(links *listedTree) *listedTree {
	leaf := &listedTree{requesters: []int{local}}
	if links == nil {
		return leaf
	}
	return &listedTree{requesters: append([]int{local}, links.requesters...), lower: leaf, upper: links}
}

// asks reports whether any of its requesters is in the list.
func (l *listedTree) asks(those []int) bool {
	return slices.ContainsFunc(l.requesters, func(who int) bool { return slices.Contains(those, who) })
}

// selects returns the selected requester.
func (l *listedTree) selects(those []int) int {
	switch {
	case l.lower == nil:
		return l.requesters[0]
	case l.lower.asks(those) && !(l.upper.asks(those) && l.upperTurn):
		return l.lower.selects(those)
	}
	return l.upper.selects(those)
}

// ends is the end of a cycle in which a requester was selected.
func (l *listedTree) ends(who int, completed bool) {
	if l.lower == nil {
		return
	}
	if slices.Contains(l.lower.requesters, who) {
		l.upperTurn = completed
		l.lower.ends(who, completed)
		return
	}
	l.upperTurn = !completed
	l.upper.ends(who, completed)
}

// depth is the number of nodes above a requester.
func (l *listedTree) depth(who int) int {
	switch {
	case l.lower == nil:
		return 0
	case slices.Contains(l.lower.requesters, who):
		return 1 + l.lower.depth(who)
	}
	return 1 + l.upper.depth(who)
}

// requestsOf turns a list into the requests of the inputs of a router.
func requestsOf(those ...int) []bool {
	requests := make([]bool, 1+hypercycle.MaxDegree)
	for _, who := range those {
		requests[who] = true
	}
	return requests
}

// newTurns is a tree arbiter with random turns.
func newTurns(random *rand.Rand) tree {
	turns := newTree(1 + hypercycle.MaxDegree)
	for node := range turns.upper {
		turns.upper[node] = random.IntN(2) == 0
	}
	return turns
}

// drawn is a random, nonempty part of a list.
func drawn(random *rand.Rand, those []int) []int {
	some := slices.Clone(those)
	random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	return some[:1+random.IntN(len(some))]
}

// eachListedTree visits trees of some of the first n links, for all n, with and without
// the local input.
func eachListedTree(random *rand.Rand, visit func(name string, l *listedTree)) {
	for n := 1; n <= hypercycle.MaxDegree; n++ {
		var all []int
		for p := range n {
			all = append(all, linkInput(p))
		}
		for try := range 6 {
			some, top := all, 1<<bits.Len(uint(n-1))
			switch try {
			case 0:
			case 1: // the last links, as in a group
				some = all[random.IntN(n):]
			default:
				some = drawn(random, all)
			}
			visit(fmt.Sprintf("%v", some), listTree(some, linkInput(0), top))
			visit(fmt.Sprintf("%v and the local input", some), listGroup(listTree(some, linkInput(0), top)))
		}
	}
	visit("the local input alone", listGroup(nil))
}

// The tree arbiter agrees with the contract, stated with lists of the requesters below its nodes.
func TestTreeTakesTurnsAsListsDo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	eachListedTree(random, func(name string, l *listedTree) {
		turns := newTree(1 + hypercycle.MaxDegree)
		require.Equal(t, none, turns.selects(requestsOf()))
		for round := range 500 {
			asking := drawn(random, l.requesters)
			who := l.selects(asking)
			require.Equal(t, who, turns.selects(requestsOf(asking...)), "%s, round %d: %v", name, round, asking)
			completed := random.IntN(2) == 0
			l.ends(who, completed)
			turns.update(who, completed)
		}
	})
}

// A selected requester stays selected while it requests, whatever the other requests, until it is
// completed.
func TestTreeKeepsWhoIsSelected(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	eachListedTree(random, func(name string, l *listedTree) {
		turns := newTurns(random)
		for range 100 {
			who := turns.selects(requestsOf(drawn(random, l.requesters)...))
			for range 10 {
				turns.update(who, false)
				asking := append(drawn(random, l.requesters), who)
				require.Equal(t, who, turns.selects(requestsOf(asking...)), "%s: %v", name, asking)
			}
			turns.update(who, true)
		}
	})
}

// A requester below n nodes that keeps requesting is completed after at most 2^n - 1 others, whatever the
// history and the other requests, and after exactly 2^n - 1 if all others keep requesting and have the
// turns.
func TestTreeLetsNobodyWaitLong(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	eachListedTree(random, func(name string, l *listedTree) {
		for _, patient := range l.requesters {
			most, reached := 1<<l.depth(patient)-1, 0
			for round := range 50 {
				turns, others, dense := newTurns(random), 0, round%2 == 0
				if round == 0 { // it has just used all turns
					turns = newTree(1 + hypercycle.MaxDegree)
					turns.update(patient, true)
				}
				for {
					asking := l.requesters
					if !dense {
						asking = append(drawn(random, l.requesters), patient)
					}
					who := turns.selects(requestsOf(asking...))
					completed := dense || random.IntN(2) == 0
					turns.update(who, completed)
					if who == patient {
						break
					}
					if completed {
						others++
					}
					require.LessOrEqual(t, others, most, "%s: %d", name, patient)
				}
				reached = max(reached, others)
			}
			require.Equal(t, most, reached, "%s: %d", name, patient)
		}
	})
}
