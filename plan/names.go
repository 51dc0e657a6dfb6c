// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"slices"
	"strings"
)

// Every module of a machine is named <machine>_<ending>, and those of a collective network
// <machine>__<name>_<ending>. Library modules have endings, too, such as hc_pace. Two modules of different machines
// or of different collective networks never share a name:
//   - Names in descriptions have no double underscore, so the first one of a module's name follows the machine.
//   - No ending is an underscore and another ending behind some text, so the rest before it is known as well.
//
// A new ending keeps the second rule; a test of package gen compares the lists with what is generated.
var (
	Endings = []string{
		"router", "network", "endpoint", "chip", "board", "router_pins", "network_pins", "region_pins", "chip_pins", "endpoint_pins", "system_pins", "load", "bench", "instance", "nodes", "nodes_pkg", "system", "components", "streams", "cocotb",
		"proof", "rings", "structure", "equivalence", "configured", "standin", "machine", "specialized",
	}
	CollectiveEndings = []string{"network", "network_pins", "network_proof", "node", "node_pins", "nodes_proof", "table",
		"bench", "example", "instance", "vectors", "memory", "unit", "unit_pins"}
)

// Module is the name of a module of the machine, and of its file.
func (p *Plan) Module(ending string) string { return p.Name + "_" + known(Endings, ending) }

// Library is the name that a module of the library has in the output of the machine.
func (p *Plan) Library(module string) string { return p.Name + "_" + module }

// Module is the name of a module of the collective network, and of its file.
func (p *Collective) Module(ending string) string {
	return p.Machine + "__" + p.Name + "_" + known(CollectiveEndings, ending)
}

// OuterModule is the module of a network that no other module of the network contains: the network, or, if it has vectors, the
// module with its memories.
func (p *Collective) OuterModule() string {
	if p.Vector > 0 {
		return p.Module("vectors")
	}
	return p.NetworkModule
}

// OuterInstance is the instance of that module in a design: its name without that of the machine.
func (p *Collective) OuterInstance() string {
	return strings.TrimPrefix(p.OuterModule(), p.Machine+"__")
}

// RingModule is the proof of the rings of a port: that of the ending rings, with the number of the port.
func (p *Plan) RingModule(port int) string { return p.Module("rings") + fmt.Sprint(port) }

// NodeModule is the module of a class of nodes: that of the ending node, with a number if there are several classes.
func (p *Collective) NodeModule(class int) string { return p.ofClass("node", class) }

// MemoryModule is that of the memory of these nodes, with the ending memory.
func (v *Vectors) MemoryModule(class int) string { return v.ofClass("memory", class) }

func (p *Collective) ofClass(ending string, class int) string {
	if len(p.Programs) == 1 {
		return p.Module(ending)
	}
	return p.Module(ending) + fmt.Sprint(class)
}

func known(endings []string, ending string) string {
	if !slices.Contains(endings, ending) {
		panic("plan: unknown ending of a module: " + ending) // the caller is at fault
	}
	return ending
}
