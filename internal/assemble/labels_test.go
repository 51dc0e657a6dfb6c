// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// labels are the names of a description that generated files contain.
type labels struct{ machine, dimension, traffic, synthesis string }

// plain labels occur nowhere else in generated files.
var plain = labels{"qqmachine", "qqdimension", "qqtraffic", "qqsynthesis"}

// label returns a pointer to the label of a kind.
func (l *labels) label(kind string) *string {
	return map[string]*string{"machine": &l.machine, "dimension": &l.dimension, "traffic": &l.traffic, "synthesis": &l.synthesis}[kind]
}

var kinds = []string{"machine", "dimension", "traffic", "synthesis"}

// quoted writes a string of HCL in which nothing is evaluated.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case (r == '$' || r == '%') && strings.HasPrefix(s[i+1:], "{"):
			b.WriteString(string(r) + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// hcl is a description with these labels, literally or, except for that of the machine,
// computed.
func (l labels) hcl(computed bool) string {
	block := func(kind, label, body string) string {
		if computed {
			return fmt.Sprintf("dynamic %q {\nfor_each = [%s]\nlabels = [%s.value]\ncontent {\n%s}\n}\n", kind, quoted(label), kind, body)
		}
		return fmt.Sprintf("%s %s {\n%s}\n", kind, quoted(label), body)
	}
	return "machine " + quoted(l.machine) + " {\n" + block("dimension", l.dimension, "m = 4\nrho = 1\n") + "}\n" +
		block("traffic", l.traffic, "cycles = 3\nbroadcast {\nsources = [[1]]\n}\n") +
		block("synthesis", l.synthesis, "clock_mhz = 50\n")
}

func (l labels) json(t testing.TB) string {
	type o = map[string]any
	text, err := json.Marshal(o{
		"machine":   o{l.machine: o{"dimension": o{l.dimension: o{"m": 4, "rho": 1}}}},
		"traffic":   o{l.traffic: o{"cycles": 3, "broadcast": o{"sources": [][]int{{1}}}}},
		"synthesis": o{l.synthesis: o{"clock_mhz": 50}},
	})
	require.NoError(t, err)
	return string(text)
}

// written makes all files except the long trace of the router, which has no labels.
func written(t testing.TB, m *machine.Machine) map[string]string {
	t.Helper()
	files, err := Files(plan.New(m), Options{})
	require.NoError(t, err)
	made := map[string]string{}
	for _, f := range files {
		if f.Path == "golden/router.trace" {
			made[f.Path] = ""
			continue
		}
		var b bytes.Buffer
		require.NoError(t, f.Content(&b), f.Path)
		made[f.Path] = b.String()
	}
	return made
}

var (
	config    = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	payload   = regexp.MustCompile(`(?m) [0-9a-f]{8}$`) // depends on the name of the traffic
	legalName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
)

// words returns a text without the parts that may depend on a label: white space, because
// columns are aligned, hashes and payloads.
func words(s string) string {
	s = config.ReplaceAllString(s, "HASH")
	return strings.Join(strings.Fields(payload.ReplaceAllString(s, " PAYLOAD")), " ")
}

var plainFiles sync.Map

// reference makes the files of plain labels, once.
func reference(t testing.TB) map[string]string {
	t.Helper()
	if made, ok := plainFiles.Load(plain); ok {
		return made.(map[string]string)
	}
	m, _, diags := machine.LoadBytes("plain.hcl", []byte(plain.hcl(false)), nil)
	require.False(t, diags.HasErrors(), diags.Error())
	made := written(t, m)
	plainFiles.Store(plain, made)
	return made
}

// assertHarmless checks the result of a description with these labels: messages that are safe to
// print, or files that differ from those of plain labels only in the labels.
func assertHarmless(t *testing.T, l labels, file, text string) (accepted bool) {
	t.Helper()
	m, files, diags := machine.LoadBytes(file, []byte(text), nil)
	if m == nil {
		var b bytes.Buffer
		require.NoError(t, machine.WriteDiagnostics(&b, "hcgen: ", files, diags))
		require.True(t, utf8.Valid(b.Bytes()) && !strings.ContainsAny(b.String(), "\x00\x1b\r\u2028\u202e\u200b"), "%q", b.String())
		require.Contains(t, b.String(), "on "+file+":", "the place is named")
		return false
	}
	for _, kind := range kinds {
		require.Regexp(t, legalName, *l.label(kind), kind)
	}
	want := map[string]string{}
	replace := strings.NewReplacer(plain.machine, l.machine, plain.dimension, l.dimension, plain.traffic, l.traffic, plain.synthesis, l.synthesis)
	for path, content := range reference(t) {
		want[replace.Replace(path)] = words(replace.Replace(content))
	}
	got := written(t, m)
	require.Len(t, got, len(want))
	for path, content := range got {
		require.True(t, filepath.IsLocal(path) && !strings.ContainsAny(path, " $\\:'\"\n"), "%q", path)
		require.Contains(t, want, path)
		require.Equal(t, want[path], words(content), path)
	}
	return true
}

// hostile labels try to break out of their place.
var hostile = []string{
	"", " ", ".", "..", "../..", "../../etc/passwd", "/etc/passwd", "a/b", `a\b`, `C:\x`, "-rf", "--help", "~", "*", "a b", " a", "a ",
	"a;rm -rf b", "$(shell touch pwned)", "${MAKE}", "$$", "`touch pwned`", "a`include", "%{ if true }", "${local.x}",
	"a\nall:\n\ttouch pwned", "a\r\n", "a\tb", "a\x00b", "\x1b[2J", "a\u0085b", "a\u2028b", "a\u202eb", "a\u200bb", "\ufeffa", "\u00e9", "\u0430bc", "\uff41", "A\u0301",
	`a"b`, "a'b", `a"; endmodule module b(); "`, "a*/b", "/*", "//", "a//b", "(* x *)", "a#b", "#", "a:b", "a=b", "a,b", "a.b", "a-b", "a%b", "a&b", "<a>", "a|b", "a@b", "a!b", "{a}", "[a]", "(a)",
	"1", "0a", "_", "_a", "a_", "a__b", `\a `, "$a", "a$b",
	strings.Repeat("a", machine.MaxNameLength+1), strings.Repeat("a", 100_000), strings.Repeat("é", machine.MaxNameLength),
	"\xff", "a\xc3", "\xed\xa0\x80",
}

func TestHostileLabelsAreRefused(t *testing.T) {
	for _, kind := range kinds {
		for _, bad := range hostile {
			t.Run(fmt.Sprintf("%s/%.20q", kind, bad), func(t *testing.T) {
				l := plain
				*l.label(kind) = bad
				for _, computed := range []bool{false, true} {
					assert.False(t, assertHarmless(t, l, "machine.hcl", l.hcl(computed)))
				}
				if utf8.ValidString(bad) { // json.Marshal would change any other label
					assert.False(t, assertHarmless(t, l, "machine.hcl.json", l.json(t)))
				}
			})
		}
	}
}

// Names that a tool could misread, but none does, keywords among them, because in files they are parts of longer names.
// They are legal, and the files are like those of any other name.
func TestOddLabelsAreHarmless(t *testing.T) {
	for i, good := range []string{"a", "Z", "x9", "a_b", "all", "clean", "help", "sim", "synth", "PHONY", "MAKE", "SHELL", "clk", "rst", "hc",
		"std", "main", "top", "bench", "manifest", "Makefile", "rtl", "E5", "x0", "e1", strings.Repeat("a", machine.MaxNameLength),
		"module", "endmodule", "wire", "logic", "int", "class", "small", "namespace", "nullptr", "con", "Aux"} {
		for j, kind := range kinds {
			if testing.Short() && i%len(kinds) != j {
				continue // make test-all tries each name at each place
			}
			t.Run(kind+"/"+good, func(t *testing.T) {
				l := plain
				*l.label(kind) = good
				assert.True(t, assertHarmless(t, l, "machine.hcl", l.hcl(false)))
			})
		}
	}
}

// FuzzLabels: every label is rejected with a message that is safe to print, or appears in the
// files and changes nothing else.
func FuzzLabels(f *testing.F) {
	for i, bad := range hostile {
		if len(bad) < 1000 {
			f.Add(uint8(i), bad)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, label string) {
		if len(label) > 2*machine.MaxNameLength {
			return
		}
		l := plain
		*l.label(kinds[kind%4]) = label
		accepted := assertHarmless(t, l, "machine.hcl", l.hcl(kind&4 != 0))
		if utf8.ValidString(label) {
			assert.Equal(t, accepted, assertHarmless(t, l, "machine.hcl.json", l.json(t)), "the variants differ")
		}
	})
}
