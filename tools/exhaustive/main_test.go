// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/tools/internal/exhaustive"
)

// An interrupted run exits with 130 and leaves its record, and the next run continues
// from it.
func TestInterruptedRunGoesOn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "record")
	size := func() int64 {
		info, err := os.Stat(name)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	for range 2 {
		before := size()
		ctx, cancel := context.WithCancel(t.Context())
		code := make(chan int, 1)
		go func() { code <- run(ctx, []string{"-record", name}) }()
		require.Eventually(t, func() bool { return size() > before+200 }, time.Minute, time.Millisecond)
		cancel()
		require.Equal(t, 130, <-code)
	}
	record, err := os.ReadFile(name)
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^chunk \d+ `).FindAllString(string(record), -1) {
		assert.False(t, seen[line], "%s is checked twice", line)
		seen[line] = true
	}
	assert.GreaterOrEqual(t, len(seen), 3)
}

func TestBadFlags(t *testing.T) {
	for _, args := range [][]string{{"-recrod", "x"}, {"more"}, {"-workers", "-1"}, {"-for", "-1s"}, {"-for", "1"}} {
		assert.Equal(t, 2, run(t.Context(), args), "%v", args)
	}
	name := filepath.Join(t.TempDir(), "thesis.txt")
	require.NoError(t, os.WriteFile(name, []byte("years of work"), 0o666))
	assert.Equal(t, 1, run(t.Context(), []string{"-record", name}))
}

func TestExitCodes(t *testing.T) {
	sum := exhaustive.Summary{Count: exhaustive.Count{Machines: 4321}}
	for _, c := range []struct {
		err      error
		recorded bool
		code     int
		says     string
	}{
		{nil, true, 0, ""},
		{errors.New("disk full"), true, 1, "exhaustive: error: disk full\n"},
		{&exhaustive.Fault{Err: errors.New("machine (2,1): wrong")}, true, 3,
			"exhaustive: error: machine (2,1): wrong\nhint: 4,321 machines were checked; the first fault in the order of the range is shown\n"},
		{context.DeadlineExceeded, true, 0, "hint: the same command goes on from there\n"},
		{context.DeadlineExceeded, false, 0, ""},
		{context.Canceled, true, 130, "exhaustive: error: interrupted; 4,321 of 1,710,738 machines are checked\nhint: the same command goes on from there\n"},
		{context.Canceled, false, 130, "exhaustive: error: interrupted; 4,321 of 1,710,738 machines are checked\n"},
	} {
		var out, messages bytes.Buffer
		assert.Equal(t, c.code, conclude(&out, &messages, sum, c.err, c.recorded), "%v", c.err)
		assert.Equal(t, c.says, messages.String())
		assert.Equal(t, c.code == 0, out.Len() > 0, "%v", c.err)
		assert.Equal(t, errors.Is(c.err, context.DeadlineExceeded), strings.HasPrefix(out.String(), "not all: 4,321 of 1,710,738 machines are checked"))
	}
	assert.Equal(t, 3, run(t.Context(), []string{"-for", "1ns"}))
	assert.Equal(t, 0, run(t.Context(), []string{"-help"}))
}

// The checks of an earlier run do not count: a run without time for any check fails.
func TestRunThatChecksNothingFails(t *testing.T) {
	for recorded, says := range map[int]string{0: "checked\n", 4321: "checked beside the 4,321 of the record\n"} {
		var out, messages bytes.Buffer
		sum := exhaustive.Summary{Count: exhaustive.Count{Machines: recorded}, Recorded: recorded}
		assert.Equal(t, 3, conclude(&out, &messages, sum, context.DeadlineExceeded, true))
		assert.Zero(t, out.Len())
		assert.Contains(t, messages.String(), "error: the time was over before any machine was "+says)
	}

	name := filepath.Join(t.TempDir(), "record")
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() { code <- run(ctx, []string{"-record", name}) }()
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(name)
		return err == nil && bytes.Contains(text, []byte("\nchunk ")) && bytes.HasSuffix(text, []byte("\n"))
	}, time.Minute, time.Millisecond)
	cancel()
	require.Equal(t, 130, <-code)
	assert.Equal(t, 3, run(t.Context(), []string{"-record", name, "-for", "1ns"}))
	assert.FileExists(t, name)
}

func TestReport(t *testing.T) {
	var out bytes.Buffer
	report(&out, exhaustive.Summary{
		Count:    exhaustive.Count{Machines: 1710738, Multisets: 94277, AllSources: 5, Broadcasts: 1000, Messages: 999, LargestWC: 7},
		Recorded: 999999, Time: 90 * time.Second, Workers: 2,
	})
	for _, says := range []string{"machines    1,710,738, in", "; 94,277 up to", "broadcasts  1,000, with", "messages    999, wc up to 7\n", "not executed, by argument\n",
		"\nrun time 90 s with 2 at a time, earlier runs included, which checked 999,999 machines\n"} {
		assert.Contains(t, out.String(), says)
	}
	assert.Equal(t, []string{"0", "12", "123", "1,234", "1,234,567"}, []string{thousands(0), thousands(12), thousands(123), thousands(1234), thousands(1234567)})
}
