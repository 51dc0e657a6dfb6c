// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/synthesis"
)

// task is the input of a unit. One of the pointers is set.
type task struct {
	Tools        map[string]string // their versions
	Synthesis    *synthesis.Task   `json:",omitempty"`
	Programmable *programmableTask `json:",omitempty"`
	Other        *otherTask        `json:",omitempty"`
	Mapping      *mapping          `json:",omitempty"`
	Library      *libraryTask      `json:",omitempty"`
	Broadcast    *broadcastTask    `json:",omitempty"`
	Saturation   *saturationTask   `json:",omitempty"`
	Point        *point            `json:",omitempty"`
}

// do does the task, in a process of its own.
func (t task) do(ctx context.Context) (any, error) {
	if err := synthesis.Same(ctx, t.Tools); err != nil {
		return nil, err
	}
	switch {
	case t.Synthesis != nil:
		return t.Synthesis.Do(ctx)
	case t.Programmable != nil:
		return t.Programmable.do(ctx)
	case t.Other != nil:
		return t.Other.do(ctx)
	case t.Mapping != nil:
		return t.Mapping.do(ctx)
	case t.Library != nil:
		return t.Library.do(ctx)
	case t.Broadcast != nil:
		return t.Broadcast.do(ctx)
	case t.Saturation != nil:
		return t.Saturation.do()
	case t.Point != nil:
		return t.Point.do(ctx)
	}
	return nil, errors.New("the unit has no task")
}

// unit is a piece of an experiment.
type unit struct {
	name string
	task task
	into any // pointer to what the result is decoded into
}

// runner runs the units of an experiment as a campaign.
type runner struct {
	kind, folder string
	flags        campaign.Flags
	alone        bool              // one unit at a time is the default, because units measure time
	versions     map[string]string // of the tools, as they print them
}

// newRunner adds the flags of a runner.
func newRunner(flags *flag.FlagSet) *runner {
	r := &runner{kind: flags.Name()}
	flags.StringVar(&r.folder, "folder", filepath.Join("build", r.kind), "`folder` of the results, from which the same command continues")
	r.flags.Add(flags)
	return r
}

// run runs the units, and decodes their results. The error is *unfinished if a unit has no result, and *shardDone if
// only a shard was to run.
func (r *runner) run(ctx context.Context, tools []string, units []unit) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	o := campaign.Options{Folder: r.folder, Command: []string{program, "unit"}, Messages: os.Stderr}
	if err := r.flags.Set(&o); err != nil {
		return &badFlag{err.Error()}
	}
	if o.Jobs == 0 && r.alone {
		o.Jobs = 1
	}
	if r.versions, err = synthesis.Versions(ctx, tools...); err != nil {
		return err
	}
	c := campaign.Campaign{Kind: r.kind, Versions: r.versions}
	into := map[string]any{}
	for _, u := range units {
		u.task.Tools = r.versions
		c.Units = append(c.Units, campaign.Unit{Name: u.name, Input: u.task})
		into[u.name] = u.into
	}
	outcome, err := campaign.Run(ctx, c, o)
	if err != nil {
		return err
	}
	for _, result := range outcome.Results {
		if err := result.Decode(into[result.Unit]); err != nil {
			return err
		}
	}
	if err := outcome.WriteReport(r.folder); err != nil {
		return err
	}
	switch {
	case o.Shard.Of > 0 && len(outcome.Failed) == 0:
		return &shardDone{o.Shard, outcome.Missing}
	case outcome.Missing > 0:
		return &unfinished{outcome.Failed, outcome.Missing}
	}
	return nil
}

// conditions names the tools that placed units on the HX8K.
func (r *runner) conditions(seeds []int) string {
	return fmt.Sprintf("nextpnr-ice40 %s, Yosys %s, which aim for 100 MHz; seeds %s.",
		synthesis.Short(r.versions["nextpnr-ice40"]), synthesis.Short(r.versions["yosys"]), words(seeds))
}

// unfinished is the error of an experiment in which units have no result. The campaign has printed the reasons.
type unfinished struct {
	failed  []campaign.Failure
	missing int
}

func (u *unfinished) Error() string {
	var names []string
	for _, f := range u.failed {
		names = append(names, f.Unit)
	}
	if others := u.missing - len(u.failed); others > 0 {
		names = append(names, fmt.Sprintf("%d units that have not run", others))
	}
	return "there is no result of " + strings.Join(names, ", ")
}

// shardDone is returned in place of figures when a shard has run.
type shardDone struct {
	shard   campaign.Shard
	missing int // units without a result, of all shards
}

func (s *shardDone) Error() string {
	return fmt.Sprintf("shard %s is done, %d units of others are missing; --results in place of --shard prints the figures when none is", s.shard, s.missing)
}
