// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// Drills bring the gate to the edges of its rules. What they lead to is seen by the
// injections: a message on offer goes in the cycle in which the gate opens, and how many
// follow it tells the balance. Most begin with a debt, in the first cycle of a window of
// the level (calm).

const margin = 8 // for what takes a few cycles

// frames drills level 0. Where deliveries do not pay for injections, only a large quota
// shows by how many of them follow each other.
func (b *script) frames() {
	p := b.plan
	long, crowd := longReachable(p), mediumFrame
	b.silence()
	if !long { // while the quota is small
		b.mediumFrames(crowd)
		b.notLowTogether()
	}
	if costReachable(p) {
		b.asked() // while frames are short: it leaves silences that would end shorter ones
		if long {
			crowd = restartFrame - 1
		}
	} else {
		b.grow(int64(p.Gate.Cost) / 4)
		b.frame(shortFrame - 1)
		b.frameUpTo(shortFrame)
		b.fill()
		b.asked()
		if long {
			b.frame(restartFrame - 1)
		}
	}
	if !long && costReachable(p) { // the second is the one that those which follow are compared with
		b.frame(int(frameLengths[0]))
		b.frame(int(frameLengths[0]))
	}
	b.disarmed()
	b.shrunk()
	b.blockedBefore()
	b.notLow()
	if long {
		b.frameUpTo(restartFrame)
		b.unfilled()
		b.unfilled()
		b.silence() // by which the quota begins anew
		b.mediumFrames(crowd)
		b.notLowTogether()
	}
}

// mediumFrames lets frames end by which the quota grows little, at the edges of low
// windows and of those that fill the balance.
func (b *script) mediumFrames(crowd int) {
	b.frame(mediumFrame - 1) // first: it would be shorter
	if !longReachable(b.plan) {
		b.shorter(0, b.message) // or the quota would get so large that the trace would, too
	}
	b.low()
	b.empty()
	b.crowded(crowd)
	b.silence()
}

// stoodOnce shows by a silence that a standstill is over with its window.
func (b *script) stoodOnce() {
	b.calm()
	b.stand(b.plan.Degree)
	b.next()
	b.silence()
}

// notSlow lets a window with a standstill and enough messages end that is not the second of two that
// raise the level, as the next silence shows.
func (b *script) notSlow() {
	b.calm()
	b.stand(b.plan.Degree)
	b.standNext(int(b.gate().few(&b.plan.Gate)))
	b.hold(b.plan.Degree)
}

// unstood lets windows of level 0 with few messages end without a standstill, of which none is slow, as the next
// silence shows.
func (b *script) unstood() {
	b.calm()
	for range 3 {
		b.hearTo(int(b.gate().low(&b.plan.Gate)))
		b.next()
	}
	b.silence()
}

// debt injects until the gate is closed for good, if it is open.
func (b *script) debt() {
	if b.gate().armed && b.gate().shorter {
		b.next() // or the silence would be false
	}
	if n := b.affordable(b.gate().balance); n > 0 {
		b.end(b.spread(b.time, n+1, 2, b.offer) + 3) // the last one goes before the one before it is paid
	}
}

// affordable is how many injections a balance lets through if each is paid before the
// next.
func (b *script) affordable(balance int64) int {
	if balance < 0 {
		return 0
	}
	return int(balance)/b.plan.Gate.Cost + 1
}

// hear lets the gate hear so many messages: deliveries, and at the end as many injections
// as leave a debt, all by row or spread.
func (b *script) hear(n int, note func(at, n, last int, note func(from, to int)) int) {
	b.end(b.time + 2 - b.lag()) // what has been heard is counted before more is
	g := b.gate()
	sends := 0
	for i := range n + 1 {
		earned := min(int64(n-i), max(savedQuotas*g.quota+1-g.balance, 0)) // the limit acts one cycle late
		if k := b.affordable(g.balance + earned); i == k || k > 0 && i == k+1 {
			sends = i
			break
		}
	}
	at := note(b.soon(), n-sends, 1, b.deliveries) + 2 // the last delivery is paid
	b.end(note(at, sends, 2, b.offer) + 2)             // the last injection goes before the one before it is paid
}

// deliver delivers so many messages, and returns the cycle after the last has come in.
// Above level 0 it does not lower the level.
func (b *script) deliver(n int) int { return b.spread(b.soon(), n, 1, b.deliveries) }

// deliveries delivers a message in each of these cycles.
func (b *script) deliveries(from, to int) { b.feed(0, from, to) }

// row notes so many messages from a cycle on, one in each, and returns the cycle after the
// last.
func (b *script) row(at, n, _ int, note func(from, to int)) int {
	note(at, at+n)
	return at + n
}

// spread notes so many messages from a cycle on, one in a cycle, and returns the cycle after
// the last. Above level 0 it leaves out some cycles of each window, so that they do not
// lower the level; at the end at least so many follow each other.
func (b *script) spread(at, n, last int, note func(from, to int)) int {
	g := b.gate()
	heard := int(g.heard)
	for g.level > 0 && n > 0 {
		bits := g.window(&b.plan.Gate)
		end := ending(bits, at)
		room := end - at - margin/2
		if g.level == 1 { // what comes in the first part of a window is too little
			room -= 1<<bits - b.many()
			if b.plan.Deliveries > 1 { // in the cycles that have passed and those to come there may be several
				room = min(room, b.many()-heard-2*margin)
			}
		} else {
			room = min(room, b.many()-heard-margin)
		}
		some := min(n, max(room, 0))
		if n > some && n-some < last {
			some = max(n-last, 0)
		}
		note(at, at+some)
		if n -= some; n == 0 {
			return at + some
		}
		at, heard = end+1, 0
	}
	return b.row(at, n, last, note)
}

// settle waits until what has been heard is counted.
func (b *script) settle() { b.end(b.time + 2) }

// hearTo hears messages until so many have been in this window of the level.
func (b *script) hearTo(n int) {
	b.settle()
	b.hear(b.toWindow(n)(), b.row)
}

// hearFrame hears messages until so many have been in this frame.
func (b *script) hearFrame(n int) {
	b.settle()
	b.hear(b.toFrame(n)(), b.spread)
}

func (b *script) toWindow(n int) func() int {
	return func() int { return max(n-int(b.gate().heard), 0) }
}

func (b *script) toFrame(n int) func() int {
	return func() int { return max(n-int(b.gate().frame), 0) }
}

// probe shows what the balance is: it injects as many as it lets through and leaves one
// more on offer, which goes when deliveries have paid for it. If they cannot, nothing is
// left on offer. It waits no longer than it must: in a short window that would end a frame.
func (b *script) probe() {
	if !costReachable(b.plan) {
		b.debt()
		return
	}
	n := b.affordable(b.gate().balance)
	if n > 0 {
		n++ // the last one goes before the one before it is paid
	}
	b.end(b.spread(b.time, n+1, 3, b.offer) + margin/2)
	b.end(b.deliver(max(0, int(-b.gate().balance))) + margin/2)
}

// closed shows that nothing has filled the balance, by a message on offer. If deliveries
// cannot pay for it, it stays there until the next silence.
func (b *script) closed() {
	if costReachable(b.plan) {
		b.probe()
		return
	}
	b.offer(b.time, b.time+1)
	b.end(b.time + margin)
}

// stand lets an output stand still, for the shortest time, in the window that the drill
// begins in.
func (b *script) stand(outputs ...int) {
	at := ending(plan.StandstillBits, b.soon()+1)
	for _, o := range outputs {
		b.put(o, at-1)
		b.block(o, at, at+1<<plan.StandstillBits)
	}
	b.end(at + 1<<plan.StandstillBits + 1)
}

// next waits for the end of the window.
func (b *script) next() { b.end(b.window() + 1) }

// hold lets the window of level 0 end that is not low because an output is blocked in the
// cycle before; if it is too late for that, it just ends.
func (b *script) hold(output int) {
	end := b.window()
	if end-b.time < 2+b.lag() {
		b.next()
		return
	}
	b.put(output, end-2)
	b.block(output, end-1, end)
	b.end(end + 1)
}

// calm waits for the beginning of a window of level 0 in which a frame can end, and leaves a debt that a few deliveries do not pay.
func (b *script) calm() {
	b.descend()
	b.debt()
	for b.time%(1<<b.plan.Gate.WindowBits) != 0 || b.gate().armed || b.gate().filled {
		switch left := b.window() - b.time; {
		case b.gate().armed && b.gate().shorter: // what disarmed it would raise the level
			b.spendInDoubt()
		case b.gate().armed && left > 2<<plan.StandstillBits:
			b.stand(b.plan.Degree)
			b.next()
		case left >= 2+b.lag():
			b.hold(b.plan.Degree)
		default:
			b.next()
		}
	}
	b.deepen()
}

// fresh is calm right at the beginning of a window, if the debt is deep enough.
func (b *script) fresh() {
	b.calm()
	for tries := 0; tries < 2 && b.time%(1<<b.plan.Gate.WindowBits) > margin/2; tries++ {
		b.hold(b.plan.Degree)
		b.calm()
	}
}

// deepen leaves a debt that a few deliveries do not pay.
func (b *script) deepen() {
	b.settle()
	owed := int(-b.gate().balance)
	if owed >= 3 || owed >= 2*b.plan.Gate.Cost {
		return
	}
	if owed > 0 {
		b.feed(0, b.soon(), b.soon()+owed)
		b.end(b.soon() + owed + 3)
	}
	b.debt()
}

// avoid is calm with another debt than one that so many messages pay: no number of
// injections among them leaves one.
func (b *script) avoid(messages func() int) {
	b.fresh()
	for messages() == int(-b.gate().balance) {
		b.hold(b.plan.Degree)
		b.fresh()
		if n := messages(); n == int(-b.gate().balance) { // each that comes pays one
			b.end(b.deliver(max(n-2, 0)) + margin/2)
			b.fresh()
		}
	}
}

// earn leaves a balance of 0 at the beginning of a window of level 0.
func (b *script) earn() {
	b.calm()
	last := b.soon() + int(-b.gate().balance) - 1
	b.feed(0, b.soon(), last)
	end := ending(b.plan.Gate.WindowBits, last+margin)
	b.put(b.plan.Degree, end-2) // is delivered after it has been blocked
	b.block(b.plan.Degree, end-1, end)
	b.end(end + 1)
}

// ready leaves a debt at the beginning of a window, or a balance that a message pays which
// only the local input can put to the output.
func (b *script) ready(output int) {
	if _, ok := feedOf(b.plan, output); ok {
		b.fresh()
	} else {
		b.earn()
	}
}

// drilled are the outputs of which single ones can be blocked by drills.
func drilled(p *plan.Plan) (outputs []int) {
	for _, o := range watched(p) {
		if _, ok := feedOf(p, o); ok || costReachable(p) {
			outputs = append(outputs, o)
		}
	}
	return outputs
}

// blockable are the outputs of which single ones can be blocked where a window would be low:
// a window of 16 cycles is not with two messages, but one has to pay for one that the local
// input alone puts to the output.
func blockable(p *plan.Plan) (outputs []int) {
	for _, o := range drilled(p) {
		if _, ok := feedOf(p, o); ok || p.Gate.WindowBits > plan.LeastBits {
			outputs = append(outputs, o)
		}
	}
	return outputs
}

// blockedBefore lets windows end that are not low because a single output is blocked in
// the cycle before.
func (b *script) blockedBefore() {
	b.fresh()
	for _, o := range blockable(b.plan) {
		b.ready(o)
		b.hold(o)
	}
	b.calm()
	b.closed()
}

// disarmed lets windows end after low ones that do not fill the balance because a single
// output has stood still.
func (b *script) disarmed() {
	for _, o := range drilled(b.plan) {
		for again := true; again; again = b.spendInDoubt() {
			b.calm() // so that no frame ends meanwhile
			b.lengthen()
			b.ready(o)
			b.next()
		}
		b.stand(o)
		b.next()
	}
	b.calm()
	b.closed()
}

// fill lets a frame end with a low window, and the one after it fill the balance, for a
// message on offer.
func (b *script) fill() {
	for !b.gate().armed {
		b.next()
	}
	end := b.window()
	at := max(end-3, b.time)
	b.offer(at, at+1)
	b.end(end + margin/2)
}

// silence fills the balance and shows what it is.
func (b *script) silence() {
	b.fill()
	b.probe()
}

// asked lets a message ask that the balance allows, which is paid for others before there
// is room for it.
func (b *script) asked() {
	entered := b.plan.Dims[len(b.plan.Dims)-1].Entered
	output := entered[len(entered)-1]
	fill := 2 // of a ring port, and of most others
	if q := &b.plan.Ports[output]; !q.Ring {
		fill = q.Depth
	}
	if !costReachable(b.plan) && b.affordable(b.gate().balance) < fill {
		return
	}
	for b.affordable(b.gate().balance) < fill { // the queue is deep
		b.fill()
	}
	b.lengthen() // what pays in the end would tell that a silence before it was false
	spare := b.affordable(b.gate().balance) - fill
	b.offer(b.time, b.time+spare)
	at := b.time + spare + margin
	b.offer(at, at+fill+1)
	b.block(output, at, at+fill+margin-2)
	b.end(at + fill + 2*margin - 2)
	b.probe()
}

// frame is a frame of so many messages, if there have not been more, at level 0.
func (b *script) frame(messages int) {
	b.avoid(b.toFrame(messages))
	b.hearFrame(messages)
	b.silence()
}

// grow lets short frames end until one has filled the balance by so large a quota, or the
// largest.
func (b *script) grow(quota int64) {
	for b.gate().balance < min(quota, 1<<b.plan.Gate.QuotaBits)-1 {
		b.next()
	}
}

// overfill fills balances of more bits than the largest quota has, where injections cost too
// much for that to happen in other drills.
func (b *script) overfill() {
	for range 2 {
		b.end(b.deliver(1) + margin)
		for !b.gate().armed {
			b.next()
		}
		b.next()
	}
}

// notLow lets a window end that is not low by one message.
func (b *script) notLow() {
	low := int(b.gate().low(&b.plan.Gate))
	if low == 2*b.plan.Gate.Cost {
		// There is no other debt. The window after one that fills balances ends no frame.
		for !b.gate().filled {
			b.next()
		}
		b.next()
	} else {
		b.avoid(b.toWindow(low))
	}
	b.hearTo(low)
	b.next()
}

// low lets a window end that is low by one message, with as much earned as a small quota
// allows: the balance that is filled has more bits than that.
func (b *script) low() {
	b.calm()
	messages := max(mediumFrame, 2*savedQuotas*int(min(b.gate().quota, 4*firstQuota)))
	b.end(b.deliver(min(messages, b.toFrame(restartAbove*3/4)())) + margin/2) // or the next frame would be shorter
	for b.time%(1<<b.plan.Gate.WindowBits) != 0 {
		b.hold(b.plan.Degree)
	}
	b.settle()
	b.end(b.deliver(b.toWindow(int(b.gate().low(&b.plan.Gate)) - 1)()))
	b.next()
	b.next()
	b.probe()
}

// frameUpTo hears messages until so many have been in the frame, which goes on.
func (b *script) frameUpTo(messages int) {
	b.avoid(b.toFrame(messages))
	b.hearFrame(messages)
}

// empty lets a window end with a standstill and a message too few to fill the balance,
// after a low one.
func (b *script) empty() {
	stuck := int(b.gate().enough(&b.plan.Gate)) - 1
	b.frameUpTo(mediumFrame)
	b.lengthen()
	b.avoid(func() int { return stuck })
	b.standAfter(stuck)
	b.settle() // what has stood still is earned
	b.closed()
}

// crowded lets one end that has enough.
func (b *script) crowded(frame int) {
	enough := int(b.gate().enough(&b.plan.Gate))
	b.frameUpTo(frame)
	b.lengthen()
	b.standAfter(enough)
	b.probe()
}

// standAfter lets a window after a low one end in which so many messages are delivered, and
// then the delivery stands still.
func (b *script) standAfter(messages int) {
	for b.settle(); !b.arms(); b.settle() {
		b.next()
	}
	b.standNext(messages)
}

// standNext is that in the window of level 0 after this one, whatever this one is. The first
// message comes in the last cycle of this one, in which it does not count: so enough of them fit
// into the shortest windows.
func (b *script) standNext(messages int) {
	last := b.window()
	end, stands := last+1<<b.plan.Gate.WindowBits, 1<<plan.StandstillBits
	b.feed(0, last-1, last-1+messages)
	b.put(b.plan.Degree, end-stands-1)
	b.block(b.plan.Degree, end-stands, end)
	b.end(end + 1)
}

// arms tells whether the window of level 0 ends low if nothing happens but in its last cycles,
// and there is time to bring that about.
func (b *script) arms() bool {
	g := b.gate()
	return !g.armed && !g.filled && !g.stood && g.still == 0 && g.heard < g.low(&b.plan.Gate) && b.soon() < b.window()
}

// unfilled lets a frame end with a low window, and an output stand still in the one after it, so
// that it does not fill the balance.
func (b *script) unfilled() {
	b.arm()
	b.stand(b.plan.Degree)
	b.next()
}

// arm waits for a low window after which another one may follow that is not: one that ends a frame
// which is not shorter.
func (b *script) arm() {
	for !b.gate().armed || b.gate().shorter {
		b.spendInDoubt()
		b.lengthen()
		b.debt()
		b.next()
	}
}

// lengthen delivers messages until the frame would not be shorter.
func (b *script) lengthen() {
	if g := b.gate(); g.grown > 0 {
		b.settle()
		b.end(b.deliver(b.toFrame(int(frameLengths[g.grown-1]))()) + margin/2)
	}
}

// spendInDoubt tells whether the last window was low and ended a shorter frame, so that what kept the next one from being
// low would raise the level. Then it lets that one fill the balance, and spends it.
func (b *script) spendInDoubt() bool {
	if !b.gate().armed || !b.gate().shorter {
		return false
	}
	b.next()
	b.debt()
	return true
}

// nearlyStill blocks an output for as long as it does not stand still, and then two outputs in
// turn, at level 1. If one had stood still, the memory would not clear the level.
func (b *script) nearlyStill() {
	const window = 1 << plan.StandstillBits
	local := b.plan.Degree
	b.busy() // the window has room for what follows, and for the messages that make it not slow
	b.deepen()
	// it is blocked in the cycle before a window begins, moves in the next one, and is blocked again
	at := ending(plan.StandstillBits, b.soon()+2)
	b.put(local, at-2)
	b.put(local, at)
	b.block(local, at-1, at)
	b.block(local, at+1, at+2*window-1)
	b.end(at + 2*window)
	if link := besides(b.plan); link >= 0 {
		same := local // where what is put to the link is delivered, too
		if f, _ := feedOf(b.plan, link); b.plan.Deliveries > 1 {
			same += f.input
		}
		at := ending(plan.StandstillBits, b.soon()+1)
		b.put(link, at-1)
		b.put(same, at)
		b.block(link, at, at+window-1)
		b.block(same, at+1, at+2*window-1)
		b.end(at + 2*window)
	}
	b.busy()
}

// shrunk lets two outputs be blocked in the window after a low one, of which one moves and the
// other stands still.
func (b *script) shrunk() {
	link, local := besides(b.plan), b.plan.Degree
	if link < 0 {
		return
	}
	b.calm()
	b.arm()
	at := ending(plan.StandstillBits, b.soon()+1)
	b.put(link, at-1)
	b.put(local, at-1)
	b.block(link, at, at+2)
	b.block(local, at, at+1<<plan.StandstillBits)
	b.next()
	b.closed()
}

// besides is a link output to which another link input than the first brings messages; -1
// if there is none.
func besides(p *plan.Plan) int {
	for o, q := range p.Ports {
		if f, ok := feedOf(p, o); ok && f.input > 0 && q.Depth > 0 {
			return o
		}
	}
	return -1
}
