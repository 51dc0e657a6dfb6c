// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"context"
	"fmt"

	"github.com/hcgen/hcgen/hypercycle"
)

// Count holds the numbers of executed machines and messages.
type Count struct {
	Machines   int `json:"machines"`    // ordered tuples of dimensions
	Multisets  int `json:"multisets"`   // machines with dimensions in ascending order, also searched breadth-first
	AllSources int `json:"all_sources"` // machines with every node as the source
	Broadcasts int `json:"broadcasts"`
	Messages   int `json:"messages"`
	LargestWC  int `json:"largest_wc"`
}

// Add adds the numbers of other machines.
func (c *Count) Add(d Count) {
	c.Machines += d.Machines
	c.Multisets += d.Multisets
	c.AllSources += d.AllSources
	c.Broadcasts += d.Broadcasts
	c.Messages += d.Messages
	c.LargestWC = max(c.LargestWC, d.LargestWC)
}

// Block is a row of machines of the range.
type Block struct {
	First    []int `json:"first"` // indices of the rings of the first machine, dimension 1 first
	Machines int   `json:"machines"`
}

// blockNodes is about the number of nodes of the machines of a block: a second or two of work.
const blockNodes = 1 << 27

// Blocks cuts the range into blocks, in its order.
func Blocks() []Block { return blocks(blockNodes) }

// blocks cuts the range into rows of about the given number of nodes.
func blocks(size int) (all []Block) {
	left := 0
	for t, ok := first(), true; ok; t, ok = t.next() {
		if left <= 0 {
			b := Block{}
			for _, i := range t.ring[:t.rank] {
				b.First = append(b.First, int(i))
			}
			all = append(all, b)
			left = size
		}
		all[len(all)-1].Machines++
		left -= t.nodes()
	}
	return all
}

// Check checks the machines of a block. fault says what does not hold on the first machine that is wrong, with
// preference and source; the counts are of the machines before it. The error is that of ctx, or says why
// the block is none.
func (b Block) Check(ctx context.Context) (sum Count, fault string, err error) {
	t := tuple{rank: len(b.First)}
	if t.rank < 1 || t.rank > MaxRank {
		return sum, "", fmt.Errorf("a machine of the range has 1 to %d dimensions, but the block begins with %d", MaxRank, t.rank)
	}
	for i, ring := range b.First {
		if ring < 0 || ring >= len(rings) {
			return sum, "", fmt.Errorf("%d is no ring of the range", ring)
		}
		t.ring[i] = uint8(ring)
	}
	var c Checker
	var dims [MaxRank]hypercycle.Dimension
	for range b.Machines {
		if err := ctx.Err(); err != nil {
			return sum, "", err
		}
		count, err := c.Machine(t.dimensions(dims[:0]), t.source())
		if err != nil {
			return sum, err.Error(), nil
		}
		sum.Add(count)
		t, _ = t.next()
	}
	return sum, "", nil
}

// Complete reports why a count is not that of the whole range.
func (c Count) Complete() error {
	if c.Machines != Machines || c.Multisets != Multisets || c.Broadcasts < Preferences*Machines {
		return fmt.Errorf("%d machines, %d up to order and %d broadcasts were executed, want %d, %d and at least %d: the enumeration is wrong",
			c.Machines, c.Multisets, c.Broadcasts, Machines, Multisets, Preferences*Machines)
	}
	return nil
}
