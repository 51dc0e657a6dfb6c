// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hcgen/hcgen/internal/smt"
)

// longestReplay is the processor time that a bench may take before its mutant counts as one
// that hangs; without a mutant it takes a second or two. How busy the machine is does not
// matter.
const longestReplay = 2 * time.Minute

// selector tells a bench which mutant it has, in each of its routers and its network.
const selector = `// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
extern "C" int hc_mutant() {
  const char* number = std::getenv("HCGEN_MUTANT");
  return number ? std::atoi(number) : 0;
}
`

// header finds the ports of a generated module, and port the name of each.
var (
	header = regexp.MustCompile(`(?s)module \w+_router \(\n.*?\n\);\n`)
	port   = regexp.MustCompile(`(?m)^    (?:input|output) +wire +(?:\[[^]]*\])? *(\w+)`)
)

// build compiles the benches of all mutants at once: the router has an input that selects
// one of them.
func (c *campaign) build(ctx context.Context, d *design) error {
	done := filepath.Join(d.dir, "built")
	if of, err := os.ReadFile(done); err == nil && string(of) == d.drawn {
		return nil
	}
	script := []string{"read_rtlil base.il"}
	for _, m := range d.mutations {
		if m.swap == nil {
			script = append(script, strings.Replace(m.Command, "mutate ", fmt.Sprintf("mutate -ctrl mutant 32 %d ", m.Number), 1))
		}
	}
	script = append(script, withoutProperties...)
	// A mutant that mixes two bits of a vector makes what looks like a loop through it, which
	// Verilator 5.006 gets wrong even if the mutant is not selected. So bits of different drivers part.
	script = append(script, "splitnets -driver", "rename "+d.p.RouterModule+" mutants", "write_verilog -noattr mutants.v")
	if err := smt.Yosys(ctx, d.dir, "mutants", script...); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(d.out, "rtl", d.p.RouterModule+".v"))
	if err != nil {
		return err
	}
	ports := header.FindString(string(text))
	names := port.FindAllStringSubmatch(ports, -1)
	if ports == "" || len(names) == 0 {
		return fmt.Errorf("the ports of %s are not understood", d.p.RouterModule)
	}
	wrapper := ports + "\n    import \"DPI-C\" function int hc_mutant();\n    reg [31:0] mutant;\n    initial mutant = hc_mutant();\n\n    mutants mutants (\n"
	for _, name := range names {
		wrapper += fmt.Sprintf("        .%s(%s),\n", name[1], name[1])
	}
	wrapper += "        .mutant(mutant)\n    );\n\nendmodule\n"
	network, err := os.ReadFile(filepath.Join(d.out, "rtl", d.p.NetworkModule+".v"))
	if err != nil {
		return err
	}
	rewired, err := d.rewire(string(network))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{"router.sv": wrapper, "network.sv": rewired, "selector.cpp": selector} {
		if err := os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	for _, top := range []string{"router", "network"} {
		c.say("%s: building the bench of the %s", d.p.Name, top)
		if err := c.verilate(ctx, d, top); err != nil {
			return err
		}
	}
	return replace(done, []byte(d.drawn))
}

// verilate compiles one bench, with the flags of the generated Makefile but for lint.
func (c *campaign) verilate(ctx context.Context, d *design, top string) error {
	tb, err := filepath.Abs(filepath.Join(d.out, "tb"))
	if err != nil {
		return err
	}
	arguments := []string{"-Wno-lint", "-Wno-UNOPTFLAT", "-Wno-fatal", "--cc", "--exe", "--build", "-O3", "--x-assign", "unique",
		"--x-initial", "unique", "-CFLAGS", "-std=c++17", "-j", fmt.Sprint(c.jobs), "--l2-name", "bench",
		"-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0", "--Mdir", top, "--prefix", "V" + top}
	if top == "network" {
		arguments = append(arguments, "--top-module", d.p.NetworkModule, "network.sv", filepath.Join(tb, "network.vlt"))
	} else {
		arguments = append(arguments, "--top-module", d.p.RouterModule)
	}
	selector, err := filepath.Abs(filepath.Join(d.dir, "selector.cpp"))
	if err != nil {
		return err
	}
	arguments = append(arguments, "router.sv", "mutants.v", selector)
	sources, err := filepath.Glob(filepath.Join(tb, "*.cpp"))
	if err != nil {
		return err
	}
	for _, source := range sources {
		if !strings.HasSuffix(source, "_main.cpp") || strings.HasSuffix(source, top+"_main.cpp") {
			arguments = append(arguments, source)
		}
	}
	command := exec.CommandContext(ctx, "verilator", arguments...)
	command.Dir = d.dir
	text, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("verilator in %s: %w: %s", d.dir, err, smt.LastLines(string(text), 5))
	}
	return nil
}

// traces are the golden traces of the network, the short ones first.
func (d *design) traces() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(d.out, "golden", "*.trace"))
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f string) bool { return filepath.Base(f) == "router.trace" })
	size := func(f string) int64 {
		if info, err := os.Stat(f); err == nil {
			return info.Size()
		}
		return 0
	}
	slices.SortFunc(files, func(a, b string) int { return int(size(a) - size(b)) })
	return files, nil
}

// replay runs the bench of the router or the network with a mutant, 0 being none, and
// tells how it is caught, if it is.
func (c *campaign) replay(ctx context.Context, d *design, top string, mutant int) (caught string, err error) {
	traces := []string{filepath.Join(d.out, "golden", "router.trace")}
	if top == "network" {
		if traces, err = d.traces(); err != nil {
			return "", err
		}
	}
	for _, trace := range traces {
		arguments := []string{"+golden=" + trace, "+max-mismatch=1"}
		if top == "router" {
			arguments = append(arguments, "+require-stalls")
		}
		limited := append([]string{"-c", fmt.Sprintf(`ulimit -S -t %d && exec "$@"`, int(longestReplay.Seconds())), "sh",
			filepath.Join(d.dir, top, "V"+top)}, arguments...)
		command := exec.CommandContext(ctx, "sh", limited...)
		command.Env = append(os.Environ(), fmt.Sprintf("HCGEN_MUTANT=%d", mutant))
		var text bytes.Buffer
		command.Stdout, command.Stderr = &text, &text
		ran := command.Run()
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		name := strings.TrimSuffix(filepath.Base(trace), ".trace")
		said, err := complaint(ran, text.String())
		if err != nil {
			return "", fmt.Errorf("the bench %s of %s with mutant %d: %w: %s", top, d.p.Name, mutant, err, smt.LastLines(text.String(), 3))
		}
		if said != "" {
			return name + ": " + said, nil
		}
	}
	return "", nil
}

// complaint is what a bench that has ended so objects to, if it does: a mismatch, no end in
// the processor time it is given, or wires that run in a circle, where Verilator gives up.
// Any other end says nothing of the router and is an error.
func complaint(ran error, text string) (string, error) {
	code, ended := exitCode(ran)
	switch {
	case ran == nil:
		return "", nil
	case ended && code == 3:
		return firstMismatch(text), nil
	case killed(ran, outOfTime):
		return fmt.Sprintf("no end in %v of processor time", longestReplay), nil
	case killed(ran, aborted) && strings.Contains(text, "converge"):
		return smt.LastLines(text, 1), nil
	}
	return "", ran
}

var mismatch = regexp.MustCompile(`(?m)^mismatch 1: (.*)$`)

func firstMismatch(text string) string {
	if found := mismatch.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return smt.LastLines(text, 1)
}
