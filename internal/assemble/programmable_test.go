// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// programmableMachines have the smallest limits, the largest, and two between, with and without
// spare ports.
func programmableMachines(t *testing.T) []*machine.Machine {
	ring := func(m, rho int) hypercycle.Dimension { return hypercycle.Dimension{M: m, Rho: rho} }
	limits := func(m *machine.Machine, bus string, dimensions, nodes, degree int) *machine.Machine {
		m.Programmable = &machine.Programmable{Bus: bus, MaxDimensions: dimensions, MaxNodes: nodes, MaxDegree: degree}
		return m
	}
	largest := machineOf(t, "programmable_largest", 8, true, hypercycle.Clockwise, ring(15, 1))
	largest.Network = false // tools take minutes for the network
	return []*machine.Machine{
		limits(machineOf(t, "programmable_pair", 1, true, hypercycle.Clockwise, ring(2, 1)), machine.Wishbone, 1, 2, 1),
		limits(machineOf(t, "programmable_three", 7, true, hypercycle.Balanced, ring(3, 1)), machine.AXI4Lite, 2, 4, 3),
		limits(machineOf(t, "programmable_grid", 8, false, hypercycle.Clockwise, ring(3, 1), ring(4, 2)), machine.AXI4Lite, 2, 6, 5),
		limits(largest, machine.Wishbone, 4, 15, 16),
	}
}

// Only tools would find a library file that is missing or not needed.
func TestFilesOfAProgrammableMachine(t *testing.T) {
	for _, m := range programmableMachines(t) {
		made := contents(t, m)
		registers := registersOf(made)
		for path := range made {
			if module, is := strings.CutPrefix(path, "rtl/"+m.Name+"_hc_"); is && module != "router_programmable.v" {
				name := strings.TrimSuffix(m.Name+"_hc_"+module, ".v")
				used := 0
				for other, text := range made {
					if strings.HasPrefix(other, "rtl/") && other != path && strings.Contains(text, name+" ") {
						used++
					}
				}
				assert.Positive(t, used, "%s is not used", name)
			}
		}
		assert.ElementsMatch(t, inAllLanguages("registers/hc_registers"), registers)
		assert.Contains(t, made["tb/bench_config.h"], "#define "+strings.ToUpper(m.Programmable.Bus)+"\n")
		assert.Contains(t, made, "tb/bus.h")
		assert.NotContains(t, contents(t, loaded(t, ring5)), "tb/bus.h")
	}
}

// registersOf lists the files in the folder registers.
func registersOf(made map[string]string) (list []string) {
	for path := range made {
		if strings.HasPrefix(path, "registers/") {
			list = append(list, path)
		}
	}
	return list
}

func inAllLanguages(file string) (list []string) {
	for _, extension := range []string{".h", ".vh", ".md", ".json", ".rdl"} {
		list = append(list, file+extension)
	}
	return list
}

func TestRegistersOfOtherMachines(t *testing.T) {
	endpoints := loaded(t, strings.Replace(ring5, "machine \"ring5\" {", "machine \"ring5\" {\nendpoint {\n}", 1))
	assert.ElementsMatch(t, append(inAllLanguages("registers/hc_endpoint_registers"), "registers/ring5.h"), registersOf(contents(t, endpoints)))
	assert.Empty(t, registersOf(contents(t, loaded(t, ring5))))
}

// The script of the proof puts all files in one folder.
func TestFilesOfTheProofHaveNamesOfTheirOwn(t *testing.T) {
	for _, m := range programmableMachines(t) {
		for _, name := range []string{m.Name, "hc"} {
			m.Name = name
			formal := 0
			made := contents(t, m)
			for path := range made {
				if file, is := strings.CutPrefix(path, "formal/"); is {
					formal++
					assert.NotContains(t, made, "rtl/"+file)
				}
			}
			assert.GreaterOrEqual(t, formal, 8)
		}
	}
}
