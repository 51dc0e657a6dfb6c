#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lints and synthesizes a generated machine and replays the traces on its netlists, with the newest packaged
# Yosys (@yowasp/yosys of npm) and with Debian's.
#
#   newest.sh OUT FOLDER      (run in the top folder; OUT is generated, packages and results go to FOLDER)
#
# Needs node and npm: make setup-test.
# Exit codes: 0 fine, 3 a check failed, 4 npm cannot install.
set -eu

out=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)

say() { echo "newest: $*" >&2; }

cp tools/newest/package.json tools/newest/package-lock.json tools/newest/yosys.mjs "$folder"
cmp -s "$folder/package-lock.json" "$folder/installed.json" || {
    (cd "$folder" && npm ci --silent --ignore-scripts --no-audit --no-fund) || {
        say "error: npm cannot install @yowasp/yosys: is registry.npmjs.org within reach?"
        exit 4
    }
    cp "$folder/package-lock.json" "$folder/installed.json"
}
say "$("$folder/yosys.mjs" -V)"

# first Debian's Yosys, for comparison
make -C "$out" --no-print-directory synth || exit 3

# in another folder, so that the results can be compared
make -C "$out" --no-print-directory lint-yosys synth netlist BUILD=build-newest YOSYS="$folder/yosys.mjs" \
    CELLS_SIM="$folder/node_modules/@yowasp/yosys/gen/share/ice40/cells_sim.v" || exit 3
