// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/plan"
)

// swap is two wires that go to inputs of routers and change places in the network: two
// of the same router, or those of the same name at two routers.
type swap struct {
	port        string
	node, other int // the same for two bits of one port
	bit, with   int // of a port, 0 for all of it
}

func (s *swap) String() string {
	if s.node == s.other {
		return fmt.Sprintf("bits %d and %d of %s of node %d change places", s.bit, s.with, s.port, s.node)
	}
	return fmt.Sprintf("%s of nodes %d and %d changes places", s.port, s.node, s.other)
}

// ofOneRouter and ofTwo are the inputs whose wires change places.
var (
	ofOneRouter = []string{"s_axis_link_tvalid", "m_axis_link_tready", "s_axis_link_tdata", "link_pace"}
	ofTwo       = []string{"s_axis_local_tvalid", "m_axis_local_tready", "s_axis_local_tdata"}
)

// swaps draws pairs of wires. From the data of links it takes only payloads: bits of headers are equal on
// many links, so swapping them changes nothing.
func (d *design) swaps(count int) ([]mutation, error) {
	if count > 0 && d.p.Degree < 2 {
		return nil, &refused{fmt.Sprintf("%s: a router of one link has no two wires that could change places", d.p.Name)}
	}
	random := rand.New(rand.NewPCG(1, uint64(d.p.Nodes)))
	var all []mutation
	taken := map[swap]bool{}
	for tries := 0; len(all) < count; tries++ {
		if tries > 1000*count {
			return nil, &refused{fmt.Sprintf("%s: there are only %d pairs of wires to change places", d.p.Name, len(all))}
		}
		s := swap{node: random.IntN(d.p.Nodes)}
		if kind := len(all) % (len(ofOneRouter) + len(ofTwo)); kind < len(ofOneRouter) {
			s.port, s.other = ofOneRouter[kind], s.node
			two := random.Perm(d.p.Degree)[:2]
			slices.Sort(two)
			s.bit, s.with = two[0], two[1]
			switch s.port {
			case "s_axis_link_tdata":
				bit := random.IntN(d.p.PayloadBits)
				s.bit, s.with = bit+two[0]*d.p.LinkBits, bit+two[1]*d.p.LinkBits
			case "link_pace":
				bit := random.IntN(plan.PaceBits)
				s.bit, s.with = bit+two[0]*plan.PaceBits, bit+two[1]*plan.PaceBits
			}
		} else {
			s.port = ofTwo[kind-len(ofOneRouter)]
			s.other = (s.node + 1) % d.p.Nodes
		}
		if taken[s] {
			continue
		}
		taken[s] = true
		all = append(all, mutation{Number: len(d.mutations) + len(all) + 1, Module: d.p.NetworkModule, swap: &s})
	}
	return all, nil
}

// instance finds the routers in the text of a network, and what their ports are.
var (
	instance   = regexp.MustCompile(`(?m)^    \w+_router node(\d+) \($`)
	connection = regexp.MustCompile(`(?m)^        \.(\w+)\(([^()]*)\)(,?)$`)
)

// rewire returns the text of the network with all swaps of wires, each switched on by its
// number.
func (d *design) rewire(text string) (string, error) {
	places := instance.FindAllStringSubmatchIndex(text, -1)
	if len(places) != d.p.Nodes {
		return "", fmt.Errorf("the network of %s has %d routers, expected %d", d.p.Name, len(places), d.p.Nodes)
	}
	wired := map[int]map[string]string{} // by node and port
	for i, at := range places {
		end := len(text)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		node, err := strconv.Atoi(text[at[2]:at[3]])
		if err != nil {
			return "", err
		}
		wired[node] = map[string]string{}
		for _, c := range connection.FindAllStringSubmatch(text[at[0]:end], -1) {
			wired[node][c[1]] = c[2]
		}
	}
	changed := map[int]map[string]string{}
	set := func(node int, port, by string) {
		if changed[node] == nil {
			changed[node] = map[string]string{}
		}
		changed[node][port] = by
	}
	now := func(node int, port string) string {
		if by, ok := changed[node][port]; ok {
			return by
		}
		return wired[node][port]
	}
	var wires strings.Builder
	width := map[string]int{}
	for _, w := range d.p.RouterWires() {
		width[w.Name] = w.Width()
	}
	for _, m := range d.mutations {
		s := m.swap
		if s == nil {
			continue
		}
		if wired[s.node][s.port] == "" || wired[s.other][s.port] == "" {
			return "", fmt.Errorf("node %d or %d of %s has no %s", s.node, s.other, d.p.Name, s.port)
		}
		if s.node != s.other {
			one, two := now(s.node, s.port), now(s.other, s.port)
			set(s.node, s.port, fmt.Sprintf("mutant == %d ? %s : %s", m.Number, two, one))
			set(s.other, s.port, fmt.Sprintf("mutant == %d ? %s : %s", m.Number, one, two))
			continue
		}
		name, w := fmt.Sprintf("before%d", m.Number), width[s.port]
		fmt.Fprintf(&wires, "    wire [%d:0] %s = %s;\n", w-1, name, now(s.node, s.port))
		fmt.Fprintf(&wires, "    wire [%d:0] both%d = %d'd1 << %d | %d'd1 << %d;\n", w-1, m.Number, w, s.bit, w, s.with)
		set(s.node, s.port, fmt.Sprintf("%s ^ (both%d & {%d{mutant == %d && %s[%d] != %s[%d]}})",
			name, m.Number, w, m.Number, name, s.bit, name, s.with))
	}
	var result strings.Builder
	first := places[0][0]
	result.WriteString(text[:first])
	result.WriteString("    import \"DPI-C\" function int hc_mutant();\n    reg [31:0] mutant;\n    initial mutant = hc_mutant();\n")
	result.WriteString(wires.String())
	for i, at := range places {
		end := len(text)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		node, err := strconv.Atoi(text[at[2]:at[3]])
		if err != nil {
			return "", err
		}
		result.WriteString(connection.ReplaceAllStringFunc(text[at[0]:end], func(line string) string {
			c := connection.FindStringSubmatch(line)
			return fmt.Sprintf("        .%s(%s)%s", c[1], now(node, c[1]), c[3])
		}))
	}
	return result.String(), nil
}
