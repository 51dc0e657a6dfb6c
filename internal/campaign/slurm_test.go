// SPDX-License-Identifier: Apache-2.0

//go:build unix

package campaign

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/campaign/slurmtest"
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

// background runs a campaign in a goroutine. The function that it returns waits for its end.
func (r runner) background(ctx context.Context, messages *buffer) func() (*Outcome, error) {
	type result struct {
		o   *Outcome
		err error
	}
	c := make(chan result, 1)
	go func() {
		o, err := r.run(ctx, messages)
		c <- result{o, err}
	}()
	return func() (*Outcome, error) { got := <-c; return got.o, got.err }
}

// says waits for a message.
func says(t *testing.T, messages *buffer, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(messages.String(), text) }, time.Minute, 10*time.Millisecond, "%s is not in: %s", text, messages)
}

func TestSlurmRunsEachUnitOnce(t *testing.T) {
	slurmtest.Start(t, "MaxArraySize=4")
	r := newRunner(t, "slurm", 6, 100*time.Millisecond)
	messages := r.succeed(t)
	assert.Equal(t, once(6), r.begun(t))
	assert.Regexp(t, `squares: 4 units are submitted: job \d+, squares-[0-9a-f]{16}-[a-z0-9]{6}\nsquares: 2 units are submitted`, messages)
	assert.Equal(t, "squares: 6 of 6 units are done already\n", r.succeed(t))
}

func TestSlurmTellsHowUnitsEnded(t *testing.T) {
	needs.Time(t)
	c := slurmtest.Start(t, "MaxArraySize=4")
	r := newRunner(t, "slurm", 10, 0)
	for i, does := range []string{"", "fails", "panics", "kills itself", "kills its parent", "is deaf", "", "", "", ""} {
		r.Works[i].Does = does
		if i >= 4 {
			r.Works[i].Time = time.Minute
		}
	}
	var messages buffer
	end := r.background(t.Context(), &messages)
	r.await(t, 7) // the last ones wait for a processor
	waiting := strings.Fields(c.Run("squeue", "--noheader", "--array", "--states=PENDING", "--format=%i"))
	require.Len(t, waiting, 3)
	c.Run("scancel", waiting[0]) // one of an array that has others, and then all
	c.Run("scancel", waiting[1:]...)
	c.Run("scancel", strings.Fields(c.Run("squeue", "--noheader", "--states=RUNNING", "--format=%i"))...)
	o, err := end()
	require.NoError(t, err)
	assert.Equal(t, 9, o.Missing)
	assert.Regexp(t, `^square1: failed: no square
square2: lost: it ended without a word: exit status 2
square3: lost: it ended without a word: killed by signal 9: Killed
square4: lost: it is gone without a word, in Slurm's state FAILED
square5: stopped: Slurm cancelled it: .* CANCELLED AT .*
square6: stopped: Slurm cancelled it: .* CANCELLED AT .*
square7: stopped: it left the queue before it began, as tasks do that are cancelled
square8: stopped: it left the queue before it began, as tasks do that are cancelled
square9: stopped: it left the queue before it began, as tasks do that are cancelled$`, failures(o))
	assert.Empty(t, left(t, filepath.Join(r.Folder, "slurm")))
	assert.Equal(t, once(7), r.begun(t))
}

func TestSlurmTellsUnitsThatTookTooLong(t *testing.T) {
	needs.Time(t)
	slurmtest.Start(t)
	r := newRunner(t, "slurm", 3, 5*time.Minute)
	r.Works[0].Does, r.Works[1].Time = "is deaf", 0
	r.Options = []string{"--time=1"}
	var messages buffer
	o, err := r.run(t.Context(), &messages)
	require.NoError(t, err)
	const reason = "time out: Slurm ended it at its limit of time, which --sbatch=--time=... changes"
	assert.Equal(t, "square0: "+reason+"\nsquare2: "+reason, failures(o))
	assert.Equal(t, once(3), r.begun(t))
}

func TestSlurmRepeatsUnitsWithoutAResult(t *testing.T) {
	needs.Time(t)
	slurmtest.Start(t)
	r := newRunner(t, "slurm", 3, 0)
	r.Works[1].Does, r.Retries = "fails at first", 2
	messages := r.succeed(t)
	assert.Contains(t, messages, "squares: square1: failed: no square; see ")
	assert.Contains(t, messages, "squares: 1 unit is without a result: try 1 of 2\n")
	assert.NotContains(t, messages, "try 2")
	assert.Equal(t, map[int]int{0: 1, 1: 2, 2: 1}, r.begun(t))
}

func TestSlurmArrayLimitHoldsForAllArrays(t *testing.T) {
	needs.Time(t)
	slurmtest.Start(t, "MaxArraySize=2")
	r := newRunner(t, "slurm", 4, 100*time.Millisecond)
	r.ArrayLimit = 1
	for i := range r.Works {
		r.Works[i].Does = "is alone"
	}
	r.succeed(t)
}

func TestSlurmBeginsNoUnitAfterTheTimeOrWhenItIsEnough(t *testing.T) {
	needs.Time(t)
	c := slurmtest.Start(t, "MaxArraySize=5")
	for _, change := range []func(*runner){func(r *runner) { r.For = time.Second }, func(r *runner) { r.Enough = 1 }} {
		r := newRunner(t, "slurm", 8, 2*time.Second)
		change(&r)
		var messages buffer
		o, err := r.run(t.Context(), &messages)
		require.NoError(t, err, &messages)
		assert.Empty(t, o.Failed)
		assert.Len(t, r.begun(t), len(o.Results))
		assert.Positive(t, o.Missing, &messages)
		assert.Eventually(t, c.Empty, 10*time.Second, 100*time.Millisecond) // a unit may run for 2 s
		assert.Empty(t, left(t, filepath.Join(r.Folder, "slurm")))
	}
}

func TestSlurmNodeIsDrained(t *testing.T) {
	needs.Time(t)
	c := slurmtest.Start(t)
	r := newRunner(t, "slurm", 4, time.Second)
	var messages buffer
	end := r.background(t.Context(), &messages)
	r.await(t, 2)
	c.Run("scontrol", "update", "nodename="+c.Node, "state=drain", "reason=test")
	says(t, &messages, "squares: no task runs; Slurm's reasons: Nodes required for job are DOWN, DRAINED")
	c.Run("scontrol", "update", "nodename="+c.Node, "state=resume")
	o, err := end()
	require.NoError(t, err)
	r.complete(t, o)
	assert.Equal(t, once(4), r.begun(t))
}

func TestSlurmNodeFails(t *testing.T) {
	needs.Time(t)
	c := slurmtest.Start(t)
	r := newRunner(t, "slurm", 2, time.Minute)
	var messages buffer
	end := r.background(t.Context(), &messages)
	r.await(t, 2)
	c.Run("scontrol", "update", "nodename="+c.Node, "state=down", "reason=test")
	o, err := end()
	require.NoError(t, err)
	assert.Regexp(t, `^square0: stopped: Slurm cancelled it: .* DUE TO NODE FAILURE.*
square1: stopped: Slurm cancelled it: .* DUE TO NODE FAILURE.*$`, failures(o))
	assert.Equal(t, once(2), r.begun(t))
}

func TestSlurmControllerRestarts(t *testing.T) {
	needs.Time(t)
	c := slurmtest.Start(t)
	r := newRunner(t, "slurm", 4, 2*time.Second)
	r.Works[1].Does = "kills itself"
	var messages buffer
	end := r.background(t.Context(), &messages)
	r.await(t, 2)
	c.StopController()
	says(t, &messages, "squares: square1: lost: it ended without a word: killed by signal 9")
	says(t, &messages, "squares: the queue gives no answer, and is asked again: ")
	c.StartController()
	o, err := end()
	require.NoError(t, err)
	assert.Len(t, o.Results, 3)
	assert.Equal(t, once(4), r.begun(t))
}

// Slurm forgets jobs MinJobAge seconds after their end.
func TestSlurmHasForgottenJobs(t *testing.T) {
	needs.Time(t)
	c := slurmtest.Start(t, "MinJobAge=2")
	r := newRunner(t, "slurm", 3, 0)
	r.Works[1].Does, r.Works[2].Does, r.Works[2].Time = "fails", "kills its parent", time.Minute
	process, messages := r.start(t)
	r.await(t, 2)
	require.NoError(t, process.Process.Kill())
	require.Error(t, process.Wait(), messages)
	require.Eventually(t, func() bool { return c.Run("squeue", "--noheader", "--states=all") == "" }, time.Minute, 100*time.Millisecond)
	var again buffer
	o, err := r.run(t.Context(), &again)
	require.NoError(t, err)
	assert.Equal(t, "square1: failed: no square\nsquare2: lost: it is gone without a word", failures(o))
	assert.Equal(t, once(3), r.begun(t))
}

func TestSlurmJobsGoOnWithoutTheirRunner(t *testing.T) {
	needs.Time(t)
	c := slurmtest.Start(t, "MaxArraySize=5")
	r := newRunner(t, "slurm", 8, time.Second)
	process, messages := r.start(t)
	r.await(t, 2)

	var other buffer
	_, err := r.run(t.Context(), &other)
	require.ErrorIs(t, err, ErrBusy)

	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.Error(t, process.Wait())
	assert.Regexp(t, `squares: jobs are left in Slurm: --resume takes them up; to cancel them:\n  scancel 1 \d+\n`, messages.String())

	r.Version = "other"
	_, err = r.run(t.Context(), &other)
	require.ErrorContains(t, err, "has jobs of another campaign in Slurm: continue that campaign, take another folder, or cancel them: scancel ")
	r.Version, r.Engine = "", "local"
	_, err = r.run(t.Context(), &other)
	require.Error(t, err)
	assert.Regexp(t, `has jobs in Slurm: continue with --resume or --engine slurm, or give them up: scancel \d+ \d+, and remove the folder .*/slurm$`, err.Error())
	r.Engine = "slurm"

	require.Eventually(t, func() bool { return c.Run("squeue", "--noheader") == "" }, time.Minute, 100*time.Millisecond)
	assert.Equal(t, "squares: 8 of 8 units are done already\n", r.succeed(t))
	assert.Equal(t, once(8), r.begun(t))
}

func TestSlurmArrayOfAnotherCampaignThatHasEndedIsNoHindrance(t *testing.T) {
	needs.Time(t)
	c := slurmtest.Start(t)
	r := newRunner(t, "slurm", 2, 0)
	process, _ := r.start(t)
	r.await(t, 2)
	require.NoError(t, process.Process.Kill())
	require.Error(t, process.Wait())
	require.Eventually(t, func() bool { return c.Run("squeue", "--noheader") == "" }, time.Minute, 100*time.Millisecond)
	r.Version = "other"
	assert.Contains(t, r.succeed(t), "it is of square (none) instead of other")
	assert.Equal(t, map[int]int{0: 2, 1: 2}, r.begun(t))
}

func TestSlurmJobsOfAnotherCluster(t *testing.T) {
	slurmtest.Start(t)
	r := newRunner(t, "slurm", 1, 0)
	dir := filepath.Join(r.Folder, "slurm", "squares-x")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "array.json"), []byte(`{"cluster":"far","units":[0],"job":"7"}`), 0o666))
	_, err := r.run(t.Context(), &buffer{})
	require.ErrorContains(t, err, "has jobs in the cluster far, but this is test")
}

// The runner is killed at any moment, again and again. Its jobs go on.
func TestSlurmRunnerIsKilledAtRandom(t *testing.T) {
	slurmtest.Start(t, "MaxArraySize=4")
	const units = 12
	r := newRunner(t, "slurm", units, 300*time.Millisecond)
	all := ""
	for kills := 0; ; kills++ {
		process, messages := r.start(t)
		time.AfterFunc(time.Duration(rand.N(800))*time.Millisecond, func() {
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
	assert.Equal(t, once(units), r.begun(t), all)
}

// wrap puts a shell script before sbatch, which is "$real" in it.
func wrap(t *testing.T, script string) {
	real, err := exec.LookPath("sbatch")
	require.NoError(t, err)
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "sbatch"), []byte("#!/bin/sh\nreal="+real+" once="+bin+"/once\n"+script+"\n"), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// The next run finds out whether an array was submitted, if the runner was killed beside sbatch or the controller
// gave no answer.
func TestSlurmSubmissionIsInterrupted(t *testing.T) {
	needs.Time(t)
	const (
		first    = `mkdir "$once" 2>/dev/null || exec "$real" "$@"` + "\n"
		noAnswer = `echo "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation" >&2; exit 1`
		lost     = "was not submitted\n"
	)
	for name, c := range map[string]struct {
		script string
		killed bool
		says   string
	}{
		"killed after it":                {first + `"$real" "$@"; kill -9 $PPID`, true, "3 tasks of an earlier run taken up"},
		"killed before it":               {first + `kill -9 $PPID; sleep 3; exec "$real" "$@"`, true, "3 tasks of an earlier run taken up"},
		"killed, and sbatch, too":        {first + `kill -9 $PPID $$`, true, lost},
		"no answer, but submitted":       {first + `"$real" "$@" >/dev/null; ` + noAnswer, false, "Socket timed out"},
		"no answer, and not submitted":   {first + noAnswer, false, lost},
		"an answer that is not a number": {first + `"$real" "$@" >/dev/null; echo soon`, false, `sbatch printed "soon\n" in place of a job's number`},
	} {
		t.Run(name, func(t *testing.T) {
			slurmtest.Start(t)
			wrap(t, c.script)
			r := newRunner(t, "slurm", 3, 100*time.Millisecond)
			if c.killed {
				process, _ := r.start(t)
				require.Error(t, process.Wait())
			}
			var messages buffer
			o, err := r.run(t.Context(), &messages)
			if name == "killed before it" { // sbatch still runs
				require.ErrorIs(t, err, ErrBusy)
			}
			for errors.Is(err, ErrBusy) {
				time.Sleep(10 * time.Millisecond)
				o, err = r.run(t.Context(), &messages)
			}
			require.NoError(t, err)
			r.complete(t, o)
			assert.Contains(t, messages.String(), c.says)
			assert.Equal(t, once(3), r.begun(t))
		})
	}
}

// The job of an array is not known if the controller gave no answer, until it is found in the queue.
func TestSlurmJobIsFoundInTheQueue(t *testing.T) {
	needs.Time(t)
	c := slurmtest.Start(t)
	c.Run("scontrol", "update", "nodename="+c.Node, "state=drain", "reason=test")
	wrap(t, `"$real" "$@" >/dev/null; echo "Socket timed out" >&2; exit 1`)
	r := newRunner(t, "slurm", 1, 0)
	ctx, cancel := context.WithCancel(t.Context())
	var messages buffer
	end := r.background(ctx, &messages)
	says(t, &messages, "no task runs")
	cancel()
	_, err := end()
	require.ErrorIs(t, err, context.Canceled)
	assert.Regexp(t, `to cancel them:\n  scancel \d+\n$`, messages.String())
}

// Slurm does not let a task run again in silence.
func TestSlurmTasksAreNotRequeued(t *testing.T) {
	needs.Time(t)
	c := slurmtest.Start(t)
	r := newRunner(t, "slurm", 1, 3*time.Second)
	var messages buffer
	end := r.background(t.Context(), &messages)
	r.await(t, 1)
	out, err := exec.Command("scontrol", "requeue", c.Run("squeue", "--noheader", "--format=%A")).CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "Requested operation is presently disabled")
	o, err := end()
	require.NoError(t, err)
	r.complete(t, o)
	assert.Equal(t, once(1), r.begun(t))
}

// limited is sbatch on a cluster whose users may have that many tasks.
const limited = `
for option; do case $option in --array=0-*) wanted=${option#--array=0-} ;; esac; done
if [ $((wanted + 1 + $(squeue --noheader --array | wc -l))) -gt LIMIT ]; then
	echo "sbatch: error: QOSMaxSubmitJobPerUserLimit" >&2
	echo "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)" >&2
	exit 1
fi
exec "$real" "$@"`

func TestSlurmQueueIsFull(t *testing.T) {
	needs.Time(t)
	slurmtest.Start(t)
	r := newRunner(t, "slurm", 9, 100*time.Millisecond)
	wrap(t, strings.ReplaceAll(limited, "LIMIT", "5"))
	messages := r.succeed(t)
	assert.Contains(t, messages, "squares: 4 units are submitted")
	assert.Contains(t, messages, "squares: the queue takes no more: ")
	assert.Equal(t, once(9), r.begun(t))

	r = newRunner(t, "slurm", 9, 0)
	wrap(t, strings.ReplaceAll(limited, "LIMIT", "0"))
	_, err := r.run(t.Context(), &buffer{})
	require.ErrorContains(t, err, "QOSMaxSubmitJobPerUserLimit")
	assert.Empty(t, left(t, filepath.Join(r.Folder, "slurm")))
}

func TestSlurmRefusesOptions(t *testing.T) {
	slurmtest.Start(t)
	r := newRunner(t, "slurm", 9, 0)
	r.Options = []string{"--partition=nosuch"}
	var messages buffer
	_, err := r.run(t.Context(), &messages)
	require.ErrorContains(t, err, "invalid partition specified: nosuch")
	assert.Empty(t, messages.String())
	assert.Empty(t, left(t, filepath.Join(r.Folder, "slurm")))
	assert.Empty(t, r.begun(t))
}

func TestSlurmIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := newRunner(t, "slurm", 1, 0).run(t.Context(), &buffer{})
	require.ErrorContains(t, err, "scontrol is not installed: the engine slurm needs the commands of Slurm")
}

// Slurm may start a task again, as administrators order it.
func TestTaskDoesNotBeginTwice(t *testing.T) {
	r := newRunner(t, "slurm", 2, 0)
	require.NoError(t, folder(r.Folder).prepare())
	job := Job{
		Folder: r.Folder, List: "squares-0", Begin: func(int) error { return nil }, Log: func(i int) string { return folder(r.Folder).log(fmt.Sprint(i)) },
		Command: func(i int) []string {
			return []string{"sh", "-c", `echo "$0" >>"$1"; exit 3`, fmt.Sprint(i), r.Works[0].Begun}
		},
	}
	a, err := newArray(job, cluster{}, []int{7, 8})
	require.NoError(t, err)
	for _, code := range []int{3, 2} {
		command := exec.Command("sh", "task.sh")
		command.Dir = a.dir
		command.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=1")
		err := command.Run()
		assert.Equal(t, code, command.ProcessState.ExitCode(), err)
	}
	assert.Equal(t, map[int]int{8: 1}, r.begun(t))
	require.NoError(t, a.look())
	known, err := a.known(1)
	require.NoError(t, err)
	assert.Equal(t, Failure{State: Lost, Reason: "it ended without a word: exit status 3"}, known)
}
