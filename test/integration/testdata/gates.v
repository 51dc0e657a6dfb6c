// SPDX-License-Identifier: Apache-2.0
//
// The gates of Yosys as cells of cells.lib.

module \$_NOT_ (input A, output Y);
    INV _TECHMAP_REPLACE_ (.A(A), .Y(Y));
endmodule

module \$_NAND_ (input A, B, output Y);
    NAND _TECHMAP_REPLACE_ (.A(A), .B(B), .Y(Y));
endmodule
