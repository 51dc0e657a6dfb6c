// SPDX-License-Identifier: Apache-2.0

package verilog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestListsAreAligned(t *testing.T) {
	const text = `module m #(
    parameter integer WIDTH = 8  // bits of a word
) (
    input  wire clk,
    input  wire rst,  // active high
    output reg [WIDTH-1:0] long_name,
    input  wire [3:0] a,  // of four
    output wire b  // one
);
    input_of_nobody = 1;
    m #(
        .W(1)
    ) i (
        .clk(clk),
        .\inside.q (q),
        .long_name({x,
            y}),
        .b()
    );
`
	const want = `module m #(
    parameter integer WIDTH = 8  // bits of a word
) (
    input  wire             clk,
    input  wire             rst,  // active high
    output reg  [WIDTH-1:0] long_name,
    input  wire [3:0]       a,    // of four
    output wire             b     // one
);
    input_of_nobody = 1;
    m #(
        .W(1)
    ) i (
        .clk      (clk),
        .\inside.q (q),
        .long_name({x,
            y}),
        .b        ()
    );
`
	var b strings.Builder
	a := NewAligned(&b)
	for _, c := range []byte(text) { // templates write in pieces
		_, err := a.Write([]byte{c})
		require.NoError(t, err)
	}
	require.NoError(t, a.Flush())
	assert.Equal(t, want, b.String())
}
