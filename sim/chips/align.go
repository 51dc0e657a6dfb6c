// SPDX-License-Identifier: Apache-2.0

package chips

const (
	badToUnlock = 64 // bad frames in a row
	slipIgnored = 32 // words after a slip
)

// Aligner finds frames in the words that arrive.
type Aligner struct {
	layout *Layout
	sender Identity
	Locked bool

	words   []uint64 // of the frame
	skip    int      // words that are ignored
	bad     int      // frames in a row
	right   bool     // the frame before was right
	moves   int      // in a row
	Slip    bool     // rx_slip
	GoodOne bool     // the word ended a good frame
	BadOne  bool     // the word ended a bad frame
}

// NewAligner is one without the lock, for frames of a sender.
func NewAligner(l *Layout, sender Identity) *Aligner { return &Aligner{layout: l, sender: sender} }

// Word is a word that arrives, and whether it has the mark of a first one. If it ends a good frame, its words are returned.
func (a *Aligner) Word(first bool, word uint64) []uint64 {
	a.Slip, a.GoodOne, a.BadOne = false, false, false
	if first {
		a.words, a.skip = a.words[:0], 0
	}
	if a.skip > 0 {
		a.skip--
		return nil
	}
	if a.words = append(a.words, word); len(a.words) < a.layout.Words {
		return nil
	}
	frame := a.words
	a.words = nil
	if a.layout.Good(a.layout.Join(frame), a.sender) {
		a.bad, a.moves = 0, 0
		a.Locked = a.Locked || a.right
		if a.right = true; a.Locked {
			a.GoodOne = true
			return frame
		}
		return nil
	}
	a.right, a.BadOne = false, true
	if a.bad++; a.bad == badToUnlock {
		a.Locked = false
	}
	if !a.Locked {
		a.move()
	}
	return nil
}

// move moves the boundary.
func (a *Aligner) move() {
	a.bad, a.skip = 0, 1
	if a.moves++; a.moves == a.layout.Words {
		a.moves, a.Slip, a.skip = 0, true, slipIgnored
	}
}

// prbsBits is the length of the register of the pattern x^31 + x^28 + 1.
const prbsBits = 31

// Pattern is the sequence of the pattern: a bit is the exclusive or of those 31 and 28 bits before it.
type Pattern struct {
	last uint32 // the newest 31 bits, the newest lowest
}

// NewPattern is the sequence behind 31 ones.
func NewPattern() *Pattern { return &Pattern{last: 1<<prbsBits - 1} }

// Word is the next word of a sequence, its first bit lowest.
func (p *Pattern) Word(bits int) (word uint64) {
	for i := range bits {
		b := p.next()
		p.push(b)
		word |= uint64(b) << i
	}
	return word
}

func (p *Pattern) next() uint32  { return (p.last>>30 ^ p.last>>27) & 1 }
func (p *Pattern) push(b uint32) { p.last = (p.last<<1 | b) & (1<<prbsBits - 1) }

// Bad reports whether a word that arrives is not the one that follows from the bits before it, or follows only zeros.
func (p *Pattern) Bad(word uint64, bits int) (bad bool) {
	bad = p.last == 0
	for i := range bits {
		b := uint32(word>>i) & 1
		bad = bad || b != p.next()
		p.push(b)
	}
	return bad
}
