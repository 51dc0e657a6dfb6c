#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lints and synthesizes a generated machine and replays the traces on its netlists, with Debian's Yosys and with the newest
# packaged one, which tools/python/install.sh has installed into FOLDER.
#
#   newest.sh OUT FOLDER      (run in the top folder; OUT is generated)
#
# Exit codes: 0 fine, 3 a check failed.
set -eu

out=$1
folder=$(cd "$2" && pwd)
cells=$(echo "$folder"/lib/python*/site-packages/pyosys/share/ice40/cells_sim.v)

# first Debian's Yosys, for comparison
make -C "$out" --no-print-directory synth || exit 3

# in another folder, so that the results can be compared
make -C "$out" --no-print-directory lint-yosys synth netlist BUILD=build-newest YOSYS="$folder/bin/yosys" CELLS_SIM="$cells" || exit 3
