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

var (
	peakField  = regexp.MustCompile(`(?m)^#define (HC_REGISTERS__(\w+?)__(\w+))_bp `)
	peakMember = regexp.MustCompile(`(?m)^    uint32_t (\w+?)(\[\d+\])?;$`)
	ourField   = regexp.MustCompile(`(?m)^#define HC_\w+_LSB `)
	ourAddress = regexp.MustCompile(`(?m)^#define HC_\w+(?:\(i\))? \(?0x`)
)

// The reference compiler of SystemRDL reads the registers without a warning, and the C header that PeakRDL makes from them has
// the registers and fields of ours, as a C compiler finds.
func TestSystemRDL(t *testing.T) {
	ready(t)
	for _, name := range []string{"wishbone", "axi4lite"} {
		t.Run(name, func(t *testing.T) {
			f := generate(t, name)
			rdl := f.files(t, "registers/*.rdl")
			require.Len(t, rdl, 1)
			text, err := f.describe(t, "rdl", rdl[0], "peakrdl.h")
			require.NoError(t, err, text)

			ours, peak := f.read(t, strings.TrimSuffix(rdl[0], ".rdl")+".h"), f.read(t, "peakrdl.h")
			var b strings.Builder
			fmt.Fprintf(&b, "#include <stddef.h>\n#include \"peakrdl.h\"\n#include \"%s.h\"\n", strings.TrimSuffix(rdl[0], ".rdl"))
			same := func(a, b string) string { return fmt.Sprintf("_Static_assert(%s == %s, %q);\n", a, b, a) }
			fields := peakField.FindAllStringSubmatch(peak, -1)
			for _, m := range fields {
				b.WriteString(same(m[1]+"_bp", "HC_"+m[2]+"_"+m[3]+"_LSB"))
				b.WriteString(same(m[1]+"_bw", "HC_"+m[2]+"_"+m[3]+"_BITS"))
			}
			registers := peakMember.FindAllStringSubmatch(peak, -1)
			for _, m := range registers {
				if m[2] == "" {
					b.WriteString(same("offsetof(hc_registers_t, "+m[1]+")", "HC_"+m[1]))
				} else {
					b.WriteString(same("offsetof(hc_registers_t, "+m[1]+"[1])", "HC_"+m[1]+"(1)"))
				}
			}
			assert.Len(t, fields, len(ourField.FindAllString(ours, -1)))
			assert.Len(t, registers, len(ourAddress.FindAllString(ours, -1)))
			f.write(t, "headers.c", b.String())
			f.clean(t, "gcc", "-std=c11", "-Wall", "-Wextra", "-fsyntax-only", "headers.c")

			f.write(t, "headers.c", strings.Replace(b.String(), "_STATUS_CODE_LSB", "_STATUS_DONE_LSB", 1))
			text, err = f.run(t, "gcc", "-std=c11", "-fsyntax-only", "headers.c")
			require.Error(t, err)
			assert.Contains(t, text, "HC_REGISTERS__STATUS__CODE_bp")

			f.write(t, "fault.rdl", strings.Replace(f.read(t, rdl[0]), "start[0:0]", "start[32:32]", 1))
			text, err = f.describe(t, "rdl", "fault.rdl", "fault.h")
			require.Error(t, err)
			assert.Contains(t, text, "start")
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
