// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"context"
	"slices"
	"sync"

	"github.com/hcgen/hcgen/machine"
)

// checkFunc checks a machine that may fail like another one.
type checkFunc func(ctx context.Context, m *Machine, like *Failure) *Failure

// Shrink looks for the smallest machine that fails like m, with f, and returns it with its
// failure and the number of machines that it tried. No single change that Shrink knows turns
// the result into a simpler machine that fails in the same way.
//
// check is called for a number of machines at a time. It must return the same result for the
// same machine; then Shrink is deterministic. When ctx ends, Shrink returns the smallest so far.
func Shrink(ctx context.Context, m *Machine, f *Failure, workers int, check checkFunc) (*Machine, *Failure, int) {
	s := &shrinker{ctx: ctx, m: m, f: f, workers: workers, check: check, checked: map[string]*Failure{m.HCL(): f}}
	for before := ""; before != s.m.HCL() && ctx.Err() == nil; {
		before = s.m.HCL()
		s.pass()
	}
	return s.m, s.f, len(s.checked) - 1
}

type shrinker struct {
	ctx     context.Context
	m       *Machine // the smallest so far
	f       *Failure
	workers int
	check   checkFunc
	checked map[string]*Failure // by HCL
}

// change is a change of a machine to a simpler one.
type change func(m *Machine)

// first checks the machines that the changes make, and continues with the first that fails. It reports
// whether one failed.
func (s *shrinker) first(changes ...change) bool {
	for len(changes) > 0 && s.ctx.Err() == nil {
		n := min(s.workers, len(changes))
		if s.batch(changes[:n]) >= 0 {
			return true
		}
		changes = changes[n:]
	}
	return false
}

// batch checks the machines that the changes make at the same time, continues with the first that
// fails, and returns its number, or -1.
func (s *shrinker) batch(changes []change) int {
	var group sync.WaitGroup
	texts := make([]string, len(changes))
	candidates := make([]*Machine, len(changes))
	failures := make([]*Failure, len(changes))
	for i, apply := range changes {
		c := s.m.clone()
		apply(c)
		c.legalize()
		texts[i], candidates[i] = c.HCL(), c
		if f, known := s.checked[texts[i]]; known {
			failures[i] = f
		} else if !slices.Contains(texts[:i], texts[i]) {
			group.Go(func() { failures[i] = s.check(s.ctx, c, s.f) })
		}
	}
	group.Wait()
	if s.ctx.Err() != nil {
		return -1 // what was checked last means nothing
	}
	current := s.m.HCL()
	for i, text := range texts {
		if _, known := s.checked[text]; !known {
			s.checked[text] = failures[i]
		}
	}
	for i, text := range texts {
		if f := failures[i]; f != nil && f.like(s.f) && text != current {
			s.m, s.f = candidates[i], f
			return i
		}
	}
	return -1
}

// lower looks for the lowest value from least upwards that fails, assuming that all higher values fail.
func (s *shrinker) lower(least int, of func(m *Machine) *int) {
	for s.ctx.Err() == nil {
		high := *of(s.m) // fails
		if high <= least {
			return
		}
		// several values at a time, the lowest first, one of them at or below the middle
		var values []int
		for i := range s.workers {
			if v := least + (high-least)*i/(s.workers+1); !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if s.workers == 1 && s.known(least, of) {
			values[0] = least + (high-least)/2
		}
		var changes []change
		for _, v := range values {
			changes = append(changes, func(m *Machine) { *of(m) = v })
		}
		switch i := s.batch(changes); {
		case i < 0:
			least = values[len(values)-1] + 1
		case i > 0:
			least = values[i-1] + 1
		}
	}
}

// known reports whether the machine with this value was checked.
func (s *shrinker) known(value int, of func(m *Machine) *int) bool {
	c := s.m.clone()
	*of(c) = value
	c.legalize()
	_, known := s.checked[c.HCL()]
	return known
}

// fewer leaves out parts of a list, all but one if possible.
func (s *shrinker) fewer(length func() int, keep, remove func(m *Machine, i int)) {
	var all []change
	for i := range length() {
		all = append(all, func(m *Machine) { keep(m, i) })
	}
	if len(all) > 1 && s.first(all...) {
		return
	}
	for again := true; again && length() > 2; {
		all = all[:0]
		for i := range length() {
			all = append(all, func(m *Machine) { remove(m, i) })
		}
		again = s.first(all...)
	}
}

// pass tries every change once.
func (s *shrinker) pass() {
	// parts that are rarely the cause are removed together
	if !s.first(func(m *Machine) {
		m.plainNames()
		m.Synthesis, m.PayloadBits, m.SourceID, m.Preference, m.FIFODepth = nil, 1, false, "", 0
		m.Stages, m.Delivery, m.Programmable = 0, "", nil
		m.Destination, m.Last, m.Barrier, m.NodeErrors = false, false, false, false
	}) {
		s.first((*Machine).plainNames)
		s.first(func(m *Machine) { m.Synthesis = nil })
		s.programmable()
		s.addressed()
		s.first(func(m *Machine) { m.SourceID = false })
		s.first(func(m *Machine) { m.Preference = "" })
		s.first(func(m *Machine) { m.Stages = 0 })
		s.first(func(m *Machine) { m.Delivery = "" })
		if !s.first(func(m *Machine) { m.FIFODepth = 0 }) {
			s.lower(machine.MinFIFODepth, func(m *Machine) *int { return &m.FIFODepth })
		}
	}
	s.fewer(func() int { return len(s.m.Traffic) },
		func(m *Machine, i int) { m.Traffic = m.Traffic[i : i+1] },
		func(m *Machine, i int) { m.Traffic = slices.Delete(m.Traffic, i, i+1) })
	s.fewer(func() int { return len(s.m.Dimensions) },
		func(m *Machine, i int) {
			for j := len(m.Dimensions) - 1; j >= 0; j-- {
				if j != i {
					m.removeDimension(j)
				}
			}
		}, (*Machine).removeDimension)
	for i := range s.m.Dimensions {
		s.lower(2, func(m *Machine) *int { return &m.Dimensions[i].M })
		s.lower(1, func(m *Machine) *int { return &m.Dimensions[i].Rho })
	}
	if n, degree := s.m.nodes(); n <= networkNodes && n*degree <= networkPorts {
		s.first(func(m *Machine) { m.Network = true })
	}
	s.lower(1, func(m *Machine) *int { return &m.PayloadBits })
	for i := range s.m.Traffic {
		s.first(func(m *Machine) {
			if len(m.Traffic[i].Broadcasts)+len(m.Traffic[i].Sends) > 0 {
				m.Traffic[i].Random = nil
			}
		}, func(m *Machine) {
			if m.Traffic[i].Random != nil {
				m.Traffic[i].Broadcasts, m.Traffic[i].Sends = nil, nil
			}
		}, func(m *Machine) {
			if len(m.Traffic[i].Sends) > 0 {
				m.Traffic[i].Broadcasts = nil
			}
		}, func(m *Machine) {
			if len(m.Traffic[i].Broadcasts) > 0 {
				m.Traffic[i].Sends = nil
			}
		})
		s.fewer(func() int { return len(s.m.Traffic[i].Broadcasts) },
			func(m *Machine, j int) { m.Traffic[i].Broadcasts = m.Traffic[i].Broadcasts[j : j+1] },
			func(m *Machine, j int) { m.Traffic[i].Broadcasts = slices.Delete(m.Traffic[i].Broadcasts, j, j+1) })
		for j := range s.m.Traffic[i].Broadcasts {
			s.first(func(m *Machine) { m.Traffic[i].Broadcasts[j].At = 0 })
			s.first(func(m *Machine) { clear(m.Traffic[i].Broadcasts[j].Source) })
		}
		s.sends(i)
		s.stalls(i)
		if s.m.Traffic[i].Random != nil {
			s.first(func(m *Machine) { *m.Traffic[i].Random = Random{Rate: 100, Seed: 1} },
				func(m *Machine) { m.Traffic[i].Random.Stall = 0 })
			s.first(func(m *Machine) { m.Traffic[i].Random.Seed = 1 })
			s.first(func(m *Machine) { m.Traffic[i].Random.Rate = 100 })
		}
		s.lower(1, func(m *Machine) *int { return &m.Traffic[i].Cycles })
	}
}

func (m *Machine) plainNames() {
	m.Name = "a"
	for i := range m.Dimensions {
		m.Dimensions[i].Name = string(rune('a' + i))
	}
	for i := range m.Traffic {
		m.Traffic[i].Name = string(rune('a' + i))
	}
	for i := range m.Synthesis {
		m.Synthesis[i].Name = string(rune('a' + i))
	}
}

func (m *Machine) removeDimension(i int) {
	m.Dimensions = slices.Delete(m.Dimensions, i, i+1)
	for _, t := range m.Traffic {
		for j := range t.Broadcasts {
			t.Broadcasts[j].Source = slices.Delete(t.Broadcasts[j].Source, i, i+1)
		}
		for j := range t.Sends {
			s := &t.Sends[j]
			s.From, s.To = slices.Delete(s.From, i, i+1), slices.Delete(s.To, i, i+1)
		}
		if t.Random != nil && t.Random.Hot != nil {
			t.Random.Hot = slices.Delete(t.Random.Hot, i, i+1)
		}
		if t.Random != nil {
			for j := range t.Random.Sources {
				t.Random.Sources[j] = slices.Delete(t.Random.Sources[j], i, i+1)
			}
		}
		for j := range t.Stalls {
			t.Stalls[j].Receiver = slices.Delete(t.Stalls[j].Receiver, i, i+1)
		}
	}
}

// legalize makes values that a change has left out of range legal again.
func (m *Machine) legalize() {
	m.NodeErrors, m.Scope = m.NodeErrors && m.Network, m.Scope && m.Destination
	for i := range m.Dimensions {
		d := &m.Dimensions[i]
		d.Rho = min(d.Rho, d.M/2)
	}
	for i := range m.Traffic {
		t := &m.Traffic[i]
		for j := range t.Broadcasts {
			b := &t.Broadcasts[j]
			b.At = min(b.At, t.Cycles-1)
			for i := range b.Source {
				b.Source[i] = min(b.Source[i], m.Dimensions[i].M-1)
			}
		}
		m.legalizeAddressed(t)
		m.legalizeStalls(t)
	}
}
