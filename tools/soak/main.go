// SPDX-License-Identifier: Apache-2.0

// Command campaign takes random machines through generation, lint and simulation and
// shrinks one that fails; see package campaign. It is a tool of the project, run by make
// soak.
//
// Exit codes: 0 fine, 1 the system failed, 2 bad flags, 3 a machine fails, 4 a tool is
// missing, 130 interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/tools/internal/campaign"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// settings are the settings of the flags.
type settings struct {
	campaign.Options
	dir, config string
	print       bool
}

// parse returns the settings, or the exit code.
func parse(args []string, stderr io.Writer) (s settings, code int) {
	flags := flag.NewFlagSet("campaign", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Uint64Var(&s.Seed, "seed", 0, "seed of the draws; 0: of the clock")
	flags.Uint64Var(&s.First, "first", 0, "number of the first machine")
	flags.IntVar(&s.Machines, "machines", 0, "machines to draw; 0: no limit except the time")
	flags.DurationVar(&s.Time, "for", 0, "time after which no machine is begun; 0: no limit")
	flags.IntVar(&s.Workers, "workers", runtime.NumCPU(), "machines checked at a time")
	flags.StringVar(&s.dir, "dir", filepath.Join("build", "soak"), "folder for outputs and for what fails")
	flags.StringVar(&s.config, "config", "", "check this description instead of random ones")
	flags.BoolVar(&s.print, "print", false, "print the first machine and check nothing")
	bad := func(hint, format string, values ...any) (settings, int) {
		fmt.Fprintf(stderr, "campaign: error: "+format+"\nhint: "+hint+"\n", values...)
		return s, 2
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return s, 0
	case err != nil:
		return s, 2
	case flags.NArg() > 0:
		return bad("-help lists the flags", "it takes no argument, but got %q", flags.Args())
	case s.Machines < 0:
		return bad("0 means no limit except the time", "-machines is %d, want 0 or more", s.Machines)
	case s.Time < 0:
		return bad("such as -for 10m", "-for is %v, want 0 or more", s.Time)
	case s.Workers < 1:
		return bad("each takes a processor and some 100 MB", "-workers is %d, want 1 or more", s.Workers)
	}
	if s.Seed == 0 {
		s.Seed = uint64(time.Now().UnixNano()/1e6)%1_000_000_000 + 1 // short enough to type
	}
	return s, -1
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s, code := parse(args, stderr)
	if code >= 0 {
		return code
	}
	if s.print {
		fmt.Fprint(stdout, campaign.Draw(s.Seed, s.First).HCL())
		return 0
	}
	work, err := filepath.Abs(filepath.Join(s.dir, fmt.Sprintf("run%d", os.Getpid())))
	if err == nil {
		err = os.MkdirAll(work, 0o777)
	}
	if err != nil {
		fmt.Fprintf(stderr, "campaign: error: %v\n", err)
		return 1
	}
	defer os.RemoveAll(work)
	checker, err := campaign.NewChecker(ctx, work)
	if err != nil {
		return failed(ctx, stderr, err)
	}
	if s.config != "" {
		return checkFile(ctx, checker, s.config, stdout, stderr)
	}
	p := &progress{out: stderr, total: s.Time, start: time.Now()}
	if f, ok := stderr.(*os.File); ok {
		p.terminal = term.IsTerminal(int(f.Fd()))
	}
	fmt.Fprintf(stderr, "campaign: random machines from SEED=%d, %d at a time\n", s.Seed, s.Workers)
	s.Progress = p.show
	counts, fault, err := campaign.Run(ctx, checker, s.Options)
	p.end()
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "campaign: %s\n", sum(counts))
		return failed(ctx, stderr, err)
	case fault != nil:
		return report(s, fault, stdout, stderr)
	}
	fmt.Fprintf(stdout, "%s, nothing wrong; SEED=%d, %.0f s\n", sum(counts), s.Seed, time.Since(p.start).Seconds())
	return 0
}

// failed reports an error that is no fault of a machine.
func failed(ctx context.Context, stderr io.Writer, err error) int {
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "campaign: error: interrupted")
		return 130
	}
	fmt.Fprintf(stderr, "campaign: error: %v\n", err)
	if f := (*campaign.Failure)(nil); errors.As(err, &f) && f.Stage == campaign.StageTool {
		return 4
	}
	return 1
}

// checkFile takes one description through everything.
func checkFile(ctx context.Context, c *campaign.Checker, name string, stdout, stderr io.Writer) int {
	if info, err := os.Stat(name); err == nil && info.Size() > machine.MaxFileBytes {
		fmt.Fprintf(stderr, "campaign: error: %s has %d bytes, more than the %d of a description\n", name, info.Size(), machine.MaxFileBytes)
		return 2
	}
	text, err := os.ReadFile(name)
	if err != nil {
		fmt.Fprintf(stderr, "campaign: error: %v\n", err)
		return 2
	}
	counts, failure := c.CheckText(ctx, string(text))
	switch {
	case failure == nil:
		fmt.Fprintf(stdout, "%s, nothing wrong\n", sum(counts))
		return 0
	case failure.Stage == campaign.StageTool:
		return failed(ctx, stderr, failure)
	}
	fmt.Fprintf(stderr, "campaign: error: %s fails at the stage %v\n", name, failure)
	return 3
}

// report keeps the machines that fail and prints the command that reproduces the failure.
func report(s settings, f *campaign.Fault, stdout, stderr io.Writer) int {
	fmt.Fprintf(stderr, "campaign: error: machine %d of SEED=%d fails; %d simpler machines were tried\n", f.Number, s.Seed, f.Tried)
	fmt.Fprintf(stderr, "campaign: error: the smallest fails at the stage %v\n", f.Failure)
	small := filepath.Join(s.dir, "smallest.hcl")
	for name, m := range map[string]*campaign.Machine{small: f.Smallest, filepath.Join(s.dir, "drawn.hcl"): f.Drawn} {
		if err := os.WriteFile(name, []byte(m.HCL()), 0o666); err != nil {
			fmt.Fprintf(stderr, "campaign: error: %v\n", err)
		}
	}
	fmt.Fprint(stdout, f.Smallest.HCL())
	hint := func(what, command string) { fmt.Fprintf(stderr, "hint: %s: %s\n", what, command) }
	out := filepath.Join(s.dir, "smallest")
	switch {
	case f.Failure.Bench == "array" || f.Failure.Stage == campaign.StageTime:
		hint("this shows it again", fmt.Sprintf("go run ./tools/soak -config %s", small))
	case f.Failure.Stage == campaign.StageSimulate || f.Failure.Stage == campaign.StageBuild:
		hint("this shows it again", fmt.Sprintf("build/hcgen -c %s -o %s && make -C %s sim", small, out, out))
	case f.Failure.Stage == campaign.StageLint:
		hint("this shows it again", fmt.Sprintf("build/hcgen -c %s -o %s && make -C %s lint", small, out, out))
	default:
		hint("this shows it again", fmt.Sprintf("build/hcgen -c %s -o %s", small, out))
	}
	hint("this finds it again", fmt.Sprintf("make campaign WHAT=soak SEED=%d FIRST=%d", s.Seed, f.Number))
	return 3
}

// sum reports the amount of comparisons.
func sum(c campaign.Counts) string {
	machines := "machines"
	if c.Machines == 1 {
		machines = "machine"
	}
	return fmt.Sprintf("%s %s, %s traces, %s cycles, %s values compared, %s transfers, %s stalls", thousands(c.Machines), machines, thousands(c.Runs),
		thousands(c.Cycles), thousands(c.Values), thousands(c.Transfers), thousands(c.Stalls))
}

// thousands writes a number with separators.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// progress reports the progress of the campaign: on a terminal in one line, otherwise in a new line at
// intervals.
type progress struct {
	out      io.Writer
	terminal bool
	start    time.Time
	total    time.Duration
	last     time.Time
}

func (p *progress) show(c campaign.Counts, failure *campaign.Failure) {
	pause, begin, end := 15*time.Second, "", "\n"
	if p.terminal {
		pause, begin, end = 200*time.Millisecond, "\r", ""
	}
	if failure != nil {
		what, _, _ := strings.Cut(failure.Text, "\n")
		fmt.Fprintf(p.out, "%scampaign: a machine fails at the stage %s (%s); looking for the smallest\n", begin, failure.Stage, what)
		return
	}
	if now := time.Now(); now.Sub(p.last) >= pause {
		p.last = now
		of := ""
		if p.total > 0 {
			of = fmt.Sprintf(" of %.0f", p.total.Seconds())
		}
		fmt.Fprintf(p.out, "%scampaign: %s, %.0f%s s%s", begin, sum(c), now.Sub(p.start).Seconds(), of, end)
	}
}

func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
