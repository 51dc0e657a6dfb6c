// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/tools/internal/campaign"
)

// tried runs the command with a folder of its own.
func tried(t *testing.T, ctx context.Context, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(ctx, append([]string{"-dir", t.TempDir()}, args...), &out, &err)
	return code, out.String(), err.String()
}

func TestBadFlags(t *testing.T) {
	for want, args := range map[string][]string{
		"it takes no argument":              {"x"},
		"-machines is -1, want 0 or more":   {"-machines", "-1"},
		"-for is -1s, want 0 or more":       {"-for", "-1s"},
		"-workers is 0, want 1 or more":     {"-workers", "0"},
		`invalid value "ten" for flag -for`: {"-for", "ten"},
		"flag provided but not defined":     {"-sed", "1"},
	} {
		code, stdout, stderr := tried(t, t.Context(), args...)
		assert.Equal(t, 2, code, args)
		assert.Contains(t, stderr, want)
		assert.Empty(t, stdout)
	}
}

func TestPrintIsTheDraw(t *testing.T) {
	code, stdout, _ := tried(t, t.Context(), "-print", "-seed", "4", "-first", "9")
	assert.Zero(t, code)
	assert.Equal(t, campaign.Draw(4, 9).HCL(), stdout)
	_, one, _ := tried(t, t.Context(), "-print")
	assert.NotEmpty(t, one, "a seed of the clock")
}

func TestFaultIsKeptAndReported(t *testing.T) {
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	m := campaign.Draw(1, 2)
	s := settings{Options: campaign.Options{Seed: 1}, dir: dir}
	code := report(s, &campaign.Fault{Number: 2, Drawn: m, Smallest: campaign.Draw(1, 0), Tried: 7,
		Failure: &campaign.Failure{Stage: campaign.StageSimulate, Bench: "network", Text: "mismatch 1"}}, &stdout, &stderr)
	assert.Equal(t, 3, code)
	small := filepath.Join(dir, "smallest.hcl")
	text, err := os.ReadFile(small)
	require.NoError(t, err)
	assert.Equal(t, campaign.Draw(1, 0).HCL(), string(text))
	assert.Equal(t, string(text), stdout.String())
	drawn, err := os.ReadFile(filepath.Join(dir, "drawn.hcl"))
	require.NoError(t, err)
	assert.Equal(t, m.HCL(), string(drawn))
	for _, want := range []string{"machine 2 of SEED=1 fails; 7 simpler machines were tried", "at the stage simulate: mismatch 1",
		"build/hcgen -c " + small + " -o ", "sim\n", "make campaign WHAT=soak SEED=1 FIRST=2\n"} {
		assert.Contains(t, stderr.String(), want)
	}
}

func TestInterruptedAndMissingTools(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, _, stderr := tried(t, ctx, "-machines", "1")
	assert.Equal(t, 130, code)
	assert.Contains(t, stderr, "interrupted")

	t.Setenv("PATH", t.TempDir())
	code, _, stderr = tried(t, t.Context(), "-machines", "1")
	assert.Equal(t, 4, code)
	assert.Contains(t, stderr, "verilator is missing; make setup installs it")
}

// One description, right and wrong, as the hint of a fault says.
func TestConfig(t *testing.T) {
	needs.Time(t)
	right := filepath.Join(t.TempDir(), "a.hcl")
	text := "machine \"a\" {\n  dimension \"a\" {\n    m   = 2\n    rho = 1\n  }\n}\ntraffic \"a\" {\n  cycles = 9\n  broadcast {\n    sources = [[0]]\n  }\n}\n"
	require.NoError(t, os.WriteFile(right, []byte(text), 0o666))
	code, stdout, stderr := tried(t, t.Context(), "-config", right)
	require.Zero(t, code, stderr)
	assert.Regexp(t, `^1 machine, 3 traces, [\d,]+ cycles, [\d,]+ values compared, [\d,]+ transfers, [\d,]+ stalls, nothing wrong\n$`, stdout)

	wrong := filepath.Join(t.TempDir(), "b.hcl")
	require.NoError(t, os.WriteFile(wrong, []byte("machine \"a\" {\n}\n"), 0o666))
	code, _, stderr = tried(t, t.Context(), "-config", wrong)
	assert.Equal(t, 3, code)
	assert.Contains(t, stderr, wrong+" fails at the stage load: error: ")

	code, _, stderr = tried(t, t.Context(), "-config", "nothing.hcl")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "nothing.hcl: no such file")
}
