// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/schedule/check"
)

// turns of the grown schedule, and of the one that is made of it.
func turns(t *testing.T, dims ...int) [2]int {
	t.Helper()
	f := &flow{graph(t, dims...), 1, 0}
	steps := Bound(f.graph, collective.AllGather, AllPorts, 1)
	s := f.grown(steps, straight(f.graph), false)
	if s == nil {
		s = f.grown(steps, anyTurns(f.graph), false)
	}
	require.NotNil(t, s)
	return [2]int{len(s.turns()), len(f.frugal(s).turns())}
}

// The figures of the search: a port that sends on from fewer others has fewer inputs. On the 5-ring each port sends the node's
// own item and what arrives on one port.
func TestSchedulesHaveFewTurns(t *testing.T) {
	for _, c := range []struct {
		dims []int
		want [2]int
	}{
		{[]int{5, 1}, [2]int{4, 4}},
		{[]int{7, 3}, [2]int{6, 6}},
		{[]int{4, 1, 4, 1}, [2]int{12, 11}},
		{[]int{2, 1, 2, 1, 2, 1, 2, 1}, [2]int{11, 10}},
		{[]int{3, 1, 3, 1, 3, 1}, [2]int{24, 17}},
	} {
		assert.Equal(t, c.want, turns(t, c.dims...), fmt.Sprint(c.dims))
	}
}

// A search that may take a step more than it needs states the steps that it has taken.
func TestFewerTurnsInFewerSteps(t *testing.T) {
	f := &flow{graph(t, 6, 1, 3, 1), 1, 0x33}
	s := f.grown(Bound(f.graph, collective.AllGather, AllPorts, 1)+1, anyTurns(f.graph), false)
	require.NotNil(t, s)
	less := f.frugal(s)
	assert.Less(t, less.steps, s.steps)
	require.NoError(t, check.Check(Machine(f.graph), less.schedule(collective.AllGather, 0).Claim()))
}

// Whatever the machine, the schedule is sound, has no turn more, and nothing waits.
func TestFewerTurnsCostNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &flow{anyGraph(t, 24), 1, rapid.Uint64().Draw(t, "seed")}
		s := f.grown(Bound(f.graph, collective.AllGather, AllPorts, 1)+1, anyTurns(f.graph), false)
		if s == nil {
			return // more steps are needed
		}
		less := f.frugal(s)
		require.LessOrEqual(t, len(less.turns()), len(s.turns()))
		made := less.schedule(collective.AllGather, 0)
		require.LessOrEqual(t, made.Steps, s.steps)
		require.NoError(t, check.Check(Machine(f.graph), made.Claim()))
		streaming, err := made.Streaming()
		require.NoError(t, err)
		require.Zero(t, streaming.Waiting())
	})
}
