#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The 50,625 routers of configs/prototype15.hcl in RTL, cycle by cycle against the
# reference model, with time and memory:
#   1. one broadcast
#   2. 1,000 at once, from random sources
#
#   big.sh HCGEN FOLDER      (run in the top folder of the project)
set -eu
hcgen=$1 work=$2
mkdir -p "$work"

# The machine with one more traffic block: 1,000 sources from the generator of Park
# and Miller, which awk computes exactly everywhere.
{
    cat configs/prototype15.hcl
    awk 'BEGIN {
        print "\ntraffic \"thousand\" {\n  cycles = 1200\n  broadcast {\n    sources = ["
        for (x = 1; n < 1000; n++) {
            address = ""
            for (i = 0; i < 4; i++) {
                x = x * 16807 % 2147483647
                address = address (i > 0 ? ", " : "") x % 15
            }
            print "      [" address "],"
        }
        print "    ]\n  }\n}"
    }'
} >"$work/big.hcl"
echo "== generating"
"$hcgen" -c "$work/big.hcl" -o "$work/out"

# GNU time, where installed, prints the memory of hcgen; the bench prints its own.
timed() {
    if [ -x /usr/bin/time ]; then /usr/bin/time -f "hcgen: %M KB" "$@"; else "$@"; fi
}

# run WHAT FLAG...: the trace is piped from hcgen to the bench.
run() {
    what=$1
    shift
    echo
    echo "== $what"
    start=$(date +%s)
    rm -f "$work/failed"
    { timed "$hcgen" simulate -c "$work/big.hcl" "$@" --trace - || echo $? >"$work/failed"; } |
        make -C "$work/out" --no-print-directory sim-array
    # a bench that stops early is no fault of hcgen, and has reported the reason
    [ ! -e "$work/failed" ] || {
        echo "error: hcgen simulate ended with $(cat "$work/failed")" >&2
        exit 1
    }
    echo "wall time: $(($(date +%s) - start)) s"
}

run "one broadcast" --source 7,7,7,7
run "1,000 broadcasts at once" --traffic thousand
