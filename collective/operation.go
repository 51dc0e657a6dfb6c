// SPDX-License-Identifier: Apache-2.0

// Package collective is the vocabulary of collective operations: their names, schedules as lists of
// transfers, the programs by which the nodes of a network carry a schedule out, and the JSON of schedules.
// It finds nothing and checks nothing: package schedule makes schedules, and package check verifies them.
package collective

// The operations.
const (
	Broadcast     = "broadcast"
	AllGather     = "all-gather"
	Scatter       = "scatter"
	Gather        = "gather"
	TotalExchange = "total-exchange"
	ReduceScatter = "reduce-scatter"
	AllReduce     = "all-reduce"
)

// AllReduceWord is the all-reduce of one word per node: all nodes get the sum of all words. It is no
// operation of files, because it has no choice: see schedule.OneWord.
const AllReduceWord = "all-reduce-word"

// Operations lists the operations of files.
func Operations() []string {
	return []string{Broadcast, AllGather, Scatter, Gather, TotalExchange, ReduceScatter, AllReduce}
}

// Rooted reports whether one node plays a part of its own in an operation.
func Rooted(operation string) bool {
	return operation == Broadcast || operation == Scatter || operation == Gather
}

// Reduces reports whether an operation combines items.
func Reduces(operation string) bool {
	return operation == ReduceScatter || operation == AllReduce || operation == AllReduceWord
}

// Carried lists the operations whose items routers can carry as messages: all but the reductions, which
// combine items on their way.
func Carried() []string {
	return []string{Broadcast, AllGather, Scatter, Gather, TotalExchange}
}

// ToAll is the receiver of a message for all nodes.
const ToAll = -1

// Message is an item that routers carry from its source to its receivers by themselves.
type Message struct {
	From, To int // nodes; To can be ToAll
}

// MessageCount is the number of messages of an operation, one of Carried, on a machine with the given number of nodes.
func MessageCount(operation string, nodes int) int {
	switch operation {
	case Broadcast:
		return 1
	case AllGather:
		return nodes
	case TotalExchange:
		return nodes * (nodes - 1)
	}
	return nodes - 1
}
