# SPDX-License-Identifier: Apache-2.0
#
# Where a core begins after the reset: at address 0.

    .section .start, "ax"
    la sp, STACK
    call main
1:  j 1b
