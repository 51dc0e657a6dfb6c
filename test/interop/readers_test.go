// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/test/internal/harness"
)

func init() {
	readers["slang"], readers["verible"], readers["verilator and yosys"], readers["ghdl"] = slang, verible, newest, ghdl
}

// languages are Verilog-2005, in which the output is written, and SystemVerilog, as which most tools read it.
var languages = []string{"1364-2005", "1800-2023"}

// clockBuffer is the cell of iCE40 that tops for synthesis have.
const clockBuffer = `
module SB_GB (
    input  wire USER_SIGNAL_TO_GLOBAL_BUFFER,
    output wire GLOBAL_BUFFER_OUTPUT
);
    assign GLOBAL_BUFFER_OUTPUT = USER_SIGNAL_TO_GLOBAL_BUFFER;
endmodule
`

// user writes a module that includes the header and the instance. Its inputs are 0.
func (f folder) user(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	_, wires := f.top()
	name := f.p.Name
	clocks := "" // their range
	if f.p.Machine.Clocks() {
		clocks = fmt.Sprintf(" [%d:0]", f.p.Regions()-1)
	}
	fmt.Fprintf(&b, "module user (\n    input  wire%[1]s clk,\n    input  wire%[1]s rst,\n    output wire result\n);\n", clocks)
	fmt.Fprintf(&b, "    `include \"%s.vh\"\n    `include \"%s_instance.vh\"\n", name, name)
	used := []string{fmt.Sprintf("%s_node(%s_digits(1)) == 1", name, name)}
	for _, w := range wires {
		if w.IsClock() {
			continue
		}
		if w.Output {
			used = append(used, w.Name)
		} else {
			fmt.Fprintf(&b, "    assign %s = %d'd0;\n", w.Name, w.Width())
		}
	}
	fmt.Fprintf(&b, "    assign result = ^{%s};\nendmodule\n", strings.Join(used, ", "))
	f.write(t, "user.v", b.String())
	return "user.v"
}

// bench lists the files of the bench.
func (f folder) bench(t *testing.T) []string {
	t.Helper()
	return append(f.files(t, "integration/*_example.v"), f.integration("_bench.v"))
}

// slang reads everything, as strict Verilog-2005 and as SystemVerilog. The proofs of routers connect ports
// that a script of Yosys makes, so they are only parsed.
func slang(t *testing.T, f folder) {
	rtl := f.rtl(t)
	read := func(language string, words ...string) {
		t.Helper()
		f.clean(t, append([]string{tool(t, "slang"), "--std", language}, words...)...)
	}
	f.write(t, "cells.v", clockBuffer)
	for _, language := range languages {
		read(language, rtl...)
		read(language, slices.Concat(rtl, f.files(t, "synth/*.v"), []string{"-I", "synth/ice40", "cells.v"})...)
		if formal := f.modules(t); len(formal) > 0 {
			read(language, append([]string{"--parse-only", "-DFORMAL", "-I", "formal"}, formal...)...)
		}
		// A header offers more constants and functions than a design needs.
		read(language, append([]string{"-I", "integration", "-Wno-unused-parameter", "-Wno-unused-subroutine", f.user(t)}, rtl...)...)
		if f.hasStreams() {
			read(language, append([]string{f.integration("_streams.v")}, rtl...)...)
		}
		if f.hasBench() {
			// The example nodes are alike for all operations, which do not need all of their functions and arguments.
			read(language, slices.Concat([]string{"--timescale", "1ns/1ps", "-Wno-empty-output-connection", "-Wno-shadow-value",
				"-Wno-unused-subroutine", "-Wno-unused-argument", "-Wno-unused-variable"}, f.bench(t), rtl)...)
		}
	}
	if f.hasBench() {
		read("1800-2023", append([]string{f.integration("_nodes_pkg.sv"), f.integration("_nodes.sv")}, rtl...)...)
	}
}

// modules are the proofs and the modules of benches. Properties that prove.sh puts into a module get one here.
func (f folder) modules(t *testing.T) []string {
	t.Helper()
	list := f.files(t, "tb/*.v")
	for _, name := range f.files(t, "formal/*.v") {
		if strings.HasSuffix(name, "_properties.v") {
			f.write(t, "properties.v", "module properties;\n"+f.read(t, name)) // which ends in endmodule
			name = "properties.v"
		}
		list = append(list, name)
	}
	return list
}

// verible parses every file alone, as SystemVerilog. What is made to be included goes into a module.
func verible(t *testing.T, f folder) {
	list := f.modules(t)
	for _, pattern := range []string{"rtl/*.v", "synth/*.v", "integration/*.v", "integration/*.sv"} {
		list = append(list, f.files(t, pattern)...)
	}
	for _, name := range f.files(t, "integration/*.vh") {
		wrapped := strings.TrimSuffix(filepath.Base(name), ".vh") + "_wrapped.v"
		f.write(t, wrapped, "module wrapped;\n"+f.read(t, name)+"endmodule\n")
		list = append(list, wrapped)
	}
	f.clean(t, append([]string{tool(t, "verible-verilog-syntax")}, list...)...)
}

// newest: the newest Verilator and the newest Yosys run lint, as the Makefile of the output does it, and read the files of integration.
func newest(t *testing.T, f folder) {
	verilator, yosys := tool(t, "verilator"), tool(t, "yosys")
	text := harness.Make(t.Context(), t, f.path, "lint-verilator", "lint-yosys", "VERILATOR="+verilator, "YOSYS="+yosys)
	assert.NotContains(t, text, "Warning")
	rtl := f.rtl(t)
	lint := func(top string, words ...string) {
		f.clean(t, append([]string{verilator, "--lint-only", "--quiet", "-Wall", "-Wpedantic", "-Iintegration", "--top-module", top}, append(words, rtl...)...)...)
	}
	lint("user", f.user(t))
	f.clean(t, yosys, "-q", "-p", "read_verilog -Iintegration user.v "+strings.Join(rtl, " ")+"; hierarchy -check -top user; proc; check -assert")
	if f.hasStreams() {
		lint(f.p.Module("streams"), f.integration("_streams.v"))
	}
	if f.hasBench() {
		lint(f.p.Module("nodes"), f.integration("_nodes_pkg.sv"), f.integration("_nodes.sv"))
		// -Wall has rules for synthesis that a bench cannot follow.
		f.clean(t, slices.Concat([]string{verilator, "--lint-only", "--quiet", "--timing", "--top-module", f.p.Module("bench")}, f.bench(t), rtl)...)
	}
}

// The newest Yosys runs the scripts of the claims that are proved, and those that synthesize for other devices.
func TestNewestYosysRunsTheScripts(t *testing.T) {
	ready(t)
	for name := range options {
		t.Run(name, func(t *testing.T) {
			f := generate(t, name)
			yosys := tool(t, "yosys")
			claims := f.files(t, "formal/*.sby")
			require.NotEmpty(t, claims)
			for _, claim := range claims {
				_, script, found := strings.Cut(f.read(t, claim), "\n[script]\n")
				require.True(t, found, claim)
				script, files, found := strings.Cut(script, "\n[files]\n")
				require.True(t, found, claim)
				f.write(t, "formal/claim.ys", script+"\n")
				text, err := f.run(t, "sh", "-c", "cd formal && rm -rf claim && mkdir claim && cp "+strings.Join(strings.Fields(files), " ")+" claim.ys claim && cd claim && "+yosys+" -q claim.ys")
				assert.NoError(t, err, "%s: %s", claim, text)
			}
			for _, script := range f.files(t, "integration/*.ys") {
				text, err := f.run(t, yosys, "-q", "-o", "netlist.json", script)
				assert.NoError(t, err, "%s: %s", script, text)
			}
		})
	}
}

// Several machines are one design.
func TestSeveralMachinesInOneDesign(t *testing.T) {
	ready(t)
	all := folder{path: t.TempDir()}
	var rtl, outputs []string
	var b strings.Builder
	for name := range options {
		f := generate(t, name)
		for _, file := range f.rtl(t) {
			rtl = append(rtl, filepath.Join(f.path, file))
		}
		top, wires := f.top()
		var ports []string
		for _, w := range wires {
			value := w.Name
			switch {
			case w.Output:
				value = name + "_" + w.Name
				fmt.Fprintf(&b, "    wire [%d:0] %s;\n", w.Width()-1, value)
				outputs = append(outputs, value)
			case !w.IsClock():
				value = fmt.Sprintf("%d'd0", w.Width())
			}
			ports = append(ports, fmt.Sprintf(".%s(%s)", w.Name, value))
		}
		fmt.Fprintf(&b, "    %s of_%s (%s);\n", top, name, strings.Join(ports, ", "))
	}
	all.write(t, "soc.v", "module soc (\n    input  wire clk,\n    input  wire rst,\n    output wire done\n);\n"+b.String()+
		"    assign done = ^{"+strings.Join(outputs, ", ")+"};\nendmodule\n")
	for _, language := range languages {
		all.clean(t, append([]string{tool(t, "slang"), "--std", language, "soc.v"}, rtl...)...)
	}
	all.clean(t, append([]string{tool(t, "verilator"), "--lint-only", "--quiet", "-Wall", "--top-module", "soc", "soc.v"}, rtl...)...)
	all.clean(t, tool(t, "yosys"), "-q", "-p", "read_verilog soc.v "+strings.Join(rtl, " ")+"; hierarchy -check -top soc; proc; check -assert")
}

// ghdl analyses the package of components and a design that instantiates them, as VHDL-93 and VHDL-2008.
func ghdl(t *testing.T, f folder) {
	file := f.integration("_components.vhd")
	f.write(t, "user.vhd", f.vhdl())
	for _, standard := range []string{"93", "08"} {
		f.clean(t, "ghdl", "-a", "--std="+standard, file)
		f.clean(t, "ghdl", "-a", "--std="+standard, "user.vhd")
	}
}

// vhdl is a design with an instance of each component, whose ports have signals of the widths of the table.
func (f folder) vhdl() string {
	var b strings.Builder
	package_ := f.p.Module("components")
	fmt.Fprintf(&b, "library ieee;\nuse ieee.std_logic_1164.all;\nuse work.%s.all;\n\nentity user is\nend entity;\n\narchitecture rtl of user is\n", package_)
	instances := ""
	add := func(module string, wires []plan.Wire) {
		var ports []string
		for _, w := range wires {
			kind := "std_logic"
			if w.Vector {
				kind = fmt.Sprintf("std_logic_vector(%d downto 0)", w.Width()-1)
			}
			fmt.Fprintf(&b, "    signal %s_%s : %s;\n", module, w.Name, kind)
			ports = append(ports, fmt.Sprintf("%s => %s_%s", w.Name, module, w.Name))
		}
		instances += fmt.Sprintf("    of_%s : %s port map (%s);\n", module, module, strings.Join(ports, ", "))
	}
	if !f.p.Machine.NoRouters {
		add(f.p.RouterModule, f.p.RouterWires())
	}
	if f.hasStreams() {
		add(f.p.NetworkModule, f.p.NetworkWires())
	}
	if f.p.HasSystem() {
		add(f.top())
	}
	return b.String() + "begin\n" + instances + "end architecture;\n"
}

// Each reader refuses what is wrong: a port that is not there, an identifier that is used before it is declared, a
// reserved word, a port of another width. So what the tests above see is more than that the tools end.
func TestReadersRefuseFaults(t *testing.T) {
	ready(t)
	f := generate(t, "every")
	rtl := f.rtl(t)
	refuses := func(what string, words ...string) {
		t.Helper()
		text, err := f.run(t, words...)
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%s: %s", what, text)
		assert.Contains(t, text, what)
	}
	fault := func(text string) string {
		f.write(t, "fault.v", "module fault (\n    input wire clk,\n    output wire q\n);\n"+text+"endmodule\n")
		return "fault.v"
	}
	early := fault("    wire a = b;\n    wire b = clk;\n    assign q = a;\n")
	refuses("used before its declaration", tool(t, "slang"), early)
	refuses("syntax error", tool(t, "verible-verilog-syntax"), fault("    wire before = clk;\n    assign q = before;\n"))
	wide := fault("    wire [3:0] a = 2'b0;\n    assign q = &{clk, a};\n")
	refuses("WIDTHEXPAND", tool(t, "verilator"), "--lint-only", "-Wall", wide)
	unknown := append([]string{fault("    " + f.p.RouterModule + " router (.clk(clk), .nothing(q));\n")}, rtl...)
	refuses("nothing", tool(t, "yosys"), "-q", "-p", "read_verilog "+strings.Join(unknown, " ")+"; hierarchy -check -top fault")

	file := f.integration("_components.vhd")
	f.write(t, file, strings.Replace(f.read(t, file), "rst : in  std_logic;", "rst : in  std_logic_vector(1 downto 0);", 1))
	f.write(t, "user.vhd", f.vhdl())
	f.clean(t, "ghdl", "-a", file)
	refuses("rst", "ghdl", "-a", "user.vhd")
}
