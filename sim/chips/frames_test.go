// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"hash/crc32"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/internal/cases"
)

// layouts are those of cables of all widths of words, with and without a barrier, with one link and several.
func layouts(t *testing.T, check func(p *plan.Plan, c *plan.Cable, l *Layout)) {
	for _, wordBits := range []int{8, 16, 32, 64} {
		for i, flight := range []int{0, 16, 1000} {
			options := []cases.Option{cases.PayloadBits([]int{1, 32, 100}[i]), func(m *machine.Machine) {
				m.Dimensions[1].Link = machine.Link{Kind: machine.Chips, WordBits: wordBits, Flight: flight, Silence: 4096}
			}}
			if i > 0 {
				options = append(options, cases.Barrier())
			}
			p := cases.Plan(t, cases.Rings{{2 + i, 1}, {3, 1}}, options...)
			c := &p.Chips.Cables[0]
			check(p, c, LayoutOf(p, c))
		}
	}
}

// randomFrame is a frame whose fields have any values.
func randomFrame(r *rand.Rand, l *Layout) *Frame[*big.Int] {
	f := &Frame[*big.Int]{Data: r.IntN(2) == 1}
	f = &Frame[*big.Int]{Data: f.Data}
	l.fields(f, func(bits int, get uint64, set func(uint64)) {
		if bits == 1 && get == 1 {
			return // the kind
		}
		set(r.Uint64() & (1<<bits - 1))
	})
	return f
}

// The fields are where the plan says, the content is that of whole bytes, and its CRC that of software.
func TestFramesAreThoseOfThePlan(t *testing.T) {
	layouts(t, func(p *plan.Plan, c *plan.Cable, l *Layout) {
		data := &Frame[*big.Int]{
			Data: true, Want: true, Valid: true, Number: 2, Ack: 1, Turn: 1, Freed: 3, Pace: 1, BarrierPace: 2, Link: 1, Word: big.NewInt(5),
		}
		if !p.Machine.Barrier {
			data.BarrierPace = 0
		}
		hello := &Frame[*big.Int]{Heard: true, Session: 0xA5, From: Identity{0x12345678, 9, 2}}
		for _, x := range []struct {
			frame  *Frame[*big.Int]
			fields plan.Fields
			values map[string]int64
		}{
			{data, c.Data, map[string]int64{"kind": 1, "colour": 0, "want": 1, "valid": 1, "number": 2, "ack": 1, "turn": 1, "freed": 3, "pace": 1, "barrier_pace": 2, "link": 1, "word": 5}},
			{hello, c.Hello, map[string]int64{"kind": 0, "heard": 1, "lost": 0, "session": 0xA5, "hash": 0x12345678, "port": 9, "chip": 2}},
		} {
			v := l.Encode(x.frame, sender)
			for _, f := range x.fields {
				got := new(big.Int).Rsh(v, uint(x.fields.Low(f.Name)))
				got.And(got, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(f.Bits)), big.NewInt(1)))
				assert.Equal(t, x.values[f.Name], got.Int64(), f.Name)
			}
			require.LessOrEqual(t, x.fields.Bits(), l.ContentBits())
			require.Equal(t, c.ContentBits(), l.ContentBits())
			require.True(t, l.Good(v, sender))
			require.Equal(t, x.frame, l.Decode(l.Join(l.Split(v))))

			// Bytes as they come, with the CRC behind them as software writes it.
			bytes := l.Join(l.Split(v)).FillBytes(make([]byte, l.Words*l.WordBits/8))
			slices.Reverse(bytes)
			content := bytes[:len(bytes)-4]
			start := uint32(0)
			if x.frame.Data {
				start = 0xFEDCBA98 ^ 0x57
			}
			require.Equal(t, crc32.Update(start, castagnoli, content), uint32(bytes[len(content)])|uint32(bytes[len(content)+1])<<8|uint32(bytes[len(content)+2])<<16|uint32(bytes[len(content)+3])<<24)
		}
		least := (max(c.Data.Bits(), c.Hello.Bits()) + crcBits + l.WordBits - 1) / l.WordBits
		assert.LessOrEqual(t, least, l.Words)
	})
}

// A data frame counts only for the end that expects it from this machine, chip and port. Anyone reads a hello.
func TestDataFramesOfOthersAreBad(t *testing.T) {
	layouts(t, func(_ *plan.Plan, _ *plan.Cable, l *Layout) {
		data, hello := l.Encode(&Frame[*big.Int]{Data: true}, sender), l.Encode(&Frame[*big.Int]{}, sender)
		for _, other := range []Identity{{sender.Hash ^ 1<<31, sender.Port, sender.Chip}, {sender.Hash, 6, sender.Chip}, {sender.Hash, sender.Port, 4}} {
			require.False(t, l.Good(data, other))
			require.True(t, l.Good(hello, other))
		}
	})
}

// sender is who sends the frames of these tests.
var sender = Identity{Hash: 0xFEDCBA98, Port: 7, Chip: 5}

// A frame with one to five wrong bits is bad. So is one with a burst of up to 32 wrong bits, and a frame of all zeros or all ones.
func TestErrorsMakeFramesBad(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	layouts(t, func(p *plan.Plan, c *plan.Cable, l *Layout) {
		bits := l.Words * l.WordBits
		require.False(t, l.Good(new(big.Int), sender))
		require.False(t, l.Good(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits)), big.NewInt(1)), sender))
		for range 200 {
			f := randomFrame(r, l)
			v := l.Encode(f, sender)
			require.True(t, l.Good(v, sender))
			wrong := new(big.Int).Set(v)
			for _, at := range r.Perm(bits)[:1+r.IntN(5)] {
				wrong.SetBit(wrong, at, wrong.Bit(at)^1)
			}
			require.False(t, l.Good(wrong, sender))
			burst := new(big.Int).SetUint64(uint64(r.Uint32()) | 1)
			burst.Lsh(burst, uint(r.IntN(bits-31)))
			require.False(t, l.Good(burst.Xor(burst, v), sender))
		}
	})
}

// CRC-32C finds all errors of up to five bits in a frame of any length here, and of up to seven in frames of up to 160 bits.
func TestTheCRCFindsFiveErrors(t *testing.T) {
	require.True(t, CRC32C.FindsOdd())
	require.True(t, CRC16.FindsOdd())
	long := 0
	layouts(t, func(_ *plan.Plan, _ *plan.Cable, l *Layout) { long = max(long, l.Words*l.WordBits) })
	require.Less(t, long, 1024)
	for _, wrong := range []int{2, 4} {
		require.Zero(t, CRC32C.count(1024, wrong), "%d wrong bits", wrong)
	}
	require.Zero(t, CRC32C.count(160, 6))
	require.Positive(t, CRC32C.count(80, 8))
	require.Positive(t, CRC16.count(96, 4), "a short CRC finds fewer")
}

// The count is that of all patterns tried one by one.
func TestTheCountOfUndetectedErrors(t *testing.T) {
	single := CRC16.syndromes(40)
	count := 0
	for a := range single {
		for b := range a {
			for c := range b {
				for d := range c {
					if single[a]^single[b]^single[c]^single[d] == 0 {
						count++
					}
				}
			}
		}
	}
	require.Positive(t, count)
	require.Equal(t, count, CRC16.count(40, 4))
	// The syndrome of the frame is that of hash/crc32: a wrong bit changes the CRC as it says.
	l := &Layout{WordBits: 32, Words: 4}
	zero := l.crc(new(big.Int), sender)
	one := l.crc(new(big.Int).Lsh(big.NewInt(1), uint(l.ContentBits()-1)), sender)
	var reflected uint32
	for i := range 32 {
		reflected |= uint32(CRC32C.syndromes(33)[32]>>(31-i)&1) << i
	}
	require.Equal(t, reflected, zero^one)
}

// stream is a bit stream of frames, cut into words at a boundary.
type stream struct {
	bits []byte
}

func (s *stream) frame(l *Layout, v *big.Int) {
	for i := range l.Words * l.WordBits {
		s.bits = append(s.bits, byte(v.Bit(i)))
	}
}

// The aligner finds frames at any word and any bit, with the slips that it asks for.
func TestAlignmentFromAnyBit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	layouts(t, func(_ *plan.Plan, _ *plan.Cable, l *Layout) {
		for range 3 {
			s := &stream{}
			frames := 6 + 2*l.WordBits*(l.Words+1+slipIgnored/l.Words)
			f := l.Encode(randomFrame(r, l), sender)
			for range frames {
				if r.IntN(2) == 0 {
					f = l.Encode(randomFrame(r, l), sender)
				}
				s.frame(l, f)
			}
			at := r.IntN(l.Words * l.WordBits)
			a, good, slips := NewAligner(l, sender), 0, 0
			for at+l.WordBits <= len(s.bits) {
				var word uint64
				for i := range l.WordBits {
					word |= uint64(s.bits[at+i]) << i
				}
				at += l.WordBits
				if words := a.Word(false, word); words != nil {
					require.True(t, l.Good(l.Join(words), sender))
					good++
				}
				if a.Slip {
					slips++
					at++
				}
			}
			require.True(t, a.Locked, "K = %d, words of %d bits", l.Words, l.WordBits)
			require.GreaterOrEqual(t, good, 3)
			require.LessOrEqual(t, slips, l.WordBits)
		}
	})
}

// With a mark each frame counts from the second on. 63 bad frames keep the lock and 64 end it.
func TestTheLock(t *testing.T) {
	l := &Layout{WordBits: 32, Words: 3}
	right := l.Split(l.Encode(&Frame[*big.Int]{}, sender))
	wrong := append([]uint64{right[0] ^ 1}, right[1:]...)
	for _, mark := range []bool{false, true} {
		a := NewAligner(l, sender)
		send := func(words []uint64, times int) (good int) {
			for range times {
				for i, w := range words {
					if a.Word(mark && i == 0, w) != nil {
						good++
					}
				}
			}
			return good
		}
		require.Equal(t, 0, send(right, 1))
		require.Equal(t, 1, send(right, 1))
		send(wrong, 63)
		require.True(t, a.Locked)
		require.Equal(t, 2, send(right, 2))
		send(wrong, 64)
		require.False(t, a.Locked)
		require.GreaterOrEqual(t, send(right, 60), 40)
		require.True(t, a.Locked)
	}
}

// The pattern has no wrong word, every wrong bit is counted, and silence is not a pattern.
func TestThePattern(t *testing.T) {
	for _, bits := range []int{8, 16, 32, 64} {
		p, check := NewPattern(), &Pattern{}
		for range 64 / bits * 2 {
			check.Bad(p.Word(bits), bits)
		}
		for range 1000 {
			require.False(t, check.Bad(p.Word(bits), bits))
		}
		require.True(t, check.Bad(p.Word(bits)^1<<(bits-1), bits))
		for range 64 {
			check.Bad(0, bits)
		}
		require.True(t, check.Bad(0, bits))
	}
}
