// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"hash/crc32"
	"math/big"
	"math/bits"

	"github.com/hcgen/hcgen/plan"
)

// Layout is how frames of a cable are made of bits. Words of links are vectors.
type Layout struct {
	WordBits, Words     int
	number, freed       int // n and f
	turn                int // t
	pace, barrier, word int
	chip                int
}

// LayoutOf has the widths that the plan gives a cable.
func LayoutOf(p *plan.Plan, c *plan.Cable) *Layout {
	l := &Layout{
		WordBits: c.WordBits, Words: c.Words, number: c.NumberBits, freed: c.FreedBits, turn: bits.Len(uint(p.Chips.Places - 1)),
		pace: p.PaceBits, word: p.LinkBits, chip: p.Chips.Bits,
	}
	if p.Machine.Barrier {
		l.barrier = 2
	}
	return l
}

// ContentBits are those that the CRC covers.
func (l *Layout) ContentBits() int { return l.Words*l.WordBits - crcBits }

const crcBits = 32

// fields calls a function for every field of a frame of a kind, from the lowest on. It gets or sets the value.
func (l *Layout) fields(f *Frame[*big.Int], of func(bits int, get uint64, set func(uint64))) {
	flag := func(b *bool) {
		get := uint64(0)
		if *b {
			get = 1
		}
		of(1, get, func(v uint64) { *b = v != 0 })
	}
	number := func(bits int, n *int) { of(bits, uint64(*n), func(v uint64) { *n = int(v) }) }
	flag(&f.Data)
	if !f.Data {
		flag(&f.Heard)
		flag(&f.Lost)
		of(8, uint64(f.Session), func(v uint64) { f.Session = uint8(v) })
		of(32, uint64(f.From.Hash), func(v uint64) { f.From.Hash = uint32(v) })
		number(4, &f.From.Port)
		number(l.chip, &f.From.Chip)
		return
	}
	flag(&f.Colour)
	flag(&f.Want)
	flag(&f.Valid)
	number(l.number, &f.Number)
	number(l.number, &f.Ack)
	number(l.turn, &f.Turn)
	number(l.freed, &f.Freed)
	of(l.pace, uint64(f.Pace), func(v uint64) { f.Pace = uint8(v) })
	of(l.barrier, uint64(f.BarrierPace), func(v uint64) { f.BarrierPace = uint8(v) })
	number(l.turn, &f.Link)
}

// Encode is the frame of a sender as a vector.
func (l *Layout) Encode(f *Frame[*big.Int], sender Identity) *big.Int {
	v, low := new(big.Int), 0
	put := func(bits int, value *big.Int) {
		v.Or(v, new(big.Int).Lsh(value, uint(low)))
		low += bits
	}
	l.fields(f, func(bits int, get uint64, _ func(uint64)) { put(bits, new(big.Int).SetUint64(get)) })
	if f.Data && f.Word != nil {
		put(l.word, f.Word)
	}
	crc := new(big.Int).SetUint64(uint64(l.crc(v, sender)))
	return v.Or(v, crc.Lsh(crc, uint(l.ContentBits())))
}

// Good reports whether the CRC of a vector is right for a sender.
func (l *Layout) Good(v *big.Int, sender Identity) bool {
	return new(big.Int).Rsh(v, uint(l.ContentBits())).Uint64() == uint64(l.crc(v, sender))
}

// Decode is the frame of a good vector.
func (l *Layout) Decode(v *big.Int) *Frame[*big.Int] {
	f, low := &Frame[*big.Int]{}, 0
	take := func(bits int) *big.Int {
		mask := new(big.Int).Lsh(big.NewInt(1), uint(bits))
		low += bits
		return new(big.Int).And(new(big.Int).Rsh(v, uint(low-bits)), mask.Sub(mask, big.NewInt(1)))
	}
	f.Data = v.Bit(0) == 1
	l.fields(f, func(bits int, _ uint64, set func(uint64)) { set(take(bits).Uint64()) })
	if f.Data {
		f.Word = take(l.word)
	}
	return f
}

// crc is that of the content of a vector. In a data frame it starts from who the sender is.
func (l *Layout) crc(v *big.Int, sender Identity) uint32 {
	bytes := make([]byte, l.ContentBits()/8) // words are of whole bytes, and so is the content
	for i := range bytes {
		for b := range 8 {
			bytes[i] |= byte(v.Bit(8*i+b)) << b
		}
	}
	if v.Bit(0) == 0 {
		return crc32.Checksum(bytes, castagnoli)
	}
	return crc32.Update(sender.Hash^uint32(sender.Chip<<4|sender.Port), castagnoli, bytes) // which inverts the start
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Split is a vector as words, lowest first.
func (l *Layout) Split(v *big.Int) (words []uint64) {
	mask := new(big.Int).SetUint64(1<<l.WordBits - 1)
	for i := range l.Words {
		words = append(words, new(big.Int).And(new(big.Int).Rsh(v, uint(i*l.WordBits)), mask).Uint64())
	}
	return words
}

// Join is the opposite of Split.
func (l *Layout) Join(words []uint64) *big.Int {
	v := new(big.Int)
	for i, w := range words {
		v.Or(v, new(big.Int).Lsh(new(big.Int).SetUint64(w), uint(i*l.WordBits)))
	}
	return v
}
