// SPDX-License-Identifier: Apache-2.0

// Package campaign runs long work in pieces whose results are kept. A campaign is a list of units with
// stable names. Each unit runs in a process of its own and writes one small result in JSON. A unit that
// has its result is not run again, so the same command continues whatever ended the one before.
//
// The folder of a campaign holds
//
//	results/UNIT.json     the result of a unit, whole or not there
//	failed/UNIT.json      why a unit has no result, of the last time that it ran
//	logs/UNIT.log         what the processes of a unit without a result printed
//	lists/KIND-HASH.json  lists of units, as their processes read them
//	slurm/                job arrays that are not done
//	run.json              engine and options of the last run, for --resume
//	lock                  held by the run and its units
//
// Several campaigns of one kind may share a folder. A result counts if its versions and its input are
// those of the unit, letter by letter.
package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/hcgen/hcgen/internal/filelock"
)

// Unit is one piece of a campaign.
type Unit struct {
	Name  string // unique in the campaign; see MaxName
	Input any    // everything that the result follows from beside the versions; marshalled as JSON
}

// MaxName is the largest length of the name of a unit, which is part of file names. It has letters,
// digits and the characters . _ - , ( ) and begins with a letter, a digit or a parenthesis.
const MaxName = 120

var legalName = regexp.MustCompile(`^[A-Za-z0-9(][A-Za-z0-9._,()-]*$`)

// Campaign is a list of units of one kind.
type Campaign struct {
	Kind     string            // what the units are, such as "mutate"
	Versions map[string]string // of the tools and programs that results follow from; units check "program", which is Program
	Units    []Unit
}

// Options say how a campaign runs.
type Options struct {
	Folder string // made if it is not there
	// Command is the program of a unit and its arguments, to which Run appends those that Work takes.
	Command []string
	Engine  Engine
	Retries int           // how often a unit without a result runs again
	For     time.Duration // after which no unit begins; 0: no limit
	// Enough, if not nil, reports whether no further unit is to begin once there is a result.
	Enough   func(Result) bool
	Messages io.Writer // for progress and for what became of units
	flags    *Flags    // that the folder remembers; nil: none
}

// Outcome is what there is at the end of a run.
type Outcome struct {
	Results []Result  // of the units that have one, in their order
	Failed  []Failure // of the units that ran without a result
	Missing int       // units without a result, those of Failed included
	Kept    int       // results that were there when the run began
}

// Failure is why a unit has no result.
type Failure struct {
	Unit   string `json:"unit"`
	State  State  `json:"state"`
	Reason string `json:"reason"`
}

// State is how a unit without a result ended.
type State string

// The states.
const (
	Failed  State = "failed"   // its work returned an error
	Stopped State = "stopped"  // a signal asked it to end
	TimedUp State = "time out" // the engine's limit of time ended it
	Lost    State = "lost"     // it is gone without a word: killed, crashed, or its node is down
)

// Engine runs the processes of units.
type Engine interface {
	// Run runs the processes of units until all that have begun have ended. It calls ended for each, from one
	// goroutine at a time, with what the engine knows of a process that may have left no word; that call returns false if no
	// further unit is to begin. The error is that of ctx, or says why units cannot run. There may be no units.
	Run(ctx context.Context, job Job, ended func(unit int, known Failure) bool) error
}

// Job is what an engine runs.
type Job struct {
	Folder  string
	List    string             // of the campaign: numbers of units mean the same units in the same list only
	Units   []int              // numbers of units, in the order in which they are to begin
	Command func(int) []string // program and arguments of the process of a unit
	Log     func(int) string   // file for what a process prints
	Begin   func(int) error    // to be called before a process: it removes what an earlier one of the unit left
	Left    func(int) bool     // whether the process of a unit has left a result, or why there is none
	Until   time.Time          // after which no unit begins; zero: no limit
	Lock    *os.File           // to be held by processes on this machine as well
	Say     func(format string, values ...any)
}

// ErrBusy is the error of Run if another run, or a unit that one has left, works in the folder.
var ErrBusy = errors.New("is in use by another run, or by a unit that is still ending")

// Run runs the units that have no result yet, and returns what there is then, also beside an error. The
// error is that of ctx, ErrBusy, or says why the folder or the engine cannot be used. Units without a
// result are no error.
func Run(ctx context.Context, c Campaign, o Options) (*Outcome, error) {
	list, err := newList(c)
	if err != nil {
		return &Outcome{}, err
	}
	folder := folder(o.Folder)
	if err := folder.prepare(); err != nil {
		return &Outcome{}, err
	}
	lock, err := folder.lock()
	if err != nil {
		return &Outcome{}, err
	}
	defer lock.Close() // the file stays: a unit may still hold it
	if err := folder.begin(o); err != nil {
		return &Outcome{}, err
	}
	if err := folder.writeList(list); err != nil {
		return &Outcome{}, err
	}
	r := &run{folder: folder, list: list, options: o, lock: lock, results: map[int]Result{}, failed: map[int]Failure{}}
	if err := r.collect(); err != nil {
		return r.outcome(), err
	}
	err = r.engine(ctx)
	return r.outcome(), err
}

// run is a run of a campaign.
type run struct {
	folder  folder
	list    *list
	options Options
	lock    *os.File
	until   time.Time
	kept    int
	results map[int]Result // by number of the unit
	failed  map[int]Failure
	err     error // of reading what a unit has written
	show    *progress
}

// collect reads the results that are there, and says which do not count.
func (r *run) collect() error {
	other := map[string]int{}
	begun := 0
	for i := range r.list.Units {
		result, why, err := r.folder.result(r.list, i)
		switch {
		case err != nil:
			return err
		case why != "":
			other[why]++
		case result != nil:
			r.results[i] = *result
			if err := remove(r.folder.log(r.list.Units[i].Name)); err != nil {
				return err
			}
			continue
		}
		if _, err := os.Stat(r.folder.log(r.list.Units[i].Name)); err == nil {
			begun++
		}
	}
	r.kept = len(r.results)
	for _, why := range slices.Sorted(maps.Keys(other)) {
		fmt.Fprintf(r.options.Messages, "%s: %s not used and will be replaced: %s\n", r.list.Kind, plural(other[why], "result is", "results are"), why)
	}
	if r.kept > 0 {
		fmt.Fprintf(r.options.Messages, "%s: %d of %s done already\n", r.list.Kind, r.kept, plural(len(r.list.Units), "unit is", "units are"))
	}
	if begun > 0 {
		fmt.Fprintf(r.options.Messages, "%s: %s begun in earlier runs and left no result\n", r.list.Kind, plural(begun, "unit has", "units have"))
	}
	return nil
}

// engine runs the units without a result, and again those that end without one.
func (r *run) engine(ctx context.Context) error {
	if r.options.For > 0 {
		r.until = time.Now().Add(r.options.For)
	}
	var units []int
	for i := range r.list.Units {
		result, done := r.results[i]
		if done && r.options.Enough != nil && r.options.Enough(result) {
			return nil
		}
		if !done {
			units = append(units, i)
		}
	}
	r.show = newProgress(r.options.Messages, r.list.Kind, len(r.list.Units), r.kept, r.until)
	defer r.show.end()
	for try := 0; try == 0 || len(units) > 0; try++ {
		if try > 0 {
			r.show.say("%s without a result: try %d of %d", plural(len(units), "unit is", "units are"), try, r.options.Retries)
		}
		more := true
		err := r.options.Engine.Run(ctx, r.job(units), func(unit int, known Failure) bool {
			more = r.ended(unit, known) && more
			return more
		})
		if err = errors.Join(r.err, err); err != nil || !more || try == r.options.Retries {
			return err
		}
		units = slices.DeleteFunc(slices.Clone(units), func(i int) bool { _, failed := r.failed[i]; return !failed })
	}
	return nil
}

// job describes the processes of units to an engine.
func (r *run) job(units []int) Job {
	return Job{
		Folder: string(r.folder), Units: units, Until: r.until, Lock: r.lock,
		Command: func(i int) []string {
			return append(slices.Clone(r.options.Command), string(r.folder), r.list.name(), fmt.Sprint(i))
		},
		List:  r.list.name(),
		Log:   func(i int) string { return r.folder.log(r.list.Units[i].Name) },
		Begin: func(i int) error { return remove(r.folder.failedFile(r.list.Units[i].Name)) },
		Left: func(i int) bool {
			result, _, errResult := r.folder.result(r.list, i)
			failure, errFailure := r.folder.failure(r.list.Units[i].Name)
			return result != nil || failure != nil || errResult != nil || errFailure != nil
		},
		Say: r.show.say,
	}
}

// ended finds out what became of a unit: its files say it. What the engine knows of its process counts if there
// are none, or if they say only that a signal came and the engine knows why. It returns false if no further
// unit is to begin.
func (r *run) ended(i int, known Failure) bool {
	name := r.list.Units[i].Name
	result, _, err := r.folder.result(r.list, i)
	if err != nil {
		r.err = err
		return false
	}
	if result != nil {
		r.results[i] = *result
		delete(r.failed, i)
		r.show.add(len(r.results), len(r.failed))
		if err := remove(r.folder.log(name)); err != nil {
			r.err = err
			return false
		}
		return r.options.Enough == nil || !r.options.Enough(*result)
	}
	failure, err := r.folder.failure(name)
	if err != nil {
		r.err = err
		return false
	}
	if failure == nil || failure.State == Stopped && known.State != Lost {
		failure = &known
	}
	failure.Unit = name
	r.failed[i] = *failure
	r.show.say("%s: %s: %s; see %s", name, failure.State, failure.Reason, r.folder.log(name))
	r.show.add(len(r.results), len(r.failed))
	return true
}

// outcome sums up the run.
func (r *run) outcome() *Outcome {
	o := &Outcome{Kept: r.kept, Missing: len(r.list.Units) - len(r.results)}
	for i := range r.list.Units {
		if result, ok := r.results[i]; ok {
			o.Results = append(o.Results, result)
		}
		if failure, ok := r.failed[i]; ok {
			o.Failed = append(o.Failed, failure)
		}
	}
	return o
}

// lock takes the lock of the folder.
func (f folder) lock() (*os.File, error) {
	for {
		lock, err := filelock.Acquire(filepath.Join(string(f), "lock"))
		switch {
		case errors.Is(err, fs.ErrNotExist): // a run that had it has just removed it
		case errors.Is(err, filelock.ErrHeld):
			return nil, fmt.Errorf("%s %w", string(f), ErrBusy)
		default:
			return lock, err
		}
	}
}

// ReportFile is the file with the results of all units, in the folder of a campaign.
const ReportFile = "report.json"

// WriteReport writes the results that there are, and the units without one, into one file of the folder.
func (o *Outcome) WriteReport(dir string) error {
	text, err := json.MarshalIndent(struct {
		Results []Result  `json:"results"`
		Failed  []Failure `json:"failed,omitempty"`
		Missing int       `json:"missing"`
	}{o.Results, o.Failed, o.Missing}, "", "  ")
	if err != nil {
		return err
	}
	return replace(filepath.Join(dir, ReportFile), append(text, '\n'))
}
