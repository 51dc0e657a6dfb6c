// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// queueOf is the queue of a link with registers.
func queueOf(t testing.TB, registersOnTheWay int) plan.Queue {
	return newPlan(t, rings{{3, 1}}, registers(registersOnTheWay)).Ports[0].Queue
}

// latencies of queues, of both kinds.
var latencies = []int{1, 2, 3, 4, 8, 64}

// queueRecord states docs/links.md with the cycles in which words have crossed: what a queue answers in a cycle.
type queueRecord struct {
	queue  plan.Queue
	cycle  int
	near   []int // cycles in which words crossed the near end
	far    []int
	passed []int // of slices: words that have crossed the near end of each slice, and the far end
}

func newQueueRecord(q plan.Queue) *queueRecord {
	return &queueRecord{queue: q, passed: make([]int, q.Slices+1)}
}

// in is the number of words in slice i.
func (r *queueRecord) in(i int) int { return r.passed[i] - r.passed[i+1] }

func (r *queueRecord) ready() bool {
	if r.queue.Slices > 0 {
		return r.in(0) < 2
	}
	credit := 2*r.queue.Latency + 1 - len(r.near)
	for _, cycle := range r.far {
		credit += int(bit(cycle+r.queue.Latency+1 <= r.cycle))
	}
	return credit > 0
}

// offered is the number of the word at the far end, from 1, or 0.
func (r *queueRecord) offered() int {
	next := len(r.far)
	switch {
	case r.queue.Slices > 0 && r.in(r.queue.Slices-1) == 0:
		return 0
	case r.queue.Slices == 0 && (next == len(r.near) || r.near[next]+r.queue.Latency > r.cycle):
		return 0
	}
	return next + 1
}

func (r *queueRecord) step(enters, leaves bool) {
	now := append([]int(nil), r.passed...)
	for i := 1; i < r.queue.Slices; i++ {
		if r.in(i-1) > 0 && r.in(i) < 2 {
			now[i]++
		}
	}
	if enters {
		r.near = append(r.near, r.cycle)
		now[0]++
	}
	if leaves {
		r.far = append(r.far, r.cycle)
		now[r.queue.Slices]++
	}
	if r.queue.Slices > 0 {
		r.passed = now
	}
	r.cycle++
}

// contradicted drives a queue at both ends with random valid and ready. It returns the first contradiction of the page.
func contradicted(of plan.Queue, q queue, after func(entered, left bool)) error {
	random, r := rand.New(rand.NewPCG(1, uint64(of.Latency))), newQueueRecord(of)
	valid := false
	for cycle := range 40*of.Places + 2000 {
		rate := []float64{1, 0.5, 0.1, 1, 0}
		block := 2*of.Places + 10
		valid = valid || random.Float64() < rate[cycle/block%len(rate)]
		ready := random.Float64() < rate[cycle/block/len(rate)%len(rate)]
		if q.ready() != r.ready() {
			return fmt.Errorf("cycle %d: ready is %v", cycle, q.ready())
		}
		var offered uint32
		if m := q.offered(); m != nil {
			offered = m.Seq
		}
		if int(offered) != r.offered() {
			return fmt.Errorf("cycle %d: word %d is at the far end, expected %d", cycle, offered, r.offered())
		}
		if held := len(r.near) - len(r.far); q.held() != held || held > of.Places {
			return fmt.Errorf("cycle %d: %d words are held, expected %d", cycle, q.held(), held)
		}
		var enters *sim.Message
		if valid && q.ready() {
			enters, valid = &sim.Message{Seq: uint32(len(r.near) + 1)}, false
		}
		leaves := offered > 0 && ready
		q.step(enters, leaves)
		r.step(enters != nil, leaves)
		if after != nil {
			after(enters != nil, leaves)
		}
	}
	return nil
}

func TestQueuesDoWhatThePageSays(t *testing.T) {
	for _, l := range latencies {
		q := queueOf(t, l)
		require.NoError(t, contradicted(q, newQueue(q), nil), "L = %d", l)
	}
}

// A queue has L cycles of latency, holds its places and not one word more, and moves a word in every cycle.
func TestLatencyPlacesAndRateOfQueues(t *testing.T) {
	for _, l := range latencies {
		of := queueOf(t, l)
		require.Equal(t, map[bool]int{true: 2 * l, false: 2*l + 1}[l <= 2], of.Places)
		q := newQueue(of)
		entered := 0
		enter := func(leaves bool) {
			var enters *sim.Message
			if q.ready() {
				entered++
				enters = &sim.Message{Seq: uint32(entered)}
			}
			q.step(enters, leaves)
		}
		for cycle := range 10 * l {
			if cycle < l {
				require.Nil(t, q.offered(), "L = %d, cycle %d", l, cycle)
			} else {
				require.EqualValues(t, cycle-l+1, q.offered().Seq, "L = %d: the word of %d cycles ago", l, l)
			}
			require.True(t, q.ready(), "L = %d, cycle %d", l, cycle)
			enter(q.offered() != nil)
		}
		for range 3 * of.Places {
			enter(false)
		}
		require.Equal(t, of.Places, q.held(), "L = %d", l)
		require.False(t, q.ready())
	}
}

// wideSlices are register slices whose first one has another number of places.
type wideSlices struct {
	*registerSlices
	places int
}

func (q *wideSlices) ready() bool { return len(q.slices[0]) < q.places }

func TestWrongQueuesAreFound(t *testing.T) {
	for _, l := range latencies {
		of := queueOf(t, l)
		if !of.Credits() {
			for _, places := range []int{1, 3} {
				wrong := &wideSlices{newQueue(of).(*registerSlices), places}
				assert.Error(t, contradicted(of, wrong, nil), "L = %d, a slice with %d places", l, places)
			}
			continue
		}
		for name, flaw := range map[string]struct {
			reset func(q *credits)
			after func(q *credits, entered, left bool)
		}{
			"one place more":         {reset: func(q *credits) { q.credit++ }},
			"one place less":         {reset: func(q *credits) { q.credit-- }},
			"latency is one less":    {reset: func(q *credits) { q.latency-- }},
			"latency is one more":    {reset: func(q *credits) { q.latency++ }},
			"a credit is back early": {after: func(q *credits, _, left bool) { change(left, q.back, -1) }},
			"a credit is back late":  {after: func(q *credits, _, left bool) { change(left, q.back, 1) }},
			"a credit is lost": {after: func(q *credits, _, left bool) {
				if left && q.cycle%50 == 0 {
					q.credit--
				}
			}},
			"words change places": {after: func(q *credits, entered, _ bool) {
				if n := len(q.words); entered && n > 1 {
					q.words[n-2].message, q.words[n-1].message = q.words[n-1].message, q.words[n-2].message
				}
			}},
		} {
			q := newQueue(of).(*credits)
			if flaw.reset != nil {
				flaw.reset(q)
			}
			var after func(entered, left bool)
			if flaw.after != nil {
				after = func(entered, left bool) { flaw.after(q, entered, left) }
			}
			err := contradicted(of, q, after)
			t.Log("L = ", l, ": ", name, ": ", err)
			assert.Error(t, err, "L = %d: %s", l, name)
		}
	}
}

// change adds to the last element of a list.
func change(when bool, list []int, by int) {
	if when && len(list) > 0 {
		list[len(list)-1] += by
	}
}
