#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Synthesizes one generated router with different options of Yosys and nextpnr, one
# changed at a time, and prints LUT4s, flip-flops and the clock with each, for every
# target. Options that do not work are reported and skipped.
#
#   options.sh OUT [SEED...]      (OUT is the folder that hcgen wrote; three seeds)
#
# Exit codes: 0 fine, 2 bad usage, 3 synthesis or placement failed with some options.
set -eu

if [ $# -lt 1 ] || [ ! -f "$1/filelist.f" ]; then
    echo "options.sh: error: ${1:-nothing} is no folder that hcgen has written" >&2
    echo "hint: hcgen -c machine.hcl -o out/, then tools/options.sh out" >&2
    exit 2
fi
out=$1
shift
seeds=${*:-1 2 3}
for seed in $seeds; do
    case $seed in
        *[!0-9]*)
            echo "options.sh: error: the seed $seed is not a whole number" >&2
            echo "hint: make measure WHAT=options SEEDS=\"1 2 3\"" >&2
            exit 2
            ;;
    esac
done
failed=0

# try NAME [VARIABLE=VALUE]
try() {
    name=$1
    shift
    if ! env "$@" make -C "$out" --no-print-directory synth SEEDS="$seeds" BUILD=build/options >"$out/build/options.log" 2>&1; then
        printf '%-46s failed\n' "$name"
        sed -n '/error: /p' "$out/build/options.log" >&2
        failed=3
        return
    fi
    awk -v name="$name" '
        / on .* \(Yosys / { device = $3 }
        /^  router / { lut = $2; ff = $4 }
        /^  clock / { sub(",", "", $3); sub(",", "", $5)
            printf "%-46s %6s %6s   %s / %s / %s on %s\n", name, lut, ff, $3, $5, $7, device }' "$out/build/options.log"
}

mkdir -p "$out/build"
printf '%-46s %6s %6s   %s\n' "options" LUT4 FF "min / median / max MHz over seeds $seeds"
try "as they are" UNCHANGED=1
try "Yosys: the default script of abc9" ABC9_SCRIPT=
try "Yosys: abc9.script.flow" ABC9_SCRIPT=flow
try "Yosys: abc9.script.flow3" ABC9_SCRIPT=flow3
try "Yosys: abc9 with a goal of 4 ns" ABC9_DELAY=4000
try "Yosys: abc9 with a goal of 20 ns" ABC9_DELAY=20000
try "OPTIMIZE=area" OPTIMIZE=area
try "Yosys: abc9 with 5 ns, and 0.7 ns for a wire" ABC9_DELAY=5000 ABC9_WIRE=700
try "Yosys: clock enables for any group" "YOSYS_OPTIONS=-abc9"
try "Yosys: abc instead of abc9" "YOSYS_OPTIONS=-dffe_min_ce_use 8"
try "Yosys: abc with retiming" "YOSYS_OPTIONS=-dffe_min_ce_use 8 -retime"
try "nextpnr: default options" NEXTPNR_OPTIONS=
try "nextpnr: no globals but the clock, only" NEXTPNR_OPTIONS=--no-promote-globals
exit "$failed"
