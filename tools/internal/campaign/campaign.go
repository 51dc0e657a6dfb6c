// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"context"
	"sync"
	"time"
)

// Options of a campaign.
type Options struct {
	Seed     uint64
	First    uint64        // number of the first machine
	Machines int           // number of machines; 0: no limit except the time
	Time     time.Duration // 0: no limit
	Workers  int           // machines checked at a time, 1 or more
	// Progress, if not nil, is called when a machine is done, by one goroutine at a
	// time, and when shrinking begins, with a failure.
	Progress func(Counts, *Failure)
}

// Fault is a machine that fails.
type Fault struct {
	Number   uint64 // of the machine that was drawn
	Drawn    *Machine
	Smallest *Machine // that fails at the same stage
	Failure  *Failure // of the smallest
	Tried    int      // machines tried to find it
}

// Run draws machines and checks them until the number or the time is reached, or a machine fails. It
// shrinks the failing machine with the lowest number. The error is that of ctx, or a *Failure if a
// tool cannot be run.
func Run(ctx context.Context, c *Checker, o Options) (Counts, *Fault, error) {
	var (
		mutex sync.Mutex
		sum   Counts
		first *Fault
		group sync.WaitGroup
		next  = o.First
		start = time.Now()
	)
	take := func() (uint64, bool) {
		mutex.Lock()
		defer mutex.Unlock()
		if ctx.Err() != nil || first != nil || o.Machines > 0 && next-o.First >= uint64(o.Machines) ||
			o.Time > 0 && time.Since(start) >= o.Time {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range o.Workers {
		group.Go(func() {
			for {
				number, ok := take()
				if !ok {
					return
				}
				m := Draw(o.Seed, number)
				counts, failure := c.Check(ctx, m, nil)
				mutex.Lock()
				sum.Add(counts)
				if failure != nil && (first == nil || number < first.Number) {
					first = &Fault{Number: number, Drawn: m, Smallest: m, Failure: failure}
				}
				if o.Progress != nil {
					o.Progress(sum, failure)
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return sum, nil, err
	}
	if first == nil {
		return sum, nil, nil
	}
	if first.Failure.Stage == StageTool {
		return sum, nil, first.Failure
	}
	first.Smallest, first.Failure, first.Tried = Shrink(ctx, first.Drawn, first.Failure, o.Workers,
		func(ctx context.Context, m *Machine, like *Failure) *Failure {
			_, failure := c.Check(ctx, m, like)
			return failure
		})
	return sum, first, nil
}
