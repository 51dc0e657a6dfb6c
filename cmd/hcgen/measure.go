// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/explore/measure"
	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/internal/synthesis"
)

// measuring is what --measure is asked for.
type measuring struct {
	machines int // to measure; 0: none
	campaign campaign.Options
}

// measuring reads --measure and the flags that need it.
func (f *exploreFlags) measuring() (m measuring, err error) {
	if !f.measured.set {
		for _, flag := range []struct {
			name string
			set  bool
		}{{"folder", f.folder.set}, {"jobs", f.jobs.set}, {"shard", f.shard.set}, {"results", f.results}} {
			if flag.set {
				return m, usage("add --measure NUMBER", "--%s needs --measure", flag.name)
			}
		}
		return m, nil
	}
	if f.packets {
		return m, usage("remove one of them", "--packets and --measure exclude each other, because --measure synthesizes routers alone")
	}
	if m.machines, err = counted("measure", f.measured.value, "machines"); err != nil {
		return m, err
	}
	if !f.folder.set {
		return m, usage("add --folder FOLDER, such as --folder measured", "--measure needs a folder for the results")
	}
	m.campaign = campaign.Options{Folder: f.folder.value, Results: f.results}
	if f.jobs.set {
		if m.campaign.Jobs, err = counted("jobs", f.jobs.value, "designs"); err != nil {
			return m, err
		}
	}
	if f.shard.set {
		if m.campaign.Shard, err = campaign.ParseShard(f.shard.value); err != nil {
			return m, usage("give each of the N commands another I from 1 to N; together they measure all designs", "--shard: %w", err)
		}
		if f.results {
			return m, usage("remove one of them", "%w", campaign.ErrResultsOfShard)
		}
	}
	return m, nil
}

// bestFirst chooses a number of machines of a list: first those that no other machine beats, then the others,
// both in the order of the list.
func bestFirst(list []explore.Machine, most int) (chosen []*explore.Machine) {
	for _, best := range []bool{true, false} {
		for i := range list {
			if list[i].Best == best && len(chosen) < most {
				chosen = append(chosen, &list[i])
			}
		}
	}
	return chosen
}

// measureMachines synthesizes and places the routers of machines and the nodes of their collective networks, and runs operations
// in the model. The first error says what could not be measured of some machines.
func (e exploration) measureMachines(ctx context.Context, c *console, list []*explore.Machine) (lacking, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	options := e.measure.campaign
	options.Command, options.Messages = []string{program, unitCommand}, c.messages()
	versions, err := synthesis.Versions(ctx, measure.Tools...)
	if err != nil {
		return nil, e.notMeasured(err)
	}
	units, err := measure.Units(ctx, e.query, list, versions)
	if err != nil {
		return nil, e.notMeasured(err)
	}
	outcome, err := campaign.Run(ctx, campaign.Campaign{Kind: measure.Kind, Versions: versions, Units: units}, options)
	if err == nil {
		err = measure.Apply(e.query, list, outcome.Results)
	}
	if err == nil {
		err = measure.Complete(ctx, e.query, list)
	}
	if err != nil {
		return nil, e.notMeasured(err)
	}
	if n := len(outcome.Failed); n > 0 {
		lacking = failure{code: exitCheck, err: fmt.Errorf("%d of %s could not be synthesized and placed", n, count(len(units), "design")),
			advice: fmt.Sprintf("the logs are in %s; the same command tries them again", filepath.Join(options.Folder, "failed"))}
	}
	return lacking, nil
}

// notMeasured gives an error of a measurement its exit code and a hint.
func (e exploration) notMeasured(err error) error {
	folder := e.measure.campaign.Folder
	toolErr, pathErr := (*process.ToolError)(nil), (*fs.PathError)(nil)
	switch {
	case errors.Is(err, context.Canceled):
		return failure{code: exitInterrupted, err: fmt.Errorf("interrupted; results so far are in %s", folder)}
	case errors.As(err, &toolErr):
		return failure{code: exitTool, err: err, advice: toolErr.Advice()}
	case errors.As(err, &pathErr):
		return failure{code: exitUsage, err: fmt.Errorf("%s cannot be written: %w", folder, pathErr.Err),
			advice: "add --folder FOLDER, such as --folder measured"}
	}
	return err
}

// messages is where messages go, without colours: a terminal if it is one.
func (c *console) messages() io.Writer {
	if p, ok := c.err.(painter); ok {
		return p.w
	}
	return c.err
}

// unitCommand is the command of a process of --measure.
const unitCommand = "unit"

// newUnit does a unit of a campaign. Only hcgen itself calls it.
func newUnit() *cobra.Command {
	return &cobra.Command{
		Use:    unitCommand,
		Short:  "Measure one design for explore",
		Hidden: true,
		Args:   noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return classify(campaign.Work(cmd.Context(), measure.Work))
		},
	}
}
