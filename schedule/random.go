// SPDX-License-Identifier: Apache-2.0

package schedule

// random is a sequence of pseudorandom numbers, the same for the same seed (Knuth's MMIX generator, its upper half).
type random uint64

func (r *random) next() uint64 {
	*r = *r*6364136223846793005 + 1442695040888963407
	return uint64(*r >> 33)
}

// below is a number of 0 to n - 1.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// shuffle puts a list into another order.
func shuffle[T any](r *random, list []T) {
	for k := len(list) - 1; k > 0; k-- {
		j := r.below(k + 1)
		list[k], list[j] = list[j], list[k]
	}
}
