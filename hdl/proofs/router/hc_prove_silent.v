// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_silent: proves that a port that no message can use is never valid.

`default_nettype none

module hc_prove_silent (
    input wire live,
    input wire tvalid
);

    always @* if (live) assert (!tvalid);

endmodule

`default_nettype wire
