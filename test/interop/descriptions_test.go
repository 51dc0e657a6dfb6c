// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan/registers"
	"github.com/hcgen/hcgen/test/internal/harness"
)

func init() { readers["ipxact"] = ipxact }

// describe reads a description with descriptions.py.
func (f folder) describe(t *testing.T, words ...string) (string, error) {
	t.Helper()
	script, err := filepath.Abs("descriptions.py")
	require.NoError(t, err)
	return f.run(t, append([]string{tool(t, "python"), "-W", "error", script}, words...)...)
}

// ipxact: the schemas of Accellera accept the descriptions in IP-XACT, and a reader of the version of 2022 finds the ports of
// the table and the bus interfaces.
func ipxact(t *testing.T, f folder) {
	text, err := f.describe(t, "ipxact", "2014", f.integration(".2014.xml"))
	require.NoError(t, err, text)
	text, err = f.describe(t, "ipxact", "2022", f.integration(".2022.xml"))
	require.NoError(t, err, text)
	var got struct {
		Name  string
		Ports []struct {
			Name    string
			Output  bool
			Vectors [][2]int
		}
		Streams map[string]string
	}
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	top, wires := f.top()
	assert.Equal(t, top, got.Name)
	require.Len(t, got.Ports, len(wires))
	streams := 0
	for i, w := range wires {
		port := got.Ports[i]
		assert.Equal(t, w.Name, port.Name)
		assert.Equal(t, w.Output, port.Output, w.Name)
		if w.Vector {
			assert.Equal(t, [][2]int{{w.Width() - 1, 0}}, port.Vectors, w.Name)
		} else {
			assert.Empty(t, port.Vectors, w.Name)
		}
		if strings.HasSuffix(w.Name, "_tvalid") {
			streams += w.Lanes
		}
	}
	assert.Len(t, got.Streams, streams)
	for name, mode := range got.Streams {
		assert.Equal(t, map[byte]string{'s': "target", 'm': "initiator"}[name[0]], mode, name)
	}
}

// The schemas refuse an element at another place, and the reader an unknown word.
func TestIPXACTRefusesFaults(t *testing.T) {
	ready(t)
	f := generate(t, "router_only")
	for _, year := range []string{"2014", "2022"} {
		text := f.read(t, f.integration("."+year+".xml"))
		f.write(t, "fault.xml", strings.Replace(text, "<ipxact:version>0</ipxact:version>", "", 1))
		said, err := f.describe(t, "ipxact", year, "fault.xml")
		require.Error(t, err)
		assert.Contains(t, said, "version", year)
	}
}

// The reference compiler of SystemRDL reads the registers without a warning, and the C header that PeakRDL makes from them has
// the registers and fields of ours, as a C compiler finds, and its memory map in IP-XACT has the registers. The faults are another field in ours, and a bit above the highest.
func TestSystemRDL(t *testing.T) {
	ready(t)
	router, endpoint := registers.Programmable(), registers.Endpoint()
	for _, c := range []struct {
		name, blocks string
		m            registers.Map
		fields       [2]string
		bit          string
	}{
		{"wishbone", options["wishbone"], router, [2]string{"STATUS_CODE", "STATUS_DONE"}, "start[0:0]"},
		{"axi4lite", options["axi4lite"], router, [2]string{"STATUS_CODE", "STATUS_DONE"}, "start[0:0]"},
		{"endpoints", "\n  endpoint {\n  }", endpoint, [2]string{"ERRORS_DROPPED", "ERRORS_OUTSIDE"}, "dropped[2:2]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, out := harness.Generate(t, harness.Text(t, described(c.name, c.blocks)), nil)
			f := newFolder(t, m, out)
			rdl := f.files(t, "registers/*.rdl")
			require.Equal(t, []string{"registers/" + c.m.File + ".rdl"}, rdl)
			text, err := f.describe(t, "rdl", rdl[0], "peakrdl.h", "peakrdl.xml")
			require.NoError(t, err, text)
			assert.Equal(t, len(c.m.Registers), strings.Count(f.read(t, "peakrdl.xml"), "<ipxact:register>"))

			ours, peak := f.read(t, strings.TrimSuffix(rdl[0], ".rdl")+".h"), f.read(t, "peakrdl.h")
			var b strings.Builder
			fmt.Fprintf(&b, "#include <stddef.h>\n#include \"peakrdl.h\"\n#include \"%s.h\"\n", strings.TrimSuffix(rdl[0], ".rdl"))
			same := func(a, b string) string { return fmt.Sprintf("_Static_assert(%s == %s, %q);\n", a, b, a) }
			peakField := regexp.MustCompile(`(?m)^#define (` + strings.ToUpper(c.m.File) + `__(\w+?)__(\w+))_bp `)
			fields := peakField.FindAllStringSubmatch(peak, -1)
			for _, field := range fields {
				b.WriteString(same(field[1]+"_bp", c.m.Prefix+"_"+field[2]+"_"+field[3]+"_LSB"))
				b.WriteString(same(field[1]+"_bw", c.m.Prefix+"_"+field[2]+"_"+field[3]+"_BITS"))
			}
			members := regexp.MustCompile(`(?m)^    uint32_t (\w+?)(\[\d+\])?;$`).FindAllStringSubmatch(peak, -1)
			for _, r := range members {
				if r[2] == "" {
					b.WriteString(same("offsetof("+c.m.File+"_t, "+r[1]+")", c.m.Prefix+"_"+r[1]))
				} else {
					b.WriteString(same("offsetof("+c.m.File+"_t, "+r[1]+"[1])", c.m.Prefix+"_"+r[1]+"(1)"))
				}
			}
			assert.Len(t, fields, len(regexp.MustCompile(`(?m)^#define HC_\w+_LSB `).FindAllString(ours, -1)))
			assert.Len(t, members, len(regexp.MustCompile(`(?m)^#define HC_\w+(?:\(i\))? \(?0x`).FindAllString(ours, -1)))
			assert.Len(t, members, len(c.m.Registers))
			f.write(t, "headers.c", b.String())
			f.clean(t, "gcc", "-std=c11", "-Wall", "-Wextra", "-fsyntax-only", "headers.c")

			f.write(t, "headers.c", strings.Replace(b.String(), c.fields[0]+"_LSB", c.fields[1]+"_LSB", 1))
			text, err = f.run(t, "gcc", "-std=c11", "-fsyntax-only", "headers.c")
			require.Error(t, err)
			assert.Contains(t, text, strings.Replace(c.fields[0], "_", "__", 1)+"_bp")

			field, _, _ := strings.Cut(c.bit, "[")
			f.write(t, "fault.rdl", strings.Replace(f.read(t, rdl[0]), c.bit, field+"[32:32]", 1))
			text, err = f.describe(t, "rdl", "fault.rdl", "fault.h", "fault.xml")
			require.Error(t, err)
			assert.Contains(t, text, field)
		})
	}
}

// FuseSoC runs the targets lint, sim and synth of the machine, with Edalize and the tools of Debian.
func TestFuseSoC(t *testing.T) {
	ready(t)
	for _, name := range []string{"router_only", "no_routers"} {
		t.Run(name, func(t *testing.T) {
			f := generate(t, name)
			for target, said := range map[string]string{"lint": "", "sim": "PASS: ", "synth": ""} {
				text, err := f.run(t, tool(t, "fusesoc"), "--cores-root", ".", "run", "--target", target, "::"+f.p.Name+":0")
				require.NoError(t, err, "%s: %s", target, text)
				assert.Contains(t, text, said)
			}
			assert.NotEmpty(t, f.files(t, "build/*/synth*/*.asc"), "the result of nextpnr")
		})
	}
}
