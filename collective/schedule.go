// SPDX-License-Identifier: Apache-2.0

package collective

import "fmt"

// Schedule is a schedule as somebody claims it, such as a file.
type Schedule struct {
	Operation string // one of Operations
	OnePort   bool   // a node sends one message and receives one in a step, at most
	Root      int    // of rooted operations
	Packets   int    // messages that every item consists of, 1 or more
	Steps     int
	Bound     int  // steps that every schedule takes; 0 if nothing is claimed
	Waiting   int  // values that wait at a node; -1 if nothing is claimed
	Phases    bool // whether the transfers of a reduction say if they add
	// Period says which transfers are listed: those of the nodes whose digit in
	// dimension i+1 is below Period[i], a divisor of M[i]. The others follow by adding
	// multiples of Period[i] to that digit of every address. All 1: a translated
	// schedule; all M[i]: a plain list.
	Period    []int
	Transfers []Transfer
}

// Transfer is one message on one link in one step.
type Transfer struct {
	Step     int32 // from 1
	From, To int32 // neighbours
	Item     Item
	Add      bool // of reductions: the receiver adds the sum to its own; else it keeps the message as it is
}

// Phase is what the receiver of a reduction does with the message, as files name it.
func (t Transfer) Phase() string {
	if t.Add {
		return add
	}
	return copied
}

// The phases.
const (
	add    = "add"
	copied = "copy"
)

// Item says what a message carries. Its meaning depends on the operation: Node is the
// root of a broadcast; of all-gather and gather the node that it comes from; of scatter
// the node that it is for; of total exchange the node that it comes from, and For is the
// node that it is for; of reductions the node whose result it is part of.
type Item struct {
	Node   int32
	For    int32 // of total exchange only, else -1
	Packet int32 // 0..Packets-1
}

// String writes the item as messages name it.
func (i Item) String() string {
	s := fmt.Sprint(i.Node)
	if i.For >= 0 {
		s = fmt.Sprintf("[%d, %d]", i.Node, i.For)
	}
	if i.Packet > 0 {
		s += fmt.Sprintf(" packet %d", i.Packet)
	}
	return s
}
