// SPDX-License-Identifier: Apache-2.0

package registers

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
)

// forEach runs a test on every map.
func forEach(t *testing.T, test func(t *testing.T, m Map)) {
	for _, m := range []Map{Programmable(), Endpoint()} {
		t.Run(m.File, func(t *testing.T) { test(t, m) })
	}
}

func TestMapIsSound(t *testing.T) { forEach(t, mapIsSound) }

func mapIsSound(t *testing.T, m Map) {
	taken := map[int]string{}
	names := map[string]bool{}
	for _, r := range m.Registers {
		assert.False(t, names[r.Name], r.Name)
		names[r.Name] = true
		assert.Regexp(t, `^[A-Z]+$`, r.Name)
		assert.Regexp(t, `^[A-Z].*\.$`, r.Meaning)
		count := 1
		if r.PerDimension {
			count = m.MaxDimensions
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
	for _, n := range m.named {
		assert.True(t, slices.ContainsFunc(m.Register(n.register).Fields, func(f Field) bool { return f.Name == n.field }), n.field)
	}
}

func TestCodesAreThoseOfTheirFields(t *testing.T) {
	for i, c := range ErrorCodes() {
		assert.Equal(t, i, c.Value, c.Name)
	}
	for _, c := range PreferenceCodes() {
		assert.Equal(t, c.Name, "PREFERENCE_"+strings.ToUpper(hypercycle.Preference(c.Value).String()))
	}
	assert.Len(t, PreferenceCodes(), len(hypercycle.PreferenceNames()))
}

// A design can have programmable routers and endpoints.
func TestNamesOfTheMapsDiffer(t *testing.T) {
	a, b := constants(Programmable()), constants(Endpoint())
	for name := range a {
		assert.NotContains(t, b, name)
	}
	assert.NotEqual(t, Programmable().File, Endpoint().File)
}

func TestEndpointsHaveRoomForEveryDimension(t *testing.T) {
	assert.Equal(t, machine.MaxNetworkNodes, 1<<EndpointDimensions, "most nodes, with 2 in each dimension")
}

// constants are the values that every print must contain, by name: HC_STATUS is an address,
// HC_STATUS_CODE_LSB and HC_STATUS_CODE_BITS belong to a field.
func constants(m Map) map[string]int {
	all := map[string]int{m.Prefix + "_VERSION": m.Version}
	for _, r := range m.Registers {
		all[m.Prefix+"_"+r.Name] = r.Offset
		for _, f := range r.Fields {
			name := m.Prefix + "_" + r.Name + "_" + strings.ToUpper(f.Name)
			all[name+"_LSB"], all[name+"_BITS"] = f.LSB, f.Bits
		}
	}
	for _, c := range m.codes() {
		all[m.Prefix+"_"+c.Name] = c.Value
	}
	return all
}

// The register file is written with the constants of this description.
func TestRegisterFileHasTheMap(t *testing.T) {
	text, err := hdl.Source("hc_config_registers")
	require.NoError(t, err)
	const before = "    // Printed by package registers; its test compares them.\n"
	assert.Contains(t, text, before+Programmable().LocalParams()+"\n",
		"put this into hdl/programmable/hc_config_registers.v:\n%s%s", before, Programmable().LocalParams())
	for _, c := range ErrorCodes()[1:] {
		name := strings.Replace(c.Name, "ERROR_", "BAD_", 1)
		engine, err := hdl.Source("hc_weight_engine")
		require.NoError(t, err)
		assert.Regexp(t, fmt.Sprintf(`localparam \[2:0\] %s +=\s+3'd%d;`, name, c.Value), engine)
	}
}

// The registers of the endpoint have their places in the hardware, and the first ring of a machine has that of DIMENSION.
func TestEndpointHasTheMap(t *testing.T) {
	text, err := hdl.Source("hc_endpoint_registers")
	require.NoError(t, err)
	m := Endpoint()
	got := map[string]int{"DIMENSION": 0x40} // block 1
	assert.Contains(t, text, "offset[WORD_BITS-1:4]")
	assert.Contains(t, text, "rings = block == 1 ")
	assert.Contains(t, text, fmt.Sprintf("localparam integer VERSION    = %d;", m.Version))
	for _, place := range regexp.MustCompile(`([A-Z]+) = (\d)[,;]`).FindAllStringSubmatch(regexp.MustCompile(`localparam \[3:0\].*`).FindString(text), -1) {
		name := strings.Replace(place[1], "COUNT", "NODES", 1) // a parameter of the module has this name
		got[name], err = strconv.Atoi(place[2])
		require.NoError(t, err)
		got[name] *= Word
	}
	want := map[string]int{}
	for _, r := range m.Registers {
		want[r.Name] = r.Offset
	}
	assert.Equal(t, want, got)
}

// A compiler and a simulator print what the header and the Verilog say.
func TestHeaderAndVerilogSayTheSame(t *testing.T) { forEach(t, headerAndVerilogSayTheSame) }

func headerAndVerilogSayTheSame(t *testing.T, of Map) {
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
	for _, r := range of.Registers {
		perDimension[of.Prefix+"_"+r.Name] = r.PerDimension
	}
	var inC, inVerilog, want strings.Builder
	for name, value := range constants(of) {
		fmt.Fprintf(&want, "%s %d\n", name, value)
		fmt.Fprintf(&inVerilog, "    $display(\"%s %%0d\", %s);\n", name, name)
		if perDimension[name] {
			fmt.Fprintf(&inC, "  if (%s(3) != %s(0) + 12) return 1;\n", name, name)
			name += "(0)"
		}
		fmt.Fprintf(&inC, "  printf(\"%s %%d\\n\", %s);\n", strings.TrimSuffix(name, "(0)"), name)
	}
	write(of.File+".h", of.C())
	write("main.c", "#include <stdio.h>\n"+strings.Repeat("#include \""+of.File+".h\"\n", 2)+"int main(void) {\n"+inC.String()+"  return 0;\n}\n")
	run("gcc", "-std=c89", "-Wall", "-Wextra", "-Werror", "-pedantic", "main.c", "-o", "main")
	assert.Equal(t, want.String(), run(filepath.Join(dir, "main")))

	write(of.File+".vh", of.Verilog())
	write("main.v", "module main;\n`include \""+of.File+".vh\"\ninitial begin\n"+inVerilog.String()+"end\nendmodule\n")
	run("iverilog", "-g2005", "-Wall", "-o", "main.vvp", "main.v")
	assert.Equal(t, want.String(), run("vvp", "-n", "main.vvp"))
}

func TestJSONSaysTheSame(t *testing.T) { forEach(t, jsonSaysTheSame) }

func jsonSaysTheSame(t *testing.T, of Map) {
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
	require.NoError(t, json.Unmarshal([]byte(of.JSON()), &read))
	got := map[string]int{of.Prefix + "_VERSION": read.Version}
	for i, r := range read.Registers {
		got[of.Prefix+"_"+r.Name] = r.Offset
		assert.Equal(t, of.Registers[i].PerDimension, r.Count == of.MaxDimensions, r.Name)
		for _, f := range r.Fields {
			name := of.Prefix + "_" + r.Name + "_" + strings.ToUpper(f.Name)
			got[name+"_LSB"], got[name+"_BITS"] = f.LSB, f.Bits
		}
	}
	for _, c := range read.Codes {
		got[of.Prefix+"_"+c.Name] = c.Value
	}
	assert.Equal(t, constants(of), got)
}

// keywords are those of SystemRDL 2.0, clause 4.3.
var keywords = strings.Fields(`abstract accesstype addressingtype addrmap alias all bit boolean bothedge compact component
	componentwidth constraint default encode enum external false field fullalign hw inside internal level longint mem na name
	negedge nonsticky number onreadtype onwritetype posedge property r rclr ref reg regalign regfile rset ruser rw rw1 signal
	string struct sw this true type unsigned w w1 wclr woclr woset wot wr wset wuser wzc wzs wzt`)

// The lines of the description in SystemRDL are those known here, and they have the same addresses, bits and codes. There
// is no compiler of SystemRDL among the tools.
func TestSystemRDLSaysTheSame(t *testing.T) { forEach(t, systemRDLSaysTheSame) }

func systemRDLSaysTheSame(t *testing.T, of Map) {
	number := func(text string) int {
		value, err := strconv.ParseInt(text, 0, 32)
		require.NoError(t, err)
		return int(value)
	}
	const text = `"[^"\\]*"`
	field := regexp.MustCompile(`^        field \{ desc = ` + text + `; (sw = [^}]*? hw = [^}]*?;)( encode = (\w+);)? \} (\\?)(\w+)\[(\d+):(\d+)\];$`)
	code := regexp.MustCompile(`^            (\w+) = (\d+)'d(\d+) \{ desc = ` + text + `; \};$`)
	enum := regexp.MustCompile(`^        enum (\w+) \{$`)
	end := regexp.MustCompile(`^    \} (\w+)(\[(\d+)\])? @ (\w+)( \+= (\w+))?;`)
	other := regexp.MustCompile(`^(|//.*|addrmap ` + of.File + ` \{|\};|    reg \{|        \};|    name = ` + text + `;|    default (reg|access)width = 32;|        desc = ` + text + `;)$`)
	got := map[string]int{of.Prefix + "_VERSION": of.Version} // not in SystemRDL
	access := map[string]Access{
		"sw = r; hw = w;": ReadOnly, "sw = rw; hw = r;": ReadWrite, "sw = w; hw = r;": WriteOnly,
		"sw = rw; onwrite = woclr; hw = r; hwset; precedence = hw;": Clear, "sw = rw; onwrite = wset; hw = r; hwclr; precedence = hw;": Set,
	}
	count := 0
	var encoding, width string
	fields := map[string]int{}
	for _, line := range strings.Split(of.RDL(), "\n") {
		r := of.Registers[min(count, len(of.Registers)-1)]
		switch {
		case enum.MatchString(line):
			encoding = enum.FindStringSubmatch(line)[1]
		case code.MatchString(line):
			m := code.FindStringSubmatch(line)
			got[of.Prefix+"_"+m[1]], width = number(m[3]), m[2]
		case field.MatchString(line):
			m := field.FindStringSubmatch(line)
			assert.Equal(t, r.Access, access[m[1]], "%s.%s", r.Name, m[5])
			assert.Equal(t, slices.Contains(keywords, m[5]), m[4] != "", "%s is escaped if it is a keyword", m[5])
			name := "_" + strings.ToUpper(m[5])
			fields[name+"_LSB"], fields[name+"_BITS"] = number(m[7]), number(m[6])-number(m[7])+1
			assert.Equal(t, encoding, m[3])
			if encoding != "" {
				assert.Equal(t, number(width), fields[name+"_BITS"])
			}
			encoding = ""
		case end.MatchString(line):
			m := end.FindStringSubmatch(line)
			assert.Equal(t, r.Name, m[1])
			assert.Equal(t, r.PerDimension, m[2] != "" && number(m[3]) == of.MaxDimensions && number(m[6]) == Word, r.Name)
			got[of.Prefix+"_"+m[1]] = number(m[4])
			for name, value := range fields {
				got[of.Prefix+"_"+m[1]+name] = value
			}
			clear(fields)
			count++
		default:
			assert.Regexp(t, other, line)
		}
	}
	assert.Equal(t, constants(of), got)
	assert.Equal(t, strings.Count(of.RDL(), "{"), strings.Count(of.RDL(), "}"))
}

func TestMarkdownSaysTheSame(t *testing.T) { forEach(t, markdownSaysTheSame) }

func markdownSaysTheSame(t *testing.T, of Map) {
	got := map[string]int{of.Prefix + "_VERSION": of.Version} // not in the table
	var register string
	for _, line := range strings.Split(of.Markdown(), "\n") {
		if m := regexp.MustCompile("^\\| 0x([0-9a-f]+)( \\+ 4 i)? \\| `([A-Z]+)` \\| ").FindStringSubmatch(line); m != nil {
			register = of.Prefix + "_" + m[3]
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
			got[of.Prefix+"_"+m[1]] = value
		}
	}
	assert.Equal(t, constants(of), got)
}
