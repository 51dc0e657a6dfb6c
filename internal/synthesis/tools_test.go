// SPDX-License-Identifier: Apache-2.0

//go:build unix

// The programs that stand for Yosys here are shell scripts.

package synthesis

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A key that interrupts reaches Yosys, too, and maybe first, also while it prints its version.
func TestInterruptOfYosysIsNoFailure(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("TMPDIR", t.TempDir())
	const version = "[ \"$1\" != -V ] || { echo Yosys 0.23; exit; }\n"
	const broken = "yosys: error while loading shared libraries: libtcl8.6.so: cannot open shared object file"
	d := routerOf(t, ring(t, 3))
	for _, c := range []struct {
		script      string
		interrupted bool
		fails       string
	}{
		{version + "kill -INT $PPID $$", true, ""},
		{version + "kill -TERM $PPID", false, "synthesis failed: signal: terminated"},
		{version + "exit 1", false, "synthesis failed: exit status 3\nsynth.sh: error: "},
		{"kill -INT $$", true, ""},
		{"exit 130", true, ""},
		{"kill -TERM $$", false, "yosys -V failed: signal: terminated"},
		{"echo '" + broken + "' >&2; exit 127", false, "yosys -V failed: exit status 127\n" + broken},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, "yosys"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755))
		_, err := Versions(t.Context(), "yosys")
		if err == nil {
			_, err = d.Run(t.Context(), Options{Target: HX8K()})
		}
		require.ErrorContains(t, err, c.fails)
		assert.Equal(t, c.interrupted, errors.Is(err, context.Canceled), "%s: %v", c.script, err)
		assert.NotErrorIs(t, err, exec.ErrNotFound)
		left, err := os.ReadDir(os.Getenv("TMPDIR"))
		require.NoError(t, err)
		assert.Empty(t, left)
	}
}

func TestVersionsAreLinesOfTheTools(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	_, err := Versions(t.Context(), "yosys")
	assert.EqualError(t, err, "yosys is not installed")
	assert.ErrorIs(t, err, exec.ErrNotFound)
	require.NoError(t, os.WriteFile(filepath.Join(bin, "yosys"), []byte("#!/bin/sh\n[ \"$1\" = -V ] && echo 'Yosys 0.23 (git)'\n"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "nextpnr-ice40"), []byte("#!/bin/sh\necho 'nextpnr (Version 0.4)' >&2; echo more >&2\n"), 0o755))
	versions, err := Versions(t.Context(), "yosys", "nextpnr-ice40")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"yosys": "Yosys 0.23 (git)", "nextpnr-ice40": "nextpnr (Version 0.4)"}, versions)
	require.NoError(t, Same(t.Context(), versions))
	versions["yosys"] = "Yosys 0.24"
	require.EqualError(t, Same(t.Context(), versions), "yosys is Yosys 0.23 (git) here, and Yosys 0.24 where the campaign runs")
	require.EqualError(t, Same(t.Context(), map[string]string{"verilator": "5"}), "verilator is not installed")
	for line, short := range map[string]string{
		"Yosys 0.23 (git sha1 7ce5011c24b)":                                   "0.23",
		"nextpnr-ice40 -- Next Generation Place and Route (Version 0.4-1+b1)": "0.4-1+b1",
		"Verilator 5.006 2023-01-22 rev (Debian 5.006-3)":                     "5.006",
	} {
		assert.Equal(t, short, Short(line))
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Versions(ended, "yosys")
	assert.ErrorIs(t, err, context.Canceled)
}

// A seed that is not routed at the limit of time has the clock that nextpnr estimates before it routes.
func TestSeedsStopAtTheLimitOfTime(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	write := func(name, script string) {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	write("yosys", `case $1 in -V) echo Yosys 0.23; exit ;; -Q) echo '+{W} {C}'; exit ;; esac
while [ "$1" != -l ]; do shift; done
echo done >"$2"
printf '=== m ===\n SB_LUT4 20\n SB_DFF 10\n' >"${2%.log}.stat"`)
	write("nextpnr-ice40", `[ "$1" != --version ] || { echo "(Version 0.4)"; exit; }
echo "Info: 	         ICESTORM_LC:   61/ 7680     0%"
echo "Info: Max frequency for clock 'clk': 40.00 MHz (PASS at 1.00 MHz)"
case "$*" in *"--seed 2 "*) exec sleep 60 ;; esac
echo "Info: Max frequency for clock 'clk': 30.00 MHz (PASS at 1.00 MHz)"`)
	r, err := routerOf(t, ring(t, 3)).Run(t.Context(), Options{Target: HX8K(1, 2), Time: 1e9})
	require.NoError(t, err)
	assert.Equal(t, []Seed{{1, 30, true}, {2, 40, false}}, r.Seeds)
	assert.Equal(t, Use{"ICESTORM_LC", 61, 7680}, r.Logic)
	assert.Equal(t, Clock{30, 35, 40}, r.Clock)
}
