#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Measures the programmable router of the prototype's limits with 8-bit payload: LUTs and
# flip-flops of the weight engine alone and of the whole router, on iCE40 and as generic
# 4-input LUTs, and the clock on an HX8K if it can be placed. The last table compares it with the
# prototype of the paper.
#
#   programmable.sh FOLDER [SEED]...     (run in the project; results go to FOLDER)
#
# DEGREE is how many ports the router has, 16 if it is not set; the other limits stay. ROUTE_TIME is
# how many seconds a seed may take, 1500 if it is not set. What is placed and not routed by then is
# said not to be, and measured as nextpnr estimates it after placement. HCGEN is the program, which is
# run with go if it is not set.
#
# Exit codes: 0 measured, 3 a tool failed, 4 a tool is missing.
set -eu

out=$1
shift
seeds=${*:-1 2 3}
limit=${ROUTE_TIME:-1500}
degree=${DEGREE:-16}
mkdir -p "$out"
for tool in yosys nextpnr-ice40; do
    command -v $tool >/dev/null || {
        echo "programmable.sh: error: $tool is not installed; make setup installs it" >&2
        exit 4
    }
done

# count FILE PATTERN: cells of the last section of a listing.
count() { awk -v pattern="$2" '/^=== / { n = 0 } $1 ~ pattern && $2 ~ /^[0-9]+$/ { n += $2 } END { print n + 0 }' "$1"; }

# The first of the four rounds of abc9's script flow2: the best of all that flow2 keeps has the fewest LUTs
# in a row and up to 200 more in all, but the goal is met by each. The goal, and what a wire takes after each
# LUT, are in ps.
flow="scratchpad -set abc9.script \"+&scorr; &sweep; &synch2 -K 6 -C 500; &if -m {C} {W} {D} {R} -v; &mfs\""
flow="$flow; scratchpad -set abc9.D 12900; scratchpad -set synth_ice40.abc9.W 700"
map="synth_ice40 -abc9 -dffe_min_ce_use 8 -device hx"

# ice40 NAME TOP FILE...: a netlist.
ice40() {
    name=$1 top=$2
    shift 2
    parameter=  # to set what it is already would change the order in which cells come to abc9
    [ "$degree" = 16 ] || parameter="chparam -set DEGREE $degree $top;"
    yosys -q -l "$out/$name.log" -p "$flow; read_verilog $*; $parameter $map -top $top -json $out/$name.json; tee -o $out/$name.stat stat" >"$out/$name.out" 2>&1
}

# lut4 NAME TOP [PARAMETERS]: a netlist of generic LUTs.
lut4() {
    yosys -q -l "$out/$1-lut4.log" -p "read_verilog hdl/*.v hdl/programmable/*.v; chparam -set DEGREE $degree ${3:-} $2; synth -lut 4 -flatten -top $2; tee -o $out/$1-lut4.stat stat" >"$out/$1-lut4.out" 2>&1
}

# generic NAME: the cells of a netlist of generic LUTs.
generic() { echo "$(count "$out/$1-lut4.stat" '^[$]lut$') LUT4, $(count "$out/$1-lut4.stat" '^[$]_.*DFF') FF"; }

# fail NAME WHAT: Yosys has failed.
fail() {
    echo "programmable.sh: error: Yosys cannot synthesize $2:" >&2
    tail -n 5 "$out/$1.out" >&2
    exit 3
}

# synthesize NAME TOP: both kinds.
synthesize() {
    ice40 "$1" "$2" hdl/*.v hdl/programmable/*.v || fail "$1" "$2"
    lut4 "$1" "$2" || fail "$1-lut4" "$2"
    echo "$2: iCE40 $(count "$out/$1.stat" '^SB_LUT4$') LUT4, $(count "$out/$1.stat" '^SB_DFF') FF; synth -lut 4: $(generic "$1")"
}

echo "4 dimensions, 15 nodes, degree $degree, 8-bit payload:"
synthesize engine hc_weight_engine
synthesize router hc_router_programmable
lut4 destinations hc_router_programmable "-set DESTINATION_BITS 13 -set TDEST_BITS 20 -set DIGITS_BITS 16" || fail destinations-lut4 "the router with destinations"
echo "with destinations: synth -lut 4: $(generic destinations)"

ice40 pins programmable_pins hdl/*.v hdl/programmable/*.v tools/programmable/programmable_pins.v || fail pins "the router behind its pins"
clocks=
for seed in $seeds; do
    status=0
    timeout "$limit" nextpnr-ice40 --hx8k --package ct256 --json "$out/pins.json" --freq 50 --seed "$seed" \
        --placer-heap-timingweight 20 --timing-allow-fail >"$out/seed$seed.log" 2>&1 || status=$?
    clock=$(sed -n "s/.*Max frequency for clock *'clk': *\([0-9.]*\) MHz.*/\1/p" "$out/seed$seed.log" | tail -n 1)
    cells=$(sed -n 's/.*ICESTORM_LC: *\([0-9]*\/ *[0-9]*\).*/\1/p' "$out/seed$seed.log" | head -n 1)
    if [ $status -eq 0 ]; then
        echo "HX8K, seed $seed: $clock MHz, $cells logic cells"
        clocks="$clocks $clock"
    elif [ $status -eq 124 ] && [ -n "$clock" ]; then
        echo "HX8K, seed $seed: not routed in $limit s; $clock MHz as estimated after placement, $cells logic cells"
    elif [ $status -eq 124 ]; then
        echo "HX8K, seed $seed: not placed in $limit s, $cells logic cells"
    else
        used=${cells%/*} all=${cells#*/}
        [ "${used:-0}" -gt "$((all))" ] || {
            echo "programmable.sh: error: nextpnr-ice40 failed with seed $seed:" >&2
            tail -n 5 "$out/seed$seed.log" >&2
            exit 3
        }
        echo "HX8K, seed $seed: does not fit: $cells logic cells"
    fi
done

[ "$degree" = 16 ] || exit 0 # only that is the prototype's

# cycles CONFIG WHOSE: of a broadcast alone, the most cycles from when its source, or any of the others, takes
# the message until the next node does. They are the model's; make campaign WHAT=programmable compares the router
# with this broadcast in every cycle before it begins this script.
cycles() {
    ${HCGEN:-go run ./cmd/hcgen} simulate -c "configs/$1.hcl" >"$out/$1.txt" || {
        echo "programmable.sh: error: hcgen does not simulate $1" >&2
        exit 3
    }
    awk -v whose="$2" '
        $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ {
            at[$3] = $1
            n = $2 == 1 ? $1 - 1 : $1 - at[$5]
            if ((whose == "source") == ($2 == 1) && n > most) most = n
        }
        END { print most + 0 }' "$out/$1.txt"
}
source=$(cycles degree16 source)
all=$(cycles degree16 others)
one=$(cycles ring8 others)

# shellcheck disable=SC2086 # one clock for each seed that was routed
printf '%s\n' $clocks | sort -n | awk -v engine="$(count "$out/engine.stat" '^SB_LUT4$') LUT4, $(count "$out/engine.stat" '^SB_DFF') FF" \
    -v router="$(count "$out/router.stat" '^SB_LUT4$') LUT4, $(count "$out/router.stat" '^SB_DFF') FF" -v cells="$cells" \
    -v source="$source" -v all="$all" -v one="$one" '
    $1 { mhz[++n] = $1 }
    function row(what, prototype, this) { printf "%-44s %-28s %s\n", what, prototype, this }
    function message(cycles) { return sprintf("%d cycle%s", cycles, cycles == 1 ? "" : "s") (n ? sprintf(", %.1f ns", cycles * 1000 / median) : "") }
    END {
        clock = "not routed"
        if (n) {
            median = (mhz[int((n + 1) / 2)] + mhz[int(n / 2) + 1]) / 2
            clock = sprintf("%.1f / %.1f / %.1f MHz, min / median / max", mhz[1], median, mhz[n])
        }
        row("", "prototype", "this router")
        row("device", "XC4013, 98 % used", "HX8K, " cells " logic cells")
        row("weights alone", "2106 cells, 62 pins", engine)
        row("whole router", "-", router)
        row("clock", "25 MHz", clock)
        row("source, 4 dimensions, degree 16", "125 cycles, 5 us", message(source))
        row("intermediate node, 4 dimensions, degree 16", "100 cycles, 4 us", message(all))
        row("intermediate node, 1 dimension", "15 cycles, 0.6 us", message(one))
        print "(cycles of this router: the most of a broadcast alone in 15x15x15x15 with rho 2 and in the 8-ring, which it is compared with)"
    }'
