// SPDX-License-Identifier: Apache-2.0

package soak

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// check checks a machine.
func check(t *testing.T, c *Checker, m *machine.Machine, last string) (Counts, *Failure) {
	t.Helper()
	counts, failure, err := c.Check(t.Context(), m.HCL(), m.JSON(), last)
	require.NoError(t, err)
	return counts, failure
}

// The share of the campaign that is run with every test: always the same machines. make campaign WHAT=soak SEED=1 goes on from
// there.
func TestFirstMachinesPass(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	var sum Counts
	for number := range uint64(4) {
		counts, failure := check(t, NewChecker(), Draw(1, number), "")
		if failure != nil {
			t.Fatalf("machine %d fails: %v\nmake campaign WHAT=soak SEED=1 FIRST=%[1]d finds it again\n%s", number, failure, Draw(1, number).HCL())
		}
		assert.GreaterOrEqual(t, counts.Traces, 2, "the router, and a workload")
		sum.Add(counts)
	}
	assert.Greater(t, sum.Values, 100_000)
	assert.Greater(t, sum.Transfers, 1_000)
	assert.Greater(t, sum.Stalls, 1_000)
}

// changeVerilog makes a checker test changed Verilog.
func changeVerilog(c *Checker, change func(path, text string) string) {
	generated := c.files
	c.files = func(p *plan.Plan) ([]artifact.File, error) {
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

// shrunk looks for the first machine of a seed that fails, and for the smallest that does.
func shrunk(t *testing.T, c *Checker, seed uint64, last string) Found {
	t.Helper()
	for number := range uint64(100) {
		if _, failure := check(t, c, Draw(seed, number), last); failure != nil {
			return Shrink(t.Context(), seed, number, failure, time.Hour, func(m *machine.Machine) *Failure {
				_, f := check(t, c, m, last)
				return f
			})
		}
	}
	t.Fatal("no machine fails")
	return Found{}
}

// A fault in the Verilog is found and shrunk to the smallest machine that shows it.
func TestBrokenVerilogIsFoundAndShrunk(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	c := NewChecker()
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
	found := shrunk(t, c, 17, "")
	t.Logf("%d machines tried; the smallest:\n%s%v", found.Tried, found.Machine.HCL(), found.Failure)
	assert.Equal(t, Simulate, found.Failure.Stage)
	assert.Contains(t, found.Failure.Text, "mismatch 1: cycle ")
	small := found.Machine
	assert.Equal(t, 4, small.Graph.Nodes(), "continuing takes D >= 2")
	assert.Equal(t, 2, small.Graph.Degree())
	assert.Equal(t, 1, small.PayloadBits)
	assert.False(t, small.SourceID)
}

// A fault that only lint finds, in routers with a source id.
func TestUntidyVerilogIsFoundAndShrunk(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	c := NewChecker()
	changeVerilog(c, func(path, text string) string {
		if strings.HasSuffix(path, "_router.v") && strings.Contains(text, "node_id") {
			return strings.Replace(text, "\nendmodule", "\n    wire nobody = rst;\nendmodule", 1)
		}
		return text
	})
	found := shrunk(t, c, 17, Lint)
	assert.Equal(t, Lint, found.Failure.Stage)
	assert.Contains(t, found.Failure.Text, "'nobody'")
	assert.Equal(t, 2, found.Machine.Graph.Nodes())
	assert.True(t, found.Machine.SourceID)
	assert.Equal(t, 1, found.Machine.PayloadBits)
}

// A fault of hcgen itself, and a tool that never ends, are failures like others.
func TestPanicsAndHangsAreFailures(t *testing.T) {
	c := NewChecker()
	generated := c.files
	changeVerilog(c, func(path, text string) string {
		if strings.Contains(path, "hc_ring_port") {
			panic("a ring port")
		}
		return text
	})
	found := shrunk(t, c, 10, Generate)
	assert.Equal(t, Panic, found.Failure.Stage)
	assert.Contains(t, found.Failure.Text, "a ring port\n")
	assert.Contains(t, found.Failure.Text, "check_test.go:")
	assert.Equal(t, 4, found.Machine.Graph.Nodes())

	c.files, c.Limit = generated, time.Nanosecond
	_, failure := check(t, c, found.Machine, "")
	require.NotNil(t, failure)
	assert.Equal(t, Time, failure.Stage)
	assert.Contains(t, failure.Text, "it is not done after 1ns; then: ")
}

func TestDescriptionsThatAreRefusedFail(t *testing.T) {
	m := Draw(1, 0)
	other := *m
	other.Name = "other"
	for want, texts := range map[string][2][]byte{
		"error: ":                       {[]byte("machine \"a\" {\n}\n"), nil},
		"the JSON variant is refused":   {m.HCL(), []byte("{}")},
		"the JSON variant is another m": {m.HCL(), other.JSON()},
	} {
		_, failure, err := NewChecker().Check(t.Context(), texts[0], texts[1], "")
		require.NoError(t, err)
		require.NotNil(t, failure, want)
		assert.Equal(t, Load, failure.Stage)
		assert.Contains(t, failure.Text, want)
	}
}

// A check that is cut short is no failure.
func TestInterruptedCheckIsAnError(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	m := Draw(1, 0)
	_, failure, err := NewChecker().Check(ctx, m.HCL(), m.JSON(), "")
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Nil(t, failure)
}
