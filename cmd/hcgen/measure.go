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
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/explore/measure"
	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/internal/synthesis"
)

// defineEngine adds the flags of engines of campaigns.
func (f *exploreFlags) defineEngine(flags *pflag.FlagSet) {
	f.engineFlags = pflag.NewFlagSet("", pflag.ContinueOnError)
	f.engine.Add(f.engineFlags)
	f.engineFlags.VisitAll(func(flag *pflag.Flag) {
		kind, usage := pflag.UnquoteUsage(flag)
		flag.Usage = "with --measure: " + usage
		if kind != "" {
			flag.Value = kinded{flag.Value, strings.ToUpper(kind)}
		}
	})
	flags.AddFlagSet(f.engineFlags)
}

// kinded is the value of a flag whose kind stands in capitals in the help.
type kinded struct {
	pflag.Value
	kind string
}

// Type names the kind.
func (k kinded) Type() string { return k.kind }

// measure reads the number of machines to measure; 0 if none.
func (f *exploreFlags) measure() (int, error) {
	if !f.measured.set {
		var needs []string
		if f.folder.set {
			needs = append(needs, "folder")
		}
		f.engineFlags.VisitAll(func(flag *pflag.Flag) {
			if flag.Changed {
				needs = append(needs, flag.Name)
			}
		})
		if len(needs) > 0 {
			return 0, usage("add --measure NUMBER", "--%s needs --measure", needs[0])
		}
		return 0, nil
	}
	if f.packets {
		return 0, usage("remove one of them", "--packets and --measure exclude each other, because --measure synthesizes routers alone")
	}
	n, err := counted("measure", f.measured.value, "machines")
	if err == nil && !f.folder.set {
		err = usage("add --folder FOLDER, such as --folder measured", "--measure needs a folder for the results")
	}
	return n, err
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
	options := campaign.Options{Folder: e.folder, Command: []string{program, unitCommand}, Messages: c.messages()}
	if err := e.engine.Set(&options); err != nil {
		return nil, failure{code: exitUsage, err: err}
	}
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
			advice: fmt.Sprintf("the logs are in %s; the same command tries them again", filepath.Join(e.folder, "logs"))}
	}
	return lacking, nil
}

// notMeasured gives an error of a measurement its exit code and a hint.
func (e exploration) notMeasured(err error) error {
	toolErr, pathErr := (*process.ToolError)(nil), (*fs.PathError)(nil)
	switch {
	case errors.Is(err, context.Canceled):
		return failure{code: exitInterrupted, err: fmt.Errorf("interrupted; results so far are in %s", e.folder)}
	case errors.As(err, &toolErr):
		return failure{code: exitTool, err: err, advice: toolErr.Advice()}
	case errors.Is(err, campaign.ErrBusy):
		return failure{code: exitUsage, err: err, advice: "wait until it has ended, or name another folder"}
	case errors.As(err, &pathErr):
		return failure{code: exitUsage, err: fmt.Errorf("%s cannot be written: %w", e.folder, pathErr.Err),
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
		Use:    unitCommand + " FOLDER LIST NUMBER",
		Short:  "Measure one design for explore",
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return classify(campaign.Work(cmd.Context(), args, measure.Work))
		},
	}
}
