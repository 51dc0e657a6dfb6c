// SPDX-License-Identifier: Apache-2.0

package chips

import "fmt"

// packet is a frame under way.
type packet struct {
	Frame[int8]
	old bool // the sender has been reset since
}

// side is an end with what only the search knows.
type side struct {
	End[int8]
	begun  int8 // the next word of its routers
	bound  int8 // whose data frames it has obeyed
	upBy   int8 // whose frame made it come up
	phase  int8 // of the time after rst: 2 until the frames that it sent are gone, 1 until those of the other end are gone
	remain int8 // frames until the phase ends
}

// world is a state. Direction d leads from side d to side 1 - d.
type world struct {
	*scope
	sides [2]side
	wires [2][]packet
	fault string

	accepted int // words
}

func newWorld(s *scope) *world {
	w := &world{scope: s}
	for i := range w.sides {
		w.sides[i].End = *NewEnd[int8](&s.sizes, Identity{Port: i}, Identity{Port: 1 - i})
		w.sides[i].quiet, w.sides[i].silent = 0, 0
	}
	return w
}

// event is a step of the world.
type event struct {
	do func(w *world, side int) bool // false: it cannot happen
	is string
}

var events = []event{
	{func(w *world, x int) bool { return w.send(x, false, true) }, "sends"},
	{func(w *world, x int) bool { return w.send(x, false, false) }, "sends in vain"},
	{func(w *world, x int) bool { return w.send(x, true, true) }, "sends, also a new word,"},
	{func(w *world, x int) bool { return w.send(x, true, false) }, "sends in vain, also a new word,"},
	{func(w *world, x int) bool { return w.pause(x, true) }, "sends, but pauses,"},
	{func(w *world, x int) bool { return w.pause(x, false) }, "sends in vain, but pauses,"},
	{(*world).receive, "receives"},
	{(*world).leave, "gives a word to its router"},
	{func(w *world, x int) bool { return w.rst && w.reset(x, 0) }, "has rst"},
	{func(w *world, x int) bool {
		s := &w.sides[x]
		return s.session < w.sessions && w.restart(x, s.session+1)
	}, "has a restart"},
}

func (w *world) fail(format string, a ...any) {
	if w.fault == "" {
		w.fault = fmt.Sprintf(format, a...)
	}
}

// send is a frame of side x: with a new word, if there is none to be sent again; arrives: it will not be lost.
func (w *world) send(x int, offered, arrives bool) bool {
	s := &w.sides[x]
	if arrives && len(w.wires[x]) == w.frames {
		return false
	}
	if offered {
		if !w.sends[x] || !s.open() || s.distance(s.next) < len(s.kept) {
			return false
		}
		s.near[0].slice = append(s.near[0].slice[:0], timed[int8]{word: s.begun})
		if s.newWord() < 0 {
			s.near[0].slice = s.near[0].slice[:0]
			return false
		}
		s.begun++
	}
	f := s.Send()
	if arrives {
		w.wires[x] = append(w.wires[x], packet{Frame: f})
	}
	return true
}

// pause is a frame of side x that carries nothing although there is a word to be sent again. An end decides that after a return; here
// it can do so at any time.
func (w *world) pause(x int, arrives bool) bool {
	s := &w.sides[x]
	if !s.open() || s.distance(s.next) == len(s.kept) || arrives && len(w.wires[x]) == w.frames {
		return false
	}
	s.pause = true
	return w.send(x, false, arrives)
}

// receive is the arrival of the oldest frame on the way to side x.
func (w *world) receive(x int) bool {
	s, other := &w.sides[x], &w.sides[1-x]
	if len(w.wires[1-x]) == 0 {
		return false
	}
	p := w.wires[1-x][0]
	w.wires[1-x] = w.wires[1-x][:copy(w.wires[1-x], w.wires[1-x][1:])]
	peer := int8(present)
	if p.old {
		peer = former
	}
	wasUp, wanted, received := s.up, s.want, s.Received
	if p.Data && s.open() && s.quiet == 0 {
		if s.bound != nobody && s.bound != peer {
			w.fail("obeys data frames of two lives of the other end")
		}
		s.bound = peer
	}
	newer := s.Receive(&p.Frame)
	s.pause = false // it is another event
	if s.up && !wasUp {
		s.upBy = peer
	}
	if s.distance(s.next) > len(s.kept) {
		w.fail("is to send what it does not keep")
	}
	if s.bound == present && s.open() && int(s.begun)-len(s.kept) > 0 {
		w.fail("forgets words that the other end has not accepted")
	}
	if s.near[0].used < 0 || s.near[0].used > w.sizes.Places() {
		w.fail("counts %d used places", s.near[0].used)
	}
	if s.want != wanted {
		w.turnColour(x, peer)
	}
	if s.Received != received {
		if p.Word != 0 {
			w.fail("accepts word %d", p.Word)
		}
		if len(s.far[0].places) > w.sizes.Places() {
			w.fail("has no place for a word")
		}
		s.far[0].places[len(s.far[0].places)-1].word = 0
		w.accepted++
		w.countOn(x, peer)
	}
	s.Received, s.Sent, s.Repetitions = 0, 0, 0
	w.drain(x, other)
	if newer {
		w.restart(x, p.Session)
	}
	w.judge()
	return true
}

// drain counts a frame that side x has received in the times after rst of both sides.
func (w *world) drain(x int, other *side) {
	if other.phase == 2 {
		if other.remain--; other.remain == 0 {
			w.nextPhase(1-x, 1)
		}
	}
	if s := &w.sides[x]; s.phase == 1 {
		if s.remain--; s.remain == 0 {
			w.nextPhase(x, 0)
		}
	}
}

func (w *world) nextPhase(x int, phase int8) {
	s := &w.sides[x]
	s.phase, s.quiet, s.remain = phase, 1, 0
	switch phase {
	case 2:
		s.remain = int8(len(w.wires[x]))
	case 1:
		s.remain = int8(len(w.wires[1-x]))
	default:
		s.quiet = 0
		return
	}
	if s.remain == 0 {
		w.nextPhase(x, phase-1)
	}
}

// judge compares both sides.
func (w *world) judge() {
	a, b := &w.sides[0], &w.sides[1]
	if (a.lost || b.lost) && !w.rst {
		w.fail("is lost, and nothing was reset alone")
	}
	if !a.open() || !b.open() {
		return
	}
	for _, s := range []*side{a, b} {
		if s.bound == former || s.upBy == former {
			w.fail("both ends are up, and one of them knows the former life of the other")
		}
	}
	if a.session != b.session {
		w.fail("both ends are up in different sessions")
	}
}

// turnColour keeps false what side x wants. Its own frames say so, and those of the peer.
func (w *world) turnColour(x int, peer int8) {
	w.sides[x].want = false
	for i := range w.wires[x] {
		p := &w.wires[x][i]
		p.Want = p.Want != (p.Data && !p.old)
	}
	for i := range w.wires[1-x] {
		p := &w.wires[1-x][i]
		p.Colour = p.Colour != (p.Data && p.old == (peer == former))
	}
	if peer == present {
		w.sides[1-x].colour = !w.sides[1-x].colour
	}
}

// countOn keeps 0 what side x expects.
func (w *world) countOn(x int, peer int8) {
	m := w.sizes.numberModulus()
	down := func(n *int) { *n = (*n + m - 1) % m }
	w.sides[x].expected = 0
	for i := range w.wires[x] {
		if p := &w.wires[x][i]; p.Data && !p.old {
			down(&p.Ack)
		}
	}
	for i := range w.wires[1-x] {
		if p := &w.wires[1-x][i]; p.Data && p.old == (peer == former) {
			down(&p.Number)
			if p.Valid {
				p.Word--
			}
		}
	}
	if s := &w.sides[1-x]; peer == present {
		down(&s.first)
		down(&s.next)
		s.begun--
		for i := range s.kept {
			s.kept[i].word--
		}
	}
}

// leave is a word that the router of side x takes. What it has freed is kept 0.
func (w *world) leave(x int) bool {
	s, m := &w.sides[x], w.sizes.freedModulus()
	if s.Offered(0) == nil {
		return false
	}
	s.Leave(0)
	s.far[0].freed = 0
	for i := range w.wires[x] {
		if p := &w.wires[x][i]; p.Data && !p.old {
			p.Freed = (p.Freed + m - 1) % m
		}
	}
	if other := &w.sides[1-x]; s.bound != former {
		other.near[0].freed = (other.near[0].freed + m - 1) % m
	}
	return true
}

// restart begins a session at side x.
func (w *world) restart(x int, session uint8) bool {
	quiet, phase, remain := w.sides[x].quiet, w.sides[x].phase, w.sides[x].remain
	w.reset(x, session)
	w.sides[x].quiet, w.sides[x].phase, w.sides[x].remain = quiet, phase, remain
	return true
}

// reset makes what the world knows of side x its former life, and with the session 0 begins the time after rst.
func (w *world) reset(x int, session uint8) bool {
	s, other := &w.sides[x], &w.sides[1-x]
	s.End.Reset(session)
	s.begun, s.bound, s.upBy = 0, nobody, nobody
	for i := range w.wires[x] {
		w.wires[x][i].old = true
	}
	if other.bound == present {
		other.bound = former
	}
	if other.upBy == present {
		other.upBy = former
	}
	if session == 0 {
		switch w.scope.quiet {
		case roundTrip:
			w.nextPhase(x, 2)
		case oneWay:
			w.nextPhase(x, 1)
		default:
			w.nextPhase(x, 0)
		}
	}
	return true
}

// A lost end has no data any more, and of an end that is not up only the words in its places matter. So that states are few, they
// are the same whatever else they were.
func (w *world) forget() {
	for i := range w.sides {
		if s := &w.sides[i]; s.lost {
			session, heard, up, last, met, q, phase, remain := s.session, s.heard, s.up, s.last, s.met, s.quiet, s.phase, s.remain
			s.End.Reset(session)
			s.heard, s.up, s.lost, s.last, s.met, s.quiet = heard, up, true, last, met, q
			s.phase, s.remain, s.begun, s.bound = phase, remain, 0, nobody
		}
	}
}

func flagsOf(b ...bool) (n byte) {
	for i, set := range b {
		if set {
			n |= 1 << i
		}
	}
	return n
}

// encode writes the state as bytes.
func (w *world) encode(to []byte) []byte {
	to = to[:0]
	for i := range w.sides {
		s := &w.sides[i]
		to = append(to, flagsOf(s.heard, s.up, s.lost, s.colour, s.quiet > 0), s.session, byte(s.bound)|byte(s.upBy)<<2|byte(s.phase)<<4, byte(s.remain),
			byte(s.begun), byte(s.first)<<4|byte(s.next), byte(len(s.kept))<<4|byte(len(s.far[0].places)), byte(s.near[0].used)<<4|byte(s.near[0].freed))
	}
	for d := range w.wires {
		to = append(to, byte(len(w.wires[d])))
		for i := range w.wires[d] {
			p := &w.wires[d][i]
			if p.Data {
				to = append(to, flagsOf(p.Data, p.old, p.Colour, p.Want, p.Valid), byte(p.Number)<<4|byte(p.Ack), byte(p.Freed), byte(p.Word))
			} else {
				to = append(to, flagsOf(p.Data, p.old, p.Heard, p.Lost), p.Session)
			}
		}
	}
	return to
}

// decode is the opposite of encode.
func (w *world) decode(from []byte) {
	next := func() byte {
		b := from[0]
		from = from[1:]
		return b
	}
	bit := func(b byte, i int) bool { return b>>i&1 != 0 }
	for i := range w.sides {
		s := &w.sides[i]
		b := next()
		s.heard, s.up, s.lost, s.colour, s.quiet = bit(b, 0), bit(b, 1), bit(b, 2), bit(b, 3), int(b>>4&1)
		s.session = next()
		b = next()
		s.bound, s.upBy, s.phase = int8(b&3), int8(b>>2&3), int8(b>>4&3)
		s.remain, s.begun = int8(next()), int8(next())
		b = next()
		s.first, s.next = int(b>>4), int(b&15)
		b = next()
		kept, places := int(b>>4), int(b&15)
		b = next()
		s.near[0].used, s.near[0].freed = int(b>>4), int(b&15)
		s.near[0].slice = s.near[0].slice[:0]
		s.kept = s.kept[:0]
		for k := range kept {
			s.kept = append(s.kept, sent[int8]{0, s.begun - int8(kept) + int8(k)})
		}
		s.far[0].places = s.far[0].places[:0]
		for range places {
			s.far[0].places = append(s.far[0].places, timed[int8]{})
		}
		s.far[0].freed, s.want, s.expected, s.turn, s.toSend = 0, false, 0, 0, 0
	}
	for d := range w.wires {
		w.wires[d] = w.wires[d][:0]
		for range next() {
			b := next()
			p := packet{old: bit(b, 1)}
			if p.Data = bit(b, 0); p.Data {
				p.Colour, p.Want, p.Valid = bit(b, 2), bit(b, 3), bit(b, 4)
				b = next()
				p.Number, p.Ack = int(b>>4), int(b&15)
				p.Freed, p.Word = int(next()), int8(next())
			} else {
				p.Heard, p.Lost, p.Session = bit(b, 2), bit(b, 3), next()
				p.From = w.sides[d].own
			}
			w.wires[d] = append(w.wires[d], p)
		}
	}
	w.fault = ""
}
