// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
)

// schedulesKind counts the steps of the general schedule of every collective operation on every hypercycle of up to a number of
// nodes and a degree, once for all orders of its dimensions, and compares them with the bounds. The schedules of small
// machines, and of some large ones, are made and checked as well. So are schedules for hardware: "streaming" in the column of
// ports if nothing waits in them, else "waiting".
var schedulesKind = kind{
	name:  "schedules",
	about: "compare the schedules of all hypercycles of up to -nodes nodes with their bounds",
	define: func(flags *flag.FlagSet) func(context.Context, campaign.Options) (plan, error) {
		var b scheduleBlock
		flags.IntVar(&b.Nodes, "nodes", 256, "most nodes")
		flags.IntVar(&b.Degree, "degree", 16, "largest degree")
		flags.IntVar(&b.Checked, "checked", 256, "most nodes of machines whose schedules are made and checked")
		flags.IntVar(&b.Every, "every", 2000, "of larger machines, check one in this number")
		flags.IntVar(&b.Streamed, "streamed", 64, "most nodes of machines whose schedules for hardware are made and checked")
		list := flags.String("list", "", "operation whose machines above the bound are listed")
		return func(context.Context, campaign.Options) (plan, error) {
			if b.Nodes < 2 || b.Degree < 1 || b.Every < 1 || *list != "" && !slices.Contains(collective.Operations(), *list) {
				return plan{}, &badFlag{"-nodes is 2 or more, -degree and -every are 1 or more, and -list is one of " + strings.Join(collective.Operations(), ", ")}
			}
			program, err := campaign.Program()
			return plan{
				versions: map[string]string{"program": program}, units: b.units(), enough: scheduleIsWrong,
				report: func(out io.Writer, o *campaign.Outcome) error { return reportSchedules(out, o, b, *list) },
			}, err
		}
	},
	work: func(ctx context.Context, input json.RawMessage) (any, error) {
		var b scheduleBlock
		if err := json.Unmarshal(input, &b); err != nil {
			return nil, err
		}
		return b.count(ctx)
	},
}

// scheduleBlock is a row of the sequence of machines, and what is done with each.
type scheduleBlock struct {
	Nodes    int `json:"nodes"`
	Degree   int `json:"degree"`
	Checked  int `json:"checked"`
	Every    int `json:"every"`
	Streamed int `json:"streamed"`
	First    int `json:"first"` // number of the first machine, from 1
	Machines int `json:"machines"`
}

// units cuts the sequence into blocks: a hundred, or more if they had more than 1000 machines.
func (b scheduleBlock) units() (units []campaign.Unit) {
	all := 0
	schedule.Machines(b.Nodes, b.Degree, func(*hypercycle.Graph) bool { all++; return true })
	size := min(1+all/100, 1000)
	for b.First = 1; b.First <= all; b.First += size {
		b.Machines = min(size, all+1-b.First)
		units = append(units, campaign.Unit{Name: fmt.Sprintf("nodes%d-from%d", b.Nodes, b.First), Input: b})
	}
	return units
}

// outcome is how far schedules are above their bound.
type outcome struct {
	Operation string `json:"operation"`
	Ports     string `json:"ports"` // all or one; or, of a schedule for hardware, streaming or waiting
	Above     int    `json:"above"` // steps
}

// countedSchedules is the result of a block.
type countedSchedules struct {
	Machines int      `json:"machines"`
	Outcomes []tally  `json:"outcomes"`
	Above    []string `json:"above"` // lines of the list of schedules above their bound
	Fault    string   `json:"fault,omitempty"`
}

// tally is the number of machines with an outcome.
type tally struct {
	outcome
	Machines int `json:"machines"`
}

func scheduleIsWrong(r campaign.Result) bool {
	var c countedSchedules
	return r.Decode(&c) == nil && c.Fault != ""
}

// count does the work of a block, up to the first schedule that is wrong.
func (b scheduleBlock) count(ctx context.Context) (c countedSchedules, err error) {
	counter, number := schedule.NewCounter(), 0
	tallies := map[outcome]int{}
	add := func(g *hypercycle.Graph, operation, ports string, steps, bound int) {
		tallies[outcome{operation, ports, steps - bound}]++
		if steps > bound {
			c.Above = append(c.Above, fmt.Sprintf("%q,%s,%s,%d,%d", schedule.Machine(g), operation, ports, steps, bound))
		}
	}
	schedule.Machines(b.Nodes, b.Degree, func(g *hypercycle.Graph) bool {
		if number++; number < b.First {
			return true
		}
		if err = ctx.Err(); err != nil || number == b.First+b.Machines {
			return false
		}
		counts := counter.Count(g)
		for _, n := range counts {
			add(g, n.Operation, n.Ports.String(), n.Steps, n.Bound)
		}
		var wrong error
		if g.Nodes() <= b.Checked || number%b.Every == 0 {
			wrong = verify(g, counts)
		}
		if wrong == nil && g.Nodes() <= b.Streamed {
			wrong = stream(g, func(operation, ports string, steps, bound int) { add(g, operation, ports, steps, bound) })
		}
		if wrong != nil {
			c.Fault = fmt.Sprintf("%s, %v", schedule.Machine(g), wrong)
			return false
		}
		c.Machines++
		return true
	})
	for o, n := range tallies {
		c.Outcomes = append(c.Outcomes, tally{o, n})
	}
	slices.SortFunc(c.Outcomes, func(x, y tally) int {
		return cmp.Or(cmp.Compare(x.Operation, y.Operation), cmp.Compare(x.Ports, y.Ports), x.Above-y.Above)
	})
	return c, err
}

// verify makes and checks the schedules of a machine.
func verify(g *hypercycle.Graph, counts []schedule.Count) error {
	for _, count := range counts {
		s, err := schedule.Make(g, schedule.Request{Operation: count.Operation, Ports: count.Ports})
		if err == nil {
			err = check.Check(schedule.Machine(g), s.Claim())
		}
		if err == nil && s.Steps != count.Steps {
			err = fmt.Errorf("it has %d steps, but %d are counted", s.Steps, count.Steps)
		}
		if err != nil {
			return fmt.Errorf("%s, ports %s: %w", count.Operation, count.Ports, err)
		}
	}
	return nil
}

// streams are the operations whose schedules for hardware are made. Gather is a scatter run backwards, and
// reductions are an all-gather run backwards.
var streams = []string{collective.AllGather, collective.Scatter, collective.TotalExchange}

// stream makes and checks the schedules of a machine for hardware.
func stream(g *hypercycle.Graph, add func(operation, ports string, steps, bound int)) error {
	for _, operation := range streams {
		s, err := schedule.Make(g, schedule.Request{Operation: operation, Algorithm: "streaming"})
		if err == nil {
			err = check.Check(schedule.Machine(g), s.Claim())
		}
		var streaming *collective.Streaming
		if err == nil {
			streaming, err = s.Streaming()
		}
		if err == nil {
			err = check.CheckStreaming(schedule.Machine(g), streaming)
		}
		if err != nil {
			return fmt.Errorf("%s, streaming: %w", operation, err)
		}
		ports := "streaming"
		if streaming.Waiting() > 0 {
			ports = "waiting"
		}
		add(operation, ports, s.Steps, s.Bound)
	}
	return nil
}

// reportSchedules writes the table, and the machines above the bound of one operation.
func reportSchedules(out io.Writer, o *campaign.Outcome, b scheduleBlock, list string) error {
	tallies := map[outcome]int{}
	machines, most := 0, 0
	var above []string
	for _, r := range o.Results {
		var c countedSchedules
		if err := r.Decode(&c); err != nil {
			return err
		}
		if c.Fault != "" {
			return &finding{c.Fault}
		}
		machines += c.Machines
		for _, t := range c.Outcomes {
			tallies[t.outcome] += t.Machines
			most = max(most, t.Above)
		}
		for _, line := range c.Above {
			if strings.Contains(line, ","+list+",") {
				above = append(above, line)
			}
		}
	}
	if o.Missing > 0 {
		fmt.Fprintf(out, "%d machines are done, and nothing is wrong with them\n", machines)
		return nil
	}
	fmt.Fprintf(out, "%d machines of up to %d nodes and degree %d\n\n", machines, b.Nodes, b.Degree)
	fmt.Fprintln(out, "| operation | ports | steps above the bound | machines |\n| --- | --- | --- | --- |")
	for _, operation := range collective.Operations() {
		for _, ports := range []string{"all", "one", "streaming", "waiting"} {
			for steps := range most + 1 {
				if n := tallies[outcome{operation, ports, steps}]; n > 0 {
					fmt.Fprintf(out, "| %s | %s | %d | %d |\n", operation, ports, steps, n)
				}
			}
		}
	}
	if list != "" {
		fmt.Fprintf(out, "\nmachine,operation,ports,steps,bound\n%s", strings.Join(append(above, ""), "\n"))
	}
	return nil
}
