// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"io"
	"testing"

	"github.com/hcgen/hcgen/machine"
)

// A cycle of 50,625 idle nodes.
func BenchmarkIdle15x15x15x15(b *testing.B) {
	n := NewNetwork(newPlan(b, rings{{15, 1}, {15, 1}, {15, 1}, {15, 1}}), machine.Traffic{})
	for b.Loop() {
		n.Step()
	}
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
	for _, c := range []struct {
		name string
		r    rings
	}{
		{"4x4", rings{{4, 1}, {4, 1}}},
		{"15x15x15x15Degree8", rings{{15, 1}, {15, 1}, {15, 1}, {15, 1}}},
		{"15x15x15x15Degree16", rings{{15, 2}, {15, 2}, {15, 2}, {15, 2}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := newPlan(b, c.r)
			for b.Loop() {
				if err := WriteRouterTrace(io.Discard, p, 0, 1, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
