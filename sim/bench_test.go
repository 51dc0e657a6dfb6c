// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"io"
	"testing"
)

// Overload of a 4x4 torus; the metric is the number of router cycles a second.
func BenchmarkLoadedTorus(b *testing.B) {
	n := NewNetwork(newPlan(b, rings{{4, 1}, {4, 1}}), random(1, 0.1, 1))
	for b.Loop() {
		n.Step()
	}
	b.ReportMetric(float64(b.N)*16/b.Elapsed().Seconds(), "router-cycles/s")
}

func BenchmarkBroadcast15x15x15x15Degree8(b *testing.B) {
	p := newPlan(b, rings{{15, 1}, {15, 1}, {15, 1}, {15, 1}})
	b.ReportAllocs()
	for b.Loop() {
		Broadcast(p, 0)
	}
}

func BenchmarkBroadcast15x15x15x15Degree16(b *testing.B) {
	p := newPlan(b, rings{{15, 2}, {15, 2}, {15, 2}, {15, 2}})
	b.ReportAllocs()
	for b.Loop() {
		Broadcast(p, 0)
	}
}

func BenchmarkRouterTrace(b *testing.B) {
	p := newPlan(b, rings{{4, 1}, {4, 1}})
	for b.Loop() {
		if _, err := WriteRouterTrace(io.Discard, p, 0, 1, nil); err != nil {
			b.Fatal(err)
		}
	}
}
