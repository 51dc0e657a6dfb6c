// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"strings"
)

// Machine is a hypercycle by its definition: dimension i+1 is a ring of M[i] nodes,
// each linked to the nodes whose digit differs by 1..Rho[i], mod M[i].
type Machine struct {
	M, Rho []int
}

// String writes the machine as (m,rho)x(m,rho), highest dimension first.
func (m Machine) String() string {
	var rings []string
	for i := len(m.M) - 1; i >= 0; i-- {
		rings = append(rings, fmt.Sprintf("(%d,%d)", m.M[i], m.Rho[i]))
	}
	return strings.Join(rings, "x")
}

// maxNodes bounds the machines whose schedules are checked.
const maxNodes = 1 << 20

// Validate reports what is wrong with the numbers of a machine: m is 2 or more, rho 1 to floor(m/2), and it has up
// to 2^20 nodes.
func (m Machine) Validate() error {
	nodes := 1
	for i, k := range m.M {
		if k < 2 || k > maxNodes {
			return fmt.Errorf("dimension %d: m is %d, want 2 to %d", i+1, k, maxNodes)
		}
		if rho := m.Rho[i]; rho < 1 || rho > k/2 {
			return fmt.Errorf("dimension %d: rho is %d, want 1 to %d", i+1, rho, k/2)
		}
		if nodes *= k; nodes > maxNodes {
			return fmt.Errorf("the machine has more than %d nodes", maxNodes)
		}
	}
	return nil
}

// Nodes is N, the product of the radices.
func (m Machine) Nodes() int {
	n := 1
	for _, k := range m.M {
		n *= k
	}
	return n
}

// Degree is the number of neighbours of a node.
func (m Machine) Degree() int {
	d := 0
	for i, k := range m.M {
		for x := 1; x < k; x++ {
			if min(x, k-x) <= m.Rho[i] {
				d++
			}
		}
	}
	return d
}

// linked reports whether there is a link between two nodes: they differ in one digit,
// by at most rho, mod m.
func (m Machine) linked(a, b int32) bool {
	x, y, differ := int(a), int(b), 0
	for i, k := range m.M {
		if u, v := x%k, y%k; u != v {
			gap := (v - u + k) % k
			if min(gap, k-gap) > m.Rho[i] {
				return false
			}
			differ++
		}
		x, y = x/k, y/k
	}
	return differ == 1
}

// Paths verifies that paths lead from one node to another over links, and share no node but their ends.
func Paths(m Machine, from, to int, paths [][]int) error {
	seen := map[int]int{}
	for n, path := range paths {
		if len(path) < 2 || path[0] != from || path[len(path)-1] != to {
			return fmt.Errorf("path %d does not lead from %d to %d", n, from, to)
		}
		for i := range len(path) - 1 {
			a, b := path[i], path[i+1]
			if b < 0 || b >= m.Nodes() || !m.linked(int32(a), int32(b)) {
				return fmt.Errorf("path %d: no link leads from %d to %d", n, a, b)
			}
			if other, twice := seen[b]; b == from || b == to && i+2 < len(path) || b != to && twice {
				return fmt.Errorf("path %d: node %d is on it twice, or on path %d", n, b, other)
			}
			if b != to {
				seen[b] = n
			}
		}
		if len(path) == 2 {
			if other, twice := seen[to]; twice {
				return fmt.Errorf("paths %d and %d are the same link", other, n)
			}
			seen[to] = n
		}
	}
	return nil
}
