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
    awk '
        { s = s $0 }
        function number(key,   t) {
            t = s
            if (!sub(".*\"" key "\": *", "", t)) return "?"
            sub("[,}].*", "", t)
            return t
        }
        END {
            t = s; sub(".*\"target\": *\"", "", t); sub("\".*", "", t)
            printf "  %-28s %s LUT4, %s FF, %s BRAM; %s / %s / %s MHz (min / median / max)\n", "synthesis " t,
                number("lut4"), number("ff"), number("bram"), number("min_mhz"), number("median_mhz"), number("max_mhz")
        }' "$summary"
done
