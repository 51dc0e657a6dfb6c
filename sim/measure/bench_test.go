// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"testing"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/sim/model"
)

// A cycle of 50,625 idle nodes.
func BenchmarkIdle15x15x15x15(b *testing.B) {
	n := NewRun(newPlan(b, rings{{15, 1}, {15, 1}, {15, 1}, {15, 1}}), machine.Traffic{}, model.Options{})
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
