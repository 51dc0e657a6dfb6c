#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Sums up what was checked in an output folder: the JUnit reports of the benches
# and the summaries of synthesis.
#
#   summary.sh OUT
set -eu
out=$1

echo
echo "Summary of $out"
for report in "$out"/build/sim/*.xml; do
    [ -f "$report" ] || continue
    awk '
        function attribute(name,   s) {
            s = $0
            if (!sub(".*[ <]" name "=\"", "", s)) return ""
            sub("\".*", "", s)
            return s
        }
        /<testsuite / { suite = attribute("name"); tests = attribute("tests"); failures = attribute("failures") + attribute("errors") }
        END { printf "  %-28s %s test cases, %s\n", suite, tests, failures ? failures " FAILED" : "all equal to the golden trace" }' "$report"
done
for summary in "$out"/build/synth/*/summary.json; do
    [ -f "$summary" ] || continue
    # One object a line: the figures of the router and of the clock.
    awk '
        function number(key,   t) {
            t = $0
            if (!sub(".*\"" key "\": *", "", t)) return "?"
            sub("[,}].*", "", t)
            return t
        }
        /"target":/ { target = $0; sub(".*: *\"", "", target); sub("\".*", "", target) }
        /"router":/ { lut4 = number("lut4"); ff = number("ff"); bram = number("bram") }
        /"clock":/  { low = number("min_mhz"); median = number("median_mhz"); high = number("max_mhz") }
        END {
            printf "  %-28s router: %s LUT4, %s FF, %s BRAM; %s / %s / %s MHz (min / median / max)\n",
                "synthesis " target, lut4, ff, bram, low, median, high
        }' "$summary"
done
