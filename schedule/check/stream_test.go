// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/schedule/check"
)

var (
	requested = func(index int32) collective.Sum { return collective.Sum{{Source: collective.Requested, Index: index}} }
	arrived   = func(port int32) collective.Sum { return collective.Sum{{Source: collective.Arrived, Index: port}} }
	held      = func(register int32) collective.Sum { return collective.Sum{{Source: collective.Held, Index: register}} }
	own       = collective.Sum{{Source: collective.Own}}
)

// streamed is a schedule on ring4 in which all nodes do the same, with one register.
func streamed(operation string, p collective.Program) *collective.Streaming {
	return &collective.Streaming{Operation: operation, Steps: len(p.Sends), Registers: 1, Programs: []collective.Program{p}, Class: []int{0, 0, 0, 0}}
}

// Port 0 leads to the next node, port 1 to the one before. The item of the node before is sent on.
func streamedGather() *collective.Streaming {
	return streamed(collective.AllGather, collective.Program{
		Sends:    [][]collective.Sum{{requested(0), requested(0)}, {arrived(1), nil}},
		Writes:   [][]collective.Sum{{nil}, {nil}},
		Delivers: [][]int32{{1, 3}, {-1, 2}},
	})
}

// The same, with an item that waits for a step.
func streamedWaiting() *collective.Streaming {
	return streamed(collective.AllGather, collective.Program{
		Sends:    [][]collective.Sum{{requested(0), requested(0)}, {nil, nil}, {held(0), nil}},
		Writes:   [][]collective.Sum{{nil}, {arrived(1)}, {nil}},
		Delivers: [][]int32{{1, 3}, {-1, -1}, {-1, 2}},
	})
}

// The part for the node two before passes the node before, which adds its own.
func streamedReduce() *collective.Streaming {
	s := streamed(collective.ReduceScatter, collective.Program{
		Sends:    [][]collective.Sum{{nil, requested(2)}, {requested(1), append(requested(3), arrived(0)...)}},
		Writes:   [][]collective.Sum{{own}, {nil}},
		Delivers: [][]int32{{-1, -1}, {-1, -1}},
		Result:   collective.Sum{{Source: collective.Held, Index: 0}, {Source: collective.Arrived, Index: 0}, {Source: collective.Arrived, Index: 1}},
	})
	s.Accumulators = 1
	return s
}

func TestSoundStreamingSchedulesPass(t *testing.T) {
	for _, s := range []*collective.Streaming{streamedGather(), streamedWaiting(), streamedReduce()} {
		assert.NoError(t, check.CheckStreaming(ring4, s), s.Operation)
	}
	assert.Equal(t, []int{0, 1, 0}, []int{streamedGather().Waiting(), streamedWaiting().Waiting(), streamedReduce().Waiting()})
	assert.Equal(t, []int{2, 1}, streamedGather().Sources())
}

func TestEveryFaultOfAStreamingScheduleIsFound(t *testing.T) {
	for _, c := range []struct {
		of    *collective.Streaming
		spoil func(s *collective.Streaming, p *collective.Program)
		says  string
	}{
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { s.Operation = "gossip" }, `there is no operation "gossip"`},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { s.Class[3] = 1 }, "node 3: there is no class 1"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { s.Steps = 3 }, "class 0: sends, writes and deliveries of 2, 2 and 2 steps are listed, but the schedule has 3"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { s.Registers = 2 }, "class 0, step 1: 2 sends, 2 deliveries and 1 writes are listed, but a node has 2 ports and 2 registers"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { s.Accumulators = 2 }, "2 accumulators, but 1 registers"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { p.Sends[0][0] = requested(1) }, "step 1, node 0: the node has no item 1 to send, on port 0"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { p.Sends[0][0] = own }, "step 1, node 0: the node has no word of its own in this step, on port 0"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { p.Sends[1][0] = arrived(2) }, "step 2, node 0: there is no port 2, on port 0"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { p.Sends[0][1] = nil }, "step 1, node 0: the node delivers what arrives on port 0, but nothing does"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { p.Sends[0][0], p.Delivers[0][1] = nil, -1 }, "step 2, node 0: port 1 is read, but has nothing, on port 0"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { p.Sends[1][0] = arrived(0) }, "step 2, node 0: the node delivers from port 1 what is not for it, or not the item of node 2"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { p.Delivers[0][0] = 3 }, "step 1, node 0: the node delivers from port 0 what is not for it, or not the item of node 3"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { p.Delivers[0][0] = 0 }, "step 1, node 0: index 0 of a delivery is no other node"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) {
			p.Sends[1][0], p.Delivers[1][1] = requested(0), 3
		}, "step 2, node 0: the node delivers the item of node 3 a second time"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { p.Delivers[1][1] = -1 }, "node 0 delivers 2 items, but the operation has 3 for it"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) { p.Result = held(0) }, "node 0 has a result, but all-gather has none"},
		{streamedGather(), func(s *collective.Streaming, p *collective.Program) {
			p.Sends[1][0] = append(arrived(1), arrived(0)...)
		}, "step 2, node 0: all-gather combines nothing, but [port 1 port 0] is a sum of 2 terms, on port 0"},
		{streamedWaiting(), func(s *collective.Streaming, p *collective.Program) { p.Writes[1][0] = nil }, "step 3, node 0: register 0 is read, but has nothing, on port 0"},
		{streamedWaiting(), func(s *collective.Streaming, p *collective.Program) { p.Writes[1][0] = requested(0) }, "step 2, node 0: item 0 is read, but items are requested to be sent only, for register 0"},
		{streamedWaiting(), func(s *collective.Streaming, p *collective.Program) { s.Accumulators = 1 }, "step 2, node 0: accumulator 0 holds something else than a sum of the node's own result"},
		{streamedReduce(), func(s *collective.Streaming, p *collective.Program) {
			p.Sends[1][1] = append(requested(2), arrived(0)...)
		}, "step 2, node 0: item 2 is requested a second time, on port 1"},
		{streamedReduce(), func(s *collective.Streaming, p *collective.Program) {
			p.Sends[1][1] = append(requested(1), arrived(0)...)
		}, "step 2, node 0: item 1 is requested a second time, on port 1"},
		{streamedReduce(), func(s *collective.Streaming, p *collective.Program) { p.Sends[0][1] = requested(1) }, "step 2, node 0: item 1 is requested a second time, on port 0"},
		{streamedReduce(), func(s *collective.Streaming, p *collective.Program) {
			p.Sends[1][0] = append(requested(1), arrived(0)...)
			p.Sends[1][1] = requested(3)
		}, "step 2, node 0: [item 1 port 0] combines sums for nodes 1 and 3, on port 0"},
		{streamedReduce(), func(s *collective.Streaming, p *collective.Program) { p.Result = append(held(0), held(0)...) }, "step 3, node 0: [register 0 register 0] counts a part of the sum for node 0 twice"},
		{streamedReduce(), func(s *collective.Streaming, p *collective.Program) { p.Result = held(0) }, "node 0: its result is the sum for node 0 with 1 of 4 parts"},
		{streamedReduce(), func(s *collective.Streaming, p *collective.Program) { p.Result = nil }, "node 0 has no result"},
	} {
		c.spoil(c.of, &c.of.Programs[0])
		assert.EqualError(t, check.CheckStreaming(ring4, c.of), c.says)
	}
}

// Each value on a link is visited, with the parts that it sums.
func TestFollowedSchedulesShowWhatIsOnTheLinks(t *testing.T) {
	var seen []check.Passage
	require.NoError(t, check.FollowStreaming(ring4, streamedReduce(), func(on check.Passage) {
		if on.Item.Node == 0 {
			seen = append(seen, on)
		}
	}))
	item := collective.Item{Node: 0, For: -1}
	assert.Equal(t, []check.Passage{
		{Step: 1, From: 2, To: 1, Port: 1, Item: item, Parts: []int32{2}},
		{Step: 2, From: 1, To: 0, Port: 1, Item: item, Parts: []int32{1, 2}},
		{Step: 2, From: 3, To: 0, Port: 0, Item: item, Parts: []int32{3}},
	}, seen)
}
