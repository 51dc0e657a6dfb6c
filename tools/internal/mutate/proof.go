// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hcgen/hcgen/internal/smt"
)

// longestProof is the time that a solver may take. Without a mutant it takes seconds, or longer on a busy
// machine.
const longestProof = 15 * time.Minute

// provedWith are the modules whose proof looks at a mutant of a module: itself, and those it is part of, up
// to the router, which has a proof of its own. Without a mutant these are all modules with properties.
func (d *Design) provedWith(m Mutation) (tops []string) {
	for name := range d.Modules {
		if d.proved(name) && (m.Netlist == "" || d.contains(name, m.Netlist)) {
			tops = append(tops, name)
		}
	}
	slices.Sort(tops)
	return tops
}

// contains reports whether a module is another one, or has instances of it at any depth.
func (d *Design) contains(name, part string) bool {
	return name == part || slices.ContainsFunc(d.Modules[name].Parts, func(p string) bool { return d.contains(p, part) })
}

// proveModules proves the modules of which a mutant is part, each with the parameters it has in this
// machine, and returns the reason why the mutant is caught, if it is.
func (d *Design) proveModules(ctx context.Context, m Mutation, dir string) (caught string, err error) {
	for _, top := range d.provedWith(m) {
		if caught, err = d.proveModule(ctx, top, m, dir); err != nil || caught != "" {
			return caught, err
		}
	}
	return "", nil
}

// proveModule proves a module by induction, as the tests of hdl do.
func (d *Design) proveModule(ctx context.Context, top string, m Mutation, dir string) (caught string, err error) {
	script := append([]string{"read_rtlil " + d.file("base.il"), m.Command}, smt.Elaborate(top)...)
	f, err := smt.Compile(ctx, dir, "proof", script...)
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
			return fmt.Sprintf("%s: %s", d.Modules[top].Source, v.Failures[0]), nil
		}
	}
	return "", nil
}

// proveRouter runs make prove on an output folder with the mutant, and returns the reason why the mutant is
// caught, if it is.
func (d *Design) proveRouter(ctx context.Context, m Mutation, dir string) (caught string, err error) {
	dir = filepath.Join(dir, "proof")
	if err := d.folder(ctx, dir, m.Command, dropProperties, "opt_clean"); err != nil {
		return "", err
	}
	text, ran := makeIn(ctx, dir, "prove", fmt.Sprintf("PROVE_TIME=%d", int(longestProof.Seconds())))
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	summary, err := os.ReadFile(filepath.Join(dir, "build", "prove", "summary.txt"))
	if err != nil {
		return "", fmt.Errorf("make prove in %s: %w: %s", dir, errors.Join(ran, err), smt.LastLines(text, 3))
	}
	return objection(ran, smt.LastLines(string(summary), 1))
}

// objection is the reason why a router fails, of the last line of the summary of make prove. A tool that does
// not work is an error; a proof that is not found is smt.ErrNoResult, also if a register of the proof is missing
// because the mutant does not use it.
func objection(ran error, line string) (string, error) {
	verdict, why, _ := strings.Cut(line, ": ")
	proved := ran == nil // as make says
	switch {
	case proved && verdict == "PASS":
		return "", nil
	case !proved && (verdict == "UNKNOWN" || verdict == "BOUNDED" || verdict == "FAIL" && strings.Contains(why, "not so: the properties fit the module")):
		return "", smt.ErrNoResult
	case !proved && verdict == "FAIL":
		return why, nil
	}
	return "", fmt.Errorf("make prove ends with %q (%v)", line, ran)
}
