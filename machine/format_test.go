// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// descriptions returns every description in HCL that the tests have, by its path.
func descriptions(t testing.TB) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{}
	for _, pattern := range []string{"../configs/*.hcl", "testdata/*/*/machine.hcl"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found)
		for _, name := range found {
			texts[name], err = os.ReadFile(name)
			require.NoError(t, err)
		}
	}
	return texts
}

// Formatting changes neither what a description means nor the number of its
// lines, and has nothing to do when done again; what cannot be parsed has the
// same mistakes as when loaded.
func TestFormatChangesNothingButWhiteSpace(t *testing.T) {
	formattedOnes := 0
	for name, src := range descriptions(t) {
		out, files, diags := Format(name, src)
		m, loadedFiles, loadDiags := LoadBytes(name, src, nil)
		if out == nil {
			require.True(t, diags.HasErrors(), name)
			assert.Equal(t, rendered(t, loadedFiles, loadDiags), rendered(t, files, diags), name)
			continue
		}
		formattedOnes++
		require.False(t, diags.HasErrors(), name)
		again, _, _ := Format(name, out)
		assert.Equal(t, string(out), string(again), "%s: formatting is not stable", name)
		assert.Equal(t, strings.Count(string(src), "\n"), strings.Count(string(out), "\n"), name)
		if m != nil {
			same, _, _ := LoadBytes(name, out, nil)
			require.NotNil(t, same, name)
			assert.Equal(t, m.Hash, same.Hash, name)
		}
	}
	assert.Greater(t, formattedOnes, 50)
}

func TestExamplesAreFormatted(t *testing.T) {
	for name, src := range descriptions(t) {
		if strings.HasPrefix(name, "../configs/") {
			out, _, _ := Format(name, src)
			assert.Equal(t, string(out), string(src), "hcgen fmt %s mends it", name)
		}
	}
}

func TestFormatKeepsLineEndsOfWindows(t *testing.T) {
	src := []byte("machine \"a\" {\r\n  dimension \"x\" {\r\n    m = 4\r\n    rho = 1\r\n  }\r\n}\r\n")
	out, _, diags := Format("a.hcl", src)
	require.False(t, diags.HasErrors())
	assert.Equal(t, strings.Replace(string(src), "m =", "m   =", 1), string(out))
}
