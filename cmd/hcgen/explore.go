// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/machine"
)

// listFormats are the ways to print a list of machines.
var listFormats = formats{
	{"table", explore.WriteTable},
	{"csv", explore.WriteCSV},
	{"json", explore.WriteJSON},
	{"svg", explore.WritePlot},
}

// exploreFlags are the flags of hcgen explore.
type exploreFlags struct {
	nodes, degree, dims, links              once
	sort, format, limit                     once
	measured, folder, jobs, shard           once
	collective, write, output, stars        once
	asJSON, destination, packets, onlyStars bool
	results                                 bool
}

// exploration is what hcgen explore is asked for.
type exploration struct {
	query   explore.Query
	measure measuring
	column  string // to sort by
	best    bool   // only machines with a star
	limit   int    // rows
	print   func(io.Writer, explore.Table) error
	empty   bool   // print prints a list without machines, too
	row     int    // whose description is written in place of the list; 0: none
	output  string // file for it
}

func newExplore(c *console) *cobra.Command {
	f := exploreFlags{
		nodes: once{kind: "RANGE"}, degree: once{kind: "RANGE"}, dims: once{kind: "RANGE"}, links: once{kind: "RANGE"},
		sort: once{kind: "COLUMN"}, format: once{kind: "FORMAT"}, limit: once{kind: "NUMBER"},
		measured: once{kind: "NUMBER"}, folder: once{kind: "FOLDER"}, jobs: once{kind: "NUMBER"}, shard: once{kind: "I/N"},
		collective: once{kind: "OPERATION"}, write: once{kind: "ROW"}, output: once{kind: "FILE"},
		stars: once{kind: "COLUMNS"},
	}
	cmd := &cobra.Command{
		Use:   "explore --nodes RANGE",
		Short: "List machines by nodes or links, degree and dimensions",
		Long: `List the hypercycles whose nodes, links, degree (ports of a router) and dimensions lie
in the given ranges. The columns are diameter, average distance, links, bisection
width, lower bounds of the steps of an all-gather, a total exchange and an all-reduce,
and the estimated LUT4 of a router. --nodes or --links is required. If no machine fits,
the exit code is 3.

A star marks a machine if no other machine of the list is at least as good in the
columns of --stars, and better in one of them. These columns are ~LUT4 and diameter, or
with --measure measured-LUT4 and broadcast-ns, unless --stars names others.

A range is n, a..b, a.. or ..b, inclusive.

--collective OPERATION finds the schedule of a collective network for each machine of at
most 64 nodes. It adds columns for the steps and the estimated LUT4 of a node. With commas
between operations, one network has several, and its steps, cycles and times are sums.

--write ROW writes the description of the machine in this row. The same command without
--write prints the rows with their numbers.

--measure N synthesizes the routers of N machines with Yosys, stars first, and places
them with nextpnr-ice40 and three seeds. With --collective it does the same with the
nodes of collective networks. It adds columns for LUT4, flip-flops, clock, and the times
of a broadcast, an all-gather and, with --destination, a total exchange. One design per
processor is measured at a time. The results are kept in --folder, and the same command
continues after an interruption.

--shard I/N measures only every N-th design, from the I-th on. The N shards together
measure all designs, at once or one after the other, on computers that share the folder.
--results prints the finished results and measures nothing. With three shards:

  hcgen explore --nodes 16..64 --measure 100 --folder F --shard 1/3
  hcgen explore --nodes 16..64 --measure 100 --folder F --results`,
		Example: `  hcgen explore --nodes 64
  hcgen explore --nodes 60..70 --degree ..6 --dims ..4 --sort total-exchange --limit 10
  hcgen explore --nodes 60..70 --degree ..6 --best --write 2 -o machine.hcl
  hcgen explore --nodes 60..70 --degree ..6 --stars links,total-exchange --best
  hcgen explore --links 192 --degree ..6 --sort all-reduce
  hcgen explore --nodes 64 --destination
  hcgen explore --nodes 64 --destination --packets
  hcgen explore --nodes 16 --collective total-exchange
  hcgen explore --nodes 16 --collective all-gather,reduce-scatter
  hcgen explore --nodes 60..70 --format svg > plot.svg
  hcgen explore --nodes 2 --measure 1 --folder measured`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := f.exploration()
			if err != nil {
				return err
			}
			return classify(e.run(cmd.Context(), c))
		},
	}
	f.define(cmd)
	return cmd
}

// define adds the flags.
func (f *exploreFlags) define(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.nodes, "nodes", "range of nodes")
	flags.Var(&f.degree, "degree", fmt.Sprintf("range of ports of a router (default %s)", explore.AllDegrees))
	flags.Var(&f.dims, "dims", fmt.Sprintf("range of dimensions (default %s)", explore.AllDims))
	flags.Var(&f.links, "links", "range of links of the network")
	flags.BoolVar(&f.destination, "destination", false, "estimate and measure routers for messages with a destination")
	flags.BoolVar(&f.packets, "packets", false, "add the cost of an hc_packets at each node, with a queue of 4 messages per source")
	flags.Var(&f.collective, "collective", "add the steps and the cost of a collective network for an operation: "+strings.Join(explore.CollectiveOperations(), ", "))
	flags.Var(&f.sort, "sort", "column to sort by, or a part of its name: "+strings.Join(explore.Columns(), ", ")+" (default diameter)")
	flags.Var(&f.stars, "stars", "columns that decide which machines have a star, with commas between them")
	flags.BoolVar(&f.onlyStars, "best", false, "list only machines with a star")
	flags.Var(&f.limit, "limit", "list only the first rows, this many")
	flags.Var(&f.format, "format", "output format: "+listFormats.String()+" (default table)")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON, the same as --format json")
	flags.Var(&f.write, "write", "write the description of the machine in this row")
	flags.VarP(&f.output, "output", "o", "with --write: file to write, which must not exist; - is standard output (default -)")
	flags.Var(&f.measured, "measure", "synthesize and place the routers of this many machines, stars first")
	flags.Var(&f.folder, "folder", "with --measure: folder for the results; created if it does not exist")
	flags.Var(&f.jobs, "jobs", "with --measure: number of designs to measure at a time (default one per processor)")
	flags.Var(&f.shard, "shard", "with --measure: measure only this share of the designs, such as 2/3")
	flags.BoolVar(&f.results, "results", false, "with --measure: print the finished results, and measure nothing")
	_ = cmd.MarkFlagDirname("folder")
	_ = cmd.MarkFlagFilename("output", "hcl")
	for name, values := range map[string][]string{
		"nodes": nil, "degree": nil, "dims": nil, "links": nil, "limit": nil, "measure": nil, "write": nil, "jobs": nil, "shard": nil,
		"sort": explore.Columns(), "stars": explore.Columns(), "collective": explore.CollectiveOperations(), "format": listFormats.names(),
	} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
}

// exploration reads the flags.
func (f *exploreFlags) exploration() (e exploration, err error) {
	if e.query, err = f.query(); err != nil {
		return e, err
	}
	if e.column, err = e.query.Column(f.sort.or("diameter")); err != nil {
		return e, usage("the columns are "+strings.Join(e.query.Columns(), ", "), "--sort: %w", err)
	}
	if f.stars.set {
		for name := range strings.SplitSeq(f.stars.value, ",") {
			column, err := e.query.StarColumn(strings.TrimSpace(name))
			if err != nil {
				return e, usage("the columns are "+strings.Join(e.query.Columns()[2:], ", "), "--stars: %w", err)
			}
			e.query.Stars = append(e.query.Stars, column)
		}
	}
	if e.measure, err = f.measuring(); err != nil {
		return e, err
	}
	e.best, e.limit = f.onlyStars, explore.MaxMachines
	if f.limit.set {
		if e.limit, err = counted("limit", f.limit.value, "rows"); err != nil {
			return e, err
		}
	}
	if err := f.printing(&e); err != nil {
		return e, err
	}
	return e, f.writing(&e)
}

// query reads the flags that say which machines are listed, with which columns.
func (f *exploreFlags) query() (explore.Query, error) {
	q := explore.Query{
		Nodes: explore.AllNodes, Degree: explore.AllDegrees, Dims: explore.AllDims, Links: explore.AllLinks,
		Destination: f.destination, Packets: f.packets, Collective: f.collective.value, Measured: f.measured.set,
	}
	if !f.nodes.set && !f.links.set {
		return q, usage("add --nodes RANGE or --links RANGE, such as --nodes 60..70", "no range of nodes or links given")
	}
	for _, r := range []struct {
		flag once
		name string
		of   *explore.Range
	}{{f.nodes, "nodes", &q.Nodes}, {f.degree, "degree", &q.Degree}, {f.dims, "dims", &q.Dims}, {f.links, "links", &q.Links}} {
		if !r.flag.set {
			continue
		}
		asked, err := explore.ParseRange(r.flag.value, *r.of)
		if err != nil {
			return q, usage("write a range as n, a..b, a.. or ..b, within "+r.of.String(), "--%s: %w", r.name, err)
		}
		*r.of = asked
	}
	if f.collective.set {
		var before []string
		for _, operation := range strings.Split(q.Collective, ",") {
			switch {
			case !slices.Contains(explore.CollectiveOperations(), operation):
				return q, usage("the operations are "+strings.Join(explore.CollectiveOperations(), ", "), "--collective: unknown operation %q", operation)
			case slices.Contains(before, strings.TrimSuffix(operation, "-word")):
				return q, usage("a network has each operation once, and all-reduce-word is an all-reduce of one word: remove one of them", "--collective: %s twice", strings.TrimSuffix(operation, "-word"))
			}
			before = append(before, strings.TrimSuffix(operation, "-word"))
		}
		if q.Nodes.Low > explore.MaxCollectiveNodes {
			return q, usage("lower --nodes, or remove --collective", "--collective is for machines of at most %d nodes, but the list begins at %d", explore.MaxCollectiveNodes, q.Nodes.Low)
		}
	}
	return q, nil
}

// counted reads a number of things.
func counted(flag, text, things string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > explore.MaxMachines {
		return 0, usage(fmt.Sprintf("write a number from 1 to %d", explore.MaxMachines), "--%s: %q is not a number of %s", flag, text, things)
	}
	return n, nil
}

// printing reads the flags that say how a list is printed.
func (f *exploreFlags) printing(e *exploration) (err error) {
	format := f.format
	if f.asJSON {
		if format.or("json") != "json" {
			return usage("remove one of them", "--json and --format %s exclude each other", format.value)
		}
		format = once{value: "json", set: true}
	}
	e.empty = format.value == "json" || format.value == "csv" // programs get an empty list; people get neither an empty table nor an empty plot
	if e.print, err = listFormats.find(format, "table"); err != nil {
		return err
	}
	if f.write.set && format.set {
		return usage("remove one of them", "--write and --format exclude each other, because a description is written in place of the list")
	}
	return nil
}

// writing reads the flags about the description of a machine.
func (f *exploreFlags) writing(e *exploration) (err error) {
	e.output = f.output.or("-")
	switch name := strings.TrimSuffix(strings.ToLower(e.output), ".gz"); {
	case !f.write.set && f.output.set:
		return usage("add --write ROW", "--output needs --write")
	case machine.IsJSON(name) || gzipped(e.output):
		return usage("name the file .hcl", "%s: the description is written in HCL", e.output)
	case !f.write.set:
		return nil
	}
	if e.row, err = strconv.Atoi(f.write.value); err != nil || e.row < 1 {
		return usage("write the number of a row, from 1", "--write: %q is not a row", f.write.value)
	}
	if _, err := os.Lstat(e.output); e.output != "-" && !errors.Is(err, fs.ErrNotExist) {
		return usage("name another file, or remove it", "%s exists", e.output)
	}
	return nil
}

// run prints the list, or writes the description of a row.
func (e exploration) run(ctx context.Context, c *console) error {
	list, err := explore.List(e.query)
	if tooMany := (*explore.TooMany)(nil); errors.As(err, &tooMany) {
		return usage("use narrower ranges", "%w", err)
	}
	if len(list) == 0 {
		if e.empty {
			if err := e.print(c.out, explore.Table{Query: e.query}); err != nil {
				return err
			}
		}
		return failure{code: exitCheck, err: fmt.Errorf("no hypercycle fits %s", e.query), advice: "use wider ranges"}
	}
	explore.Sort(list, "diameter")
	explore.Sort(list, e.column) // a column that is measured leaves them in their order
	var lacking error
	if e.measure.machines > 0 {
		if lacking, err = e.measureMachines(ctx, c, bestFirst(list, e.measure.machines)); err != nil {
			return err
		}
		explore.MarkBest(list, e.query)
		explore.Sort(list, e.column)
	}
	if e.best {
		list = slices.DeleteFunc(list, func(m explore.Machine) bool { return !m.Best })
	}
	list = list[:min(len(list), e.limit)]
	if e.row == 0 {
		err = e.print(c.out, explore.Table{Query: e.query, Machines: list})
	} else {
		err = e.writeRow(c, list)
	}
	return errors.Join(err, lacking)
}

// writeRow writes the description of a machine of the list.
func (e exploration) writeRow(c *console, list []explore.Machine) error {
	if e.row > len(list) {
		return usage("the same command without --write prints the rows with their numbers", "--write %d: the list has %s", e.row, count(len(list), "row"))
	}
	return writeFile(c, e.output, func(w io.Writer) error { return explore.WriteHCL(w, e.query, &list[e.row-1]) })
}

// formats are named ways to print a list.
type formats []struct {
	name  string
	write func(io.Writer, explore.Table) error
}

func (f formats) names() []string {
	var names []string
	for _, format := range f {
		names = append(names, format.name)
	}
	return names
}

// String lists the names.
func (f formats) String() string { return strings.Join(f.names(), ", ") }

// find returns the writer of the format that a flag names.
func (f formats) find(flag once, unset string) (func(io.Writer, explore.Table) error, error) {
	name := flag.or(unset)
	for _, format := range f {
		if format.name == name {
			return format.write, nil
		}
	}
	return nil, usage("the formats are "+f.String(), "unknown format %q", name)
}
