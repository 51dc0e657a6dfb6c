#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lists the results of the checks that have been run in an output folder.
#
#   summary.sh OUT
set -eu
out=$1

echo
echo "Summary of $out"
for result in "$out"/build/results/*.tsv; do
    [ -f "$result" ] || continue
    name=${result##*/}
    awk -F '\t' -v name="${name%.tsv}" '
        $1 == "result" { result = $2; details = $3 }
        END { printf "  %-20s %-8s %s\n", name, result, details }' "$result"
done
