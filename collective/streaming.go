// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"fmt"
	"slices"
)

// Streaming is a schedule as hardware carries it out. Every node has a counter of steps, a register for
// each link, and a selection in front of it. In step t a node reads what arrived in step t - 1, its own
// items and its registers, sends a sum of them by each port, and writes sums into registers. What a
// node sends in step t by a port arrives at the neighbour in step t and can be read in step t + 1 only.
//
// An index is an offset: the digits of another node less those of this one, mod m, as a node number.
type Streaming struct {
	Operation string // one of Operations, or AllReduceWord
	Root      int    // of rooted operations
	Steps     int    // S
	// Registers counts those of a node beside the one of each link. The first Accumulators of them hold
	// parts of the node's own result; in the others something waits.
	Registers, Accumulators int
	Programs                []Program // those of the classes of nodes
	Class                   []int     // by node: its program
}

// Program is what a node does.
type Program struct {
	Sends    [][]Sum   // by step - 1 and port: what the node sends; empty: nothing
	Writes   [][]Sum   // by step - 1 and register: what the register holds from the next step on; empty: what it held
	Delivers [][]int32 // by step - 1 and port: the index of the node whose item arrives in that step and is delivered, or -1
	Result   Sum       // of reductions: the node's own result, read after the last step
}

// Sum lists what is combined by the operator, in this order. Of operations that are no reductions it has one
// term. Equal sums of one step are one operation.
type Sum []Term

// Term is one thing that a node reads in a step.
type Term struct {
	Source Source
	// Index of Requested is the node that the item is for; of all-gather and gather it is 0. Of Arrived it is
	// the port, of Held the register. It is 0 of Own.
	Index int32
}

// Source says where a term comes from.
type Source int

const (
	// Requested is an item that the caller provides on this port in this step. In reductions it is the
	// node's part of the result of another node.
	Requested Source = iota
	// Own is the word that the caller provides in step 1 alone: of broadcast the root's item, of reductions the node's
	// part of its own result.
	Own
	// Arrived is what arrived in the step before.
	Arrived
	// Held is what a register holds.
	Held
)

// String writes the term as reports name it.
func (t Term) String() string {
	switch t.Source {
	case Requested:
		return fmt.Sprintf("item %d", t.Index)
	case Own:
		return "own word"
	case Arrived:
		return fmt.Sprintf("port %d", t.Index)
	}
	return fmt.Sprintf("register %d", t.Index)
}

// Needed reports by step - 1, and then for the result, whether the word that a register holds in it is read in it or later.
func (p *Program) Needed(register int) []bool {
	reads := func(sums ...Sum) bool {
		return slices.ContainsFunc(sums, func(s Sum) bool { return slices.Contains(s, Term{Held, int32(register)}) })
	}
	needed := make([]bool, len(p.Sends)+1)
	needed[len(p.Sends)] = reads(p.Result)
	for k := range slices.Backward(p.Sends) {
		kept := needed[k+1] && len(p.Writes[k][register]) == 0
		needed[k] = kept || reads(p.Sends[k]...) || reads(p.Writes[k]...)
	}
	return needed
}

// Program returns the program of a node.
func (s *Streaming) Program(node int) *Program {
	return &s.Programs[s.Class[node]]
}

// Waiting counts the values that a node writes into registers to wait, the most of any node.
func (s *Streaming) Waiting() int {
	most := 0
	for _, p := range s.Programs {
		n := 0
		for _, writes := range p.Writes {
			for _, sum := range writes[s.Accumulators:] {
				if len(sum) > 0 {
					n++
				}
			}
		}
		most = max(most, n)
	}
	return most
}

// Lanes is the number of words that a node requests in a step, or delivers, the most of any node. A word that it requests on
// several ports counts once. With one lane a memory with one port holds what a node sends, and another one what it receives.
func (s *Streaming) Lanes() int {
	most := 0
	for _, p := range s.Programs {
		for k, sends := range p.Sends {
			requested, delivered := map[Term]bool{}, 0
			for _, sum := range sends {
				for _, t := range sum {
					if t.Source == Requested {
						requested[t] = true
					}
				}
			}
			for _, index := range p.Delivers[k] {
				if index >= 0 {
					delivered++
				}
			}
			most = max(most, len(requested), delivered)
		}
	}
	return most
}

// Sources lists what a node selects between, by port, the most of any node: different terms, the
// items that are requested being one.
func (s *Streaming) Sources() []int {
	var most []int
	for _, p := range s.Programs {
		for port := range p.Delivers[0] {
			terms := map[Term]bool{}
			for _, sends := range p.Sends {
				for _, t := range sends[port] {
					if t.Source == Requested {
						t.Index = 0
					}
					terms[t] = true
				}
			}
			if port == len(most) {
				most = append(most, 0)
			}
			most[port] = max(most[port], len(terms))
		}
	}
	return most
}
