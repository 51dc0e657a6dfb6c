// SPDX-License-Identifier: Apache-2.0

package hypercycle_test

import (
	"fmt"

	"github.com/hcgen/hcgen/hypercycle"
)

// The paper's G(5,4): dimension 1 is a ring of 4 nodes, dimension 2 one of 5.
func ExampleNew() {
	g, err := hypercycle.New(hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 5, Rho: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Nodes(), "nodes of degree", g.Degree(), "- diameter", g.Diameter())

	_, err = hypercycle.New(hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 5, Rho: 3})
	fmt.Println(err)
	// Output:
	// 20 nodes of degree 4 - diameter 4
	// dimension 2: rho = 3: with m = 5 it must lie in 1..2, half the ring
}

// The constants of a ring, and what a source sends on each of its links.
func ExampleDimension_Sides() {
	d := hypercycle.Dimension{M: 11, Rho: 3}
	fmt.Println("D, a, k:", d.D(), d.A(), d.K())
	cw, ccw := d.Sides(hypercycle.Clockwise)
	for x := 1; x <= d.Rho; x++ {
		fmt.Println("distance", x, "clockwise", cw.Weight(x), "counterclockwise", ccw.Weight(x))
	}
	// Output:
	// D, a, k: 2 1 1
	// distance 1 clockwise 2 counterclockwise 2
	// distance 2 clockwise 2 counterclockwise 1
	// distance 3 clockwise 2 counterclockwise 1
}

// With the paper's preference a node may receive later than its distance, but
// never later than the diameter. With Balanced every node receives at its
// distance.
func ExampleDimension_Arrival() {
	d := hypercycle.Dimension{M: 6, Rho: 2}
	for x := 1; x < d.M; x++ {
		fmt.Println("node", x, "distance", d.Distance(x),
			"clockwise", d.Arrival(hypercycle.Clockwise, x), "balanced", d.Arrival(hypercycle.Balanced, x))
	}
	// Output:
	// node 1 distance 1 clockwise 1 balanced 1
	// node 2 distance 1 clockwise 1 balanced 1
	// node 3 distance 2 clockwise 2 balanced 2
	// node 4 distance 1 clockwise 2 balanced 1
	// node 5 distance 1 clockwise 1 balanced 1
}

// Addresses are written highest dimension first: (2 3 1) in radices 3, 4, 2.
func ExampleGraph_Node() {
	g, _ := hypercycle.New(hypercycle.Dimension{M: 2, Rho: 1}, hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 3, Rho: 1})
	node, err := g.Node(2, 3, 1)
	fmt.Println(node, err, g.Digits(node))
	// Output: 23 <nil> [2 3 1]
}

// The ports of a router, where those of node 0 lead and the weight of a message
// entering them.
func ExampleGraph_Weights() {
	g, _ := hypercycle.New(hypercycle.Dimension{M: 4, Rho: 2}, hypercycle.Dimension{M: 5, Rho: 1})
	weights := g.Weights(hypercycle.Clockwise)
	for i, p := range g.Ports() {
		fmt.Println("port", i, "dimension", p.Dimension, p.Direction, p.Distance, "to", g.Digits(g.Neighbor(0, i)), "weight", weights[i])
	}
	// Output:
	// port 0 dimension 1 clockwise 1 to [0 1] weight 1
	// port 1 dimension 1 clockwise 2 to [0 2] weight 1
	// port 2 dimension 1 counterclockwise 1 to [0 3] weight 1
	// port 3 dimension 2 clockwise 1 to [1 0] weight 2
	// port 4 dimension 2 counterclockwise 1 to [4 0] weight 2
}

func ExampleGraph_Sends() {
	g, _ := hypercycle.New(hypercycle.Dimension{M: 3, Rho: 1}, hypercycle.Dimension{M: 2, Rho: 1})
	g.Sends(0, hypercycle.Clockwise, func(s hypercycle.Send) {
		fmt.Println("step", s.Step, g.Digits(s.From), "to", g.Digits(s.To), "header", s.WD, s.WC)
	})
	// Output:
	// step 1 [0 0] to [0 1] header 1 1
	// step 1 [0 0] to [0 2] header 1 1
	// step 1 [0 0] to [1 0] header 2 1
	// step 2 [1 0] to [1 1] header 1 1
	// step 2 [1 0] to [1 2] header 1 1
}

// The prototype's largest machine: 50,625 nodes, and each receives once.
func ExampleGraph_Broadcast() {
	ring := hypercycle.Dimension{M: 15, Rho: 2}
	g, _ := hypercycle.New(ring, ring, ring, ring)
	t := g.Broadcast(0, hypercycle.Balanced)
	fmt.Println(t.Messages, "messages in", t.Steps, "steps")
	last := g.Nodes() - 1
	fmt.Println(g.Digits(last), "receives in step", t.Step[last], "from", g.Digits(int(t.Parent[last])))
	// Output:
	// 50624 messages in 16 steps
	// [14 14 14 14] receives in step 4 from [14 14 14 0]
}
