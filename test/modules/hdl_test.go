// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// library copies the modules into a folder and returns it and their names.
func library(t *testing.T) (string, []string) {
	t.Helper()
	dir := t.TempDir()
	return dir, harness.Library(t, dir)
}

func runTool(t *testing.T, dir, tool string, arguments ...string) (string, error) {
	t.Helper()
	needs.Tools(t, tool)
	command := exec.Command(tool, arguments...)
	command.Dir = dir
	text, err := command.CombinedOutput()
	return string(text), err
}

func TestEveryModuleIsCleanAlone(t *testing.T) {
	dir, modules := library(t)
	for _, module := range modules {
		t.Run(module, func(t *testing.T) {
			text, err := runTool(t, dir, "verilator", "--lint-only", "-Wall", "-y", ".", "--top-module", module, module+".v")
			assert.NoError(t, err, text)
			text, err = runTool(t, dir, "verilator", "--lint-only", "-Wall", "--language", "1364-2005", "-y", ".", "--top-module", module, module+".v")
			assert.NoError(t, err, text)
			text, err = runTool(t, dir, "yosys", "-q", "-p",
				"read_verilog "+module+".v; hierarchy -check -libdir . -top "+module+"; proc; check -assert")
			assert.NoError(t, err, text)
			text, err = runTool(t, dir, "iverilog", "-g2005", "-Wall", "-t", "null", "-y", ".", "-s", module, module+".v")
			assert.NoError(t, err, text)
			assert.Empty(t, text)
		})
	}
}

func TestModulesFollowTheHouseRules(t *testing.T) {
	dir, modules := library(t)
	for _, module := range modules {
		data, err := os.ReadFile(filepath.Join(dir, module+".v"))
		require.NoError(t, err)
		text := string(data)
		assert.True(t, strings.HasPrefix(module, "hc_"), module)
		assert.Contains(t, text, "SPDX-License-Identifier: Apache-2.0", module)
		assert.Contains(t, text, "`default_nettype none\n\nmodule "+module+" ", module)
		assert.True(t, strings.HasSuffix(text, "endmodule\n\n`default_nettype wire\n"), module)
		assert.Equal(t, 1, strings.Count(text, "\nendmodule"), module)
		assert.NotContains(t, text, "lint_off", "%s: no waivers", module)
		assert.NotContains(t, text, "\t", module)
		assert.Less(t, strings.Count(text, "\n"), 320, module) // hc_endpoint_core connects ten parts and has no logic of its own
	}
}

// The message is the name of a module that does not exist, see package hdl.
func TestIllegalParametersStopElaboration(t *testing.T) {
	needs.Time(t)
	dir, _ := library(t)
	cases := []struct{ module, parameter, value, says string }{
		{"hc_arbiter", "REQUESTERS", "0", "hc_arbiter_REQUESTERS_must_be_1_or_more"},
		{"hc_tree_arbiter", "REQUESTERS", "0", "hc_tree_arbiter_REQUESTERS_must_be_1_or_more"},
		{"hc_select", "WORDS", "0", "hc_select_WORDS_must_be_1_or_more"},
		{"hc_link_input", "LARGEST", "0", "hc_link_input_LARGEST_must_be_1_or_more"},
		{"hc_link_input", "TARGETS", "2", "hc_link_input_TARGETS_must_be_DIMENSION_plus_CONTINUES"},
		{"hc_link_input", "SLOTS", "0", "hc_link_input_SLOTS_must_be_1_or_more"},
		{"hc_port_delivery", "SOURCES", "0", "hc_port_delivery_SOURCES_must_be_1_or_more"},
		{"hc_group", "PORTS", "0", "hc_group_PORTS_must_be_1_or_more"},
		{"hc_ring_port", "ENTRANTS", "0", "hc_ring_port_ENTRANTS_must_be_1_or_more"},
		{"hc_pace", "DEGREE", "0", "hc_pace_DEGREE_must_be_1_or_more"},
		{"hc_pace", "TURN", "0", "hc_pace_TURN_must_be_a_power_of_two"},
		{"hc_pace", "TURN", "3", "hc_pace_TURN_must_be_a_power_of_two"},
		{"hc_spread", "FIELDS_BITS", "1", "hc_spread_FIELDS_BITS_must_be_the_sum_over_FARTHEST"},
		{"hc_destination_group", "PORTS", "3", "hc_entry_PORTS_must_be_2_RHO_or_2_RHO_minus_1"},
		{"hc_entry", "PORTS", "3", "hc_entry_PORTS_must_be_2_RHO_or_2_RHO_minus_1"},
		{"hc_barrier", "DEGREE", "0", "hc_barrier_DEGREE_must_be_1_or_more"},
		{"hc_barrier", "DIAMETER", "0", "hc_barrier_DIAMETER_must_be_1_or_more"},
		{"hc_pace", "LEAD", "0", "hc_pace_LEAD_must_be_1_or_more"},
		{"hc_barrier", "PERIOD", "0", "hc_barrier_PERIOD_must_be_1_or_more"},
		{"hc_link_slices", "STAGES", "0", "hc_link_slices_STAGES_must_be_1_or_more"},
		{"hc_link_credits", "LATENCY", "2", "hc_link_credits_LATENCY_must_be_3_or_more"},
		{"hc_delay", "CYCLES", "0", "hc_delay_CYCLES_must_be_1_or_more"},
		{"hc_clock_crossing", "WIDTH", "1", "hc_clock_crossing_WIDTH_must_be_2_or_more"},
		{"hc_link_clocks", "WIDTH", "0", "hc_link_clocks_WIDTH_must_be_1_or_more"},
		{"hc_link_clocks", "PLACES_BITS", "0", "hc_link_clocks_PLACES_BITS_must_be_1_or_more"},
		{"hc_chip_crc", "BITS", "33", "hc_chip_crc_BITS_must_be_1_to_32"},
		{"hc_chip_pattern", "WORD_BITS", "0", "hc_chip_pattern_WORD_BITS_must_be_1_or_more"},
		{"hc_chip_transmit", "WORD_BITS", "24", "hc_chip_transmit_WORD_BITS_must_be_8_16_32_or_64"},
		{"hc_chip_transmit", "FRAME_WORDS", "2", "hc_chip_transmit_FRAME_WORDS_must_be_more_than_fit_into_64_bits"},
		{"hc_chip_receive", "WORD_BITS", "24", "hc_chip_receive_WORD_BITS_must_be_8_16_32_or_64"},
		{"hc_chip_receive", "FRAME_WORDS", "2", "hc_chip_receive_FRAME_WORDS_must_be_more_than_fit_into_64_bits"},
		{"hc_chip_inbound", "USED_BITS", "65", "hc_chip_inbound_USED_BITS_must_be_1_to_those_of_a_content"},
		{"hc_chip_window", "LINKS", "3", "hc_chip_window_LINKS_must_be_1_to_2_to_the_LINK_NUMBER"},
		{"hc_chip_window", "NUMBER_BITS", "1", "hc_chip_window_NUMBER_BITS_must_be_2_or_more"},
		{"hc_chip_window", "FREED_BITS", "1", "hc_chip_window_FREED_BITS_must_be_2_or_more"},
		{"hc_chip_places", "LINKS", "3", "hc_chip_places_LINKS_must_be_1_to_2_to_the_LINK_NUMBER"},
		{"hc_chip_places", "FREED_BITS", "1", "hc_chip_places_FREED_BITS_must_be_2_or_more"},
		{"hc_chip_paces", "LINKS", "3", "hc_chip_paces_LINKS_must_be_1_to_2_to_the_LINK_NUMBER"},
		{"hc_chip_paces", "BARRIER", "2", "hc_chip_paces_BARRIER_must_be_0_or_1"},
		{"hc_chip_hello", "SILENCE", "1", "hc_chip_hello_SILENCE_must_be_2_or_more"},
		{"hc_chip_hello", "PORT", "16", "hc_chip_hello_PORT_and_FAR_PORT_must_be_0_to_15"},
		{"hc_chip_end", "CONTENT_BITS", "49", "hc_chip_end_CONTENT_BITS_must_be_those_of_the_longer_kind"},
		{"hc_chip_cable", "FRAME_WORDS", "4", "hc_chip_cable_FRAME_WORDS_must_be_the_least_that_hold_a_frame"},
		{"hc_chip_session", "CABLES", "0", "hc_chip_session_CABLES_must_be_1_or_more"},
		{"hc_chip_digit", "M", "1", "hc_chip_digit_M_must_be_2_or_more"},
		{"hc_chip_digit", "STEP", "2", "hc_chip_digit_STEP_must_be_1_to_M_minus_1"},
		{"hc_chip_digit", "BITS", "2", "hc_chip_digit_BITS_must_be_those_of_M_minus_1"},
		{"hc_chip_pins_send", "LANES", "3", "hc_chip_pins_send_LANES_must_divide_WORD_BITS"},
		{"hc_chip_pins_receive", "LANES", "3", "hc_chip_pins_receive_LANES_must_divide_WORD_BITS"},
		{"hc_endpoint_digit", "M", "1", "hc_endpoint_digit_M_must_be_2_or_more"},
		{"hc_endpoint_digit", "DIGIT_BITS", "3", "hc_endpoint_digit_DIGIT_BITS_must_be_those_of_M_minus_1"},
		{"hc_endpoint_core", "NODES", "1", "hc_endpoint_core_NODES_must_be_2_or_more"},
		{"hc_endpoint_core", "ADDRESS_BITS", "7", "hc_endpoint_core_ADDRESS_BITS_must_be_8_or_more"},
		{"hc_endpoint_core", "DEST_BITS", "5", "hc_endpoint_core_DEST_BITS_must_be_the_sum_of_DIGITS_BITS_and_DIMENSIONS"},
		{"hc_endpoint_core", "PAYLOAD_BITS", "48", "hc_endpoint_core_PAYLOAD_BITS_must_be_those_of_a_message"},
		{"hc_endpoint_access", "TIMEOUT", "1", "hc_endpoint_access_TIMEOUT_must_be_0_or_2_or_more"},
		{"hc_endpoint_registers", "DIMENSIONS", "17", "hc_endpoint_registers_DIMENSIONS_must_be_1_to_16"},
		{"hc_packets", "SOURCES", "0", "hc_packets_SOURCES_must_be_1_to_2_to_the_SOURCE_BITS"},
		{"hc_packets", "DEPTH_BITS", "0", "hc_packets_DEPTH_BITS_must_be_1_or_more"},
		{"hc_packets", "PACKETS", "0", "hc_packets_PACKETS_must_be_1_or_more"},
		{"hc_configuration", "DIMENSIONS", "5", "hc_configuration_DIMENSIONS_must_be_1_to_4"},
		{"hc_configuration", "NODES", "16", "hc_configuration_NODES_must_be_2_to_15"},
		{"hc_configuration", "DEGREE", "17", "hc_configuration_DEGREE_must_be_1_to_16"},
		{"hc_configuration", "WD_BITS", "2", "hc_configuration_WD_BITS_must_hold_DIMENSIONS"},
		{"hc_configuration", "WC_BITS", "2", "hc_configuration_WC_BITS_must_hold_half_of_NODES"},
		{"hc_configuration", "NODE_BITS", "15", "hc_configuration_NODE_BITS_must_hold_NODES_to_the_DIMENSIONS_minus_1"},
	}
	for _, c := range cases {
		t.Run(c.module, func(t *testing.T) {
			text, err := runTool(t, dir, "verilator", "--lint-only", "-Wall", "-y", ".", "--top-module", c.module,
				"-G"+c.parameter+"="+c.value, c.module+".v")
			assert.Error(t, err)
			assert.Contains(t, text, c.says)
			text, err = runTool(t, dir, "yosys", "-q", "-p", "read_verilog *.v; hierarchy -check -top "+c.module+
				" -chparam "+c.parameter+" "+c.value)
			assert.Error(t, err)
			assert.Contains(t, text, c.says)
			text, err = runTool(t, dir, "iverilog", "-g2005", "-t", "null", "-y", ".", "-s", c.module, "-P"+c.module+"."+c.parameter+"="+c.value, c.module+".v")
			assert.Error(t, err)
			assert.Contains(t, text, c.says)
		})
	}
}

// The limits of the prototype are simulated; other limits must at least give legal Verilog.
func TestProgrammableRouterOfOtherLimitsIsClean(t *testing.T) {
	needs.Time(t)
	dir, _ := library(t)
	for _, limits := range []map[string]int{
		{"DIMENSIONS": 1, "NODES": 4, "DEGREE": 3, "WD_BITS": 1, "WC_BITS": 2, "NODE_BITS": 2},
		{"DIMENSIONS": 1, "NODES": 15, "DEGREE": 14, "WD_BITS": 1, "WC_BITS": 3, "NODE_BITS": 4},
		{"DIMENSIONS": 2, "NODES": 9, "DEGREE": 8, "WD_BITS": 2, "WC_BITS": 3, "NODE_BITS": 7},
		{"DIMENSIONS": 3, "NODES": 6, "DEGREE": 16, "WD_BITS": 2, "WC_BITS": 2, "NODE_BITS": 8},
		{"DESTINATION_BITS": 13, "TDEST_BITS": 20, "DIGITS_BITS": 16},
		{"DIMENSIONS": 1, "NODES": 4, "DEGREE": 3, "WD_BITS": 1, "WC_BITS": 2, "NODE_BITS": 2, "DESTINATION_BITS": 1, "TDEST_BITS": 3, "DIGITS_BITS": 2},
		{"DIMENSIONS": 3, "NODES": 2, "DEGREE": 3, "WD_BITS": 2, "WC_BITS": 1, "NODE_BITS": 3, "DESTINATION_BITS": 5, "TDEST_BITS": 6, "DIGITS_BITS": 3},
	} {
		t.Run(fmt.Sprint(limits), func(t *testing.T) {
			arguments := []string{"--lint-only", "-Wall", "-y", ".", "--top-module", "hc_router_programmable"}
			set := ""
			for _, name := range slices.Sorted(maps.Keys(limits)) {
				arguments = append(arguments, fmt.Sprintf("-G%s=%d", name, limits[name]))
				set += fmt.Sprintf(" -chparam %s %d", name, limits[name])
			}
			text, err := runTool(t, dir, "verilator", append(arguments, "hc_router_programmable.v")...)
			require.NoError(t, err, text)
			text, err = runTool(t, dir, "yosys", "-q", "-p", "read_verilog *.v; hierarchy -check -top hc_router_programmable"+set)
			require.NoError(t, err, text)
		})
	}
}
