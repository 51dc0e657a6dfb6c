#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves that the router does what the plan of its machine says, or of a programmable one
# that, told its machine, it is the specialized router (formal/), and says how far the
# proof reaches.
#
#   prove.sh            (run in the folder with filelist.f)
#
# From the environment: MACHINE, its name; CONFIG, the hash of its description; PROOF, proof (the
# default) or equivalence; ASSERTIONS and COVERS, how many of them hcgen has written; BUILD, the
# folder for results, default build; YOSYS, SMTBMC and SOLVER, the tools, SOLVER as yosys-smtbmc
# names it or a path that ends so; PROVE_TIME, seconds that each task may take, default 300;
# PROVE_DEPTH, cycles after reset that are searched if there is no proof by induction, default 12,
# and more if a cover needs more; PROVE_ACCEPT, bounded if that is enough where the time has
# stopped the induction, else proved, the default. Leaves in $BUILD/prove summary.txt, result.json,
# the logs, and of a failure the waves, failure.vcd.
# Verdicts: PASS, proved for runs of any length; BOUNDED, there is no proof by induction, but
# nothing fails in the first cycles after reset, in which all covers are reached; FAIL; UNKNOWN.
# Exit codes: 0 proved, or bounded for want of time if that is accepted; 2 bad usage; 3 it fails
# or is not proved; 4 a tool is missing.
set -eu

proof=${PROOF:-proof}
name=${MACHINE}_$proof
out=${BUILD:-build}/prove
yosys=${YOSYS:-yosys}
smtbmc=${SMTBMC:-yosys-smtbmc}
solver=${SOLVER:-z3}
seconds=${PROVE_TIME:-300}
depth=${PROVE_DEPTH:-12}
accept=${PROVE_ACCEPT:-proved}

case $proof in
    proof | equivalence) ;;
    *)
        echo "prove.sh: error: PROOF is proof or equivalence, not \"$proof\"" >&2
        exit 2
        ;;
esac
case $accept in
    proved | bounded) ;;
    *)
        echo "prove.sh: error: PROVE_ACCEPT is proved or bounded, not \"$accept\"" >&2
        exit 2
        ;;
esac
for number in "$seconds" "$depth" "${ASSERTIONS:-}" "${COVERS:-}"; do
    case $number in
        '' | *[!0-9]* | 0*)
            echo "prove.sh: error: PROVE_TIME, PROVE_DEPTH, ASSERTIONS and COVERS are whole numbers from 1 on, not \"$number\"" >&2
            echo "hint: make prove tells it the last two" >&2
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

echo | sed -u '' >/dev/null 2>&1 || {
    echo "prove.sh: error: sed does not know the option -u" >&2
    echo "hint: GNU sed does; on Debian: apt-get install sed" >&2
    exit 4
}
solve=$(command -v "$solver")
case $solve in
    /*) ;;
    */*) solve=$PWD/$solve ;;
esac
solver=${solver##*/}

rm -rf "$out"
mkdir -p "$out"
# What the proof is of, for the report.
while read -r file; do
    [ -r "$file" ] || {
        echo "prove.sh: error: $file of filelist.f is missing in $(pwd)" >&2
        echo "hint: generate the machine again" >&2
        exit 2
    }
done <filelist.f
# shellcheck disable=SC2046 # a list of files
rtl=$(cat $(cat filelist.f) </dev/null | cksum)
cp rtl/*.v formal/*.v formal/*.ys "$out"
cd "$out"

# yosys-smtbmc writes every wire as a definition, and z3 puts each into all that use it, which takes
# minutes where solving takes seconds. Before the solver stands one that makes of each a
# variable and an equation, which says the same. What is asked after (check-sat) stays as it is,
# since an equation would be a new problem.
mkdir path
cat >definitions.sed <<'END'
/^\(check-sat\)/{
    :rest
    n
    b rest
}
s/^\(define-fun (\|UNROLL#[0-9]+\|) \(\) (Bool|\(_ BitVec [0-9]+\)) (.*)\)$/(declare-fun \1 () \2)\n(assert (= \1 \3))/
END
cat >"path/$solver" <<'END'
#!/bin/sh
sed -u -E -f definitions.sed | "$PROVE_SOLVE" "$@"
END
chmod +x "path/$solver"
export PROVE_SOLVE="$solve"
# It is found from this folder, whose own name may have a colon, which parts folders in PATH.
ahead=path:$PATH
case $(PATH=$ahead && command -v "$solver") in
    "path/$solver" | */"path/$solver") ;;
    *)
        echo "prove.sh: error: SOLVER is \"$solver\", in place of which the shell finds no program of that name in $out/path" >&2
        echo "hint: SOLVER is the name of a solver that yosys-smtbmc knows, such as z3, or a path that ends so" >&2
        exit 2
        ;;
esac

# version COMMAND...: what a tool says of itself, fit for JSON.
version() { "$@" 2>&1 | head -n 1 | tr -cd 'A-Za-z0-9 ._-'; }

# ran TASK RESULT SECONDS: for the report.
tasks=""
ran() { tasks="$tasks${tasks:+,
    }{\"name\": \"$1\", \"result\": \"$2\", \"seconds\": $3}"; }

conclude() {
    cat >result.json <<END
{
  "machine": "$MACHINE",
  "config": "${CONFIG:-}",
  "rtl": "$rtl",
  "verdict": "$1",
  "assertions": ${assertions:-null},
  "covers": ${covers:-null},
  "covers_reached": ${reached:-null},
  "bound": ${bound:-null},
  "why": "${why:-}",
  "tasks": [
    $tasks
  ],
  "tools": {"yosys": "$(version "$yosys" -V)", "solver": "$(version "$solve" --version)"}
}
END
}

say() { echo "$*" | tee -a summary.txt; }
stop() {
    conclude "$1"
    say "$1: ${MACHINE}_router: $2"
    [ -z "${3:-}" ] || { echo "the last lines of $out/$3:" >&2; tail -n 12 "$3" >&2; }
    exit 3
}
fail() { stop FAIL "$@"; }
# A tool that dies says nothing about the router.
broken() { stop UNKNOWN "$@"; }

# Yosys 0.40 and later reads an assertion as a $check, of which chformal makes an $assert.
lower=
"$yosys" -q -l help.log -p 'help chformal' >/dev/null 2>&1 || broken "Yosys does not work"
[ -s help.log ] || broken "Yosys left no log"
! grep -q -e -lower help.log || lower="chformal -lower;"

# What Yosys does not understand it drops in silence, so assertions are counted: in the
# modules as they were read, and in the formula. Covers have a formula without assertions, because
# yosys-smtbmc asks for each of these, in every cycle, whenever it has reached a cover, which takes
# longer than to reach it.
"$yosys" -q -l prepare.log -p "script $name.ys; flatten;
    tee -q -o assert.txt select -list t:\$assert t:\$check r:FLAVOR=assert %i %u;
    tee -q -o cover.txt select -list t:\$cover t:\$check r:FLAVOR=cover %i %u;
    proc; opt_expr -keepdc; opt_clean; async2sync; $lower dffunmap; write_smt2 -wires proof.smt2;
    chformal -assert -remove; opt_clean; write_smt2 -wires cover.smt2" >prepare.out 2>&1 ||
    fail "the properties do not fit the router" prepare.out
[ -s prepare.log ] || broken "Yosys left no log" prepare.out
! grep -q 'Resizing cell port' prepare.log || fail "a register of the router has another width than the proof expects" prepare.out
read_count() { begin_with "$name/" "$1.txt"; }
# Lines of a file that begin with a text, or have it anywhere. Without the file it fails.
begin_with() { awk -v text="$1" 'index($0, text) == 1 { n++ } END { print n + 0 }' "$2"; }
have() { awk -v text="$1" 'index($0, text) { n++ } END { print n + 0 }' "$2"; }
formula_count() { begin_with "; yosys-smt2-$1 " "$2"; }
[ -s proof.smt2 ] && [ -s cover.smt2 ] || broken "Yosys left no formula" prepare.out
# compare KIND NUMBER FORMULA: what was written, read, and is in the formula.
compare() {
    read=$(read_count "$1")
    formula=$(formula_count "$1" "$3")
    [ "$read" = "$2" ] || fail "hcgen has written $2 ${1}s, but $read were read"
    [ "$formula" = "$read" ] || fail "$read ${1}s were read, but $formula are in the formula"
}
compare assert "$ASSERTIONS" proof.smt2
compare cover "$COVERS" cover.smt2
assertions=$ASSERTIONS
covers=$COVERS
say "${MACHINE}_router: $assertions assertions, $covers covers"

# Payloads decide nothing, and only the ready of the local input follows an input in its cycle: this
# is seen from the wires.
if [ "$proof" = proof ]; then
    start=$(date +%s)
    "$yosys" -q -l structure.log -p "script ${MACHINE}_structure.ys" >structure.out 2>&1 || {
        ran structure failed $(($(date +%s) - start))
        ! grep -q 'ERROR: Assertion failed: selection is not empty' structure.out ||
            fail "a payload reaches a header, valid or ready, or an input an output, which is not the local tready, in its cycle" structure.out
        fail "Yosys cannot look at the wires" structure.out
    }
    ran structure passed $(($(date +%s) - start))
    say "  structure  proved: payloads decide nothing; no output but the local tready depends on an input in its cycle"
fi

# An interrupt ends the solver, too.
running=""
trap '[ -z "$running" ] || kill "$running"' EXIT
trap 'exit 130' INT TERM HUP

# task NAME ARGUMENT...: runs the solver on the formula; result is passed, failed, stopped (by the time) or broken.
formula=proof.smt2
task() {
    task=$1
    log=$1.log
    shift
    code=0
    start=$(date +%s)
    PATH=$ahead timeout "$seconds" "$smtbmc" --noprogress --unroll --noincr -s "$solver" "$@" "$formula" >"$log" 2>&1 &
    running=$!
    wait "$running" || code=$?
    running=""
    if [ "$code" = 124 ]; then result=stopped
    elif [ "$code" = 0 ] && grep -q 'Status: PASSED' "$log"; then result=passed
    elif grep -q 'Status: FAILED' "$log"; then result=failed
    elif grep -q 'Assumptions are unsatisfiable' "$log"; then
        ran "$task" broken $(($(date +%s) - start))
        broken "the solver says that there is no run at all, so what it says of them is worth nothing" "$log"
    else
        ran "$task" broken $(($(date +%s) - start))
        broken "the solver came to no result" "$log"
    fi
    ran "$task" "$result" $(($(date +%s) - start))
}

# What the stand-in for the configuration tells, the one in rtl tells, too: it is executed,
# with all that is not given unknown; then it stays so.
if [ "$proof" = equivalence ]; then
    "$yosys" -q -l told_prepare.log -p "script ${MACHINE}_told.ys; $lower write_smt2 -wires told.smt2" >told.out 2>&1 || {
        ! grep -q 'ERROR: Assertion failed: selection.*told_q' told.out ||
            fail "told its machine, the router has other constants than the plan, or is not configured in time" told.out
        fail "Yosys cannot execute the configuration" told.out
    }
    [ -s told.smt2 ] || broken "Yosys left no formula" told.out
    [ "$(begin_with '; yosys-smt2-assert ' told.smt2)" = 2 ] || fail "there are not two assertions about the configuration"
    formula=told.smt2
    task told -t 2 --presat --dump-vcd failure.vcd
    formula=proof.smt2
    [ "$result" != failed ] || fail "the configuration changes while the router runs, it runs when will_run has not said so, or will_run is not low in reset; waves: $out/failure.vcd" told.log
    [ "$result" = passed ] || broken "no result about the configuration in $seconds s" told.log
    say "  told       proved: the configuration gives the constants of the plan, and keeps them"
fi

# In the first cycles nothing fails, and nothing does in a cycle after one like that. To --presat the
# solver has to answer, too, that there are such cycles: one that says unsat to this formula, whatever
# is asked, would else be believed here and of the induction.
proved=0
task base -t 3 --presat --dump-vcd failure.vcd
[ "$result" != failed ] || fail "$(sed -n 's/.*Assert failed in //p' base.log | head -n 1), within 3 cycles from reset on; waves: $out/failure.vcd" base.log
if [ "$result" = passed ]; then
    task induction -i -t 1
    [ "$result" != passed ] || proved=1
fi
# search CYCLES: after reset; bound says how many are done. Before them stand the steps of the formula in which
# nothing is asserted, a cycle of reset, or two in which the programmable router does not run.
resting=1
[ "$proof" = proof ] || resting=2
search() {
    task bounded -t $(($1 + resting)) --dump-vcd failure.vcd
    [ "$result" != failed ] ||
        fail "$(sed -n 's/.*Assert failed in //p' bounded.log | head -n 1); waves: $out/failure.vcd" bounded.log
    bound=$1
    [ "$result" = passed ] || { # the step that it is at, which is as many as are done before, is not done
        bound=$(sed -n 's/.*Checking assertions in step \([0-9]*\).*/\1/p' bounded.log | tail -n 1)
        bound=$((${bound:-0} - resting))
        [ "$bound" -ge 0 ] || bound=0
    }
}
if [ "$proved" = 1 ]; then
    say "  behaviour  proved, for runs of any length (induction)"
else
    refuted=0
    case $result in
        failed)
            refuted=1
            why="induction does not hold"
            ;;
        *) why="$task has no result in $seconds s" ;;
    esac
    search "$depth"
fi

formula=cover.smt2
task cover -c -t 14
formula=proof.smt2
covering=$result
reached=$(have 'Reached cover statement' cover.log)
[ "$covering" != failed ] || fail "$reached of $COVERS covers are reached: the proof does not look at all it should" cover.log
if [ "$covering" = passed ]; then
    [ "$reached" = "$COVERS" ] || fail "$reached of $COVERS covers are reached" cover.log
    say "  covers     all reached: $reached"
else
    say "  covers     NOT ALL REACHED in $seconds s: $reached of $COVERS"
fi

# A bound says little that ends before what the covers show.
if [ "$proved" = 0 ]; then
    deepest=$(sed -n 's/.*Reached cover statement .* in step \([0-9]*\)\..*/\1/p' cover.log | sort -n | tail -n 1)
    needed=$((${deepest:-0} + 1 - resting))
    [ "$bound" != "$depth" ] || [ "$needed" -le "$depth" ] || search "$needed"
    say "  behaviour  NOT PROVED ($why): holds for the first $bound cycles after reset"
fi

if [ "$proved" = 1 ] && [ "$covering" = passed ]; then
    conclude PASS
    say "PASS: ${MACHINE}_router is proved"
elif [ "$covering" = passed ] && [ "$bound" -ge "$needed" ]; then
    conclude BOUNDED
    say "BOUNDED: ${MACHINE}_router: nothing fails in the first $bound cycles after reset, but not all is proved: $why"
    if [ "$refuted" = 1 ]; then
        echo "hint: more time changes nothing, and PROVE_ACCEPT=bounded is for want of time only; what fails later than that is found with a larger PROVE_DEPTH" >&2
        exit 3
    fi
    [ "$accept" != bounded ] || exit 0
    echo "hint: give it more time, PROVE_TIME=3600, or accept that, PROVE_ACCEPT=bounded" >&2
    exit 3
else
    [ "$proved" = 1 ] || [ "$covering" != passed ] || why="$why; the covers take $needed cycles, but $bound were searched"
    [ "$covering" = passed ] || why="${why:+$why; }not all covers are reached in $seconds s"
    conclude UNKNOWN
    say "UNKNOWN: ${MACHINE}_router: not all is proved: $why"
    echo "hint: give it more time, PROVE_TIME=3600" >&2
    exit 3
fi
