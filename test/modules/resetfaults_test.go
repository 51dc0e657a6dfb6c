// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/internal/needs"
)

var (
	// resetLine matches the reset of one register, resetBlock that of several.
	resetLine  = regexp.MustCompile(`(?m)^ *if \(rst\) [^;\n]* <= [^;\n]*;\n`)
	resetBlock = regexp.MustCompile(`(?m)^ *if \(rst\) begin\n((?: *[^;\n]* <= [^;\n]*;\n)+) *end\n`)
)

// resets lists the lines of a module that reset a register.
func resets(t *testing.T, module string) (lines []string) {
	t.Helper()
	text, err := hdl.Source(module)
	require.NoError(t, err)
	lines = resetLine.FindAllString(text, -1)
	for _, block := range resetBlock.FindAllStringSubmatch(text, -1) {
		lines = append(lines, strings.SplitAfter(strings.TrimSuffix(block[1], "\n"), "\n")...)
	}
	return lines
}

// The proof of a module fails if any of its registers keeps its value in reset.
func TestProofsFindMissingResets(t *testing.T) {
	needs.Time(t)
	alone := func(module, parameters, add string) destinationCase {
		return destinationCase{sources: []string{module}, parameters: parameters, add: add}
	}
	usual := func(module string) destinationCase { return alone(module, faultParameters[module][0], "") }
	for _, c := range []struct {
		module    string
		proved    destinationCase
		registers int // of the module that are reset
		steps     int
	}{
		{"hc_arbiter", usual("hc_arbiter"), 1, 4},
		{"hc_tree_arbiter", alone("hc_tree_arbiter", chparams("REQUESTERS", "3", "WORD_BITS", "2"), ""), 1, 3},
		{"hc_output", usual("hc_output"), 1, 4},
		{"hc_ring_mark", alone("hc_ring_mark", "", ""), 3, 6},
		{"hc_pace", alone("hc_pace", chparams("DEGREE", "2", "TURN", "8"), ""), 2, 6},
		{"hc_local_input", usual("hc_local_input"), 1, 6},
		{"hc_link_input", usual("hc_link_input"), 4, 6},
		{"hc_group", destinationCase{sources: group(), parameters: faultParameters["hc_group"][0]}, 1, 6},
		{"hc_barrier", barrierCases()[3], 4, 6},
		{"hc_link_slices", usual("hc_link_slices"), 2, 4},
		{"hc_link_credits", destinationCase{sources: []string{"hc_link_credits", "hc_delay"}, parameters: faultParameters["hc_link_credits"][0]}, 4, 6},
		{"hc_destination_group", destinationGroupCases()[0], 1, 6},
		{"hc_destination_copier", destinationInputCases()[0], 1, 6},
		{"hc_packets", packetsCases()[0], 7, 8},
		{"hc_wishbone", alone("hc_wishbone", "", ""), 2, 6},
		{"hc_axi4lite", alone("hc_axi4lite", "", ""), 4, 6},
		{"hc_node_count", alone("hc_node_count", "", "hc_node_count_product.v"), 2, 8},
		{"hc_weight_engine", destinationCase{sources: engine()}, 1, 6},
	} {
		lines := resets(t, c.module)
		assert.Len(t, lines, c.registers, c.module)
		for _, line := range lines {
			t.Run(c.module+" "+strings.TrimSpace(line), func(t *testing.T) {
				t.Parallel()
				c.proved.proof(t, line, "\n").fails(c.steps)
			})
		}
	}
}
