// SPDX-License-Identifier: Apache-2.0

// Campaign looks for faults in ways that take minutes to days. It is a tool of the project, run by make
// campaign.
//
//	go run ./tools/campaign KIND [flags]     (in the top folder of the project)
//
// A campaign keeps its results in a folder, and the same command continues. It prints a table of what is finished,
// and writes the results of all units into report.json in that folder; see package internal/campaign.
//
// Exit codes: 0 nothing is wrong, also when units are left for another time or another shard, 1 the system failed
// or units have no result, 2 bad flags, 3 something is wrong, or that time was over before any unit was
// done, 4 a tool is missing, 130 interrupted.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/tools/internal/mutate"
)

// kind is a kind of campaigns.
type kind struct {
	name, about string
	limit       time.Duration // default of -for
	// define adds flags. The function that it returns runs after they are parsed, with the options of the campaign.
	define func(flags *flag.FlagSet) func(ctx context.Context, o campaign.Options) (plan, error)
	// work does one unit.
	work func(ctx context.Context, input json.RawMessage) (any, error)
}

// plan is a campaign that is to run.
type plan struct {
	versions map[string]string
	units    []campaign.Unit
	enough   func(campaign.Result) bool // see campaign.Options; may be nil
	// report writes the table. The error is a *finding if something is wrong.
	report func(out io.Writer, o *campaign.Outcome) error
}

var kinds = []kind{adversaryKind, exhaustiveKind, mutateKind, schedulesKind, soakKind}

// finding is the error of a campaign that has found something wrong.
type finding struct{ text string }

func (f *finding) Error() string { return f.text }

// badFlag is the error of a flag whose value cannot be used.
type badFlag struct{ text string }

func (b *badFlag) Error() string { return b.text }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run takes the arguments of the command line: of a campaign, or of a unit, which begin with "unit".
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	unit := len(arguments) > 0 && arguments[0] == "unit"
	if unit {
		arguments = arguments[1:]
	}
	if len(arguments) == 0 {
		return refuse(stderr, "campaign", "names no kind: want one of "+kindNames())
	}
	at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == arguments[0] })
	switch {
	case slices.Contains([]string{"-h", "-help", "--help"}, arguments[0]):
		for _, k := range kinds {
			fmt.Fprintf(stdout, "  %-12s %s\n", k.name, k.about)
		}
		return 0
	case at < 0:
		return refuse(stderr, "campaign", fmt.Sprintf("there is no kind %q: want one of %s", arguments[0], kindNames()))
	}
	k := kinds[at]
	if unit {
		return conclude(ctx, stderr, k.name, campaign.Work(ctx, k.work))
	}
	return k.run(ctx, arguments[1:], stdout, stderr)
}

// run runs a campaign of the kind.
func (k kind) run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet(k.name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	folder := flags.String("folder", filepath.Join("build", "campaign", k.name), "`folder` of the results")
	limit := flags.Duration("for", k.limit, "time after which no unit begins, such as 10m; 0: no limit")
	var shared campaign.Flags
	shared.Add(flags)
	begin := k.define(flags)
	switch err := flags.Parse(arguments); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		return refuse(stderr, k.name, fmt.Sprintf("takes no argument, but got %q", flags.Args()))
	case *limit < 0:
		return refuse(stderr, k.name, "-for is 0 or more")
	}
	options := campaign.Options{Folder: *folder, For: *limit, Messages: stderr}
	if err := shared.Set(&options); err != nil {
		return refuse(stderr, k.name, err.Error())
	}
	p, err := begin(ctx, options)
	if err != nil {
		return conclude(ctx, stderr, k.name, err)
	}
	program, err := os.Executable()
	if err != nil {
		return conclude(ctx, stderr, k.name, err)
	}
	options.Command, options.Enough = []string{program, "unit", k.name}, p.enough
	outcome, err := campaign.Run(ctx, campaign.Campaign{Kind: k.name, Versions: p.versions, Units: p.units}, options)
	if err == nil {
		err = p.conclude(stdout, outcome, options)
	}
	return conclude(ctx, stderr, k.name, err)
}

// conclude writes the report of a campaign that was not interrupted.
func (p plan) conclude(stdout io.Writer, o *campaign.Outcome, options campaign.Options) error {
	if err := o.WriteReport(options.Folder); err != nil {
		return err
	}
	var text bytes.Buffer
	wrong := p.report(&text, o)
	if wrong == nil && options.For > 0 && !options.Results && o.Begun == 0 && o.Left > 0 {
		return &finding{fmt.Sprintf("the time was over before any unit was done beside %d of earlier runs: give it more with -for", len(o.Results))}
	}
	if o.Missing > 0 {
		fmt.Fprintf(&text, "not all: %d of %d units are done\n", len(o.Results), len(o.Results)+o.Missing)
	}
	if _, err := text.WriteTo(stdout); err != nil {
		return err
	}
	if wrong == nil && len(o.Failed) > 0 {
		return fmt.Errorf("%d of %d units have no result", len(o.Failed), len(o.Results)+o.Missing)
	}
	return wrong
}

// conclude reports an error and returns the exit code.
func conclude(ctx context.Context, stderr io.Writer, name string, err error) int {
	if err == nil {
		return 0
	}
	code := 1
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(stderr, "%s: error: interrupted\nhint: the same command continues\n", name)
		return 130
	case errors.As(err, new(*finding)):
		code = 3
	case errors.As(err, new(*badFlag)), errors.As(err, new(*mutate.Refused)):
		code = 2
	}
	fmt.Fprintf(stderr, "%s: error: %v\n", name, err)
	if tool := (*process.ToolError)(nil); errors.As(err, &tool) {
		code = 4
		fmt.Fprintf(stderr, "hint: %s\n", tool.Advice())
	}
	return code
}

// refuse reports a mistake in the command line.
func refuse(stderr io.Writer, name, text string) int {
	fmt.Fprintf(stderr, "%s: error: %s\nhint: -help lists what there is\n", name, text)
	return 2
}

func kindNames() string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}
