// SPDX-License-Identifier: Apache-2.0

// Package smt proves properties of Verilog: Yosys makes a formula of a design, and yosys-smtbmc with
// z3 solves it.
package smt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/templates"
)

// Tools are the programs that the package runs.
var Tools = []string{"yosys", "yosys-smtbmc", "z3", "awk"}

// Comments with which Yosys marks the assertions and covers of a formula, and the line that
// yosys-smtbmc prints for each cover that it reaches. formal/prove.sh counts the same texts.
const (
	assertMark = "; yosys-smt2-assert "
	coverMark  = "; yosys-smt2-cover "
	reachMark  = "Reached cover statement"
)

// Formula is a design with assertions and covers as a formula for solvers.
type Formula struct {
	Dir, File          string // of the formula
	Assertions, Covers int    // that the formula has
}

// Yosys runs a script, one command per line, in a folder. It leaves the script name.ys and the log
// name.log there. An error has the last lines of the output of Yosys.
func Yosys(ctx context.Context, dir, name string, script ...string) error {
	file := filepath.Join(dir, name+".ys")
	if err := os.WriteFile(file, []byte(strings.Join(script, "\n")+"\n"), 0o666); err != nil {
		return err
	}
	text, err := runTool(ctx, dir, "yosys", "-q", "-l", name+".log", name+".ys")
	if err != nil {
		return fmt.Errorf("yosys %s: %w: %s", file, err, LastLines(text, 3))
	}
	return nil
}

// Elaborate returns the commands of Yosys that turn the modules that have been read into one flat module
// of gates and registers. A parameter is "-chparam NAME VALUE". They use opt without -full, which in
// Yosys 0.23 loses conditions of sums: the cover of the bound of hc_tree_arbiter is not reached.
func Elaborate(top string, parameters ...string) []string {
	hierarchy := "hierarchy -top " + top + " " + strings.Join(parameters, " ")
	return []string{hierarchy, "flatten", "prep", "memory_map", "opt"}
}

// Compile runs a script that leaves Yosys with one flat module, and writes its formula to name.smt2, cut
// at its wires. Yosys silently skips statements that it does not understand, so the caller must compare
// the numbers of assertions and covers with those in its source.
func Compile(ctx context.Context, dir, name string, script ...string) (Formula, error) {
	f := Formula{Dir: dir, File: name + ".smt2"}
	if err := Yosys(ctx, dir, name, append(script, "async2sync", "dffunmap", "write_smt2 -wires "+name+".wires")...); err != nil {
		return f, err
	}
	log, err := os.ReadFile(filepath.Join(dir, name+".log"))
	if err != nil {
		return f, err
	}
	if resized := resizing.Find(log); resized != nil {
		return f, fmt.Errorf("yosys %s: a port has another width than what it is connected to: %s", filepath.Join(dir, name+".ys"), resized)
	}
	cut, err := templates.Files.ReadFile("formal/cut.awk")
	if err != nil {
		return f, err
	}
	awk := process.Command(ctx, "awk", string(cut), name+".wires")
	awk.Dir = dir
	var complaint strings.Builder
	awk.Stderr = &complaint
	text, err := awk.Output()
	if err != nil {
		return f, fmt.Errorf("awk %s: %w: %s", filepath.Join(dir, name+".wires"), err, LastLines(complaint.String(), 3))
	}
	f.Assertions, f.Covers = bytes.Count(text, []byte(assertMark)), bytes.Count(text, []byte(coverMark))
	return f, os.WriteFile(filepath.Join(dir, f.File), text, 0o666)
}

// Task is a question to yosys-smtbmc, as its arguments; others may be appended.
type Task []string

// Base asks whether no assertion fails in the first steps.
func Base(steps int) Task { return Task{"-t", strconv.Itoa(steps)} }

// Induction asks whether no assertion fails in the step after a number of steps without failures.
func Induction(steps int) Task { return Task{"-i", "-t", strconv.Itoa(steps)} }

// Cover asks whether every cover is reached in the first steps.
func Cover(steps int) Task { return Task{"-c", "-t", strconv.Itoa(steps)} }

// Verdict is the result of a solver.
type Verdict struct {
	Passed   bool     // the answer is yes
	Failures []string // assertions that fail, as file:line.column-line.column, the first one first
	Step     int      // the last step that was searched for failures
	Reached  int      // number of covers reached
	Log      string   // what yosys-smtbmc prints
}

// ErrNoResult is the error of a solver that is stopped at the end of its time.
var ErrNoResult = errors.New("no result in time")

var (
	resizing = regexp.MustCompile(`Resizing cell port .*`)
	failure  = regexp.MustCompile(`Assert failed in [^:]*: (\S+)`)
	step     = regexp.MustCompile(`Checking assertions in step (\d+)`)
)

// solve is the command line. --unroll and --noincr let z3 work on plain bit vectors.
var solve = []string{"yosys-smtbmc", "--noprogress", "--unroll", "--noincr", "-s", "z3"}

// Solve runs yosys-smtbmc and returns the verdict of the solver. Without a verdict in time the error is
// ErrNoResult; if yosys-smtbmc or the solver fails, the error has the log.
func (f Formula) Solve(ctx context.Context, limit time.Duration, task Task) (Verdict, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	arguments := append(append([]string{}, solve[1:]...), task...)
	log, err := runTool(limited, f.Dir, solve[0], append(arguments, f.File)...)
	v := Verdict{Log: log, Reached: strings.Count(log, reachMark)}
	for _, found := range failure.FindAllStringSubmatch(log, -1) {
		v.Failures = append(v.Failures, found[1])
	}
	if steps := step.FindAllStringSubmatch(log, -1); steps != nil {
		v.Step, _ = strconv.Atoi(steps[len(steps)-1][1]) // digits
	}
	switch {
	case err == nil && strings.Contains(log, "Status: PASSED"):
		v.Passed = true
		return v, nil
	case strings.Contains(log, "Status: FAILED") && (task[0] == "-c" || v.Failures != nil):
		return v, nil
	case ctx.Err() != nil:
		return v, ctx.Err()
	case limited.Err() != nil:
		return v, ErrNoResult
	}
	return v, fmt.Errorf("yosys-smtbmc in %s: %v: %s", f.Dir, err, log)
}

// LastLines returns the last nonempty lines of a text, joined into one line.
func LastLines(text string, count int) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-count):], "; ")
}

func runTool(ctx context.Context, dir, tool string, arguments ...string) (string, error) {
	command := process.Command(ctx, tool, arguments...)
	command.Dir = dir
	text, err := command.CombinedOutput()
	return string(text), err
}
