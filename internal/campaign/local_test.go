// SPDX-License-Identifier: Apache-2.0

//go:build unix

package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

func TestLocalRunsEachUnitOnce(t *testing.T) {
	r := newRunner(t, "local", 5, 0)
	assert.Empty(t, r.succeed(t))
	assert.Equal(t, "squares: 5 of 5 units are done already\n", r.succeed(t))
	assert.Equal(t, once(5), r.begun(t))
}

func TestLocalTellsHowUnitsEnded(t *testing.T) {
	r := newRunner(t, "local", 4, 0)
	for i, does := range []string{"", "fails", "panics", "kills itself"} {
		r.Works[i].Does = does
	}
	var messages buffer
	o, err := r.run(t.Context(), &messages)
	require.NoError(t, err)
	assert.Equal(t, `square1: failed: no square
square2: lost: it ended without a word: exit status 2
square3: lost: it ended without a word: signal: killed`, failures(o))
	assert.Equal(t, []string{"square1.log", "square2.log", "square3.log"}, left(t, filepath.Join(r.Folder, "logs")))
	log, err := os.ReadFile(filepath.Join(r.Folder, "logs", "square2.log"))
	require.NoError(t, err)
	assert.Contains(t, string(log), "panic: no square")

	messages = buffer{}
	_, err = r.run(t.Context(), &messages)
	require.NoError(t, err)
	assert.Contains(t, messages.String(), "squares: 1 of 4 units are done already\nsquares: 3 units have begun in earlier runs and left no result\n")
	assert.Equal(t, map[int]int{0: 1, 1: 2, 2: 2, 3: 2}, r.begun(t))
}

func TestLocalRepeatsUnitsWithoutAResult(t *testing.T) {
	r := newRunner(t, "local", 3, 0)
	r.Works[1].Does, r.Retries = "fails at first", 2
	assert.Regexp(t, `^squares: square1: failed: no square; see .*\nsquares: 1 unit is without a result: try 1 of 2\n$`, r.succeed(t))
	assert.Equal(t, map[int]int{0: 1, 1: 2, 2: 1}, r.begun(t))
}

func TestLocalBeginsNoUnitAfterTheTimeOrWhenItIsEnough(t *testing.T) {
	for _, change := range []func(*runner){func(r *runner) { r.For = 100 * time.Millisecond }, func(r *runner) { r.Enough = 1 }} {
		r := newRunner(t, "local", 20, 200*time.Millisecond)
		r.Jobs = 2
		change(&r)
		o, err := r.run(t.Context(), &buffer{})
		require.NoError(t, err)
		assert.Empty(t, o.Failed)
		assert.Len(t, r.begun(t), len(o.Results))
		assert.Equal(t, 20-len(o.Results), o.Missing)
		assert.Less(t, len(o.Results), 5)
	}
}

var begunBefore = regexp.MustCompile(`(?m)^squares: (\d+) units? (?:has|have) begun in earlier runs and left no result$`)

// The runner is killed at any moment, again and again. Units that run more than once are announced, and the results are
// those of a run that was not killed.
func TestLocalRunnerIsKilledAtRandom(t *testing.T) {
	const units = 12
	r := newRunner(t, "local", units, 100*time.Millisecond)
	r.Jobs = 2
	all := ""
	for kills := 0; ; kills++ {
		process, messages := r.start(t)
		time.AfterFunc(time.Duration(50+rand.N(300))*time.Millisecond, func() {
			_ = process.Process.Signal([]os.Signal{syscall.SIGKILL, syscall.SIGTERM, os.Interrupt}[kills%3])
		})
		err := process.Wait()
		all += fmt.Sprintf("run %d: %v\n%s", kills, err, messages)
		if err == nil {
			break
		}
		require.Less(t, kills, 100, all)
	}
	r.succeed(t)
	again, announced := 0, 0
	for _, times := range r.begun(t) {
		again += times - 1
	}
	for _, m := range begunBefore.FindAllStringSubmatch(all, -1) {
		n, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		announced += n
	}
	assert.LessOrEqual(t, again, announced, all)

	whole := r
	whole.Folder = filepath.Join(t.TempDir(), "whole")
	whole.succeed(t)
	assert.Equal(t, results(t, whole.Folder), results(t, r.Folder))
}

// results are the files of results without the time that units took.
func results(t *testing.T, folder string) map[string]Result {
	all := map[string]Result{}
	for _, name := range left(t, filepath.Join(folder, "results")) {
		if strings.HasPrefix(name, ".new-") { // of a unit that was killed while it wrote
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, "results", name))
		require.NoError(t, err)
		var r Result
		require.NoError(t, json.Unmarshal(text, &r))
		r.Seconds = 0
		all[name] = r
	}
	return all
}

func TestTwoRunnersExcludeEachOther(t *testing.T) {
	r := newRunner(t, "local", 2, time.Second)
	process, messages := r.start(t)
	r.await(t, 1)
	_, err := r.run(t.Context(), &buffer{})
	require.ErrorIs(t, err, ErrBusy)
	require.NoError(t, process.Wait(), messages)
	r.succeed(t)
	assert.Equal(t, once(2), r.begun(t))
}

// A unit that goes on after its runner was killed keeps the folder from the next one.
func TestUnitsThatGoOnKeepTheFolder(t *testing.T) {
	r := newRunner(t, "local", 1, 2*time.Second)
	r.Works[0].Does = "is deaf"
	process, messages := r.start(t)
	r.await(t, 1)
	require.NoError(t, process.Process.Kill())
	_, err := process.Process.Wait()
	require.NoError(t, err)
	_, err = r.run(t.Context(), &buffer{})
	require.ErrorIs(t, err, ErrBusy, messages)
	require.Eventually(t, func() bool { _, err := r.run(t.Context(), &buffer{}); return !errors.Is(err, ErrBusy) }, time.Minute, 100*time.Millisecond)
	r.succeed(t)
	assert.Equal(t, once(1), r.begun(t))
}

// An interrupted run ends, though its unit does not heed the signal.
func TestInterruptEndsUnitsThatAreDeaf(t *testing.T) {
	needs.Time(t)
	r := newRunner(t, "local", 2, 5*time.Minute)
	r.Works[1].Does, r.Jobs = "is deaf", 2
	ctx, cancel := context.WithCancel(t.Context())
	end := r.background(ctx, &buffer{})
	r.await(t, 2)
	cancel()
	o, err := end()
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, "square0: stopped: the campaign was interrupted\nsquare1: stopped: the campaign was interrupted", failures(o))
}

func TestResultsThatDoNotCountAreReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, r *runner, result string)
		why   string
		again map[int]int
	}{
		"cut short": {func(t *testing.T, _ *runner, result string) { require.NoError(t, os.Truncate(result, 40)) }, "it is not whole", map[int]int{0: 1, 1: 2, 2: 1}},
		"empty":     {func(t *testing.T, _ *runner, result string) { require.NoError(t, os.Truncate(result, 0)) }, "it is not whole", map[int]int{0: 1, 1: 2, 2: 1}},
		"of another unit": {func(t *testing.T, _ *runner, result string) {
			text, err := os.ReadFile(filepath.Join(filepath.Dir(result), "square2.json"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(result, text, 0o666))
		}, "it is not whole", map[int]int{0: 1, 1: 2, 2: 1}},
		"of another input":   {func(_ *testing.T, r *runner, _ string) { r.Works[1].Time = 1 }, "it is of another input", map[int]int{0: 1, 1: 2, 2: 1}},
		"of another version": {func(_ *testing.T, r *runner, _ string) { r.Version = "2" }, "it is of square (none) instead of 2", map[int]int{0: 2, 1: 2, 2: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t, "local", 3, 0)
			r.succeed(t)
			c.spoil(t, &r, filepath.Join(r.Folder, "results", "square1.json"))
			assert.Regexp(t, `squares: \d results? (is|are) not used and will be replaced: `+regexp.QuoteMeta(c.why)+"\n", r.succeed(t))
			assert.Equal(t, c.again, r.begun(t))
		})
	}
}

func TestUnitsOfAProgramThatWasBuiltAgainFail(t *testing.T) {
	r := newRunner(t, "local", 1, 0)
	r.Program = "another"
	o, err := r.run(t.Context(), &buffer{})
	require.NoError(t, err)
	assert.Equal(t, "square0: failed: the program is not the one that began the campaign: it was built again", failures(o))
	r.Program, err = Program()
	require.NoError(t, err)
	r.succeed(t)
}
