// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/internal/smt"
	"github.com/hcgen/hcgen/plan"
)

// selector drives the number of the mutant in each router, from a file in the folder in which a bench runs.
const selector = `// SPDX-License-Identifier: Apache-2.0
module hc_mutant (output wire [31:0] mutant);
    reg [31:0] number [0:0];
    initial $readmemh("mutant", number);
    assign mutant = number[0];
endmodule
bind %s hc_mutant selector (.mutant(mutant));
`

// build makes the benches of all mutants at once: a wire of the router selects the mutant.
func (d *Design) build(ctx context.Context) error {
	script := []string{"cd " + d.p.RouterModule, "add -wire mutant 32", "cd .."}
	for _, m := range d.Mutations {
		if m.Swap == nil {
			script = append(script, m.selectable())
		}
	}
	dir := d.file("benches")
	// A mutant that mixes two bits of a vector makes what looks like a loop through it, which Verilator 5.006
	// gets wrong even if the mutant is not selected. So bits of different drivers part.
	if err := d.folder(ctx, dir, append(script, dropProperties, "opt_clean", "splitnets -driver")...); err != nil {
		return err
	}
	network, err := os.Create(filepath.Join(dir, "rtl", d.p.NetworkModule+".v"))
	if err != nil {
		return err
	}
	list, err := os.ReadFile(filepath.Join(dir, "filelist.f"))
	if err = errors.Join(err, rtl.Rewired(d.p, d.rewire)(network), network.Close()); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"rtl/mutant.sv": fmt.Sprintf(selector, d.p.RouterModule),
		"filelist.f":    string(list) + "rtl/mutant.sv\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	text, err := makeIn(ctx, dir, "build/router/Vrouter", "build/network/Vnetwork", "VERILATOR=verilator -Wno-fatal")
	if err != nil {
		return fmt.Errorf("make in %s: %w: %s", dir, err, smt.LastLines(text, 5))
	}
	return nil
}

// folder makes an output folder whose router and its modules are a netlist: what a script of Yosys leaves of
// base.il.
func (d *Design) folder(ctx context.Context, dir string, script ...string) error {
	if err := os.CopyFS(dir, os.DirFS(d.file("out"))); err != nil {
		return err
	}
	for _, m := range d.Modules { // the netlist has all of them
		if err := os.WriteFile(filepath.Join(dir, "rtl", m.Source+".v"), nil, 0o666); err != nil {
			return err
		}
	}
	script = slices.Concat([]string{"read_rtlil " + d.file("base.il")}, script, []string{"write_verilog -noattr rtl/" + d.p.RouterModule + ".v"})
	return smt.Yosys(ctx, dir, "mutant", script...)
}

// makeIn runs targets of an output folder, whatever this program's own make has been given.
func makeIn(ctx context.Context, dir string, arguments ...string) (text string, err error) {
	command := process.Make(ctx, dir, arguments...)
	output, err := command.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return string(output), err
}

// replay runs the bench of the router or the network in a folder with a mutant, 0 for none, and returns the
// reason why it is caught, if it is.
func (d *Design) replay(ctx context.Context, top string, mutant int, dir string) (caught string, err error) {
	if err := os.WriteFile(filepath.Join(dir, "mutant"), []byte(fmt.Sprintf("%x\n", mutant)), 0o666); err != nil {
		return "", err
	}
	traces, err := filepath.Glob(d.file("out", "golden", "*.trace"))
	if err != nil {
		return "", err
	}
	for _, trace := range traces {
		name := strings.TrimSuffix(filepath.Base(trace), ".trace")
		if (name == plan.RouterTraffic) != (top == Router) {
			continue
		}
		command := process.Command(ctx, d.file("benches", "build", top, "V"+top), "+golden="+trace, "+max-mismatch=1")
		if top == Router {
			command.Args = append(command.Args, "+require-stalls")
		}
		command.Dir = dir
		text, ran := command.CombinedOutput()
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		said, err := complaint(ran, string(text))
		if err != nil {
			return "", fmt.Errorf("the bench of %s_%s with the trace %s: %w: %s", d.p.Name, top, name, err, smt.LastLines(string(text), 3))
		}
		if said != "" {
			return name + ": " + said, nil
		}
	}
	return "", nil
}

var mismatch = regexp.MustCompile(`(?m)^mismatch 1: (.*)$`)

// complaint is the objection of a bench that has ended, if any: a mismatch, or a combinational loop, at
// which Verilator gives up. Any other failure is no result about the router and is an error.
func complaint(ran error, text string) (string, error) {
	var exit *exec.ExitError
	switch {
	case ran == nil:
		return "", nil
	case !errors.As(ran, &exit):
		return "", ran
	case exit.ExitCode() == 3:
		if found := mismatch.FindStringSubmatch(text); found != nil {
			return found[1], nil
		}
		return smt.LastLines(text, 1), nil
	case !exit.Exited() && strings.Contains(text, "did not converge"):
		return smt.LastLines(text, 1), nil
	}
	return "", ran
}
