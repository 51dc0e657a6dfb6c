// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the wanted messages in testdata")

// rendered returns the diagnostics as a user sees them.
func rendered(t testing.TB, files map[string]*hcl.File, diags hcl.Diagnostics) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteDiagnostics(&b, "", files, diags))
	return b.String()
}

// description is a case of the tests. In an archive of testdata it has the files NAME/FILE: machine.hcl or
// machine.json; vars.txt with lines name=value, if it needs variables; want.txt, the wanted messages, if there
// are any; and want.json, the wanted canonical JSON of a good description.
type description struct {
	archive, name string
	file          string // machine.hcl or machine.json
	src           []byte
	vars          map[string]string
	want          map[string]string // by file
}

// theme is the name of the archive.
func (d *description) theme() string { return strings.TrimSuffix(filepath.Base(d.archive), ".txtar") }

// load calls LoadBytes.
func (d *description) load() (*Machine, map[string]*hcl.File, hcl.Diagnostics) {
	return LoadBytes(d.file, d.src, d.vars, withSchedules)
}

const (
	bad  = "testdata/bad/*.txtar"
	good = "testdata/good.txtar"
)

// cases reads archives. Names differ, and a file that belongs to no case is an error.
func cases(t testing.TB, pattern string) []*description {
	t.Helper()
	archives, err := filepath.Glob(pattern)
	require.NoError(t, err)
	var all []*description
	known := map[string]*description{}
	for _, archive := range archives {
		a, err := txtar.ParseFile(archive)
		require.NoError(t, err)
		for _, f := range a.Files {
			name, file, _ := strings.Cut(f.Name, "/")
			d := known[name]
			if d == nil {
				d = &description{archive: archive, name: name, want: map[string]string{}}
				known[name], all = d, append(all, d)
			}
			require.Equal(t, archive, d.archive, "%s is in two archives", name)
			d.add(t, file, f.Data)
		}
	}
	require.NotEmpty(t, all)
	for _, d := range all {
		require.NotEmpty(t, d.file, "%s has no machine.hcl or machine.json", d.name)
	}
	return all
}

// add takes a file of a case.
func (d *description) add(t testing.TB, file string, data []byte) {
	t.Helper()
	input := !strings.HasPrefix(file, "want.")
	if input && d.theme() == "quoted" {
		data = unquoted(t, data)
	}
	switch _, twice := d.want[file]; {
	case (file == "machine.hcl" || file == "machine.json") && d.file == "":
		d.file, d.src = file, data
	case file == "vars.txt" && d.vars == nil:
		d.vars = map[string]string{}
		for line := range strings.Lines(string(data)) {
			name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			require.True(t, ok, "%s/%s: %s", d.name, file, line)
			d.vars[name] = value
		}
	case (file == "want.txt" || file == "want.json") && !twice:
		d.want[file] = string(data)
	default:
		require.Fail(t, "a file too many", "%s: %s/%s", d.archive, d.name, file)
	}
}

// unquoted joins strings of Go, one on each line.
func unquoted(t testing.TB, lines []byte) []byte {
	t.Helper()
	var text strings.Builder
	for line := range strings.Lines(string(lines)) {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		require.NoError(t, err, line)
		text.WriteString(s)
	}
	return []byte(text.String())
}

// compare holds got against a wanted file of a case, or records it with -update.
func (d *description) compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		d.record(t, file, got)
		return
	}
	assert.Equal(t, d.want[file], got, "accept the change with go test ./machine -update")
}

// record writes a wanted file of the case into its archive; a new file comes after the others of the case.
func (d *description) record(t *testing.T, file, got string) {
	t.Helper()
	a, err := txtar.ParseFile(d.archive)
	require.NoError(t, err)
	name, last := d.name+"/"+file, 0
	for i, f := range a.Files {
		if f.Name == name {
			a.Files[i].Data = []byte(got)
			got = ""
		} else if strings.HasPrefix(f.Name, d.name+"/") {
			last = i + 1
		}
	}
	if got != "" {
		a.Files = slices.Insert(a.Files, last, txtar.File{Name: name, Data: []byte(got)})
	}
	require.NoError(t, os.WriteFile(d.archive, txtar.Format(a), 0o644))
}

func TestEachMistakeIsReportedWithItsPlaceAndWhatToDo(t *testing.T) {
	for _, d := range cases(t, bad) {
		t.Run(d.name, func(t *testing.T) {
			m, files, diags := d.load()
			assert.Nil(t, m)
			require.True(t, diags.HasErrors())
			got := rendered(t, files, diags)
			assertShowable(t, got)
			d.compare(t, "want.txt", got)
			if d.theme() != "several" {
				assert.Len(t, diags, 1, "one mistake must give one message, no follow-up noise:\n%s", got)
			}
			for _, d := range diags {
				assert.NotEmpty(t, d.Detail)
				if d.Subject == nil {
					continue
				}
				assert.Contains(t, files, d.Subject.Filename, "the caller needs the source to show it")
			}
		})
	}
}

// assertShowable fails if text could change the state of a terminal.
func assertShowable(t *testing.T, text string) {
	t.Helper()
	assert.True(t, utf8.ValidString(text))
	for _, r := range text {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			t.Errorf("the messages contain the unprintable character %U", r)
		}
	}
}

func TestHCLsOwnWriterShowsTheSameFilesSafely(t *testing.T) {
	for _, d := range cases(t, bad) {
		_, files, diags := d.load()
		var b bytes.Buffer
		w := hcl.NewDiagnosticTextWriter(&b, files, 78, false)
		require.NoError(t, w.WriteDiagnostics(diags), d.name)
		assert.False(t, bytes.ContainsAny(b.Bytes(), "\x00\x1b"), d.name)
		assert.True(t, utf8.Valid(b.Bytes()), d.name)
	}
}

func TestMessagesAreTheSameInEveryRun(t *testing.T) {
	all := cases(t, bad)
	d := all[slices.IndexFunc(all, func(d *description) bool { return d.name == "several_everywhere" })]
	_, files, diags := d.load()
	want := rendered(t, files, diags)
	for range 50 {
		_, files, diags := d.load()
		require.Equal(t, want, rendered(t, files, diags))
	}
}
