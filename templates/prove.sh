#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves that the router does what the plan of its machine says, or of a programmable one
# that, told its machine, it is the specialized router (formal/), and says how far the
# proof reaches.
#
#   prove.sh            (run in the folder with filelist.f)
#
# From the environment: MACHINE, its name; PROOF, proof (the default) or equivalence; BUILD, the folder for results, default build;
# YOSYS, SMTBMC and SOLVER, the tools; PROVE_TIME, seconds that each task may take,
# default 300; PROVE_DEPTH, cycles after reset that are searched if there is no proof by
# induction, default 12. Leaves in $BUILD/prove summary.txt, the logs, and of a failure
# the waves, failure.vcd.
# Exit codes: 0 proved, 2 bad usage, 3 it fails or is not proved, 4 a tool is missing.
set -eu

proof=${PROOF:-proof}
name=${MACHINE}_$proof
out=${BUILD:-build}/prove
yosys=${YOSYS:-yosys}
smtbmc=${SMTBMC:-yosys-smtbmc}
solver=${SOLVER:-z3}
seconds=${PROVE_TIME:-300}
depth=${PROVE_DEPTH:-12}

case $proof in
    proof | equivalence) ;;
    *)
        echo "prove.sh: error: PROOF is proof or equivalence, not \"$proof\"" >&2
        exit 2
        ;;
esac
for number in "$seconds" "$depth"; do
    case $number in
        '' | *[!0-9]* | 0*)
            echo "prove.sh: error: PROVE_TIME and PROVE_DEPTH are whole numbers from 1 on, not \"$number\"" >&2
            exit 2
            ;;
    esac
done
for tool in "$yosys" "$smtbmc" "$solver" timeout; do
    command -v "$tool" >/dev/null || {
        echo "prove.sh: error: $tool is not installed" >&2
        echo "hint: on Debian: apt-get install yosys z3 coreutils" >&2
        exit 4
    }
done

rm -rf "$out"
mkdir -p "$out"
cp rtl/*.v formal/*.v formal/*.ys "$out"
cd "$out"

say() { echo "$*" | tee -a summary.txt; }
fail() {
    say "FAIL: ${MACHINE}_router: $1"
    [ -z "${2:-}" ] || { echo "the last lines of $out/$2:" >&2; tail -n 12 "$2" >&2; }
    exit 3
}

# What Yosys does not understand it drops in silence, so assertions are counted: in the
# modules as they were read, and in the formula.
"$yosys" -q -l prepare.log -p "script $name.ys; flatten; tee -q -o read.txt stat;
    proc; opt_expr -keepdc; opt_clean; async2sync; dffunmap; write_smt2 -wires proof.smt2" >prepare.out 2>&1 ||
    fail "the properties do not fit the router" prepare.out
[ -s prepare.log ] || fail "Yosys left no log" prepare.out
! grep -q 'Resizing cell port' prepare.log || fail "a register of the router has another width than the proof expects" prepare.out
read_count() { awk -v type="\$$1" '$1 == type { n = $2 } END { print n + 0 }' read.txt; }
# Lines of a file that begin with a text, or have it anywhere. Without the file it fails.
begin_with() { awk -v text="$1" 'index($0, text) == 1 { n++ } END { print n + 0 }' "$2"; }
have() { awk -v text="$1" 'index($0, text) { n++ } END { print n + 0 }' "$2"; }
formula_count() { begin_with "; yosys-smt2-$1 " proof.smt2; }
[ -s proof.smt2 ] || fail "Yosys left no formula" prepare.out
assertions=$(formula_count assert)
covers=$(formula_count cover)
[ "$assertions" -gt 0 ] || fail "there is no assertion"
[ "$covers" -gt 0 ] || fail "there is no cover"
[ "$assertions" = "$(read_count assert)" ] || fail "$(read_count assert) assertions were read, but $assertions are in the formula"
[ "$covers" = "$(read_count cover)" ] || fail "$(read_count cover) covers were read, but $covers are in the formula"
say "${MACHINE}_router: $assertions assertions, $covers covers"

# Payloads decide nothing, and no output follows a ready in its cycle: this is seen from
# the wires.
if [ "$proof" = proof ]; then
    "$yosys" -q -l structure.log -p "script ${MACHINE}_structure.ys" >structure.out 2>&1 || {
        ! grep -q 'ERROR: Assertion failed: selection is not empty' structure.out ||
            fail "a payload reaches a header, valid or ready, or a tready of an output another output in its cycle" structure.out
        fail "Yosys cannot look at the wires" structure.out
    }
    say "  structure  proved: payloads decide nothing; no output depends on a tready in its cycle"
fi

# An interrupt ends the solver, too.
running=""
trap '[ -z "$running" ] || kill "$running"' EXIT
trap 'exit 130' INT TERM HUP

# task NAME ARGUMENT...: runs the solver on the formula; result is passed, failed, stopped (by the time) or broken.
formula=proof.smt2
task() {
    log=$1.log
    shift
    code=0
    timeout "$seconds" "$smtbmc" --noprogress --unroll --noincr -s "$solver" "$@" "$formula" >"$log" 2>&1 &
    running=$!
    wait "$running" || code=$?
    running=""
    if [ "$code" = 124 ]; then result=stopped
    elif [ "$code" = 0 ] && grep -q 'Status: PASSED' "$log"; then result=passed
    elif grep -q 'Status: FAILED' "$log"; then result=failed
    else fail "the solver came to no result" "$log"
    fi
}

# What the stand-in for the configuration tells, the one in rtl tells, too: it is executed,
# with all that is not given unknown; then it stays so.
if [ "$proof" = equivalence ]; then
    "$yosys" -q -l told_prepare.log -p "script ${MACHINE}_told.ys" >told.out 2>&1 || {
        ! grep -q 'ERROR: Assertion failed: selection' told.out ||
            fail "told its machine, the router has other constants than the plan, or is not configured in time" told.out
        fail "Yosys cannot execute the configuration" told.out
    }
    [ -s told.smt2 ] || fail "Yosys left no formula" told.out
    [ "$(begin_with '; yosys-smt2-assert ' told.smt2)" = 1 ] || fail "there is no assertion about the configuration"
    formula=told.smt2
    task told -t 2 --dump-vcd failure.vcd
    formula=proof.smt2
    [ "$result" != failed ] || fail "the configuration changes while the router runs; waves: $out/failure.vcd" told.log
    [ "$result" = passed ] || fail "no result about the configuration in $seconds s" told.log
    say "  told       proved: the configuration gives the constants of the plan, and keeps them"
fi

# In the first cycles nothing fails, and nothing does in a cycle after one like that.
proved=0
task base -t 3 --dump-vcd failure.vcd
[ "$result" != failed ] || fail "$(sed -n 's/.*Assert failed in //p' base.log | head -n 1), within 3 cycles; waves: $out/failure.vcd" base.log
if [ "$result" = passed ]; then
    task induction -i -t 1
    [ "$result" != passed ] || proved=1
fi
if [ "$proved" = 1 ]; then
    say "  behaviour  proved, for runs of any length (induction)"
else
    case $result in
        failed) why="induction does not hold" ;;
        *) why="no result in $seconds s" ;;
    esac
    task bounded -t "$depth" --dump-vcd failure.vcd
    [ "$result" != failed ] ||
        fail "$(sed -n 's/.*Assert failed in //p' bounded.log | head -n 1); waves: $out/failure.vcd" bounded.log
    bound=$depth
    [ "$result" = passed ] ||
        bound=$(sed -n 's/.*Checking assertions in step \([0-9]*\).*/\1/p' bounded.log | tail -n 1)
    say "  behaviour  NOT PROVED ($why): holds for the first ${bound:-0} cycles only"
fi

task cover -c -t 14
reached=$(have 'Reached cover statement' cover.log)
[ "$result" != failed ] || fail "$reached of $covers covers are reached: the proof does not look at all it should" cover.log
if [ "$result" = stopped ]; then
    say "  covers     NOT ALL REACHED in $seconds s: $reached of $covers"
    proved=0
else
    [ "$reached" = "$covers" ] || fail "$reached of $covers covers are reached" cover.log
    say "  covers     all reached: $reached"
fi

[ "$proved" = 1 ] || {
    say "UNKNOWN: ${MACHINE}_router: not all is proved"
    echo "hint: give it more time, PROVE_TIME=3600" >&2
    exit 3
}
say "PASS: ${MACHINE}_router is proved"
