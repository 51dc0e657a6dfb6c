// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
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

// readCase reads the description of a case folder, machine.hcl or
// machine.json, and its vars.txt with lines name=value, if there is one.
func readCase(t testing.TB, folder string) (name string, src []byte, vars map[string]string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "machine.*"))
	require.NoError(t, err)
	require.Len(t, found, 1, "%s must hold machine.hcl or machine.json", folder)
	src, err = os.ReadFile(found[0])
	require.NoError(t, err)
	vars = map[string]string{}
	text, err := os.ReadFile(filepath.Join(folder, "vars.txt"))
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if n, v, ok := strings.Cut(line, "="); ok {
			vars[n] = v
		}
	}
	return filepath.Base(found[0]), src, vars
}

// compare holds got against a wanted file, or rewrites the file with -update.
func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "record it with go test ./machine -update")
	assert.Equal(t, string(want), got, "accept the change with go test ./machine -update")
}

// caseFolders lists the folders in testdata/kind.
func caseFolders(t testing.TB, kind string) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join("testdata", kind, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	return folders
}

func TestEachMistakeIsReportedWithItsPlaceAndWhatToDo(t *testing.T) {
	for _, folder := range caseFolders(t, "bad") {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			name, src, vars := readCase(t, folder)
			m, files, diags := LoadBytes(name, src, vars)
			assert.Nil(t, m)
			require.True(t, diags.HasErrors())
			got := rendered(t, files, diags)
			assertShowable(t, got)
			compare(t, filepath.Join(folder, "want.txt"), got)
			if !strings.HasPrefix(filepath.Base(folder), "several_") {
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
	for _, folder := range caseFolders(t, "bad") {
		name, src, vars := readCase(t, folder)
		_, files, diags := LoadBytes(name, src, vars)
		var b bytes.Buffer
		w := hcl.NewDiagnosticTextWriter(&b, files, 78, false)
		require.NoError(t, w.WriteDiagnostics(diags), folder)
		assert.False(t, bytes.ContainsAny(b.Bytes(), "\x00\x1b"), folder)
		assert.True(t, utf8.Valid(b.Bytes()), folder)
	}
}

func TestMessagesAreTheSameInEveryRun(t *testing.T) {
	name, src, vars := readCase(t, "testdata/bad/several_everywhere")
	_, files, diags := LoadBytes(name, src, vars)
	want := rendered(t, files, diags)
	for range 50 {
		_, files, diags := LoadBytes(name, src, vars)
		require.Equal(t, want, rendered(t, files, diags))
	}
}
