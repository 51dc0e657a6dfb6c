// SPDX-License-Identifier: Apache-2.0

// Package synthesis runs the script of generated folders, synth/synth.sh, and reads its figures: the cells that Yosys maps a
// router or a node to, and the clocks that nextpnr reaches.
package synthesis

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hcgen/hcgen/gen"
	"github.com/hcgen/hcgen/gen/synth"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// Design is what the script synthesizes.
type Design struct {
	Machine    string // prefix of the modules
	Collective string // a collective network, if the design is a node of it
	Node       string // module of that node
	Aim        int    // of the tools, in MHz, if that is above the target clock
	Files      Files  // the RTL, filelist.f, and the folder synth
}

// Router is the router of a machine, with its network if the machine has one.
func Router(m *machine.Machine) (*Design, error) {
	networks, err := plan.Collectives(m, schedule.ForNetwork)
	if err != nil {
		return nil, err
	}
	return newDesign(m, networks)
}

// Node is the largest node of a collective network of a machine, by its name, with that network.
func Node(m *machine.Machine, name string) (*Design, error) {
	networks, err := plan.Collectives(m, schedule.ForNetwork)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(networks, func(c *plan.Collective) bool { return c.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("machine %s has no collective network %q", m.Name, name)
	}
	d, err := newDesign(m, networks)
	if err != nil {
		return nil, err
	}
	d.Collective, d.Node = name, synth.NodeModule(networks[at])
	d.Aim = synth.Aim(networks[at])
	return d, nil
}

// newDesign is the design of a router, with the files of all networks.
func newDesign(m *machine.Machine, networks []*plan.Collective) (*Design, error) {
	d := &Design{Machine: m.Name, Files: Files{}}
	target := *m // Options has the device that is used
	target.Synthesis = nil
	for _, f := range fpga.Families {
		target.Synthesis = append(target.Synthesis, machine.Synthesis{Name: f.Name, Family: f.Name, Device: f.Device, Package: f.Package, ClockMHz: 100})
	}
	m = &target
	files, err := gen.Files(plan.New(m), networks, "")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.Path != "filelist.f" && !strings.HasPrefix(f.Path, "rtl/") && !strings.HasPrefix(f.Path, "synth/") {
			continue
		}
		var text strings.Builder
		if err := f.Content(&text); err != nil {
			return nil, err
		}
		d.Files[f.Path] = text.String()
	}
	return d, nil
}

// Hash identifies the design: all that its figures follow from, except for options and tools.
func (d *Design) Hash() string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %d", d.Machine, d.Collective, d.Node, d.Files.Hash(), d.Aim)))
}

// HX8K is the device of the project's figures.
func HX8K(seeds ...int) machine.Synthesis {
	return machine.Synthesis{Name: "hx8k", Family: "ice40", Device: "hx8k", Package: "ct256", ClockMHz: 100, Seeds: seeds}
}

// Options are the settings of a run.
type Options struct {
	Target    machine.Synthesis // device, clock that the tools aim for, and seeds; without seeds nothing is placed
	Network   bool              // place the network instead of the router or node
	Variables []string          `json:",omitempty"` // of the script, such as OPTIMIZE=area
	Time      time.Duration     `json:",omitempty"` // after which the routing of a seed ends; 0: no limit
	Jobs      int               `json:"-"`          // seeds placed at once; 0: one
}

// LFE5U is a device of the family ECP5: LFE5U-25F or LFE5U-85F, by its name in descriptions.
func LFE5U(device string, seeds ...int) machine.Synthesis {
	return machine.Synthesis{Name: device, Family: "ecp5", Device: device, Package: "CABGA381", ClockMHz: 100, Seeds: seeds}
}

// Cells are the cells of a design.
type Cells struct {
	LUT4 int `json:"lut4"`
	FF   int `json:"ff"`
	BRAM int `json:"bram"`
}

// Clock is a clock over the seeds, in MHz.
type Clock struct {
	Min    float64 `json:"min_mhz"`
	Median float64 `json:"median_mhz"`
	Max    float64 `json:"max_mhz"`
}

// Result has the figures of a run.
type Result struct {
	Cells                     // of the router or node
	Network *Cells            `json:"network,omitempty"` // if it is placed
	Clock   Clock             `json:"clock,omitzero"`    // of the design that is placed; zero without seeds
	Seeds   []Seed            `json:"seeds,omitempty"`
	Logic   Use               `json:"logic,omitzero"`  // logic cells of the design that is placed
	Tools   map[string]string `json:"tools,omitempty"` // versions, of a placement
}

// Seed is a placement. A design whose routing ends at the limit of time has the clock that nextpnr estimates from the placement.
type Seed struct {
	Seed   int     `json:"seed"`
	MHz    float64 `json:"mhz"`
	Routed bool    `json:"routed"`
}

// ErrSynthesis is the error of a run in which Yosys or nextpnr failed.
var ErrSynthesis = errors.New("synthesis failed")

// Run runs the script. If the design does not fit on the device, the error is *Overflow, and the result has the cells.
// If the tools were interrupted, it is context.Canceled.
func (d *Design) Run(ctx context.Context, o Options) (Result, error) {
	work, err := os.MkdirTemp("", "hcgen-synthesis-")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(work)
	if err := d.Files.write(work); err != nil {
		return Result{}, err
	}
	arguments := []string{"synth/synth.sh", "target", o.Target.Family, o.Target.Device, o.Target.Package, strconv.FormatFloat(o.Target.ClockMHz, 'g', -1, 64)}
	for _, seed := range o.Target.Seeds {
		arguments = append(arguments, strconv.Itoa(seed))
	}
	cmd := process.Command(ctx, "sh", arguments...)
	cmd.Dir = work
	cmd.Env = append(inherited(), "MACHINE="+d.Machine, "COLLECTIVE="+d.Collective, "NODE="+d.Node, "AIM="+strconv.Itoa(d.Aim), "JOBS="+strconv.Itoa(max(1, o.Jobs)))
	cmd.Env = append(cmd.Env, o.Variables...)
	if o.Network {
		cmd.Env = append(cmd.Env, "NETWORK=1", "PLACE=network")
	}
	if len(o.Target.Seeds) == 0 {
		cmd.Env = append(cmd.Env, "NETLIST=1")
	}
	if o.Time > 0 {
		placer, err := fpga.Named(o.Target.Family).Placer()
		if err != nil {
			return Result{}, err
		}
		if err := os.WriteFile(filepath.Join(work, "nextpnr"), []byte(fmt.Sprintf(limited, placer, o.Time.Seconds())), 0o777); err != nil {
			return Result{}, err
		}
		cmd.Env = append(cmd.Env, "NEXTPNR=./nextpnr")
	}
	text, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case interrupted(cmd.ProcessState):
		return Result{}, context.Canceled // which may be known here before ctx ends
	}
	if err != nil {
		err = fmt.Errorf("%w: %w\n%s", ErrSynthesis, err, bytes.TrimSpace(text))
	}
	return d.read(filepath.Join(work, "build"), o, err)
}

// limited stands for nextpnr: it ends at a limit of time as if it were done, and says so.
const limited = `#!/bin/sh
[ "$1" != --version ] || exec %[1]s --version
timeout %[2]g %[1]s "$@" || { [ $? -eq 124 ] && echo "` + stopped + `"; }
`

const stopped = "stopped at the limit of time"

// inherited is the environment without the variables of the script.
func inherited() (all []string) {
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "MACHINE", "CONFIG", "FILES", "NETWORK", "NETLIST", "BUILD", "JOBS", "PLACE", "AIM", "YOSYS", "NEXTPNR", "OPTIMIZE", "COLLECTIVE", "NODE", "CELLS_SIM",
			"ABC9_SCRIPT", "ABC9_DELAY", "ABC9_WIRE", "YOSYS_OPTIONS", "NEXTPNR_OPTIONS":
		default:
			all = append(all, v)
		}
	}
	return all
}

// interrupted reports whether a process ended because of an interrupt: all processes in the foreground of a terminal get it.
func interrupted(state *os.ProcessState) bool {
	if state == nil {
		return false
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGINT || state.ExitCode() == 128+int(syscall.SIGINT)
}

// read reads what a run left in a folder, which ended with the error failed or nil.
func (d *Design) read(build string, o Options, failed error) (r Result, err error) {
	family := fpga.Named(o.Target.Family)
	unit, of := "router", ""
	if d.Collective != "" {
		unit, of = "node", "-"+d.Collective
	}
	if len(o.Target.Seeds) == 0 {
		if failed != nil {
			return r, failed
		}
		r.Cells, err = readCells(family, filepath.Join(build, "netlist"+of, "target", unit+".stat"))
		return r, err
	}
	if o.Network {
		of += "-network"
	}
	folder := filepath.Join(build, "synth"+of, "target")
	if failed == nil {
		text, err := os.ReadFile(filepath.Join(folder, "summary.json"))
		if err != nil {
			return r, err
		}
		if r, err = parseSummary(text, unit, o.Target.Seeds); err != nil {
			return r, fmt.Errorf("summary.json of %s: %w", d.Machine, err)
		}
	}
	for _, seed := range o.Target.Seeds {
		log, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("seed%d.log", seed)))
		if errors.Is(err, os.ErrNotExist) && failed != nil { // it is not placed
			continue
		} else if err != nil {
			return r, err
		}
		use := uses(string(log))
		if full := slices.IndexFunc(use, func(u Use) bool { return u.Used > u.Available }); full >= 0 && failed != nil {
			r.Cells, err = readCells(family, filepath.Join(folder, unit+".stat"))
			return r, errors.Join(err, &Overflow{use[full]})
		}
		if cells := slices.IndexFunc(use, func(u Use) bool { return u.Kind == family.Logic }); cells >= 0 {
			r.Logic = use[cells]
		}
		if at := slices.IndexFunc(r.Seeds, func(s Seed) bool { return s.Seed == seed }); at >= 0 {
			r.Seeds[at].Routed = !bytes.Contains(log, []byte(stopped))
		}
	}
	return r, failed
}

// parseSummary reads summary.json of a placement with these seeds.
func parseSummary(text []byte, unit string, seeds []int) (Result, error) {
	var s struct {
		Router, Node Cells
		Result
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return Result{}, err
	}
	r := s.Result
	r.Cells = s.Router
	if unit == "node" {
		r.Cells = s.Node
	}
	if r.Network != nil && *r.Network == (Cells{}) { // null
		r.Network = nil
	}
	var with []int
	for _, seed := range r.Seeds {
		with = append(with, seed.Seed)
	}
	switch c := r.Clock; {
	case !slices.Equal(with, seeds):
		return r, fmt.Errorf("it has the seeds %v, not %v", with, seeds)
	case r.LUT4 <= 0 || r.FF <= 0, r.Network != nil && (r.Network.LUT4 <= 0 || r.Network.FF <= 0):
		return r, errors.New("it has no cells")
	case c.Min <= 0 || c.Median < c.Min || c.Max < c.Median:
		return r, fmt.Errorf("it has a clock of min %g, median %g, max %g MHz", c.Min, c.Median, c.Max)
	}
	return r, nil
}
