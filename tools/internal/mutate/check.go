// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hcgen/hcgen/internal/smt"
)

// Checks, in the order in which a mutant goes through them. The last one is not optional.
const (
	Router   = "router"      // bench of the router
	Network  = "network"     // bench of the network
	Modules  = "modules"     // proofs of the modules
	Proof    = "proof"       // proof of the router
	Compared = "equivalence" // comparison with the router as it should be
)

// Checks are those that may catch a mutant.
var Checks = []string{Router, Network, Modules, Proof}

// Verdicts of checks; the others are of comparisons.
const (
	Passed = "passed" // without a mutant
	Caught = "caught" // a check objects to the mutant
)

// Unit is a mutant and the checks that it goes through, or no mutant and one check.
type Unit struct {
	Design string   `json:"design"` // the folder
	Mutant Mutation `json:"mutant"` // number 0: none
	Checks []string `json:"checks"`
}

// Result is what became of a unit.
type Result struct {
	Check   string `json:"check"` // that has decided
	Verdict string `json:"verdict"`
	Detail  string `json:"detail,omitempty"`
}

// Survives reports whether no check has caught the mutant, and it is not shown to be equivalent.
func (r Result) Survives() bool { return r.Verdict == Differs || r.Verdict == Unknown }

// Units are the units of a design with some of the checks: first each check without a mutant, which must pass,
// because otherwise what it says of mutants means nothing; then the mutants.
func (d *Design) Units(checks []string) (units []Unit) {
	some := func(wanted ...string) (list []string) {
		for _, check := range append(slices.Clone(Checks), Compared) {
			if slices.Contains(wanted, check) && (check == Compared || slices.Contains(checks, check)) {
				list = append(list, check)
			}
		}
		return list
	}
	all := some(append(slices.Clone(Checks), Compared)...)
	for _, check := range all {
		units = append(units, Unit{Design: d.Folder, Checks: []string{check}})
	}
	for _, m := range d.Mutations {
		u := Unit{Design: d.Folder, Mutant: m, Checks: all}
		if m.Swap != nil { // the routers are unchanged
			u.Checks = some(Network, Compared)
		}
		units = append(units, u)
	}
	return units
}

// Name is the name of the unit among those of all machines.
func (u Unit) Name(machine string) string {
	if u.Mutant.Number == 0 {
		return fmt.Sprintf("%s,none,%s", machine, u.Checks[0])
	}
	return fmt.Sprintf("%s,%d", machine, u.Mutant.Number)
}

// Run takes a mutant through checks until one decides, in a folder of its own, which is kept if the mutant survives.
func (u Unit) Run(ctx context.Context) (r Result, err error) {
	d := &Design{Folder: u.Design}
	if err := d.open(); err != nil {
		return r, err
	}
	kept := d.file("units", u.Name(d.p.Name))
	if err := os.MkdirAll(filepath.Dir(kept), 0o777); err != nil {
		return r, err
	}
	dir, err := os.MkdirTemp(filepath.Dir(kept), "new-") // another run may have the same unit
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, check := range u.Checks {
		r, err = d.check(ctx, check, u.Mutant, dir)
		if errors.Is(err, smt.ErrNoResult) && u.Mutant.Number > 0 { // another check may have one
			continue
		}
		if err != nil {
			return r, fmt.Errorf("%s: %w", check, err)
		}
		if r.Verdict != Passed {
			break
		}
	}
	err = os.RemoveAll(kept)
	if err == nil && r.Survives() {
		err = os.Rename(dir, kept)
	}
	if errors.Is(err, fs.ErrExist) { // the other run was faster
		err = nil
	}
	return r, err
}

// check runs a check on a mutant or none.
func (d *Design) check(ctx context.Context, check string, m Mutation, dir string) (r Result, err error) {
	r.Check = check
	switch check {
	case Router, Network:
		r.Detail, err = d.replay(ctx, check, m.Number, dir)
	case Modules:
		r.Detail, err = d.proveModules(ctx, m, dir)
	case Proof:
		r.Detail, err = d.proveRouter(ctx, m, dir)
	case Compared:
		if m.Swap != nil {
			return Result{check, Unknown, "the traces of the network do not distinguish these wires"}, nil
		}
		if m.Number == 0 {
			if err := d.proveInvariants(ctx, dir); err != nil {
				return r, err
			}
		}
		r.Verdict, r.Detail, err = d.compare(ctx, m, dir)
		if m.Number == 0 && r.Verdict == Equivalent {
			r.Verdict = Passed
		}
		return r, err
	}
	r.Verdict = Passed
	if r.Detail != "" {
		r.Verdict = Caught
	}
	return r, err
}
