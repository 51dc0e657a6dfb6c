// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/tools/internal/soak"
)

// runs runs a campaign in a folder of its own.
func runs(t *testing.T, arguments ...string) (code int, out, messages string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), append([]string{arguments[0], "-folder", t.TempDir()}, arguments[1:]...), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// results makes the results of units.
func results(t *testing.T, all ...any) *campaign.Outcome {
	t.Helper()
	o := &campaign.Outcome{}
	for _, result := range all {
		text, err := json.Marshal(result)
		require.NoError(t, err)
		o.Results = append(o.Results, campaign.Result{Result: text, Input: json.RawMessage(`{"seed": 1, "number": 2}`)})
	}
	return o
}

func TestFlagsThatCannotBeUsed(t *testing.T) {
	for _, arguments := range [][]string{
		{"schedules", "-nodes", "1"}, {"schedules", "-list", "gossip"}, {"schedules", "-every", "0"}, {"adversary", "-runs", "0"}, {"adversary", "-cycles", "99"},
		{"soak", "-machines", "0"}, {"soak", "-seed", "-1"}, {"soak", "-config", "nothing.hcl"},
	} {
		code, out, messages := runs(t, arguments...)
		assert.Equal(t, 2, code, "%v: %s", arguments, messages)
		assert.Empty(t, out)
	}
}

// The known figures, counted by processes.
func TestSchedulesCampaignCountsMachinesAboveTheBound(t *testing.T) {
	code, out, messages := runs(t, "schedules", "-nodes", "64", "-checked", "16", "-streamed", "8", "-list", "total-exchange")
	require.Zero(t, code, messages)
	assert.True(t, strings.HasPrefix(out, "1172 machines of up to 64 nodes and degree 16\n"), out)
	assert.Contains(t, out, "\n| total-exchange | all | 1 | 2 |\n")
	assert.Contains(t, out, "\n| all-gather | streaming | 0 | ")
	assert.True(t, strings.HasSuffix(out, "\"(18,6)\",total-exchange,all,3,2\n\"(24,8)\",total-exchange,all,3,2\n"), out)

	code, out, _ = runs(t, "schedules", "-nodes", "64", "-jobs", "1", "-for", "1ns")
	assert.Equal(t, 3, code)
	assert.Empty(t, out)
}

func TestWrongSchedulesAreFindings(t *testing.T) {
	g, err := hypercycle.New(hypercycle.Dimension{M: 6, Rho: 2})
	require.NoError(t, err)
	counts := schedule.NewCounter().Count(g)
	require.NoError(t, verify(g, counts))
	counts[3].Steps++
	require.ErrorContains(t, verify(g, counts), "steps, but ")
	c := countedSchedules{Fault: "(6,2), a fault"}
	o := results(t, countedSchedules{Machines: 3}, c)
	assert.True(t, scheduleIsWrong(o.Results[1]))
	assert.False(t, scheduleIsWrong(o.Results[0]))
	assert.ErrorAs(t, reportSchedules(&bytes.Buffer{}, o, scheduleBlock{}, ""), new(*finding))
}

func TestAdversaryCampaignAttacksEveryMachine(t *testing.T) {
	code, out, messages := runs(t, "adversary", "-runs", "2")
	require.Zero(t, code, messages)
	assert.Equal(t, 13, strings.Count(out, " cycles under way, passed in "), out)
	assert.Contains(t, out, "\n(3,1)x(7,3)x(2,1), destinations, per_port: longest ")

	var table bytes.Buffer
	err := reportAdversary(&table, results(t, worst{Machine: "4x4"}, worst{Machine: "7-ring", Fault: "a message is under way for 9 of 9 cycles"}))
	assert.ErrorAs(t, err, new(*finding))
	assert.Contains(t, table.String(), "FAIL: a message is under way for 9 of 9 cycles\n")
}

// The first machine of a seed that fails stays in the folder, with the commands that show the failure.
func TestSoakKeepsAMachineThatFails(t *testing.T) {
	folder := t.TempDir()
	small := filepath.Join(folder, "smallest.hcl")
	for stage, says := range map[string]string{
		soak.Simulate: "build/hcgen -c " + small + " -o " + filepath.Join(folder, "smallest") + " && make -C " + filepath.Join(folder, "smallest") + " sim\n",
		soak.Lint:     " lint\n",
		soak.Generate: "-o " + filepath.Join(folder, "smallest") + "\n",
		soak.Panic:    "soak -config " + small + "\n",
	} {
		var out bytes.Buffer
		o := results(t, compared{Description: "passes"},
			compared{Description: "drawn", Smallest: "smallest", Tried: 6, Failure: &soak.Failure{Stage: stage, Bench: "network", Text: "mismatch 1"}})
		assert.False(t, machineFails(o.Results[0]))
		assert.True(t, machineFails(o.Results[1]))
		err := reportSoak(&out, o, folder)
		require.ErrorAs(t, err, new(*finding))
		for _, want := range []string{"the smallest of 7 machines that were tried fails at the stage " + stage + ": mismatch 1\n", says, "make campaign WHAT=soak SEED=1 FIRST=2"} {
			assert.Contains(t, err.Error(), want)
		}
		assert.Equal(t, "smallest", out.String())
		for name, want := range map[string]string{"smallest.hcl": "smallest", "drawn.hcl": "drawn"} {
			text, err := os.ReadFile(filepath.Join(folder, name))
			require.NoError(t, err)
			assert.Equal(t, want, string(text))
		}
	}
}

func TestSoakNeedsItsTools(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	code, _, messages := runs(t, "soak", "-machines", "1")
	assert.Equal(t, 4, code, messages)
	assert.Contains(t, messages, "verilator is not installed\nhint: on Debian: apt-get install verilator")
}

// One description, right and wrong, and a random machine.
func TestSoakChecksMachines(t *testing.T) {
	needs.Time(t)
	right := filepath.Join(t.TempDir(), "a.hcl")
	text := "machine \"a\" {\n  dimension \"a\" {\n    m   = 2\n    rho = 1\n  }\n}\ntraffic \"a\" {\n  cycles = 9\n  broadcast {\n    sources = [[0]]\n  }\n}\n"
	require.NoError(t, os.WriteFile(right, []byte(text), 0o666))
	for _, arguments := range [][]string{{"-config", right}, {"-seed", "1", "-machines", "1"}} {
		code, out, messages := runs(t, append([]string{"soak"}, arguments...)...)
		require.Zero(t, code, messages)
		assert.Regexp(t, `^1 machine, \d traces, [\d,]+ cycles, [\d,]+ values compared, [\d,]+ transfers, [\d,]+ stalls, nothing wrong\n$`, out)
	}
	wrong := filepath.Join(t.TempDir(), "b.hcl")
	require.NoError(t, os.WriteFile(wrong, []byte("machine \"a\" {\n}\n"), 0o666))
	code, _, messages := runs(t, "soak", "-config", wrong)
	assert.Equal(t, 3, code)
	assert.Contains(t, messages, "fails at the stage load: error: ")
	_, err := soaked{Verilator: "another"}.check(t.Context())
	assert.ErrorContains(t, err, "but that of the campaign is another")
}
