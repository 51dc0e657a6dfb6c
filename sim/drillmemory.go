// SPDX-License-Identifier: Apache-2.0

package sim

// The drills of the memory keep the level above 0 from the end of one of its windows
// to that of the next. What the level is shows in the end, by the cycle in which a
// message on offer goes: a gate whose level was too low for a while has been refilled.

// rememberedLevel is the highest level whose memory is in reach of a trace: that of
// the next one is eight times as long.
const rememberedLevel = 2

// rare keeps silences of a level away from a cycle on up to and including the end of a
// window, with the least that does. Before it something must have happened.
func (b *script) rare(level, from, to int) {
	window := 1 << b.silence(level)
	for at := ending(b.silence(level)+1, from); at <= to; at += 2 * window {
		if at-2 >= from {
			b.disturb(at - 2)
			b.disturb(at - 1)
		} else {
			b.disturb(at + window - 2)
		}
	}
}

// remember raises the level to 2 and waits for the ends of some windows of its memory.
// The last one, alone or with a silence, lowers the level, and the next one of level 1
// lowers it again. With one window the silence does it alone, but the window counts for
// the next one. The level rises shortly before the first one ends, so that windows that
// end at other times are not in it.
func (b *script) remember(windows int, silence bool) {
	const level = rememberedLevel
	before := 4 << b.silence(level)
	at := ending(b.memory(level), b.time+before)
	b.end(at - before)
	b.climb(level)
	at += (windows - 1) << b.memory(level)
	after := at + 1
	if silence {
		b.rare(level, b.time, at-1)
		b.offer(at-show, at+1)
		after = b.shut(at + 1)
	} else {
		b.rare(level, b.time, at)
	}
	at += 1 << b.memory(level-1)
	b.rare(level-1, after, at)
	b.offer(at-show, at+1)
	b.end(at + 2*margin)
}

// rememberNot lets windows of the memory of level 1 end that do not lower the level:
// one in which there has been a standstill, one with a standstill at its end, and the
// next one. The standstill at the end raises the level to 2, and a silence lowers it
// again.
func (b *script) rememberNot() {
	local, window := b.plan.Degree, 1<<b.standstill(1)
	b.climb(1)
	at := ending(b.memory(1), b.time) + 1<<b.memory(1)
	b.rare(1, b.time, at)
	b.put(local, at-window-1)
	b.block(local, at-window, at)
	end := ending(b.silence(2), b.shut(at+margin)+1) + 1<<b.silence(2)
	b.offer(end-show, end+1)
	at += 1 << b.memory(1)
	b.rare(1, b.shut(end+1), at)
	end = at + 2<<b.silence(1)
	b.offer(end-show, end+1)
	b.end(end + 2*margin)
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
	// whatever the balance was, also with a message on offer and in a pause: three
	// injections follow
	open := from + 4*p.Gate.Cost + 1<<p.Gate.PauseBits + margin
	b.feed(0, from, open)
	at := ending(p.Gate.PatienceBits, open+margin)
	b.offer(at-3, at)
	end := at + 1<<p.Gate.PatienceBits + 1<<p.Gate.PauseBits/2
	b.block(o, at-2, end)
	b.end(end)
}
