// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// Word k that node n writes for index i is {k, n, n + i}, digit by digit. So a node receives for index i {k, n + i, n} in a total exchange,
// and {k, n + i, n + i}, what that node wrote, in an all-gather, where i is 0. The second operation has other words and starts with done of the
// first. A reset ends the third.
const vectorsBench = `module bench;
    reg clk = 1'b0, rst = 1'b1, start = 1'b0;
    wire ready, done;
    reg [8:0] count;
    reg [15:0] w_valid = 16'd0;
    reg [127:0] w_number, r_number;
    reg [511:0] w_data;
    wire [511:0] r_data;
    reg [63:0] w_index, r_index;

    torus4x4__exchange_vectors network (.clk(clk), .rst(rst), .start(start), .count(count), .ready(ready), .done(done), .w_valid(w_valid),
        WRITES .w_number(w_number), .w_data(w_data), .r_index(r_index), .r_number(r_number), .r_data(r_data));

    function [3:0] plus(input [3:0] a, input [3:0] b);
        plus = {a[3:2] + b[3:2], a[1:0] + b[1:0]};
    endfunction

    always #1 clk = !clk;

    integer i, k, n, errors, cycles, dones = 0;
    reg [3:0] node, other;
    reg [511:0] data;
    always @(posedge clk) if (done & !rst) dones <= dones + 1;

    task write(input [8:0] words, input [15:0] seed);  // those of an all-gather are the last
        for (k = 0; k < words; k = k + 1)
            for (i = 15; i >= 0; i = i - 1) begin
                for (n = 0; n < 16; n = n + 1) begin
                    node = n;
                    other = i;
                    data[n*32+:32] = {seed, k[7:0], node, plus(node, other)};
                end
                w_valid = 16'hffff;
                w_index = {16{other}};
                w_number = {16{k[7:0]}};
                w_data = data;
                @(negedge clk) w_valid = 16'd0;
            end
    endtask

    task operation(input [8:0] words);
        begin
            start = 1'b1;
            count = words;
            cycles = 0;
            @(negedge clk) start = 1'b0;
            while (!done) begin
                @(negedge clk) cycles = cycles + 1;
            end
            cycles = cycles + 1;
        end
    endtask

    task check(input [8:0] words, input [15:0] seed);
        begin
            errors = 0;
            for (k = 0; k < words; k = k + 1)
                for (i = 1; i < 16; i = i + 1) begin
                    other = i;
                    r_index = {16{other}};
                    r_number = {16{k[7:0]}};
                    @(negedge clk);
                    for (n = 0; n < 16; n = n + 1) begin
                        node = n;
                        other = plus(node, i);
                        if (r_data[n*32+:32] !== {seed, k[7:0], other, RECEIVED}) errors = errors + 1;
                    end
                end
            $display("%0d words, %0d cycles, errors %0d", words, cycles, errors);
        end
    endtask

    initial begin
        repeat (3) @(negedge clk);
        rst = 1'b0;
        write(9'd4, 16'd1);
        operation(9'd2);
        operation(9'd4);
        check(9'd4, 16'd1);
        write(9'd6, 16'd2);
        operation(9'd6);
        check(9'd6, 16'd2);
        start = 1'b1;
        repeat (20) @(negedge clk);
        start = 1'b0;
        rst = 1'b1;
        @(negedge clk) rst = 1'b0;
        $display("ready %b, done %b", ready, done);
        repeat (200) @(negedge clk);
        operation(9'd256);
        check(9'd5, 16'd2);
        $display("dones %0d", dones);
        $finish;
    end
endmodule
`

// The module of the page carries out operations on vectors, in the cycles that the page states. A short run has the
// operation of the page.
func TestVectorsShownAreRight(t *testing.T) {
	needs.Tools(t, "iverilog", "vvp")
	p := read(t, vectors)
	at := slices.IndexFunc(p.fences, func(f fence) bool { return f.is("hcl") })
	require.Contains(t, p.fences[at].text, "total-exchange")
	for operation, c := range map[string]struct {
		writes, received string
		period           int
	}{"total-exchange": {".w_index(w_index),", "node", 8}, "all-gather": {"", "other", 4}} {
		t.Run(operation, func(t *testing.T) {
			if operation != "total-exchange" {
				needs.Time(t)
			}
			bench := strings.NewReplacer("WRITES", c.writes, "RECEIVED", c.received).Replace(vectorsBench)
			printed := simulated(t, p, strings.Replace(p.fences[at].text, "total-exchange", operation, 1), bench)
			want := fmt.Sprintf("4 words, %d cycles, errors 0\n6 words, %d cycles, errors 0\nready 1, done 0\n5 words, %d cycles, errors 0\ndones 4\n",
				4*c.period+2, 6*c.period+2, 256*c.period+2)
			assert.Equal(t, want, printed)
		})
	}
}
