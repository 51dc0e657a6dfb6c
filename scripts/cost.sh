#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Synthesizes the routers of explore/testdata/measured.csv and writes their cells there
# anew: the figures that the estimate of hcgen explore is fitted to. What FOLDER has
# already is not synthesized again, so a run that was stopped goes on.
#
#   cost.sh HCGEN FOLDER      (run in the top folder of the project)
set -eu

hcgen=$1 folder=$2
list=explore/testdata/measured.csv
mkdir -p "$folder"

# describe NAME M RHO: a machine whose lists have the highest dimension first. No
# network, 32 bits of payload.
describe() {
    echo "machine \"$1\" {"
    echo "  network = false"
    echo "$2;$3" | awk -F ';' '{
        r = split($1, m, " "); split($2, rho, " ")
        for (i = r; i >= 1; i--)
            printf "  dimension \"d%d\" {\n    m = %d\n    rho = %d\n  }\n", r - i + 1, m[i], rho[i]
    }'
    echo "}"
}

# measure M RHO: prints LUT4,FF of the router.
measure() {
    name=r$(echo "$1 by $2" | tr -d '\n' | tr ' ' '_')
    out=$folder/$name
    if [ ! -e "$out/build/netlist/default/done" ]; then
        echo "cost: $1; $2" >&2
        describe "$name" "$1" "$2" >"$folder/$name.hcl"
        "$hcgen" -c "$folder/$name.hcl" -o "$out" --force >&2
        (cd "$out" && MACHINE=$name NETLIST=1 sh synth/synth.sh default hx8k ct256 100) >&2
    fi
    awk '
        /^=== / { lut = ff = 0 }
        $1 == "SB_LUT4" { lut += $2 }
        $1 ~ /^SB_DFF/ { ff += $2 }
        END { print lut "," ff }' "$out/build/netlist/default/router.stat"
}

sed 1d "$list" >"$folder/list"
echo "use,m,rho,lut4,ff" >"$folder/new.csv"
while IFS=, read -r use m rho _; do
    cells=$(measure "$m" "$rho" </dev/null)
    echo "$use,$m,$rho,$cells" >>"$folder/new.csv"
done <"$folder/list"
cp "$folder/new.csv" "$list"
