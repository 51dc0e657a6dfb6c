// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/tools/internal/adversary"
)

// adversaryKind searches for traffic that holds a message; see package adversary. The report has the worst scenario of each machine.
var adversaryKind = kind{
	name:  "adversary",
	about: "look in the model for traffic that holds a message",
	define: func(flags *flag.FlagSet) func(context.Context, campaign.Options) (plan, error) {
		var s searched
		flags.IntVar(&s.Runs, "runs", 1000, "`scenarios` of each machine")
		flags.IntVar(&s.Cycles, "cycles", 1500, "`cycles` of a scenario, 100 or more")
		flags.Uint64Var(&s.Seed, "seed", 1, "seed of the search")
		return func(context.Context, campaign.Options) (plan, error) {
			if s.Runs < 1 || s.Cycles < 100 {
				return plan{}, &badFlag{"-runs is 1 or more, and -cycles is 100 or more"}
			}
			program, err := campaign.Program()
			p := plan{versions: map[string]string{"program": program}, report: reportAdversary}
			for _, subject := range adversary.Subjects() {
				s.Machine = subject.Title
				p.units = append(p.units, campaign.Unit{Name: strings.ReplaceAll(s.Machine, " ", ""), Input: s})
			}
			return p, err
		}
	},
	work: func(ctx context.Context, input json.RawMessage) (any, error) {
		var s searched
		if err := json.Unmarshal(input, &s); err != nil {
			return nil, err
		}
		subjects := adversary.Subjects()
		at := slices.IndexFunc(subjects, func(subject adversary.Subject) bool { return subject.Title == s.Machine })
		if at < 0 {
			return nil, fmt.Errorf("there is no machine %q", s.Machine)
		}
		a, err := adversary.Search(ctx, subjects[at].Plan, s.Runs, s.Cycles, s.Seed, adversary.Simulate)
		if err != nil {
			return nil, err
		}
		w := worst{Machine: s.Machine, UnderWay: a.MaxTimeUnderWay, PassedTicks: a.MaxPassedTicks, Scenario: a.String()}
		if fault := a.Fault(); fault != nil {
			w.Fault = fault.Error()
		}
		return w, nil
	},
}

// searched is the input of a search.
type searched struct {
	Machine string `json:"machine"`
	Runs    int    `json:"runs"`
	Cycles  int    `json:"cycles"`
	Seed    uint64 `json:"seed"`
}

// worst is the result of a search.
type worst struct {
	Machine     string `json:"machine"`
	UnderWay    int    `json:"under_way"` // cycles
	PassedTicks int    `json:"passed_ticks"`
	Scenario    string `json:"scenario"`
	Fault       string `json:"fault,omitempty"`
}

func reportAdversary(out io.Writer, o *campaign.Outcome) error {
	held := 0
	for _, r := range o.Results {
		var w worst
		if err := r.Decode(&w); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: longest %d cycles under way, passed in %d ticks\n%s", w.Machine, w.UnderWay, w.PassedTicks, w.Scenario)
		if w.Fault != "" {
			held++
			fmt.Fprintf(out, "FAIL: %s\n", w.Fault)
		}
	}
	if held > 0 {
		return &finding{fmt.Sprintf("the theorem of docs/fairness.md does not hold on %d of %d machines", held, len(o.Results))}
	}
	return nil
}
