// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/internal/smt"
)

// longestProof is the time that a solver may take. Without a mutant it takes seconds, or longer on a busy
// machine.
const longestProof = 15 * time.Minute

// provedWith are the modules whose proof looks at a module: itself, and those it is part
// of, up to the router, which has a proof of its own.
func (d *design) provedWith(module string) []string {
	var tops []string
	var add func(string)
	add = func(m string) {
		if m == d.p.RouterModule || slices.Contains(tops, m) {
			return
		}
		if d.has(m) {
			tops = append(tops, m)
		}
		for user, parts := range d.modules {
			if slices.Contains(parts, m) {
				add(user)
			}
		}
	}
	add(module)
	slices.Sort(tops)
	return tops
}

// allProved are all modules with properties.
func (d *design) allProved() []string {
	var tops []string
	for m := range d.modules {
		if d.has(m) {
			tops = append(tops, m)
		}
	}
	slices.Sort(tops)
	return tops
}

// proveModule proves a module by induction, with a mutation or none, as the tests of hdl
// do, with the parameters it has in this machine.
func (c *campaign) proveModule(ctx context.Context, d *design, top, mutation, dir string) (caught string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	base, err := filepath.Abs(filepath.Join(d.dir, "base.il"))
	if err != nil {
		return "", err
	}
	script := []string{"read_rtlil " + base, mutation}
	for file, lines := range d.users {
		if file == sourceName(top)+".v" {
			continue
		}
		for _, line := range lines { // of the modules it is made of, to be shown of it
			script = append(script, fmt.Sprintf("chtype -set $assert t:$assume a:src=properties/%s:%d.* %%i", file, line))
		}
	}
	slices.Sort(script[2:])
	f, err := smt.Compile(ctx, dir, "proof", append(script, smt.Elaborate(top)...)...)
	if err != nil {
		return "", err
	}
	if f.Assertions == 0 {
		return "", fmt.Errorf("%s: the formula of %s has no assertion", dir, top)
	}
	for _, task := range []smt.Task{smt.Base(4), smt.Induction(2)} {
		v, err := f.Solve(ctx, longestProof, task)
		if err != nil {
			return "", err
		}
		if !v.Passed {
			return fmt.Sprintf("%s: %s", sourceName(top), v.Failures[0]), nil
		}
	}
	return "", nil
}

// readRTL is the line of a generated Yosys script that reads the router.
var readRTL = regexp.MustCompile(`(?m)^read_verilog \w+_hc_.*$`)

// counted finds in the generated Makefile the numbers of assertions and covers that prove.sh
// expects.
var counted = regexp.MustCompile(`(?m)^\t.*\bPROOF=proof (ASSERTIONS=\d+) (COVERS=\d+) `)

// proveRouter runs the generated proof of the router, formal/prove.sh, on a netlist with a
// mutation or none.
func (c *campaign) proveRouter(ctx context.Context, d *design, mutation, dir string) (caught string, err error) {
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	formal := filepath.Join(d.out, "formal")
	if err := os.CopyFS(filepath.Join(dir, "formal"), os.DirFS(formal)); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(dir, "rtl"), 0o777); err != nil {
		return "", err
	}
	for _, name := range []string{"_proof", "_structure"} {
		file := filepath.Join(dir, "formal", d.p.Name+name+".ys")
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if len(readRTL.FindAll(text, -1)) != 1 {
			return "", fmt.Errorf("%s does not read the router in one line", file)
		}
		text = readRTL.ReplaceAllFunc(text, func(line []byte) []byte {
			read := "read_verilog mutant.v"
			if bytes.Contains(line, []byte("_structure.v")) {
				read += " " + d.p.Name + "_structure.v"
			}
			return []byte(read)
		})
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return "", err
		}
	}
	base, err := filepath.Abs(filepath.Join(d.dir, "base.il"))
	if err != nil {
		return "", err
	}
	script := append([]string{"read_rtlil " + base, mutation}, withoutProperties...)
	if err := smt.Yosys(ctx, dir, "mutant", append(script, "write_verilog -noattr rtl/mutant.v")...); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "filelist.f"), []byte("rtl/mutant.v\n"), 0o666); err != nil {
		return "", err
	}
	makefile, err := os.ReadFile(filepath.Join(d.out, "Makefile"))
	if err != nil {
		return "", err
	}
	numbers := counted.FindStringSubmatch(string(makefile))
	if numbers == nil {
		return "", fmt.Errorf("%s does not state the number of assertions of the proof", filepath.Join(d.out, "Makefile"))
	}
	command := process.Command(ctx, "sh", "formal/prove.sh")
	command.Dir = dir
	command.Env = append(os.Environ(), "MACHINE="+d.p.Name, "PROOF=proof", numbers[1], numbers[2], "BUILD=build",
		fmt.Sprintf("PROVE_TIME=%d", int(longestProof.Seconds())))
	text, ran := command.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	caught, err = objection(ran, string(text))
	if err != nil && !errors.Is(err, smt.ErrNoResult) {
		return "", fmt.Errorf("prove.sh in %s: %w: %s", dir, err, smt.LastLines(string(text), 3))
	}
	return caught, err
}

// objection is the verdict of prove.sh on a router that fails. A tool that does not work is an error; no
// result is smt.ErrNoResult, also if a register of the proof is missing because the mutant does not use
// it.
func objection(ran error, text string) (string, error) {
	code, ended := exitCode(ran)
	switch {
	case ran == nil:
		return "", nil
	case ended && code == 3 && strings.Contains(verdictOf(text, "FAIL: "), "the properties do not fit the module"):
		return "", smt.ErrNoResult
	case ended && code == 3 && verdictOf(text, "FAIL: ") != "":
		return verdictOf(text, "FAIL: "), nil
	case ended && code == 3 && (verdictOf(text, "UNKNOWN: ") != "" || verdictOf(text, "BOUNDED: ") != ""):
		return "", smt.ErrNoResult
	}
	return "", ran
}

// verdictOf is the rest of the line that begins so.
func verdictOf(text, begin string) string {
	for _, line := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(line, begin); ok {
			return rest
		}
	}
	return ""
}
