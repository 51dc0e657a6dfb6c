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
	{"hc_operation_counter", threeOperations, 10},
	{"hc_operation_counter", "-chparam OPERATIONS 2 -chparam BITS 3 -chparam FIRST 6'b101_000 -chparam LAST 6'b110_100", 10},
	{"hc_operation_counter", "-chparam OPERATIONS 4 -chparam BITS 4 -chparam FIRST 16'h9520 -chparam LAST 16'hf841", 12},
	{"hc_step_turns", "-chparam STEPS 1 -chparam TURNS 2 -chparam DONE 1", 8},
	{"hc_step_turns", "-chparam STEPS 3 -chparam TURNS 3 -chparam DONE 3", 18},
	{"hc_step_turns", "-chparam STEPS 4 -chparam TURNS 2 -chparam DONE 2", 14},
	{"hc_word_delay", "-chparam WIDTH 2 -chparam CYCLES 1", 4},
	{"hc_word_delay", "-chparam WIDTH 2 -chparam CYCLES 3", 6},
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
	{"hc_chunk_control", "-chparam BITS 1 -chparam PLACES 1", 1},
	{"hc_chunk_control", "-chparam BITS 2 -chparam PLACES 3", 4},
	{"hc_chunk_control", "-chparam BITS 1 -chparam PLACES 4", 5},
	{"hc_chunk_mux", "-chparam WORDS 2 -chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 0", 4},
	{"hc_chunk_mux", "-chparam WORDS 3 -chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 1", 4},
	{"hc_chunk_mux", "-chparam WORDS 5 -chparam WIDTH 4 -chparam CHUNK 1 -chparam TOP_FIRST 0", 5},
	{"hc_chunk_operand", "-chparam WIDTH 4 -chparam CHUNK 3 -chparam TOP_FIRST 0 -chparam IDENTITY_SIGN 0 -chparam IDENTITY_BITS 0", 3},
	{"hc_chunk_operand", "-chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 1 -chparam IDENTITY_SIGN 0 -chparam IDENTITY_BITS 1", 4},
	{"hc_chunk_operand", "-chparam WIDTH 4 -chparam CHUNK 1 -chparam TOP_FIRST 1 -chparam IDENTITY_SIGN 1 -chparam IDENTITY_BITS 0", 5},
	{"hc_chunk_register", "-chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 0", 5},
	{"hc_chunk_register", "-chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 1", 5},
	{"hc_chunk_register", "-chparam WIDTH 4 -chparam CHUNK 1 -chparam TOP_FIRST 0", 6},
	{"hc_chunk_skew", "-chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 0", 4},
	{"hc_chunk_skew", "-chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 1", 4},
	{"hc_chunk_skew", "-chparam WIDTH 4 -chparam CHUNK 1 -chparam TOP_FIRST 0", 5},
	{"hc_chunk_straighten", "-chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 0", 4},
	{"hc_chunk_straighten", "-chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 1", 4},
	{"hc_chunk_straighten", "-chparam WIDTH 4 -chparam CHUNK 1 -chparam TOP_FIRST 1", 5},
	{"hc_chunk_add", "-chparam W 4 -chparam CHUNK 3", 3},
	{"hc_chunk_add", "-chparam W 5 -chparam CHUNK 2", 4},
	{"hc_chunk_add", "-chparam W 9 -chparam CHUNK 3", 4},
	{"hc_chunk_add", "-chparam W 4 -chparam CHUNK 1", 5},
	{"hc_chunk_choice", "-chparam W 4 -chparam CHUNK 3 -chparam LARGER 0 -chparam SIGNED 1", 3},
	{"hc_chunk_choice", "-chparam W 5 -chparam CHUNK 2 -chparam LARGER 0 -chparam SIGNED 0", 4},
	{"hc_chunk_choice", "-chparam W 5 -chparam CHUNK 2 -chparam LARGER 1 -chparam SIGNED 0", 4},
	{"hc_chunk_choice", "-chparam W 5 -chparam CHUNK 2 -chparam LARGER 1 -chparam SIGNED 1", 4},
	{"hc_chunk_choice", "-chparam W 9 -chparam CHUNK 3 -chparam LARGER 0 -chparam SIGNED 1", 4},
	{"hc_chunk_choice", "-chparam W 4 -chparam CHUNK 1 -chparam LARGER 1 -chparam SIGNED 1", 5},
}

// threeOperations are the parameters of a counter with a number that no operation has. An operation has a single cycle.
const threeOperations = "-chparam OPERATIONS 3 -chparam BITS 4 -chparam FIRST 12'h720 -chparam LAST 12'ha61"

// chunkParts are the modules that modules of words in chunks use.
var chunkParts = map[string][]string{
	"hc_chunk_mux":        {"hc_chunk_control", "hc_mux"},
	"hc_chunk_operand":    {"hc_chunk_control", "hc_operand"},
	"hc_chunk_register":   {"hc_chunk_control", "hc_word_register"},
	"hc_chunk_straighten": {"hc_chunk_skew"},
}

// collectiveDepth is the number of cycles from which the next one follows: more than the last chunk of a word is behind.
const collectiveDepth = 4

// compiled is the module with its properties, without those of its parts.
func (c collectiveProof) compiled(t *testing.T, faults ...string) *proof {
	t.Helper()
	p := bare(t, append([]string{c.module}, chunkParts[c.module]...), faults...)
	p.add(c.module + ".v")
	p.compile(c.parameters)
	return p
}

// The short tests prove each module with its first parameters.
func TestModulesOfCollectiveNetworksAreProved(t *testing.T) {
	for i, c := range collectiveProofs {
		t.Run(c.module+" "+c.parameters, func(t *testing.T) {
			if i > 0 && collectiveProofs[i-1].module == c.module {
				needs.Time(t)
			}
			p := c.compiled(t)
			p.holds(collectiveDepth)
			p.reaches(c.steps)
		})
	}
}

// chunked is the proof of a module of words in chunks.
func chunked(module, parameters string) collectiveProof {
	return collectiveProof{module: module, parameters: parameters}
}

// delayedWord is a word that enters a node and leaves it unchanged.
const delayedWord = `
module delayed_word #(
    parameter integer WIDTH     = 5,
    parameter integer CHUNK     = 2,
    parameter integer TOP_FIRST = 0
) (
    input wire             clk,
    input wire [WIDTH-1:0] word
);
    localparam integer SKEW = (WIDTH - 1) / CHUNK;
    wire [WIDTH-1:0] skewed;
    wire [WIDTH-1:0] late;
    hc_chunk_skew #(
        .WIDTH(WIDTH),
        .CHUNK(CHUNK),
        .TOP_FIRST(TOP_FIRST)
    ) skew (
        .clk(clk),
        .word(word),
        .skewed(skewed)
    );
    hc_chunk_straighten #(
        .WIDTH(WIDTH),
        .CHUNK(CHUNK),
        .TOP_FIRST(TOP_FIRST)
    ) straighten (
        .clk(clk),
        .skewed(skewed),
        .word(late)
    );
    reg  [7:0]                f_age = 0;  // cycles in the past, at most SKEW
    reg  [SKEW*WIDTH-1:0]     f_words_q;
    wire [(SKEW+1)*WIDTH-1:0] f_words = {f_words_q, word};
    always @(posedge clk) begin
        f_age     <= f_age + (f_age != SKEW);
        f_words_q <= f_words;
    end
    always @* begin
        assert (f_age <= SKEW);
        if (f_age == SKEW) assert (late == f_words[SKEW*WIDTH+:WIDTH]);
        cover (f_age == SKEW && late != 0 && skewed == 0);
    end
endmodule
`

// A word that enters a node in chunks, and leaves it, is the word of C - 1 cycles ago.
func TestSkewedWordsAreStraightened(t *testing.T) {
	for _, parameters := range []string{
		"-chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 0", "-chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 1", "-chparam WIDTH 4 -chparam CHUNK 1 -chparam TOP_FIRST 1",
	} {
		t.Run(parameters, func(t *testing.T) {
			p := bare(t, []string{"hc_chunk_straighten", "hc_chunk_skew"})
			p.within("delayed_word", delayedWord, 1)
			p.compile(parameters)
			p.holds(collectiveDepth)
			p.reaches(5)
		})
	}
}

func TestProofsOfCollectiveModulesFindFaults(t *testing.T) {
	needs.Time(t)
	operations := collectiveProof{"hc_operation_counter", threeOperations, 10}
	for name, c := range map[string]struct {
		collectiveProof
		from, to string
	}{
		"a start counts while an operation is under way": {collectiveProof{"hc_step_counter", "-chparam PERIOD 3", 8}, "if (ready) begin", "if (ready | start) begin"},
		"an operation is a cycle short":                  {collectiveProof{"hc_step_counter", "-chparam PERIOD 3", 8}, "LAST = PERIOD[BITS-1:0]", "LAST = PERIOD[BITS-1:0] - 1'b1"},
		"ready comes a cycle late":                       {collectiveProof{"hc_step_counter", "-chparam PERIOD 3", 8}, "LAST - 1'b1", "LAST"},
		"a reset leaves an operation done":               {collectiveProof{"hc_step_counter", "-chparam PERIOD 3", 8}, "            done  <= 1'b0;\n", ""},
		"a start is accepted in any cycle":               {operations, "if (ready) count", "if (ready | start) count"},
		"the operation starts that does not":             {operations, "operation == i[", "operation != i["},
		"a number of no operation is operation 0":        {operations, "first  = FIRST[(OPERATIONS-1)*BITS+:BITS];", "first  = FIRST[BITS-1:0];"},
		"the count of a number of no operation is 0":     {operations, "second = FIRST[(OPERATIONS-1)*BITS+:BITS] + 1'b1;", "second = {BITS{1'b0}};"},
		"one operation has no end":                       {operations, "if (count == LAST[i*BITS+:BITS]) last", "if (count == LAST[0+:BITS]) last"},
		"an operation with a single cycle has two":       {operations, "!start | only", "!start"},
		"ready comes with the last cycle but one":        {operations, "LAST[i*BITS+:BITS] - 1'b1", "LAST[i*BITS+:BITS] - 2'd2"},
		"the first cycle is looked up late":              {operations, "at = ready ? first : count", "at = count"},
		"a bit of the count changes too often":           {operations, "^ &count[g-1:0]", "^ |count[g-1:0]"},
		"a reset leaves one of several done":             {operations, "            done  <= 1'b0;\n", ""},
		"a turn is free although a step ends":            {collectiveProof{"hc_step_turns", "-chparam STEPS 3 -chparam TURNS 3", 10}, "|| last == LAST;", "|| last != 1;"},
		"a turn stays taken after the last step":         {collectiveProof{"hc_step_turns", "-chparam STEPS 2 -chparam TURNS 2", 10}, " || last == LAST;", ";"},
		"a number goes up in another place":              {collectiveProof{"hc_step_turns", "-chparam STEPS 3 -chparam TURNS 3", 10}, "next = ending_q + 1'b1", "next = ending_q"},
		"results are a cycle early":                      {collectiveProof{"hc_step_turns", "-chparam STEPS 2 -chparam TURNS 2 -chparam DONE 2", 10}, "ended[DONE];", "ended[DONE-1];"},
		"a reset leaves turns":                           {collectiveProof{"hc_step_turns", "-chparam STEPS 3 -chparam TURNS 3", 10}, "            began_q  <= {(TURNS - 1) * BITS{1'b0}};\n", ""},
		"a reset leaves results":                         {collectiveProof{"hc_step_turns", "-chparam STEPS 3 -chparam TURNS 3 -chparam DONE 3", 10}, "            ended_q  <= {DONE{1'b0}};\n", ""},
		"a word is a cycle late":                         {collectiveProof{"hc_word_delay", "-chparam WIDTH 2 -chparam CYCLES 2", 10}, "words[CYCLES*WIDTH+:WIDTH]", "words[(CYCLES-1)*WIDTH+:WIDTH]"},
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
		"places have the control of a cycle too late":    {chunked("hc_chunk_control", "-chparam BITS 2 -chparam PLACES 3"), "controls = {later, control}", "controls = {later[BITS-1:0], control, control}"},
		"all places have the select of place 0":          {chunked("hc_chunk_mux", "-chparam WORDS 3 -chparam WIDTH 5 -chparam CHUNK 2"), "selects[PLACE*BITS+:BITS]", "selects[0+:BITS]"},
		"a select goes up although the top is first":     {chunked("hc_chunk_mux", "-chparam WORDS 2 -chparam WIDTH 5 -chparam CHUNK 2 -chparam TOP_FIRST 1"), "TOP_FIRST != 0 ? CHUNKS - 1 - k : k", "k"},
		"an operand is valid a cycle early":              {chunked("hc_chunk_operand", "-chparam WIDTH 5 -chparam CHUNK 2"), "valids[PLACE]", "valids[PLACE > 0 ? PLACE - 1 : 0]"},
		"each chunk of an operand has a sign":            {chunked("hc_chunk_operand", "-chparam WIDTH 5 -chparam CHUNK 2 -chparam IDENTITY_SIGN 1"), "k == CHUNKS - 1 ? IDENTITY_SIGN : IDENTITY_BITS", "IDENTITY_SIGN"},
		"chunks of a register load together":             {chunked("hc_chunk_register", "-chparam WIDTH 5 -chparam CHUNK 2"), "loads[PLACE]", "loads[0]"},
		"a chunk enters a cycle early":                   {chunked("hc_chunk_skew", "-chparam WIDTH 5 -chparam CHUNK 2"), "parts[PLACE*SIZE+:SIZE]", "parts[(PLACE-1)*SIZE+:SIZE]"},
		"a word leaves skewed twice":                     {chunked("hc_chunk_straighten", "-chparam WIDTH 5 -chparam CHUNK 2"), "TOP_FIRST != 0 ? 0 : 1", "TOP_FIRST"},
		"a chunk has no carry":                           {chunked("hc_chunk_add", "-chparam W 5 -chparam CHUNK 2"), "carries[k+1] = carry_q", "carries[k+1] = 1'b0"},
		"a carry has no register":                        {chunked("hc_chunk_add", "-chparam W 5 -chparam CHUNK 2"), "always @(posedge clk) carry_q <=", "always @* carry_q ="},
		"the last chunk alone decides":                   {chunked("hc_chunk_choice", "-chparam W 5 -chparam CHUNK 2"), "choice = equal[k] ? less : smaller[k]", "choice = less"},
		"an equal chunk ends the choice":                 {chunked("hc_chunk_choice", "-chparam W 5 -chparam CHUNK 2"), "equal[k] & part_a == part_b", "1'b0"},
		"a difference is forgotten":                      {chunked("hc_chunk_choice", "-chparam W 5 -chparam CHUNK 2"), "equal[k] & part_a == part_b", "part_a == part_b"},
		"each chunk of a signed word has a sign":         {chunked("hc_chunk_choice", "-chparam W 5 -chparam CHUNK 2 -chparam SIGNED 1"), "SIGNED != 0 && k == CHUNKS - 1", "SIGNED != 0"},
	} {
		t.Run(name, func(t *testing.T) {
			c.compiled(t, c.from, c.to).fails(8)
		})
	}
}

func TestIllegalParametersOfCollectiveModulesStopElaboration(t *testing.T) {
	dir, _ := library(t)
	for _, c := range []struct{ module, parameter, value, says string }{
		{"hc_step_counter", "PERIOD", "0", "hc_step_counter_PERIOD_must_be_1_or_more"},
		{"hc_operation_counter", "OPERATIONS", "1", "hc_operation_counter_OPERATIONS_must_be_2_or_more"},
		{"hc_operation_counter", "FIRST", "9", "hc_operation_counter_FIRST_of_operation_0_must_be_0"},
		{"hc_operation_counter", "FIRST", "4", "hc_operation_counter_FIRST_must_be_above_LAST_of_the_operation_before"},
		{"hc_operation_counter", "LAST", "8", "hc_operation_counter_LAST_must_be_above_FIRST"},
		{"hc_step_turns", "STEPS", "0", "hc_step_turns_STEPS_must_be_1_or_more"},
		{"hc_step_turns", "TURNS", "1", "hc_step_turns_TURNS_must_be_2_or_more"},
		{"hc_step_turns", "DONE", "0", "hc_step_turns_DONE_must_be_1_or_more"},
		{"hc_word_delay", "CYCLES", "0", "hc_word_delay_CYCLES_must_be_1_or_more"},
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
