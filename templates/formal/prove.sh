#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves claims with Yosys and yosys-smtbmc. Each claim is a file for SymbiYosys, NAME.sby:
#
#   [script]  Commands of Yosys. They check what Yosys can check by itself, and leave the module with the properties and the
#             numbers of its assertions and covers (select -assert-count). `log` announces what the next commands check:
#             "claim: .." is reported when it holds, "must: .." only if it does not. "note: .." is reported in any case.
#   [tasks]   What the solver searches, with the depths of [options]: induction (mode prove) for runs of any length, cover
#             (mode cover), and bounded (mode bmc), which counts only without an induction. None: the script says it all.
#   [files]   What the script reads, by paths from the folder of the claim.
#
#   prove.sh RESULTS CLAIM.sby...     (run in the folder with filelist.f)
#
# Environment:
#   MACHINE, CONFIG  name of the machine, and hash of its description, for the results
#   BUILD            folder for results, default build
#   YOSYS, SMTBMC    the tools
#   SOLVER           the solver, by its name in yosys-smtbmc, default z3
#   PROVE_TIME       seconds per task, default 300
#   PROVE_DEPTH      cycles after reset that are searched if there is no induction, in place of the depths of the claims; more
#                    if a cover needs more
#   PROVE_ACCEPT     proved (default), or bounded to accept that search if an induction runs out of time
#
# Writes summary.txt, result.json, the logs, and failure.vcd, the waves of a failure, to $BUILD/RESULTS, and for the report
# $BUILD/results/RESULTS.tsv. Verdicts, of a claim and of all:
#   PASS     proved for runs of any length
#   BOUNDED  no induction, but nothing fails in the first cycles after reset, which reach all covers
#   FAIL     an assertion fails, or the script finds a fault; the claims behind it are not looked at
#   UNKNOWN  a tool came to no result
# Exit codes: 0 proved, or bounded because of the time if that is accepted; 2 bad usage; 3 it fails or is not proved;
# 4 a tool is missing.
set -eu

kind=${1:-}
out=${BUILD:-build}/$kind
yosys=${YOSYS:-yosys}
smtbmc=${SMTBMC:-yosys-smtbmc}
solver=${SOLVER:-z3}
seconds=${PROVE_TIME:-300}
accept=${PROVE_ACCEPT:-proved}

# refuse CODE MESSAGE HINT
refuse() {
    echo "prove.sh: error: $2" >&2
    echo "hint: $3" >&2
    exit "$1"
}
[ $# -gt 1 ] || refuse 2 "no claim is given" "prove.sh RESULTS CLAIM.sby..."
shift
[ "$accept" = proved ] || [ "$accept" = bounded ] ||
    refuse 2 "PROVE_ACCEPT is proved or bounded, not \"$accept\"" "PROVE_ACCEPT=bounded"
for number in "$seconds" "${PROVE_DEPTH:-1}"; do
    expr "x$number" : 'x[1-9][0-9]*$' >/dev/null ||
        refuse 2 "PROVE_TIME and PROVE_DEPTH are whole numbers from 1 on, not \"$number\"" "PROVE_TIME=3600"
done

# section NAME: the lines of a section of the claim. option TASK NAME: the value of an option.
section() { awk -v name="[$1]" '/^\[/ { on = $0 == name; next } on && /^[^#]/' "$claim"; }
option() { section options | sed -n "s/^$1: $2 //p"; }

tools="$yosys awk"
for claim; do
    [ -f "$claim" ] || refuse 2 "there is no claim $claim" "the claims are in formal, as NAME.sby; PROVE_BY is network or nodes"
    for file in $(section files); do
        [ -f "$(dirname "$claim")/$file" ] || refuse 2 "$file of $claim is missing" "generate the machine again"
    done
    [ -z "$(section tasks)" ] || tools="$yosys awk $smtbmc $solver timeout"
done
for tool in $tools; do
    command -v "$tool" >/dev/null || refuse 4 "$tool is not installed" "on Debian: apt-get install yosys z3 mawk coreutils"
done
# shellcheck disable=SC2046 # a list of files
cat $(cat filelist.f) >/dev/null || refuse 2 "a file of filelist.f is missing in $(pwd)" "generate the machine again"

rm -rf "$out"
mkdir -p "$out" "$out/../results"
cp "$(dirname "$0")/cut.awk" "$out"
# shellcheck disable=SC2002,SC2046 # a list of files
rtl=$(cat $(cat filelist.f) | cksum)
for claim; do
    for file in "$claim" $(section files | sed "s|^|$(dirname "$claim")/|"); do cp "$file" "$out"; done
done
cd "$out"
results=../results/$kind.tsv
rm -f "$results"

say() { echo "$*" | tee -a summary.txt; }
count() { awk -v text="$1" 'index($0, text) { n++ } END { print n + 0 }' "$2"; }

# version COMMAND...: the first line that a tool prints, without what JSON would escape.
version() { "$@" 2>&1 | head -n 1 | tr -cd 'A-Za-z0-9 ._-'; }
yosys_version=$(version "$yosys" -V)
solver_version=
[ "$tools" = "$yosys awk" ] || solver_version=$(version "$solver" --version)
# Yosys 0.40 and later reads an assertion as a $check, which chformal lowers to an $assert.
lower=
! "$yosys" -p 'help chformal' 2>&1 | grep -q -e '-lower' || lower="chformal -lower;"

# note FIELD...: a line of the result for the report, fields between tabs.
note() { printf '%s' "$1"; shift; printf '\t%s' "$@"; echo; } >>"$results"
note of "${CONFIG:-}" "$rtl"
note tools "$yosys_version${solver_version:+, $solver_version}"
note result broken "it ended without a result; the logs are in $out"
note table "Tasks of the proof"
note head task result seconds

# ran TASK RESULT START
ran() { note row "$name $1" "$2" $(($(date +%s) - $3)); }

# settle VERDICT [WHY]: the verdict of a claim, which is also that of all if it is the worst.
settle() {
    why=${2:-}
    [ "$1" = PASS ] || unproved="${unproved:+$unproved; }$name: $why"
    case $1,$verdict in FAIL,* | UNKNOWN,* | BOUNDED,PASS) verdict=$1 ;; esac
    json="${json:+$json,
    }{\"name\": \"$name\", \"verdict\": \"$1\", \"bound\": ${bound:-null}, \"why\": \"$(echo "$why" | tr -d '\\"')\",
      \"assertions\": ${assertions:-null}, \"covers\": ${covers:-null}, \"covers_reached\": ${reached:-null}}"
    texts="${texts:+$texts
}$name: $1.${assertions:+ $assertions assertions, $covers covers, ${reached:-?} of them reached.}"
}

# conclude RESULT TEXT
conclude() {
    cat >result.json <<END
{
  "machine": "${MACHINE:-}", "config": "${CONFIG:-}", "rtl": "$rtl", "verdict": "$verdict",
  "claims": [
    $json
  ],
  "tasks": [
    $(awk -F '\t' '$1 == "row" { printf "%s{\"name\": \"%s\", \"result\": \"%s\", \"seconds\": %d}", between, $2, $3, $4; between = ",\n    " }' "$results")
  ],
  "tools": {"yosys": "$yosys_version", "solver": "$solver_version"}
}
END
    echo "$texts" | while read -r text; do note text "$text"; done
    say "$verdict: $2"
    note result "$1" "${2#* }"
}

# stop VERDICT WHY [LOG]
stop() {
    settle "$1" "$2"
    conclude failed "$name: $2"
    [ -z "${3:-}" ] || { echo "the last lines of $out/$3:" >&2; tail -n 12 "$3" >&2; }
    exit 3
}

# prepare executes the script, and writes the formulas for the solver. The formula for covers has no assertions, because
# yosys-smtbmc would check each of them in every cycle in which it reaches a cover.
prepare() {
    section script >"$name.ys"
    formulas=
    [ -z "$(section tasks)" ] ||
        formulas="async2sync; $lower dffunmap; write_smt2 -wires $name.wires; chformal -assert -remove; opt_clean; write_smt2 -wires $name.cover.wires"
    log=$name.log
    started=$(date +%s)
    "$yosys" -p "script $name.ys; $formulas" >"$log" 2>&1 || {
        ran script failed "$started"
        last() { sed -n "s/^$1: //p" "$log" | tail -n 1; }
        fault=$(last fault)
        stop FAIL "${fault:-"not so: $(sed -n 's/^must: //p; s/^claim: [a-z]* *//p' "$log" | tail -n 1) ($(last ERROR))"}" "$log"
    }
    ! grep -q 'Resizing cell port' "$log" || stop FAIL "a register has another width than the proof expects" "$log"
    ran script passed "$started"
    assertions='' covers=''
    if [ -n "$formulas" ]; then
        for formula in "$name" "$name.cover"; do
            awk -f cut.awk "$formula.wires" >"$formula.smt2" || stop UNKNOWN "$formula.wires is no formula that can be cut" "$log"
        done
        assertions=$(count '; yosys-smt2-assert ' "$name.smt2")
        covers=$(count '; yosys-smt2-cover ' "$name.cover.smt2")
        written=$(section script | sed -n 's/^select -assert-count \([0-9]*\) t:\$\(assert\|cover\) .*/\1/p' | xargs)
        say "$name: $assertions assertions, $covers covers"
        [ "$assertions $covers" = "$written" ] || stop FAIL "hcgen has written ${written% *} assertions and ${written#* } covers, of which $assertions and $covers are in the formula"
    else
        say "$name"
    fi
    awk '/^(claim|note): / { printf "  %-10s%s", $2, $1 == "claim:" ? " proved:" : ""; for (i = 3; i <= NF; i++) printf " %s", $i; print "" }' "$log" | tee -a summary.txt
}

# If the script is interrupted, it also ends the solver.
running=""
trap '[ -z "$running" ] || kill "$running"' EXIT
trap 'exit 130' INT TERM HUP QUIT

# solve TASK FORMULA ARGUMENT...: the result is passed, failed, stopped by the time, or broken.
solve() {
    task=$1 log=$name.$1.log formula=$2
    shift 2
    code=0
    started=$(date +%s)
    timeout "$seconds" "$smtbmc" --noprogress --unroll --noincr -s "$solver" "$@" "$formula" >"$log" 2>&1 &
    running=$!
    wait "$running" || code=$?
    running=""
    if [ "$code" = 124 ]; then result=stopped
    elif [ "$code" = 0 ] && grep -q 'Status: PASSED' "$log"; then result=passed
    elif grep -q 'Status: FAILED' "$log"; then result=failed
    else result=broken
    fi
    ran "$task" "$result" "$started"
    [ "$result" != broken ] || stop UNKNOWN "the solver came to no result" "$log"
}

# check TASK ARGUMENT...: a task that searches from reset on. Each finding is a failure.
check() {
    task=$1
    shift
    solve "$task" "$name.smt2" "$@" --dump-vcd failure.vcd
    [ "$result" != failed ] || stop FAIL "$(sed -n 's/.*Assert failed in //p' "$log" | head -n 1); waves: $out/failure.vcd" "$log"
}

# also TEXT: one more reason why not all is proved.
also() { gaps="${gaps:+$gaps; }$1"; }

# induct: the base: nothing fails in the first cycles. --presat checks that such cycles exist, which fails with a solver that
# answers unsat to everything. Then the step: nothing fails after cycles like these.
induct() {
    check base -t "$1" --presat
    [ "$result" != passed ] || solve induction "$name.smt2" -i -t "$1"
    case $result in
        passed) proved=1; say "  behaviour  proved, for runs of any length (induction)" ;;
        failed) hold=1; unbounded="induction does not hold" ;;
        *) unbounded="$task has no result in $seconds s" ;;
    esac
}

# cover: all covers are reached, unless the time has stopped the task.
cover() {
    solve cover "$name.cover.smt2" -c -t "$1"
    reached=$(count 'Reached cover statement' "$log")
    if [ "$reached" = "$covers" ]; then
        say "  covers     all reached: $reached"
        return
    fi
    if [ "$result" != stopped ]; then
        # If an assertion fails, too, its waves show more than a cover that is not reached.
        covered=$log skip=$(option bounded skip)
        [ -z "$unbounded" ] || check bounded -t "${skip:-0}:$(option bounded depth)"
        stop FAIL "$reached of $covers covers are reached: the proof does not look at all it should" "$covered"
    fi
    say "  covers     NOT ALL REACHED in $seconds s: $reached of $covers"
    also "not all covers are reached in $seconds s"
}

# bounded: without an induction, the cycles of the task are searched, or those of the longest cover if these are more. A
# task that is alone is a proof, because the properties say nothing about later cycles; these are searched at once.
bounded() {
    skip=$(option "$1" skip)
    depth=$(option "$1" depth)
    : "${skip:=0}"
    if [ -z "$unbounded" ]; then
        check "$1" -t "0:$depth:$depth" --presat
        if [ "$result" = passed ]; then proved=1; say "  behaviour  proved, for runs of $depth cycles, after which nothing is left to show"
        else also "$1 has no result in $seconds s"
        fi
        return
    fi
    needed=$(sed -n 's/.*Reached cover statement .* in step \([0-9]*\)\..*/\1/p' "$name.cover.log" | sort -n | tail -n 1)
    needed=$((${needed:-0} + 1))
    [ -z "${PROVE_DEPTH:-}" ] || depth=$((PROVE_DEPTH + skip))
    [ "$needed" -le "$depth" ] || depth=$needed
    check "$1" -t "$skip:$depth"
    [ "$result" = passed ] || { # the number of the step in progress is that of the finished steps
        depth=$(sed -n 's/.*Checking assertions in step \([0-9]*\).*/\1/p' "$log" | tail -n 1)
        [ "${depth:-0}" -gt "$skip" ] || depth=$skip
    }
    bound=$((depth - skip))
    say "  behaviour  NOT PROVED ($unbounded): holds for the first $bound cycles after reset"
    [ "$depth" -ge "$needed" ] || also "the covers take $((needed - skip)) cycles, but $bound were searched"
}

verdict=PASS unproved='' json='' texts='' hold='' names=''
for claim; do
    name=$(basename "$claim" .sby)
    claim=$name.sby
    names="${names:+$names, }$name"
    bound='' reached='' proved='' unbounded='' gaps=''
    prepare
    for task in $(section tasks); do
        case $(option "$task" mode) in
            prove) induct "$(option "$task" depth)" ;;
            cover) cover "$(option "$task" depth)" ;;
            bmc) [ -n "$proved" ] || bounded "$task" ;;
        esac
    done
    if [ -n "$gaps" ]; then settle UNKNOWN "not all is proved: ${unbounded:+$unbounded; }$gaps"
    elif [ -n "$unbounded" ]; then settle BOUNDED "nothing fails in the first $bound cycles after reset, but not all is proved: $unbounded"
    else settle PASS
    fi
done

[ "$verdict" != PASS ] || { conclude passed "$names: all is proved"; exit 0; }
hint="give it more time, PROVE_TIME=3600"
if [ "$verdict" = UNKNOWN ]; then conclude failed "$unproved"
else
    conclude bounded "$unproved"
    case $hold,$accept in
        1,*) hint="more time changes nothing; a larger PROVE_DEPTH finds what fails later" ;;
        *,bounded) exit 0 ;;
        *) hint="$hint, or accept that, PROVE_ACCEPT=bounded" ;;
    esac
fi
echo "hint: $hint" >&2
exit 3
