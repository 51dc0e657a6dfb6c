// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
)

// The two smallest routers with the real Yosys; then from the cache, with one that can
// do nothing but tell its version.
func TestRoutersAreCountedOnce(t *testing.T) {
	needs.Tools(t, "yosys")
	cache := filepath.Join(t.TempDir(), "deep", "cache")
	var told []int
	m := Meter{Cache: cache, Jobs: 2, Done: func(done, total int) { told = append(told, done, total) }}
	machines := [][]hypercycle.Dimension{{{M: 3, Rho: 1}}, {{M: 2, Rho: 1}}}
	first, err := m.Routers(t.Context(), machines)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2, 2, 2}, told)
	require.Len(t, first, 2)
	// as in internal/explore/testdata/measured.csv with Yosys 0.23; others differ a little
	assert.InDelta(t, 127, first[0].LUT4, 15)
	assert.InDelta(t, 49, first[1].LUT4, 10)
	assert.InDelta(t, 176, first[0].FF, 10)
	kept, err := os.ReadDir(cache)
	require.NoError(t, err)
	assert.Len(t, kept, 2, "results, and no working folders")

	version := version(t)
	tools := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(tools, "yosys"), []byte("#!/bin/sh\n[ \"$1\" = -V ] && echo '"+version+"' && exit\nexit 1\n"), 0o777))
	t.Setenv("PATH", tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	again, err := m.Routers(t.Context(), machines)
	require.NoError(t, err)
	assert.Equal(t, first, again)

	_, err = m.Routers(t.Context(), [][]hypercycle.Dimension{{{M: 4, Rho: 1}}})
	require.ErrorContains(t, err, "(4,1): synthesis failed: exit status 3\nsynth.sh: error: Yosys cannot synthesize m_router")
	kept, err = os.ReadDir(cache)
	require.NoError(t, err)
	assert.Len(t, kept, 2)

	// a file that is cut short does not count
	require.NoError(t, os.WriteFile(filepath.Join(cache, kept[0].Name()), []byte("{"), 0o666))
	_, err = m.Routers(t.Context(), machines)
	require.ErrorContains(t, err, "synthesis failed")

	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = m.Routers(done, machines)
	require.ErrorIs(t, err, context.Canceled)

	t.Setenv("PATH", t.TempDir())
	_, err = m.Routers(t.Context(), machines)
	require.ErrorIs(t, err, ErrNoYosys)
}

func TestCellsAreThoseOfTheWholeDesign(t *testing.T) {
	for _, stat := range []string{
		"\n=== part ===\n\n     SB_LUT4   7\n\n=== design hierarchy ===\n\n   Number of cells:   30\n     SB_CARRY   4\n     SB_DFF   1\n     SB_DFFESR   2\n     SB_LUT4   20\n",
		"\n=== m_router ===\n\n       30 cells\n        4   SB_CARRY\n        1   SB_DFF\n        2   SB_DFFESR\n       20   SB_LUT4\n",
	} {
		c, err := count(stat)
		require.NoError(t, err)
		assert.Equal(t, Cells{LUT4: 20, FF: 3}, c)
	}
	_, err := count("=== m_router ===\n")
	assert.Error(t, err)
}

// version is what Yosys says of itself.
func version(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("yosys", "-V").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}
