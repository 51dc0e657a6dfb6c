// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// gate is the self-clocked injection gate of a router.
type gate struct {
	balance int64  // b, -2 Cost to below 10 largest quotas
	quota   int64  // A, a power of two
	time    uint32 // t, cycles since reset, modulo a multiple of every window
	frame   uint32 // m, messages heard in this frame
	heard   uint32 // c, messages heard in this window of the level
	still   uint32 // S, outputs that have stood still since the last window of 4 cycles
	blocked uint32 // outputs blocked in the cycle before
	growth  uint8  // g, how often the quota is still to be doubled
	level   uint8  // e, level of congestion, 0..TopLevel
	late    uint8  // the quota begins anew after so many frames, this one included; 0: not settled
	grown   uint8  // if the quota has grown after a frame: how long that was, 0..4
	shorter bool   // the last frame was shorter
	held    bool   // for that reason the quota has not grown after it
	stood   bool   // a standstill in this window of the level
	slow    bool   // the last window of the level was slow
	doubt   bool   // the last two windows of the level were, the last of them at level 0
	armed   bool   // the last window of the level was low
	filled  bool   // it filled the balance
	rich    bool   // the balance was 8 quotas or more at the start of the cycle before
	steady  bool   // no standstill since the last window of the memory
	seen    seen   // in the cycle before
}

// seen is what happens at the local ports of a router in a cycle. The gate acts upon
// it at the end of the next one.
type seen struct {
	waits     bool  // the local input is valid, the gate open, and the handshake does not complete
	injected  bool  // the local input completes a handshake
	delivered uint8 // local outputs that complete one
}

// Numbers of messages heard. Those marked with x are twice as large on machines with
// windows of twice the length.
const (
	longFrame    = 9216 // a frame of so many is put an end to
	restartFrame = 4608 // after one of so many the quota stays for two more, and then begins anew,
	restartAbove = 1024 // above level 0 after one of so many
	shortFrame   = 64   // after a shorter frame the quota doubles three times,
	mediumFrame  = 512  // after a shorter one twice, else once
	lowLeast     = 2    // a shortest window with less is low
	fewAbove     = 16   // x: a window above level 0 with less is few
	manyHeard    = 128  // x: with so many a reason for a lower level; no more are counted
	manyAtOne    = 112  // x: with so many already at level 1, which a lone sender reaches, if nothing has stood still
)

// frameLengths are the numbers of messages by which frames are compared.
var frameLengths = [...]uint32{128, 256, 512, 1024}

// lengthOf is how many of them the messages of a frame have reached.
func lengthOf(messages uint32) (n uint8) {
	for _, length := range frameLengths {
		if messages >= length {
			n++
		}
	}
	return n
}

const (
	firstBalance = 1<<plan.FirstQuotaBits - 1
	firstQuota   = 1 << plan.FirstQuotaBits
	savedQuotas  = 8 // deliveries earn up to so many quotas
	lateFrames   = 2 // after a frame of restartFrame so many have its quota, too
)

// localOutput is the bit of the first local output in a mask of outputs; those of the
// others follow, and bit p stands for link output p.
const localOutput uint32 = 1 << maxDegree

// resetGate is the gate after reset.
func resetGate() gate { return gate{balance: firstBalance, quota: firstQuota} }

// open tells whether the local input may ask. One that has asked may go on: some
// of its copies may have been made.
func (g *gate) open() bool { return all(g.balance >= 0)|all(g.seen.waits) != 0 }

// window is the window of this level, as a power of two of cycles.
func (g *gate) window(k *plan.Gate) int {
	if g.level == 0 {
		return k.WindowBits
	}
	return k.RaisedBits + int(g.level)*plan.LevelBits
}

// few is how many messages in a window are not few.
func (g *gate) few(k *plan.Gate) uint32 {
	if g.level == 0 {
		return 3 << k.WindowBits / 4
	}
	return fewAbove << k.ScaleBits
}

// enough is how many messages in a window tell that the others send, whatever stands still.
func (g *gate) enough(k *plan.Gate) uint32 { return 1 << k.WindowBits / 2 }

// low is how many messages in a window make that it is not low.
func (g *gate) low(k *plan.Gate) uint32 {
	if g.level == 0 {
		if k.WindowBits == plan.LeastBits {
			return lowLeast
		}
		return 3 << k.WindowBits / 16
	}
	return 1
}

// memory is the window of the memory of this level, as a power of two of cycles.
func (g *gate) memory(k *plan.Gate) int { return g.window(k) + plan.MemoryBits }

// left is how many cycles there are from this one to the one that ends a window
// of 2^bits cycles.
func (g *gate) left(bits int) uint32 { return ^g.time & (1<<uint(bits) - 1) }

// ends tells whether the cycle ends a window of 2^bits cycles.
func (g *gate) ends(bits int) bool { return g.left(bits) == 0 }

// step is the clock edge of a cycle in which the given outputs are blocked and
// the rest is as seen.
func (g *gate) step(k *plan.Gate, blocked uint32, now seen) {
	was := *g
	g.seen, g.blocked = now, blocked

	injected, delivered := all(was.seen.injected)&1, uint32(was.seen.delivered)
	heard := injected + delivered
	earned := delivered &^ all(was.rich)
	g.rich = was.balance >= savedQuotas*was.quota
	g.balance += int64(earned) - int64(injected)*int64(k.Cost)
	g.frame += heard
	g.heard += heard & all(was.heard < manyHeard<<k.ScaleBits)
	if was.growth > 0 {
		g.growth--
		g.grow(k)
	}

	switch was.time % (1 << plan.StandstillBits) {
	case 0:
		if was.frame >= longFrame {
			g.endLongFrame(k)
		}
		g.still &= blocked
	case 1<<plan.StandstillBits - 1:
		if was.still == 0 {
			g.still = blocked
		} else {
			g.stood, g.steady, g.still = true, false, 0
		}
		if was.ends(was.window(k)) {
			g.endWindow(k, &was)
		}
	default:
		g.still &= blocked
	}
	g.time++
}

// grow doubles the quota unless it is the largest one.
func (g *gate) grow(k *plan.Gate) { g.quota = min(2*g.quota, 1<<k.QuotaBits) }

// endLongFrame is point 4, with the balance that point 1 leaves.
func (g *gate) endLongFrame(k *plan.Gate) {
	g.frame, g.late, g.quota, g.growth, g.grown = 0, 1, firstQuota, 0, 0
	if g.balance >= 0 {
		g.balance %= 1 << k.CapBits
	}
}

// endWindow is point 6, from the state at the start of the cycle and what the points
// before it have left.
func (g *gate) endWindow(k *plan.Gate, was *gate) {
	few := was.heard < was.few(k)
	low := was.heard < was.low(k) && was.blocked == 0 && !g.stood
	slow := few && (g.stood || was.level > 0 && was.heard > 0)

	g.filled = false
	misled := was.armed && was.shorter && !low // the silence before was false
	switch {
	case misled:
		g.armed, g.quota, g.grown = false, firstQuota, 0
	case g.stood && was.heard < was.enough(k):
		g.armed = false
	case was.armed:
		g.armed, g.filled = false, true
		g.balance = max(g.balance, 0) | (was.quota - 1)
	case low && !was.filled:
		g.armed = true
		g.endFrame(k, was)
	}

	forgets := was.level > 0 && was.ends(was.memory(k))
	switch {
	case forgets && g.steady:
		g.level = 0
	case was.level == 0:
		if misled || was.doubt && few && !low { // many messages at last are no congestion, nor is a silence
			g.level = 1
		}
	case slow && was.slow:
		g.level = min(was.level+1, plan.TopLevel)
	case was.heard >= many(was.level, g.stood)<<k.ScaleBits:
		g.level--
	}
	g.steady = g.steady || forgets
	g.doubt = was.level == 0 && slow && was.slow
	g.slow, g.heard, g.stood = slow, 0, false
}

// many is how many messages in a window lower a level above 0, times x.
func many(level uint8, stood bool) uint32 {
	if level == 1 && !stood {
		return manyAtOne
	}
	return manyHeard
}

// endFrame ends a frame with a silence.
func (g *gate) endFrame(k *plan.Gate, was *gate) {
	most := uint32(restartFrame)
	if was.level > 0 {
		most = restartAbove
	}
	length := lengthOf(was.frame)
	g.shorter = length < was.grown
	g.held = g.shorter && !was.held
	switch {
	case g.held:
		g.growth, length = 0, was.grown
	case was.late > 0:
		if was.late == 1 {
			g.quota = firstQuota
		}
		g.late, g.growth, length = was.late-1, 0, 0
	case was.frame >= most:
		g.late, g.growth, length = lateFrames, 0, 0
	case was.frame < shortFrame:
		g.growth = 3
	case was.frame < mediumFrame:
		g.growth = 2
	default:
		g.growth = 1
	}
	g.frame, g.grown = 0, length
}

// skip is n clock edges at once, all of idle cycles.
func (g *gate) skip(k *plan.Gate, n int) {
	// the cycle before and the end of a long frame act in the first few
	for ; n > 0 && (g.seen != seen{} || g.still|g.blocked != 0 || g.growth > 0 || g.frame >= longFrame); n-- {
		g.step(k, 0, seen{})
	}
	for n > 0 {
		// then nothing happens but at the end of a window and right after it
		rest := min(int(g.left(g.window(k))), n)
		if rest > 0 {
			g.rich = g.balance >= savedQuotas*g.quota
		}
		g.time += uint32(rest)
		for n -= rest; n > 0 && (g.growth > 0 || g.ends(g.window(k))); n-- {
			g.step(k, 0, seen{})
		}
		if g.settled(k) {
			period := 3 << g.window(k)
			g.time += uint32(n / period * period)
			n %= period
		}
	}
}

// settled tells whether nothing changes any more in idle cycles, but that the next window
// arms the gate, the one after it fills a balance that is full, the third does neither, and
// so on.
func (g *gate) settled(k *plan.Gate) bool {
	largest := int64(1) << k.QuotaBits
	return !g.armed && !g.filled && g.level == 0 && g.quota == largest && g.balance >= 0 && g.balance|(largest-1) == g.balance &&
		g.frame == 0 && g.late == 0 && g.grown == 0 && !g.shorter && !g.held && g.heard == 0 && !g.stood && !g.slow && !g.doubt
}
