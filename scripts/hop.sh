#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Measures the clock of the least that a router of one cycle per hop does in a cycle
# (scripts/hop/hop.v), on an HX8K, over seeds, for the largest group and the delivery of each
# machine of make bench that has a goal: what is left of its period is what all else may take.
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

# measure NAME GOAL WHAT TARGET SOURCES LOWEST ENTRANTS WIDTH: a line. GOAL is in MHz; from TARGET on they
# are the parameters of hop.v.
measure() {
    yosys -q -p "scratchpad -set abc9.script \"$script\"; scratchpad -set abc9.D 3000; read_verilog scripts/hop/hop.v hdl/hc_*.v; chparam -set TARGET $4 -set SOURCES $5 -set LOWEST $6 -set ENTRANTS $7 -set WIDTH $8 hop; synth_ice40 -abc9 -dffe_min_ce_use 8 -device hx -top hop -json $out/$1.json" >"$out/$1.out" 2>&1 || {
        echo "hop.sh: error: Yosys cannot synthesize hop:" >&2
        tail -n 5 "$out/$1.out" >&2
        exit 3
    }
    clocks=
    for seed in $seeds; do
        log=$out/$1-$seed.log
        nextpnr-ice40 --hx8k --package ct256 --json "$out/$1.json" --freq 150 --seed "$seed" --timing-allow-fail \
            --no-promote-globals --placer-heap-timingweight 100 --placer-heap-beta 0.8 >"$log" 2>&1 || {
            echo "hop.sh: error: nextpnr-ice40 failed with seed $seed:" >&2
            tail -n 5 "$log" >&2
            exit 3
        }
        clocks="$clocks $(sed -n "s/.*Max frequency for clock *'[^']*': *\([0-9.]*\) MHz.*/\1/p" "$log" | tail -n 1)"
    done
    # shellcheck disable=SC2086 # one clock for each seed
    printf '%s\n' $clocks | sort -n | awk -v goal="$2" -v what="$3" '
        { mhz[NR] = $1 }
        END {
            median = (mhz[int((NR + 1) / 2)] + mhz[int(NR / 2) + 1]) / 2
            printf "%-50s %3.0f / %3.0f / %3.0f MHz; goal %d MHz, %.1f ns of %.1f are left\n", what,
                mhz[1], median, mhz[NR], goal, 1000 / goal - 1000 / median, 1000 / goal }'
}

echo "min / median / max of seeds $seeds; left by the median:"
measure ring8-group 170 "8-ring, group of 1, ring port" 2 1 2 1 32
measure ring8-delivery 170 "8-ring, delivery of 2" 0 2 0 1 32
measure torus4x4-group 150 "4x4 torus, group of 3, ring port" 2 3 2 1 32
measure torus4x4-delivery 150 "4x4 torus, delivery of 4" 0 4 0 1 32
measure cube4-group 150 "4-cube, group of 4, port with a queue" 1 4 1 1 32
measure cube4-delivery 150 "4-cube, delivery of 4" 0 4 0 1 32
measure prototype15-group 115 "15^4, rho 1, group of 7, ring port" 2 7 2 1 32
measure prototype15-delivery 115 "15^4, rho 1, delivery of 8" 0 8 0 1 32
measure degree16-group 90 "15^4, rho 2, group of 13, ring port of 2 entrants" 2 13 4 2 16
measure degree16-delivery 90 "15^4, rho 2, delivery of 16" 0 16 0 1 16
