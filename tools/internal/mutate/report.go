// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"fmt"
	"strings"
)

// Fate is what became of a mutant.
type Fate struct {
	Mutant Mutation
	Result
}

// Account is what became of the mutants of a machine.
type Account struct {
	Machine string
	Fates   []Fate
}

// columns are the ways in which a mutant can end.
var columns = []struct {
	title string
	is    func(Result) bool
}{
	{"router bench", caughtBy(Router)},
	{"network bench", caughtBy(Network)},
	{"proofs of modules", caughtBy(Modules)},
	{"proof of the router", caughtBy(Proof)},
	{"equivalent", func(r Result) bool { return r.Verdict == Equivalent }},
	{"equivalent where reachable", func(r Result) bool { return r.Verdict == Reachable }},
	{"survive", Result.Survives},
}

func caughtBy(check string) func(Result) bool {
	return func(r Result) bool { return r.Verdict == Caught && r.Check == check }
}

func count(fates []Fate, is func(Result) bool) (n int) {
	for _, f := range fates {
		if is(f.Result) {
			n++
		}
	}
	return n
}

// Table is the table of all machines, and what is equivalent.
func Table(accounts []Account) string {
	var b strings.Builder
	b.WriteString("| machine | mutants |")
	for _, c := range columns {
		b.WriteString(" " + c.title + " |")
	}
	b.WriteString("\n| --- | --- |" + strings.Repeat(" --- |", len(columns)) + "\n")
	all := Account{Machine: "all"}
	for _, a := range accounts {
		all.Fates = append(all.Fates, a.Fates...)
	}
	for _, a := range append(accounts[:len(accounts):len(accounts)], all) {
		fmt.Fprintf(&b, "| %s | %d |", a.Machine, len(a.Fates))
		for _, c := range columns {
			fmt.Fprintf(&b, " %d |", count(a.Fates, c.is))
		}
		b.WriteString("\n")
	}
	for _, a := range accounts {
		for _, f := range a.Fates {
			if f.Verdict != Caught && !f.Survives() {
				fmt.Fprintf(&b, "%s: %s: mutant %d: %s\n", a.Machine, f.Verdict, f.Mutant.Number, f.Mutant)
			}
		}
	}
	return b.String()
}

// Survivors describes the mutants that survive, empty if there are none.
func Survivors(accounts []Account) string {
	var b strings.Builder
	for _, a := range accounts {
		for _, f := range a.Fates {
			if f.Survives() {
				fmt.Fprintf(&b, "%s: mutant %d survives: %s\n", a.Machine, f.Mutant.Number, f.Mutant)
				if f.Mutant.Command != "" {
					fmt.Fprintf(&b, "  %s\n", f.Mutant.Command)
				}
				fmt.Fprintf(&b, "  compared: %s, %s\n", f.Verdict, f.Detail)
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
