// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// status is the state of a tool.
type status string

const (
	statusOK      status = "ok"
	statusMissing status = "missing"
	statusOld     status = "too old"
	statusUnknown status = "unknown version"
)

// tool is a program that a Makefile runs.
type tool struct {
	name    string
	debian  string   // package
	oldest  string   // version, major.minor; empty: any
	ask     []string // arguments that make it print its version; none: GTKWave prints it on a display only
	env     string   // variable of the generated Makefile that names another program; may be empty
	asks    string   // program that prints the version in place of this one; may be empty
	use     use
	targets []string // of make
}

// use is what a tool is for.
type use int

const (
	byMakefile  use = iota // the generated Makefile needs it
	byUsers                // a user may want it
	byHcgenOnly            // hcgen's own Makefile needs it
)

// tools are the tools of tools/setup.sh that have an oldest version, and GTKWave.
var tools = []tool{
	{name: "make", debian: "make", oldest: "4.0", ask: []string{"--version"}, targets: []string{"lint", "sim", "synth", "netlist", "prove"}},
	{name: "g++", debian: "g++", oldest: "9.0", ask: []string{"-dumpfullversion"}, targets: []string{"sim", "netlist"}},
	{name: "verilator", debian: "verilator", oldest: "5.0", ask: []string{"--version"}, env: "VERILATOR", targets: []string{"lint", "sim", "netlist"}},
	{name: "yosys", debian: "yosys", oldest: "0.23", ask: []string{"-V"}, env: "YOSYS", targets: []string{"lint", "synth", "netlist", "prove"}},
	{name: "nextpnr-ice40", debian: "nextpnr-ice40", oldest: "0.4", ask: []string{"--version"}, env: "NEXTPNR", targets: []string{"synth"}},
	{name: "iverilog", debian: "iverilog", oldest: "11.0", ask: []string{"-V"}, env: "IVERILOG", targets: []string{"lint"}},
	{name: "yosys-smtbmc", debian: "yosys", oldest: "0.23", ask: []string{"-V"}, asks: "yosys", env: "SMTBMC", targets: []string{"prove"}},
	{name: "z3", debian: "z3", oldest: "4.8", ask: []string{"--version"}, env: "SOLVER", targets: []string{"prove"}},
	{name: "gtkwave", debian: "gtkwave", use: byUsers},
	{name: "gcc", debian: "gcc", oldest: "9.0", ask: []string{"-dumpfullversion"}, use: byHcgenOnly, targets: []string{"test"}},
	{name: "ccache", debian: "ccache", oldest: "4.0", ask: []string{"--version"}, use: byHcgenOnly, targets: []string{"test"}},
	{name: "chromium", debian: "chromium", oldest: "110.0", ask: []string{"--version"}, use: byHcgenOnly, targets: []string{"test"}},
	{name: "node", debian: "nodejs", oldest: "18.0", ask: []string{"--version"}, use: byHcgenOnly, targets: []string{"test"}},
	{name: "npm", debian: "npm", oldest: "9.0", ask: []string{"--version"}, use: byHcgenOnly, targets: []string{"test"}},
	{name: "zsh", debian: "zsh", oldest: "5.0", ask: []string{"--version"}, use: byHcgenOnly, targets: []string{"test"}},
	{name: "fish", debian: "fish", oldest: "3.0", ask: []string{"--version"}, use: byHcgenOnly, targets: []string{"test"}},
	{name: "shellcheck", debian: "shellcheck", oldest: "0.9", ask: []string{"--version"}, use: byHcgenOnly, targets: []string{"check"}},
	{name: "clang-format", debian: "clang-format", oldest: "14.0", ask: []string{"--version"}, use: byHcgenOnly, targets: []string{"check"}},
}

// longestAnswer is the time that a tool may take to print its version.
const longestAnswer = 20 * time.Second

// number finds a version: the first number with a point in it.
var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

// look asks the tool for its version.
func (t tool) look(ctx context.Context, env func(string) string) (status, string) {
	command := []string{t.name}
	if t.env != "" && env(t.env) != "" {
		command = strings.Fields(env(t.env))
	}
	if len(command) == 0 {
		return statusMissing, ""
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return statusMissing, ""
	}
	if t.oldest == "" {
		return statusOK, ""
	}
	if t.asks != "" {
		command = []string{t.asks}
	}
	ctx, cancel := context.WithTimeout(ctx, longestAnswer)
	defer cancel()
	asked := exec.CommandContext(ctx, command[0], append(command[1:], t.ask...)...)
	asked.WaitDelay = time.Second
	text, _ := asked.CombinedOutput() // some tools print their version and exit with an error
	version := number.FindString(string(text))
	switch {
	case version == "":
		return statusUnknown, ""
	case !atLeast(version, t.oldest):
		return statusOld, version
	}
	return statusOK, version
}

// atLeast compares major and minor of two versions.
func atLeast(version, oldest string) bool {
	have, want := strings.Split(version, "."), strings.Split(oldest, ".")
	for i := range 2 {
		h, _ := strconv.Atoi(have[i])
		w, _ := strconv.Atoi(want[i])
		if h != w {
			return h > w
		}
	}
	return true
}
