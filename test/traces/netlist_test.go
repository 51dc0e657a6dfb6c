// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// assertNetlists checks that all traces were replayed on netlists, which consist only of
// cells and the modules of the design.
func assertNetlists(t *testing.T, m *machine.Machine, out, text string) {
	t.Helper()
	assert.Contains(t, text, "PASS: "+m.Name+"_router.router: ")
	assert.Contains(t, text, "PASS: "+m.Name+"_network.alone: ")
	for _, traffic := range m.Traffic {
		assert.Contains(t, text, "PASS: "+m.Name+"_network."+traffic.Name+": ")
	}
	folder := filepath.Join(out, "build", "netlist", m.Synthesis[0].Name)
	for _, name := range []string{"router.v", "network.v"} {
		netlist, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		assert.Regexp(t, `(?m)^  SB_LUT4 #`, string(netlist))
		assert.Regexp(t, `(?m)^  SB_DFF`, string(netlist))
		assert.NotRegexp(t, `\balways\b`, string(netlist), "not all is made of cells")
	}
}

// The netlists equal the model, in every cycle of every trace.
func TestNetlistsEqualTheModel(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	config := filepath.Join(t.TempDir(), "cells.hcl")
	require.NoError(t, os.WriteFile(config, []byte(harness.Groups), 0o644))
	m, out := harness.Generate(t, config, nil)
	assertNetlists(t, m, out, harness.Make(t.Context(), t, out, "netlist", "JOBS=1", "NEXTPNR=none"))
}

// A wrong table in a netlist is detected, in the router and in the network.
func TestWrongNetlistsAreFound(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	m, out := harness.Example(t, "bit", nil)
	assertNetlists(t, m, out, harness.Make(t.Context(), t, out, "netlist", "JOBS=1"))

	folder := filepath.Join(out, "build", "netlist", "hx8k")
	table := regexp.MustCompile(`LUT_INIT\((16'h[0-9a-f]{4})\)`)
	for _, name := range []string{"router.v", "network.v"} {
		file := filepath.Join(folder, name)
		netlist, err := os.ReadFile(file)
		require.NoError(t, err)
		at := table.FindSubmatchIndex(netlist)
		require.NotNil(t, at)
		// the first table gives the opposite
		wrong := slices.Concat(netlist[:at[2]], []byte("~"), netlist[at[2]:])
		require.NoError(t, os.WriteFile(file, wrong, 0o644))
	}
	now := time.Now()
	require.NoError(t, os.Chtimes(filepath.Join(folder, "done"), now, now))
	command := exec.CommandContext(t.Context(), "make", "-C", out, "-k", "netlist", "JOBS=1")
	text, err := command.CombinedOutput()
	require.Error(t, err)
	assert.NotContains(t, string(text), "yosys: ", "the netlists have been made again")
	assert.Contains(t, string(text), "FAIL: onebit_router.router: ")
	assert.Contains(t, string(text), "FAIL: onebit_network.storm: ")
	assert.Contains(t, string(text), "Error 3", "the exit code for a design that differs")
}
