// SPDX-License-Identifier: Apache-2.0

//go:build unix

package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// once is how often units have begun if each of them has begun once.
func once(units int) map[int]int {
	times := map[int]int{}
	for i := range units {
		times[i] = 1
	}
	return times
}

func TestEachUnitRunsOnce(t *testing.T) {
	r := newRunner(t, 5, 0)
	assert.Regexp(t, `^squares: 5 of 5 units, \d+s\n$`, r.succeed(t))
	assert.Equal(t, "squares: 5 of 5 units are done\n", r.succeed(t))
	assert.Equal(t, once(5), r.begun(t))
}

func TestFailuresHaveAReasonAndALog(t *testing.T) {
	r := newRunner(t, 4, 0)
	for i, does := range []string{"", "fails", "panics", "kills itself"} {
		r.Works[i].Does = does
	}
	var messages buffer
	o, err := r.run(t.Context(), &messages)
	require.NoError(t, err)
	const reasons = `square1: no square
square2: its process ended without a result: exit status 2
square3: its process ended without a result: signal: killed`
	assert.Equal(t, reasons, failures(o))
	assert.Equal(t, 3, o.Missing)
	for i, says := range []string{"", "squaring", "panic: no square", "squaring\nsquare3 failed: its process ended without a result: signal: killed\n"} {
		if i == 0 {
			continue
		}
		log := o.Failed[i-1].Log
		assert.Contains(t, messages.String(), "; see "+log+"\n")
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		assert.Contains(t, string(text), says)
	}
	assert.Regexp(t, `\nsquares: 1 of 4 units, 3 failed, \d+s\n$`, messages.String())

	messages = buffer{}
	r.Results = true
	o, err = r.run(t.Context(), &messages)
	require.NoError(t, err)
	assert.Equal(t, reasons, failures(o))
	assert.Regexp(t, `^squares: 1 of 4 units is done\nsquares: square1 failed: no square; see .*\n`, strings.ReplaceAll(messages.String(), "units are", "units is"))

	r.Results = false
	for i := range r.Works {
		r.Works[i].Does = ""
	}
	o, err = r.run(t.Context(), &buffer{})
	require.NoError(t, err)
	r.complete(t, o)
	assert.Equal(t, map[int]int{0: 1, 1: 2, 2: 2, 3: 2}, r.begun(t))
}

func TestNoUnitBeginsAfterTheTimeOrWhenItIsEnough(t *testing.T) {
	for _, change := range []func(*runner){func(r *runner) { r.For = 100 * time.Millisecond }, func(r *runner) { r.Enough = 1 }} {
		r := newRunner(t, 20, 200*time.Millisecond)
		r.Jobs = 2
		change(&r)
		o, err := r.run(t.Context(), &buffer{})
		require.NoError(t, err)
		assert.Empty(t, o.Failed)
		assert.Len(t, r.begun(t), len(o.Results))
		assert.Equal(t, len(o.Results), o.Begun)
		assert.Equal(t, 20-len(o.Results), o.Missing)
		assert.Equal(t, o.Missing, o.Left)
		assert.Less(t, len(o.Results), 5)
	}
}

// Every unit is of one shard, whatever the number of shards.
func TestShardsCoverAllUnits(t *testing.T) {
	for n := 1; n <= 7; n++ {
		r := newRunner(t, 5, 0)
		for i := 1; i <= n; i++ {
			r.Shard = Shard{i, n}
			o, err := r.run(t.Context(), &buffer{})
			require.NoError(t, err)
			assert.Zero(t, o.Left)
			assert.Len(t, o.Results, 5-o.Missing)
		}
		assert.Equal(t, once(5), r.begun(t), n)
		r.Shard, r.Results = Shard{}, true
		r.succeed(t)
	}
}

// Three shards work in a folder at once, as processes, and the results are printed meanwhile.
func TestShardsWorkInOneFolderAtOnce(t *testing.T) {
	r := newRunner(t, 10, 100*time.Millisecond)
	r.Jobs = 1
	var waits []func() error
	for i, units := range []int{4, 3, 3} {
		r.Shard = Shard{i + 1, 3}
		process, messages := r.start(t)
		waits = append(waits, func() error {
			err := process.Wait()
			assert.Regexp(t, fmt.Sprintf(`^squares %d/3: %d of %[2]d units, \d+s\n$`, i+1, units), messages)
			return err
		})
	}
	r.Shard, r.Results = Shard{}, true
	for seen := 0; seen < 10; time.Sleep(10 * time.Millisecond) {
		o, err := r.run(t.Context(), &buffer{})
		require.NoError(t, err)
		require.Empty(t, o.Failed)
		require.Equal(t, 10, len(o.Results)+o.Missing)
		require.GreaterOrEqual(t, len(o.Results), seen)
		seen = len(o.Results)
	}
	for _, wait := range waits {
		require.NoError(t, wait())
	}
	assert.Equal(t, once(10), r.begun(t))
	assert.Equal(t, "squares: 10 of 10 units are done\n", r.succeed(t))
}

// Two equal runs in a folder may run a unit twice, and get the same results as one.
func TestEqualRunsInOneFolder(t *testing.T) {
	r := newRunner(t, 12, 20*time.Millisecond)
	r.Jobs = 2
	one, _ := r.start(t)
	two, _ := r.start(t)
	require.NoError(t, one.Wait())
	require.NoError(t, two.Wait())
	r.Results = true
	r.succeed(t)
	begun := r.begun(t)
	assert.Len(t, begun, 12)
	for unit, times := range begun {
		assert.LessOrEqual(t, times, 2, unit)
	}
	whole := r
	whole.Results, whole.Folder = false, filepath.Join(t.TempDir(), "whole")
	whole.succeed(t)
	assert.Equal(t, results(t, whole.Folder), results(t, r.Folder))
}

// A unit that another run has finished in the meantime does not run.
func TestUnitThatAnotherRunHasFinishedDoesNotRun(t *testing.T) {
	r := newRunner(t, 4, 300*time.Millisecond)
	r.Jobs = 1
	process, _ := r.start(t)
	r.await(t, 1)
	last := r
	last.Shard = Shard{4, 4}
	_, err := last.run(t.Context(), &buffer{})
	require.NoError(t, err)
	require.NoError(t, process.Wait())
	assert.Equal(t, once(4), r.begun(t))
}

func TestResultsOfAFolderThatDoesNotExist(t *testing.T) {
	r := newRunner(t, 3, 0)
	r.Results = true
	var messages buffer
	o, err := r.run(t.Context(), &messages)
	require.NoError(t, err)
	assert.Equal(t, 3, o.Missing)
	assert.Equal(t, "squares: 0 of 3 units are done\n", messages.String())
	assert.NoDirExists(t, r.Folder)
}

// The runner is killed at any moment, again and again. The results are those of a run that was not killed.
func TestRunnerIsKilledAtRandom(t *testing.T) {
	const units = 12
	r := newRunner(t, units, 100*time.Millisecond)
	r.Jobs = 2
	all := ""
	kills := 0
	for ; ; kills++ {
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
	again := 0
	for _, times := range r.begun(t) {
		again += times - 1
	}
	assert.LessOrEqual(t, again, r.Jobs*kills, all)

	whole := r
	whole.Folder = filepath.Join(t.TempDir(), "whole")
	whole.succeed(t)
	assert.Equal(t, results(t, whole.Folder), results(t, r.Folder))
}

// results are the files of results without the time that units took.
func results(t *testing.T, folder string) map[string]Result {
	all := map[string]Result{}
	for _, name := range left(t, filepath.Join(folder, "results")) {
		if strings.HasPrefix(name, ".new-") { // of a run that was killed while it wrote
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

// A run that is killed ends its units.
func TestUnitsEndWithTheirRun(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("only Linux ends the processes of a process that is killed")
	}
	r := newRunner(t, 1, time.Minute)
	process, messages := r.start(t)
	r.await(t, 1)
	require.NoError(t, process.Process.Kill())
	start := time.Now()
	require.Error(t, process.Wait(), messages) // which waits for units, because they have the same standard error
	assert.Less(t, time.Since(start), 30*time.Second)
	assert.Empty(t, left(t, filepath.Join(r.Folder, "failed")))
}

// An interrupted run ends, and its units have not failed.
func TestInterruptIsNoFailure(t *testing.T) {
	r := newRunner(t, 3, 5*time.Minute)
	r.Jobs = 2
	r.interrupt(t)
}

// So does one with a unit that does not heed the signal.
func TestInterruptEndsUnitsThatAreDeaf(t *testing.T) {
	needs.Time(t)
	r := newRunner(t, 2, 5*time.Minute)
	r.Works[1].Does, r.Jobs = "is deaf", 2
	r.interrupt(t)
}

// interrupt runs the campaign until two units have begun.
func (r runner) interrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for len(r.begun(t)) < 2 {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	_, err := r.run(ctx, &buffer{})
	require.ErrorIs(t, err, context.Canceled)
	assert.Len(t, r.begun(t), 2)
	assert.Empty(t, left(t, filepath.Join(r.Folder, "failed")))
	assert.Empty(t, left(t, filepath.Join(r.Folder, "results")))
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
		}, "it is of the unit square2", map[int]int{0: 1, 1: 2, 2: 1}},
		"of another input":   {func(_ *testing.T, r *runner, _ string) { r.Works[1].Time = 1 }, "it is of another input", map[int]int{0: 1, 1: 2, 2: 1}},
		"of another version": {func(_ *testing.T, r *runner, _ string) { r.Version = "2" }, "it is of square (none) instead of 2", map[int]int{0: 2, 1: 2, 2: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t, 3, 0)
			r.succeed(t)
			c.spoil(t, &r, filepath.Join(r.Folder, "results", "square1.json"))
			assert.Regexp(t, `squares: \d results? (is|are) not used: `+regexp.QuoteMeta(c.why)+"\n", r.succeed(t))
			assert.Equal(t, c.again, r.begun(t))
		})
	}
}

// A failure of another input or another version says nothing about the unit.
func TestFailuresOfAnotherInputDoNotCount(t *testing.T) {
	r := newRunner(t, 1, 0)
	r.Works[0].Does = "fails"
	_, err := r.run(t.Context(), &buffer{})
	require.NoError(t, err)
	r.Results = true
	for _, change := range []func(){func() {}, func() { r.Works[0].Does = "" }, func() { r.Works[0].Does, r.Version = "fails", "2" }} {
		change()
		o, err := r.run(t.Context(), &buffer{})
		require.NoError(t, err)
		assert.Equal(t, r.Works[0].Does == "fails" && r.Version == "", len(o.Failed) == 1)
	}
}

func TestUnitsOfAProgramThatWasBuiltAgainFail(t *testing.T) {
	r := newRunner(t, 1, 0)
	r.Program = "another"
	o, err := r.run(t.Context(), &buffer{})
	require.NoError(t, err)
	assert.Equal(t, "square0: the program is not the one that began the campaign: it was built again", failures(o))
	r.Program, err = Program()
	require.NoError(t, err)
	r.succeed(t)
}

func TestLogsKeepTheEnd(t *testing.T) {
	var l tail
	for i := range 3 {
		_, err := l.Write([]byte(strings.Repeat(fmt.Sprint(i), longestLog/2)))
		require.NoError(t, err)
	}
	assert.Len(t, l.text, longestLog)
	assert.Equal(t, "12", string(l.text[longestLog/2-1:longestLog/2+1]))
}
