#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Measures what the README claims and prints it:
#   1. cycles of one broadcast alone, in the RTL, for every example with a network
#   2. saturated load and fairness, in the reference model
#   3. LUT4, FF and clock of the routers, over the seeds of each configuration
#   4. time and memory of generation
#
#   bench.sh HCGEN FOLDER      (run in the top folder of the project)
set -eu
hcgen=$1 work=$2
mkdir -p "$work"

# number JSON KEY: the value of the first such key.
number() {
    printf '%s' "$1" | tr -d '\n' | sed -n "s/[^{]*{\(.*\)/\1/p" | grep -oE "\"$2\": *[0-9.]+" | head -n 1 | sed 's/.*: *//'
}

echo "== one broadcast alone, RTL: cycles from the injection to the last delivery"
printf '%-14s %6s %4s %7s %6s\n' machine nodes D cycles "D + 1"
for config in configs/*.hcl; do
    name=$(basename "$config" .hcl)
    info=$("$hcgen" info -c "$config" --json)
    nodes=$(number "$info" nodes) d=$(number "$info" diameter)
    "$hcgen" -c "$config" -o "$work/$name" 2>"$work/$name.log"
    if [ ! -f "$work/$name/golden/alone.trace" ]; then
        printf '%-14s %6s %4s %7s %6s\n' "$name" "$nodes" "$d" "-" "(router only)"
        continue
    fi
    make -C "$work/$name" --no-print-directory sim-alone >"$work/$name.log" 2>&1 ||
        { cat "$work/$name.log" >&2; exit 3; }
    cycles=$(sed -n 's/^latency: \([0-9]*\) cycles.*/\1/p' "$work/$name.log")
    printf '%-14s %6s %4s %7s %6s\n' "$name" "$nodes" "$d" "$cycles" "$((d + 1))"
    [ "$cycles" = "$((d + 1))" ] || { echo "error: $name takes $cycles cycles, not $((d + 1))" >&2; exit 3; }
done

echo
echo "== load, reference model, 10,000 cycles and more"
go test ./sim -run '^$' -bench Overload -benchtime 1x >"$work/load.txt" || { cat "$work/load.txt" >&2; exit 3; }
grep -E '^Benchmark' "$work/load.txt"

echo
echo "== routers after placement and routing"
for config in configs/*.hcl; do
    name=$(basename "$config" .hcl)
    make -C "$work/$name" --no-print-directory synth
done

echo
echo "== generation of every example: seconds, memory taken from the system"
go test ./gen -run '^$' -bench Generate -benchtime 1x >"$work/generate.txt" || { cat "$work/generate.txt" >&2; exit 3; }
grep -E '^Benchmark' "$work/generate.txt"
