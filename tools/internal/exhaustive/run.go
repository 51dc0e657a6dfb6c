// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/hcgen/hcgen/hypercycle"
)

// Count holds the numbers of executed machines and messages.
type Count struct {
	Machines   int // ordered tuples of dimensions
	Multisets  int // machines with dimensions in ascending order, also searched breadth-first
	AllSources int // machines with every node as the source
	Broadcasts int
	Messages   int
	LargestWC  int
}

func (c *Count) add(d Count) {
	c.Machines += d.Machines
	c.Multisets += d.Multisets
	c.AllSources += d.AllSources
	c.Broadcasts += d.Broadcasts
	c.Messages += d.Messages
	c.LargestWC = max(c.LargestWC, d.LargestWC)
}

// Options of Run.
type Options struct {
	// Record is the file in which Run records the checked machines, so that the next
	// Run continues. It is removed at the end. Without a name nothing is recorded.
	Record string
	// Program identifies the program that is checked: a record of another one is
	// not used. It must not hold white space.
	Program string
	// Workers is the number of machines checked at a time; 0: one per core.
	Workers int
	// Started, if not nil, is called with the number of machines in the record, or the
	// reason why it is not used.
	Started func(machines int, unused error)
	// Progress, if not nil, is called after each chunk with the number of checked
	// machines.
	Progress func(machines int)
}

// Summary is the result of Run.
type Summary struct {
	Count
	Recorded int           // machines that an earlier run has checked
	Time     time.Duration // of this run and of the earlier ones that it goes on with
	Workers  int
}

// Fault is a machine on which a property does not hold, with preference, source and the
// violation.
type Fault struct{ Err error }

// Error returns the message.
func (f *Fault) Error() string { return f.Err.Error() }

// Run checks every machine of the prototype's range. It returns the first *Fault in
// the order of the range, whatever the number of workers, or the context's error;
// what was checked before is recorded.
func Run(ctx context.Context, o Options) (Summary, error) {
	s, err := checkChunks(ctx, o, chunks(chunkNodes), whole)
	if err == nil {
		err = s.complete()
	}
	return s, err
}

// whole is the check of a machine.
func whole(c *Checker, t tuple) (Count, error) {
	var dims [MaxRank]hypercycle.Dimension
	return c.Machine(t.dimensions(dims[:0]), t.source())
}

// complete reports why the count is not that of the whole range.
func (c *Count) complete() error {
	if c.Machines != Machines || c.Multisets != Multisets || c.Broadcasts < Preferences*Machines {
		return fmt.Errorf("%d machines, %d up to order and %d broadcasts were executed, want %d, %d and at least %d: the enumeration is wrong, or the record; remove the record and start again",
			c.Machines, c.Multisets, c.Broadcasts, Machines, Multisets, Preferences*Machines)
	}
	return nil
}

// checkChunks checks the machines of all chunks that are not recorded yet.
func checkChunks(ctx context.Context, o Options, all []chunk, check func(*Checker, tuple) (Count, error)) (Summary, error) {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	sum := Summary{Workers: workers}
	rec, unused, err := openRecord(o.Record, o.Program, all)
	if err != nil {
		return sum, err
	}
	defer rec.close()
	for _, c := range rec.done {
		sum.add(c)
	}
	sum.Recorded = sum.Machines
	if o.Started != nil {
		o.Started(sum.Recorded, unused)
	}

	var (
		mutex   sync.Mutex
		next    int           // chunk that nobody has taken
		faulty  = len(all)    // first chunk with a fault
		fault   error         // in it
		failure error         // of the record
		start   = time.Now()  // of this run
		before  = rec.elapsed // by earlier runs
		group   sync.WaitGroup
	)
	take := func() (int, bool) {
		mutex.Lock()
		defer mutex.Unlock()
		for ; next < len(all); next++ {
			if _, ok := rec.done[next]; !ok {
				break
			}
		}
		// Chunks are taken in order: once one has a fault, all before it are done
		// or under way, and none after it matters.
		if next >= faulty || failure != nil || next == len(all) || ctx.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range workers {
		group.Go(func() {
			var c Checker
			for i, ok := take(); ok; i, ok = take() {
				count, err := all[i].check(ctx, &c, check)
				mutex.Lock()
				switch {
				case ctx.Err() != nil && err == nil:
				case err != nil:
					if i < faulty {
						faulty, fault = i, err
					}
				default:
					sum.add(count)
					if err := rec.add(i, count, before+time.Since(start)); err != nil {
						failure = err
					}
					if o.Progress != nil {
						o.Progress(sum.Machines)
					}
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	sum.Time = before + time.Since(start)
	switch {
	case fault != nil:
		return sum, &Fault{fault}
	case failure != nil:
		return sum, failure
	case ctx.Err() != nil:
		return sum, ctx.Err()
	}
	return sum, rec.remove()
}

// check checks the machines of a chunk; a count without an error is only worth
// something if the context is not done.
func (h chunk) check(ctx context.Context, c *Checker, check func(*Checker, tuple) (Count, error)) (Count, error) {
	var sum Count
	t := h.first
	for range h.machines {
		if ctx.Err() != nil {
			return sum, nil
		}
		count, err := check(c, t)
		if err != nil {
			return sum, err
		}
		sum.add(count)
		t, _ = t.next()
	}
	return sum, nil
}
