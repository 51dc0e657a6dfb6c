// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/synth"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/internal/jsonfile"
	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/internal/synthesis"
)

// otherRouter is a router of another project, as the user of the measurement describes it. The project has no description and
// no code of other routers.
type otherRouter struct {
	Name       string         `json:"name"`
	Checkout   string         `json:"checkout"`   // folder of the repository, in that of all checkouts
	Commit     string         `json:"commit"`     // 40 hexadecimal digits
	Files      []string       `json:"files"`      // of Verilog, in the order in which Yosys reads them
	Include    []string       `json:"include"`    // files that these include by the last part of their path
	Top        string         `json:"top"`        // module
	Parameters map[string]int `json:"parameters"` // of the module, where they differ from its defaults
	Clock      string         `json:"clock"`      // its port
}

var (
	hexadecimal = regexp.MustCompile(`^[0-9a-f]{40}$`)
	identifier  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	plainPath   = regexp.MustCompile(`^[A-Za-z0-9_.+/-]+$`) // which a script may leave without quotes
)

// readOthers reads a file of descriptions.
func readOthers(file string) ([]otherRouter, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []otherRouter
	if err := jsonfile.Unmarshal(text, 1<<20, "the list of routers", &all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s lists no router", file)
	}
	for i := range all {
		o := &all[i]
		if slices.ContainsFunc(all[:i], func(before otherRouter) bool { return before.Name == o.Name }) {
			return nil, fmt.Errorf("%s: two routers have the name %q", file, o.Name)
		}
		if err := o.check(); err != nil {
			return nil, fmt.Errorf("%s: router %q: %w", file, o.Name, err)
		}
	}
	return all, nil
}

func (o *otherRouter) check() error {
	switch {
	case o.Name == "":
		return errors.New("it needs a name")
	case !filepath.IsLocal(o.Checkout):
		return fmt.Errorf("checkout %q is no path in the folder of checkouts", o.Checkout)
	case !hexadecimal.MatchString(o.Commit):
		return fmt.Errorf("commit %q is not 40 hexadecimal digits: git rev-parse HEAD prints them", o.Commit)
	case len(o.Files) == 0:
		return errors.New("it needs files")
	}
	for _, file := range slices.Concat(o.Files, o.Include) {
		if !filepath.IsLocal(file) || !plainPath.MatchString(file) {
			return fmt.Errorf("the file %q is no path in the checkout of letters, digits and _.+/-", file)
		}
	}
	for _, name := range append(slices.Sorted(maps.Keys(o.Parameters)), o.Top, o.Clock) {
		if !identifier.MatchString(name) {
			return fmt.Errorf("%q, of top, clock and parameters, is no identifier of Verilog", name)
		}
	}
	return nil
}

// otherTask synthesizes a router from a checkout, and places it behind a wrapper.
type otherTask struct {
	Router    otherRouter
	Checkouts string
	Files     string // hash
	Options   synthesis.Options
}

// newOtherTask completes a task.
func newOtherTask(ctx context.Context, t otherTask) (*otherTask, error) {
	d, err := t.design(ctx)
	if err != nil {
		return nil, fmt.Errorf("router %q: %w", t.Router.Name, err)
	}
	t.Files = d.Hash()
	return &t, nil
}

// otherModule sets the parameters of the router, and has a clock of the name that the wrapper connects.
const otherModule = "hc_measured_router"

// design has the files of the commit, whatever the checkout shows, and the wrapper.
func (t *otherTask) design(ctx context.Context) (*synthesis.Design, error) {
	o := &t.Router
	checkout := filepath.Join(t.Checkouts, o.Checkout)
	if _, err := os.Stat(checkout); err != nil {
		return nil, fmt.Errorf("there is no checkout %s: clone the repository there with git", checkout)
	}
	if _, err := git(ctx, checkout, "cat-file", "-e", o.Commit+"^{commit}"); err != nil {
		return nil, fmt.Errorf("the checkout %s has no commit %s: fetch it with git\n%w", checkout, o.Commit, err)
	}
	files := synthesis.Files{}
	read := func(file, as string) error {
		text, err := git(ctx, checkout, "cat-file", "blob", o.Commit+":"+path.Clean(file))
		if err != nil {
			return fmt.Errorf("commit %s has no file %s\n%w", o.Commit, file, err)
		}
		files[as] = text
		return nil
	}
	var sources []string
	for _, file := range o.Files {
		as := "router/" + path.Clean(file)
		if err := read(file, as); err != nil {
			return nil, err
		}
		sources = append(sources, as)
	}
	for _, file := range o.Include { // Yosys finds it in the folder where it runs
		if err := read(file, path.Base(file)); err != nil {
			return nil, err
		}
	}
	ports, err := files.Ports(ctx, sources, o.Top, o.Parameters)
	if err != nil {
		return nil, fmt.Errorf("cannot read it: %w", err)
	}
	inner, ports, err := o.module(ports, o.Clock)
	if err != nil {
		return nil, err
	}
	files["synth/"+otherModule+".v"] = inner
	files["filelist.f"] = strings.Join(append(sources, "synth/"+otherModule+".v"), "\n") + "\n"
	if err := addScript(files, synth.Wrapper("// The router "+o.Top+" of another project.", otherModule, ports)); err != nil {
		return nil, err
	}
	return &synthesis.Design{Machine: "other", Collective: "module", Node: otherModule, Files: files}, nil
}

// module is the text of otherModule, and its ports except for the clock, to which it connects all given clocks of the router.
func (o *otherRouter) module(ports []synth.Port, clocks ...string) (text string, others []synth.Port, err error) {
	bits := map[bool]int{}
	declared := []string{"input wire clk"}
	var connected []string
	for _, clock := range clocks {
		if !slices.ContainsFunc(ports, func(p synth.Port) bool { return p.Name == clock && !p.Output && p.Bits == 1 }) {
			return "", nil, fmt.Errorf("the module %s has no input %s of one bit for the clock", o.Top, clock)
		}
		connected = append(connected, "."+clock+"(clk)")
	}
	for _, p := range ports {
		if slices.Contains(clocks, p.Name) {
			continue
		}
		if !identifier.MatchString(p.Name) {
			return "", nil, fmt.Errorf("its port %q has a name that needs a backslash", p.Name)
		}
		wire := "p_" + p.Name // which is not clk
		direction := "input"
		if p.Output {
			direction = "output"
		}
		declared = append(declared, fmt.Sprintf("%s wire [%d:0] %s", direction, p.Bits-1, wire))
		connected = append(connected, fmt.Sprintf(".%s(%s)", p.Name, wire))
		bits[p.Output] += p.Bits
		others = append(others, synth.Port{Name: wire, Output: p.Output, Bits: p.Bits})
	}
	if bits[false] < 2 || bits[true] < 2 {
		return "", nil, fmt.Errorf("the module %s has %d bits of inputs and %d of outputs, and the wrapper needs two of each", o.Top, bits[false], bits[true])
	}
	var parameters []string
	for _, name := range slices.Sorted(maps.Keys(o.Parameters)) {
		parameters = append(parameters, fmt.Sprintf(".%s(%d)", name, o.Parameters[name]))
	}
	set := ""
	if len(parameters) > 0 {
		set = " #(" + strings.Join(parameters, ", ") + ")"
	}
	return fmt.Sprintf("module %s (\n    %s\n);\n    %s%s router (\n        %s\n    );\nendmodule\n", otherModule, strings.Join(declared, ",\n    "), o.Top, set,
		strings.Join(connected, ",\n        ")), others, nil
}

func (t *otherTask) do(ctx context.Context) (any, error) {
	d, err := t.design(ctx)
	if err != nil {
		return nil, err
	}
	if d.Hash() != t.Files {
		return nil, errOther
	}
	return d.Measure(ctx, t.Options)
}

// git runs git in a checkout.
func git(ctx context.Context, checkout string, arguments ...string) (string, error) {
	cmd := process.Command(ctx, "git", append([]string{"-C", checkout}, arguments...)...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(messages.Bytes()))
	}
	return out.String(), nil
}

// routerRow is a router of the comparison.
type routerRow struct {
	name, commit string
	made         synthesis.Measured
}

var routerColumns = []column[*routerRow]{
	{"router", "router", "", "%s", func(r *routerRow) any { return r.name }},
	{"commit", "commit", "", "%s", func(r *routerRow) any {
		if r.commit == "" {
			return nil
		}
		return r.commit[:12]
	}},
	{"lut4", "LUT4", "", "%d", func(r *routerRow) any { return r.made.LUT4 }},
	{"ff", "FF", "memories are flip-flops, because block RAMs are not used", "%d", func(r *routerRow) any { return r.made.FF }},
	{"clock_mhz", "clock, min / median / max, MHz", "of the seeds", "%.0f", func(r *routerRow) any {
		if r.made.Overflow != nil {
			return "no fit"
		}
		return clocks(r.made.Clock)
	}},
}

// others measures routers of other projects beside the router of the 4x4 torus: with the same script, wrapper, device, aim and
// seeds, from checkouts and descriptions that the user has.
func others(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	list := flags.String("routers", "", "`file` that describes the routers, in JSON")
	checkouts := flags.String("checkouts", "", "`folder` of their checkouts")
	seedList := flags.String("seeds", "1 2 3 4 5", "`seeds` of placement, with blanks or commas between them")
	return func(ctx context.Context) (*report, error) {
		if *list == "" || *checkouts == "" {
			return nil, &badFlag{"-routers names the file that describes the routers, and -checkouts the folder of their checkouts"}
		}
		seeds, err := parseSeeds(*seedList)
		if err != nil {
			return nil, err
		}
		described, err := readOthers(*list)
		if err != nil {
			return nil, err
		}
		if _, err := synthesis.Versions(ctx, "yosys"); err != nil { // which reads the ports
			return nil, err
		}
		chosen, err := choose([]string{reference})
		if err != nil {
			return nil, err
		}
		m, err := chosen[0].machine()
		if err != nil {
			return nil, err
		}
		o := synthesis.Options{Target: chosen[0].target(m, seeds, false)}
		t, err := synthesis.NewTask(m, "", o)
		if err != nil {
			return nil, err
		}
		ours := &routerRow{name: "hcgen, " + chosen[0].title}
		rows := []*routerRow{ours}
		units := []unit{{reference, task{Synthesis: t}, &ours.made}}
		o.Variables = []string{"YOSYS_OPTIONS=" + fpga.Named(o.Target.Family).YosysOptions(o.Target.Device) + " -nobram"}
		for i, router := range described {
			t, err := newOtherTask(ctx, otherTask{Router: router, Checkouts: *checkouts, Options: o})
			if err != nil {
				return nil, err
			}
			row := &routerRow{name: router.Name, commit: router.Commit}
			rows = append(rows, row)
			units = append(units, unit{fmt.Sprintf("router%d", i+1), task{Other: t}, &row.made})
		}
		if err := r.run(ctx, []string{"yosys", "nextpnr-ice40"}, units); err != nil {
			return nil, err
		}
		return &report{
			Tables: []table{tableOf("other routers beside the 4x4 torus, on the HX8K", routerColumns, rows)},
			Conditions: fmt.Sprintf("Measured with nextpnr-ice40 %s, yosys %s, which aim for %g MHz; seeds %s.", synthesis.Short(r.versions["nextpnr-ice40"]),
				synthesis.Short(r.versions["yosys"]), o.Target.ClockMHz, words(seeds)),
		}, nil
	}
}
