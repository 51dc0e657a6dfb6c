// SPDX-License-Identifier: Apache-2.0

package soak

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/machine"
)

// Draw returns the machine with this number of the soak with this seed.
func Draw(seed, number uint64) *machine.Machine {
	return machines.Described().Example(int(drawing(seed, number)))
}

// drawing is the seed of rapid, which is not 0, for a machine.
func drawing(seed, number uint64) uint64 { return rand.NewPCG(seed, number).Uint64()>>1 | 1 }

// Found is the smallest machine that fails like a drawn one.
type Found struct {
	Machine *machine.Machine
	Failure *Failure
	Tried   int // different machines
}

// Shrink looks for the smallest machine that fails like the machine with this number does. It ends after about the given time with the
// smallest machine that it has found. check returns nil if a machine passes.
func Shrink(ctx context.Context, seed, number uint64, first *Failure, limit time.Duration, check func(*machine.Machine) *Failure) Found {
	found := Found{Machine: Draw(seed, number), Failure: first}
	checked := map[string]*Failure{string(found.Machine.HCL()): first}
	end := time.Now().Add(limit)
	property := func(t *rapid.T) {
		m := machines.Described().Draw(t, "machine")
		text := string(m.HCL())
		failure, known := checked[text]
		if !known {
			if ctx.Err() != nil || time.Now().After(end) {
				return // nothing else is smaller
			}
			failure = check(m)
			checked[text] = failure
		}
		if failure.like(first) {
			found.Machine, found.Failure = m, failure
			t.Fatal("it fails")
		}
	}
	done := make(chan struct{})
	go func() { // rapid ends the goroutine of a test that fails
		defer close(done)
		configure(drawing(seed, number), limit)
		rapid.Check(&silent{}, property)
	}()
	<-done
	found.Tried = len(checked) - 1
	return found
}

// configure sets the flags of rapid, whose only settings they are.
func configure(seed uint64, limit time.Duration) {
	if !flag.Parsed() { // in a program that is no test
		testing.Init()
		_ = flag.CommandLine.Parse(nil) // no argument is wrong
	}
	for name, value := range map[string]any{
		"seed": seed, "checks": 5 /* one in a short test; the first fails */, "shrinktime": limit, "nofailfile": true,
	} {
		if err := flag.Set("rapid."+name, fmt.Sprint(value)); err != nil {
			panic("soak: " + err.Error()) // the flags exist
		}
	}
}

// silent is the test that rapid reports to.
type silent struct {
	rapid.TB // nil: rapid calls no other methods
	failed   bool
}

func (s *silent) Helper()               {}
func (s *silent) Name() string          { return "soak" }
func (s *silent) Logf(string, ...any)   {}
func (s *silent) Errorf(string, ...any) { s.failed = true }
func (s *silent) Failed() bool          { return s.failed }
func (s *silent) FailNow()              { runtime.Goexit() }
