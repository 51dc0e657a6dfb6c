// SPDX-License-Identifier: Apache-2.0

// Package chips is the reference model of links between chips, written from docs/chips.md. It shares no text with the Verilog.
//
// end.go is one end of a cable: what its frames say and what received frames do, in the sections Sending, Receiving, Places,
// Coming up, Silence and States of the page. chip.go has the sections Chip and Sessions, frames.go Frames, and align.go Alignment
// and Pattern. A frame that an end receives has passed the CRC.
package chips

// Identity is what a hello says of its sender.
type Identity struct {
	Hash uint32
	Port int
	Chip int
}

// Frame is the content of a frame. W is what a link carries.
type Frame[W any] struct {
	Data bool // kind

	// Of a hello.
	Heard   bool
	Lost    bool
	Session uint8
	From    Identity

	// Of a data frame.
	Colour      bool
	Want        bool
	Valid       bool
	Number      int
	Ack         int
	Turn        int // the link of Freed, Pace and BarrierPace
	Freed       int
	Pace        uint8
	BarrierPace uint8
	Link        int // the link of Word
	Word        W
}

// nearPlaces are those of a register slice, which makes ready of a link depend on registers only.
const nearPlaces = 2

// End is one end of a cable. Its fields are registers.
type End[W any] struct {
	sizes *Sizes
	own   Identity
	match Identity // what a matching hello says
	now   int      // cycles

	// Coming up.
	session uint8
	quiet   int // cycles in which all frames are ignored
	heard   bool
	up      bool
	lost    bool
	last    Identity // of the last hello
	met     bool     // there was a hello

	// Silence.
	silent int // cycles without a good frame, at most those of silence

	// Sending.
	colour bool
	first  int       // number of the oldest word that is not acknowledged
	next   int       // number of the next frame
	kept   []sent[W] // words that are not acknowledged, from first on
	acked  due       // numbers of words that are acknowledged
	toSend int       // link that is the first to send a new word
	pause  bool      // the next frame that has a word does not carry it
	toss   uint8     // decides whether it does after a return
	turn   int       // link whose states are the next to be sent
	near   []near[W] // by link

	// Receiving.
	want     bool
	expected int
	far      []far[W] // by link

	// Inputs: the paces of the routers, by link.
	Pace, BarrierPace []uint8

	// Counters.
	Repetitions, Silences, Sent, Received, Good uint32
}

// sent is a word that may have to be sent again.
type sent[W any] struct {
	link int
	word W
}

// near is the end of a link at which its words leave.
type near[W any] struct {
	slice  []timed[W]
	used   int // places at the far end of words that are sent and not freed
	freed  int // what the far end said last, modulo 2^f
	credit due // places that are freed
}

// timed is a word and the cycle from which on it counts.
type timed[W any] struct {
	word W
	from int
}

// due are things that do not count yet, by the cycles from which on they do.
type due []int

func (d *due) add(n, from int) {
	for range n {
		*d = append(*d, from)
	}
}

// pending is how many do not count yet.
func (d *due) pending(now int) int {
	for len(*d) > 0 && (*d)[0] <= now {
		*d = (*d)[:copy(*d, (*d)[1:])]
	}
	return len(*d)
}

// far is the end of a link at which words of the other chip arrive.
type far[W any] struct {
	places            []timed[W]
	freed             int // words that the router has taken, modulo 2^f
	pace, barrierPace uint8
}

// NewEnd is an end after rst.
func NewEnd[W any](s *Sizes, own, match Identity) *End[W] {
	e := &End[W]{sizes: s, own: own, match: match, Pace: make([]uint8, s.Links), BarrierPace: make([]uint8, s.Links), near: make([]near[W], s.Links), far: make([]far[W], s.Links)}
	e.Rst()
	return e
}

// Rst is rst of the chip.
func (e *End[W]) Rst() {
	e.Reset(0)
	e.quiet = e.sizes.Silence
	e.silent = e.sizes.Silence
	e.met = false
	e.Repetitions, e.Silences, e.Sent, e.Received, e.Good = 0, 0, 0, 0, 0
}

// Reset begins a session.
func (e *End[W]) Reset(session uint8) {
	e.session = session
	e.heard, e.up, e.lost = false, false, false
	e.colour, e.first, e.next, e.kept, e.acked, e.toSend, e.turn = false, 0, 0, e.kept[:0], e.acked[:0], 0, 0
	e.want, e.expected, e.pause, e.toss = false, 0, false, 1
	for l := range e.near {
		e.near[l] = near[W]{slice: e.near[l].slice[:0], credit: e.near[l].credit[:0]}
		e.far[l] = far[W]{places: e.far[l].places[:0]}
	}
}

// Step is the end of a cycle. A good frame was received in it, or not.
func (e *End[W]) Step(good bool) {
	e.now++
	e.quiet = max(0, e.quiet-1)
	switch {
	case good:
		e.silent = 0
		e.Good++
	case e.silent < e.sizes.Silence:
		if e.silent++; e.silent == e.sizes.Silence {
			e.Silences++
		}
	}
}

// open reports whether words cross.
func (e *End[W]) open() bool { return e.up && !e.lost }

// Ready is the ready of a link at its near end.
func (e *End[W]) Ready(link int) bool { return e.open() && len(e.near[link].slice) < nearPlaces }

// Enter takes a word of a router.
func (e *End[W]) Enter(link int, word W) {
	e.near[link].slice = append(e.near[link].slice, timed[W]{word, e.now + e.sizes.Enters})
}

// Offered is the word at the far end of a link, or nil.
func (e *End[W]) Offered(link int) *W {
	if p := e.far[link].places; len(p) > 0 && p[0].from <= e.now {
		return &p[0].word
	}
	return nil
}

// Leave gives the word offered to the router.
func (e *End[W]) Leave(link int) {
	f := &e.far[link]
	f.places = f.places[:copy(f.places, f.places[1:])]
	f.freed = (f.freed + 1) % e.sizes.freedModulus()
}

// FarPace is what the end shows its router.
func (e *End[W]) FarPace(link int) (pace, barrierPace uint8) {
	return e.far[link].pace, e.far[link].barrierPace
}

// Send is what the end sends at the beginning of a frame.
func (e *End[W]) Send() Frame[W] {
	if !e.open() {
		return Frame[W]{Heard: e.heard && !e.lost, Lost: e.lost, Session: e.session, From: e.own}
	}
	l := e.turn
	e.turn = (e.turn + 1) % e.sizes.Links
	f := Frame[W]{
		Data: true, Colour: e.colour, Want: e.want, Number: e.next, Ack: e.expected,
		Turn: l, Freed: e.far[l].freed, Pace: e.Pace[l], BarrierPace: e.BarrierPace[l],
	}
	again := e.distance(e.next)
	switch link := e.newWord(); {
	case e.pause && (again < len(e.kept) || link >= 0):
		e.pause = false
	case again < len(e.kept):
		f.Valid, f.Link, f.Word = true, e.kept[again].link, e.kept[again].word
	case link >= 0:
		n := &e.near[link]
		f.Valid, f.Link, f.Word = true, link, n.slice[0].word
		e.kept = append(e.kept, sent[W]{link, f.Word})
		n.slice = n.slice[:copy(n.slice, n.slice[1:])]
		n.used++
		e.toSend = (link + 1) % e.sizes.Links
		e.Sent++
	}
	if f.Valid {
		e.next = (e.next + 1) % e.sizes.numberModulus()
	}
	return f
}

// distance is by how much a number is above that of the oldest word that is not acknowledged.
func (e *End[W]) distance(number int) int {
	m := e.sizes.numberModulus()
	return (number - e.first + m) % m
}

// newWord is the link whose turn it is to send a new word, or -1.
func (e *End[W]) newWord() int {
	if len(e.kept)+e.acked.pending(e.now) == e.sizes.numberModulus()-1 {
		return -1
	}
	for i := range e.sizes.Links {
		l := (e.toSend + i) % e.sizes.Links
		n := &e.near[l]
		if len(n.slice) > 0 && n.slice[0].from <= e.now && n.used+n.credit.pending(e.now) < e.sizes.Places() {
			return l
		}
	}
	return -1
}

// Receive is a good frame. If it is a matching hello with a newer session, the chip begins that session.
func (e *End[W]) Receive(f *Frame[W]) (newer bool) {
	switch {
	case e.quiet > 0:
		return false
	case f.Data:
		e.data(f)
		return false
	}
	e.last, e.met = f.From, true
	if f.From != e.match {
		return false
	}
	e.hello(f)
	return isNewer(f.Session, e.session)
}

// hello is a matching one.
func (e *End[W]) hello(f *Frame[W]) {
	own := f.Session == e.session
	switch {
	case e.up:
		e.lost = e.lost || !f.Heard || f.Lost
	case own && f.Lost:
		e.lost = true
	case own:
		e.up = e.heard && f.Heard
		e.heard = true
	}
}

func (e *End[W]) data(f *Frame[W]) {
	switch {
	case e.lost:
	case e.up:
		e.states(f)
		e.word(f)
	default:
		e.up = e.heard // the frame has no other effect
	}
}

// states are what a data frame says of the other end.
func (e *End[W]) states(f *Frame[W]) {
	acked := e.distance(f.Ack)
	e.kept, e.first = e.kept[:copy(e.kept, e.kept[acked:])], f.Ack
	e.acked.add(acked, e.now+e.sizes.Waits)
	if f.Want != e.colour {
		e.colour, e.next, e.pause = f.Want, f.Ack, e.toss&1 != 0
		e.toss = e.toss>>1 ^ e.toss&1*0x14
		e.Repetitions++
	}
	n, m := &e.near[f.Turn], e.sizes.freedModulus()
	freed := (f.Freed - n.freed + m) % m
	n.used, n.freed = n.used-freed, f.Freed
	n.credit.add(freed, e.now+e.sizes.Waits)
	e.far[f.Turn].pace, e.far[f.Turn].barrierPace = f.Pace, f.BarrierPace
}

// word is what a data frame brings.
func (e *End[W]) word(f *Frame[W]) {
	switch {
	case f.Colour != e.want:
	case f.Number != e.expected:
		e.want = !e.want
	case f.Valid:
		e.far[f.Link].places = append(e.far[f.Link].places, timed[W]{f.Word, e.now + e.sizes.Offers})
		e.expected = (e.expected + 1) % e.sizes.numberModulus()
		e.Received++
	}
}

// State is what the chip shows of a cable.
type State int

// The states. The first that holds of 7, 0, 3, 2, 4, 6, 5 and 1 counts.
const (
	Silent State = iota
	ComingUp
	Up
	Lost
	Stranger
	Miswired
	Loop
	Patterned
)

// State of an end that sends frames.
func (e *End[W]) State() State {
	switch {
	case e.silent == e.sizes.Silence:
		return Silent
	case e.lost:
		return Lost
	case e.up:
		return Up
	case e.met && e.last.Hash != e.own.Hash:
		return Stranger
	case e.met && e.last == e.own:
		return Loop
	case e.met && e.last != e.match:
		return Miswired
	}
	return ComingUp
}
