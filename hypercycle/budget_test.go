// SPDX-License-Identifier: Apache-2.0

package hypercycle

import "testing"

// The paper lets the host load D. With any D' in 1..floor((m-1)/rho) in its place
// (a' = floor((m-1)/rho) - D', the same k), Algorithm 1 still delivers exactly once, in
// max(D', a' + [k>0]) steps; a larger D' wraps past the source. D' = D - 1, where
// m <= (2D-1) rho, serves every node at its distance, still in D steps.
func TestAnyLegalHopBudgetIsExactlyOnce(t *testing.T) {
	for m := 2; m <= 64; m++ {
		for rho := 1; rho <= m/2; rho++ {
			ring := Dimension{M: m, Rho: rho}
			q, k := (m-1)/rho, (m-1)%rho
			for budget := 1; budget <= q; budget++ {
				step, twice := runBudget(t, ring, budget, q-budget, k)
				if twice {
					t.Fatalf("%v, D' = %d: a node is reached twice", ring, budget)
				}
				last, late := 0, false
				for node, s := range step {
					if node > 0 && s == 0 {
						t.Fatalf("%v, D' = %d: node %d is not reached", ring, budget, node)
					}
					last = max(last, s)
					late = late || s > ring.Distance(node)
				}
				want := max(budget, q-budget)
				if k > 0 {
					want = max(budget, q-budget+1)
				}
				if last != want {
					t.Fatalf("%v, D' = %d: %d steps, want %d", ring, budget, last, want)
				}
				earliest := ring.D()
				if m <= (2*earliest-1)*rho {
					earliest--
				}
				if budget == earliest && (late || last != ring.D()) {
					t.Fatalf("%v, D' = %d: late %t, %d steps; want none late in %d", ring, budget, late, last, ring.D())
				}
			}
			if _, twice := runBudget(t, ring, q+1, 0, 0); !twice {
				t.Fatalf("%v: D' = %d does not wrap", ring, q+1)
			}
		}
	}
}

// runBudget broadcasts from node 0 with the given budgets and returns the step
// of every node and whether one was reached twice.
func runBudget(t *testing.T, ring Dimension, budget, a, k int) (step []int, twice bool) {
	g, err := New(ring)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]int, g.Degree())
	for i, p := range g.Ports() {
		switch {
		case p.Direction == CW:
			weights[i] = budget
		case p.Distance <= k:
			weights[i] = a + 1
		default:
			weights[i] = a
		}
	}
	step = make([]int, ring.M)
	g.sends(0, weights, func(s Send) {
		twice = twice || s.To == 0 || step[s.To] != 0
		step[s.To] = s.Step
	})
	return step, twice
}
