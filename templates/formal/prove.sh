#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves one of the following claims, as PROOF says:
#   proof        by induction, a router does what the plan of its machine says
#   equivalence  by induction, a configured programmable router equals the specialized router of its machine
#   collective   a collective network does what its operation is defined to do: either the whole network, by a search of
#                all cycles of consecutive operations, or its nodes against a table, which is followed through the network
#   wiring       nothing about the router
# Also checks or proves the following claims, each of them if the variable in parentheses is set:
#   wiring   the network connects the routers as its machine does (CONNECTIONS)
#   packets  by induction, hc_packets hands out packets whole and in order (PACKETS)
#   rings    by induction, each ring of specialized routers keeps a hole (HOLES)
#
#   prove.sh            (run in the folder with filelist.f)
#
# Environment:
#   MACHINE            name of the machine
#   CONFIG             hash of its description
#   PROOF              the claim, default proof
#   COLLECTIVE         with collective: name of the network
#   CYCLES             with collective: cycles in which its operations end
#   PROVE_BY           with collective: network (default), the whole network, or nodes, its nodes
#   OPERATION, ROOT, INDUCTION_CYCLES, COVER_CYCLES
#                      with PROVE_BY=nodes: the operation, its root, and the cycles of the induction and of its covers
#   ASSERTIONS, COVERS number of assertions and covers that hcgen has written
#   CONNECTIONS        number of connections of the network, default 0: there is no network
#   RINGS              m and rho of each dimension
#   MAX_NODES          limit of a programmable router, default 0
#   PACKETS            parameters of hc_packets for its proof, names and values; empty without the module
#   PACKETS_ASSERTIONS, PACKETS_COVERS
#                      number of assertions and covers of hc_packets
#   HOLES              the ring ports whose rings are proved to keep a hole, each as PORT:ASSERTIONS:COVERS
#   LONG_RINGS         the ring ports whose rings are not proved, because they have more than MAX_PLACES places
#   MAX_PLACES         the limit of this proof, needed with LONG_RINGS
#   BUILD              folder for results, default build
#   YOSYS, SMTBMC      the tools
#   SOLVER             the solver, by its name in yosys-smtbmc
#   PROVE_TIME         seconds per task, default 300
#   PROVE_DEPTH        cycles after reset that are searched if there is no induction, default 12; more if a cover needs more
#   PROVE_ACCEPT       proved (default), or bounded to accept that search if the induction runs out of time
#
# Writes summary.txt, result.json, the logs, and failure.vcd, the waves of a failure, to $BUILD/prove
# ($BUILD/prove-NAME for a collective network), and for the report prove.tsv or prove-NAME.tsv to $BUILD/results.
# Verdicts:
#   PASS     proved for runs of any length
#   BOUNDED  no induction, but nothing fails in the first cycles after reset, which reach all covers
#   FAIL     an assertion fails
#   UNKNOWN  a tool came to no result
# Exit codes: 0 proved, or bounded because of the time if that is accepted; 2 bad usage; 3 it fails or is not proved;
# 4 a tool is missing.
set -eu

proof=${PROOF:-proof}
name=${MACHINE}_$proof
kind=prove subject=${MACHINE}_router
by=
if [ "$proof" = collective ]; then
    by=${PROVE_BY:-network}
    kind=prove-$COLLECTIVE name=${MACHINE}__${COLLECTIVE}_${by}_proof subject=${MACHINE}__${COLLECTIVE}_network
fi
connections=${CONNECTIONS:-0}
packets=${PACKETS:-}
holes=${HOLES:-}
out=${BUILD:-build}/$kind
yosys=${YOSYS:-yosys}
smtbmc=${SMTBMC:-yosys-smtbmc}
solver=${SOLVER:-z3}
results=../results/$kind.tsv
seconds=${PROVE_TIME:-300}
depth=${PROVE_DEPTH:-12}
accept=${PROVE_ACCEPT:-proved}

# refuse CODE MESSAGE HINT
refuse() {
    echo "prove.sh: error: $2" >&2
    echo "hint: $3" >&2
    exit "$1"
}
case $by in
    "" | network | nodes) ;;
    *) refuse 2 "PROVE_BY is network or nodes, not \"$by\"" "PROVE_BY=nodes" ;;
esac
[ "$accept" = proved ] || [ "$accept" = bounded ] ||
    refuse 2 "PROVE_ACCEPT is proved or bounded, not \"$accept\"" "PROVE_ACCEPT=bounded"
# whole NUMBER...: each is a whole number from 1 on.
whole() {
    for number; do
        expr "x$number" : 'x[1-9][0-9]*$' >/dev/null ||
            refuse 2 "PROVE_TIME, PROVE_DEPTH, CYCLES, INDUCTION_CYCLES, COVER_CYCLES, ASSERTIONS, COVERS, CONNECTIONS, PACKETS_ASSERTIONS and PACKETS_COVERS are whole numbers from 1 on, not \"$number\"" "make prove passes all but the first two"
    done
}
# installed TOOL...
installed() {
    for tool; do
        command -v "$tool" >/dev/null || refuse 4 "$tool is not installed" "on Debian: apt-get install yosys z3 mawk coreutils"
    done
}
whole "$seconds" "$depth" "${CYCLES:-1}" "${INDUCTION_CYCLES:-1}" "${COVER_CYCLES:-1}"
[ "$connections" = 0 ] || whole "$connections"
[ -z "$packets" ] || whole "${PACKETS_ASSERTIONS:-}" "${PACKETS_COVERS:-}"
installed "$yosys" awk
if [ "$proof" = wiring ]; then
    whole "$connections"
else
    whole "${ASSERTIONS:-}" "${COVERS:-}"
    installed "$smtbmc" "$solver" timeout
fi
# shellcheck disable=SC2046 # a list of files
cat $(cat filelist.f) >/dev/null || refuse 2 "a file of filelist.f is missing in $(pwd)" "generate the machine again"

rm -rf "$out"
mkdir -p "$out" "$out/../results"
# shellcheck disable=SC2002,SC2046 # a list of files
rtl=$(cat $(cat filelist.f) | cksum)
cp rtl/*.v formal/* "$out"
cd "$out"
rm -f "$results"

say() { echo "$*" | tee -a summary.txt; }

# version COMMAND...: the first line that a tool prints, without what JSON would escape.
version() { "$@" 2>&1 | head -n 1 | tr -cd 'A-Za-z0-9 ._-'; }
yosys_version=$(version "$yosys" -V)
[ "$proof" = wiring ] || solver_version=$(version "$solver" --version)

# note FIELD...: a line of the result for the report, fields between tabs.
note() { printf '%s' "$1"; shift; printf '\t%s' "$@"; echo; } >>"$results"
note of "${CONFIG:-}" "$rtl"
note tools "$yosys_version${solver_version:+, $solver_version}"
note result broken "it ended without a result; the logs are in $out"
note table "Tasks of the proof"
note head task result seconds

# ran TASK RESULT START
ran() { note row "$1" "$2" $(($(date +%s) - $3)); }

# conclude VERDICT RESULT TEXT
conclude() {
    cat >result.json <<END
{
  "machine": "$MACHINE", "config": "${CONFIG:-}", "rtl": "$rtl",
  "verdict": "$1", "bound": ${bound:-null}, "why": "${why:-}",
  "connections": ${compared:-null}, "assertions": ${assertions:-null}, "covers": ${covers:-null}, "covers_reached": ${reached:-null},
  "tasks": [
    $(awk -F '\t' '$1 == "row" { printf "%s{\"name\": \"%s\", \"result\": \"%s\", \"seconds\": %d}", between, $2, $3, $4; between = ",\n    " }' "$results")
  ],
  "tools": {"yosys": "$yosys_version", "solver": "${solver_version:-}"}
}
END
    say "$1: $subject$3"
    counts=
    [ "$proof" = wiring ] || counts=" ${assertions:-?} assertions, ${covers:-?} covers, ${reached:-?} of them reached."
    [ "$connections" = 0 ] || counts="$counts ${compared:-?} connections of the network."
    [ -z "$packets" ] || counts="$counts hc_packets with $packets."
    [ -z "${kept:-}" ] || counts="$counts Rings of these ports keep a hole: $kept."
    note text "Verdict: $1.$counts"
    note result "$2" "${3#* }"
}

# stop VERDICT TEXT [LOG]
stop() {
    conclude "$1" failed ": $2"
    [ -z "${3:-}" ] || { echo "the last lines of $out/$3:" >&2; tail -n 12 "$3" >&2; }
    exit 3
}

# netlist UNIT NETWORK FILE...: writes the network with the modules of its nodes, in these files, as black boxes.
# There are two files, because the ports of the nodes must come first.
netlist() {
    unit=$1 network=$2
    shift 2
    "$yosys" -p "read_verilog -lib $*; write_blif -blackbox node.blif; read_verilog $network.v;
        hierarchy -check -top $network; proc; opt_clean; write_blif -icells -cname -conn network.blif" >wiring.log 2>&1 || {
        ran wiring failed "$start"
        stop FAIL "Yosys cannot read the network" wiring.log
    }
}

# compare SCRIPT [-v NAME=VALUE]...: prints what the script counts in that network.
compare() {
    script=$1
    shift
    cat node.blif network.blif | tr ' ' '\n' | awk -v network="$network" -v unit="$unit" -v rings="$RINGS" "$@" -f netlist.awk -f "$script"
}

# wiring compares the connections of the network with those that follow from m and rho.
wiring() {
    subject=${MACHINE}_network
    start=$(date +%s)
    netlist "${MACHINE}_router" "$subject" "${MACHINE}_router.v"
    compared=$(compare wiring.awk -v max_nodes="${MAX_NODES:-0}") || {
        ran wiring failed "$start"
        found=$compared
        compared=
        stop FAIL "$found"
    }
    [ "$compared" = "$connections" ] || {
        ran wiring failed "$start"
        stop FAIL "the machine has $connections connections, of which $compared were compared"
    }
    ran wiring passed "$start"
    say "  wiring     proved: each of the $compared connections of the network is that of the machine"
    subject=${MACHINE}_router
}
[ "$connections" = 0 ] || wiring
if [ "$proof" = wiring ]; then
    subject=${MACHINE}_network
    conclude PASS passed " is wired as the machine; its router is not proved"
    exit 0
fi

# Yosys 0.40 and later reads an assertion as a $check, which chformal lowers to an $assert.
lower=
! "$yosys" -p 'help chformal' 2>&1 | grep -q -e '-lower' || lower="chformal -lower;"

count() { awk -v text="$1" 'index($0, text) { n++ } END { print n + 0 }' "$2"; }

# formulas SCRIPT ASSERTIONS COVERS: writes proof.smt2 and cover.smt2 of the module with properties
# that the script leaves. The formula for covers has no assertions, because yosys-smtbmc would check
# each of them in every cycle in which it reaches a cover. Yosys skips silently what it does not
# understand, so the assertions and covers in the formulas are counted.
formulas() {
    "$yosys" -p "$1; flatten; proc; opt_expr -keepdc; opt_clean; async2sync; $lower dffunmap;
        write_smt2 -wires proof.wires; chformal -assert -remove; opt_clean; write_smt2 -wires cover.wires" >prepare.log 2>&1 ||
        stop FAIL "the properties do not fit the module" prepare.log
    ! grep -q 'Resizing cell port' prepare.log || stop FAIL "a register has another width than the proof expects" prepare.log
    for formula in proof cover; do
        awk -f cut.awk $formula.wires >$formula.smt2 || stop UNKNOWN "$formula.wires is no formula that can be cut" prepare.log
    done
    assertions=$(count '; yosys-smt2-assert ' proof.smt2)
    covers=$(count '; yosys-smt2-cover ' cover.smt2)
    say "$subject: $assertions assertions, $covers covers"
    [ "$assertions $covers" = "$2 $3" ] ||
        stop FAIL "hcgen has written $2 assertions and $3 covers, of which Yosys has made $assertions and $covers"
}

# If the script is interrupted, it also ends the solver.
running=""
trap '[ -z "$running" ] || kill "$running"' EXIT
trap 'exit 130' INT TERM HUP QUIT

# solve LOG FORMULA ARGUMENT...: the result is passed, failed, stopped by the time, or broken.
solve() {
    log=$1.log
    formula=$2
    shift 2
    code=0
    timeout "$seconds" "$smtbmc" --noprogress --unroll --noincr -s "$solver" "$@" "$formula" >"$log" 2>&1 &
    running=$!
    wait "$running" || code=$?
    running=""
    if [ "$code" = 124 ]; then result=stopped
    elif [ "$code" = 0 ] && grep -q 'Status: PASSED' "$log"; then result=passed
    elif grep -q 'Status: FAILED' "$log"; then result=failed
    else result=broken
    fi
}

# task NAME FORMULA ARGUMENT...: solves, for a row of the results.
task() {
    task=$1
    start=$(date +%s)
    solve "$@"
    ran "$task" "$result" "$start"
    [ "$result" != broken ] || stop UNKNOWN "the solver came to no result" "$log"
}

# fail: the solver has found an assertion that fails.
fail() { stop FAIL "$(sed -n 's/.*Assert failed in //p' "$log" | head -n 1); waves: $out/failure.vcd" "$log"; }

# check NAME FORMULA ARGUMENT...: a task that searches from reset on. Each finding is a failure.
check() {
    task "$@" --dump-vcd failure.vcd
    [ "$result" != failed ] || fail
}

# covered: the number of covers that the task has reached: all, unless the time has stopped the task.
covered() {
    reached=$(count 'Reached cover statement' cover.log)
    [ "$result" = stopped ] || [ "$reached" = "$COVERS" ] ||
        stop FAIL "$reached of $COVERS covers are reached: the proof does not look at all it should" cover.log
}

# finished TEXT: the time has not stopped the task.
finished() {
    [ "$result" = passed ] || {
        conclude UNKNOWN failed ": $1 in $seconds s"
        echo "hint: give it more time, PROVE_TIME=3600" >&2
        exit 3
    }
}

# beside NAME SCRIPT ASSERTIONS COVERS: proves a module other than the router in one task of this name: nothing fails in
# the first cycles, the step of the induction holds, and all covers are reached.
beside() {
    name_of=$1
    start=$(date +%s)
    formulas "$2" "$3" "$4"
    solve "$name_of" proof.smt2 -t 4 --presat --dump-vcd failure.vcd
    [ "$result" != passed ] || solve "$name_of" proof.smt2 -i -t 1 --dump-vcd failure.vcd
    proved=$result
    [ "$result" != passed ] || solve "$name_of" cover.smt2 -c -t 8
    ran "$name_of" "$result" "$start"
    [ "$proved" != failed ] || fail
    [ "$result" != broken ] || stop UNKNOWN "the solver came to no result" "$log"
    reached=$(count 'Reached cover statement' "$log")
    [ "$result" = stopped ] || [ "$reached" = "$covers" ] ||
        stop FAIL "$reached of $covers covers are reached: the proof does not look at all it should" "$log"
}

# packets proves hc_packets with the parameters in $packets. Its properties are inserted before its endmodule.
packets() {
    subject=${MACHINE}_hc_packets
    { sed '/^endmodule$/,$d' "$subject.v"; cat packets_properties.v; echo endmodule; } >packets_proof.v
    beside packets "read_verilog -formal packets_proof.v; hierarchy -check -top $subject $(echo "$packets" | sed 's/[A-Z_][A-Z_]* [0-9]*/-chparam &/g');
        prep; memory_map; opt" "$PACKETS_ASSERTIONS" "$PACKETS_COVERS"
    finished "no result"
    say "  packets    proved, for runs of any length (induction), with $packets; all covers reached: $reached"
    assertions=
    covers=
    reached=
    subject=${MACHINE}_router
}
[ -z "$packets" ] || packets

# rings proves that the rings of each port in $holes keep a hole, and restores the counts of the router.
rings() {
    of_router=$assertions:$covers:$reached
    for ring in $holes; do
        counts=${ring#*:}
        subject=${MACHINE}_rings${ring%%:*}
        beside "ring${ring%%:*}" "script ${MACHINE}_rings.ys; hierarchy -check -top $subject; flatten; proc; opt_clean -purge" "${counts%:*}" "${counts#*:}"
        if [ "$result" = passed ]; then kept="${kept:+$kept, }${ring%%:*}"; else unproved="${unproved:+$unproved, }${ring%%:*}"; fi
    done
    [ -z "${unproved:-}" ] || say "  rings      NOT PROVED in $seconds s: those of these ports: $unproved"
    [ -z "${kept:-}" ] || say "  rings      proved, for runs of any length (induction): each ring of these ports keeps a hole: $kept"
    [ -z "${LONG_RINGS:-}" ] || say "  rings      NOT PROVED, because they have more than $MAX_PLACES places: those of these ports: $LONG_RINGS"
    assertions=${of_router%%:*} reached=${of_router##*:}
    covers=${of_router#*:}
    covers=${covers%:*}
    subject=${MACHINE}_router
}

# follow executes the table of the nodes on the network.
follow() {
    start=$(date +%s)
    unit=${MACHINE}__${COLLECTIVE}_node
    files=
    for file in "$unit".v "$unit"[0-9]*.v; do [ ! -e "$file" ] || files="$files $file"; done
    # shellcheck disable=SC2086 # a list of files
    netlist "$unit" "$subject" $files
    found=$(compare follow.awk -v table="${MACHINE}__${COLLECTIVE}_table.vh" -v operation="$OPERATION" -v root="$ROOT") || {
        ran words failed "$start"
        stop FAIL "$found"
    }
    compared=${found% *}
    ran words passed "$start"
    say "  words      proved: the $compared connections take the words of the table to ${found#* } results, which are those of the operation"
}

formulas "script $name.ys" "$ASSERTIONS" "$COVERS"

# An induction shows that nodes do what their table says. Then the words of an operation are followed through the network.
# If the induction does not hold, the cycles of an operation are searched for a failure.
if [ "$by" = nodes ]; then
    check base proof.smt2 -t "$INDUCTION_CYCLES" --presat
    [ "$result" != passed ] || task induction proof.smt2 -i -t "$INDUCTION_CYCLES"
    if [ "$result" = failed ]; then
        check operation proof.smt2 -t "0:$CYCLES:$CYCLES"
        conclude UNKNOWN failed ": the induction does not hold, and nothing fails in $CYCLES cycles after reset"
        exit 3
    fi
    finished "no result"
    say "  nodes      proved: what the table says, for runs of any length (induction)"
    task cover cover.smt2 -c -t "$COVER_CYCLES"
    covered
    finished "not all covers are reached"
    say "  covers     all reached: $reached"
    follow
    conclude PASS passed " is proved"
    exit 0
fi

# Operations end, so all their cycles are searched. Registers have arbitrary values before the reset, and the schedule
# depends only on the cycle, so every operation behaves as these do.
if [ "$by" = network ]; then
    check operations proof.smt2 -t "0:$CYCLES:$CYCLES" --presat
    finished "no result"
    say "  operations proved: three that follow one another, in $CYCLES cycles"
    task cover cover.smt2 -c -t "$CYCLES"
    covered
    finished "not all covers are reached"
    say "  covers     all reached: $reached"
    conclude PASS passed " is proved"
    exit 0
fi

start=$(date +%s)
if [ "$proof" = proof ]; then
    # The proof tags payloads, so no decision may depend on a payload. The wires show this, and also that only
    # the local tready depends on an input of the same cycle.
    resting=1 # steps of a formula before the first cycle after reset
    "$yosys" -p "script ${MACHINE}_structure.ys" >structure.log 2>&1 || {
        ran structure failed "$start"
        ! grep -q 'ERROR: Assertion failed: selection is not empty' structure.log ||
            stop FAIL "a payload reaches a header, valid or ready, or an input an output, which is not the local tready, in its cycle" structure.log
        stop FAIL "Yosys cannot look at the wires" structure.log
    }
    ran structure passed "$start"
    say "  structure  proved: payloads decide nothing; no output but the local tready depends on an input in its cycle"
else
    # The module that replaces the configuration has the constants of the plan. A simulation with unknown values shows
    # that the configuration sets the same constants, and a proof that it keeps them.
    resting=2
    "$yosys" -p "script ${MACHINE}_configured.ys; $lower write_smt2 -wires configured.smt2" >configured.log 2>&1 || {
        ! grep -q 'ERROR: Assertion failed: selection.*configured_q' configured.log ||
            stop FAIL "the configured router has other constants than the plan, or is not configured in time" configured.log
        stop FAIL "Yosys cannot execute the configuration" configured.log
    }
    [ "$(count '; yosys-smt2-assert ' configured.smt2)" = 2 ] || stop FAIL "there are not two assertions about the configuration"
    task configured configured.smt2 -t 2 --presat --dump-vcd failure.vcd
    [ "$result" != failed ] || stop FAIL "the configuration changes while the router runs, it runs when will_run has not said so, or will_run is not low in reset; waves: $out/failure.vcd" configured.log
    [ "$result" = passed ] || stop UNKNOWN "no result about the configuration in $seconds s" configured.log
    say "  configured proved: the configuration gives the constants of the plan, and keeps them"
fi

# The base: nothing fails in the first cycles. --presat checks that such cycles exist, which fails with a solver that
# answers unsat to everything. Then the step: nothing fails after a cycle like these.
check base proof.smt2 -t 3 --presat
[ "$result" != passed ] || task induction proof.smt2 -i -t 1
induction=$result
case $induction in
    passed) say "  behaviour  proved, for runs of any length (induction)" ;;
    failed) why="induction does not hold" ;;
    *) why="$task has no result in $seconds s" ;;
esac

task cover cover.smt2 -c -t 14
covering=$result
covered
if [ "$covering" = stopped ]; then
    say "  covers     NOT ALL REACHED in $seconds s: $reached of $COVERS"
else
    say "  covers     all reached: $reached"
fi

# Without an induction, PROVE_DEPTH cycles are searched, or the cycles of the longest cover if these are more.
if [ "$induction" != passed ]; then
    deepest=$(sed -n 's/.*Reached cover statement .* in step \([0-9]*\)\..*/\1/p' cover.log | sort -n | tail -n 1)
    needed=$((${deepest:-0} + 1 - resting))
    [ "$needed" -le "$depth" ] || depth=$needed
    check bounded proof.smt2 -t $((depth + resting))
    bound=$depth
    [ "$result" = passed ] || { # the number of the step in progress is that of the finished steps
        bound=$(sed -n 's/.*Checking assertions in step \([0-9]*\).*/\1/p' bounded.log | tail -n 1)
        bound=$((${bound:-0} > resting ? bound - resting : 0))
    }
    say "  behaviour  NOT PROVED ($why): holds for the first $bound cycles after reset"
    [ "$bound" -ge "$needed" ] || why="$why; the covers take $needed cycles, but $bound were searched"
fi
[ "$covering" = passed ] || why="${why:+$why; }not all covers are reached in $seconds s"

rings
if [ "$induction" = passed ] && [ -n "${unproved:-}" ]; then why="${why:+$why; }rings have no result in $seconds s"; fi

hint="give it more time, PROVE_TIME=3600"
if [ "$covering" = passed ] && [ "$induction" = passed ] && [ -z "${unproved:-}" ]; then
    conclude PASS passed " is proved"
    exit 0
elif [ "$covering" = passed ] && [ "$induction" != passed ] && [ "$bound" -ge "$needed" ]; then
    conclude BOUNDED bounded ": nothing fails in the first $bound cycles after reset, but not all is proved: $why"
    case $induction,$accept in
        failed,*) hint="more time changes nothing; a larger PROVE_DEPTH finds what fails later" ;;
        *,bounded) exit 0 ;;
        *) hint="$hint, or accept that, PROVE_ACCEPT=bounded" ;;
    esac
else
    conclude UNKNOWN failed ": not all is proved: $why"
fi
echo "hint: $hint" >&2
exit 3
