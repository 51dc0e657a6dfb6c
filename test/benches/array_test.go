// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// packed returns a trace compressed with gzip.
func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// timeless removes the figures of the run from the output of the array.
func timeless(stdout string) string {
	return regexp.MustCompile(`(?m)^speed: .*\n`).ReplaceAllString(stdout, "")
}

func TestArrayBench(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	b := build(t, "array")
	good := func() *trace { return stormTrace(300) }
	faulty := func() string {
		golden := good()
		for _, pattern := range []string{" 0 m_link01 ", " 1 m_local ", " 3 m_link02 "} {
			i := golden.find(pattern, 5)
			golden.set(i, 5, flip(golden.column(i, 5)))
		}
		return golden.String()
	}

	t.Run("an equal design passes, on any number of threads", func(t *testing.T) {
		status, want, stderr := b.run(t, good().String(), "+threads=1")
		require.Equal(t, equal, status, stderr)
		assert.Regexp(t, `^PASS: standin_array\.storm: 300 cycles, 32 streams, \d+ values compared, .* 0 mismatches\n`, want)
		assert.Contains(t, want, "\n"+longest(good(), 300)+"\n")
		assert.Regexp(t, `\nspeed: \d+ cycles of 4 routers in \d+\.\d s on 1 threads, `, want)
		for _, threads := range []string{"2", "3", "7"} {
			status, stdout, stderr := b.run(t, good().String(), "+threads="+threads)
			assert.Equal(t, equal, status)
			assert.Equal(t, timeless(want), timeless(stdout))
			assert.Empty(t, stderr)
		}
	})

	t.Run("all threads find the same differences in the same order", func(t *testing.T) {
		status, stdout, want := b.run(t, faulty(), "+threads=1")
		require.Equal(t, differs, status)
		assert.Contains(t, stdout, ", 3 mismatches\n")
		for _, threads := range []string{"2", "5"} {
			status, _, stderr := b.run(t, faulty(), "+threads="+threads)
			assert.Equal(t, differs, status)
			assert.Equal(t, want, stderr)
		}
	})

	t.Run("each difference is named", func(t *testing.T) {
		checkDifferences(t, b, good, []difference{
			{"header of a link", wrongValue(" 2 m_link01 ", 4, "header", linkHeader)},
			{"payload of a link", wrongValue(" 3 m_link02 ", 5, "payload", plain)},
			{"ready of a link", wrongValue(" 0 m_link00 1 ", 3, "ready", plain)},
			{"source of a delivery", wrongValue(" 1 m_local ", 4, "header", source)},
			{"ready of an injection", wrongValue(" 2 s_local 1 ", 3, "ready", plain)},
			{"valid of a link not expected", missing(" 3 m_link01 ", linkHeader)},
			{"pace", wrongPace(2, 40)},
			{"valid of a link missing", extra("m_link02", "valid: expected 1 with header ")},
		})
	})

	t.Run("exactly once is checked even if trace and design agree", func(t *testing.T) {
		status, _, stderr := b.run(t, loneTrace(lost).String())
		assert.Equal(t, differs, status)
		assert.True(t, strings.HasPrefix(stderr, "mismatch 1: node 0: exactly once: expected 1 deliveries, got 0\n"), stderr)
	})

	t.Run("waves are refused", func(t *testing.T) {
		status, _, stderr := b.run(t, good().String(), "+trace=x.vcd")
		assert.Equal(t, badInput, status)
		assert.Contains(t, stderr, "error: +trace=x.vcd: the array writes no waves")
	})

	t.Run("traces come compressed and through pipes", func(t *testing.T) {
		_, want, _ := b.run(t, good().String())
		name := filepath.Join(t.TempDir(), "it's a trace.gz")
		require.NoError(t, os.WriteFile(name, packed(t, good().String()), 0o644))
		status, stdout, stderr := b.run(t, "", "+golden="+name)
		assert.Equal(t, equal, status, stderr)
		assert.Equal(t, timeless(want), timeless(stdout))

		cmd := exec.Command(b.program, "+golden=-")
		cmd.Stdin = strings.NewReader(good().String())
		out, err := cmd.Output()
		require.NoError(t, err)
		assert.Equal(t, timeless(want), timeless(string(out)))

		cmd = exec.Command(b.program, "+golden=-")
		cmd.Stdin = strings.NewReader(faulty())
		out, err = cmd.CombinedOutput()
		require.Error(t, err)
		assert.Regexp(t, `\n  > <stdin>:\d+: \d+ \d m_l\w+ [01] [0-9a-f] [0-9a-f]{10}\n`, string(out), "lines are shown again")
	})

	t.Run("a damaged archive is rejected", func(t *testing.T) {
		whole := packed(t, good().String())
		name := filepath.Join(t.TempDir(), "cut.trace.gz")
		require.NoError(t, os.WriteFile(name, whole[:len(whole)/2], 0o644))
		status, _, stderr := b.run(t, "", "+golden="+name)
		assert.Equal(t, badInput, status)
		assert.Contains(t, stderr, "cut.trace.gz: gzip cannot unpack it: the trace is damaged or truncated")
	})
}

// The array evaluates routers one by one, which is correct only while links depend only on
// registers.
func TestArrayBenchRefusesReadyThatFollowsFromInputs(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	b := build(t, "array", "turn_q & {3{!local_valid_q}};", "{3{!local_valid_q}} & (s_axis_link_tdata[0] ? turn_q : {turn_q[1:0], turn_q[2]});")
	status, _, stderr := b.run(t, stormTrace(300).String())
	assert.Equal(t, fault, status)
	assert.Regexp(t, `error: node \d: an output that must follow from registers changes `, stderr)
}
