// SPDX-License-Identifier: Apache-2.0

package proofs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counter counts to LAST, and is claimed to stay below LIMIT.
const counter = `
module counter (input clk, input go);
    parameter LAST = 5, LIMIT = 6;
    reg  [2:0] count_q = 0;
    wire       more    = go && count_q != LAST;
    wire [2:0] next    = more ? count_q + 3'd1 : count_q;
    always @(posedge clk) count_q <= next;
    always @* begin
        assert (count_q < LIMIT);
        cover (count_q == 3);
        cover (count_q == 7);
    end
endmodule
`

// A formula says the same after it is cut: the same assertions hold and fail in the same steps,
// and the same covers are reached.
func TestCutFormulaSaysTheSame(t *testing.T) {
	t.Parallel()
	cut, err := filepath.Abs("../../templates/formal/cut.awk")
	require.NoError(t, err)
	run := func(dir, name string, arguments ...string) (string, error) {
		command := exec.CommandContext(t.Context(), name, arguments...)
		command.Dir = dir
		text, err := command.CombinedOutput()
		return string(text), err
	}
	formulas := func(source, passes string) string {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "counter.v"), []byte(source), 0o644))
		text, err := run(dir, "yosys", "-p", "read_verilog -formal counter.v; "+passes+"; async2sync; dffunmap; write_smt2 -wires whole.smt2")
		require.NoError(t, err, text)
		return dir
	}
	for _, c := range []struct{ passes, bounded, induction, cover string }{
		{"prep -top counter", "Status: PASSED", "Status: PASSED", "Unreached cover statement at counter"},
		{"chparam -set LIMIT 5 counter; prep -top counter", "BMC failed!", "Temporal induction failed!", "Unreached cover statement at counter"},
		{"chparam -set LAST 7 -set LIMIT 8 counter; prep -top counter", "Status: PASSED", "Status: PASSED", "in step 7."},
	} {
		dir := formulas(counter, c.passes)
		text, err := run(dir, "sh", "-c", "awk -f '"+cut+"' whole.smt2 >cut.smt2")
		require.NoError(t, err, text)
		formula, err := os.ReadFile(filepath.Join(dir, "cut.smt2"))
		require.NoError(t, err)
		assert.NotRegexp(t, `define-fun \|[^ ]*#\d`, string(formula), "a wire is not cut")
		assert.Regexp(t, `\(= \(\|[^ ]*#\d+\| state\) `, string(formula))

		solve := func(formula string, arguments ...string) string {
			said, _ := run(dir, "yosys-smtbmc", append(arguments, "--noprogress", "--unroll", "--noincr", "-s", "z3", formula)...)
			var lines []string
			for line := range strings.Lines(said) {
				_, line, _ = strings.Cut(line, ":") // without the time
				if line = strings.TrimLeft(line, "0123456789: "); !strings.Contains(line, "Value for anyconst") {
					lines = append(lines, line)
				}
			}
			return strings.Join(lines, "")
		}
		for _, task := range []struct {
			says      string
			arguments []string
		}{{c.bounded, []string{"-t", "9", "--presat"}}, {c.induction, []string{"-i", "-t", "2"}}, {c.cover, []string{"-c", "-t", "9"}}} {
			whole := solve("whole.smt2", task.arguments...)
			assert.Contains(t, whole, task.says, c.passes)
			assert.Equal(t, whole, solve("cut.smt2", task.arguments...), c.passes)
		}
	}

	// what has other modules in it would be cut off from them
	dir := formulas(counter+"module top (input clk, input go); wire a = !go; counter below (.clk(clk), .go(a)); endmodule\n", "prep -top top")
	text, err := run(dir, "awk", "-f", cut, "whole.smt2")
	assert.Error(t, err)
	assert.Contains(t, text, "cut.awk: error: the formula is not that of one flat module\n")
}
