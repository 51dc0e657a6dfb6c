#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Writes $BUILD/report.html, one page that needs no network: report/page.html with the
# golden traces as pictures and with the results that are in $BUILD put in.
#
#   report.sh            (run in the folder with filelist.f)
#
# From the environment: BUILD, the folder of the results, default build. The same results
# make the same page.
# Exit codes: 0 fine, 1 the page cannot be written, 2 the folder is not as generated, 4 a tool is missing.
# shellcheck disable=SC1091,SC2154 # report/machine.sh is generated and assigns variables
set -eu

build=${BUILD:-build}
code=2
fail() {
    echo "report.sh: error: $1" >&2
    [ -z "${2:-}" ] || echo "hint: $2" >&2
    exit "$code"
}

for tool in awk cksum mv; do
    command -v "$tool" >/dev/null || {
        code=4
        fail "$tool is not installed" "on Debian: apt-get install mawk coreutils"
    }
done
for file in report/machine.sh report/page.html report/html.awk report/page.awk report/timeline.awk report/results.awk \
    filelist.f manifest.json; do
    [ -s "$file" ] || fail "$file is missing or empty in $(pwd)" "generate the machine again"
done
# The machine: machine, config, dimensions, routers, ports, deliveries, traces, networks, synthesized, replayed, targets.
. ./report/machine.sh
while read -r file; do
    [ -s "$file" ] || fail "$file of filelist.f is missing or empty in $(pwd)" "generate the machine again; if it is your operator_module, put it there"
done <filelist.f

# Results are of this Verilog, and of this description, or they are outdated.
# shellcheck disable=SC2002,SC2046 # a list of files
rtl=$(cat $(cat filelist.f) | cksum)
generator=$(sed -n 's/^  "hcgen_version": "\(.*\)",$/\1/p' manifest.json)

code=1
mkdir -p "$build" || fail "the folder $build cannot be made"
work=$build/report.$$
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP QUIT
mkdir "$work" || fail "the folder $work cannot be made"

export RTL="$rtl" CONFIG="$config" LC_ALL=C

# show PART RESULT [TARGET]: a row or a section about a result, from the target of make of that name, or from TARGET.
show() {
    result=$build/results/$2.tsv
    [ -r "$result" ] || result=/dev/null
    PART=$1 RESULT=$2 TARGET=${3:-$2} awk -f report/html.awk -f report/results.awk "$result"
}

{
    for linter in verilator yosys icarus; do
        show row "lint-$linter"
    done
    for trace in $traces; do
        show row "sim-${trace%%:*}"
    done
    for target in sim-packets sim-system sim-system-random sim-clocks sim-chips sim-array free-run; do
        [ ! -r "$build/results/$target.tsv" ] || show row "$target"
    done
    for network in $networks; do
        show row "sim-$network"
    done
    for target in $targets; do
        [ "$routers" = 0 ] || show row "synth-$target"
        for part in $synthesized; do
            show row "synth-$part-$target" "synth-$part"
        done
    done
    for target in $targets; do
        if [ -d "$build/netlist/$target" ]; then
            for trace in $traces; do
                show row "netlist-$target-${trace%%:*}"
            done
        elif [ "$routers" = 1 ]; then
            show row "netlist-$target"
        fi
        for part in $replayed; do
            show row "netlist-$part-$target"
        done
    done
    [ "$routers" = 0 ] || show row prove
    for network in $networks; do
        show row "prove-$network"
    done
} >"$work/checks"
for target in $targets; do
    [ "$routers" = 0 ] || {
        echo "<h3>$target</h3>"
        show section "synth-$target"
    }
    for part in $synthesized; do
        echo "<h3>$part, $target</h3>"
        show section "synth-$part-$target" "synth-$part"
    done
done >"$work/synthesis"
{
    [ "$routers" = 0 ] || show section prove
    for network in $networks; do
        echo "<h3>$network</h3>"
        show section "prove-$network"
    done
} >"$work/proof"

# Pictures of the first few traces keep the page small.
pictures=6
for trace in $traces; do
    name=${trace%%:*}
    if [ -r "golden/$name.trace" ]; then
        from=golden/$name.trace
    else
        from=/dev/null
    fi
    NAME=$name awk -f report/html.awk -f report/timeline.awk -v nodes="${trace#*:}" -v dimensions="$dimensions" \
        -v ports="$ports" -v deliveries="$deliveries" \
        -v picture="$((pictures > 0))" "$from"
    pictures=$((pictures - 1))
done >"$work/traces"

GENERATOR=$generator WORK=$work awk -f report/html.awk -f report/page.awk report/page.html >"$work/report.html" ||
    fail "the page cannot be put together"
mv -f "$work/report.html" "$build/report.html" || fail "$build/report.html cannot be written"
echo "report: $build/report.html"
