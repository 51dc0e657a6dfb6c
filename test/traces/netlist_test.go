// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/fpga"
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
	folder, family := filepath.Join(out, "build", "netlist", m.Synthesis[0].Name), fpga.Named(m.Synthesis[0].Family)
	for _, name := range []string{"router.v", "network.v"} {
		netlist, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		for _, cell := range []string{family.LUT, family.FF} {
			assert.Regexp(t, `(?m)^  `+strings.Trim(cell, "^$"), string(netlist))
		}
		assert.NotRegexp(t, `\balways\b`, string(netlist), "not all is made of cells")
	}
}

// The netlists equal the model, in every cycle of every trace.
func TestNetlistsEqualTheModel(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	texts := []string{harness.Groups}
	for _, f := range fpga.Families[1:] {
		texts = append(texts, fmt.Sprintf(ringOfAFamily, f.Name))
	}
	for _, text := range texts {
		config := filepath.Join(t.TempDir(), "cells.hcl")
		require.NoError(t, os.WriteFile(config, []byte(text), 0o644))
		m, out := harness.Generate(t, config, nil)
		assertNetlists(t, m, out, harness.Make(t.Context(), t, out, "netlist", "JOBS=1", "NEXTPNR=none"))
	}
}

// A system is synthesized with an endpoint and placed; its netlist equals the model, and wrong tables in it are detected: all, because
// the trace does not use the collective network, of which one may be.
func TestNetlistsOfSystemsEqualTheModel(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "nextpnr-ice40")
	t.Parallel()
	_, out := harness.Generate(t, harness.Text(t, boxOfProcessors), nil)
	text := harness.Make(t.Context(), t, out, "synth-system", "SEEDS=1")
	assert.Regexp(t, `(?m)^  endpoint [1-9]\d+ LUT4, [1-9]\d+ FF, \d+ carry, [01] BRAM$`, text)
	assert.Regexp(t, `(?m)^  system   [1-9]\d+ LUT4, [1-9]\d+ FF`, text)
	var summary struct {
		Placed           string
		Endpoint, System struct{ LUT4, FF int }
		Network          any
		Seeds            []struct{ MHz float64 }
	}
	file, err := os.ReadFile(filepath.Join(out, "build", "synth-system", "hx8k", "summary.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(file, &summary))
	assert.Equal(t, "endpoint", summary.Placed)
	assert.Nil(t, summary.Network)
	assert.Greater(t, summary.Endpoint.LUT4, 100)
	assert.Greater(t, summary.System.LUT4, 4*summary.Endpoint.LUT4, "the system has four of them")
	assert.Greater(t, summary.System.FF, 4*summary.Endpoint.FF)
	require.Len(t, summary.Seeds, 1)
	assert.Greater(t, summary.Seeds[0].MHz, 20.0)

	assert.Contains(t, harness.Make(t.Context(), t, out, "netlist-system"), "PASS: box_system.system: ")
	folder := filepath.Join(out, "build", "netlist-system", "hx8k")
	netlist, err := os.ReadFile(filepath.Join(folder, "system.v"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "system.v"), []byte(strings.ReplaceAll(string(netlist), "LUT_INIT(16'h", "LUT_INIT(~16'h")), 0o644))
	now := time.Now()
	require.NoError(t, os.Chtimes(filepath.Join(folder, "done"), now, now))
	fails, err := exec.CommandContext(t.Context(), "make", "-C", out, "netlist-system", "JOBS=1").CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(fails), "FAIL: box_system.system: ")
	assert.Contains(t, string(fails), "Error 3", "the exit code for a design that differs")
}

const boxOfProcessors = `machine "box" {
  dimension "x" {
    m   = 2
    rho = 1
  }
  dimension "y" {
    m   = 2
    rho = 1
  }
  endpoint {
    bus          = "wishbone"
    address_bits = 8
  }
  collective "sum" {
    operation    = "all-reduce"
    operator     = "add"
    payload_bits = 8
  }
}
`

// spoil makes the first table of each netlist in a folder give the opposite.
func spoil(t *testing.T, folder string, netlists ...string) {
	t.Helper()
	table := regexp.MustCompile(`LUT_INIT\((16'h[0-9a-f]{4})\)`)
	for _, name := range netlists {
		file := filepath.Join(folder, name)
		netlist, err := os.ReadFile(file)
		require.NoError(t, err)
		at := table.FindSubmatchIndex(netlist)
		require.NotNil(t, at)
		wrong := slices.Concat(netlist[:at[2]], []byte("~"), netlist[at[2]:])
		require.NoError(t, os.WriteFile(file, wrong, 0o644))
	}
	now := time.Now()
	require.NoError(t, os.Chtimes(filepath.Join(folder, "done"), now, now))
}

const ringOfAFamily = `machine "ring4" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = 8
  }
}

synthesis "cells" {
  family = %q
}
`

// A wrong table in a netlist is detected, in the router and in the network.
func TestWrongNetlistsAreFound(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	m, out := harness.Example(t, "bit", nil)
	assertNetlists(t, m, out, harness.Make(t.Context(), t, out, "netlist", "JOBS=1"))

	spoil(t, filepath.Join(out, "build", "netlist", "hx8k"), "router.v", "network.v")
	command := exec.CommandContext(t.Context(), "make", "-C", out, "-k", "netlist", "JOBS=1")
	text, err := command.CombinedOutput()
	require.Error(t, err)
	assert.NotContains(t, string(text), "yosys: ", "the netlists have been made again")
	assert.Contains(t, string(text), "FAIL: onebit_router.router: ")
	assert.Contains(t, string(text), "FAIL: onebit_network.storm: ")
	assert.Contains(t, string(text), "Error 3", "the exit code for a design that differs")
}
