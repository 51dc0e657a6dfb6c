#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs every fuzz target of the project for the given time. Go keeps a failing input in
# testdata/fuzz of its package, where it becomes a test.
#
#   fuzz.sh TIME      (run in the top folder of the project)
# Exit codes: 0 nothing found, 1 there is no target, 3 a target fails.
set -eu
time=$1

targets=$(grep -rn --include='*_test.go' '^func Fuzz' . | sed 's,^\./\(.*\)/[^/]*:[0-9]*:func \(Fuzz[A-Za-z0-9]*\).*,\1 \2,' | sort)
[ -n "$targets" ] || { echo "fuzz.sh: error: there is no fuzz target in this folder; run it in the top folder of the project" >&2; exit 1; }

count=0
while read -r package target; do
    echo "== $target in $package for $time"
    # by default Go spends most of the time on minimizing inputs that do not fail
    go test "./$package" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 100x </dev/null || {
        echo "fuzz.sh: error: $target in $package fails; the failing input is named above" >&2
        exit 3
    }
    count=$((count + 1))
done <<END
$targets
END
echo "$count fuzz targets ran for $time each, nothing found"
