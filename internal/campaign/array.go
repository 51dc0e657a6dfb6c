// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"bytes"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// array is a job array. Its folder is FOLDER/slurm/NAME, as long as it has tasks that are not done:
//
//	array.json   the array, before it is submitted; again with the job when it is
//	tasks        a line for each task, which the shell runs
//	task.sh      the batch script
//	N.begun, N.ended, N.out   what task N leaves; see task.sh. N.out has messages of Slurm and the shell
type array struct {
	name    string // of the job, and no other job's
	dir     string
	Cluster string `json:"cluster"`
	List    string `json:"list"`
	Units   []int  `json:"units"`         // of the tasks 0 and up
	Job     string `json:"job,omitempty"` // number; empty: it is not known whether Slurm has it
	tasks   []*task
}

// task is a task of an array as this run sees it.
type task struct {
	unit   int
	counts bool // the unit is one of this run
	begun  bool
	ended  bool      // its command has
	over   time.Time // when the run saw that it has ended or left the queue; zero: it has not
	state  string    // of the queue, if the task is there and finished
	done   bool      // nothing is left to do about it
}

//go:embed task.sh
var taskScript []byte

// newArray writes the folder of an array.
func newArray(job Job, c cluster, units []int) (*array, error) {
	parent, err := filepath.Abs(filepath.Join(job.Folder, "slurm"))
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	a := &array{name: job.List + "-" + strings.ToLower(rand.Text()[:6]), Cluster: c.name, List: job.List, Units: units}
	a.dir = filepath.Join(parent, a.name)
	var lines bytes.Buffer
	for _, u := range units {
		if err := job.Begin(u); err != nil {
			return nil, err
		}
		log, err := filepath.Abs(job.Log(u))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&lines, "cd %s && exec", quote(here))
		for _, word := range job.Command(u) {
			fmt.Fprintf(&lines, " %s", quote(word))
		}
		fmt.Fprintf(&lines, " >%s 2>&1\n", quote(log))
	}
	if err := os.MkdirAll(a.dir, 0o777); err != nil {
		return nil, err
	}
	if err := replace(filepath.Join(a.dir, "tasks"), lines.Bytes()); err != nil {
		return nil, err
	}
	if err := replace(filepath.Join(a.dir, "task.sh"), taskScript); err != nil {
		return nil, err
	}
	a.addTasks()
	for _, t := range a.tasks {
		t.counts = true
	}
	return a, a.write()
}

// write writes what a later run needs to know.
func (a *array) write() error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return replace(filepath.Join(a.dir, "array.json"), text)
}

func (a *array) addTasks() {
	for _, u := range a.Units {
		a.tasks = append(a.tasks, &task{unit: u})
	}
}

// quote quotes a word for the shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// readArrays reads the arrays of a folder. It removes folders without an array, which a run left that was killed
// before it submitted the array, or after the array was done.
func readArrays(folder string) ([]*array, error) {
	parent := filepath.Join(folder, "slurm")
	entries, err := os.ReadDir(parent)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []*array
	for _, e := range entries {
		a := &array{name: e.Name(), dir: filepath.Join(parent, e.Name())}
		text, err := os.ReadFile(filepath.Join(a.dir, "array.json"))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = os.RemoveAll(a.dir)
		case err == nil:
			if err = json.Unmarshal(text, a); err != nil {
				err = fmt.Errorf("%s/array.json: %w", a.dir, err)
			}
			a.addTasks()
			all = append(all, a)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// remove removes the folder of an array that is done. A task that begins in spite of that does nothing.
func (a *array) remove() error {
	return errors.Join(remove(filepath.Join(a.dir, "array.json")), os.RemoveAll(a.dir))
}

// look finds the files of tasks.
func (a *array) look() error {
	entries, err := os.ReadDir(a.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		number, what, _ := strings.Cut(e.Name(), ".")
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(a.tasks) {
			continue
		}
		t := a.tasks[i]
		switch what {
		case "begun":
			t.begun = true
		case "ended":
			t.begun, t.ended = true, true
			if t.over.IsZero() {
				t.over = time.Now()
			}
		}
	}
	return nil
}

// compare finds the tasks that have left the queue.
func (a *array) compare(queue map[int]queued) {
	for i, t := range a.tasks {
		l, there := queue[i]
		if there && !l.live() {
			t.state = l.state
		}
		switch {
		case t.ended:
		case there && l.live():
			t.over = time.Time{}
		case t.over.IsZero():
			t.over = time.Now()
		}
	}
}

// submitted reports whether Slurm has, or had, the array. That may be unknown, and then the answer is false.
func (a *array) submitted() bool {
	return a.Job != "" || slices.ContainsFunc(a.tasks, func(t *task) bool { return t.begun })
}

// missing reports whether the queue should know an array by this time, if it was submitted, but does not.
func (a *array) missing(grace time.Duration) bool {
	return !a.submitted() && !slices.ContainsFunc(a.tasks, func(t *task) bool { return t.over.IsZero() || time.Since(t.over) < grace })
}

// done reports whether all tasks are.
func (a *array) done() bool {
	return !slices.ContainsFunc(a.tasks, func(t *task) bool { return !t.done })
}

// known is what is known of a task that has ended, from its exit status and from Slurm's messages to it.
func (a *array) known(i int) (Failure, error) {
	t := a.tasks[i]
	status, err := a.text(i, "ended")
	if err != nil {
		return Failure{}, err
	}
	out, err := a.text(i, "out")
	if err != nil {
		return Failure{}, err
	}
	last := out[strings.LastIndex(out, "\n")+1:]
	switch {
	case !t.begun && (t.state == "" || t.state == "CANCELLED"): // squeue does not list single tasks that were cancelled
		return Failure{State: Stopped, Reason: "it left the queue before it began, as tasks do that are cancelled"}, nil
	case status == "0":
		return Failure{State: Lost, Reason: "it ended well, but its result is not there"}, nil
	case strings.Contains(out, "DUE TO TIME LIMIT") || t.state == "TIMEOUT" || t.state == "DEADLINE":
		return Failure{State: TimedUp, Reason: "Slurm ended it at its limit of time, which --sbatch=--time=... changes"}, nil
	case strings.Contains(out, " CANCELLED AT "):
		return Failure{State: Stopped, Reason: "Slurm cancelled it: " + last}, nil
	}
	reason := "it is gone without a word"
	if !t.begun {
		reason = "it left the queue before it began"
	}
	if n, err := strconv.Atoi(status); err == nil && n > 128 {
		reason = fmt.Sprintf("it ended without a word: killed by signal %d", n-128)
	} else if status != "" {
		reason = "it ended without a word: exit status " + status
	} else if t.state != "" {
		reason += ", in Slurm's state " + t.state
	}
	if last != "" {
		reason += ": " + last
	}
	return Failure{State: Lost, Reason: reason}, nil
}

// text is a file of a task, without white space around it; empty if it is not there.
func (a *array) text(i int, what string) (string, error) {
	text, err := os.ReadFile(filepath.Join(a.dir, fmt.Sprintf("%d.%s", i, what)))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return strings.TrimSpace(string(text)), err
}
