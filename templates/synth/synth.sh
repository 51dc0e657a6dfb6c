#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Synthesizes router and network, or the node of a collective network and that network, or an
# endpoint and the system, with Yosys, places and routes one of the two behind a small-pin wrapper
# with nextpnr, once per seed, and prints the figures. FAMILY/settings.sh beside this script has
# what depends on the family of devices.
#
#   synth.sh TARGET FAMILY DEVICE PACKAGE CLOCK_MHZ SEED...     (run in the folder with filelist.f)
#
# Environment:
#   MACHINE            name of the machine
#   CONFIG             hash of its description
#   FILES              list of the Verilog files, default filelist.f
#   NETWORK            1 if there is a network top; chip: the module of a chip stands for it
#   CLOCKS             clocks of the network, default 1
#   COLLECTIVE, NODE   a collective network and the module of its largest node, if these are synthesized
#   SYSTEM             1 if an endpoint and the system are synthesized
#   BUILD              folder for results, default build
#   JOBS               seeds placed at once, default 1
#   PLACE              the design to place: router (default; also stands for node and endpoint) or
#                      network (also stands for the system)
#   OPTIMIZE           clock (default) or area
#   AIM                if it is above CLOCK_MHZ, the clock that the tools aim for with OPTIMIZE=clock
#   YOSYS, NEXTPNR     the tools; the default of NEXTPNR is the first installed placer of the family
#   ABC9_SCRIPT, ABC9_DELAY, ABC9_WIRE, YOSYS_OPTIONS, NEXTPNR_OPTIONS
#                      replace the settings below; ABC9_SCRIPT names a script of Yosys, or is one
#   UNIT_TAKES, NETWORK_TAKES  how long Yosys takes for router, node or endpoint, and for network or system, in words
#   CELLS_SIM          a copy of cells_sim.v, for a Yosys that has its files inside
#   NETLIST            1: stop after the netlists
#
# Writes summary.json, the netlists router.v and network.v, and the logs to $BUILD/synth/TARGET
# ($BUILD/synth-network/TARGET for a placed network; of a collective network $BUILD/synth-NAME/TARGET
# or $BUILD/synth-NAME-network/TARGET, and of the system likewise with the name system), and for the
# report synth-TARGET.tsv or synth-network-TARGET.tsv to $BUILD/results. With NETLIST=1 it writes the
# netlists to $BUILD/netlist/TARGET, with cells_sim.v (Yosys's models of the cells), the version of
# Yosys, and the file done.
# Exit codes: 0 fine, 2 bad usage, 3 synthesis or placement failed, 4 a tool is missing.
set -eu

target=$1 family=$2 device=$3 package=$4 clock=$5
shift 5
seeds=$*
folder=$(dirname "$0")/$family
[ -r "$folder/settings.sh" ] || {
    echo "synth.sh: error: there is no $folder/settings.sh for the family $family" >&2
    echo "hint: add a synthesis block with this family to the description, and generate again" >&2
    exit 2
}
synth="" synth_options="" share="" clock_wire="" placers="" install="" prepare="" place_device="" place_options="" title="" buffers=""
lut="" flipflop="" chain="" memory=""
# shellcheck source=/dev/null # it is generated
. "$folder/settings.sh"
placer=${placers%% *}
netlist=${NETLIST:-0}
unit=router whole=network router=${MACHINE}_router network=${MACHINE}_network nodes=${MACHINE}_router pins=${MACHINE}_router_pins of=
if [ -n "${COLLECTIVE:-}" ]; then
    unit=node router=$NODE network=${MACHINE}__${COLLECTIVE}_network pins=${NODE}_pins of=-$COLLECTIVE
    nodes="*${MACHINE}__${COLLECTIVE}_node*" # of all classes; a parameter is part of the name
elif [ "${SYSTEM:-0}" = 1 ]; then
    unit=endpoint whole=system router=${MACHINE}_endpoint network=${MACHINE}_system pins=${MACHINE}_endpoint_pins of=-system
    nodes="${MACHINE}_router ${MACHINE}_endpoint *${MACHINE}__*_node*"
fi
if [ "${NETWORK:-0}" = chip ]; then
    NETWORK=1 network=${MACHINE}_chip
fi
placed=${PLACE:-router} clocks=1
[ "$placed" != router ] || placed=$unit # whose default is the node or the endpoint
case $placed in
    "$unit") kind=synth$of ;;
    network)
        placed=$whole kind=synth$of-network pins=${network}_pins clocks=${CLOCKS:-1}
        [ "${NETWORK:-0}" = 1 ] || {
            echo "synth.sh: error: PLACE is network, but $MACHINE has no network top" >&2
            exit 2
        }
        [ "$clocks" -le "$buffers" ] || {
            echo "synth.sh: error: PLACE is network, but $network has $clocks clocks, and at most $buffers can be placed on devices of $title" >&2
            echo "hint: PLACE=router places the router" >&2
            exit 2
        }
        ;;
    *)
        echo "synth.sh: error: PLACE is $placed, not $unit or network" >&2
        exit 2
        ;;
esac
[ "$netlist" = 0 ] || kind=netlist$of
out=${BUILD:-build}/$kind/$target
results=${BUILD:-build}/results
jobs=${JOBS:-1}

fail() {
    echo "synth.sh: error: $1" >&2
    [ -z "${2:-}" ] || { echo "the last lines of $2:" >&2; tail -n 12 "$2" >&2; }
    exit 3
}

# When abc crashes, Yosys only warns and continues with an unfinished result.
check_log() {
    [ -s "$2" ] || fail "Yosys left no log of $1"
    ! grep -q '^Warning: ABC: execution of command .* failed' "$2" ||
        fail "abc crashed while it mapped $1; try ABC9_SCRIPT= for its default script" "$2"
}

for setting in "ABC9_DELAY ${ABC9_DELAY:-1}" "ABC9_WIRE ${ABC9_WIRE:-1}"; do
    case ${setting#* } in
        *[!0-9]*)
            echo "synth.sh: error: ${setting% *} is ${setting#* }, not a whole number of ps" >&2
            exit 2
            ;;
    esac
done

optimize=${OPTIMIZE:-clock}
case $optimize in
    area | clock) ;;
    *)
        echo "synth.sh: error: OPTIMIZE is $optimize, not clock or area" >&2
        exit 2
        ;;
esac

case ${AIM:-0} in
    *[!0-9]*)
        echo "synth.sh: error: AIM is $AIM, not a whole number of MHz" >&2
        exit 2
        ;;
esac
aim=$clock
[ "$optimize" = area ] || aim=$(awk -v aim="${AIM:-0}" -v clock="$clock" 'BEGIN { print (aim + 0 > clock + 0 ? aim : clock) }')

for seed in $seeds; do
    case $seed in
        *[!0-9]*)
            echo "synth.sh: error: the seed $seed is not a whole number" >&2
            echo "hint: SEEDS=\"1 2 3\"" >&2
            exit 2
            ;;
    esac
done

# installed TOOL HINT: stops with a message if a tool is not installed.
installed() {
    command -v "$1" >/dev/null || {
        echo "synth.sh: error: $1 is not installed" >&2
        echo "hint: $2" >&2
        exit 4
    }
}
yosys=${YOSYS:-yosys}
installed "$yosys" "on Debian: apt-get install yosys"
nextpnr=${NEXTPNR:-}
for program in $placers; do
    [ -n "$nextpnr" ] || ! command -v "$program" >/dev/null || nextpnr=$program
done
nextpnr=${nextpnr:-$placer}
[ "$netlist" = 1 ] || installed "$nextpnr" "$install"
yosys_version=$("$yosys" -V | awk '{ print $2; exit }')

rm -rf "$out"
mkdir -p "$out"
sources=$(tr '\n' ' ' <"${FILES:-filelist.f}")
case "$sources" in
*"synth/$router.v "*) ;;
*) [ ! -e "synth/$router.v" ] || sources="$sources synth/$router.v" ;; # a node and its memory
esac
# Identifies the RTL of the figures, for the report.
# shellcheck disable=SC2086 # a list of files
rtl=$(cat $sources | cksum)

# note FIELD...: a line of the result for the report, fields between tabs.
note() { printf '%s' "$1"; shift; printf '\t%s' "$@"; echo; } >>"$results/$kind-$target.tsv"
if [ "$netlist" = 0 ]; then
    mkdir -p "$results"
    rm -f "$results/$kind-$target.tsv"
    note of "${CONFIG:-}" "$rtl"
    note result broken "it ended without a result; the logs are in $out"
fi

# This script of abc9 gives a smaller result than the default script. For the clock, wires have
# about the delay of the fastest wires, and abc9 spends LUTs to reach a share of a period, in ps. For
# the area, the target is a whole period and wires have almost no delay.
wire=$clock_wire
[ "$optimize" = clock ] || share=1 wire=
delay=${ABC9_DELAY:-$(awk -v mhz="$aim" -v share="$share" 'BEGIN { printf "%d", share * 1000000 / mhz }')}
script=${ABC9_SCRIPT-flow2}
flow="scratchpad -set abc9.D $delay"
wire=${ABC9_WIRE:-$wire}
text=
case $script in
    +*) text=$script name="in ABC9_SCRIPT" ;;
    *)
        name=abc9.script.${script:-default}
        [ -z "$script" ] || flow="scratchpad -copy $name abc9.script; $flow"
        if [ -n "$wire" ]; then
            text=$("$yosys" -Q -T -p "scratchpad -copy $name s; scratchpad -get s") || fail "Yosys $yosys_version does not print its script $name"
            text=$(printf '%s\n' "$text" | tail -n 1)
        fi
        ;;
esac
# The delay of a wire is a constant in Yosys's script of abc9, so the script is rewritten.
if [ -n "$wire" ]; then
    text=$(printf '%s\n' "$text" | sed "s/{W}/-W $wire/g")
    case $text in
        +*"-W $wire "*) ;;
        *) fail "Yosys $yosys_version has no script $name that takes the delay of a wire; OPTIMIZE=area does without" ;;
    esac
fi
[ -z "$text" ] || flow="$flow; scratchpad -set abc9.script \"$text\""
map="$synth ${YOSYS_OPTIONS-$synth_options}"
options=${NEXTPNR_OPTIONS-$place_options}

# about SECONDS: a time in words.
about() {
    awk -v s="$1" 'BEGIN {
        if (s < 15) print "some seconds"
        else if (s < 45) print "about half a minute"
        else if (s < 90) print "about a minute"
        else if (s < 600) printf "about %d minutes\n", s / 60 + 0.5
        else printf "about %d minutes\n", int(s / 300 + 0.5) * 5
    }'
}

# The cells of the router, node or endpoint alone.
echo "yosys: synthesizing $router${UNIT_TAKES:+, $UNIT_TAKES}"
"$yosys" -q -l "$out/$unit.log" -p "$flow; read_verilog $sources; $map -top $router; tee -q -o $out/$unit.stat stat; write_verilog -noattr $out/$unit.v" \
    >"$out/$unit.out" 2>&1 || fail "Yosys cannot synthesize $router" "$out/$unit.out"
check_log "$router" "$out/$unit.log"

# Counts the cells in a stat listing that match a pattern. With several modules only the last
# section counts, that of the whole design.
cells() {
    awk -v pattern="$2" '
        /^=== / { n = 0 }
        $1 ~ pattern && $2 ~ /^[0-9]+$/ { n += $2 }
        $2 ~ pattern && $1 ~ /^[0-9]+$/ { n += $1 }
        END { print n + 0 }' "$1"
}
lut4=$(cells "$out/$unit.stat" "$lut")
ff=$(cells "$out/$unit.stat" "$flipflop")
carry=$(cells "$out/$unit.stat" "$chain")
bram=$(cells "$out/$unit.stat" "$memory")

# The network: the same router for every node, each with constants inside; the nodes of a collective network by class. In the
# system also the same endpoint for every node.
network_lut4=null network_ff=null network_bram=null
if [ "${NETWORK:-0}" = 1 ]; then
    echo "yosys: synthesizing $network${NETWORK_TAKES:+, $NETWORK_TAKES}"
    "$yosys" -q -l "$out/$whole.log" -p "$flow; read_verilog $sources; hierarchy -top $network; proc; flatten $nodes; $map -noflatten -top $network; check -assert; tee -q -o $out/$whole.stat stat; write_verilog -noattr $out/$whole.v" \
        >"$out/$whole.out" 2>&1 || fail "Yosys cannot synthesize $network" "$out/$whole.out"
    check_log "$network" "$out/$whole.log"
    network_lut4=$(cells "$out/$whole.stat" "$lut")
    network_ff=$(cells "$out/$whole.stat" "$flipflop")
    network_bram=$(cells "$out/$whole.stat" "$memory")
fi

if [ "$netlist" = 1 ]; then
    models=${CELLS_SIM:-$(sed -n "s/^Parsing Verilog input from \`\(.*cells_sim\.v\)' to AST.*/\1/p" "$out/$unit.log" | head -n 1)}
    # With what it includes from its folder. Widths in the models of Nexus are not exact.
    awk -v folder="${models%/*}" '
        BEGIN { print "// verilator lint_off WIDTH" }
        /^`include "/ { split($0, part, "\""); while ((getline line <(folder "/" part[2])) > 0) print line; next }
        { print }' "$models" >"$out/cells_sim.v" || {
        echo "synth.sh: error: cannot read cells_sim.v, the models of cells of $family that come with $yosys" >&2
        echo "hint: a Yosys that holds its files inside, such as YoWASP, needs CELLS_SIM=, a copy of that file" >&2
        exit 4
    }
    echo "$yosys_version" >"$out/yosys.version"
    : >"$out/done"
    exit 0
fi

nextpnr_version=$("$nextpnr" --version 2>&1 | sed -n 's/.*(Version \(nextpnr-\)\{0,1\}\(.*\))$/\2/p' | head -n 1)
takes=${UNIT_TAKES:-} size=$lut4
[ "$placed" = "$unit" ] || takes=${NETWORK_TAKES:-} size=$network_lut4
echo "yosys: synthesizing $pins, the $placed behind few pins${takes:+, $takes}"
# Newer Yosys keeps the names of flattened modules as cells, which nextpnr 0.4 cannot place.
"$yosys" -q -l "$out/pins.log" -p "$flow; read_verilog -I$folder $sources synth/$pins.v; $map -top $pins; delete t:\$scopeinfo; ${prepare:+$prepare; }write_json $out/pins.json" \
    >"$out/pins.out" 2>&1 || fail "Yosys cannot synthesize $pins" "$out/pins.out"
check_log "$pins" "$out/pins.log"

# A placer in WebAssembly sees files in the folder that it runs in, and not all files outside.
case $nextpnr in
    /*) ;;
    */*) nextpnr=$PWD/$nextpnr ;;
esac
# The options are several words.
# shellcheck disable=SC2086
place() {
    cd "$out"
    exec "$nextpnr" $place_device --json pins.json --freq "$aim" --seed "$1" \
        $options --timing-allow-fail --report "seed$1.json" >"seed$1.log" 2>&1
}
running=""
count=0 done=0
# shellcheck disable=SC2086 # a list of numbers
wanted=$(set -- $seeds && echo $#)
rounds=$(((wanted + jobs - 1) / jobs))
# A seed takes some seconds, and a minute for 2,400 LUTs, of one core; several times as long in WebAssembly.
slower=1
case $nextpnr in *yowasp*) slower=4 ;; esac
echo "$placer: placing and routing the $placed with seeds $seeds, $jobs at a time, $(about $((slower * rounds * (3 + size / 40))))"
finish() {
    for job in $running; do
        wait "${job#*:}" || fail "$placer failed with seed ${job%%:*}: does the $placed fit on $device-$package?" "$out/seed${job%%:*}.log"
        done=$((done + 1))
        echo "$placer: seed $done of $wanted is routed"
    done
    running="" count=0
}
for seed in $seeds; do
    place "$seed" &
    running="$running $seed:$!"
    count=$((count + 1))
    [ "$count" -lt "$jobs" ] || finish
done
finish

for seed in $seeds; do
    # The last figure of a clock is that after routing; only clocks named clk belong to the design. The slowest counts.
    mhz=$(sed -n "s/.*Max frequency for clock *'\([^']*clk\(\[[0-9]*\]\)\{0,1\}\)': *\([0-9.]*\) MHz.*/\1 \3/p" "$out/seed$seed.log" |
        awk -v clocks="$clocks" '
            { mhz[$1] = $2 }
            END {
                for (c in mhz) if (!n++ || mhz[c] + 0 < min + 0) min = mhz[c]
                if (n == clocks) print min
            }')
    [ -n "$mhz" ] || fail "no clock frequency for seed $seed" "$out/seed$seed.log"
    echo "$seed $mhz"
done >"$out/seeds.txt"

# min, median, max; the median of an even number is the mean of the middle two.
# shellcheck disable=SC2046 # three figures
set -- $(sort -n -k 2 "$out/seeds.txt" | awk '
    { f[NR] = $2 }
    END { h = int((NR + 1) / 2); m = NR % 2 ? f[h] : (f[h] + f[h + 1]) / 2; printf "%.2f %.2f %.2f", f[1], m, f[NR] }')
min=$1 median=$2 max=$3
met=$(awk -v m="$median" -v c="$clock" 'BEGIN { print (m >= c) ? "true" : "false" }')

sed "s/\"router\": /\"$unit\": /; s/\"network\": /\"$whole\": /" >"$out/summary.json" <<END
{
  "machine": "$MACHINE",
  "config": "${CONFIG:-}",
  "rtl": "$rtl",
  "target": "$target",
  "device": "$device",
  "package": "$package",
  "placed": "$placed",
  "router": {"lut4": $lut4, "ff": $ff, "carry": $carry, "bram": $bram},
  "network": {"lut4": $network_lut4, "ff": $network_ff, "bram": $network_bram},
  "clock": {"wanted_mhz": $clock, "min_mhz": $min, "median_mhz": $median, "max_mhz": $max, "median_met": $met},
  "seeds": [$(awk '{ printf "%s{\"seed\": %d, \"mhz\": %s}", (NR > 1 ? ", " : ""), $1, $2 }' "$out/seeds.txt")],
  "tools": {"yosys": "$yosys_version", "$placer": "$nextpnr_version"}
}
END

slowest=
[ "$clocks" = 1 ] || slowest=", the slowest of its $clocks clocks,"
note tools "Yosys $yosys_version, $placer $nextpnr_version"
note table "Clock of the $placed$slowest for $target, $device-$package, $clock MHz wanted"
note head seed MHz
while read -r seed mhz; do note row "$seed" "$mhz"; done <"$out/seeds.txt"
note row min "$min"
note row median "$median"
note row max "$max"
note table "Cells for $target"
note head design LUT4 FF carry BRAM
note row "$unit" "$lut4" "$ff" "$carry" "$bram"
[ "$network_lut4" = null ] || note row "$whole" "$network_lut4" "$network_ff" - "$network_bram"
goal=passed
[ "$met" = true ] || goal=missed
note result "$goal" "$lut4 LUT4, $ff FF and $bram BRAM per $unit; the $placed runs at min $min, median $median, max $max MHz, $clock wanted"

where=
[ "$placed" = "$unit" ] || where=" of the $placed$slowest"
verdict="reaches"
[ "$met" = true ] || verdict="MISSES"
echo "$MACHINE${of:+, ${of#-},} on $device-$package (Yosys $yosys_version, $placer $nextpnr_version)"
printf "  %-8s %s\n" "$unit" "$lut4 LUT4, $ff FF, $carry carry, $bram BRAM"
[ "$optimize" = clock ] || echo "  options  OPTIMIZE=$optimize"
[ "$network_lut4" = null ] || printf "  %-8s %s\n" "$whole" "$network_lut4 LUT4, $network_ff FF$([ "$network_bram" = 0 ] || echo ", $network_bram BRAM")"
echo "  clock    min $min, median $median, max $max MHz$where over seeds $seeds; the median $verdict $clock MHz"
