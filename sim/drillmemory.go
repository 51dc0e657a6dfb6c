// SPDX-License-Identifier: Apache-2.0

package sim

// The drills of the memory keep the level above 0 from the end of one of its windows
// to that of the next. A message shows now and then that the gate is closed, and what
// the level is shows when it has come down to 0.

// probe shows that the level is not 0: a message waits until deliveries have paid
// for it. It leaves a debt.
func (b *script) probe(at int) int {
	b.offer(at, at+1)
	return b.shut(b.pay(at + 1))
}

// rare keeps silences of a level away between the ends of two windows with the least
// that does.
func (b *script) rare(level, from, to int) {
	period := 2 << b.silence(level)
	for at := ending(b.silence(level)+1, from); at <= to; at += period {
		if at-2 >= from {
			b.disturb(at - 2)
			b.disturb(at - 1)
		}
	}
}

// keep lets a window of the memory end that does not lower the level, because there
// has been a standstill. The level is the top one.
func (b *script) keep() {
	top := b.plan.Gate.TopLevel
	at := ending(b.plan.Gate.MemoryBits, b.time)
	b.rare(top, b.time, at)
	b.end(b.probe(at + 2))
}

// keepByTop is a keep of a window in which the level has not risen: the standstill is
// one at the top level.
func (b *script) keepByTop() {
	top := b.plan.Gate.TopLevel
	b.standAtTop(1 << b.standstill(top))
	b.keep()
}

// standAtTop blocks the local output from the end of a window of the top level to
// that of the next, and for as many cycles more.
func (b *script) standAtTop(more int) {
	top, local := b.plan.Gate.TopLevel, b.plan.Degree
	from := ending(b.standstill(top), b.time+margin)
	b.put(local, from-1)
	b.put(local, from)
	b.block(local, from+1, from+1<<b.standstill(top)+more)
}

// remembered is what happens when a window of the memory ends.
type remembered uint8

const (
	memoryAlone         remembered = iota // it lowers the level from the top to 1
	memoryAndSilence                      // so does a silence at the same time
	memoryAndStandstill                   // a standstill raises the level from 1 to the top instead
)

// remember waits for the end of a window of the memory.
func (b *script) remember(what remembered) {
	top, local := b.plan.Gate.TopLevel, b.plan.Degree
	window := 1 << b.standstill(1)
	at := ending(b.plan.Gate.MemoryBits, b.time+window+margin)
	after := at + 2
	switch what {
	case memoryAlone:
		b.rare(top, b.time, at)
		b.standAtTop(1<<b.standstill(top) - 1) // one cycle less than matters
	case memoryAndSilence:
		b.rare(top, b.time, at-1)
	case memoryAndStandstill:
		b.rare(1, b.time, at)
		b.put(local, at-window-1)
		b.block(local, at-window, at)
		after = b.shut(at+margin) + 2<<b.silence(1) // level 1 would have fallen by then
	}
	b.end(b.probe(b.shut(after)))
}

// last leaves the gate far from its state after reset, in a pause if one is in
// reach, so that a reset that follows has something to do.
func (b *script) last() {
	p, o := b.plan, entered(b.plan)
	from := b.time + 4*margin
	if !patienceReachable(p) {
		end := ending(b.silence(1), from+4<<b.standstill(1))
		b.feed(0, end-4<<b.standstill(1), end)
		b.block(p.Degree, end-4<<b.standstill(1), end)
		b.shut(end - 3<<b.standstill(1))
		b.end(end)
		return
	}
	open := from + 3*p.Gate.Cost + margin // whatever the balance was
	b.feed(0, from, open)
	at := ending(p.Gate.PatienceBits, open+margin)
	b.offer(at-3, at)
	end := at + 1<<p.Gate.PatienceBits + 1<<p.Gate.PauseBits/2
	b.block(o, at-2, end)
	b.end(end)
}
