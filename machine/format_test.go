// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// examples returns the descriptions in configs.
func examples(t testing.TB) []*description {
	t.Helper()
	found, err := filepath.Glob("../configs/*.hcl")
	require.NoError(t, err)
	require.NotEmpty(t, found)
	var all []*description
	for _, name := range found {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		all = append(all, &description{name: name, file: "machine.hcl", src: src})
	}
	return all
}

// Formatting changes neither what a description means nor the number of its
// lines, and changes nothing when repeated; text that cannot be parsed has the
// same errors as when loaded.
func TestFormatChangesNothingButWhiteSpace(t *testing.T) {
	formattedOnes := 0
	for _, d := range slices.Concat(examples(t), cases(t, bad), cases(t, good)) {
		name, src := d.name, d.src
		if IsJSON(d.file) {
			continue
		}
		out, files, diags := Format(d.file, src)
		m, loadedFiles, loadDiags := d.load()
		if out == nil {
			require.True(t, diags.HasErrors(), name)
			assert.Equal(t, rendered(t, loadedFiles, loadDiags), rendered(t, files, diags), name)
			continue
		}
		formattedOnes++
		require.False(t, diags.HasErrors(), name)
		again, _, _ := Format(d.file, out)
		assert.Equal(t, string(out), string(again), "%s: formatting is not stable", name)
		assert.Equal(t, strings.Count(string(src), "\n"), strings.Count(string(out), "\n"), name)
		if m != nil {
			same, _, _ := LoadBytes(d.file, out, d.vars, withSchedules)
			require.NotNil(t, same, name)
			assert.Equal(t, m.Hash, same.Hash, name)
		}
	}
	assert.Greater(t, formattedOnes, 50)
}

func TestExamplesAreFormatted(t *testing.T) {
	for _, d := range examples(t) {
		out, _, _ := Format(d.file, d.src)
		assert.Equal(t, string(out), string(d.src), "hcgen fmt %s fixes it", d.name)
	}
}

func TestFormatKeepsLineEndsOfWindows(t *testing.T) {
	src := []byte("machine \"a\" {\r\n  dimension \"x\" {\r\n    m = 4\r\n    rho = 1\r\n  }\r\n}\r\n")
	out, _, diags := Format("a.hcl", src)
	require.False(t, diags.HasErrors())
	assert.Equal(t, strings.Replace(string(src), "m =", "m   =", 1), string(out))
}
