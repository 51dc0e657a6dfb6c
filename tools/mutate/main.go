// SPDX-License-Identifier: Apache-2.0

// Mutate changes the generated router of some machines in many small ways, with the command
// mutate of Yosys, and wires of their networks, and tells which check notices each change:
// the benches with the golden traces, the proofs of the modules, the proof of the router.
// What none of them notices is compared with the router as it should be. Results are kept,
// so that an interrupted run continues.
//
//	go run ./tools/mutate     (in the top folder of the project)
//
// Exit codes: 0 every mutant is caught or equivalent, 1 the system failed, 2 bad flags or a
// bad machine, 3 a mutant survives that is not shown to be equivalent, 4 a tool is missing,
// 130 interrupted.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/internal/smt"
)

// described are the machines that are mutated by default.
//
//go:embed machines/*.hcl
var described embed.FS

// campaign is what the flags say.
type campaign struct {
	work, json, into   string
	filters            []string // options of mutate -list; of each so many mutations are drawn
	count, wires, jobs int
	seed               uint64
	stages             []string
	machines           []string
	tools              map[string]string // versions of those that decide

	out    io.Writer // for progress
	lock   sync.Mutex
	latest time.Time
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	c, code := parse(arguments, stderr)
	if code >= 0 {
		return code
	}
	if c.json != "" { // what is there is of another run
		if err := os.Remove(c.json); err != nil && !errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintln(stderr, "mutate: error:", err)
			return 1
		}
	}
	r, err := c.run(ctx)
	var wrong *refused
	var tool *missing
	switch {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(stderr, "mutate: error: interrupted; the same command goes on from here")
		return 130
	case errors.As(err, &wrong):
		fmt.Fprintln(stderr, "mutate: error:", err)
		return 2
	case errors.As(err, &tool):
		fmt.Fprintln(stderr, "mutate: error:", err)
		return 4
	case err != nil:
		fmt.Fprintln(stderr, "mutate: error:", err)
		return 1
	}
	fmt.Fprint(stdout, r)
	if c.json != "" {
		text, err := json.MarshalIndent(r, "", "  ")
		if err == nil {
			err = replace(c.json, append(text, '\n'))
		}
		if err != nil {
			fmt.Fprintln(stderr, "mutate: error:", err)
			return 1
		}
	}
	for _, m := range r.Machines {
		for _, one := range m.Results {
			if one.survives() {
				code = 3
				fmt.Fprintf(stderr, "mutate: error: %s: mutant %d survives: %s\n", m.Machine, one.Number, one.mutation)
				fmt.Fprintf(stderr, "  %s\n  compared: %s, %s\n", one.Command, one.Verdict, one.Detail)
			}
		}
	}
	return max(code, 0)
}

// parse returns what the flags say, or the exit code.
func parse(arguments []string, stderr io.Writer) (*campaign, int) {
	c := &campaign{out: stderr}
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&c.count, "count", 120, "mutations of the router of each machine")
	flags.IntVar(&c.wires, "wires", 12, "pairs of wires of each network that change places")
	flags.Uint64Var(&c.seed, "seed", 1, "seed of the draw of mutations")
	flags.IntVar(&c.jobs, "jobs", runtime.NumCPU(), "mutants examined at a time")
	flags.StringVar(&c.work, "work", filepath.Join("build", "mutate"), "`folder` for results and what is generated")
	flags.StringVar(&c.json, "json", "", "write the results as JSON into this `file`")
	flags.StringVar(&c.into, "into", "", "output `folder` of one of the machines, whose report is to show the results")
	flags.Func("filter", "`options` of Yosys's mutate -list, such as -mode inv, that choose among mutations; given several times: so many mutations of each",
		func(options string) error { c.filters = append(c.filters, options); return nil })
	machines := flags.String("machines", "ring cube transfers addressed", "`names` of tools/mutate/machines, or files, with blanks or commas between them")
	stages := flags.String("stages", strings.Join(allStages, " "), "`checks` that may catch a mutant, before it is compared")
	bad := func(format string, values ...any) (*campaign, int) {
		fmt.Fprintf(stderr, "mutate: error: "+format+"\n", values...)
		return nil, 2
	}
	switch err := flags.Parse(arguments); {
	case errors.Is(err, flag.ErrHelp):
		return nil, 0
	case err != nil:
		return nil, 2
	case flags.NArg() > 0:
		return bad("it takes no argument, but got %q", flags.Args())
	case c.count < 1 || c.count > 10000:
		return bad("-count is %d, want 1 to 10000: one mutation takes seconds", c.count)
	case c.wires < 0 || c.wires > 100:
		return bad("-wires is %d, want 0 to 100", c.wires)
	case c.seed > 1<<31-1:
		return bad("-seed is %d, want 0 to %d, as for Yosys", c.seed, 1<<31-1)
	case c.jobs < 1:
		return bad("-jobs is %d, want 1 or more", c.jobs)
	}
	for _, f := range c.filters {
		if !regexp.MustCompile(`^[-\w $\\.'=:/]*$`).MatchString(f) {
			return bad("-filter is %q: want options of mutate -list such as -mode inv", f)
		}
	}
	if len(c.filters) == 0 {
		c.filters = []string{""}
	}
	split := func(list string) []string {
		return strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == ',' })
	}
	if c.machines = split(*machines); len(c.machines) == 0 {
		return bad("-machines names no machine")
	}
	c.stages = split(*stages)
	for _, s := range c.stages {
		if !slices.Contains(allStages, s) {
			return bad("-stages has %q: there are %s", s, strings.Join(allStages, ", "))
		}
	}
	return c, -1
}

// readMachine reads the description of a machine, which is one of those of this program or
// a file.
func readMachine(name string) ([]byte, error) {
	if text, err := described.ReadFile("machines/" + name + ".hcl"); err == nil {
		return text, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, &refused{fmt.Sprintf("%v: neither a file nor one of tools/mutate/machines", err)}
	}
	return text, nil
}

func (c *campaign) run(ctx context.Context) (report, error) {
	r := report{Seed: c.seed, Count: c.count, Wires: c.wires}
	var err error
	if c.tools, err = checkTools(ctx); err != nil {
		return r, err
	}
	r.Tools = c.tools
	var designs []*design
	for _, name := range c.machines { // bad ones are told before the minutes that it takes
		d, err := c.generate(ctx, name)
		if err != nil {
			return r, err
		}
		designs = append(designs, d)
	}
	var receiver *design
	if c.into != "" {
		if receiver, err = c.receiver(ctx, designs); err != nil {
			return r, err
		}
	}
	for _, d := range designs {
		results, err := c.examine(ctx, d)
		if err != nil {
			return r, fmt.Errorf("%s: %w", d.p.Name, err)
		}
		r.Machines = append(r.Machines, account{d.p.Name, d.sources, results})
		if d == receiver {
			if err := c.show(d, results); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// examine takes all mutants of a machine through the stages.
func (c *campaign) examine(ctx context.Context, d *design) ([]result, error) {
	if err := c.prepare(ctx, d); err != nil {
		return nil, err
	}
	results, err := openStore(d, c.stages)
	if err != nil {
		return nil, err
	}
	defer results.file.Close()
	if err := c.build(ctx, d); err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.jobs)
	sound := make(chan struct{})
	group.Go(func() error { // the solver's part of it takes minutes, beside which benches run
		defer close(sound)
		return c.sound(ctx, d)
	})
	for _, m := range d.mutations {
		if _, done := results.get(m.Number); done {
			continue
		}
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			one, err := c.decide(ctx, d, m, sound)
			if err != nil {
				return fmt.Errorf("mutant %d, %s: %w", m.Number, m.Command, err)
			}
			if err := results.put(one); err != nil {
				return err
			}
			c.progress(d, results)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var all []result
	for _, m := range d.mutations {
		one, _ := results.get(m.Number)
		one.mutation = m
		all = append(all, one)
	}
	return all, nil
}

// sound shows that every check passes without a mutant, made in the same way; else what it
// says of mutants means nothing. Each is done once.
func (c *campaign) sound(ctx context.Context, d *design) error {
	for _, stage := range append(slices.Clone(c.stages), stageCompared) {
		done := filepath.Join(d.dir, stage+".sound")
		if _, err := os.Stat(done); err == nil {
			continue
		}
		c.say("%s: checking without a mutant: %s", d.p.Name, stage)
		said, err := c.pass(ctx, d, stage, filepath.Join(d.dir, "none"))
		if err != nil {
			return fmt.Errorf("without a mutant: %w", err)
		}
		if said != "" {
			return fmt.Errorf("without a mutant the check %s fails: %s", stage, said)
		}
		if err := os.WriteFile(done, nil, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// pass runs one stage without a mutant and tells what it objects to.
func (c *campaign) pass(ctx context.Context, d *design, stage, dir string) (said string, err error) {
	switch stage {
	case stageModules:
		for _, top := range d.allProved() {
			if said, err = c.proveModule(ctx, d, top, "", dir); err != nil || said != "" {
				return said, err
			}
		}
		return "", nil
	case stageProof:
		return c.proveRouter(ctx, d, "", dir)
	case stageCompared:
		if err := c.proveInvariants(ctx, d); err != nil {
			return "", err
		}
		verdict, said, err := c.compare(ctx, d, "", dir)
		if err != nil || verdict == equivalent {
			return "", err
		}
		return verdict + " " + said, nil
	}
	return c.replay(ctx, d, stage, 0)
}

// decide takes one mutant through the stages until one catches it.
// What is compared waits until the good router is known to be one.
func (c *campaign) decide(ctx context.Context, d *design, m mutation, sound <-chan struct{}) (result, error) {
	r := result{mutation: m, Verdict: caught}
	dir := filepath.Join(d.dir, fmt.Sprintf("mutant%d", m.Number))
	for _, r.Stage = range allStages {
		if !slices.Contains(c.stages, r.Stage) {
			continue
		}
		said, err := c.check(ctx, d, m, r.Stage, dir)
		if err != nil && !errors.Is(err, smt.ErrNoResult) {
			return r, err
		}
		if said != "" {
			r.Detail = said
			return r, os.RemoveAll(dir)
		}
	}
	r.Stage = stageCompared
	if m.swap != nil {
		r.Verdict, r.Detail = unknown, "the traces of the network do not tell these wires apart"
		return r, nil
	}
	<-sound
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	var err error
	r.Verdict, r.Detail, err = c.compare(ctx, d, m.Command, dir)
	if err == nil && !r.survives() {
		err = os.RemoveAll(dir)
	}
	return r, err
}

// check runs one stage and tells what catches the mutant, if anything does.
func (c *campaign) check(ctx context.Context, d *design, m mutation, stage, dir string) (string, error) {
	switch {
	case m.swap != nil && stage != stageNetwork: // the routers are as they should be
		return "", nil
	case stage == stageRouter, stage == stageNetwork:
		return c.replay(ctx, d, stage, m.Number)
	case stage == stageProof:
		return c.proveRouter(ctx, d, m.Command, dir)
	}
	for _, top := range d.provedWith(m.netlist) {
		if said, err := c.proveModule(ctx, d, top, m.Command, dir); err != nil || said != "" {
			return said, err
		}
	}
	return "", nil
}

// progress tells now and then how far a machine is.
func (c *campaign) progress(d *design, results *store) {
	c.lock.Lock()
	defer c.lock.Unlock()
	results.lock.Lock()
	defer results.lock.Unlock()
	done := len(results.all)
	if time.Since(c.latest) < 10*time.Second && done < len(d.mutations) {
		return
	}
	c.latest = time.Now()
	found, same, open := 0, 0, 0
	for _, r := range results.all {
		switch {
		case r.Verdict == caught:
			found++
		case r.survives():
			open++
		default:
			same++
		}
	}
	fmt.Fprintf(c.out, "mutate: %s: %d of %d mutants: %d caught, %d equivalent, %d survive\n",
		d.p.Name, done, len(d.mutations), found, same, open)
}

func (c *campaign) say(format string, values ...any) {
	c.lock.Lock()
	defer c.lock.Unlock()
	fmt.Fprintf(c.out, "mutate: "+format+"\n", values...)
}
