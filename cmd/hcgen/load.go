// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
)

// parseCycles reads the length of a run; otherwise is that of the traffic block.
func parseCycles(s once, otherwise int) (int, error) {
	if !s.set {
		return otherwise, nil
	}
	n, err := strconv.Atoi(s.value)
	if err != nil || n < 1 || n > machine.MaxCycles {
		return 0, usage(fmt.Sprintf("write a number from 1 to %d", machine.MaxCycles), "--cycles: %q is not a number of cycles", s.value)
	}
	return n, nil
}

// measureTraffic runs a traffic block and prints the figures of the network.
func measureTraffic(ctx context.Context, c *console, p *plan.Plan, t machine.Traffic, asJSON bool) error {
	progress := newProgress(c)
	m, err := measure.Traffic(p, t, func(done, total int) error {
		progress.show(t.Name, done, total)
		return ctx.Err()
	})
	progress.clear()
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(c.out, m)
	}
	return writeMeasurement(c.out, p, t, m)
}

// writeMeasurement prints a measurement for people.
func writeMeasurement(out io.Writer, p *plan.Plan, t machine.Traffic, m measure.Measurement) error {
	throughput := ""
	if m.Bound > 0 {
		throughput = fmt.Sprintf("%.3f if all sources broadcast equally often", m.Bound)
	}
	fmt.Fprintf(out, "traffic %s of %s, %s\n\n", t.Name, p.Name, count(m.Cycles, "cycle"))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "figure\tvalue\tbound\n")
	for _, row := range [][3]string{
		{"sources", fmt.Sprint(m.Sources)},
		{"injections", fmt.Sprint(m.Injections)},
		{"injections of a source", fmt.Sprintf("%d to %d", m.InjectionsMin, m.InjectionsMax)},
		{"deliveries", fmt.Sprint(m.Deliveries)},
		{"deliveries per node and cycle", fmt.Sprintf("%.3f", m.DeliveriesPerNode), throughput},
		{"longest wait for injection, turns of other nodes", fmt.Sprint(m.LongestWait), fmt.Sprint(m.WaitBound)},
		{"longest wait for injection, cycles", fmt.Sprint(m.MaxInjectionWait)},
		{"mean latency of a delivery, cycles", fmt.Sprintf("%.1f", m.MeanDeliveryLatency)},
		{"longest latency of a delivery, cycles", fmt.Sprint(m.MaxDeliveryLatency)},
		{"longest time under way, cycles", fmt.Sprint(m.MaxTimeUnderWay)},
		{"most ticks in which a waiting message was passed", fmt.Sprint(m.MaxPassedTicks), fmt.Sprint(plan.PassedTicks)},
		{"undelivered messages at the end", undelivered(m.Summary)},
		{"copies in the network at the end", fmt.Sprint(m.InFlight)},
	} {
		fmt.Fprintf(w, "%s\t%s\t%s\n", row[0], row[1], cmp.Or(row[2], "-"))
	}
	return w.Flush()
}

// undelivered counts the messages that are under way at the end, and names the oldest.
func undelivered(s measure.Summary) string {
	if s.Oldest == nil {
		return "0"
	}
	return fmt.Sprintf("%d, the oldest from node %d", s.Undelivered, s.Oldest.Node)
}
