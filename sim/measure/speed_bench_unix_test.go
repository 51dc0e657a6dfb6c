// SPDX-License-Identifier: Apache-2.0

//go:build unix

package measure

import (
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/sim/model"
)

// The benchmarks of this file count router cycles per second of processor time, because other
// processes may use the processor too. Garbage collection counts, even on another core.

// Overload of a 4x4 torus.
func BenchmarkLoadedTorus(b *testing.B) {
	n := NewRun(newPlan(b, rings{{4, 1}, {4, 1}}), random(1, 0.1, 1), model.Options{})
	before := processorTime(b)
	for b.Loop() {
		n.Step()
	}
	b.ReportMetric(float64(b.N)*16/(processorTime(b)-before), "router-cycles/cpu-s")
}

// Overload of 50,625 nodes measures the cost of routers that are not in the cache. The
// metrics include the memory that the process has taken so far.
func BenchmarkLoaded15x15x15x15(b *testing.B) {
	for _, c := range []struct {
		name string
		rho  int
	}{{"Degree8", 1}, {"Degree16", 2}} {
		b.Run(c.name, func(b *testing.B) {
			ring := [2]int{15, c.rho}
			n := NewRun(newPlan(b, rings{ring, ring, ring, ring}), random(1, 0.1, 1), model.Options{})
			for range 60 { // the FIFOs fill
				n.Step()
			}
			evaluated, before := 0, processorTime(b)
			for b.Loop() {
				n.Step()
				evaluated += len(n.Network.Evaluated())
			}
			took := processorTime(b) - before
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(evaluated)/took, "router-cycles/cpu-s")
			b.ReportMetric(float64(m.Sys)/1e6, "MB")
		})
	}
}

// processorTime is the processor time of this process so far, in seconds.
func processorTime(b *testing.B) float64 {
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
