#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The program that FuseSoC runs: passes the file to hcgen, which must be in PATH or named by HCGEN.
set -eu

command -v "${HCGEN:-hcgen}" >/dev/null 2>&1 || {
    echo "hcgen.sh: error: ${HCGEN:-hcgen} is not installed" >&2
    echo "hint: go install github.com/hcgen/hcgen/cmd/hcgen@latest" >&2
    exit 4
}
exec "${HCGEN:-hcgen}" fusesoc "$1"
