// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/schedule/check"
)

// ring4 is a ring of four nodes, 0 - 1 - 2 - 3 - 0.
var ring4 = check.Machine{M: []int{4}, Rho: []int{1}}

func item(node int32) collective.Item { return collective.Item{Node: node, For: -1} }

func pair(from, to int32) collective.Item { return collective.Item{Node: from, For: to} }

func transfer(step, from, to int32, i collective.Item) collective.Transfer {
	return collective.Transfer{Step: step, From: from, To: to, Item: i}
}

// plain is a plain list of transfers on ring4.
func plain(operation string, steps int, transfers ...collective.Transfer) *collective.Schedule {
	return &collective.Schedule{Operation: operation, Packets: 1, Steps: steps, Waiting: -1, Period: []int{4}, Transfers: transfers}
}

// translated is a list of the transfers of node 0.
func translated(operation string, steps int, transfers ...collective.Transfer) *collective.Schedule {
	s := plain(operation, steps, transfers...)
	s.Period = []int{1}
	return s
}

func broadcast() *collective.Schedule {
	return plain(collective.Broadcast, 2, transfer(1, 0, 1, item(0)), transfer(1, 0, 3, item(0)), transfer(2, 1, 2, item(0)))
}

func allGather() *collective.Schedule {
	return translated(collective.AllGather, 2, transfer(1, 0, 1, item(0)), transfer(1, 0, 3, item(0)), transfer(2, 0, 1, item(3)))
}

func totalExchange() *collective.Schedule {
	return translated(collective.TotalExchange, 3, transfer(1, 0, 1, pair(0, 2)), transfer(1, 0, 3, pair(0, 3)),
		transfer(2, 0, 1, pair(3, 1)), transfer(3, 0, 1, pair(0, 1)))
}

func scatter() *collective.Schedule {
	return plain(collective.Scatter, 2, transfer(1, 0, 1, item(2)), transfer(1, 0, 3, item(3)), transfer(2, 1, 2, item(2)), transfer(2, 0, 1, item(1)))
}

func reduceScatter() *collective.Schedule {
	return translated(collective.ReduceScatter, 2, transfer(1, 0, 3, item(2)), transfer(2, 0, 3, item(3)), transfer(2, 0, 1, item(1)))
}

// exchanged is an all-reduce on a square that is no reduce-scatter and all-gather: neighbours
// exchange their sums, in one dimension, then in the other.
func exchanged() *collective.Schedule {
	s := &collective.Schedule{Operation: collective.AllReduce, Packets: 1, Steps: 8, Waiting: -1, Period: []int{2, 2}}
	for node := range int32(4) {
		for from := range int32(4) {
			s.Transfers = append(s.Transfers, transfer(2*node+1, from, from^1, item(node)), transfer(2*node+2, from, from^2, item(node)))
		}
	}
	return s
}

func TestSoundSchedulesPass(t *testing.T) {
	for _, s := range []*collective.Schedule{broadcast(), allGather(), totalExchange(), scatter(), reduceScatter()} {
		assert.NoError(t, check.Check(ring4, s), s.Operation)
	}
	assert.NoError(t, check.Check(check.Machine{M: []int{2, 2}, Rho: []int{1, 1}}, exchanged()))
}

// Every rule finds its fault, and names step, node and item.
func TestEveryRuleFindsItsFault(t *testing.T) {
	for _, c := range []struct {
		rule  check.Rule
		of    *collective.Schedule
		spoil func(s *collective.Schedule)
		says  string
	}{
		{check.BadTransfer, broadcast(), func(s *collective.Schedule) { s.Transfers[2].Step = 3 }, "step 3, node 1, item 0: the step is outside 1..2"},
		{check.BadTransfer, broadcast(), func(s *collective.Schedule) { s.Transfers[2].To = 4 }, "step 2, node 1, item 0: a message from 1 to 4 leaves the machine, whose nodes are 0 to 3"},
		{check.BadTransfer, broadcast(), func(s *collective.Schedule) { s.Transfers[2].Item = item(1) }, "step 2, node 1, item 1: the item of a broadcast is its root, 0"},
		{check.BadTransfer, broadcast(), func(s *collective.Schedule) { s.Transfers[2].Item.Packet = 1 }, "step 2, node 1, item 0 packet 1: there is no such item"},
		{check.BadTransfer, totalExchange(), func(s *collective.Schedule) { s.Transfers[3].Item = pair(0, 0) }, "step 3, node 0, item [0, 0]: there is no such item"},
		{check.BadTransfer, scatter(), func(s *collective.Schedule) { s.Transfers[3].Item = item(0) }, "step 2, node 0, item 0: the root keeps its own item"},
		{check.BadTransfer, allGather(), func(s *collective.Schedule) { s.Transfers[2].From = 2 }, "step 2, node 2, item 3: the schedule is translated, but lists a message of node 2"},
		{check.NoLink, broadcast(), func(s *collective.Schedule) { s.Transfers[2].From = 0 }, "step 2, node 0, item 0: no link leads to node 2"},
		{check.LinkTwice, totalExchange(), func(s *collective.Schedule) { s.Transfers[3].Step, s.Steps = 2, 2 }, "step 2, node 0, item [0, 1]: the link to node 1 carries item [3, 1] in the same step"},
		{check.TwoSends, broadcast(), func(s *collective.Schedule) { s.OnePort = true }, "step 1, node 0, item 0: the node sends to nodes 1 and 3 in one step, but has one port"},
		{check.TwoReceives, plain(collective.Gather, 2, transfer(1, 1, 0, item(1)), transfer(1, 3, 0, item(3)), transfer(1, 2, 1, item(2)), transfer(2, 1, 0, item(2))),
			func(s *collective.Schedule) { s.OnePort = true }, "step 1, node 0, item 3: the node receives from nodes 1 and 3 in one step, but has one port"},
		{check.TooEarly, broadcast(), func(s *collective.Schedule) { s.Transfers[2].Step, s.Transfers[0].Step = 1, 2 }, "step 1, node 1, item 0: the node sends the item to node 2 before it has it"},
		{check.TooEarly, broadcast(), func(s *collective.Schedule) { s.Transfers[2].Step, s.Transfers[1].Step = 1, 2 }, "step 1, node 1, item 0: the node sends the item to node 2 before it has it"},
		{check.TooEarly, scatter(), func(s *collective.Schedule) {
			s.Transfers[0].To = 3
			s.Transfers[1].To = 1
			s.Transfers[1].Item = item(1)
			s.Transfers[3].Item = item(3)
		},
			"step 2, node 1, item 2: the node sends the item to node 2, but does not hold it"},
		{check.Twice, broadcast(), func(s *collective.Schedule) { s.Transfers = append(s.Transfers, transfer(2, 3, 2, item(0))) }, "step 2, node 2, item 0: the node receives the item from node 3, but has it from step 2"},
		{check.Twice, broadcast(), func(s *collective.Schedule) { s.Transfers = append(s.Transfers, transfer(2, 1, 0, item(0))) }, "step 2, node 0, item 0: the node receives the item from node 1, but has it from step 0"},
		{check.Twice, scatter(), func(s *collective.Schedule) { s.Transfers = append(s.Transfers, transfer(2, 3, 2, item(3))) }, "step 2, node 3, item 3: the node sends the item to node 2, but it is for this node"},
		{check.Twice, reduceScatter(), func(s *collective.Schedule) { s.Transfers = append(s.Transfers, transfer(1, 0, 1, item(2))) }, "step 2, node 0, item 0: the sum from node 3 counts the part of node 2 a second time"},
		{check.Missing, broadcast(), func(s *collective.Schedule) { s.Transfers = s.Transfers[:2]; s.Steps = 1 }, "step 1, node 2, item 0: the node never receives the item"},
		{check.Missing, allGather(), func(s *collective.Schedule) { s.Transfers = s.Transfers[:2]; s.Steps = 1 }, "step 1, node 2, item 0: the node never receives the item"},
		{check.Missing, totalExchange(), func(s *collective.Schedule) { s.Transfers = s.Transfers[:3]; s.Steps = 2 }, "step 2, node 1, item [0, 1]: the node never receives the item; it ends at node 0"},
		{check.Missing, reduceScatter(), func(s *collective.Schedule) { s.Transfers = s.Transfers[1:] }, "step 2, node 0, item 0: the result of the node has 3 of 4 parts"},
		{check.WrongSteps, broadcast(), func(s *collective.Schedule) { s.Steps = 3 }, "step 3, node 1, item 0: the schedule has 3 steps, but its last message is in step 2"},
	} {
		c.spoil(c.of)
		err := check.Check(ring4, c.of)
		var fault *check.Fault
		if assert.ErrorAs(t, err, &fault, c.says) {
			assert.Equal(t, c.rule, fault.Rule, c.says)
			assert.Equal(t, c.says, fault.Error())
		}
	}
}

// The first fault is that of the smallest step, then node.
func TestFirstFaultIsNamed(t *testing.T) {
	s := broadcast()
	s.Transfers = append(s.Transfers, transfer(2, 3, 2, item(0)), transfer(2, 0, 1, item(0)), transfer(1, 0, 1, item(0)))
	var fault *check.Fault
	require.ErrorAs(t, check.Check(ring4, s), &fault)
	assert.Equal(t, []int{1, 0}, []int{fault.Step, fault.Node})
}

// A transfer that cannot be hides no fault of an earlier step.
func TestImpossibleTransferHidesNoEarlierFault(t *testing.T) {
	s := broadcast()
	s.Steps = 5
	s.Transfers = append(s.Transfers, transfer(1, 2, 3, item(0)), transfer(5, 1, 1, item(0)))
	assert.EqualError(t, check.Check(ring4, s), "step 1, node 2, item 0: the node sends the item to node 3 before it has it")
	s = broadcast()
	s.Transfers[len(s.Transfers)-1] = transfer(2, 1, 1, item(0))
	assert.EqualError(t, check.Check(ring4, s), "step 2, node 1, item 0: no link leads to node 1", "and not that a node receives nothing")
}

func TestHeaders(t *testing.T) {
	for says, spoil := range map[string]func(s *collective.Schedule){
		`there is no operation "gossip"`:                                                 func(s *collective.Schedule) { s.Operation = "gossip" },
		"root 4 is outside the machine, whose nodes are 0 to 3":                          func(s *collective.Schedule) { s.Root = 4 },
		"0 packets: an item has 1 or more":                                               func(s *collective.Schedule) { s.Packets = 0 },
		"2147483647 packets, but 3 transfers are listed: each packet is in one at least": func(s *collective.Schedule) { s.Packets = 2147483647 },
		"2 periods, but the machine has 1 dimensions":                                    func(s *collective.Schedule) { s.Period = []int{1, 1} },
		"dimension 1: the period 3 does not divide m = 4":                                func(s *collective.Schedule) { s.Period = []int{3} },
		"broadcast has a root, so that its schedule cannot be translated":                func(s *collective.Schedule) { s.Period = []int{1} },
	} {
		s := broadcast()
		spoil(s)
		assert.EqualError(t, check.Check(ring4, s), says)
	}
}

func TestDegree(t *testing.T) {
	assert.Equal(t, 2, ring4.Degree())
	assert.Equal(t, 3+1+4, check.Machine{M: []int{4, 2, 7}, Rho: []int{2, 1, 2}}.Degree())
}
