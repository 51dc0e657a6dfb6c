// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Slurm runs units as tasks of job arrays, on nodes that share the folder of the campaign.
//
// What becomes of a task follows from the files that it writes. The queue is asked only about tasks that have
// not written any, because Slurm forgets a job some minutes after its end. Tasks go on without the run that has
// submitted them: the next run of the same campaign in the folder takes them up.
type Slurm struct {
	Options    []string // of sbatch
	ArrayLimit int      // tasks that run at a time; 0: as Slurm decides
	pace       pace
}

// pace says how often a run looks for changes.
type pace struct {
	files time.Duration // between two looks at the files of tasks
	queue time.Duration // between two questions about the queue, and two submissions if the queue is full
	grace time.Duration // after the end of a task until its files must be visible on this machine
}

// usualPace is easy on the controller, and waits for files as long as NFS may hide them.
var usualPace = pace{2 * time.Second, 30 * time.Second, time.Minute}

// slurmRun is a run of the engine.
type slurmRun struct {
	Slurm
	job     Job
	ended   func(int, Failure) bool
	cluster cluster
	todo    []int    // units to be submitted
	size    int      // of the next array, at most
	arrays  []*array // with tasks that are not done
	stopped bool     // no further unit is to begin
	asked   time.Time
	refused time.Time // when an array was not accepted for the last time
	said    string    // the last message about the queue
}

// Run implements Engine.
func (s Slurm) Run(ctx context.Context, job Job, ended func(int, Failure) bool) error {
	if s.pace == (pace{}) {
		s.pace = usualPace
	}
	r := &slurmRun{Slurm: s, job: job, ended: ended, todo: slices.Clone(job.Units)}
	if err := r.takeUp(ctx); err != nil {
		return err
	}
	err := r.wait(ctx)
	if err != nil && len(r.arrays) > 0 {
		job.Say("jobs are left in Slurm: --resume takes them up; to cancel them:\n  %s", cancelCommand(r.arrays))
	}
	return err
}

// takeUp takes up the arrays that earlier runs have left.
func (r *slurmRun) takeUp(ctx context.Context) error {
	arrays, err := readArrays(r.job.Folder)
	if err != nil || len(arrays)+len(r.todo) == 0 {
		return err
	}
	if r.cluster, err = askCluster(ctx); err != nil {
		return err
	}
	r.size = r.cluster.largestArray
	taken := 0
	for _, a := range arrays {
		switch {
		case a.Cluster != r.cluster.name:
			return fmt.Errorf("%s has jobs in the cluster %s, but this is %s", r.job.Folder, a.Cluster, r.cluster.name)
		case a.List != r.job.List:
			if err := r.discard(ctx, a); err != nil {
				return err
			}
			continue
		}
		r.arrays = append(r.arrays, a)
		for _, t := range a.tasks {
			if at := slices.Index(r.todo, t.unit); at >= 0 {
				r.todo = slices.Delete(r.todo, at, at+1)
				t.counts = true
				taken++
			}
		}
	}
	if taken > 0 {
		r.job.Say("%s of an earlier run taken up: %s", plural(taken, "task", "tasks"), strings.Join(names(r.arrays), ", "))
	}
	return nil
}

// discard removes an array of another campaign if all its tasks have ended.
func (r *slurmRun) discard(ctx context.Context, a *array) error {
	listed, err := askQueue(ctx, []*array{a})
	if err == nil {
		err = a.look()
	}
	if err != nil {
		return err
	}
	a.compare(listed[a.name])
	for _, t := range a.tasks {
		if t.over.IsZero() {
			return fmt.Errorf("%s has jobs of another campaign in Slurm: continue that campaign, take another folder, or cancel them: %s",
				r.job.Folder, cancelCommand([]*array{a}))
		}
	}
	return a.remove()
}

// wait submits units and waits until all that have begun have ended.
func (r *slurmRun) wait(ctx context.Context) error {
	for {
		if !r.job.Until.IsZero() && time.Now().After(r.job.Until) {
			r.stop()
		}
		if err := r.collect(); err != nil {
			return err
		}
		if err := r.submit(ctx); err != nil {
			return err
		}
		if len(r.arrays) == 0 && (len(r.todo) == 0 || r.stopped) {
			return ctx.Err()
		}
		if time.Since(r.asked) >= r.pace.queue {
			r.ask(ctx)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(r.pace.files):
		}
	}
}

// stop lets no further unit begin. The next question about the queue cancels those that wait, and is asked at once.
func (r *slurmRun) stop() {
	if !r.stopped {
		r.stopped, r.asked = true, time.Time{}
	}
}

// collect looks at the files of tasks and reports those that have ended.
func (r *slurmRun) collect() error {
	for _, a := range r.arrays {
		if err := a.look(); err != nil {
			return err
		}
		if a.missing(r.pace.grace) {
			r.job.Say("%s was not submitted", a.name)
			for _, t := range a.tasks {
				if t.counts {
					r.todo = append(r.todo, t.unit)
				}
				t.counts = false
			}
		}
		for i, t := range a.tasks {
			if !t.done && !t.over.IsZero() {
				if err := r.end(a, i, t); err != nil {
					return err
				}
			}
		}
		if a.done() {
			if err := a.remove(); err != nil {
				return err
			}
		}
	}
	r.arrays = slices.DeleteFunc(r.arrays, (*array).done)
	return nil
}

// end reports the end of a task as soon as its files are there, or must be.
func (r *slurmRun) end(a *array, i int, t *task) error {
	late := time.Since(t.over) >= r.pace.grace
	switch {
	case !t.counts, r.stopped && !t.begun && late:
		t.done = true
		return nil
	case !late && !(t.begun && r.job.Left(t.unit)), !a.submitted():
		return nil
	}
	known, err := a.known(i)
	if err != nil {
		return err
	}
	t.done = true
	if !r.ended(t.unit, known) {
		r.stop()
	}
	return nil
}

// submit submits units until none is left or the queue is full.
func (r *slurmRun) submit(ctx context.Context) error {
	for len(r.todo) > 0 && !r.stopped && ctx.Err() == nil {
		// The limit of an array counts the tasks of that array only.
		if len(r.arrays) > 0 && (r.ArrayLimit > 0 || time.Since(r.refused) < r.pace.queue) {
			return nil
		}
		units := r.todo[:min(r.size, len(r.todo))]
		a, err := newArray(r.job, r.cluster, units)
		if err != nil {
			return err
		}
		err = r.sbatch(a)
		switch {
		case err == nil:
			r.job.Say("%s submitted: job %s, %s", plural(len(units), "unit is", "units are"), a.Job, a.name)
		case errors.As(err, new(*refusal)):
			if err := a.remove(); err != nil {
				return err
			}
			if again := r.refuse(err, len(units)); again != nil {
				return again
			}
			continue
		default: // the next questions about the queue show whether it has arrived
			r.refused = time.Now()
			r.say("it is not known whether %s is submitted: %v", a.name, err)
		}
		r.arrays = append(r.arrays, a)
		r.todo = r.todo[len(units):]
	}
	return nil
}

// refuse decides what follows a refusal of an array: waiting for earlier ones, or a smaller array. The error says that
// neither helps.
func (r *slurmRun) refuse(err error, units int) error {
	switch {
	case len(r.arrays) > 0:
		r.refused = time.Now()
		r.say("the queue takes no more: %v", err)
		return nil
	case units > 1 && isLimit(err):
		r.size = units / 2
		return nil
	}
	return err
}

// ask asks what the queue knows of tasks that are not done.
func (r *slurmRun) ask(ctx context.Context) {
	r.asked = time.Now()
	listed, err := askQueue(ctx, r.arrays)
	if err != nil {
		r.say("the queue gives no answer, and is asked again: %v", err)
		return
	}
	waiting, running, reasons := 0, 0, map[string]bool{}
	for _, a := range r.arrays {
		if err := a.arrived(listed[a.name]); err != nil {
			r.say("%v", err)
		}
		a.compare(listed[a.name])
		for _, l := range listed[a.name] {
			switch {
			case l.state == "PENDING":
				waiting++
				if l.reason != "None" { // Slurm has not looked at it yet
					reasons[l.reason] = true
				}
			case l.live():
				running++
			}
		}
	}
	if waiting > 0 && r.stopped {
		if err := cancelWaiting(ctx, r.arrays); err != nil {
			r.say("%v", err)
		}
		r.asked = time.Time{} // until none waits
	} else if len(reasons) > 0 && running == 0 {
		r.say("no task runs; Slurm's reasons: %s", sorted(reasons))
	} else {
		r.said = ""
	}
}

// say prints a message about the queue, unless it is the last one again.
func (r *slurmRun) say(format string, values ...any) {
	if text := fmt.Sprintf(format, values...); text != r.said {
		r.said = text
		r.job.Say("%s", text)
	}
}
