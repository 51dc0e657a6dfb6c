// SPDX-License-Identifier: Apache-2.0

// Command exhaustive checks the broadcasts of every machine of the prototype's
// range; see package exhaustive. It is a tool of the project, run by make
// exhaustive.
//
// Exit codes: 0 fine, also when the time of -for is over and machines are left, 1 the system failed,
// 2 bad flags, 3 a machine is wrong, or that time was over before any was checked, 130 interrupted.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/hcgen/hcgen/tools/internal/exhaustive"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	flags := flag.NewFlagSet("exhaustive", flag.ContinueOnError)
	record := flags.String("record", "", "file that records what is checked, so that the next run goes on; removed at the end")
	workers := flags.Int("workers", 0, "machines checked at a time; 0: one per core")
	var limit time.Duration
	flags.Func("for", "`time` after which the run ends, such as 10s, also if machines are left; 0: no limit", func(text string) (err error) {
		if limit, err = time.ParseDuration(text); err != nil || limit < 0 {
			return errors.New("want a time, such as 10s")
		}
		return nil
	})
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		fmt.Fprintf(os.Stderr, "exhaustive: error: it takes no argument, but got %q\nhint: -help lists the flags\n", flags.Args())
		return 2
	case *workers < 0:
		fmt.Fprintf(os.Stderr, "exhaustive: error: -workers is %d, want 0 or more\n", *workers)
		return 2
	}
	program, err := fingerprint()
	if err != nil {
		fmt.Fprintf(os.Stderr, "exhaustive: error: %v\n", err)
		return 1
	}
	if limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, limit)
		defer stop()
	}
	p := &progress{terminal: term.IsTerminal(int(os.Stderr.Fd())), start: time.Now()}
	sum, err := exhaustive.Run(ctx, exhaustive.Options{
		Record: *record, Program: program, Workers: *workers, Started: p.started, Progress: p.show,
	})
	p.end()
	return conclude(os.Stdout, os.Stderr, sum, err, *record != "")
}

// conclude reports how the run ended, and returns the exit code.
func conclude(out, messages io.Writer, sum exhaustive.Summary, err error, recorded bool) int {
	var fault *exhaustive.Fault
	switch {
	case err == nil:
		report(out, sum)
		return 0
	case errors.As(err, &fault):
		fmt.Fprintf(messages, "exhaustive: error: %v\n", err)
		fmt.Fprintf(messages, "hint: %s machines were checked; the first fault in the order of the range is shown\n", thousands(sum.Machines))
		return 3
	case errors.Is(err, context.DeadlineExceeded) && sum.Machines == sum.Recorded:
		more := ""
		if sum.Recorded > 0 {
			more = fmt.Sprintf(" beside the %s of the record", thousands(sum.Recorded))
		}
		fmt.Fprintf(messages, "exhaustive: error: the time was over before any machine was checked%s\nhint: give it more with -for\n", more)
		return 3
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintf(out, "not all: %s of %s machines are checked, and nothing is wrong with them\n", thousands(sum.Machines), thousands(exhaustive.Machines))
		if recorded {
			fmt.Fprintln(messages, "hint: the same command goes on from there")
		}
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(messages, "exhaustive: error: interrupted; %s of %s machines are checked\n", thousands(sum.Machines), thousands(exhaustive.Machines))
		if recorded {
			fmt.Fprintln(messages, "hint: the same command goes on from there")
		}
		return 130
	}
	fmt.Fprintf(messages, "exhaustive: error: %v\n", err)
	return 1
}

// fingerprint identifies this program: the checks of another program do not count
// for it.
func fingerprint() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(program)), nil
}

// progress reports the progress of the check: on a terminal in one line, otherwise in a
// new line at intervals.
type progress struct {
	terminal bool
	start    time.Time
	recorded int // machines that an earlier run has checked
	last     time.Time
}

func (p *progress) started(machines int, unused error) {
	p.recorded = machines
	if unused != nil {
		fmt.Fprintf(os.Stderr, "exhaustive: the record is not used: %v\n", unused)
	}
	if machines > 0 {
		fmt.Fprintf(os.Stderr, "exhaustive: going on: %s machines are checked already\n", thousands(machines))
	}
}

func (p *progress) show(machines int) {
	pause, end := 15*time.Second, "\n"
	if p.terminal {
		pause, end = 200*time.Millisecond, ""
		fmt.Fprint(os.Stderr, "\r")
	}
	if now := time.Now(); now.Sub(p.last) >= pause {
		p.last = now
		fmt.Fprintf(os.Stderr, "exhaustive: %s of %s machines, %.0f s%s", thousands(machines), thousands(exhaustive.Machines), now.Sub(p.start).Seconds(), end)
	}
}

func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}

// report reports what was executed and what was not.
func report(out io.Writer, s exhaustive.Summary) {
	fmt.Fprintf(out, `every machine of the prototype's range is right: exactly once, in the fewest steps, weights in their fields

executed, message by message
  machines    %[1]s, in every order of the dimensions; %[2]s up to the order
  broadcasts  %[3]s, with 3 preferences: from every node of the %[4]s machines with up to %[5]d nodes, from one of each other
  messages    %[6]s, wc up to %[7]d
  searches    %[2]s, breadth-first: the distances of balanced broadcasts, in one order of each
not executed, by argument
  sources     the other nodes of larger machines: all routers are the same, and links are the same from each node
  searches    the other orders: an order only renames digits, and the steps are the sums of those of the rings in all of them
`, thousands(s.Machines), thousands(s.Multisets), thousands(s.Broadcasts), thousands(s.AllSources), exhaustive.AllSources, thousands(s.Messages), s.LargestWC)
	earlier := ""
	if s.Recorded > 0 {
		earlier = fmt.Sprintf(", earlier runs included, which checked %s machines", thousands(s.Recorded))
	}
	fmt.Fprintf(out, "run time %.0f s with %d at a time%s\n", s.Time.Seconds(), s.Workers, earlier)
}

// thousands writes a number with separators.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
