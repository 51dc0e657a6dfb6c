// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/tools/internal/mutate"
)

// tiny is a ring with messages that continue, and little else.
const tiny = `
machine "tiny" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = 2
  }
}
traffic "storm" {
  cycles = 200
  random {
    rate  = 0.4
    stall = 0.3
  }
}
`

// started runs a campaign with mutants.
func started(t *testing.T, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	code = run(t.Context(), append([]string{"mutate"}, arguments...), &out, &messages)
	return code, out.String(), messages.String()
}

// secondLook is the place where a tree checks again whether the selected requester requests. For the
// second of two requesters the check changes nothing.
func secondLook(t *testing.T) string {
	t.Helper()
	const module, text = "hc_tree_arbiter", "chosen & request;"
	source, err := hdl.Source(module)
	require.NoError(t, err)
	before, _, found := strings.Cut(source, text)
	require.True(t, found)
	line, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndex(before, "\n")
	return fmt.Sprintf("rtl/tiny_%s.v:%d.%d-%d.%d", module, line, column, line, column+len(text)-1)
}

// The mutations: an inverted valid, an error that is never reported, a redundant check of a request, a bit of a
// weight that is 0 in every message, and swapped wires. Each fault is caught by the check for it, and each
// other mutation is shown to be equivalent. A run whose benches see no malformed header misses a fault and
// fails.
func TestMutants(t *testing.T) {
	needs.Time(t)
	dir := t.TempDir()
	config, folder := filepath.Join(dir, "tiny.hcl"), filepath.Join(dir, "work")
	require.NoError(t, os.WriteFile(config, []byte(tiny), 0o644))
	arguments := []string{"-folder", folder, "-machines", config,
		"-count", "1", "-wires", "7", "-filter", "-mode inv -port Q -wire m_axis_tvalid",
		"-filter", "-mode const0 -port Q -wire header_error", "-filter", "-mode const1 -port B -portbit 1 -src " + secondLook(t),
		"-filter", "-mode const0 -port head_next_wc -portbit 1 -cell in0"}
	command := func(checks string) (code int, results []mutate.Result, stdout, stderr string) {
		code, stdout, stderr = started(t, append(arguments, "-checks", checks)...)
		text, err := os.ReadFile(filepath.Join(folder, campaign.ReportFile))
		require.NoError(t, err, stderr)
		var report struct{ Results []campaign.Result }
		require.NoError(t, json.Unmarshal(text, &report))
		for _, r := range report.Results {
			assert.Contains(t, r.Versions["yosys"], "Yosys ")
			assert.Contains(t, r.Versions["verilator"], "Verilator ")
			assert.Contains(t, r.Versions["z3"], "Z3 ")
			var result mutate.Result
			require.NoError(t, r.Decode(&result))
			if strings.HasPrefix(r.Unit, "tiny,none,") {
				assert.Equal(t, mutate.Passed, result.Verdict, r.Unit)
				continue
			}
			results = append(results, result)
		}
		require.Len(t, results, 11)
		return code, results, stdout, stderr
	}

	code, all, stdout, stderr := command("router network")
	require.Zero(t, code, stderr)
	for i, one := range all {
		switch {
		case i < 2:
			assert.Equal(t, []string{mutate.Router, mutate.Caught}, []string{one.Check, one.Verdict}, i+1)
			assert.Contains(t, one.Detail, "router: ")
		case i == 2:
			assert.Equal(t, []string{mutate.Compared, mutate.Equivalent}, []string{one.Check, one.Verdict})
		case i == 3:
			assert.Equal(t, []string{mutate.Compared, mutate.Reachable}, []string{one.Check, one.Verdict})
		default:
			assert.Equal(t, []string{mutate.Network, mutate.Caught}, []string{one.Check, one.Verdict}, i+1)
		}
	}
	assert.Contains(t, stdout, "\n| tiny | 11 | 2 | 7 | 0 | 0 | 1 | 1 | 0 |\n")
	assert.Contains(t, stdout, "tiny: equivalent: mutant 3: const1 at B bit 1 of ")
	left, err := filepath.Glob(filepath.Join(folder, "designs", "*", "units", "*"))
	require.NoError(t, err)
	assert.Empty(t, left)

	// A second run has nothing to do.
	again, _, same, stderr := command("router network")
	assert.Zero(t, again)
	assert.Equal(t, stdout, same)
	assert.Contains(t, stderr, "14 of 14 units are done")
	assert.NotContains(t, stderr, "building", "the benches are kept")

	// The proof of a module catches what the bench of the network cannot see.
	code, all, _, stderr = command("network modules")
	require.Zero(t, code, stderr)
	assert.Equal(t, []string{mutate.Modules, mutate.Caught}, []string{all[1].Check, all[1].Verdict})
	assert.Contains(t, all[1].Detail, "tiny_hc_link_input: properties/tiny_hc_link_input.v:")
	assert.Equal(t, mutate.Equivalent, all[2].Verdict)

	// So does the proof of the router, which an equivalent mutant passes.
	code, all, _, stderr = command("network proof")
	require.Zero(t, code, stderr)
	assert.Equal(t, []string{mutate.Proof, mutate.Caught}, []string{all[1].Check, all[1].Verdict})
	assert.Contains(t, all[1].Detail, "tiny_router: ")
	assert.Equal(t, mutate.Equivalent, all[2].Verdict)

	// Without that proof nothing catches it.
	code, all, _, stderr = command("network")
	assert.Equal(t, 3, code)
	assert.Equal(t, []string{mutate.Compared, mutate.Differs}, []string{all[1].Check, all[1].Verdict})
	assert.Contains(t, stderr, "tiny: mutant 2 survives: const0 at Q bit 0 of ")
	assert.Contains(t, stderr, "(header_error[0]), rtl/tiny_hc_link_input.v:")
	assert.Contains(t, stderr, "compared: differs, in cycle ")
	left, err = filepath.Glob(filepath.Join(folder, "designs", "*", "units", "*"))
	require.NoError(t, err)
	assert.Len(t, left, 1, "the files of the mutant that survives")

	// A check that fails without a mutant ends the campaign, whose results mean nothing.
	traces, err := filepath.Glob(filepath.Join(folder, "designs", "*", "out", "golden", "router.trace"))
	require.NoError(t, err)
	require.Len(t, traces, 1)
	text, err := os.ReadFile(traces[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(traces[0], bytes.Replace(text, []byte(" pace 1 - 1"), []byte(" pace 1 - 2"), 1), 0o644))
	require.NoError(t, os.Remove(filepath.Join(folder, "results", "tiny,none,router.json")))
	code, stdout, stderr = started(t, append(arguments, "-checks", "router")...)
	assert.Equal(t, 1, code)
	assert.NotContains(t, stdout, "| tiny |")
	assert.Contains(t, stderr, "tiny,none,router: without a mutant the check fails: caught, router: ")
}

func TestBadFlagsOfMutate(t *testing.T) {
	for want, arguments := range map[string][]string{
		"takes no argument":                      {"ring"},
		"-count is 0, want 1 to 10000":           {"-count", "0"},
		"-wires is -1, want 0 to 100":            {"-wires", "-1"},
		"-seed is 2147483648, want 0 to":         {"-seed", "2147483648"},
		"-machines names no machine":             {"-machines", " "},
		"-results: no campaign with these flags": {"-results", "-machines", "ring"},
		`-checks has "bench": there are router`:  {"-checks", "bench"},
		`-filter is "-mode inv; shell"`:          {"-filter", "-mode inv; shell"},
		"neither a file nor one of tools":        {"-machines", "nothing"},
		"flag provided but not defined: -mutant": {"-mutant", "3"},
		// Mutants are of a specialized router.
		"programmable.hcl: its router is programmable, and mutants are of specialized ones": {"-machines", "../../configs/programmable.hcl"},
	} {
		code, stdout, stderr := started(t, append([]string{"-folder", t.TempDir()}, arguments...)...)
		assert.Equal(t, 2, code, arguments)
		assert.Contains(t, stderr, want)
		assert.Empty(t, stdout)
	}
}

func TestFiltersThatLeaveTooFewMutations(t *testing.T) {
	folder := t.TempDir()
	code, stdout, stderr := started(t, "-folder", folder, "-machines", "ring", "-count", "9", "-filter", "-wire open")
	assert.Equal(t, 2, code, stdout)
	assert.Contains(t, stderr, "ring has fewer than 9 mutations -wire open")
	left, err := os.ReadDir(filepath.Join(folder, "designs"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestMutateWithoutTools(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	code, _, text := started(t, "-folder", t.TempDir())
	assert.Equal(t, 4, code)
	assert.Contains(t, text, "yosys is not installed\nhint: on Debian: apt-get install yosys\n")
}

// An interrupt leaves no design that is not whole.
func TestInterruptOfMutate(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, stderr bytes.Buffer
	folder := t.TempDir()
	assert.Equal(t, 130, run(ctx, []string{"mutate", "-machines", "ring", "-folder", folder}, &out, &stderr))
	assert.Contains(t, stderr.String(), "interrupted")
	designs, err := filepath.Glob(filepath.Join(folder, "designs", "*"))
	require.NoError(t, err)
	assert.Empty(t, designs)
}
