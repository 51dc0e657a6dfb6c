// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
)

// The model of the stand-in design in testdata: it makes the golden traces of
// the tests. Machine C_4<2>, three ports, every broadcast one hop.

const (
	standinHash  = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	standinNodes = 4
	standinPorts = 3

	// payloads behind which the stand-in hides faults
	lost    = 0x7fffffffff
	swapped = 0x7ffffffffe
	twice   = 0x7ffffffffd
	corrupt = 0x7ffffffffc
	stuck   = 0x7ffffffffb
)

// message is the data of a stream.
type message struct {
	kind    uint64 // {wd, wc}; 3 is well formed
	source  uint64
	payload uint64
}

func (m message) header() uint64 { return m.kind<<2 | m.source }

// stream is one stream in one cycle.
type stream struct {
	valid, ready bool
	message
}

// standinRouter is one router; inputs are set before its tick.
type standinRouter struct {
	node uint64

	link, linkIn         [standinPorts]stream
	local, localIn       stream
	again                bool
	headerError, dropped [standinPorts]bool
	turn                 int // port whose link input is ready, if delivery is free

	pace, linkPace uint64
	credit         uint64
	injected       bool // in the last cycle
}

func newRouter(node uint64) *standinRouter { return &standinRouter{node: node, credit: 1} }

// rest is the number of messages that the router may still accept.
func (r *standinRouter) rest() uint64 {
	if r.injected {
		return r.credit - 1
	}
	return r.credit
}

// accept computes the ready of every input of the router.
func (r *standinRouter) accept() {
	for p := range r.linkIn {
		in := &r.linkIn[p]
		in.ready = p == r.turn && !r.local.valid
		r.dropped[p] = in.valid && in.ready && in.kind != 3
	}
	r.localIn.ready = !r.link[0].valid && !r.link[1].valid && !r.link[2].valid && r.rest() > 0 && r.localIn.payload != stuck
}

// tick is the clock edge.
func (r *standinRouter) tick() {
	r.turn = (r.turn + 1) % standinPorts
	behind := false
	for p := range standinPorts {
		behind = behind || r.linkPace>>(2*p)&3 == (r.pace+3)%4
	}
	r.credit = r.rest()
	if !behind && (!r.localIn.valid || r.credit < 2) {
		r.pace = (r.pace + 1) % 4
		r.credit = min(r.credit+1, 2)
	}
	r.injected = r.localIn.valid && r.localIn.ready
	for p := range r.link {
		if r.link[p].ready {
			r.link[p].valid = false
		}
	}
	if in := r.localIn; in.valid && in.ready {
		m := message{3, r.node, in.payload}
		if in.payload == corrupt {
			m.kind = 1
		}
		for p := range r.link {
			r.link[p] = stream{valid: true, message: m}
		}
	}
	wrote := false
	again := r.again
	r.again = false
	for p := range r.linkIn {
		in := r.linkIn[p]
		if !in.valid || !in.ready || r.dropped[p] {
			continue
		}
		wrote = true
		r.again = in.payload == twice
		m := in.message
		if m.payload == swapped {
			m.payload ^= 7
		}
		r.local = stream{valid: in.payload != lost, message: m}
	}
	if !wrote && r.local.ready {
		r.local.valid = r.local.valid && again
	}
	r.headerError = r.dropped
}

// trace collects the lines of a golden trace.
type trace struct {
	header string
	lines  []string
}

func newTrace(traffic string, cycles int) *trace {
	return &trace{header: fmt.Sprintf("# hcgen-trace v1 machine=standin config=%s traffic=%s cycles=%d", standinHash, traffic, cycles)}
}

func (t *trace) String() string { return t.header + "\n" + strings.Join(append(t.lines, ""), "\n") }

// cycle adds the lines of the routers for one cycle: of all, or of one with its link
// inputs if alone is set.
func (t *trace) cycle(cycle int, routers []*standinRouter, alone bool) {
	paces := uint64(0)
	for n, r := range routers {
		paces |= r.pace << (2 * n)
	}
	for n, r := range routers {
		var lines []string
		switch {
		case alone:
			lines = append(lines, fmt.Sprintf("%d %d pace 1 - %x", cycle, r.node, r.pace), fmt.Sprintf("%d %d link_pace 1 - %02x", cycle, r.node, r.linkPace))
		case n == 0:
			lines = append(lines, fmt.Sprintf("%d 0 pace 1 - %02x", cycle, paces))
		}
		add := func(name string, s stream, header string) {
			if s.valid {
				ready := 0
				if s.ready {
					ready = 1
				}
				lines = append(lines, fmt.Sprintf("%d %d %s %d %s %010x", cycle, r.node, name, ready, header, s.payload))
			}
		}
		for p := range r.link {
			if r.headerError[p] {
				lines = append(lines, fmt.Sprintf("%d %d header_error%02d 1 - -", cycle, r.node, p))
			}
			add(fmt.Sprintf("m_link%02d", p), r.link[p], fmt.Sprintf("%x", r.link[p].header()))
			if alone {
				add(fmt.Sprintf("s_link%02d", p), r.linkIn[p], fmt.Sprintf("%x", r.linkIn[p].header()))
			}
		}
		add("m_local", r.local, fmt.Sprintf("%x", r.local.source))
		add("s_local", r.localIn, "-")
		sort.Strings(lines)
		t.lines = append(t.lines, lines...)
	}
}

// offer starts an offer at times, and keeps it until it is taken.
func offer(s *stream, random *rand.Rand, kind func() uint64) {
	if s.valid && !s.ready {
		return
	}
	s.valid = random.IntN(2) == 0
	s.message = message{kind(), random.Uint64N(standinNodes), random.Uint64N(stuck)}
}

// routerTrace drives one router at all its ports, with malformed headers.
func routerTrace(node uint64, cycles int) *trace {
	random := rand.New(rand.NewPCG(1, node))
	t := newTrace("router", cycles)
	r := newRouter(node)
	for c := range cycles {
		r.linkPace = 0
		for p := range r.linkIn {
			r.linkPace |= (r.pace + random.Uint64N(3) + 3) % 4 << (2 * p) // one behind to one ahead
			offer(&r.linkIn[p], random, func() uint64 { return min(3, random.Uint64N(8)) })
			r.link[p].ready = random.IntN(2) == 0
		}
		offer(&r.localIn, random, func() uint64 { return 0 })
		r.local.ready = random.IntN(2) == 0
		r.accept()
		t.cycle(c, []*standinRouter{r}, true)
		r.tick()
	}
	return t
}

// silentTrace is a router of which no stream is valid, and whose neighbours are behind.
func silentTrace(cycles int) *trace {
	t := newTrace("router", cycles)
	r := newRouter(1)
	r.linkPace = 0b111111
	for c := range cycles {
		t.cycle(c, []*standinRouter{r}, true)
	}
	return t
}

// quietTrace is a single injection in cycle 0.
func quietTrace(node uint64, cycles int) *trace {
	t := newTrace("router", cycles)
	r := newRouter(node)
	for c := range cycles {
		r.linkPace = r.pace * 0b010101
		r.localIn = stream{valid: c == 0, message: message{payload: 7}}
		for p := range r.link {
			r.link[p].ready = true
		}
		r.accept()
		t.cycle(c, []*standinRouter{r}, true)
		r.tick()
	}
	return t
}

// networkTrace runs the network. offers returns the message, if any, that an idle node
// offers from a cycle on.
func networkTrace(traffic string, cycles int, ready func() bool, offers func(node, cycle int) (payload uint64, ok bool)) *trace {
	t := newTrace(traffic, cycles)
	var routers []*standinRouter
	for n := range standinNodes {
		routers = append(routers, newRouter(uint64(n)))
	}
	for c := range cycles {
		for n, r := range routers {
			r.linkPace = 0
			for p, step := range [standinPorts]int{1, 2, 3} {
				// at the neighbour on port p the link is port 2 - p
				r.linkIn[p] = routers[(n+step)%standinNodes].link[2-p]
				r.linkPace |= routers[(n+step)%standinNodes].pace << (2 * p)
			}
			if !r.localIn.valid || r.localIn.ready {
				r.localIn.payload, r.localIn.valid = offers(n, c)
			}
			r.local.ready = ready()
			r.accept()
		}
		for n, r := range routers {
			for p, step := range [standinPorts]int{1, 2, 3} {
				routers[(n+step)%standinNodes].link[2-p].ready = r.linkIn[p].ready
			}
		}
		t.cycle(c, routers, false)
		for _, r := range routers {
			r.tick()
		}
	}
	return t
}

// stormTrace is random traffic of all nodes with stalls.
func stormTrace(cycles int) *trace {
	random := rand.New(rand.NewPCG(2, 2))
	return networkTrace("storm", cycles,
		func() bool { return random.IntN(3) > 0 },
		func(int, int) (uint64, bool) { return random.Uint64N(stuck), random.IntN(4) == 0 })
}

// loneTrace is one broadcast of node 1 in cycle 5.
func loneTrace(payload uint64) *trace {
	return networkTrace("lone", 20,
		func() bool { return true },
		func(node, cycle int) (uint64, bool) { return payload, node == 1 && cycle == 5 })
}
