// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"hash/crc32"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

func chips(wordBits, flight int) machine.Link {
	return machine.Link{Kind: machine.Chips, WordBits: wordBits, Flight: flight, Silence: 4096}
}

// onChips is a machine of these rings, whose dimensions have these links.
func onChips(t require.TestingT, payload int, rings []hypercycle.Dimension, links ...machine.Link) *machine.Machine {
	m := machineOf(t, payload, false, hypercycle.Clockwise, rings...)
	for i, l := range links {
		m.Dimensions[i].Link = l
	}
	return m
}

// The example of docs/chips.md: a word of a link has 36 bits, and a cable four links.
func TestSizesOfBoardsAreThoseWorkedOutByHand(t *testing.T) {
	ring := hypercycle.Dimension{M: 4, Rho: 1}
	p := New(onChips(t, 32, []hypercycle.Dimension{ring, ring}, machine.Link{}, chips(32, 16)))
	c := p.Chips
	require.Len(t, c.Digits, 1)
	f := c.Digits[0].Frame
	// With K = 2, only 32 bits are left for the content. With K = 3 all 64 are used:
	assert.Equal(t, 3, f.Words)
	assert.Equal(t, 16+3+13, f.Latency)
	assert.Equal(t, 5, f.NumberBits, "31 * 3 is at least 38 + 3 + 18 = 59, and 15 * 3 is not")
	assert.Equal(t, 5, f.FreedBits, "31 * 3 is at least 38 + 12 + 21 = 71, and 15 * 3 is not")
	assert.Equal(t, 14, f.Lead, "ceil((15 + 16 + 9) / 3)")
	assert.Equal(t, []int{14, 5, 64, 31, 31}, []int{p.Lead, p.PaceBits, f.ContentBits(), f.Unacknowledged(), f.Places()})
	assert.Equal(t, Fields{{"word", 36}, {"link", 2}, {"pace", 5}, {"freed", 5}, {"turn", 2}, {"ack", 5}, {"number", 5}, {"valid", 1}, {"want", 1}, {"colour", 1}, {"kind", 1}}, f.Data)
	assert.Equal(t, Fields{{"chip", 2}, {"port", 4}, {"hash", 32}, {"session", 8}, {"lost", 1}, {"heard", 1}, {"kind", 1}}, f.Hello)
	assert.Equal(t, []int{0, 4, 28, 64}, []int{f.Data.Low("kind"), f.Data.Low("number"), f.Data.Low("word"), f.Data.Bits()})

	assert.Equal(t, []int{4, 2, 4, 2}, []int{c.Count, c.Bits, c.Places, c.PlaceBits})
	assert.Equal(t, "m_chip", c.Module)
	require.Len(t, c.Cables, 2)
	for i, want := range [][]int{{2, 3, 1}, {3, 2, 3}} {
		q := c.Cables[i]
		assert.Equal(t, want, []int{q.Index, q.Opposite, q.Step})
		assert.Equal(t, f, q.Frame)
	}
	assert.Nil(t, c.Cable(1))
	assert.Equal(t, 3, c.Cable(3).Index)
	assert.Equal(t, Queue{Latency: 32, Places: 31, Chips: true}, p.Ports[2].Queue)
	assert.Equal(t, []int{1, 32, 2*1 + 2*33}, []int{p.BarrierPeriod(), p.Latency(), p.Crossing()})
	assert.False(t, p.HasTrace())
}

// A chip of one node has links without a number, and hello frames determine K.
func TestSizesOfChipsOfOneNode(t *testing.T) {
	p := New(onChips(t, 1, []hypercycle.Dimension{{M: 2, Rho: 1}}, chips(64, 0)))
	f := p.Chips.Digits[0].Frame
	assert.Equal(t, 2, f.Words, "a hello has 48 bits and a CRC")
	assert.Equal(t, []int{4, 4, 7, 15}, []int{f.NumberBits, f.FreedBits, f.Lead, f.Latency}, "15 * 2 is at least 4 + 2 + 18 and 4 + 2 + 21")
	assert.Equal(t, Fields{{"word", 3}, {"pace", 4}, {"freed", 4}, {"ack", 4}, {"number", 4}, {"valid", 1}, {"want", 1}, {"colour", 1}, {"kind", 1}}, f.Data)
	assert.Equal(t, []int{2, 1, 1, 0}, []int{p.Chips.Count, p.Chips.Bits, p.Chips.Places, p.Chips.PlaceBits})
	require.Len(t, p.Chips.Cables, 1, "2 rho = m: one port stands for both directions")
	q := p.Chips.Cables[0]
	assert.Equal(t, []int{0, 0, 1}, []int{q.Index, q.Opposite, q.Step})
}

// The longest flight has more than 127 frames under way: the lead is limited, and memories are not.
func TestSizesOfLongCables(t *testing.T) {
	m := onChips(t, 8, []hypercycle.Dimension{{M: 2, Rho: 1}}, chips(64, 1000))
	m.Barrier = true
	p := New(m)
	f := p.Chips.Digits[0].Frame
	assert.Equal(t, []int{2, 127, 8, 127}, []int{f.Words, f.Lead, p.PaceBits, p.Lead})
	assert.Equal(t, []int{10, 10, 1015}, []int{f.NumberBits, f.FreedBits, f.Latency}, "511 * 2 is less than 2004 + 2 + 18")
	assert.Equal(t, 2, f.Data[1].Bits)
	assert.Equal(t, "barrier_pace", f.Data[1].Name)
}

// Places and chips are numbered by their digits, the lowest dimension lowest, and every digit of the input chip has a place of its own.
func TestNumbersOfPlacesAndChips(t *testing.T) {
	rings := []hypercycle.Dimension{{M: 3, Rho: 1}, {M: 4, Rho: 1}, {M: 2, Rho: 1}, {M: 5, Rho: 2}}
	p := New(onChips(t, 8, rings, chips(8, 4), machine.Link{}, machine.Link{Registers: 2}, chips(16, 0)))
	c := p.Chips
	assert.Equal(t, []int{15, 8, 3, 5}, []int{c.Count, c.Places, c.PlaceBits, c.Bits})
	assert.Equal(t, [][]int{{1, 3, 0, 2}, {4, 5, 2, 3}}, [][]int{
		{c.Digits[0].Dimension, c.Digits[0].M, c.Digits[0].Low, c.Digits[0].Bits},
		{c.Digits[1].Dimension, c.Digits[1].M, c.Digits[1].Low, c.Digits[1].Bits}})
	for n := range p.Nodes {
		x, y, z, w := n%3, n/3%4, n/12%2, n/24
		assert.Equal(t, y+4*z, p.Place(n))
		assert.Equal(t, x+3*w, p.Region(n))
		assert.Equal(t, n, p.Node(p.Region(n), p.Place(n)))
		assert.Equal(t, x|w<<2, p.ChipInput(p.Region(n)))
	}
	assert.Equal(t, 15, p.Regions())
	for _, q := range c.Cables {
		d := c.Digits[q.Digit]
		for n := range p.Nodes {
			there := p.Machine.Graph.Neighbor(n, q.Index)
			assert.Equal(t, p.Place(n), p.Place(there), "the links of a cable lead to the same place")
			assert.Equal(t, (p.Machine.Graph.Digit(n, q.Dimension)+q.Step)%d.M, p.Machine.Graph.Digit(there, q.Dimension))
			assert.Equal(t, n, p.Machine.Graph.Neighbor(there, q.Opposite))
		}
	}
}

// The hash is the CRC-32C of a text of everything that both ends must agree on, and of nothing else.
func TestHashOfChips(t *testing.T) {
	build := func(change func(m *machine.Machine)) *Plan {
		m := onChips(t, 8, []hypercycle.Dimension{{M: 4, Rho: 1}, {M: 4, Rho: 1}}, machine.Link{}, chips(32, 16))
		change(m)
		return New(m)
	}
	p := build(func(*machine.Machine) {})
	const text = `hcgen chips 1
machine m
dimension d1 4 1 wires
dimension d2 4 1 chips
preference clockwise
link payload 8
link wc 2
link wd 2
lead 14
frame 2 32 3
data kind 1
data colour 1
data want 1
data valid 1
data number 5
data ack 5
data turn 2
data freed 5
data pace 5
data link 2
data word 12
hello kind 1
hello heard 1
hello lost 1
hello session 8
hello hash 32
hello port 4
hello chip 2
`
	assert.Equal(t, text, p.HashText())
	assert.Equal(t, crc32.Checksum([]byte(p.HashText()), crc32.MakeTable(crc32.Castagnoli)), p.Chips.Hash)
	seen := map[uint32]string{p.Chips.Hash: "the machine"}
	for name, change := range map[string]func(m *machine.Machine){
		"name":        func(m *machine.Machine) { m.Name = "other" },
		"payload":     func(m *machine.Machine) { m.PayloadBits = 9 },
		"barrier":     func(m *machine.Machine) { m.Barrier = true },
		"destination": func(m *machine.Machine) { m.Destination = true },
		"last":        func(m *machine.Machine) { m.Last = true },
		"source":      func(m *machine.Machine) { m.SourceID = true },
		"word":        func(m *machine.Machine) { m.Dimensions[1].Link.WordBits = 64 },
		"flight":      func(m *machine.Machine) { m.Dimensions[1].Link.Flight = 600 },
		"preference":  func(m *machine.Machine) { m.Preference = hypercycle.Balanced },
		"registers":   func(m *machine.Machine) { m.Dimensions[0].Link.Registers = 60 },
		"chips":       func(m *machine.Machine) { m.Dimensions[0].Link = chips(32, 16) },
	} {
		hash := build(change).Chips.Hash
		assert.NotContains(t, seen, hash, name)
		seen[hash] = name
	}
	for name, change := range map[string]func(m *machine.Machine){
		"fifo depth": func(m *machine.Machine) { m.FIFODepth = 4 },
		"silence":    func(m *machine.Machine) { m.Dimensions[1].Link.Silence = 5000 },
		"delivery":   func(m *machine.Machine) { m.Delivery = machine.PerPort },
	} {
		assert.Equal(t, p.Chips.Hash, build(change).Chips.Hash, name)
	}
}

// K is the least number of words that holds both kinds of frames, and all sizes are those of the page.
func TestSizesOfRandomChips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rings := []hypercycle.Dimension{{M: rapid.IntRange(2, 9).Draw(t, "m1"), Rho: 1}, {M: rapid.IntRange(2, 9).Draw(t, "m2"), Rho: 1}, {M: 4, Rho: 2}}
		link := func(name string) machine.Link {
			return chips(rapid.SampledFrom([]int{8, 16, 32, 64}).Draw(t, name), rapid.IntRange(0, machine.MaxFlight).Draw(t, name+" flight"))
		}
		m := onChips(t, rapid.IntRange(1, machine.MaxPayloadBits).Draw(t, "payload"), rings, machine.Link{}, link("y"), link("z"))
		m.Barrier = rapid.Bool().Draw(t, "barrier")
		p := New(m)
		lead := 1
		for _, d := range p.Chips.Digits {
			f, k, links := d.Frame, d.Frame.Words, p.Chips.Places
			assert.LessOrEqual(t, max(f.Data.Bits(), f.Hello.Bits()), f.ContentBits())
			trip := 2 * (f.Flight + k)
			for name, sizes := range map[string][2]int{"n": {f.NumberBits, trip + k + 18}, "f": {f.FreedBits, trip + links*k + 21}} {
				assert.GreaterOrEqual(t, (1<<sizes[0]-1)*k, sizes[1], name)
				assert.True(t, sizes[0] == 2 || (1<<(sizes[0]-1)-1)*k < sizes[1], "%s could be %d", name, sizes[0]-1)
			}
			lead = max(lead, min(127, ((links+1)*k+f.Flight+9+k-1)/k))
			for fewer := 1; fewer < k; fewer++ {
				needs := func(cycles int) int { return max(2, bits.Len(uint((cycles+fewer-1)/fewer))) }
				trip := 2 * (f.Flight + fewer)
				pace := bits.Len(uint(2 * max(p.Lead, min(127, ((links+1)*fewer+f.Flight+9+fewer-1)/fewer))))
				data := 4 + 2*needs(trip+fewer+18) + needs(trip+links*fewer+21) + 2*p.Chips.PlaceBits + pace + p.LinkBits
				if m.Barrier {
					data += 2
				}
				assert.Greater(t, max(data, 47+p.Chips.Bits)+32, fewer*f.WordBits, "%d words are enough", fewer)
			}
		}
		assert.Equal(t, lead, p.Lead)
		assert.Less(t, 2*p.Lead, 1<<p.PaceBits)
		assert.GreaterOrEqual(t, 2*p.Lead, 1<<(p.PaceBits-1))
	})
}
