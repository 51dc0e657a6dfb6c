// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/tools/internal/mutate"
)

// mutateKind changes routers and networks, and finds the check that detects each change; see package mutate.
var mutateKind = kind{
	name:  "mutate",
	about: "change routers and networks in small ways, and find the check that detects each change",
	define: func(flags *flag.FlagSet) func(context.Context, campaign.Options) (plan, error) {
		m := &mutants{flags: flags}
		flags.IntVar(&m.settings.Count, "count", 120, "mutations of the router of each machine")
		flags.IntVar(&m.settings.Wires, "wires", 12, "pairs of wires of each network that change places")
		flags.Uint64Var(&m.settings.Seed, "seed", 1, "seed of the draw of mutations")
		flags.Func("filter", "`options` of Yosys's mutate -list, such as -mode inv, that choose among mutations; repeatable: -count mutations of each",
			func(options string) error { m.settings.Filters = append(m.settings.Filters, options); return nil })
		flags.StringVar(&m.machines, "machines", "ring cube transfers addressed", "`names` of tools/internal/mutate/machines, or files, with blanks or commas between them")
		flags.StringVar(&m.checks, "checks", strings.Join(mutate.Checks, " "), "`checks` that may catch a mutant, before it is compared")
		return m.plan
	},
	work: func(ctx context.Context, input json.RawMessage) (any, error) {
		var u mutate.Unit
		if err := json.Unmarshal(input, &u); err != nil {
			return nil, err
		}
		return u.Run(ctx)
	},
}

// mutants is a campaign with mutants.
type mutants struct {
	flags            *flag.FlagSet
	settings         mutate.Settings
	machines, checks string
	designs          []*mutate.Design
}

var filter = regexp.MustCompile(`^[-\w $\\.'=:/]*$`)

// legal checks the flags.
func (m *mutants) legal() error {
	s := m.settings
	switch {
	case s.Count < 1 || s.Count > 10000:
		return &badFlag{fmt.Sprintf("-count is %d, want 1 to 10000: one mutation takes seconds", s.Count)}
	case s.Wires < 0 || s.Wires > 100:
		return &badFlag{fmt.Sprintf("-wires is %d, want 0 to 100", s.Wires)}
	case s.Seed > 1<<31-1:
		return &badFlag{fmt.Sprintf("-seed is %d, want 0 to %d, as for Yosys", s.Seed, 1<<31-1)}
	case len(words(m.machines)) == 0:
		return &badFlag{"-machines names no machine"}
	}
	for _, f := range s.Filters {
		if !filter.MatchString(f) {
			return &badFlag{fmt.Sprintf("-filter is %q: want options of mutate -list such as -mode inv", f)}
		}
	}
	for _, check := range words(m.checks) {
		if !slices.Contains(mutate.Checks, check) {
			return &badFlag{fmt.Sprintf("-checks has %q: there are %s", check, strings.Join(mutate.Checks, ", "))}
		}
	}
	return nil
}

// plan prepares the designs and lists their units.
func (m *mutants) plan(ctx context.Context, o campaign.Options) (p plan, err error) {
	if err := m.legal(); err != nil {
		return p, err
	}
	if len(m.settings.Filters) == 0 {
		m.settings.Filters = []string{""}
	}
	if p.versions, err = mutate.Tools(ctx); err != nil {
		return p, err
	}
	if p.versions["program"], err = campaign.Program(); err != nil {
		return p, err
	}
	folder := filepath.Join(o.Folder, "designs")
	for _, name := range words(m.machines) {
		d, err := mutate.Load(name) // report mistakes before minutes of work
		if err != nil {
			return p, err
		}
		m.designs = append(m.designs, d)
	}
	for _, d := range m.designs {
		err := d.Open(folder, m.settings, p.versions)
		switch {
		case errors.Is(err, fs.ErrNotExist) && o.Results:
			return p, &badFlag{fmt.Sprintf("-results: no campaign with these flags and programs has begun in %s: run it without -results", o.Folder)}
		case errors.Is(err, fs.ErrNotExist):
			err = d.Prepare(ctx, m.settings, m.flags.Output())
		}
		if err != nil {
			return p, err
		}
		for _, u := range d.Units(words(m.checks)) {
			p.units = append(p.units, campaign.Unit{Name: u.Name(d.Machine()), Input: u})
		}
	}
	p.report = m.report
	p.enough = func(r campaign.Result) bool { return unsound(r) != "" }
	return p, nil
}

// unsound returns the objection of a check without a mutant, if it has one.
func unsound(r campaign.Result) string {
	var u mutate.Unit
	var result mutate.Result
	if json.Unmarshal(r.Input, &u) != nil || r.Decode(&result) != nil || u.Mutant.Number > 0 || result.Verdict == mutate.Passed {
		return ""
	}
	return fmt.Sprintf("%s: without a mutant the check fails: %s, %s", r.Unit, result.Verdict, result.Detail)
}

// report prints the table. Mutants of a machine count if each check has passed without a mutant.
func (m *mutants) report(out io.Writer, o *campaign.Outcome) error {
	results := map[string]campaign.Result{}
	for _, r := range o.Results {
		if text := unsound(r); text != "" {
			return errors.New(text)
		}
		results[r.Unit] = r
	}
	var accounts []mutate.Account
	for _, d := range m.designs {
		a := mutate.Account{Machine: d.Machine()}
		units := d.Units(words(m.checks))
		sound := true
		for _, u := range units {
			r, done := results[u.Name(d.Machine())]
			if u.Mutant.Number == 0 {
				sound = sound && done
			} else if done {
				f := mutate.Fate{Mutant: u.Mutant}
				if err := r.Decode(&f.Result); err != nil {
					return err
				}
				a.Fates = append(a.Fates, f)
			}
		}
		if !sound {
			fmt.Fprintf(out, "%s: the mutants do not count, because not all checks have been run without a mutant\n", d.Machine())
			continue
		}
		accounts = append(accounts, a)
	}
	fmt.Fprint(out, mutate.Table(accounts))
	if text := mutate.Survivors(accounts); text != "" {
		return &finding{text}
	}
	return nil
}

// words splits a list.
func words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == ',' })
}
