// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// benched are machines whose streams benches in Python drive: every kind of router, delivery and configuration bus.
var benched = []string{"every", "lanes", "wishbone", "axi4lite", "collectives"}

// severalClocks is the example whose nodes have several clocks.
const severalClocks = "clocks4x4"

var reset = regexp.MustCompile(`\.rst +\((\S+|{.+})\)`)

// The generated bench in Python passes, and fails if the network stays in reset.
func TestGeneratedCocotbBench(t *testing.T) {
	ready(t)
	for _, name := range append(slices.Clone(benched), severalClocks) {
		t.Run(name, func(t *testing.T) {
			var f folder
			if name == severalClocks {
				m, out := harness.Example(t, name, nil)
				f = newFolder(t, m, out)
			} else {
				f = generate(t, name)
			}
			bench := []string{tool(t, "python"), f.integration("_cocotb.py")}
			text, err := f.run(t, bench...)
			require.NoError(t, err, text)
			for n := 1; n < f.p.Nodes; n++ {
				assert.Contains(t, text, fmt.Sprintf("node %d receives the message of node 0", n))
			}
			if f.p.Programmable != nil {
				return // it waits for the configuration
			}
			file := f.integration("_streams.v")
			original := f.read(t, file)
			broken := reset.ReplaceAllString(original, ".rst($1 | ~$1)")
			require.NotEqual(t, original, broken)
			f.write(t, file, broken)
			text, err = f.run(t, bench...)
			require.Error(t, err)
			assert.Contains(t, text, "node 1 received []")
		})
	}
}

// streams runs streams.py.
func (f folder) streams(t *testing.T) (string, error) {
	t.Helper()
	type to struct {
		Node  int `json:"node"` // -1: all
		TDest int `json:"tdest"`
	}
	p := f.p
	broadcast, destinations := 0, []to{}
	for _, field := range p.Addresses().Fields {
		broadcast |= 1 << (field.TDestLow + field.DigitBits)
	}
	for n := range p.Nodes {
		tdest := 0
		for i, field := range p.Addresses().Fields {
			tdest |= p.Machine.Graph.Digit(n, i+1) << field.TDestLow
		}
		if p.Destination != nil {
			destinations = append(destinations, to{n, tdest})
		}
	}
	destinations = append(destinations, to{-1, broadcast})
	bus, writes, reads := "", []plan.Write{}, []plan.Read{}
	if p.Programmable != nil {
		bus, writes, reads = p.Programmable.Bus, p.Programmable.Writes, p.Programmable.Reads
	}
	receivers := make([][]string, p.Nodes)
	for n := range receivers {
		for lane := range p.Deliveries {
			name := fmt.Sprintf("m_axis_node%d", n)
			if p.Deliveries > 1 {
				name += fmt.Sprintf("_port%d", lane)
			}
			receivers[n] = append(receivers[n], name)
		}
	}
	idle := []string{}
	if p.Machine.Barrier {
		idle = append(idle, "barrier_arrive")
	}
	text, err := json.Marshal(map[string]any{
		"name": p.Name, "nodes": p.Nodes, "deliveries": p.Deliveries, "links": p.RouterPorts, "payload_bits": p.PayloadBits,
		"destinations": destinations, "bus": bus, "writes": writes, "reads": reads, "receivers": receivers, "idle": idle,
	})
	require.NoError(t, err)
	f.write(t, "machine.json", string(text))
	script, err := filepath.Abs("streams.py")
	require.NoError(t, err)
	return f.run(t, tool(t, "python"), script, ".")
}

// The models of cocotbext-axi exchange messages under random pauses, and read back the configuration. Every stream of a node
// and of a link keeps the rules of AXI4-Stream.
func TestStreamsUnderRandomPauses(t *testing.T) {
	ready(t)
	for _, name := range benched {
		t.Run(name, func(t *testing.T) {
			text, err := generate(t, name).streams(t)
			require.NoError(t, err, text)
		})
	}
}

// The bench finds each fault in the register of outputs.
func TestStreamsRefuseFaults(t *testing.T) {
	ready(t)
	f := generate(t, "collectives")
	file := "rtl/" + f.p.Name + "_hc_output.v"
	original := f.read(t, file)
	for _, fault := range []struct{ what, line, replacement string }{
		{
			"tvalid drops before the word is accepted", "assign m_axis_tvalid = full_q;",
			"reg stalled_q = 1'b0;\n    always @(posedge clk) stalled_q <= m_axis_tvalid & !m_axis_tready;\n    assign m_axis_tvalid = full_q & !stalled_q;",
		},
		{
			"a word changes before it is accepted", "assign m_axis_tdata  = data_q;",
			"reg stalled_q = 1'b0;\n    always @(posedge clk) stalled_q <= m_axis_tvalid & !m_axis_tready;\n    assign m_axis_tdata = data_q ^ stalled_q;",
		},
		{
			"missing Counter({", "full_q <= valid | !ready;",
			"count_q <= rst ? 4'd0 : count_q + valid;\n        full_q <= (valid & !(&count_q)) | !ready;",
		},
	} {
		require.Contains(t, original, fault.line)
		text := strings.Replace(original, fault.line, fault.replacement, 1)
		f.write(t, file, strings.Replace(text, "    assign ready =", "    reg [3:0] count_q;\n    assign ready =", 1))
		said, err := f.streams(t)
		require.Error(t, err, fault.what)
		assert.Contains(t, said, fault.what)
	}
}
