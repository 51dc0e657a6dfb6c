// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/hcgen/hcgen/internal/process"
)

// Local runs units as processes of this machine.
type Local struct {
	Jobs int // processes at a time; 0: one for each core
}

// Run implements Engine.
func (l Local) Run(ctx context.Context, job Job, ended func(int, Failure) bool) error {
	jobs := l.Jobs
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	var (
		lock  sync.Mutex
		next  int
		stop  bool
		fault error
		group sync.WaitGroup
	)
	take := func() (int, bool) {
		lock.Lock()
		defer lock.Unlock()
		if next == len(job.Units) || stop || ctx.Err() != nil || !job.Until.IsZero() && time.Now().After(job.Until) {
			return 0, false
		}
		next++
		return job.Units[next-1], true
	}
	for range min(jobs, len(job.Units)) {
		group.Go(func() {
			for unit, ok := take(); ok; unit, ok = take() {
				known, err := l.unit(ctx, job, unit)
				lock.Lock()
				if err != nil {
					fault, stop = errors.Join(fault, err), true
				} else if !ended(unit, known) {
					stop = true
				}
				lock.Unlock()
			}
		})
	}
	group.Wait()
	return errors.Join(fault, ctx.Err())
}

// unit runs one process and returns what is known of its end. The error says why there is no process.
func (Local) unit(ctx context.Context, job Job, unit int) (Failure, error) {
	if err := job.Begin(unit); err != nil {
		return Failure{}, err
	}
	log, err := os.Create(job.Log(unit))
	if err != nil {
		return Failure{}, err
	}
	defer log.Close()
	words := job.Command(unit)
	command := process.Command(ctx, words[0], words[1:]...)
	command.Stdout, command.Stderr = log, log
	process.Hold(command, job.Lock)
	if err := command.Start(); err != nil {
		return Failure{}, err
	}
	err = command.Wait()
	switch {
	case err == nil:
		return Failure{State: Lost, Reason: "it ended well, but its result is not there"}, nil
	case ctx.Err() != nil:
		return Failure{State: Stopped, Reason: "the campaign was interrupted"}, nil
	}
	return Failure{State: Lost, Reason: fmt.Sprintf("it ended without a word: %v", err)}, nil
}
