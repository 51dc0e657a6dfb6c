// SPDX-License-Identifier: Apache-2.0

package registers

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
)

func TestMapIsSound(t *testing.T) {
	taken := map[int]string{}
	names := map[string]bool{}
	for _, r := range Map() {
		assert.False(t, names[r.Name], r.Name)
		names[r.Name] = true
		assert.Regexp(t, `^[A-Z]+$`, r.Name)
		assert.Regexp(t, `^[A-Z].*\.$`, r.Meaning)
		count := 1
		if r.PerDimension {
			count = MaxDimensions
		}
		for i := range count {
			address := r.Offset + Word*i
			assert.Zero(t, address%Word, r.Name)
			assert.Less(t, address, 1<<AddressBits, r.Name)
			assert.Empty(t, taken[address], "0x%02x is %s too", address, r.Name)
			taken[address] = r.Name
		}
		end := 0
		require.NotEmpty(t, r.Fields, r.Name)
		for _, f := range r.Fields {
			assert.Regexp(t, `^[a-z_]+$`, f.Name)
			assert.GreaterOrEqual(t, f.LSB, end, "%s.%s overlaps", r.Name, f.Name)
			end = f.LSB + f.Bits
		}
		assert.LessOrEqual(t, end, 8*Word, r.Name)
	}
	for i, c := range ErrorCodes() {
		assert.Equal(t, i, c.Value, c.Name)
	}
	for _, c := range PreferenceCodes() {
		assert.Equal(t, c.Name, "PREFERENCE_"+strings.ToUpper(hypercycle.Preference(c.Value).String()))
	}
	assert.Len(t, PreferenceCodes(), len(hypercycle.PreferenceNames()))
}

// constants are the values that every print must contain, by name: HC_STATUS is an address,
// HC_STATUS_CODE_LSB and HC_STATUS_CODE_BITS belong to a field.
func constants() map[string]int {
	all := map[string]int{"HC_VERSION": Version}
	for _, r := range Map() {
		all["HC_"+r.Name] = r.Offset
		for _, f := range r.Fields {
			name := "HC_" + r.Name + "_" + strings.ToUpper(f.Name)
			all[name+"_LSB"], all[name+"_BITS"] = f.LSB, f.Bits
		}
	}
	for _, c := range codes() {
		all["HC_"+c.Name] = c.Value
	}
	return all
}

// The register file is written with the constants of this description.
func TestRegisterFileHasTheMap(t *testing.T) {
	text, err := hdl.Source("hc_config_registers")
	require.NoError(t, err)
	const before = "    // Printed by package registers; its test compares them.\n"
	assert.Contains(t, text, before+LocalParams()+"\n",
		"put this into hdl/programmable/hc_config_registers.v:\n%s%s", before, LocalParams())
	for _, c := range ErrorCodes()[1:] {
		name := strings.Replace(c.Name, "ERROR_", "BAD_", 1)
		engine, err := hdl.Source("hc_weight_engine")
		require.NoError(t, err)
		assert.Regexp(t, fmt.Sprintf(`localparam \[2:0\] %s +=\s+3'd%d;`, name, c.Value), engine)
	}
}

// A compiler and a simulator print what the header and the Verilog say.
func TestHeaderAndVerilogSayTheSame(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	run := func(tool string, arguments ...string) string {
		t.Helper()
		needs.Tools(t, tool)
		command := exec.Command(tool, arguments...)
		command.Dir = dir
		text, err := command.CombinedOutput()
		require.NoError(t, err, string(text))
		return string(text)
	}
	perDimension := map[string]bool{}
	for _, r := range Map() {
		perDimension["HC_"+r.Name] = r.PerDimension
	}
	var inC, inVerilog, want strings.Builder
	for name, value := range constants() {
		fmt.Fprintf(&want, "%s %d\n", name, value)
		fmt.Fprintf(&inVerilog, "    $display(\"%s %%0d\", %s);\n", name, name)
		if perDimension[name] {
			fmt.Fprintf(&inC, "  if (%s(3) != %s(0) + 12) return 1;\n", name, name)
			name += "(0)"
		}
		fmt.Fprintf(&inC, "  printf(\"%s %%d\\n\", %s);\n", strings.TrimSuffix(name, "(0)"), name)
	}
	write("hc_registers.h", C())
	write("main.c", "#include <stdio.h>\n#include \"hc_registers.h\"\n#include \"hc_registers.h\"\nint main(void) {\n"+inC.String()+"  return 0;\n}\n")
	run("gcc", "-std=c89", "-Wall", "-Wextra", "-Werror", "-pedantic", "main.c", "-o", "main")
	assert.Equal(t, want.String(), run(filepath.Join(dir, "main")))

	write("hc_registers.vh", Verilog())
	write("main.v", "module main;\n`include \"hc_registers.vh\"\ninitial begin\n"+inVerilog.String()+"end\nendmodule\n")
	run("iverilog", "-g2005", "-Wall", "-o", "main.vvp", "main.v")
	assert.Equal(t, want.String(), run("vvp", "-n", "main.vvp"))
}

func TestJSONSaysTheSame(t *testing.T) {
	var read struct {
		Version   int
		Registers []struct {
			Name          string
			Offset, Count int
			Fields        []struct {
				Name      string
				LSB, Bits int
			}
		}
		Codes []struct {
			Name  string
			Value int
		}
	}
	require.NoError(t, json.Unmarshal([]byte(JSON()), &read))
	got := map[string]int{"HC_VERSION": read.Version}
	for i, r := range read.Registers {
		got["HC_"+r.Name] = r.Offset
		assert.Equal(t, Map()[i].PerDimension, r.Count == MaxDimensions, r.Name)
		for _, f := range r.Fields {
			name := "HC_" + r.Name + "_" + strings.ToUpper(f.Name)
			got[name+"_LSB"], got[name+"_BITS"] = f.LSB, f.Bits
		}
	}
	for _, c := range read.Codes {
		got["HC_"+c.Name] = c.Value
	}
	assert.Equal(t, constants(), got)
}

func TestMarkdownSaysTheSame(t *testing.T) {
	got := map[string]int{"HC_VERSION": Version} // not in the table
	var register string
	for _, line := range strings.Split(Markdown(), "\n") {
		if m := regexp.MustCompile("^\\| 0x([0-9a-f]+)( \\+ 4 i)? \\| `([A-Z]+)` \\| ").FindStringSubmatch(line); m != nil {
			register = "HC_" + m[3]
			var offset int
			_, err := fmt.Sscanf(m[1], "%x", &offset)
			require.NoError(t, err)
			got[register] = offset
		} else if m := regexp.MustCompile("^\\| \\| \\| \\| (?:([0-9]+):)?([0-9]+) \\| `([a-z_]+)` \\| ").FindStringSubmatch(line); m != nil {
			var high, low int
			_, err := fmt.Sscan(m[2], &low)
			require.NoError(t, err)
			high = low
			if m[1] != "" {
				_, err = fmt.Sscan(m[1], &high)
				require.NoError(t, err)
			}
			got[register+"_"+strings.ToUpper(m[3])+"_LSB"] = low
			got[register+"_"+strings.ToUpper(m[3])+"_BITS"] = high - low + 1
		} else if m := regexp.MustCompile("^\\| `([A-Z_]+)` \\| ([0-9]+) \\| ").FindStringSubmatch(line); m != nil {
			var value int
			_, err := fmt.Sscan(m[2], &value)
			require.NoError(t, err)
			got["HC_"+m[1]] = value
		}
	}
	assert.Equal(t, constants(), got)
}
