// SPDX-License-Identifier: Apache-2.0

package model

import (
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// queue is one direction of a link with registers (docs/links.md). Its near end is the m_axis_link of one router, its far end
// the s_axis_link of the neighbour. What it answers depends only on its registers.
type queue interface {
	ready() bool                           // at the near end
	offered() *sim.Message                 // the word at the far end, or nil
	held() int                             // words in all registers and memories
	step(enters *sim.Message, leaves bool) // the clock edge: a word crosses the near end, or nil; the word offered crosses the far end
}

// newQueue is a queue after reset; nil: a wire.
func newQueue(q plan.Queue) queue {
	switch {
	case q.Latency == 0:
		return nil
	case q.Credits():
		return &credits{latency: q.Latency, credit: q.Places}
	default:
		return &registerSlices{slices: make([]slice, q.Slices), crosses: make([]bool, q.Slices+1)}
	}
}

// registerSlices is register slices in series, the one at the near end first.
type registerSlices struct {
	slices []slice // registers

	// crosses is, for the clock edge, whether a word crosses the near end of each slice, and the far end of the queue.
	crosses []bool
}

// slice is a queue with two places, oldest word first.
type slice []sim.Message

const slicePlaces = 2

func (s slice) ready() bool { return len(s) < slicePlaces }

func (s slice) offered() *sim.Message {
	if len(s) == 0 {
		return nil
	}
	return &s[0]
}

func (q *registerSlices) ready() bool { return q.slices[0].ready() }

func (q *registerSlices) offered() *sim.Message { return q.slices[len(q.slices)-1].offered() }

func (q *registerSlices) held() (words int) {
	for _, s := range q.slices {
		words += len(s)
	}
	return words
}

func (q *registerSlices) step(enters *sim.Message, leaves bool) {
	far := len(q.slices)
	q.crosses[0], q.crosses[far] = enters != nil, leaves
	for i := 1; i < far; i++ {
		q.crosses[i] = q.slices[i-1].offered() != nil && q.slices[i].ready()
	}
	for i := far - 1; i >= 0; i-- { // from far to near: a word is copied to the next slice before it leaves its own
		s, word := &q.slices[i], enters
		if i > 0 {
			word = q.slices[i-1].offered()
		}
		if q.crosses[i+1] {
			*s = removeFirst(*s)
		}
		if q.crosses[i] {
			*s = append(*s, *word)
		}
	}
}

// credits has a memory at the far end and a credit at the near end.
type credits struct {
	latency int

	// Registers.
	cycle  int
	credit int
	words  []flight // oldest first
	back   []int    // cycles at whose start a credit comes back, earliest first
}

// flight is a word in the queue.
type flight struct {
	message sim.Message
	arrives int // cycle from which on it is at the far end
}

func (q *credits) ready() bool { return q.credit > 0 }

func (q *credits) offered() *sim.Message {
	if len(q.words) == 0 || q.words[0].arrives > q.cycle {
		return nil
	}
	return &q.words[0].message
}

func (q *credits) held() int { return len(q.words) }

func (q *credits) step(enters *sim.Message, leaves bool) {
	if enters != nil {
		q.credit--
		q.words = append(q.words, flight{*enters, q.cycle + q.latency})
	}
	if leaves {
		q.words = removeFirst(q.words)
		q.back = append(q.back, q.cycle+q.latency+1)
	}
	q.cycle++
	if len(q.back) > 0 && q.back[0] == q.cycle {
		q.credit++
		q.back = removeFirst(q.back)
	}
}

// removeFirst removes the first element of a list, which keeps its memory.
func removeFirst[S ~[]T, T any](list S) S { return list[:copy(list, list[1:])] }

// past holds what a pace of each node was in earlier cycles: [l-1][node] is the pace l cycles ago, 0 before the first cycle.
type past [][]uint8

func newPast(cycles, nodes int) past {
	h := make(past, cycles)
	for l := range h {
		h[l] = make([]uint8, nodes)
	}
	return h
}

// step is the end of a cycle with the given paces by node.
func (h past) step(pace func(v int) uint8) {
	if len(h) == 0 {
		return
	}
	oldest := h[len(h)-1]
	copy(h[1:], h)
	h[0] = oldest
	for v := range oldest {
		oldest[v] = pace(v)
	}
}
