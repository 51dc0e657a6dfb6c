#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Measures the clock of the least that a router of one cycle per hop does in a cycle
# (scripts/hop/hop.v), on an HX8K, over seeds: what is left of it is what all else may take.
#
#   hop.sh FOLDER [SEED]...     (run in the project; results go to FOLDER)
#
# Exit codes: 0 measured, 3 a tool failed, 4 a tool is missing.
set -eu

out=$1
shift
seeds=${*:-1 2 3 4 5}
mkdir -p "$out"
for tool in yosys nextpnr-ice40; do
    command -v $tool >/dev/null || {
        echo "hop.sh: error: $tool is not installed; make setup installs it" >&2
        exit 4
    }
done

# As synth.sh maps for the clock, with a goal that it does not meet.
script=$(yosys -Q -T -p "scratchpad -copy abc9.script.flow2 s; scratchpad -get s") || {
    echo "hop.sh: error: Yosys does not tell what its script abc9.script.flow2 is" >&2
    exit 3
}
script=$(printf '%s\n' "$script" | tail -n 1 | sed 's/{W}/-W 700/g')

for headers in 0 1; do
    for sources in 2 3 4; do
        name=hop$sources-$headers
        yosys -q -p "scratchpad -set abc9.script \"$script\"; scratchpad -set abc9.D 4000; read_verilog scripts/hop/hop.v hdl/hc_arbiter.v hdl/hc_choice.v hdl/hc_select.v hdl/hc_ring_port.v; chparam -set SOURCES $sources -set HEADERS $headers hop; synth_ice40 -abc9 -dffe_min_ce_use 8 -device hx -top hop -json $out/$name.json" >"$out/$name.out" 2>&1 || {
            echo "hop.sh: error: Yosys cannot synthesize hop:" >&2
            tail -n 5 "$out/$name.out" >&2
            exit 3
        }
        clocks=
        for seed in $seeds; do
            log=$out/$name-$seed.log
            nextpnr-ice40 --hx8k --package ct256 --json "$out/$name.json" --freq 150 --seed "$seed" --timing-allow-fail \
                --no-promote-globals --placer-heap-timingweight 100 --placer-heap-beta 0.8 >"$log" 2>&1 || {
                echo "hop.sh: error: nextpnr-ice40 failed with seed $seed:" >&2
                tail -n 5 "$log" >&2
                exit 3
            }
            clocks="$clocks $(sed -n "s/.*Max frequency for clock *'[^']*': *\([0-9.]*\) MHz.*/\1/p" "$log" | tail -n 1)"
        done
        # shellcheck disable=SC2086 # one clock for each seed
        printf '%s\n' $clocks | sort -n | awk -v sources="$sources" -v headers="$headers" -v seeds="$seeds" '
            { mhz[NR] = $1 }
            END { printf "%d sources%s: %.0f / %.0f / %.0f MHz, min / median / max of seeds %s\n", sources,
                headers == 1 ? ", headers" : "", mhz[1], (mhz[int((NR + 1) / 2)] + mhz[int(NR / 2) + 1]) / 2, mhz[NR], seeds }'
    done
done
