// SPDX-License-Identifier: Apache-2.0

//go:build unix

// The programs that stand for Yosys here are shell scripts.

package measure

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

// A key that interrupts reaches Yosys, too, and maybe first, also while it tells its version.
func TestInterruptOfYosysIsNoFailure(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	const version = "[ \"$1\" != -V ] || { echo Yosys 0.23; exit; }\n"
	const broken = "yosys: error while loading shared libraries: libtcl8.6.so: cannot open shared object file"
	for _, c := range []struct {
		script      string
		interrupted bool
		fails       string
	}{
		{version + "kill -INT $PPID $$", true, ""},
		{version + "kill -TERM $PPID", false, "synthesis failed"},
		{version + "exit 1", false, "synthesis failed"},
		{"kill -INT $$", true, ""},
		{"exit 130", true, ""},
		{"kill -TERM $$", false, "yosys -V failed: signal: terminated"},
		{"echo '" + broken + "' >&2; exit 127", false, "yosys -V failed: exit status 127\n" + broken},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, "yosys"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755))
		m := Meter{Cache: t.TempDir(), Jobs: 1}
		_, err := m.Routers(context.Background(), [][]hypercycle.Dimension{{{M: 3, Rho: 1}}})
		require.ErrorContains(t, err, c.fails)
		assert.Equal(t, c.interrupted, errors.Is(err, context.Canceled), "%s: %v", c.script, err)
		assert.Equal(t, strings.HasPrefix(c.fails, "yosys -V"), errors.Is(err, ErrYosysFails), "%s: %v", c.script, err)
		assert.NotErrorIs(t, err, ErrNoYosys)
		kept, err := filepath.Glob(filepath.Join(m.Cache, "*"))
		require.NoError(t, err)
		assert.Empty(t, kept)
	}
}
