// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"bytes"
	"context"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan"
)

// folder holds what benches share, compiled once.
var folder string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "hcgen-campaign")
	if err != nil {
		panic(err)
	}
	folder = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var shared = sync.OnceValues(func() (*Checker, error) { return NewChecker(context.Background(), folder) })

func newChecker(t *testing.T) *Checker {
	t.Helper()
	c, err := shared()
	require.NoError(t, err)
	own := *c
	return &own
}

// The share of the campaign that is run with every test: always the same machines. make
// soak goes on from there.
func TestCampaign(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	const machines = 4
	counts, fault, err := Run(t.Context(), newChecker(t), Options{Seed: 1, Machines: machines, Workers: runtime.NumCPU()})
	require.NoError(t, err)
	if fault != nil {
		t.Fatalf("machine %d fails: %v\nthe smallest that does:\n%s\nmake campaign WHAT=soak SEED=1 FIRST=%d finds it again",
			fault.Number, fault.Failure, fault.Smallest.HCL(), fault.Number)
	}
	assert.Equal(t, machines, counts.Machines)
	assert.GreaterOrEqual(t, counts.Runs, 3*machines, "each has a trace of the router, one of a broadcast alone, and one more")
	assert.Greater(t, counts.Values, 1_000_000)
	assert.Greater(t, counts.Transfers, 10_000)
	assert.Greater(t, counts.Stalls, 10_000)
}

// changeVerilog makes a checker test changed Verilog.
func changeVerilog(c *Checker, change func(path, text string) string) {
	generated := c.files
	c.files = func(p *plan.Plan) ([]output.File, error) {
		files, err := generated(p)
		for i, f := range files {
			if strings.HasPrefix(f.Path, "rtl/") {
				files[i].Content = func(w io.Writer) error {
					var b bytes.Buffer
					if err := f.Content(&b); err != nil {
						return err
					}
					_, err := io.WriteString(w, change(f.Path, b.String()))
					return err
				}
			}
		}
		return files, err
	}
}

// A fault in the Verilog is found and shrunk to the smallest machine that shows it.
func TestBrokenVerilogIsFoundAndShrunk(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	c := newChecker(t)
	countdown := strings.NewReplacer("{wc - 1'b1, body}", "{wc, body}")
	changeVerilog(c, func(path, text string) string {
		if !strings.HasSuffix(path, "_hc_link_input.v") {
			return text
		}
		// weights of messages that continue are not counted down
		broken := countdown.Replace(text)
		if broken == text {
			t.Errorf("%s has no line for this test to break", path)
		}
		return broken
	})
	_, fault, err := Run(t.Context(), c, Options{Seed: 10, Workers: runtime.NumCPU()})
	require.NoError(t, err)
	require.NotNil(t, fault)
	t.Logf("%d machines tried; the smallest:\n%s%v", fault.Tried, fault.Smallest.HCL(), fault.Failure)
	// continuing takes D >= 2
	assert.Equal(t, []Dimension{{"a", 4, 1}}, fault.Smallest.Dimensions)
	assert.Equal(t, 1, fault.Smallest.PayloadBits)
	assert.False(t, fault.Smallest.SourceID)
	assert.Equal(t, StageSimulate, fault.Failure.Stage)
	assert.Contains(t, fault.Failure.Text, "mismatch 1: cycle ")
}

// So is one that only lint sees, of routers with a source id.
func TestUntidyVerilogIsFoundAndShrunk(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	c := newChecker(t)
	changeVerilog(c, func(path, text string) string {
		if strings.HasSuffix(path, "_router.v") && strings.Contains(text, "node_id") {
			return strings.Replace(text, "\nendmodule", "\n    wire nobody = rst;\nendmodule", 1)
		}
		return text
	})
	_, fault, err := Run(t.Context(), c, Options{Seed: 2, Workers: 1})
	require.NoError(t, err)
	require.NotNil(t, fault)
	assert.Equal(t, StageLint, fault.Failure.Stage)
	assert.Contains(t, fault.Failure.Text, "'nobody'")
	assert.Equal(t, []Dimension{{"a", 2, 1}}, fault.Smallest.Dimensions)
	assert.True(t, fault.Smallest.SourceID)
	assert.Equal(t, 1, fault.Smallest.PayloadBits)
}

// A fault of hcgen itself, and a tool that never ends, are failures like others.
func TestPanicsAndHangsAreFailures(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	c := newChecker(t)
	generated := c.files
	changeVerilog(c, func(path, text string) string {
		if strings.Contains(path, "hc_ring_port") {
			panic("a ring port")
		}
		return text
	})
	small, failure, _ := Shrink(t.Context(), Draw(10, 0), &Failure{Stage: StagePanic}, 2, func(ctx context.Context, m *Machine, like *Failure) *Failure {
		_, f := c.Check(ctx, m, &Failure{Stage: StageGenerate}) // goes no further
		return f
	})
	assert.Equal(t, []Dimension{{"a", 4, 1}}, small.Dimensions)
	assert.Contains(t, failure.Text, "a ring port\n")
	assert.Contains(t, failure.Text, "campaign_test.go:")

	c.files, c.limit = generated, time.Nanosecond
	_, failure = c.Check(t.Context(), small, nil)
	require.NotNil(t, failure)
	assert.Equal(t, StageTime, failure.Stage)
	assert.Contains(t, failure.Text, "it is not done after 1ns; then: ")
}

// What is no fault of a machine is not shrunk.
func TestMissingToolIsAnError(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := NewChecker(t.Context(), t.TempDir())
	var failure *Failure
	require.ErrorAs(t, err, &failure)
	assert.Equal(t, StageTool, failure.Stage)
	assert.Contains(t, err.Error(), "verilator is missing; make setup installs it")
}

func TestInterruptedCampaignTellsSo(t *testing.T) {
	t.Parallel()
	c := newChecker(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, fault, err := Run(ctx, c, Options{Seed: 1, Workers: 2})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Nil(t, fault, "a check that was cut short is no failure")
}
