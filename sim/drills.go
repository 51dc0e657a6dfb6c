// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// The largest constants of a gate that a trace of reasonable length reaches: the
// cap, up to which deliveries fill the balance; and the patience in cycles and, by one
// line for each of them, in bytes.
const (
	reachableCap      = 1024
	reachablePatience = 4096
	patienceBytes     = 512 << 10
)

func capReachable(p *plan.Plan) bool { return p.Gate.Cap <= reachableCap }

func patienceReachable(p *plan.Plan) bool {
	patience := 1 << p.Gate.PatienceBits
	return patience <= reachablePatience && patience*traceLine(p) <= patienceBytes
}

// Lengths in cycles that drills share.
const (
	show   = 8 // a gate that wrongly is closed, or open, shows within so many cycles
	margin = 8 // for what takes a few cycles
)

// silence is the window, as a power of two, of silences at a level.
func (b *script) silence(level int) int {
	g := gate{level: uint8(level)}
	return g.silence(&b.plan.Gate)
}

// standstill is that of standstills.
func (b *script) standstill(level int) int {
	g := gate{level: uint8(level)}
	return g.standstill(&b.plan.Gate)
}

// memory is that of the memory.
func (b *script) memory(level int) int {
	g := gate{level: uint8(level)}
	return g.memory(&b.plan.Gate)
}

// drills writes the drills of balance, silences and standstills. Each begins with
// an idle router at level 0.
func (b *script) drills() {
	p := b.plan
	outputs := watched(p)
	for _, o := range outputs {
		b.quiet(o)
		b.almostStill(o)
		b.still(o)
	}
	for i := range max(len(outputs), p.Degree) {
		b.almostSilent(outputs[i%len(outputs)], i%p.Degree)
	}
	b.silent(entered(p), p.Degree-1)
	b.relay()
	b.shrink()
	for level := 1; level < p.Gate.TopLevel; level++ {
		b.almostHigher(level)
	}
	b.refill()
	if capReachable(p) {
		b.cap(true)
		b.cap(false)
	}
	b.levels()
	b.sink()
}

// quiet blocks one output alone for two cycles and injects in the second: the debt
// is not forgiven, and the next message waits for one cycle.
func (b *script) quiet(o int) {
	at := b.time + spending(b.plan) + 1
	b.spend(at - 1)
	b.put(o, at-1) // this one moves
	b.put(o, at)
	b.block(o, at+1, at+3)
	b.offer(at+2, at+3)
	b.offer(at+4, at+4+show)
	b.end(at + 4 + show + margin)
}

// almostStill blocks one output alone for as long as the level does not rise, from
// the cycle after the end of a window: the messages that follow go through.
func (b *script) almostStill(o int) {
	window := 1 << b.standstill(0)
	at := ending(b.standstill(0), b.time+spending(b.plan)+2)
	to := at + 2*window - 1
	b.spend(at - 1)
	b.put(o, at-1) // this one moves
	b.put(o, at)
	b.block(o, at+1, to)
	b.offer(to+1, to+1+lead(b.plan))
	b.end(to + 1 + lead(b.plan) + margin)
}

// lead is a number of injections of which one has to wait at level 1 when a few
// deliveries are all of the balance.
func lead(p *plan.Plan) int { return 10/p.Gate.Cost + 4 }

// still blocks one output alone from the end of a window to that of the next, so
// that the level rises.
func (b *script) still(o int) {
	window := 1 << b.standstill(0)
	// the silence begins soon after
	at := ending(b.silence(1), b.time+spending(b.plan)+1+3*window) - 3*window
	b.spend(at - 1)
	b.put(o, at-1)
	b.block(o, at, at+window)
	b.owe(o, at+2)
	b.end(b.fall(1, at+window+margin))
}

// owe leaves a debt and nothing on offer while an output that has a message is
// blocked: its queue has room for one more.
func (b *script) owe(o, at int) {
	to := at + 1
	if fedByLink(b.plan, o) {
		to++ // a delivery must not pay it back
	}
	b.offer(at, to)
}

// fall waits at a level for the silences that lower it to 0, the first of which
// begins at some cycle or later. If there is only one, a message comes on offer
// shortly before its end. Else the balance is the cap before the last one, and more
// messages than that follow.
func (b *script) fall(level, from int) int {
	end := ending(b.silence(level), from+1) + 1<<b.silence(level)
	first, last := end-show, end+3
	for level--; level > 0; level-- {
		end += 1 << b.silence(level)
		first, last = end+1, end+1+burst(b.plan)+lead(b.plan)
	}
	b.offer(first, last)
	return last + margin
}

// almostSilent is the longest time without a silence at level 0: before it one
// output alone is valid, and after it one link input. What follows is paid from what
// is left of the balance.
func (b *script) almostSilent(o, input int) {
	b.calm(o, input, 2<<b.silence(0), 1)
}

// silent is the shortest silence of level 0: a cycle more on either side is not
// calm.
func (b *script) silent(o, input int) {
	b.calm(o, input, 1<<b.silence(0), 0)
}

// calm leaves the router calm between the ends of two windows with so many cycles
// between, a cycle less on both sides if short is 1. All of the balance is spent, and
// how many injections go through at the end shows what it is.
func (b *script) calm(o, input, cycles, short int) {
	at := ending(b.silence(0), b.time+spending(b.plan)+2*margin)
	end := at + cycles
	b.spend(at - margin - 1)
	b.put(o, at-margin) // what else came with it leaves while it is blocked
	b.block(o, at-margin+1, at-2+short)
	b.feed(input, end-1-short, end-short)
	b.block(b.plan.Degree, end-short, end+margin-1)
	b.offer(end+1, end+margin-1)
	b.end(end + 3*margin)
}

// relay blocks two outputs, each before the other one moves, for as long as the
// level does not rise.
func (b *script) relay() {
	p := b.plan
	window, o := 1<<b.standstill(0), entered(p)
	at := ending(b.standstill(0), b.time+spending(p)+2)
	to := at + 2*window - 1
	b.spend(at - 1)
	b.put(o, at-1)
	b.put(p.Degree, at+2)
	b.block(o, at, at+window-3)
	b.block(p.Degree, at+3, to)
	b.offer(to+1, to+1+lead(p))
	b.end(to + 1 + lead(p) + margin)
}

// shrink blocks two outputs, one of them only for the first half of the window: the
// level rises.
func (b *script) shrink() {
	p := b.plan
	window, o := 1<<b.standstill(0), entered(p)
	at := ending(b.silence(1), b.time+spending(p)+1+3*window) - 3*window
	b.spend(at - 1)
	b.put(o, at-1)
	b.put(p.Degree, at-1)
	b.block(o, at, at+window/2)
	b.block(p.Degree, at, at+window)
	b.offer(at+2, at+4)
	b.end(b.fall(1, at+window+margin))
}

// refill injects in the last cycle before a silence refills the balance, which is
// paid at the same time: it costs nothing. How many injections go through shows it.
func (b *script) refill() {
	p := b.plan
	at := ending(b.silence(0), b.time+spending(p)+2)
	end := at + 1<<b.silence(0)
	to := end + burst(p)*5/4 + 2*margin
	b.spend(at - 1)
	b.offer(end-1, end)
	b.stir(end+1, to)
	b.offer(end+1, to-margin/2)
	b.end(to + 2*margin)
}

// cap lets the balance fall from the cap, rise to it by deliveries, and some more
// of them that do not count; or it does without that, and the balance is what a
// silence left. Then it is spent with few deliveries besides the one that comes with
// the first injection, and deliveries open the gate again: one that counts too many or
// too few moves an injection.
func (b *script) cap(deliveries bool) {
	p := b.plan
	at := ending(b.silence(0), b.time) + 1<<b.silence(0) + margin // the balance is the cap
	spend := at + 3
	if deliveries {
		spend = at + margin + 2*p.Gate.Cost + 2*margin
		b.feed(0, at, spend)
		b.offer(at+2, at+3)
	}
	earn := spend + burst(p)*5/4 + 2*show
	end := earn + 4*p.Gate.Cost + 4*margin
	b.stir(spend+1, earn)
	b.feed(0, earn-2, end-margin)
	b.offer(spend, end-2*margin)
	b.end(end + margin)
}
