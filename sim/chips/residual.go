// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"math"
	"math/bits"
	"slices"
)

// CRC is a code of a polynomial with the factor x + 1, so that every odd number of wrong bits is found.
type CRC struct {
	Bits       int
	Polynomial uint64 // without the highest bit
}

// The CRC of frames, and one that is too short for them.
var (
	CRC32C = CRC{32, 0x1EDC6F41}
	CRC16  = CRC{16, 0x1021}
)

// mostHalves limits the memory of counts.
const mostHalves = 1 << 20

// Undetected is, by the number of wrong bits, in how many ways they can lie in a frame so that the CRC does not find them. Numbers
// of few wrong bits are counted, and the others are those of a random code.
func (c CRC) Undetected(frame int) []float64 {
	list := make([]float64, frame+1)
	for wrong := 2; wrong <= frame; wrong += 2 {
		if choose(frame, wrong/2) <= mostHalves && wrong <= frame/2 {
			list[wrong] = float64(c.count(frame, wrong))
		} else {
			list[wrong] = choose(frame, wrong) / math.Exp2(float64(c.Bits-1))
		}
	}
	return list
}

// count finds pairs of half patterns with the same syndrome. Halves with a bit in common are a smaller pattern.
func (c CRC) count(frame, wrong int) (patterns int) {
	single := c.syndromes(frame)
	type half struct {
		syndrome uint64
		at       [4]int16
	}
	var halves []half
	var choose func(h half, from, left int)
	choose = func(h half, from, left int) {
		if left == 0 {
			halves = append(halves, h)
			return
		}
		for i := from; i < frame; i++ {
			next := h
			next.syndrome ^= single[i]
			next.at[left-1] = int16(i)
			choose(next, i+1, left-1)
		}
	}
	choose(half{}, 0, wrong/2)
	slices.SortFunc(halves, func(a, b half) int {
		switch {
		case a.syndrome < b.syndrome:
			return -1
		case a.syndrome > b.syndrome:
			return 1
		}
		return 0
	})
	for i := 0; i < len(halves); {
		j := i + 1
		for ; j < len(halves) && halves[j].syndrome == halves[i].syndrome; j++ {
			for k := i; k < j; k++ {
				if !common(halves[k].at[:wrong/2], halves[j].at[:wrong/2]) {
					patterns++
				}
			}
		}
		i = j
	}
	pairs := 1 // of disjoint halves of a pattern
	for k := range wrong / 2 {
		pairs = pairs * (wrong - k) / (k + 1)
	}
	return patterns * 2 / pairs
}

func common(a, b []int16) bool {
	return slices.ContainsFunc(a, func(x int16) bool { return slices.Contains(b, x) })
}

// syndromes are those of frames of which one bit is wrong.
func (c CRC) syndromes(frame int) []uint64 {
	list, s := make([]uint64, frame), uint64(1)
	for i := range list {
		list[i] = s
		s <<= 1
		if s>>c.Bits != 0 {
			s = s&(1<<c.Bits-1) ^ c.Polynomial
		}
	}
	return list
}

// FindsOdd reports whether the polynomial has the factor x + 1.
func (c CRC) FindsOdd() bool { return (1+bits.OnesCount64(c.Polynomial))%2 == 0 }

// Residual is the probability that a frame has errors which are not detected, if each bit is wrong with this probability.
func Residual(undetected []float64, errors float64) (probability float64) {
	frame := len(undetected) - 1
	for wrong, ways := range undetected {
		probability += ways * math.Pow(errors, float64(wrong)) * math.Pow(1-errors, float64(frame-wrong))
	}
	return probability
}

// FrameLoss is the probability that a frame has an error.
func FrameLoss(frame int, errors float64) float64 {
	return -math.Expm1(float64(frame) * math.Log1p(-errors))
}

func choose(n, k int) float64 {
	product := 1.
	for i := range k {
		product = product * float64(n-i) / float64(i+1)
	}
	return product
}
