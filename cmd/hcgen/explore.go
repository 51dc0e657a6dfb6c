// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/internal/explore"
)

// listFormats are the ways to print a list of machines.
var listFormats = formats[[]explore.Machine]{
	{"table", explore.WriteTable},
	{"csv", explore.WriteCSV},
	{"json", explore.WriteJSON},
	{"svg", explore.WritePlot},
}

func newExplore(c *console) *cobra.Command {
	nodes, degree, dims, links := once{kind: "RANGE"}, once{kind: "RANGE"}, once{kind: "RANGE"}, once{kind: "RANGE"}
	sort, format, measured, cache := once{kind: "COLUMN"}, once{kind: "FORMAT"}, once{kind: "NUMBER"}, once{kind: "FOLDER"}
	collective := once{kind: "OPERATION"}
	var asJSON, destination, packets bool
	cmd := &cobra.Command{
		Use:   "explore --nodes RANGE",
		Short: "List machines by nodes or links, degree and dimensions",
		Long: `List the hypercycles whose nodes, links, degree (ports of a router) and dimensions lie
in the given ranges. The columns are diameter, average distance, links, bisection
width, lower bounds of the steps of an all-gather, a total exchange and an all-reduce,
and the estimated LUT4 of a router. A star marks a machine that no other machine in the
list beats. --nodes or --links is required. If no machine fits, the exit code is 3.

A range is n, a..b, a.. or ..b, inclusive.

--collective OPERATION finds the schedule of a collective network for each machine of at
most 64 nodes. It adds columns for the steps and the estimated LUT4 of a node.

--measure N synthesizes the routers of N machines with Yosys, stars first, one per
processor at a time. Results are kept in the folder --cache, so an interrupted run
continues.`,
		Example: `  hcgen explore --nodes 64
  hcgen explore --nodes 60..70 --degree ..6 --dims ..4 --sort total-exchange
  hcgen explore --links 192 --degree ..6 --sort all-reduce
  hcgen explore --nodes 64 --destination
  hcgen explore --nodes 64 --destination --packets
  hcgen explore --nodes 16 --collective total-exchange
  hcgen explore --nodes 60..70 --format svg > plot.svg
  hcgen explore --nodes 2 --measure 1 --cache measured`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !nodes.set && !links.set {
				return usage("add --nodes RANGE or --links RANGE, such as --nodes 60..70", "no range of nodes or links given")
			}
			q := explore.Query{Nodes: explore.AllNodes, Degree: explore.AllDegrees, Dims: explore.AllDims, Links: explore.AllLinks, Destination: destination, Packets: packets}
			for _, r := range []struct {
				flag once
				name string
				of   *explore.Range
			}{{nodes, "nodes", &q.Nodes}, {degree, "degree", &q.Degree}, {dims, "dims", &q.Dims}, {links, "links", &q.Links}} {
				if !r.flag.set {
					continue
				}
				asked, err := explore.ParseRange(r.flag.value, *r.of)
				if err != nil {
					return usage("write a range as n, a..b, a.. or ..b, within "+r.of.String(), "--%s: %w", r.name, err)
				}
				*r.of = asked
			}
			if asJSON {
				if format.or("json") != "json" {
					return usage("remove one of them", "--json and --format %s exclude each other", format.value)
				}
				format = once{value: "json", set: true}
			}
			write, err := listFormats.find(format, "table")
			if err != nil {
				return err
			}
			if !explore.Sort(nil, sort.or("diameter")) {
				return usage("the columns are "+strings.Join(explore.Columns(), ", "), "unknown column %q", sort.value)
			}
			most, err := parseMeasure(measured, cache)
			if err != nil {
				return err
			}
			if packets && measured.set {
				return usage("remove one of them", "--packets and --measure exclude each other, because --measure synthesizes routers alone")
			}
			if q.Collective = collective.value; collective.set {
				if !slices.Contains(explore.CollectiveOperations(), q.Collective) {
					return usage("the operations are "+strings.Join(explore.CollectiveOperations(), ", "), "--collective: unknown operation %q", q.Collective)
				}
				if q.Nodes.Low > explore.MaxCollectiveNodes {
					return usage("lower --nodes, or remove --collective", "--collective is for machines of at most %d nodes, but the list begins at %d", explore.MaxCollectiveNodes, q.Nodes.Low)
				}
			}
			list, err := explore.List(q)
			if tooMany := (*explore.TooMany)(nil); errors.As(err, &tooMany) {
				return usage("use narrower ranges", "%w", err)
			}
			if len(list) == 0 {
				// Programs get an empty list; people get neither an empty table nor an empty plot.
				if name := format.or("table"); name == "csv" || name == "json" {
					if err := write(c.out, list); err != nil {
						return classify(err)
					}
				}
				return failure{code: exitCheck, err: fmt.Errorf("no hypercycle fits %s", q), advice: "use wider ranges"}
			}
			explore.Sort(list, sort.or("diameter"))
			if err := measureRouters(cmd.Context(), c, bestFirst(list, most), cache.value, destination); err != nil {
				return err
			}
			return classify(write(c.out, list))
		},
	}
	cmd.Flags().Var(&nodes, "nodes", "range of nodes")
	cmd.Flags().Var(&degree, "degree", fmt.Sprintf("range of ports of a router (default %s)", explore.AllDegrees))
	cmd.Flags().Var(&dims, "dims", fmt.Sprintf("range of dimensions (default %s)", explore.AllDims))
	cmd.Flags().Var(&links, "links", "range of links of the network")
	cmd.Flags().BoolVar(&destination, "destination", false, "cost of routers for messages with a destination")
	cmd.Flags().BoolVar(&packets, "packets", false, "cost of a router and an hc_packets, with a queue of 4 messages per source")
	cmd.Flags().Var(&collective, "collective", "steps and cost of a collective network: "+strings.Join(explore.CollectiveOperations(), ", "))
	cmd.Flags().Var(&sort, "sort", "column to sort by: "+strings.Join(explore.Columns(), ", ")+" (default diameter)")
	cmd.Flags().Var(&format, "format", "output format: "+listFormats.String()+" (default table)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, the same as --format json")
	cmd.Flags().Var(&measured, "measure", "synthesize the routers of this many machines, stars first")
	cmd.Flags().Var(&cache, "cache", "with --measure: folder for the results; created if it does not exist")
	_ = cmd.MarkFlagDirname("cache")
	for _, f := range []struct {
		name   string
		values []string
	}{{"nodes", nil}, {"degree", nil}, {"dims", nil}, {"links", nil}, {"measure", nil}, {"sort", explore.Columns()}, {"collective", explore.CollectiveOperations()}, {"format", listFormats.names()}} {
		_ = cmd.RegisterFlagCompletionFunc(f.name, cobra.FixedCompletions(f.values, cobra.ShellCompDirectiveNoFileComp))
	}
	return cmd
}

// formats are named ways to write a value.
type formats[T any] []struct {
	name  string
	write func(io.Writer, T) error
}

func (f formats[T]) names() []string {
	var names []string
	for _, format := range f {
		names = append(names, format.name)
	}
	return names
}

// String lists the names.
func (f formats[T]) String() string { return strings.Join(f.names(), ", ") }

// find returns the writer of the format that a flag names.
func (f formats[T]) find(flag once, unset string) (func(io.Writer, T) error, error) {
	name := flag.or(unset)
	for _, format := range f {
		if format.name == name {
			return format.write, nil
		}
	}
	return nil, usage("the formats are "+f.String(), "unknown format %q", name)
}
