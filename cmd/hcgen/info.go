// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

func newInfo(c *console) *cobra.Command {
	var from config
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info -c FILE",
		Short: "Print the properties of a machine",
		Long: `Print the properties of a machine: nodes, degree, diameter and average distance; the
constants D, a and k of each dimension, from which the broadcast is computed; each port
of a router, with the weight of the messages that enter a dimension there; and the
widths of the links. If links have registers on the way or are between clocks, print the
registers and the queue of each link, and the lead of the pace. For each collective
network, print its schedule: the steps and their lower bound, the cycles from one
operation to the next, how many values wait in registers of a node, and from how many
sources each port selects. If it has vectors, also print the memory of a node and the
cycles of an operation on n words. For a reduction, also print the bits of a chunk of a word, and
an estimate of the clock of a node on an iCE40 HX8K and of the time of an operation.`,
		Example: `  hcgen info -c torus4x4.hcl
  hcgen info -c torus4x4.hcl --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := from.load(c)
			if err != nil {
				return classify(err)
			}
			networks, err := plan.Collectives(m, schedule.ForNetwork)
			if err != nil {
				return classify(err)
			}
			about := plan.New(m).Figures()
			about.AddCollectives(networks)
			if asJSON {
				return classify(writeJSON(c.out, about))
			}
			return classify(writeFigures(c.out, about))
		},
	}
	from.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// writeFigures prints the figures for people.
func writeFigures(out io.Writer, i *plan.Figures) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range i.Rows() {
		fmt.Fprintf(w, "%s\t%s\n", r.Name, r.Value)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	links := ""
	if i.Dimensions[0].Link != nil {
		links = "\tregisters\tqueue\tplaces"
	}
	fmt.Fprintf(w, "dimension\tname\tm\trho\tD\ta\tk\tdegree%s\n", links)
	for n, d := range i.Dimensions {
		if q := d.Link; q != nil {
			links = fmt.Sprintf("\t%s\t%s\t%d", q.Count(), q.Queue, q.Places)
		}
		fmt.Fprintf(w, "%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d%s\n", n+1, d.Name, d.M, d.Rho, d.D, d.A, d.K, d.Degree, links)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	weight := func(p plan.PortFigures) string { return fmt.Sprint(p.Weight) }
	if i.RouterModule == "" {
		weight = func(plan.PortFigures) string { return "-" }
	}
	fmt.Fprintf(w, "port\tdimension\tdirection\tdistance\tweight\n")
	for _, p := range i.Ports {
		fmt.Fprintf(w, "%d\t%d\t%s\t%d\t%s\n", p.Index, p.Dimension, p.Direction, p.Distance, weight(p))
	}
	if i.Chips != nil {
		fmt.Fprintf(w, "\ncable\tdimension\tto cable\tdigit\tword bits\tflight\tsilence\tframe\tnumber bits\tfreed bits\tlatency\tlead\n")
		for _, q := range i.Chips.Cables {
			fmt.Fprintf(w, "%d\t%d\t%d\t+%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", q.Index, q.Dimension, q.Opposite, q.Step, q.WordBits, q.Flight, q.Silence, q.Words,
				q.NumberBits, q.FreedBits, q.Latency, q.Lead)
		}
	}
	if len(i.Collectives) > 0 {
		fmt.Fprintf(w, "\ncollective\toperation\toperator\tbits\tschedule\tsteps\tbound\tperiod\tturns\tchunk\tcycles\t~MHz\t~ns\twaiting values\tsources per port\n")
	}
	for _, c := range i.Collectives {
		operation := c.Operation
		if c.Words != "" {
			operation += " of one word"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%d\t%d\t%d\t%s\t%s\t%d\t%s\t%s\t%d\t%s\n", c.Name, operation, cmp.Or(c.Operator, "-"), c.PayloadBits, c.Algorithm, c.Steps, c.Bound, c.Period,
			orDash(c.Turns), orDash(c.Chunk), c.Cycles, orDash(c.MHz), orDash(c.NS), c.Waiting, strings.Trim(fmt.Sprint(c.Sources), "[]"))
	}
	title := "\nvectors\twords\tmodule\tbanks of a node\tbits of a node\tcycles of n words\n"
	for _, c := range i.Collectives {
		if v := c.Vectors; v != nil {
			fmt.Fprintf(w, "%s%s\t%d\t%s\t%d\t%d\t%d n + %d\n", title, c.Name, v.Words, v.Module, v.Banks, v.MemoryBits, v.CyclesPerWord, v.MoreCycles)
			title = ""
		}
	}
	return w.Flush()
}

// orDash writes a number, and - for 0.
func orDash(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// writeJSON prints a value as indented JSON.
func writeJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
