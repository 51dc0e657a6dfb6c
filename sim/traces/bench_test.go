// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"io"
	"testing"
)

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
				if err := WriteRouter(io.Discard, p, 0, 1, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
