// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hcgen/hcgen/plan"
)

// Swap is two wires that go to inputs of routers and change places in the network: two bits of a port, or
// a port of two nodes.
type Swap struct {
	Port  string `json:"port"`
	Width int    `json:"width"` // of the port
	Node  int    `json:"node"`
	Other int    `json:"other"` // node; Node if two bits change places
	Bits  [2]int `json:"bits"`  // of the port, if Other is Node
}

func (s *Swap) String() string {
	if s.Node == s.Other {
		return fmt.Sprintf("bits %d and %d of %s of node %d change places", s.Bits[0], s.Bits[1], s.Port, s.Node)
	}
	return fmt.Sprintf("%s of nodes %d and %d changes places", s.Port, s.Node, s.Other)
}

// ofOneRouter and ofTwo are the inputs whose wires change places.
var (
	ofOneRouter = []string{"s_axis_link_tvalid", "m_axis_link_tready", "s_axis_link_tdata", "link_pace"}
	ofTwo       = []string{"s_axis_local_tvalid", "m_axis_local_tready", "s_axis_local_tdata"}
)

// drawSwaps draws pairs of wires. From the data of links it takes only payloads: bits of headers are equal
// on many links, so swapping them changes nothing.
func (d *Design) drawSwaps(count int) error {
	if count > 0 && d.p.Degree < 2 {
		return &Refused{fmt.Sprintf("%s: a router of one link has no two wires that could change places", d.p.Name)}
	}
	ports := map[string]plan.Wire{}
	for _, w := range d.p.RouterWires() {
		ports[w.Name] = w
	}
	random := rand.New(rand.NewPCG(1, uint64(d.p.Nodes)))
	taken := map[Swap]bool{}
	for tries := 0; len(taken) < count; tries++ {
		if tries > 1000*count {
			return &Refused{fmt.Sprintf("%s: there are only %d pairs of wires to change places", d.p.Name, len(taken))}
		}
		s := Swap{Node: random.IntN(d.p.Nodes)}
		if kind := len(taken) % (len(ofOneRouter) + len(ofTwo)); kind < len(ofOneRouter) {
			s.Port, s.Other = ofOneRouter[kind], s.Node
			lanes := random.Perm(d.p.Degree)[:2]
			slices.Sort(lanes)
			bit := 0
			switch s.Port {
			case "s_axis_link_tdata":
				bit = random.IntN(d.p.PayloadBits)
			case "link_pace":
				bit = random.IntN(d.p.PaceBits)
			}
			each := ports[s.Port].Bits
			s.Bits = [2]int{bit + lanes[0]*each, bit + lanes[1]*each}
		} else {
			s.Port, s.Other = ofTwo[kind-len(ofOneRouter)], (s.Node+1)%d.p.Nodes
		}
		s.Width = ports[s.Port].Width()
		if taken[s] {
			continue
		}
		taken[s] = true
		d.Mutations = append(d.Mutations, Mutation{Number: len(d.Mutations) + 1, Module: d.p.NetworkModule, Swap: &s})
	}
	return nil
}

// rewire makes every swap in what the routers are connected to, if its number is that of the mutant, which a
// wire of each router has.
func (d *Design) rewire(connected []map[string]string) {
	for _, m := range d.Mutations {
		s := m.Swap
		if s == nil {
			continue
		}
		one, other := connected[s.Node][s.Port], connected[s.Other][s.Port]
		choose := func(node int, mutated, unchanged string) {
			connected[node][s.Port] = fmt.Sprintf("(node0.mutant == %d ? %s : %s)", m.Number, mutated, unchanged)
		}
		if s.Node == s.Other { // inverts two bits if they differ
			bits := fmt.Sprintf("(%[1]d'd1 << %[2]d | %[1]d'd1 << %[3]d)", s.Width, s.Bits[0], s.Bits[1])
			choose(s.Node, fmt.Sprintf("%s ^ (%s & {%d{^(%s & %s)}})", one, bits, s.Width, one, bits), one)
			continue
		}
		choose(s.Node, other, one)
		choose(s.Other, one, other)
	}
}
