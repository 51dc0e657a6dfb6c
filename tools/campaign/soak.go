// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/tools/internal/soak"
)

// soakKind takes random machines through generation, lint and simulation, and shrinks the first one that fails; see package soak.
// A unit is a machine.
var soakKind = kind{
	name:  "soak",
	about: "take random machines through generation, lint and simulation",
	limit: 10 * time.Minute,
	define: func(flags *flag.FlagSet) func(context.Context, campaign.Options) (plan, error) {
		seed := flags.Uint64("seed", 0, "seed of the machines; 0: of the clock")
		first := flags.Uint64("first", 0, "number of the first machine")
		number := flags.Uint64("machines", 10000, "machines to draw, 1 or more")
		config := flags.String("config", "", "check the description in this `file` instead")
		return func(ctx context.Context, o campaign.Options) (plan, error) {
			switch {
			case *number < 1:
				return plan{}, &badFlag{"-machines is 0, want 1 or more"}
			case *seed == 0 && *config == "" && (o.Shard.Of > 0 || o.Results):
				return plan{}, &badFlag{"-shard and -results need -seed, because each run draws other machines without it"}
			}
			verilator, err := soak.Tools(ctx)
			if err != nil {
				return plan{}, err
			}
			if *seed == 0 {
				*seed = uint64(time.Now().UnixMilli())%1_000_000_000 + 1 // short enough to type
			}
			program, err := campaign.Program()
			p := plan{versions: map[string]string{"program": program, "verilator": verilator}, enough: machineFails, report: func(out io.Writer, outcome *campaign.Outcome) error {
				return reportSoak(out, outcome, o.Folder)
			}}
			if *config != "" {
				text, err := description(*config)
				p.units = []campaign.Unit{{Name: "description", Input: soaked{Description: string(text), Verilator: verilator}}}
				return p, err
			}
			for i := *first; i < *first+*number; i++ {
				p.units = append(p.units, campaign.Unit{Name: fmt.Sprintf("seed%d-machine%d", *seed, i), Input: soaked{Seed: *seed, Number: i, Verilator: verilator}})
			}
			return p, err
		}
	},
	work: func(ctx context.Context, input json.RawMessage) (any, error) {
		var s soaked
		if err := json.Unmarshal(input, &s); err != nil {
			return nil, err
		}
		return s.check(ctx)
	},
}

// soaked is the input of a unit: the number of a random machine, or a description.
type soaked struct {
	Seed        uint64 `json:"seed,omitempty"`
	Number      uint64 `json:"number"`
	Description string `json:"description,omitempty"`
	Verilator   string `json:"verilator"` // version
}

// compared is the result of a unit.
type compared struct {
	soak.Counts
	Description string        `json:"description"`
	Failure     *soak.Failure `json:"failure,omitempty"`  // of the smallest machine that fails
	Smallest    string        `json:"smallest,omitempty"` // its description
	Tried       int           `json:"tried,omitempty"`    // machines, to find it
}

// shrinkTime bounds the search for the smallest machine that fails.
const shrinkTime = 10 * time.Minute

// description reads a file that may be a description.
func description(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && info.Size() > machine.MaxFileBytes {
		err = fmt.Errorf("%s has %d bytes, more than the %d of a description", name, info.Size(), machine.MaxFileBytes)
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, &badFlag{err.Error()}
	}
	return text, nil
}

// check takes the machine through all stages.
func (s soaked) check(ctx context.Context) (c compared, err error) {
	verilator, err := soak.Tools(ctx)
	if err == nil && verilator != s.Verilator {
		err = fmt.Errorf("the Verilator of this machine is %s, but that of the campaign is %s", verilator, s.Verilator)
	}
	if err != nil {
		return c, err
	}
	checker := soak.NewChecker()
	if s.Description != "" {
		c.Description, c.Smallest = s.Description, s.Description
		c.Counts, c.Failure, err = checker.Check(ctx, []byte(s.Description), nil, "")
		return c, err
	}
	m := soak.Draw(s.Seed, s.Number)
	c.Description = string(m.HCL())
	if c.Counts, c.Failure, err = checker.Check(ctx, m.HCL(), m.JSON(), ""); c.Failure == nil || err != nil {
		return c, err
	}
	found := soak.Shrink(ctx, s.Seed, s.Number, c.Failure, shrinkTime, func(m *machine.Machine) *soak.Failure {
		_, failure, fault := checker.Check(ctx, m.HCL(), m.JSON(), c.Failure.Last())
		err = errors.Join(err, fault)
		return failure
	})
	err = errors.Join(err, ctx.Err()) // the search may have been cut short
	c.Failure, c.Smallest, c.Tried = found.Failure, string(found.Machine.HCL()), found.Tried
	return c, err
}

func machineFails(r campaign.Result) bool {
	var c compared
	return r.Decode(&c) == nil && c.Failure != nil
}

// reportSoak reports the amount of comparisons, or the first machine that fails.
func reportSoak(out io.Writer, o *campaign.Outcome, folder string) error {
	var sum soak.Counts
	for _, r := range o.Results {
		var c compared
		if err := r.Decode(&c); err != nil {
			return err
		}
		if c.Failure != nil {
			return reportFailure(out, r, c, folder)
		}
		sum.Add(c.Counts)
	}
	machines := "machines"
	if len(o.Results) == 1 {
		machines = "machine"
	}
	fmt.Fprintf(out, "%s %s, %s traces, %s cycles, %s values compared, %s transfers, %s stalls, nothing wrong\n", thousands(len(o.Results)), machines,
		thousands(sum.Traces), thousands(sum.Cycles), thousands(sum.Values), thousands(sum.Transfers), thousands(sum.Stalls))
	return nil
}

// reportFailure keeps the descriptions of a machine that fails, as drawn and as small as possible, and prints the commands that
// show the failure again.
func reportFailure(out io.Writer, r campaign.Result, c compared, folder string) error {
	var s soaked
	if err := json.Unmarshal(r.Input, &s); err != nil {
		return err
	}
	small := filepath.Join(folder, "smallest.hcl")
	for name, text := range map[string]string{small: c.Smallest, filepath.Join(folder, "drawn.hcl"): c.Description} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	fmt.Fprint(out, c.Smallest)
	again := fmt.Sprintf("build/hcgen -c %s -o %s", small, filepath.Join(folder, "smallest"))
	switch {
	case c.Failure.Bench == "array" || c.Failure.Stage == soak.Time || c.Failure.Stage == soak.Panic:
		again = "go run ./tools/campaign soak -config " + small
	case c.Failure.Stage == soak.Lint:
		again += fmt.Sprintf(" && make -C %s lint", filepath.Join(folder, "smallest"))
	case c.Failure.Stage == soak.Simulate:
		again += fmt.Sprintf(" && make -C %s sim", filepath.Join(folder, "smallest"))
	}
	text := fmt.Sprintf("the smallest of %d machines that were tried fails at the stage %v\nhint: this shows it again: %s", c.Tried+1, c.Failure, again)
	if s.Seed != 0 {
		text += fmt.Sprintf("\nhint: this finds it again: make campaign WHAT=soak SEED=%d FIRST=%d", s.Seed, s.Number)
	}
	return &finding{text}
}
