// SPDX-License-Identifier: Apache-2.0

// Schedules counts the steps of the general schedule of every collective operation on every hypercycle of
// up to so many nodes and so large a degree, whatever the order of its dimensions, and compares them with
// the bounds. The schedules of small machines, and of some large ones, are made and checked as well. So are
// schedules for hardware: "streaming" in the column of ports if nothing waits in them, else "waiting".
//
// Exit codes: 0 fine, also when the time of -for is over and machines are left, 1 the system failed, 2 bad
// flags, 3 a schedule is wrong, 130 interrupted.
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
	"slices"
	"syscall"
	"time"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are those of a run.
type options struct {
	nodes, degree int
	checked       int    // most nodes of machines whose schedules are made and checked, too
	every         int    // of larger machines, one in so many is checked
	record        string // name of the file; empty: none
	list          string // operation whose misses are listed
	streamed      int    // most nodes of machines whose schedules for hardware are made and checked
}

func run(ctx context.Context, args []string, out, messages io.Writer) int {
	var o options
	flags := flag.NewFlagSet("schedules", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.IntVar(&o.nodes, "nodes", 256, "most nodes")
	flags.IntVar(&o.degree, "degree", 16, "largest degree")
	flags.IntVar(&o.checked, "checked", 256, "most nodes of machines whose schedules are made and checked")
	flags.IntVar(&o.every, "every", 2000, "of larger machines, check one in so many")
	flags.StringVar(&o.record, "record", "", "file that records what is done, so that the next run goes on; removed at the end")
	flags.StringVar(&o.list, "list", "", "operation whose machines above the bound are listed")
	flags.IntVar(&o.streamed, "streamed", 64, "most nodes of machines whose schedules for hardware are made and checked")
	limit := flags.Duration("for", 0, "time after which the run ends, also if machines are left; 0: no limit")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case o.nodes < 2 || o.degree < 1 || o.every < 1 || *limit < 0 || flags.NArg() > 0 || o.list != "" && !slices.Contains(check.Operations(), o.list):
		fmt.Fprintln(messages, "schedules: error: -nodes is 2 or more, -degree and -every 1 or more, -list an operation, and there are no arguments")
		return 2
	}
	if *limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, *limit)
		defer stop()
	}
	program, err := fingerprint()
	if err != nil {
		fmt.Fprintf(messages, "schedules: error: %v\n", err)
		return 1
	}
	r, err := openRecord(o.record, fmt.Sprintf("program=%s nodes=%d degree=%d checked=%d every=%d streamed=%d", program, o.nodes, o.degree, o.checked, o.every, o.streamed))
	if err != nil {
		fmt.Fprintf(messages, "schedules: error: %v\n", err)
		return 1
	}
	defer r.close()
	if r.machines > 0 {
		fmt.Fprintf(messages, "schedules: going on: %d machines are done already\n", r.machines)
	}
	var wrong *wrongSchedule
	switch err := sweep(ctx, o, r, messages); {
	case err == nil:
		print(out, o, r)
		if err := r.remove(); err != nil {
			fmt.Fprintf(messages, "schedules: error: %v\n", err)
			return 1
		}
		return 0
	case errors.As(err, &wrong):
		fmt.Fprintf(messages, "schedules: error: %v\n", err)
		return 3
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintf(out, "not all: %d machines are done, and nothing is wrong with them\n", r.machines)
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(messages, "schedules: error: interrupted; %d machines are done\n", r.machines)
		return 130
	default:
		fmt.Fprintf(messages, "schedules: error: %v\n", err)
		return 1
	}
}

// fingerprint identifies this program: what another one has counted says nothing about it.
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

// wrongSchedule is the error of a schedule that fails the check, or has other steps than counted.
type wrongSchedule struct {
	machine check.Machine
	count   schedule.Count
	err     error
}

func (w *wrongSchedule) Error() string {
	return fmt.Sprintf("%s, %s, ports %s: %v", w.machine, w.count.Operation, w.count.Ports, w.err)
}

// sweep goes through the machines that are not in the record yet.
func sweep(ctx context.Context, o options, r *record, messages io.Writer) error {
	c := schedule.NewCounter()
	number, last := 0, time.Now()
	var failed error
	schedule.Machines(o.nodes, o.degree, func(g *hypercycle.Graph) bool {
		number++
		if number <= r.machines {
			return true
		}
		if failed = ctx.Err(); failed != nil {
			return false
		}
		counts := c.Count(g)
		if g.Nodes() <= o.checked || number%o.every == 0 {
			failed = verify(g, counts)
		}
		var outcomes []outcome
		for _, c := range counts {
			outcomes = append(outcomes, outcome{c.Operation, c.Ports.String(), c.Steps, c.Bound})
		}
		if failed == nil && g.Nodes() <= o.streamed {
			var streamed []outcome
			streamed, failed = stream(g)
			outcomes = append(outcomes, streamed...)
		}
		if failed == nil {
			failed = r.add(schedule.Machine(g).String(), outcomes)
		}
		if now := time.Now(); now.Sub(last) >= 15*time.Second {
			last = now
			fmt.Fprintf(messages, "schedules: %d machines\n", r.machines)
		}
		return failed == nil
	})
	if failed == nil || ctx.Err() != nil {
		failed = errors.Join(failed, r.flush())
	}
	return failed
}

// verify makes and checks the schedules of a machine.
func verify(g *hypercycle.Graph, counts []schedule.Count) error {
	m := schedule.Machine(g)
	for _, count := range counts {
		s, err := schedule.Make(g, schedule.Request{Operation: count.Operation, Ports: count.Ports})
		if err == nil {
			err = check.Check(m, s.Claim())
		}
		if err == nil && s.Steps != count.Steps {
			err = fmt.Errorf("it has %d steps, but %d are counted", s.Steps, count.Steps)
		}
		if err != nil {
			return &wrongSchedule{m, count, err}
		}
	}
	return nil
}

// streams are the operations whose schedules for hardware are made. Gather is a scatter run backwards, and
// reductions are an all-gather run backwards.
var streams = []string{check.AllGather, check.Scatter, check.TotalExchange}

// stream makes and checks the schedules of a machine for hardware.
func stream(g *hypercycle.Graph) ([]outcome, error) {
	var list []outcome
	m := schedule.Machine(g)
	for _, operation := range streams {
		s, err := schedule.Make(g, schedule.Request{Operation: operation, Algorithm: "streaming"})
		if err == nil {
			err = check.Check(m, s.Claim())
		}
		var streaming *schedule.Streaming
		if err == nil {
			streaming, err = s.Streaming()
		}
		if err == nil {
			err = check.CheckStreaming(m, streaming)
		}
		if err != nil {
			return nil, &wrongSchedule{m, schedule.Count{Operation: operation}, err}
		}
		ports := "streaming"
		if streaming.Waiting() > 0 {
			ports = "waiting"
		}
		list = append(list, outcome{operation, ports, s.Steps, s.Bound})
	}
	return list, nil
}

// print writes the table, and the machines above the bound of one operation.
func print(out io.Writer, o options, r *record) {
	fmt.Fprintf(out, "%d machines of up to %d nodes and degree %d\n\n", r.machines, o.nodes, o.degree)
	fmt.Fprintln(out, "| operation | ports | steps above the bound | machines |\n| --- | --- | --- | --- |")
	for _, operation := range check.Operations() {
		for _, ports := range []string{"all", "one", "streaming", "waiting"} {
			for above := 0; above <= r.most; above++ {
				if n := r.count[kind{operation, ports, above}]; n > 0 {
					fmt.Fprintf(out, "| %s | %s | %d | %d |\n", operation, ports, above, n)
				}
			}
		}
	}
	if o.list == "" {
		return
	}
	fmt.Fprintln(out, "\nmachine,operation,ports,steps,bound")
	for _, m := range r.misses {
		if m.operation == o.list {
			fmt.Fprintf(out, "%q,%s,%s,%d,%d\n", m.machine, m.operation, m.ports, m.steps, m.bound)
		}
	}
}
