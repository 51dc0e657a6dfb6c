// SPDX-License-Identifier: Apache-2.0

// Package campaign runs long work in pieces whose results are kept. A campaign is a list of units with stable
// names. Each unit runs in a process of its own, so that a crash ends only that unit. A unit that has a
// result does not run again: the same command continues, whatever ended the one before.
//
// The folder of a campaign holds
//
//	results/UNIT.json  the result of a unit
//	failed/UNIT.json   why a unit has no result, from the last time that it ran
//	failed/UNIT.log    what its process printed then
//
// A file is written under another name and renamed, so it is whole or not there. Nothing is locked: any
// number of runs may work in one folder at once, also on computers that share it. If two of them run the same unit,
// both get a right result, and the later one stays.
//
// A result counts if its kind, versions and input are those of the unit, letter by letter.
package campaign

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"
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
	Folder  string        // created if it does not exist
	Command []string      // the program of a unit and its arguments; it calls Work
	Jobs    int           // units that run at a time; 0: one for each processor
	Shard   Shard         // the units that run
	Results bool          // run nothing, and return what is finished
	For     time.Duration // after which no unit begins; 0: no limit
	// Enough, if not nil, reports whether no further unit is to begin once there is a result.
	Enough   func(Result) bool
	Messages io.Writer // for progress and failures
}

// Outcome is what is finished at the end of a run, by this run or any other.
type Outcome struct {
	Results []Result  // of all units that have one, in their order
	Failed  []Failure // of the units of the shard that have failed and have no result
	Missing int       // units without a result, of all shards
	Begun   int       // units that this run has run
	Left    int       // units of the shard without a result that this run has not run
}

// Failure is why a unit has no result.
type Failure struct {
	Unit   string `json:"unit"`
	Reason string `json:"reason"`
	Log    string `json:"log"` // file
}

// Run runs the units of the shard that have no result. The error is that of ctx, or says why the folder or the
// program of units cannot be used. Units without a result are no error.
func Run(ctx context.Context, c Campaign, o Options) (*Outcome, error) {
	r, err := newRun(c, o)
	if err != nil {
		return nil, err
	}
	if err := r.collect(); err != nil {
		return nil, err
	}
	if !o.Results {
		if err := r.work(ctx); err != nil {
			return nil, err
		}
	}
	return r.outcome()
}

// ReportFile is the file with the results of all units, in the folder of a campaign.
const ReportFile = "report.json"

// WriteReport writes the results, and the failures of units without one, into one file of the folder.
func (o *Outcome) WriteReport(dir string) error {
	text, err := json.MarshalIndent(struct {
		Results []Result  `json:"results"`
		Failed  []Failure `json:"failed,omitempty"`
		Missing int       `json:"missing"`
	}{o.Results, o.Failed, o.Missing}, "", "  ")
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		return err
	}
	return replace(filepath.Join(dir, ReportFile), append(text, '\n'))
}
