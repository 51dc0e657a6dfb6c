// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counted is Verilog with every kind of block that the reader knows.
const counted = `// assert (in a comment)
module part #(
    parameter integer LANES = 1,
    parameter integer KIND  = 0
) (
    input wire clk
);
    localparam integer PAIRS = LANES / 2;
    always @(posedge clk) begin
        if (clk) begin
            assert (a);
        end
        cover (b);
    end
    genvar i, j;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : lane
            always @* if (c) assert (d);
            for (j = 0; j < i; j = j + 1) begin : below
                always @* assert (e);
            end
            if (i < LANES - 1) begin : inner
                always @* begin assert (f); assert (g); end
            end
        end
        if (KIND == 2) begin : two
            always @* cover (h);
        end else if (KIND == 1) begin : one
            always @* assert (i);
        end else begin : other
            always @* cover (j);
            always @* cover (k);
        end
    endgenerate
endmodule
module top (
    input wire clk
);
    part #(
        .LANES(1 + 2),
        .KIND(1)
    ) first (
        .clk(clk)
    );
    part second (
        .clk(clk)
    );
    always @* assert (l);
endmodule
`

func TestPropertiesAreCounted(t *testing.T) {
	// three lanes: 1 + 3 + (0 + 1 + 2) + 2 * 2 + 1; one lane: 1 + 1; and that of top
	found, err := countProperties("top", nil, counted)
	require.NoError(t, err)
	assert.Equal(t, properties{Assertions: 12 + 2 + 1, Covers: 1 + 3}, found)

	_, err = countProperties("top", nil, "module top (\n);\nendmodule\n")
	assert.EqualError(t, err, "the properties of top: it has no assertions")
	_, err = countProperties("top", nil, "module top;\n    generate\n        for (i = 0; i < UNKNOWN; i = i + 1) begin : lane\n            always @* assert (a);\n        end\n    endgenerate\nendmodule\n")
	assert.ErrorContains(t, err, "UNKNOWN")
}
