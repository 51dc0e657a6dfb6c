// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/internal/chart"
	"github.com/hcgen/hcgen/internal/draw"
	"github.com/hcgen/hcgen/internal/jsonfile"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
)

// scheduleFlags are the flags of hcgen schedule.
type scheduleFlags struct {
	from                                     config
	operation, algorithm, ports, root, clock once
	checked, effort, seed, lanes             once
	asJSON, asCSV, asSVG                     bool
}

func newSchedule(c *console) *cobra.Command {
	f := scheduleFlags{operation: once{kind: "NAME"}, algorithm: once{kind: "NAME"}, ports: once{kind: "PORTS"},
		root: once{kind: "NODE"}, clock: once{kind: "CLOCK"}, checked: once{kind: "FILE"}, effort: once{kind: "NUMBER"}, seed: once{kind: "NUMBER"}, lanes: once{kind: "LANES"}}
	cmd := &cobra.Command{
		Use:   "schedule -c FILE",
		Short: "Schedule collective operations, or check a schedule",
		Long: `Compare algorithms for collective operations on a machine. The list has the steps of
each algorithm, a lower bound for every schedule, and the time if a step takes one hop.
--operation, --algorithm and --ports select rows.

The algorithm streaming makes schedules for hardware. It prefers schedules in which a
node sends an item on in the step after it has arrived, so that few items wait in
registers. The list shows how many items wait at a node, and from how many sources a
port selects. The search for such a schedule is limited: --effort multiplies the limit,
and --seed changes the random choices. With --lanes one, a node gives at most one word
to the network in a step and gets at most one, so that memories with one port suffice.

With --json or --csv, print the transfers of one schedule, step by step. With --svg,
draw it: the tree of a broadcast, or a chart of links by steps. The default algorithm
is the general one, which works on every machine.

With --check, check a schedule file in JSON, from hcgen or elsewhere, against the
definition of its operation. The file - is standard input. If it does not list its
dimensions, name the machine with -c.

Exit codes of --check: 0 the schedule is correct, 2 the file is not a schedule, 3 the
schedule is wrong.`,
		Example: `  hcgen schedule -c torus4x4.hcl
  hcgen schedule -c torus4x4.hcl --operation total-exchange --clock 125
  hcgen schedule -c torus4x4.hcl --operation all-gather --json > gather.json
  hcgen schedule -c torus4x4.hcl --operation total-exchange --algorithm streaming --effort 100 --json > exchange.json
  hcgen schedule --check gather.json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if f.checked.set {
				return f.check(c)
			}
			return f.make(c)
		},
	}
	f.from.flags(cmd)
	cmd.Flags().Var(&f.operation, "operation", "operation: "+strings.Join(collective.Operations(), ", "))
	cmd.Flags().Var(&f.algorithm, "algorithm", "algorithm: "+strings.Join(schedule.Names(), ", "))
	cmd.Flags().Var(&f.ports, "ports", "ports that a node uses in one step: one, all (default all, or both in the list)")
	cmd.Flags().Var(&f.root, "root", "root of broadcast, scatter and gather, as a number or by digits such as 3,2 (default 0)")
	cmd.Flags().Var(&f.clock, "clock", "clock for the times of the list: MHz, or the summary.json of a synthesis (default clock_mhz of the first synthesis block)")
	cmd.Flags().Var(&f.effort, "effort", "for --algorithm streaming: multiple of the length of the search, 1 to 1000000 (default 1)")
	cmd.Flags().Var(&f.seed, "seed", "for --algorithm streaming: random seed of the search (default 0)")
	cmd.Flags().Var(&f.lanes, "lanes", "for --algorithm streaming: words that a node gives in one step, and gets: one, or all, one on every link (default all)")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the schedule as JSON")
	cmd.Flags().BoolVar(&f.asCSV, "csv", false, "print the transfers as CSV")
	cmd.Flags().BoolVar(&f.asSVG, "svg", false, "draw the schedule as SVG")
	cmd.Flags().Var(&f.checked, "check", "check a schedule file in JSON; - is standard input")
	_ = cmd.MarkFlagFilename("check", "json")
	for _, flag := range []struct {
		name   string
		values []string
	}{{"operation", collective.Operations()}, {"algorithm", schedule.Names()}, {"ports", []string{"one", "all"}}, {"root", nil}, {"clock", nil}, {"effort", nil}, {"seed", nil}, {"lanes", []string{"one", "all"}}} {
		_ = cmd.RegisterFlagCompletionFunc(flag.name, cobra.FixedCompletions(flag.values, cobra.ShellCompDirectiveNoFileComp))
	}
	return cmd
}

// make writes one schedule, or the list.
func (f *scheduleFlags) make(c *console) error {
	m, err := f.from.load(c)
	if err != nil {
		return classify(err)
	}
	if m.Graph.Nodes() > machine.MaxTrafficNodes {
		return usage("use a smaller machine", "%s has %d nodes, but schedules are limited to %d", m.Name, m.Graph.Nodes(), machine.MaxTrafficNodes)
	}
	if f.operation.set && !slices.Contains(collective.Operations(), f.operation.value) {
		return usage("the operations are "+strings.Join(collective.Operations(), ", "), "unknown operation %q", f.operation.value)
	}
	if f.algorithm.set && !slices.Contains(schedule.Names(), f.algorithm.value) {
		return usage("the algorithms are "+strings.Join(schedule.Names(), ", "), "unknown algorithm %q", f.algorithm.value)
	}
	ports, ok := schedule.ParsePorts(f.ports.or("all"))
	if !ok {
		return usage("the values are one and all", "unknown value of --ports: %q", f.ports.value)
	}
	root := 0
	if f.root.set {
		if f.operation.set && !collective.Rooted(f.operation.value) {
			return usage("remove --root", "%s has no root", f.operation.value)
		}
		if root, err = parseNode(m.Graph, "root", f.root.value); err != nil {
			return err
		}
	}
	search, err := f.search()
	if err != nil {
		return err
	}
	search.Ports, search.Root = ports, root
	if search.OneLane {
		f.algorithm = once{set: true, value: "streaming"}
	}
	switch {
	case !f.asJSON && !f.asCSV && !f.asSVG:
		return f.list(c, m, search)
	case f.asJSON && (f.asCSV || f.asSVG) || f.asCSV && f.asSVG:
		return usage("remove all but one", "--json, --csv and --svg exclude each other")
	case !f.operation.set:
		return usage("add --operation, such as --operation all-gather", "a schedule needs an operation")
	case f.clock.set:
		return usage("remove --clock", "--clock applies to the list, not to one schedule")
	}
	bar := newProgress(c)
	search.Operation, search.Algorithm = f.operation.value, f.algorithm.value
	search.Progress = func(done, total int) { bar.show(f.operation.value, done, total) }
	s, err := schedule.Make(m.Graph, search)
	bar.clear()
	if err != nil {
		return unscheduled(err)
	}
	if n := s.Listed(); n > schedule.MaxTransfers {
		return unscheduled(&schedule.TooLong{Algorithm: s.Algorithm, Operation: s.Operation, Transfers: n})
	}
	switch {
	case f.asJSON:
		return classify(s.WriteJSON(c.out, m.Name))
	case f.asCSV:
		return classify(s.WriteCSV(c.out))
	}
	return f.draw(c, m, s)
}

// search is the request with what the flags say about the search.
func (f *scheduleFlags) search() (r schedule.Request, err error) {
	if (f.effort.set || f.seed.set) && f.algorithm.set && f.algorithm.value != "streaming" {
		return r, usage("remove --effort and --seed", "--effort and --seed are for --algorithm streaming")
	}
	effort, err := strconv.ParseUint(f.effort.or("1"), 10, 64)
	if err != nil || effort < 1 || effort > maxEffort {
		return r, usage("write a number such as 100", "--effort: %q is not a whole number from 1 to %d", f.effort.value, maxEffort)
	}
	seed, err := strconv.ParseUint(f.seed.or("0"), 10, 64)
	if err != nil {
		return r, usage("write a number such as 1", "--seed: %q is not a whole number from 0 to %d", f.seed.value, uint64(math.MaxUint64))
	}
	switch {
	case f.lanes.or("all") != "one" && f.lanes.or("all") != "all":
		return r, usage("the values are one and all", "unknown value of --lanes: %q", f.lanes.value)
	case f.lanes.or("all") == "one" && f.algorithm.set && f.algorithm.value != "streaming":
		return r, usage("remove --lanes", "--lanes one is for --algorithm streaming")
	}
	return schedule.Request{Effort: int(effort), Seed: seed, OneLane: f.lanes.value == "one"}, nil
}

// maxEffort is the largest --effort.
const maxEffort = 1_000_000

// draw writes the picture of a schedule.
func (f *scheduleFlags) draw(c *console, m *machine.Machine, s *schedule.Schedule) error {
	var picture []byte
	var err error
	if s.Operation == collective.Broadcast {
		by := fmt.Sprintf("algorithm %s, ports %s", s.Algorithm, s.Ports)
		picture, err = draw.SVG(&draw.Picture{Plan: plan.New(m), Subject: draw.Tree, Source: s.Root, Along: s.Tree(), Algorithm: by})
	} else {
		picture, err = chart.Links(s, m.Name)
	}
	if err != nil {
		return usage("draw a smaller machine", "%w", err)
	}
	_, err = c.out.Write(picture)
	return classify(err)
}

// unscheduled is the failure of an algorithm that does not make a schedule.
func unscheduled(err error) error {
	if hinted, ok := err.(interface{ Hint() string }); ok {
		return usage(hinted.Hint(), "%w", err)
	}
	return classify(err)
}

// megahertz is the clock of the times.
func (f *scheduleFlags) megahertz(m *machine.Machine) (float64, error) {
	if !f.clock.set {
		return m.Synthesis[0].ClockMHz, nil
	}
	if mhz, err := strconv.ParseFloat(f.clock.value, 64); err == nil && mhz > 0 && mhz <= maxMegahertz {
		return mhz, nil
	}
	text, err := os.ReadFile(f.clock.value)
	if err != nil {
		return 0, usage("write a number such as 125, or name the summary.json of a synthesis", "--clock: %q is neither a clock in MHz, above 0 and up to 1000000, nor a file that can be read", f.clock.value)
	}
	var summary struct {
		Config string `json:"config"`
		Clock  struct {
			Median float64 `json:"median_mhz"`
		} `json:"clock"`
	}
	const most = 1 << 20 // bytes: a summary has some lines
	const advice = "make -C OUT synth writes OUT/build/synth/NAME/summary.json"
	err = jsonfile.Unmarshal(text, most, "the summary", &summary, json.RejectUnknownMembers(false))
	if mistake := (*jsonfile.Error)(nil); errors.As(err, &mistake) {
		return 0, usage(advice, "--clock: %w", misplaced(f.clock.value, mistake))
	}
	switch mhz := summary.Clock.Median; {
	case summary.Config == "" || !(mhz > 0) || mhz > maxMegahertz:
		return 0, usage(advice, "--clock: %s has no clock of a synthesis, above 0 and up to %d MHz", f.clock.value, int(maxMegahertz))
	case summary.Config != m.Hash:
		return 0, usage("generate and synthesize the machine again", "--clock: %s is the result of another description than %s", f.clock.value, m.Name)
	}
	return summary.Clock.Median, nil
}

// misplaced is a mistake with the file and its place.
func misplaced(name string, mistake *jsonfile.Error) error {
	return fmt.Errorf("%s:%d:%d: %s", name, mistake.Line, mistake.Column, mistake.Text)
}

// maxMegahertz is the fastest clock.
const maxMegahertz = 1e6

// list compares algorithms.
func (f *scheduleFlags) list(c *console, m *machine.Machine, search schedule.Request) error {
	mhz, err := f.megahertz(m)
	if err != nil {
		return err
	}
	step := m.Stages + plan.New(m).Latency() // cycles of the slowest link
	var rows [][]string
	bar := newProgress(c)
	defer bar.clear()
	for _, operation := range collective.Operations() {
		if f.operation.set && operation != f.operation.value {
			continue
		}
		for _, ports := range []schedule.Ports{schedule.AllPorts, schedule.OnePort} {
			if f.ports.set && ports != search.Ports {
				continue
			}
			for _, algorithm := range schedule.Fitting(m.Graph, operation, ports) {
				if f.algorithm.set && algorithm != f.algorithm.value {
					continue
				}
				if c.stopped() {
					return classify(os.ErrClosed)
				}
				row := []string{operation, ports.String(), algorithm}
				r := search
				r.Operation, r.Algorithm, r.Ports = operation, algorithm, ports
				r.Progress = func(done, total int) { bar.show(operation, done, total) }
				s, err := schedule.Make(m.Graph, r)
				long, unfit := (*schedule.TooLong)(nil), (*schedule.Unfit)(nil)
				switch {
				case errors.As(err, &long):
					row = append(row, "too long", "-", "-", "-", "-", "-")
				case errors.As(err, &unfit):
					continue
				case err != nil:
					return unscheduled(err)
				default:
					row = append(row, strconv.Itoa(s.Steps), strconv.Itoa(s.Bound), strconv.Itoa(s.Packets),
						fmt.Sprintf("%.4g", float64(s.Steps*step)/mhz))
					row = append(row, hardware(s)...)
				}
				rows = append(rows, row)
			}
		}
	}
	if (!f.operation.set || f.operation.value == collective.AllReduce) && (!f.ports.set || search.Ports == schedule.AllPorts) && !f.algorithm.set {
		s := schedule.OneWord(m.Graph)
		rows = append(rows, []string{"all-reduce, 1 word", "all", "rings", strconv.Itoa(s.Steps), strconv.Itoa(s.Steps), "1",
			fmt.Sprintf("%.4g", float64(s.Steps*step)/mhz), strconv.Itoa(s.Waiting()), strconv.Itoa(slices.Max(s.Sources()))})
	}
	bar.clear()
	if len(rows) == 0 {
		search.Operation, search.Algorithm = f.operation.or(collective.AllGather), f.algorithm.value
		_, err := schedule.Make(m.Graph, search)
		if err == nil {
			return usage("remove --operation or --ports", "%s does not fit this machine", f.algorithm.value)
		}
		return unscheduled(err)
	}
	fmt.Fprintf(c.out, "%s: %s, degree %d, diameter %d; %s a step at %g MHz\n\n", m.Name, count(m.Graph.Nodes(), "node"), m.Graph.Degree(),
		m.Graph.Diameter(), count(step, "cycle"), mhz)
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "operation\tports\talgorithm\tsteps\tbound\tpackets\tµs\twaiting\tsources")
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return classify(w.Flush())
}

// hardware is what the list says of a schedule for hardware: the most values of a node that wait, and the most
// sources of a port.
func hardware(s *schedule.Schedule) []string {
	if s.Algorithm != "streaming" {
		return []string{"-", "-"}
	}
	streaming, err := s.Streaming()
	if err != nil {
		panic(err) // it is for hardware
	}
	return []string{strconv.Itoa(streaming.Waiting()), strconv.Itoa(slices.Max(streaming.Sources()))}
}

// check checks a schedule from a file.
func (f *scheduleFlags) check(c *console) error {
	for _, other := range []struct {
		set  bool
		name string
	}{{f.operation.set, "operation"}, {f.algorithm.set, "algorithm"}, {f.ports.set, "ports"}, {f.root.set, "root"}, {f.clock.set, "clock"}, {f.effort.set, "effort"}, {f.seed.set, "seed"}, {f.lanes.set, "lanes"},
		{f.asJSON, "json"}, {f.asCSV, "csv"}, {f.asSVG, "svg"}} {
		if other.set {
			return usage("remove --"+other.name, "--check and --%s exclude each other", other.name)
		}
	}
	name := f.checked.value
	var in io.Reader = c.in
	if name == "-" {
		name = "<stdin>"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return unreadable(name, err)
		}
		defer file.Close()
		in = file
	}
	file, err := collective.Read(in)
	if errors.Is(err, context.Canceled) {
		return classify(err)
	}
	if mistake := (*jsonfile.Error)(nil); errors.As(err, &mistake) {
		return failure{code: exitUsage, err: misplaced(name, mistake), advice: "hcgen schedule -c FILE --operation OPERATION --json writes a schedule"}
	}
	if err != nil {
		return unreadable(name, err)
	}
	var described check.Machine
	if f.from.path.set {
		m, err := f.from.load(c)
		if err != nil {
			return classify(err)
		}
		described = schedule.Machine(m.Graph)
	} else if len(file.Dimensions) == 0 {
		return usage("add -c with the machine of the schedule", "%s does not list its dimensions", name)
	} else {
		described = check.Described(file)
	}
	if err := described.Validate(); err != nil {
		return failure{code: exitUsage, err: fmt.Errorf("%s: %w", name, err)}
	}
	s, err := check.Claim(file, described)
	if err != nil {
		advice := "hcgen schedule -c FILE --operation OPERATION --json writes a schedule"
		if f.from.path.set {
			advice = "name the machine of the schedule with -c"
		}
		return failure{code: exitUsage, err: fmt.Errorf("%s: %w", name, err), advice: advice}
	}
	if err := check.Check(described, s); err != nil {
		return failure{code: exitCheck, err: fmt.Errorf("%s: %w", name, err)}
	}
	ports := "all ports"
	if s.OnePort {
		ports = "one port"
	}
	fmt.Fprintf(c.out, "ok: %s of %s, %s: %s, %s listed\n", s.Operation, count(described.Nodes(), "node"), ports,
		count(s.Steps, "step"), count(len(s.Transfers), "transfer"))
	return nil
}

// unreadable is the error for a file that cannot be read.
func unreadable(name string, err error) error {
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return failure{code: exitUsage, err: fmt.Errorf("%s cannot be read: %w", name, err)}
}
