// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/internal/process"
)

// The commands of Slurm: scontrol, sbatch, squeue and scancel.

// cluster is what a run needs to know of a cluster.
type cluster struct {
	name         string
	largestArray int // tasks
}

var (
	clusterName    = regexp.MustCompile(`(?m)^ClusterName\s*=\s*(\S+)$`)
	largestIndex   = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)$`) // and one more
	mostArrayTasks = regexp.MustCompile(`\bmax_array_tasks=(\d+)`)
)

func askCluster(ctx context.Context) (cluster, error) {
	text, err := slurmCommand(process.Command(ctx, "scontrol", "show", "config"))
	if err != nil {
		return cluster{}, err
	}
	name, size := clusterName.FindStringSubmatch(text), largestIndex.FindStringSubmatch(text)
	if name == nil || size == nil {
		return cluster{}, errors.New("scontrol show config has no ClusterName or no MaxArraySize")
	}
	c := cluster{name: name[1]}
	for _, limit := range [][]string{size, mostArrayTasks.FindStringSubmatch(text)} {
		if limit == nil {
			continue
		}
		n, err := strconv.Atoi(limit[1])
		if err != nil {
			return c, err
		}
		if c.largestArray == 0 || n < c.largestArray {
			c.largestArray = n
		}
	}
	if c.largestArray < 1 {
		return c, fmt.Errorf("the cluster %s has no job arrays: its MaxArraySize is 0", c.name)
	}
	return c, nil
}

// slurmCommand runs a command of Slurm and returns its output.
func slurmCommand(command *exec.Cmd) (string, error) {
	var out, messages bytes.Buffer
	command.Stdout, command.Stderr = &out, &messages
	err := command.Run()
	name := filepath.Base(command.Path)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%w: the engine slurm needs the commands of Slurm", &process.ToolError{Tool: name, Debian: "slurm-client", Err: err})
	case err != nil:
		text := strings.ReplaceAll(messages.String(), name+": error: ", "")
		return "", fmt.Errorf("%s: %w: %s", name, err, strings.ReplaceAll(strings.TrimSpace(text), "\n", "; "))
	}
	return out.String(), nil
}

// refusal is the error of an array that Slurm certainly does not have.
type refusal struct{ error }

// isLimit reports whether a smaller array may be accepted.
func isLimit(err error) bool {
	return regexp.MustCompile(`(?i)limit|unable to accept|temporarily|job array specification`).MatchString(err.Error())
}

// sbatch submits an array and records its job. It ends when sbatch does, even if this run is interrupted or killed: sbatch
// holds the lock of the folder, so that the next run finds out whether the array was submitted.
func (r *slurmRun) sbatch(a *array) error {
	tasks := fmt.Sprintf("--array=0-%d", len(a.tasks)-1)
	if r.ArrayLimit > 0 {
		tasks += fmt.Sprintf("%%%d", r.ArrayLimit)
	}
	command := process.Detached("sbatch", append(slices.Clone(r.Options), "--parsable", tasks, "--job-name="+a.name,
		"--chdir="+a.dir, "--output=%a.out", "--no-requeue", filepath.Join(a.dir, "task.sh"))...)
	process.Hold(command, r.job.Lock)
	out, err := slurmCommand(command)
	switch {
	case err != nil && regexp.MustCompile(`(?i)timed out|unable to contact|signal`).MatchString(err.Error()):
		return err
	case err != nil:
		return &refusal{err}
	}
	job, _, _ := strings.Cut(strings.TrimSpace(out), ";") // a name of the cluster may follow
	if _, err := strconv.Atoi(job); err != nil {
		return fmt.Errorf("sbatch printed %q in place of a job's number", out)
	}
	a.Job = job
	return a.write()
}

// queued is a task in Slurm's queue, which has finished ones, too, as long as the controller remembers them.
type queued struct{ job, state, reason string }

// live reports whether the task runs or will run. A state that is not known here counts as one.
func (l queued) live() bool {
	return !slices.Contains([]string{"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "DEADLINE", "NODE_FAIL", "BOOT_FAIL", "PREEMPTED", "OUT_OF_MEMORY"}, l.state)
}

// askQueue asks for the tasks of arrays, by their number, under the name of the array.
func askQueue(ctx context.Context, arrays []*array) (map[string]map[int]queued, error) {
	all := map[string]map[int]queued{}
	if len(arrays) == 0 {
		return all, nil
	}
	text, err := slurmCommand(process.Command(ctx, "squeue", "--noheader", "--array", "--states=all",
		"--name="+strings.Join(names(arrays), ","), "--format=%j|%F|%K|%T|%r"))
	if err != nil {
		return nil, err
	}
	for _, line := range strings.Split(text, "\n") {
		f := strings.SplitN(line, "|", 5)
		if len(f) < 5 {
			continue
		}
		task, err := strconv.Atoi(f[2])
		if err != nil {
			continue
		}
		if all[f[0]] == nil {
			all[f[0]] = map[int]queued{}
		}
		all[f[0]][task] = queued{f[1], f[3], f[4]}
	}
	return all, nil
}

// arrived records the job of an array about which it was not known whether it is submitted.
func (a *array) arrived(queue map[int]queued) error {
	for _, l := range queue {
		if a.Job == "" {
			a.Job = l.job
			return a.write()
		}
	}
	return nil
}

// cancelWaiting cancels the tasks that have not begun.
func cancelWaiting(ctx context.Context, arrays []*array) error {
	for _, name := range names(arrays) {
		if _, err := slurmCommand(process.Command(ctx, "scancel", "--state=PENDING", "--name="+name)); err != nil {
			return err
		}
	}
	return nil
}

// cancelCommand is the command that cancels arrays.
func cancelCommand(arrays []*array) string {
	jobs, commands := "", ""
	for _, a := range arrays {
		if a.Job != "" {
			jobs += " " + a.Job
		} else {
			commands += "; scancel --name=" + a.name
		}
	}
	if jobs == "" {
		return strings.TrimPrefix(commands, "; ")
	}
	return "scancel" + jobs + commands
}

func names(arrays []*array) []string {
	var all []string
	for _, a := range arrays {
		all = append(all, a.name)
	}
	return all
}

func sorted(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), ", ")
}
