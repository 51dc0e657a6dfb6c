// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"math/rand/v2"
	"slices"
)

// Stall keeps the receivers of one node from being ready.
type Stall struct {
	Receiver []int // digits, dimension 1 first
	At       int
	Cycles   int // 0: to the end of the workload
}

// drawStalls gives some workloads stalls, and some random load few sources.
func (m *Machine) drawStalls(r *rand.Rand) {
	for i := range m.Traffic {
		t := &m.Traffic[i]
		for len(t.Stalls) < 8 && r.IntN(3) == 0 {
			s := Stall{Receiver: m.drawNode(r), At: r.IntN(t.Cycles)}
			if r.IntN(4) > 0 {
				s.Cycles = 1 + r.IntN(min(40, t.Cycles-s.At))
			}
			t.Stalls = append(t.Stalls, s)
		}
		if t.Random != nil && r.IntN(3) == 0 {
			for range 1 + r.IntN(4) {
				t.Random.Sources = append(t.Random.Sources, m.drawNode(r))
			}
		}
		m.legalizeStalls(t)
	}
}

// legalizeStalls makes stalls and sources legal again.
func (m *Machine) legalizeStalls(t *Traffic) {
	for i := range t.Stalls {
		s := &t.Stalls[i]
		s.At = min(s.At, t.Cycles-1)
		s.Cycles = min(s.Cycles, t.Cycles-s.At)
		m.clamp(s.Receiver)
	}
	if t.Random == nil {
		return
	}
	var different [][]int
	for _, source := range t.Random.Sources {
		m.clamp(source)
		if !slices.ContainsFunc(different, func(other []int) bool { return slices.Equal(source, other) }) {
			different = append(different, source)
		}
	}
	t.Random.Sources = different
}

// clamp changes an address to an address of the machine.
func (m *Machine) clamp(digits []int) {
	for i, d := range m.Dimensions {
		digits[i] = min(digits[i], d.M-1)
	}
}

// stalls tries fewer and simpler stalls of a workload, and all nodes as sources.
func (s *shrinker) stalls(i int) {
	s.first(func(m *Machine) { m.Traffic[i].Stalls = nil })
	at := func(m *Machine) *[]Stall { return &m.Traffic[i].Stalls }
	s.fewer(func() int { return len(*at(s.m)) },
		func(m *Machine, j int) { *at(m) = (*at(m))[j : j+1] },
		func(m *Machine, j int) { *at(m) = slices.Delete(*at(m), j, j+1) })
	for j := range *at(s.m) {
		s.first(func(m *Machine) { (*at(m))[j].At = 0 })
		s.first(func(m *Machine) { (*at(m))[j].Cycles = 0 })
		s.first(func(m *Machine) { clear((*at(m))[j].Receiver) })
	}
	if s.m.Traffic[i].Random != nil {
		s.first(func(m *Machine) { m.Traffic[i].Random.Sources = nil })
	}
}
