// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"fmt"

	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// NodeModule is the module that stands for the nodes of a collective network: the node that has most to select from, or, if there are
// vectors, the module of that node and its memory, which is for synthesis alone.
func NodeModule(c *plan.Collective) string {
	if c.Vector > 0 {
		return c.Module("unit")
	}
	return rtl.LargestNode(c)
}

// NodePinsModule is its small-pin wrapper.
func NodePinsModule(c *plan.Collective) string {
	if c.Vector > 0 {
		return c.Module("unit_pins")
	}
	return rtl.LargestNode(c) + "_pins"
}

// unitView is everything the template of a node with its memory prints.
type unitView struct {
	*plan.Vectors
	Header, Module string
	Wires          []plan.Wire // its ports: the links of the node, and what the user writes and reads
	Inside         []plan.Wire
	Instances      []rtl.Instance
	Unused         []string
}

func newUnitView(c *plan.Collective) *unitView {
	v := &unitView{Vectors: c.Vectors(), Header: c.Notice("//"), Module: NodeModule(c)}
	class := rtl.LargestClass(c)
	node, memory := rtl.Instance{Module: c.NodeModule(class), Name: "node"}, rtl.Instance{Module: v.MemoryModule(class), Name: "memory"}
	outside, ofMemory, ofNode := map[string]bool{}, map[string]bool{}, map[string]bool{}
	port := func(w plan.Wire) {
		v.Wires = append(v.Wires, w)
		outside[w.Name] = true
	}
	for _, w := range v.MemoryWires() {
		if w.Network == plan.Shared || w.Network == plan.PerNode {
			port(w)
		} else {
			ofMemory[w.Name] = true
		}
	}
	for _, w := range v.NodeWires() {
		if w.Network == plan.Near { // a link
			port(w)
		}
		ofNode[w.Name] = true
	}
	for _, w := range v.MemoryWires() {
		value := w.Name
		switch {
		case w.Name == "m_data" && !ofNode[w.Name]:
			value = "link_in"
		case w.Name == "m_own_valid" && !ofNode[w.Name]:
			value = "word_done"
		case !outside[w.Name]:
			v.Inside = append(v.Inside, w)
		}
		memory.Connections = append(memory.Connections, verilog.To(w.Name, value))
	}
	for _, w := range v.NodeWires() {
		value := w.Name
		switch {
		case w.IsClock() || w.Network == plan.Near || ofMemory[w.Name]:
		case w.Role == plan.Start:
			value = "word_start"
		case w.Name == "done":
			value = "word_done"
		case w.Output: // which the memory does not need
			value = "node_" + w.Name
			wire := w
			wire.Name = value
			v.Inside, v.Unused = append(v.Inside, wire), append(v.Unused, value)
		default: // words are always valid
			value = fmt.Sprintf("{%d{1'b1}}", w.Width())
		}
		node.Connections = append(node.Connections, verilog.To(w.Name, value))
	}
	v.Instances = []rtl.Instance{node, memory}
	return v
}
