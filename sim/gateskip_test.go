// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// Skipping n idle cycles at once must equal n single steps, from any state.
func TestGateSkipEqualsSingleSteps(t *testing.T) {
	check := func(k *plan.Gate, a gate, n int) {
		t.Helper()
		b := a
		a.skip(k, n)
		for range n {
			b.step(k, 0, idle)
		}
		if a != b {
			require.Equal(t, b, a, "%d cycles", n)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	flip := func() bool { return random.IntN(2) == 0 }
	any := func(k *plan.Gate, time uint32) gate {
		return gate{
			time:    time,
			balance: random.Int32N(int32(2*k.Cost+k.Cap+1)) - 2*int32(k.Cost),
			still:   random.Uint32N(3),
			level:   uint8(random.IntN(k.TopLevel + 1)),
			silent:  flip(),
			steady:  flip(),
			waited:  flip(),
			pausing: flip(),
			seen:    seen{flip(), flip(), flip(), flip(), flip()},
		}
	}
	for time := range uint32(64) {
		for n := range 80 {
			for range 20 {
				check(&small, any(&small, time), n)
			}
		}
	}
	long := small
	long.PauseBits, long.PatienceBits, long.MemoryBits = 4, 4, 6
	for range 20000 {
		check(&long, any(&long, random.Uint32()), random.IntN(200))
	}
	// the memory may be shorter than a silence
	short := small
	short.SilenceBits, short.MemoryBits = 5, 2
	for range 20000 {
		check(&short, any(&short, random.Uint32()), random.IntN(600))
	}
	k := newPlan(t, rings{{4, 1}, {4, 1}}).Gate
	for range 3000 {
		check(&k, any(&k, random.Uint32()), random.IntN(1<<random.IntN(17)))
	}
}

// A skip takes no time, however long it is.
func TestGateSkipsAnyNumberOfCycles(t *testing.T) {
	k := newPlan(t, rings{{4, 1}, {4, 1}}).Gate
	for level := range uint8(4) {
		g := gate{balance: -15, level: level, waited: true, pausing: true, seen: idle}
		const n = 1_000_000_000_000
		g.skip(&k, n)
		require.Equal(t, gate{time: n % (1 << 32), balance: 128, silent: true, seen: idle}, g)
	}
}
