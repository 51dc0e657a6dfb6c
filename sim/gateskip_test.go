// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// anyGate draws a state of a gate.
func anyGate(random *rand.Rand, k *plan.Gate, time uint32) gate {
	flip := func() bool { return random.IntN(2) == 0 }
	one := func(of ...uint32) uint32 { return of[random.IntN(len(of))] }
	x := uint32(1) << k.ScaleBits
	g := gate{
		balance: random.Int64N(int64(2*k.Cost)+9<<k.QuotaBits) - 2*int64(k.Cost),
		quota:   firstQuota << random.IntN(k.QuotaBits-plan.FirstQuotaBits+1),
		time:    time,
		frame:   one(0, 1, 63, 64, 127, 128, 255, 256, 511, 512, 1023, 1024, 4607, 4608, 9215, 9216, 9223, random.Uint32N(9216)),
		heard:   one(0, 0, 1, 2, 3, 11, 12, 15, 16*x, 112*x-1, 112*x, 127, 128*x, 128*x+1, random.Uint32N(128*x)),
		still:   one(0, 0, 1, 2, 3, localOutput),
		blocked: one(0, 0, 1, 2, localOutput),
		growth:  uint8(random.IntN(4)),
		level:   uint8(random.IntN(plan.TopLevel + 1)),
		late:    uint8(random.IntN(lateFrames + 1)),
		grown:   uint8(random.IntN(5)),
		shorter: flip(),
		held:    flip(),
		stood:   flip(),
		slow:    flip(),
		doubt:   flip(),
		armed:   flip(),
		filled:  flip(),
		rich:    flip(),
		steady:  flip(),
		seen:    seen{flip(), flip(), uint8(random.IntN(3) * random.IntN(9))},
	}
	if flip() {
		g.balance = random.Int64N(int64(4*k.Cost)) - int64(2*k.Cost)
	}
	return g
}

// Skipping n idle cycles at once must equal n single steps, from any state.
func TestGateSkipEqualsSingleSteps(t *testing.T) {
	check := func(k *plan.Gate, a gate, n int) {
		t.Helper()
		b, before := a, a
		a.skip(k, n)
		for range n {
			b.step(k, 0, seen{})
		}
		if a != b {
			require.Equal(t, b, a, "%d cycles from %+v", n, before)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for time := range uint32(64) {
		for n := range 80 {
			for range 20 {
				check(&small, anyGate(random, &small, time), n)
			}
		}
	}
	short := small
	short.WindowBits, short.RaisedBits = 3, plan.StandstillBits
	for range 20000 {
		check(&short, anyGate(random, &short, random.Uint32()), random.IntN(1<<random.IntN(12)))
	}
	for _, r := range []rings{{{4, 1}, {4, 1}}, {{7, 1}, {6, 1}}} {
		k := newPlan(t, r).Gate
		for range 1000 {
			check(&k, anyGate(random, &k, random.Uint32()), random.IntN(1<<random.IntN(19)))
		}
	}
}

// A skip takes no time, however long it is: the quota grows to the largest one, and the
// balance with it.
func TestGateSkipsAnyNumberOfCycles(t *testing.T) {
	k := newPlan(t, rings{{4, 1}, {4, 1}}).Gate
	for level := range uint8(plan.TopLevel + 1) {
		g := gate{balance: -15, quota: 16, level: level, heard: 9}
		const n = 1_000_000_000_005
		g.skip(&k, n)
		require.Equal(t, gate{balance: 1<<15 - 1, quota: 1 << 15, time: n % (1 << 32), armed: g.armed, filled: g.filled, steady: level > 0}, g)
	}
}
