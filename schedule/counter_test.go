// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/hypercycle"
)

// What is counted are the steps of the schedules that are made.
func TestCountsAreThoseOfTheSchedules(t *testing.T) {
	most, c := 60, NewCounter()
	if testing.Short() {
		most = 24
	}
	compare := func(g *hypercycle.Graph) bool {
		for _, count := range c.Count(g) {
			s := makeChecked(t, g, Request{Operation: count.Operation, Ports: count.Ports})
			assert.Equal(t, Count{s.Operation, s.Ports, s.Steps, s.Bound}, count, "%v", Machine(g))
		}
		return !t.Failed()
	}
	Machines(most, 16, compare)
	for _, rings := range [][]int{{24, 3}, {32, 4}, {8, 3, 9, 4}, {58, 4, 3, 1}, {20, 3, 5, 2}} {
		compare(graph(t, rings...))
	}
}
