// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/internal/needs"
)

// collectiveProof is a module of collective networks with parameters, and the cycles in which all covers are reached.
type collectiveProof struct {
	module, parameters string
	steps              int
}

var collectiveProofs = []collectiveProof{
	{"hc_step_counter", "-chparam PERIOD 1", 6},
	{"hc_step_counter", "-chparam PERIOD 3", 10},
	{"hc_step_counter", "-chparam PERIOD 4", 12},
	{"hc_mux", "-chparam WORDS 2 -chparam WIDTH 1", 1},
	{"hc_mux", "-chparam WORDS 3 -chparam WIDTH 2", 1},
	{"hc_mux", "-chparam WORDS 5 -chparam WIDTH 2", 1},
	{"hc_mux", "-chparam WORDS 8 -chparam WIDTH 2", 1},
	{"hc_operand", "-chparam WIDTH 2", 1},
	{"hc_operand", "-chparam WIDTH 2 -chparam IDENTITY_SIGN 1 -chparam IDENTITY_BITS 1", 1},
	{"hc_operand", "-chparam WIDTH 3 -chparam IDENTITY_SIGN 1", 1},
	{"hc_operand", "-chparam WIDTH 3 -chparam IDENTITY_BITS 1", 1},
	{"hc_word_register", "-chparam WIDTH 2", 3},
	{"hc_hold_register", "-chparam WIDTH 2", 3},
	{"hc_valid_check", "-chparam WORDS 1", 5},
	{"hc_valid_check", "-chparam WORDS 3", 5},
	{"hc_vector_bank", "-chparam WORDS 2 -chparam WIDTH 2", 4},
	{"hc_vector_bank", "-chparam WORDS 3 -chparam WIDTH 2", 4},
	{"hc_vector_counter", "-chparam WORDS 1 -chparam PERIOD 1", 8},
	{"hc_vector_counter", "-chparam WORDS 4 -chparam PERIOD 1 -chparam F_SKEW 3", 14},
	{"hc_vector_counter", "-chparam WORDS 3 -chparam PERIOD 2", 12},
	{"hc_vector_counter", "-chparam WORDS 2 -chparam PERIOD 3 -chparam F_SKEW 1", 14},
	{"hc_vector_counter", "-chparam WORDS 3 -chparam PERIOD 2 -chparam F_SKEW 5", 20},
	{"hc_add", "-chparam W 4", 1},
	{"hc_and", "-chparam W 3", 1},
	{"hc_or", "-chparam W 3", 1},
	{"hc_xor", "-chparam W 3", 1},
	{"hc_min", "-chparam W 4", 1},
	{"hc_max", "-chparam W 4", 1},
	{"hc_signed_min", "-chparam W 1", 1},
	{"hc_signed_min", "-chparam W 4", 1},
	{"hc_signed_max", "-chparam W 4", 1},
}

func TestModulesOfCollectiveNetworksAreProved(t *testing.T) {
	for _, c := range collectiveProofs {
		t.Run(c.module+" "+c.parameters, func(t *testing.T) {
			p := prove(t, []string{c.module})
			p.compile(c.parameters)
			p.holds(2)
			p.reaches(c.steps)
		})
	}
}

func TestProofsOfCollectiveModulesFindFaults(t *testing.T) {
	needs.Time(t)
	for name, c := range map[string]struct {
		collectiveProof
		from, to string
	}{
		"a start counts while an operation is under way": {collectiveProof{"hc_step_counter", "-chparam PERIOD 3", 8}, "if (ready) begin", "if (ready | start) begin"},
		"an operation is a cycle short":                  {collectiveProof{"hc_step_counter", "-chparam PERIOD 3", 8}, "LAST = PERIOD[BITS-1:0]", "LAST = PERIOD[BITS-1:0] - 1'b1"},
		"ready comes a cycle late":                       {collectiveProof{"hc_step_counter", "-chparam PERIOD 3", 8}, "LAST - 1'b1", "LAST"},
		"a reset leaves an operation done":               {collectiveProof{"hc_step_counter", "-chparam PERIOD 3", 8}, "            done  <= 1'b0;\n", ""},
		"a mux takes the lower of two":                   {collectiveProof{"hc_mux", "-chparam WORDS 5 -chparam WIDTH 2", 2}, "if (select[level])", "if (!select[level])"},
		"a mux leaves a word out":                        {collectiveProof{"hc_mux", "-chparam WORDS 5 -chparam WIDTH 2", 2}, "i + (1 << level) < WORDS", "i + (2 << level) < WORDS"},
		"an operand is zero instead of ones":             {collectiveProof{"hc_operand", "-chparam WIDTH 2 -chparam IDENTITY_BITS 1", 2}, "{IDENTITY_SIGN[0], {WIDTH{IDENTITY_BITS[0]}}}", "{WIDTH+1{1'b0}}"},
		"an operand has the sign of its other bits":      {collectiveProof{"hc_operand", "-chparam WIDTH 2 -chparam IDENTITY_BITS 1", 2}, "{IDENTITY_SIGN[0],", "{IDENTITY_BITS[0],"},
		"a register loads in every cycle":                {collectiveProof{"hc_word_register", "-chparam WIDTH 2", 4}, "if (load) word", "word"},
		"a word is kept for a cycle only":                {collectiveProof{"hc_hold_register", "-chparam WIDTH 2", 4}, "if (load) word_q", "word_q"},
		"a word that is not due is late":                 {collectiveProof{"hc_valid_check", "-chparam WORDS 2", 5}, "|(request_q & ~valid)", "|(~valid)"},
		"a reset leaves a word late":                     {collectiveProof{"hc_valid_check", "-chparam WORDS 2", 5}, "            late      <= 1'b0;\n", ""},
		"a word is written at the address of another":    {collectiveProof{"hc_vector_bank", "-chparam WORDS 3 -chparam WIDTH 2", 4}, "words[write_address]", "words[write_address ^ 1'b1]"},
		"a word is read a cycle early":                   {collectiveProof{"hc_vector_bank", "-chparam WORDS 3 -chparam WIDTH 2", 4}, "words[read_address];", "write_word;"},
		"a vector has a word more":                       {collectiveProof{"hc_vector_counter", "-chparam WORDS 3 -chparam PERIOD 2", 12}, "= count - 1'b1", "= count"},
		"words start before the network is ready":        {collectiveProof{"hc_vector_counter", "-chparam WORDS 3 -chparam PERIOD 2", 12}, "PERIOD[CYCLE_BITS:0] - 1'b1", "PERIOD[CYCLE_BITS:0] - 2'd2"},
		"the first word of a short period is the last":   {collectiveProof{"hc_vector_counter", "-chparam WORDS 3 -chparam PERIOD 1", 12}, "PERIOD == 1 && accepted", "1'b0"},
		"deliveries have the number of the requests":     {collectiveProof{"hc_vector_counter", "-chparam WORDS 3 -chparam PERIOD 1 -chparam F_SKEW 2", 12}, "receive_number <= receive_number + 1'b1", "receive_number <= send_number"},
		"vectors are done with their last start":         {collectiveProof{"hc_vector_counter", "-chparam WORDS 3 -chparam PERIOD 2", 12}, "if (word_done) begin", "if (word_start) begin"},
		"a reset keeps the number of the next word":      {collectiveProof{"hc_vector_counter", "-chparam WORDS 3 -chparam PERIOD 2", 12}, "            send_number    <= {BITS{1'b0}};\n", ""},
		"a reset lets the next word start":               {collectiveProof{"hc_vector_counter", "-chparam WORDS 3 -chparam PERIOD 2", 12}, "            next_word      <= 1'b0;\n", ""},
		"a sum has no carry":                             {collectiveProof{"hc_add", "-chparam W 4", 1}, "a + b", "a ^ b"},
		"a signed minimum is unsigned":                   {collectiveProof{"hc_signed_min", "-chparam W 4", 1}, "$signed(a) < $signed(b)", "a < b"},
		"a signed maximum is the minimum":                {collectiveProof{"hc_signed_max", "-chparam W 4", 1}, "b : a", "a : b"},
		"a minimum is signed":                            {collectiveProof{"hc_min", "-chparam W 4", 1}, "a < b", "$signed(a) < $signed(b)"},
	} {
		t.Run(name, func(t *testing.T) {
			p := prove(t, []string{c.module}, c.from, c.to)
			p.compile(c.parameters)
			p.fails(8)
		})
	}
}

func TestIllegalParametersOfCollectiveModulesStopElaboration(t *testing.T) {
	dir, _ := library(t)
	for _, c := range []struct{ module, parameter, value, says string }{
		{"hc_step_counter", "PERIOD", "0", "hc_step_counter_PERIOD_must_be_1_or_more"},
		{"hc_mux", "WORDS", "1", "hc_mux_WORDS_must_be_2_or_more"},
		{"hc_operand", "IDENTITY_SIGN", "2", "hc_operand_IDENTITY_SIGN_must_be_0_or_1"},
		{"hc_operand", "IDENTITY_BITS", "2", "hc_operand_IDENTITY_BITS_must_be_0_or_1"},
		{"hc_word_register", "WIDTH", "0", "hc_word_register_WIDTH_must_be_1_or_more"},
		{"hc_valid_check", "WORDS", "0", "hc_valid_check_WORDS_must_be_1_or_more"},
		{"hc_vector_counter", "WORDS", "0", "hc_vector_counter_WORDS_must_be_1_or_more"},
		{"hc_vector_counter", "PERIOD", "0", "hc_vector_counter_PERIOD_must_be_1_or_more"},
		{"hc_vector_bank", "WORDS", "1", "hc_vector_bank_WORDS_must_be_2_or_more"},
		{"hc_vector_bank", "WIDTH", "0", "hc_vector_bank_WIDTH_must_be_1_or_more"},
	} {
		t.Run(c.module, func(t *testing.T) {
			text, err := runTool(t, dir, "verilator", "--lint-only", "-Wall", "--top-module", c.module, "-G"+c.parameter+"="+c.value, c.module+".v")
			assert.Error(t, err)
			assert.Contains(t, text, c.says)
			text, err = runTool(t, dir, "yosys", "-q", "-p", "read_verilog "+c.module+".v; hierarchy -check -top "+c.module+" -chparam "+c.parameter+" "+c.value)
			assert.Error(t, err)
			assert.Contains(t, text, c.says)
			text, err = runTool(t, dir, "iverilog", "-g2005", "-t", "null", "-P"+c.module+"."+c.parameter+"="+c.value, "-s", c.module, c.module+".v")
			assert.Error(t, err)
			assert.Contains(t, text, c.says)
		})
	}
}
