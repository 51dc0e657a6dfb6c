// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hcgen/hcgen/machine"
)

// subject is a machine that is measured, and its goals on the HX8K.
type subject struct {
	name   string // for -machines
	title  string
	config string            // name of the machine, described in configs/<config>.hcl if there is no text
	vars   map[string]string // values of variables of the description
	text   string            // description

	nodes, degree, payload int // as in the title; load rejects any other machine

	// Goals. 0 means none; the network is placed only if it has one.
	lut4       int     // of the router: at most this number
	mhz        float64 // of the router: at least this clock, median of the seeds
	networkMHz float64 // of the network: likewise
}

// overask is the ratio of the clock that the tools aim for to the goal of a network: they reach less of it
// than with a router.
const overask = 1.3

// target is what the tools aim for, on the device of the description: its clock too if there is no goal.
func (s *subject) target(m *machine.Machine, seeds []int, network bool) machine.Synthesis {
	target := m.Synthesis[0]
	target.Seeds = seeds
	switch {
	case network:
		target.ClockMHz = overask * s.networkMHz
	case s.mhz > 0:
		target.ClockMHz = s.mhz
	}
	return target
}

// reference is the subject that other designs are compared with: routers of five ports, in a network of 16 nodes.
const reference = "torus4x4"

func subjects() []subject {
	return []subject{
		{name: "ring8", title: "ring of 8", config: "ring8", nodes: 8, degree: 2, payload: 32, lut4: 245, networkMHz: 130},
		{name: "ring8_8bit", title: "ring of 8, 8 bits", config: "ring8", vars: map[string]string{"payload_bits": "8"}, nodes: 8, degree: 2, payload: 8, lut4: 110, networkMHz: 160},
		{name: "torus4x4_4bit", title: "4x4 torus, 4 bits", config: "torus4x4", vars: map[string]string{"payload_bits": "4"}, nodes: 16, degree: 4, payload: 4, lut4: 200, networkMHz: 135},
		{name: reference, title: "4x4 torus", config: "torus4x4", nodes: 16, degree: 4, payload: 32, lut4: 530, mhz: 140},
		{name: "cube4", title: "4-cube", config: "cube4", nodes: 16, degree: 4, payload: 32, lut4: 490, mhz: 140},
		{name: "torus4x4_destination", title: "4x4 torus, destinations", config: "torus4x4_destination", nodes: 16, degree: 4, payload: 32, text: withDestinations("torus4x4_destination", 4, 4), lut4: 640, mhz: 135},
		{name: "cube4_destination", title: "4-cube, destinations", config: "cube4_destination", nodes: 16, degree: 4, payload: 32, text: withDestinations("cube4_destination", 2, 2, 2, 2), lut4: 655, mhz: 135},
		{name: "torus8x8", title: "8x8 torus", config: "torus8x8", nodes: 64, degree: 4, payload: 32, text: torus8x8},
		{name: "prototype15", title: "15x15x15x15, rho 1", config: "prototype15", nodes: 50625, degree: 8, payload: 32, lut4: 1350, mhz: 110},
		{name: "degree16", title: "15x15x15x15, rho 2", config: "degree16", nodes: 50625, degree: 16, payload: 16, lut4: 1750, mhz: 90},
	}
}

// torus8x8 shows the cost of a broadcast on 64 nodes with the five ports of the 4x4 torus; 4x4x4 and the 6-cube have seven. It has no network top, because Verilator makes separate
// code for each router in a network, which takes the compiler minutes: the routers are simulated as an array.
var torus8x8 = describe("torus8x8", "network = false", "", 8, 8)

// withDestinations describes a machine of rings with rho = 1 whose messages have destinations, to be compared
// with the machine without them.
func withDestinations(name string, sizes ...int) string {
	return describe(name, "", "message {\n    destination = true\n  }", sizes...)
}

// describe writes a machine of rings with rho = 1 and the payload of 32 bits, with the lines of top and message before and after
// its dimensions.
func describe(name, top, message string, sizes ...int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "machine %q {\n  %s\n", name, top)
	for i, m := range sizes {
		fmt.Fprintf(&text, "  dimension %q {\n    m   = %d\n    rho = 1\n  }\n", fmt.Sprintf("d%d", i+1), m)
	}
	fmt.Fprintf(&text, `  %s
}

synthesis "hx8k" {
  family    = "ice40"
  device    = "hx8k"
  package   = "ct256"
  clock_mhz = 100
}
`, message)
	return text.String()
}

// choose returns the subjects with these names, all of them if there are none.
func choose(names []string) ([]subject, error) {
	all := subjects()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []subject
	var known []string
	missing := map[string]bool{}
	for _, n := range names {
		missing[n] = true
	}
	for _, s := range all {
		known = append(known, s.name)
		if missing[s.name] {
			chosen = append(chosen, s)
			delete(missing, s.name)
		}
	}
	for _, n := range names {
		if missing[n] {
			return nil, &badFlag{fmt.Sprintf("there is no machine %q; there are %s", n, strings.Join(known, ", "))}
		}
	}
	return chosen, nil
}

// machine reads the description, and makes sure that it is the machine of the title.
func (s *subject) machine() (*machine.Machine, error) {
	file, text := filepath.Join("configs", s.config+".hcl"), []byte(s.text)
	if s.text == "" {
		var err error
		if text, err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	m, _, diags := machine.LoadBytes(file, text, s.vars)
	if diags.HasErrors() {
		return nil, diags
	}
	if m.Name != s.config || m.Graph.Nodes() != s.nodes || m.Graph.Degree() != s.degree || m.PayloadBits != s.payload {
		return nil, fmt.Errorf("%s describes %s with %d nodes of degree %d and %d bits of payload, not %s with %d nodes of degree %d and %d bits",
			file, m.Name, m.Graph.Nodes(), m.Graph.Degree(), m.PayloadBits, s.config, s.nodes, s.degree, s.payload)
	}
	if n := len(m.Synthesis); n != 1 {
		return nil, fmt.Errorf("%s has %d targets of synthesis, not one", file, n)
	}
	return m, nil
}
