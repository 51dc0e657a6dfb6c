// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/internal/process"
)

// run is a run of a campaign.
type run struct {
	options Options
	folder  folder
	label   string // of messages: the kind, and the shard if there is one
	units   []*unit
	until   time.Time // after which no unit begins; zero: no limit
	show    *progress

	lock  sync.Mutex
	queue []*unit // units that have not begun
}

// unit is a unit in a run.
type unit struct {
	key   Result // what its result must begin with: kind, name, versions, input
	ours  bool   // it belongs to the shard
	begun bool   // this run has run it
}

// newRun checks the names of units and marshals their input.
func newRun(c Campaign, o Options) (*run, error) {
	r := &run{options: o, folder: folder(o.Folder), label: c.Kind}
	if o.Shard.Of > 0 {
		r.label += " " + o.Shard.String()
	}
	if c.Versions == nil {
		c.Versions = map[string]string{}
	}
	names := map[string]bool{}
	for i, u := range c.Units {
		if len(u.Name) > MaxName || !legalName.MatchString(u.Name) || names[u.Name] {
			return nil, fmt.Errorf("%q is no name for a unit, or that of another one", u.Name)
		}
		names[u.Name] = true
		input, err := json.Marshal(u.Input)
		if err != nil {
			return nil, fmt.Errorf("the input of unit %s: %w", u.Name, err)
		}
		r.units = append(r.units, &unit{
			key:  Result{Kind: c.Kind, Unit: u.Name, Versions: c.Versions, Input: input},
			ours: o.Shard.has(i),
		})
	}
	return r, nil
}

// collect finds the units of the shard that have a result, says why other results do not count, and queues the
// units without one.
func (r *run) collect() error {
	r.show = newProgress(r.options.Messages, r.label)
	other := map[string]int{}
	enough := false
	for _, u := range r.units {
		if !u.ours {
			continue
		}
		result, why, err := r.folder.result(u.key)
		switch {
		case err != nil:
			return err
		case result != nil:
			r.show.had(*result)
			enough = enough || r.enough(*result)
			continue
		case why != "":
			other[why]++
		}
		r.queue = append(r.queue, u)
	}
	for _, why := range slices.Sorted(maps.Keys(other)) {
		r.show.say("%s not used: %s", plural(other[why], "result is", "results are"), why)
	}
	if done := r.show.done; done > 0 || r.options.Results {
		r.show.say("%d of %s done", done, plural(done+len(r.queue), "unit is", "units are"))
	}
	if enough {
		r.queue = nil
	}
	return nil
}

func (r *run) enough(result Result) bool {
	return r.options.Enough != nil && r.options.Enough(result)
}

// work runs the units of the queue, each in a process.
func (r *run) work(ctx context.Context) error {
	if err := r.folder.prepare(); err != nil {
		return err
	}
	if r.options.For > 0 {
		r.until = time.Now().Add(r.options.For)
	}
	jobs := r.options.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0) // which heeds the limit of a container
	}
	end := r.show.start(len(r.queue), jobs, r.until)
	defer end()
	group, ctx := errgroup.WithContext(ctx)
	for range min(jobs, len(r.queue)) {
		group.Go(func() error {
			for u := r.next(ctx); u != nil; u = r.next(ctx) {
				if err := r.unit(ctx, u); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// next takes a unit from the queue; nil if no further unit begins.
func (r *run) next(ctx context.Context) *unit {
	r.lock.Lock()
	defer r.lock.Unlock()
	if len(r.queue) == 0 || ctx.Err() != nil || !r.until.IsZero() && time.Now().After(r.until) {
		return nil
	}
	u := r.queue[0]
	r.queue = r.queue[1:]
	return u
}

// unit runs a unit, unless another run has done so, and writes what it leaves.
func (r *run) unit(ctx context.Context, u *unit) error {
	result, _, err := r.folder.result(u.key)
	if err != nil {
		return err
	}
	start := time.Now()
	if result == nil {
		u.begun = true
		r.show.begin(u.key.Unit)
		made, log, reason, err := r.process(ctx, u.key)
		if err != nil {
			return err
		}
		record := u.key
		record.Seconds = time.Since(start).Round(time.Millisecond).Seconds()
		if made == nil {
			return r.fail(record, log, reason)
		}
		record.Result = made
		if err := r.folder.write(record); err != nil {
			return err
		}
		result = &record
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.show.add(*result)
	if r.enough(*result) {
		r.queue = nil
	}
	return nil
}

// fail keeps why a unit has no result.
func (r *run) fail(record Result, log []byte, reason string) error {
	failure, err := r.folder.writeFailure(record, log, reason)
	if err == nil {
		r.show.fail(record.Unit)
		r.show.failure(*failure)
	}
	return err
}

// process runs the process of a unit. It returns the result, or the reason why there is none, and what the process
// has printed beside it. The error is that of ctx, or says why no process runs.
func (r *run) process(ctx context.Context, key Result) (result json.RawMessage, log []byte, reason string, err error) {
	text, err := json.Marshal(request{Program: key.Versions["program"], Input: key.Input})
	if err != nil {
		return nil, nil, "", err
	}
	var out bytes.Buffer
	printed := &tail{}
	command := process.Command(ctx, r.options.Command[0], r.options.Command[1:]...)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(text), &out, printed
	if err := command.Start(); err != nil {
		return nil, nil, "", err
	}
	ended := command.Wait()
	var left reply
	switch {
	case json.Unmarshal(out.Bytes(), &left) == nil && left.Result != nil:
		return left.Result, nil, "", nil
	case ctx.Err() != nil:
		return nil, nil, "", ctx.Err()
	case left.Error != "":
		return nil, printed.text, left.Error, nil
	case ended == nil:
		ended = errors.New("exit status 0")
	}
	return nil, printed.text, fmt.Sprintf("its process ended without a result: %v", ended), nil
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

// longestLog bounds what is kept, in bytes.
const longestLog = 1 << 20

// Write implements io.Writer.
func (t *tail) Write(text []byte) (int, error) {
	t.text = append(t.text, text...)
	if extra := len(t.text) - longestLog; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(text), nil
}

// outcome reads the results of all units, and why units of the shard have none.
func (r *run) outcome() (*Outcome, error) {
	o := &Outcome{}
	for _, u := range r.units {
		result, _, err := r.folder.result(u.key)
		if err != nil {
			return nil, err
		}
		if u.begun {
			o.Begun++
		}
		if result != nil {
			o.Results = append(o.Results, *result)
			continue
		}
		o.Missing++
		if !u.ours {
			continue
		}
		if !u.begun {
			o.Left++
		}
		failure, err := r.folder.failure(u.key)
		if err != nil {
			return nil, err
		}
		if failure == nil {
			continue
		}
		o.Failed = append(o.Failed, *failure)
		if !u.begun { // the others are reported when they end
			r.show.failure(*failure)
		}
	}
	return o, nil
}
