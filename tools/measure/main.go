// SPDX-License-Identifier: Apache-2.0

// Measure measures the figures of the documentation. It is a tool of the project, run by make bench, make
// measure and make campaign.
//
//	go run ./tools/measure EXPERIMENT [flags]     (in the top folder of the project)
//
// Experiments with many runs of tools are campaigns: they keep results in a folder, and the same command
// continues; see package internal/campaign.
//
// Exit codes: 0 measured, also a shard, 1 something failed or a figure contradicts a guarantee, 2 bad flags, 130 interrupted.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/process"
)

// experiment is a row of the table of experiments.
type experiment struct {
	name, about string
	places      []place // of the documentation, which -docs writes
	// define adds flags. The function that it returns runs after they are parsed. It may return a report and an error, if a part
	// is not measured.
	define func(flags *flag.FlagSet) func(context.Context) (*report, error)
}

var experiments = []experiment{
	{"bench", "cells and clocks of routers and networks, latency in RTL, saturated load, against goals",
		[]place{benchPlace, frontPlace}, bench},
	{"load", "deliveries, shares and waits under load in the model", []place{loadPlace}, load},
	{"unicast", "messages with a destination that networks accept, in the model", []place{throughputPlace, stoppedPlace}, unicast},
	{"collectives", "cycles of collective operations, by messages and on collective networks, in the models",
		[]place{messagesPlace, networksPlace}, collectives},
	{"endpoints", "cycles of accesses to other nodes, in an idle system and under load, in the model, and cells and clock of an endpoint", []place{accessPlace, endpointCostPlace}, endpoints},
	{"nodes", "cells and clocks of nodes of collective networks, and of the whole network of the 4x4 torus beside its routers",
		[]place{besidePlace, nodesPlace}, nodes},
	{"growth", "costs by nodes, degree and payload: generation, model, RTL", nil, growth},
	{"area", "cells of routers in five families of FPGAs", []place{areaPlace}, area},
	{"trellis", "cells and clocks of routers and nodes, or of whole networks, on an LFE5U-85F", []place{trellisPlace, trellisNetworksPlace}, trellis},
	{"links", "cells and clocks of links with registers, and rates of networks of them in the model", []place{linkCostPlace, linkRatePlace}, links},
	{"chips", "rates and latencies of cables between chips with errors, in the model, the errors that a CRC does not find, and cells and clock of an end of a cable",
		[]place{cableRatePlace, residualPlace, cableCostPlace, cableHopPlace}, onCables},
	{"placers", "clocks of equal netlists that Debian's nextpnr-ice40 and the newest place", []place{placersPlace}, placers},
	{"cost", "cells of the designs that the estimates of hcgen explore are fitted to", nil, cost},
	{"clock", "clocks of the nodes of reductions that the estimate by which hcgen chooses chunks is fitted to", nil, nodeClocks},
	{"options", "cells and clock of a router with other options of Yosys and nextpnr", nil, toolOptions},
	{"programmable", "cells and clock of the programmable router with the limits of the prototype", nil, programmable},
	{"others", "cells and clocks of routers of other projects, from checkouts that the user has", nil, others},
	{"big", "15x15x15x15, 50,625 routers in RTL, with time and memory", nil, big},
}

// badFlag is the error of a flag whose value cannot be used.
type badFlag struct{ text string }

func (b *badFlag) Error() string { return b.text }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(conclude(ctx, run(ctx, os.Args[1:], os.Stdout)))
}

// conclude reports an error and returns the exit code.
func conclude(ctx context.Context, err error) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, new(*shardDone)):
		fmt.Fprintf(os.Stderr, "measure: %v\n", err)
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "measure: error: interrupted\nhint: the same command continues")
		return 130
	}
	fmt.Fprintf(os.Stderr, "measure: error: %v\n", err)
	if tool := (*process.ToolError)(nil); errors.As(err, &tool) {
		fmt.Fprintf(os.Stderr, "hint: %s\n", tool.Advice())
		return 4
	}
	if errors.As(err, new(*badFlag)) {
		return 2
	}
	return 1
}

// run takes the arguments of the command line: an experiment with its flags, or "unit" with those of a unit.
func run(ctx context.Context, arguments []string, out io.Writer) error {
	name := ""
	if len(arguments) > 0 {
		name = arguments[0]
	}
	if name == "unit" {
		return campaign.Work(ctx, func(ctx context.Context, input json.RawMessage) (any, error) {
			var t task
			if err := json.Unmarshal(input, &t); err != nil {
				return nil, err
			}
			return t.do(ctx)
		})
	}
	at := slices.IndexFunc(experiments, func(e experiment) bool { return e.name == name })
	if at < 0 {
		for _, e := range experiments {
			fmt.Fprintf(os.Stderr, "  %-14s%s\n", e.name, e.about)
		}
		return &badFlag{fmt.Sprintf("%q is no experiment: give one of these", name)}
	}
	e := experiments[at]
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	docs := flags.Bool("docs", false, "write the tables and pictures of the documentation, which have the figures of the default flags")
	jsonFile := flags.String("json", "", "write the tables as JSON into this `file`")
	measure := e.define(flags)
	switch err := flags.Parse(arguments[1:]); {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil:
		return &badFlag{err.Error()}
	case flags.NArg() > 0:
		return &badFlag{fmt.Sprintf("%s takes no argument, but got %q", name, flags.Args())}
	}
	if _, err := os.Stat("configs"); err != nil {
		return fmt.Errorf("%w: measure runs in the top folder of the project", err)
	}
	if *docs { // before the minutes that experiments take
		if err := checkPlaces(e.places...); err != nil {
			return err
		}
	}
	r, err := measure(ctx)
	if r == nil {
		return err
	}
	err = errors.Join(err, r.print(out))
	if *jsonFile != "" {
		err = errors.Join(err, r.writeJSON(*jsonFile))
	}
	if err = errors.Join(err, r.contradiction()); err != nil || !*docs { // the documentation gets no contradicted figures
		return err
	}
	return r.writeDocs()
}
