// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// No page has cobra's "[=false]", which is no way to write a flag here.
func TestManPagesTellNoDefaultOfASwitch(t *testing.T) {
	folder := t.TempDir()
	require.Equal(t, exitFine, run(t.Context(), &console{out: io.Discard, err: io.Discard}, []string{"man", folder}))
	pages, err := filepath.Glob(filepath.Join(folder, "*.1"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	switches := 0
	for _, name := range pages {
		page, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.NotContains(t, string(page), "[=", name)
		assert.NotContains(t, string(page), "\t", "%s: man pages are filled text", name)
		switches += bytes.Count(page, []byte("\n\\fB--no-descriptions\\fP\n"))
	}
	assert.Equal(t, 4, switches, "a name with a hyphen")
}
