// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/process"
)

// numbers is a campaign for these tests: its units double the numbers 0 to 3. One of them is -wrong, and one
// that is -fails has no result.
var numbers = kind{
	name: "numbers",
	define: func(flags *flag.FlagSet) func(context.Context, campaign.Options) (plan, error) {
		wrong, fails := flags.Int("wrong", -1, ""), flags.Int("fails", -1, "")
		return func(context.Context, campaign.Options) (plan, error) {
			switch {
			case *wrong > 3:
				return plan{}, &badFlag{"-wrong is too large"}
			case *fails > 3:
				return plan{}, &process.ToolError{Tool: "a tool", Err: exec.ErrNotFound}
			}
			p := plan{report: func(out io.Writer, o *campaign.Outcome) error {
				for _, r := range o.Results {
					fmt.Fprintf(out, "%s %s\n", r.Unit, r.Result)
					if *wrong >= 0 && r.Unit == fmt.Sprint(*wrong) {
						return &finding{r.Unit + " is wrong"}
					}
				}
				return nil
			}}
			for i := range 4 {
				p.units = append(p.units, campaign.Unit{Name: fmt.Sprint(i), Input: []int{i, *fails}})
			}
			return p, nil
		}
	},
	work: func(_ context.Context, input json.RawMessage) (any, error) {
		var n [2]int
		if err := json.Unmarshal(input, &n); err != nil {
			return nil, err
		}
		if n[0] == n[1] {
			return nil, errors.New("no result")
		}
		return 2 * n[0], nil
	},
}

// TestMain lets the program of these tests be the process of a unit.
func TestMain(m *testing.M) {
	kinds = append(kinds, numbers)
	if len(os.Args) > 1 && os.Args[1] == "unit" {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func TestExitCodesTellHowACampaignEnded(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx       context.Context
		arguments []string
		code      int
		out, says string
	}{
		{nil, []string{"numbers"}, 0, "0 0\n1 2\n2 4\n3 6\n", ""},
		{nil, []string{"numbers", "-wrong", "2"}, 3, "0 0\n1 2\n2 4\n", "numbers: error: 2 is wrong\n"},
		{nil, []string{"numbers", "-fails", "1"}, 1, "0 0\n2 4\n3 6\nnot all: 3 of 4 units are done\n", "numbers: 1 failed: no result; see "},
		{nil, []string{"numbers", "-fails", "1"}, 1, "", "numbers: error: 1 of 4 units have no result\n"},
		{nil, []string{"numbers", "-for", "1ns"}, 3, "", "the time was over before any unit was done"},
		{interrupted, []string{"numbers"}, 130, "", "numbers: error: interrupted\nhint: the same command continues\n"},
		{nil, []string{"numbers", "-wrong", "9"}, 2, "", "numbers: error: -wrong is too large\n"},
		{nil, []string{"numbers", "-fails", "9"}, 4, "", "numbers: error: a tool is not installed\nhint: "},
		{nil, []string{"numbers", "-unknown"}, 2, "", "flag provided but not defined"},
		{nil, []string{"numbers", "more"}, 2, "", `takes no argument, but got ["more"]`},
		{nil, []string{"numbers", "-shard", "2/3"}, 0, "1 2\nnot all: 1 of 4 units are done\n", "numbers 2/3: 1 of 1 unit, "},
		{nil, []string{"numbers", "-shard", "2/3", "-fails", "1"}, 1, "not all: 0 of 4 units are done\n", "numbers: error: 1 of 4 units have no result\n"},
		{nil, []string{"numbers", "-shard", "5/5", "-for", "1m"}, 0, "not all: 0 of 4 units are done\n", ""},
		{nil, []string{"numbers", "-results", "-for", "1m"}, 0, "not all: 0 of 4 units are done\n", "numbers: 0 of 4 units are done\n"},
		{nil, []string{"numbers", "-jobs", "-1"}, 2, "", "--jobs is -1, want 0 or more"},
		{nil, []string{"numbers", "-shard", "0/3"}, 2, "", `--shard: "0/3" is no shard: want I/N, with I from 1 to N, such as 2/3`},
		{nil, []string{"soak", "-shard", "1/3"}, 2, "", "-shard and -results need -seed"},
		{nil, []string{"numbers", "-help"}, 0, "", "-folder"},
		{nil, []string{"letters"}, 2, "", `there is no kind "letters": want one of adversary, exhaustive, `},
		{nil, nil, 2, "", "names no kind"},
		{nil, []string{"-help"}, 0, "", ""},
	} {
		if c.ctx == nil {
			c.ctx = t.Context()
		}
		var out, messages bytes.Buffer
		arguments := c.arguments
		if len(arguments) > 1 || c.ctx == interrupted || len(arguments) == 1 && arguments[0] == "numbers" {
			arguments = append([]string{arguments[0], "-folder", t.TempDir()}, arguments[1:]...)
		}
		assert.Equal(t, c.code, run(c.ctx, arguments, &out, &messages), "%v: %s", c.arguments, &messages)
		if c.out != "" {
			assert.Equal(t, c.out, out.String())
		}
		assert.Contains(t, messages.String(), c.says)
	}
}

func TestSameCommandContinues(t *testing.T) {
	folder := t.TempDir()
	command := []string{"numbers", "-folder", folder}
	var out, messages bytes.Buffer
	require.Equal(t, 0, run(t.Context(), command, &out, &messages))
	var report struct{ Results []campaign.Result }
	text, err := os.ReadFile(filepath.Join(folder, campaign.ReportFile))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &report))
	assert.Len(t, report.Results, 4)
	require.NoError(t, os.Remove(filepath.Join(folder, "results", "2.json")))
	before, err := os.Stat(filepath.Join(folder, "results", "1.json"))
	require.NoError(t, err)
	time.Sleep(10 * time.Millisecond)
	require.Equal(t, 0, run(t.Context(), command, &out, &messages))
	assert.Contains(t, messages.String(), "numbers: 3 of 4 units are done\n")
	after, err := os.Stat(filepath.Join(folder, "results", "1.json"))
	require.NoError(t, err)
	assert.Equal(t, before.ModTime(), after.ModTime())
	assert.FileExists(t, filepath.Join(folder, "results", "2.json"))
}

// Some blocks of the range, as processes.
func TestExhaustiveCampaignCountsWhatItHasChecked(t *testing.T) {
	var out, messages bytes.Buffer
	require.Equal(t, 0, run(t.Context(), []string{"exhaustive", "-folder", t.TempDir(), "-for", "1s", "-jobs", "1"}, &out, &messages), messages.String())
	assert.Regexp(t, `^[\d,]+\d{3} of 1,710,738 machines are checked, and nothing is wrong with them\nnot all: [1-9]\d* of \d+ units are done\n$`, out.String())
}
