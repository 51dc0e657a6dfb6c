// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"math/rand/v2"
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// drawAddressed gives some machines destinations, tlast and barriers, and messages that use them. Programmable routers have
// none of these.
func (m *Machine) drawAddressed(r *rand.Rand) {
	if m.Programmable != nil {
		return
	}
	m.Destination, m.Last, m.Barrier = r.IntN(2) == 0, r.IntN(3) == 0, r.IntN(3) == 0
	if !m.Destination {
		return
	}
	for i := range m.Traffic {
		t := &m.Traffic[i]
		for len(t.Sends) < 8 && r.IntN(4) > 0 {
			t.Sends = append(t.Sends, m.drawSend(r, t.Cycles))
		}
		if t.Random != nil {
			m.drawPattern(r, t.Random)
		}
	}
}

// drawSend draws a message whose set of nodes is not empty.
func (m *Machine) drawSend(r *rand.Rand, cycles int) Send {
	s := Send{From: m.drawNode(r), To: m.drawNode(r), At: r.IntN(cycles), Last: m.Last && r.IntN(2) == 0}
	for i := range s.To {
		switch r.IntN(3) {
		case 0:
			s.To[i] = hypercycle.All
		case 1:
			s.To[i] = s.From[i]
		}
	}
	s.legalize()
	return s
}

// legalize adds nodes to an empty set.
func (s *Send) legalize() {
	if slices.Equal(s.From, s.To) {
		s.To[0] = hypercycle.All
	}
}

// drawPattern draws the destinations of random messages.
func (m *Machine) drawPattern(r *rand.Rand, random *Random) {
	for p := machine.ToAll; p <= machine.ToRow; p++ {
		if r.IntN(int(p)+2) == 0 { // each as likely as the default
			random.Pattern = p.String()
		}
	}
	if random.Pattern != machine.ToAll.String() && r.IntN(2) == 0 {
		random.Broadcasts = 1 + r.IntN(100)
	}
	if random.Pattern == machine.ToHotSpot.String() {
		if r.IntN(2) == 0 {
			random.Hot = m.drawNode(r)
		}
		random.Share = r.IntN(101)
	}
	m.legalizePattern(random)
}

// legalizePattern removes attributes that the machine or the pattern does not allow.
func (m *Machine) legalizePattern(r *Random) {
	if !m.Destination || r.Pattern == machine.ToTranspose.String() && len(m.Dimensions) == 1 {
		r.Pattern = ""
	}
	if !m.Destination || r.Pattern == machine.ToAll.String() {
		r.Broadcasts = 0
	}
	if r.Pattern != machine.ToHotSpot.String() {
		r.Hot, r.Share = nil, 0
	}
	for i := range r.Hot {
		r.Hot[i] = min(r.Hot[i], m.Dimensions[i].M-1)
	}
}

// legalizeAddressed makes messages legal again.
func (m *Machine) legalizeAddressed(t *Traffic) {
	if !m.Destination {
		t.Sends = nil
	}
	for i := range t.Sends {
		s := &t.Sends[i]
		s.At, s.Last = min(s.At, t.Cycles-1), s.Last && m.Last
		for j, d := range m.Dimensions {
			s.From[j], s.To[j] = min(s.From[j], d.M-1), min(s.To[j], d.M-1)
		}
		s.legalize()
	}
	if t.Random != nil {
		m.legalizePattern(t.Random)
	}
	if t.Random == nil && len(t.Broadcasts)+len(t.Sends) == 0 {
		t.Broadcasts = []Broadcast{{Source: make([]int, len(m.Dimensions))}} // a workload is not empty
	}
}

// addressed tries simpler options and destinations.
func (s *shrinker) addressed() {
	s.first(func(m *Machine) { m.NodeErrors = false })
	s.first(func(m *Machine) { m.Barrier = false })
	s.first(func(m *Machine) { m.Last = false })
	s.first(func(m *Machine) { m.Scope = false })
	s.first(func(m *Machine) { m.Destination = false })
}

// sends tries fewer and simpler messages of a workload.
func (s *shrinker) sends(i int) {
	at := func(m *Machine) *[]Send { return &m.Traffic[i].Sends }
	s.fewer(func() int { return len(*at(s.m)) },
		func(m *Machine, j int) { *at(m) = (*at(m))[j : j+1] },
		func(m *Machine, j int) { *at(m) = slices.Delete(*at(m), j, j+1) })
	for j := range *at(s.m) {
		s.first(func(m *Machine) { (*at(m))[j].At = 0 })
		s.first(func(m *Machine) { (*at(m))[j].Last = false })
		s.first(func(m *Machine) { clear((*at(m))[j].From) })
	}
	if r := s.m.Traffic[i].Random; r != nil {
		s.first(func(m *Machine) { m.Traffic[i].Random.Pattern = "" })
		s.first(func(m *Machine) { m.Traffic[i].Random.Broadcasts = 0 })
		s.first(func(m *Machine) { m.Traffic[i].Random.Hot = nil })
		s.first(func(m *Machine) { m.Traffic[i].Random.Share = 0 })
	}
}
