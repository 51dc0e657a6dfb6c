// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/test/internal/harness"
)

// systems are machines with endpoints that no other test has: m of their dimensions, and the bus.
var systems = []struct {
	name, bus string
	m         []int
}{
	{"plane", "axi4lite", []int{3, 2}},
	{"ring", "wishbone", []int{5}},
}

// generateSystem makes the output of a machine of the table, whose memories have 2^9 bytes.
func generateSystem(t testing.TB, name string) folder {
	t.Helper()
	for _, s := range systems {
		if s.name != name {
			continue
		}
		text := fmt.Sprintf("machine %q {\n", name)
		for i, m := range s.m {
			text += fmt.Sprintf("  dimension \"d%d\" {\n    m   = %d\n    rho = 1\n  }\n", i+1, m)
		}
		text += fmt.Sprintf("  endpoint {\n    bus          = %q\n    address_bits = 9\n  }\n}\n", s.bus)
		m, out := harness.Generate(t, harness.Text(t, text), nil)
		return newFolder(t, m, out)
	}
	t.Fatalf("there is no system %s", name)
	return folder{}
}

// systems runs systems.py.
func (f folder) systems(t *testing.T) (string, error) {
	t.Helper()
	p := f.p
	wires := p.EndpointBusWires()
	for _, name := range []string{"irq", "mem_en", "mem_we", "mem_addr", "mem_wdata", "mem_rdata"} {
		wires = append(wires, p.EndpointWire(name))
	}
	dimensions := [][2]int{}
	for _, d := range p.Machine.Dimensions {
		dimensions = append(dimensions, [2]int{d.M, d.Rho})
	}
	text, err := json.Marshal(map[string]any{
		"name": p.Name, "nodes": p.Nodes, "bus": p.Endpoint.Bus, "address_bits": p.Endpoint.AddressBits, "dimensions": dimensions, "wires": wires,
	})
	require.NoError(t, err)
	f.write(t, "machine.json", string(text))
	script, err := filepath.Abs("systems.py")
	require.NoError(t, err)
	return f.run(t, tool(t, "python"), script, ".")
}

// Programs at all nodes see what docs/endpoints.md says, on each bus.
func TestProgramsOnSystems(t *testing.T) {
	ready(t)
	for _, s := range systems {
		t.Run(s.name, func(t *testing.T) {
			text, err := generateSystem(t, s.name).systems(t)
			require.NoError(t, err, text)
		})
	}
}

// The programs find endpoints that do not keep the rules, on each bus.
func TestProgramsOnSystemsRefuseFaults(t *testing.T) {
	ready(t)
	for _, fault := range []struct {
		system, what, module string
		changes              []string // old and new texts in turn
	}{
		{"plane", "own word", "memory", []string{"(strobes & {4{write}})", "{4{write}}"}}, // strobes are ignored
		{"ring", "own word", "requests", []string{ // a get has the word of an earlier get: it is no fence
			"if (reads_q) reply_data <= mem_rdata;",
			"if (memory_turn) begin last_q <= memory_address; again_q <= last_q === memory_address; end\n        if (reads_q & !again_q) reply_data <= mem_rdata;",
			"wire [DEST_BITS-1:0]  oldest_dest;", "wire [DEST_BITS-1:0]  oldest_dest;\n    reg [ADDRESS_BITS-3:0] last_q;\n    reg again_q;",
		}},
		{"ring", "the word is unknown", "memory", []string{"& {3{!held}}", "& {3{1'b1}}"}}, // a turn while a sum is written
	} {
		f := generateSystem(t, fault.system)
		file := "rtl/" + f.p.Name + "_hc_endpoint_" + fault.module + ".v"
		text := f.read(t, file)
		for i := 0; i < len(fault.changes); i += 2 {
			require.Contains(t, text, fault.changes[i])
			text = strings.Replace(text, fault.changes[i], fault.changes[i+1], 1)
		}
		f.write(t, file, text)
		said, err := f.systems(t)
		require.Error(t, err, fault.what)
		assert.Contains(t, said, fault.what)
	}
}
