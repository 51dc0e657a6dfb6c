// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/machine"
)

// Of the drill that fills queues.
const (
	fillReads = 12 // of every queue when it is full
	fillSpare = 8  // injections that are paid for and not needed
)

// fillQueues fills the queues of all ports that are not ring ports, and reads each of them,
// one queue after the other, while it is full and the next message waits for it. Queues
// of two slots need no such drill: random scenes fill them again and again.
func (b *script) fillQueues() {
	p := b.plan
	if p.Machine.FIFODepth == machine.MinFIFODepth {
		return
	}
	var outputs []int
	for o, q := range p.Ports {
		if q.Depth > 0 && !q.Ring {
			outputs = append(outputs, o)
		}
	}
	if len(outputs) == 0 {
		return
	}
	// The local input alone feeds the highest dimension, so that the quota must first
	// grow to what the injections cost: in silence, eight times in two windows.
	injections := p.Machine.FIFODepth + fillReads + fillSpare
	frames := 2 + (bits.Len(uint(injections*p.Gate.Cost))-plan.FirstQuotaBits+2)/3
	begin := ending(p.Gate.WindowBits, b.time) + 1 + frames<<(p.Gate.WindowBits+1)

	at := begin + p.Machine.FIFODepth + margin
	reads := map[int][]int{}
	for range fillReads {
		for _, o := range outputs {
			reads[o] = append(reads[o], at)
			at += 2
		}
		at += 2 // the message is complete, and the next one comes
	}
	for _, o := range outputs {
		from := begin
		for _, read := range reads[o] {
			b.block(o, from, read)
			from = read + 1
		}
		b.block(o, from, at)
	}
	b.offer(begin, at)
	b.end(at + p.Machine.FIFODepth + margin)
}
