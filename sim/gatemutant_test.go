// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flaw says what is wrong with a gate. Numbers are added to what is right.
type flaw struct {
	windowEnds, standstillEnds, memoryEnds int // cycles by which windows end too late

	paysAtOnce, earnsAtOnce, hearsAtOnce, lowAtOnce         bool
	earnsNothing, earnsAlways, earnsUpToQuota, earnsOneLess bool
	earnsNotWithPayment, limitAtOnce, limitOfStart          bool
	hearsNoInjections, hearsNoDeliveries, hearsOneOfTwo     bool
	countsAtEnd, countsNoMore                               bool

	longMore, longScale                               int
	longAnyTime, longNever, longKeepsQuota            bool
	longKeepsBalance, longClearsBalance, longPaysLess bool
	longForgives, longNotLate, longKeepsFrame         bool
	longKeepsGrown                                    bool

	loadsAlways, reloads, keeps, renews, grows, breaks, needsLast, loadsLate, loadsValid bool
	stoodNever, stoodStays, stoodLate                                                    bool

	fewMore, stuckMore, lowMore, manyMore, manyAtOneMore                 int
	lowScale, fewScale                                                   int
	stuckAsFew                                                           bool
	lowAbove, lowNever, lowNotFew, lowAlways                             bool
	fillsNot, fillsAtOnce, fillsCap, fillsMore, fillsAdds, fillsMax      bool
	fillsNoDebt, fillsWithoutPayment, fillsLow, disarmsNever, disarmsAny bool
	rearms, staysArmed, endsAgain                                        bool

	shortMore, mediumMore, restartMore, aboveMore, growthMore                  int
	growsNot, growsOnce, restartsNever, restartsAboveAsBelow, lateIs           bool
	restartsAtOnce, lateAgain, fewAsAbove, fewAsAt0, windowAsAbove             bool
	lateStays, lateGrows, frameStays, longLateTwice                            bool
	lateMore                                                                   int
	lengthNot, lengthMore                                                      int
	shorterOrSame, shorterNot0, heldNever, heldAgain, heldRestarts             bool
	heldForgets, grownLate, falseNever, falseAny, falseHeld, falseStuck        bool
	falseUnstuck, falseUnblocked, falseFills, falseKeepsQuota, falseKeepsGrown bool
	falseLevel0                                                                bool
	slowNot, slowNeedsStood, slowAtLevel0, slowOnce, slowStays                 bool
	doubtNot, doubtStays, doubtNeedsSlow, doubtLow, doubtMany, doubtStood      bool
	risesNot, risesTwice, wraps, fallsNot, fallsTo0, fallsAtLow                bool
	forgetsNever, forgetsUnsteady, forgetsOne, steadyStays, steadyAt           bool
	steadyNever, forgetsLevel1, forgetsLevel2, memoryOfBelow, fallsWin         bool
	manyAsAbove, manyStood                                                     bool  // level 1 falls as the others do, or whatever stands still
	manyAsAtOne                                                                uint8 // bit by level: it falls as level 1 does

	askedLoses, opensForAll, opensAt1 bool

	// of several deliveries in a cycle
	earnsOne                 bool
	earnsNotBit, hearsNotBit uint8 // bits of their number that are lost

	before edge // the cycle before
	stood  bool // in the window before
}

// step is the clock edge of a gate as docs/architecture.md has it, but for the flaw.
func (f *flaw) step(g *gate, k *plan.Gate, e edge) {
	was, before := *g, f.before
	f.before = e
	x := 1 << k.ScaleBits
	ends := func(bits, late int) bool { return (int(was.time)-late+1)%(1<<bits) == 0 }
	handshakes := was.seen
	if f.paysAtOnce {
		handshakes.injected = e.now.injected
	}
	if f.earnsAtOnce {
		handshakes.delivered = e.now.delivered
	}

	// point 1
	limit := int64(8)
	if f.earnsUpToQuota {
		limit = 1
	}
	start := was.balance >= limit*was.quota
	if f.earnsOneLess {
		start = was.balance >= limit*was.quota-1
	}
	late := was.rich
	if f.limitAtOnce {
		late = start
	}
	if (!late || f.earnsAlways) && !f.earnsNothing && !(f.earnsNotWithPayment && handshakes.injected) {
		g.balance += int64(handshakes.delivered &^ f.earnsNotBit)
		if f.earnsOne && handshakes.delivered > 1 {
			g.balance -= int64(handshakes.delivered) - 1
		}
	}
	if handshakes.injected {
		g.balance -= int64(k.Cost)
	}
	g.rich = start
	paid := g.balance

	// point 2
	hears := was.seen
	if f.hearsAtOnce {
		hears = e.now
	}
	heard := 0
	if hears.injected && !f.hearsNoInjections {
		heard++
	}
	if !f.hearsNoDeliveries {
		heard += int(hears.delivered &^ f.hearsNotBit)
	}
	if f.hearsOneOfTwo {
		heard = min(heard, 1)
	}
	m, c := int(was.frame), int(was.heard)
	g.frame = uint32(m + heard)
	if c < 128*x {
		g.heard = uint32(c + heard)
	}
	if f.countsNoMore {
		g.heard = min(g.heard, uint32(8*x))
	}

	// point 3
	if was.growth > 0 {
		g.growth--
		if was.quota < 1<<k.QuotaBits && !f.growsNot {
			g.quota *= 2
		}
	}

	// point 4
	if m >= (9216+f.longMore)<<f.longScale && (was.time%4 == 0 || f.longAnyTime) && !f.longNever {
		if !f.longKeepsFrame {
			g.frame = 0
		}
		g.late = 1
		if f.longNotLate {
			g.late = 0
		}
		if f.longLateTwice {
			g.late = 2
		}
		if !f.longKeepsQuota {
			g.quota, g.growth = 16, 0
		}
		if !f.longKeepsGrown {
			g.grown = 0
		}
		balance := g.balance
		if f.longPaysLess {
			balance = was.balance
		}
		switch {
		case f.longKeepsBalance:
		case f.longClearsBalance:
			g.balance = 0
		case balance >= 0 || f.longForgives:
			g.balance = balance & (1<<k.CapBits - 1)
		}
	}

	// point 5
	blocked := e.blocked
	standstill := false
	switch ended := ends(2, f.standstillEnds); {
	case ended && was.still != 0 && (!f.needsLast || was.still&blocked != 0) && !f.stoodNever:
		standstill = true
		if f.keeps {
			break
		}
		g.still = 0
		if f.reloads {
			g.still = blocked
		}
	case was.still == 0 && (ended || f.loadsAlways):
		g.still = blocked
		if f.loadsLate {
			g.still = before.blocked
		}
		if f.loadsValid {
			g.still = e.valid
		}
	case f.grows && was.still&blocked != 0:
		g.still = blocked
	case f.breaks && was.still&^blocked != 0:
		g.still = 0
	case f.renews && was.still&blocked == 0 && was.still != 0:
		g.still = blocked
	default:
		g.still = was.still & blocked
	}
	if standstill {
		g.stood = true
		g.steady = f.steadyStays && was.steady
	}

	if ends(f.window(k, was), f.windowEnds) {
		f.endWindow(g, k, e, &was, paid, standstill)
	}

	g.seen, g.blocked = e.now, e.blocked
	if f.askedLoses {
		g.seen.waits = e.now.waits && g.balance >= 0
	}
	if f.opensForAll {
		g.seen.waits = e.offered && !e.now.injected
	}
	if f.opensAt1 && g.balance == 0 {
		g.seen.waits = e.now.waits
	}
	g.time++
}

// window is the window of the level, as a power of two of cycles.
func (f *flaw) window(k *plan.Gate, was gate) int {
	if was.level == 0 && !f.windowAsAbove {
		return k.WindowBits
	}
	return k.RaisedBits + 2*int(was.level)
}

// endWindow is point 6.
func (f *flaw) endWindow(g *gate, k *plan.Gate, e edge, was *gate, paid int64, standstill bool) {
	x := 1 << k.ScaleBits
	m, c := int(was.frame), int(was.heard)
	if f.countsAtEnd {
		c = int(g.heard)
	}
	stood := g.stood
	few := c < (16*x+f.fewMore)<<f.fewScale
	if was.level == 0 && !f.fewAsAbove || f.fewAsAt0 {
		few = c < (3<<k.WindowBits/4+f.fewMore)<<f.fewScale
	}
	stuck := stood && (c < 1<<k.WindowBits/2+f.stuckMore || f.stuckAsFew && few)
	next := 3 << k.WindowBits / 16
	if k.WindowBits == 4 {
		next = 2
	}
	next = next + f.lowMore
	low := c == 0 || (was.level == 0 || f.lowAbove) && c < next<<f.lowScale
	unblocked := low
	switch blocked := was.blocked; {
	case f.lowAtOnce:
		low = low && e.blocked == 0
	case f.lowNever:
		low = low && c == 0 && blocked == 0
	case f.lowNotFew:
		low = few && blocked == 0
	case !f.lowAlways:
		low = low && blocked == 0
	}
	unstood := low
	low = low && !stood
	slow := few && (stood || (was.level > 0 || f.slowAtLevel0) && c > 0 && !f.slowNeedsStood)

	// (a)
	disarms := stuck && !f.disarmsNever || f.disarmsAny && stood
	quiet := low
	switch {
	case f.falseStuck:
		quiet = !stuck
	case f.falseUnstuck:
		quiet = low || stuck
	case f.falseUnblocked:
		quiet = unblocked && !stood
	}
	isFalse := was.armed && (was.shorter || f.falseAny) && !quiet && !f.falseNever
	if f.falseHeld {
		isFalse = isFalse && was.held
	}
	fills := was.armed && !disarms && (!isFalse || f.falseFills)
	if f.fillsLow {
		fills = fills && low
	}
	if f.fillsAtOnce {
		fills = !disarms && !was.armed && low
	}
	after := was.filled && !f.endsAgain
	g.filled = fills
	if disarms || was.armed && !f.staysArmed {
		g.armed = false
	}
	if isFalse {
		if !f.falseKeepsQuota {
			g.quota = 16
		}
		if !f.falseKeepsGrown {
			g.grown = 0
		}
	}
	if fills && !f.fillsNot {
		balance := paid
		if f.fillsWithoutPayment {
			balance = was.balance
		}
		balance = max(balance, 0)
		switch full := was.quota - 1; {
		case f.fillsNoDebt:
			g.balance = balance
		case f.fillsCap:
			g.balance = balance | 127
		case f.fillsMore:
			g.balance = max(paid, 0) + full + 1
		case f.fillsAdds:
			g.balance = paid + full
		case f.fillsMax:
			g.balance = max(balance, full)
		default:
			g.balance = balance | full
		}
	}
	if !disarms && (!was.armed || f.rearms) && low && !after {
		g.armed = true
		most := 4608 + f.restartMore
		if was.level > 0 && !f.restartsAboveAsBelow {
			most = 1024 + f.aboveMore
		}
		much := m >= most && !f.restartsNever
		length := 0
		for _, n := range []int{128, 256, 512, 1024} {
			if f.lengthNot != n && m >= n+f.lengthMore {
				length++
			}
		}
		g.shorter = length < int(was.grown) || f.shorterOrSame && length <= int(was.grown) && was.grown > 0
		if f.shorterNot0 && m == 0 {
			g.shorter = false
		}
		g.held = g.shorter && (!was.held || f.heldAgain) && !f.heldNever
		switch {
		case g.held:
			g.growth = 0
			if f.heldRestarts {
				g.quota = 16
			}
		case much && f.restartsAtOnce || was.late == 1 && !f.lateGrows:
			g.quota, g.growth = 16, 0
		case much || was.late > 0 && !f.lateGrows:
			g.growth = 0
		case m < 64+f.shortMore:
			g.growth = 3
		case m < 512+f.mediumMore:
			g.growth = 2
		default:
			g.growth = 1
		}
		if g.growth > 0 && f.growsOnce {
			g.growth = 1
		}
		if g.growth > 0 {
			g.growth = uint8(int(g.growth) + f.growthMore)
		}
		if !f.frameStays {
			g.frame = 0
		}
		switch {
		case g.held && !f.heldForgets:
		case g.growth > 0 || f.grownLate:
			g.grown = uint8(length)
		default:
			g.grown = 0
		}
		switch {
		case g.held:
		case f.lateIs:
			g.late = 1
		case f.restartsAtOnce:
			g.late = 0
		case was.late > 0 && !(much && f.lateAgain):
			if !f.lateStays {
				g.late--
			}
		case much:
			g.late = uint8(2 + f.lateMore)
		}
	}

	// (b)
	forgot := false
	memory := k.RaisedBits + 7 + 2*int(was.level)
	if f.memoryOfBelow {
		memory -= 2
	}
	if was.level > 0 && (int(was.time)-f.memoryEnds+1)%(1<<memory) == 0 {
		never := f.forgetsNever || f.forgetsLevel1 && was.level != 1 || f.forgetsLevel2 && was.level != 2
		if (g.steady || f.forgetsUnsteady) && !never {
			g.level, forgot = 0, true
			if f.forgetsOne {
				g.level = was.level - 1
			}
		}
		g.steady = !f.steadyNever && !(f.steadyAt && standstill)
	}
	enough := 128*x + f.manyMore
	if (was.level == 1 && !f.manyAsAbove || f.manyAsAtOne>>was.level&1 != 0) && (!stood || f.manyStood) {
		enough = 112*x + f.manyAtOneMore
	}
	many := c >= enough
	doubt := was.doubt && (slow || !f.doubtNeedsSlow)
	if f.doubtNot {
		doubt = slow && was.slow
	}
	if f.slowOnce {
		doubt = was.slow
	}
	if !forgot {
		switch {
		case was.level == 0 && !(isFalse && !f.falseLevel0) && !(doubt && (few || f.doubtMany) && (!low && !(f.doubtStood && unstood) || f.doubtLow || f.doubtNot) && !f.risesNot):
		case was.level == 0 || slow && (was.slow || f.slowOnce) && !f.risesNot:
			g.level = min(was.level+1, 4)
			if f.risesTwice {
				g.level = min(was.level+2, 4)
			}
			if f.wraps && was.level == 4 {
				g.level = 0
			}
		case was.level > 0 && (many || f.fallsAtLow && low) && !f.fallsNot:
			g.level--
			if f.fallsTo0 {
				g.level = 0
			}
		}
	}

	// (c)
	g.doubt = was.level == 0 && (slow && was.slow || f.doubtStays && was.doubt)
	g.slow = slow && !f.slowNot || f.slowStays && was.slow
	g.heard = 0
	g.stood = f.stoodStays || f.stoodLate && stood && !f.stood
	f.stood = stood
}

// The clock edge by hand and that of the model must be the same in any state.
func TestGateWithoutAFlawEqualsTheGate(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	tiny := small
	tiny.WindowBits, tiny.RaisedBits = 3, plan.StandstillBits
	for _, k := range []plan.Gate{tiny, small, newPlan(t, rings{{4, 1}, {4, 1}}).Gate, newPlan(t, rings{{8, 1}, {8, 1}}).Gate} {
		for range 300_000 {
			level := random.IntN(5)
			// near the ends of windows
			time := random.Uint32()>>random.IntN(32)<<(k.WindowBits+random.IntN(2*level+8)) - 1 + random.Uint32N(3)
			a := anyGate(random, &k, time)
			a.level = uint8(level)
			b, before := a, a
			var blocked uint32
			if random.IntN(2) == 0 {
				blocked = random.Uint32N(8)
			}
			now := seen{random.IntN(2) == 0, random.IntN(2) == 0, uint8(random.IntN(4) * random.IntN(5))}
			a.step(&k, blocked, now)
			new(flaw).step(&b, &k, edge{blocked: blocked, now: now})
			if a != b {
				require.Equal(t, b, a, "%+v", before)
			}
		}
	}
}

// A gate without a flaw must not differ, or the tests below prove nothing.
func TestGateWithoutAFlawEqualsTheRouterTrace(t *testing.T) {
	t.Parallel()
	for _, r := range mutated {
		p := newPlan(t, r)
		require.Equal(t, traceLength(p), firstDifference(p, mutant{step: new(flaw).step}), "%v", r)
	}
}

// flaws of gates that must show in the trace of every machine.
var flaws = map[string]func(*flaw){
	"injections act at once":                          func(f *flaw) { f.paysAtOnce = true },
	"blocked outputs of the last cycle count for low": func(f *flaw) { f.lowAtOnce = true },
	"S is loaded in any cycle":                        func(f *flaw) { f.loadsAlways = true },
	"S must be blocked at the end of the window":      func(f *flaw) { f.needsLast = true },
	"S is loaded with what was blocked before":        func(f *flaw) { f.loadsLate = true },
	"no standstills":                                  func(f *flaw) { f.stoodNever = true },
	"a standstill is never over":                      func(f *flaw) { f.stoodStays = true },
	"a standstill counts for the next window":         func(f *flaw) { f.stoodLate = true },
	"windows end one cycle too early":                 func(f *flaw) { f.windowEnds = -1 },
	"windows end one cycle too late":                  func(f *flaw) { f.windowEnds = 1 },
	"standstills end one cycle too early":             func(f *flaw) { f.standstillEnds = -1 },
	"standstills end one cycle too late":              func(f *flaw) { f.standstillEnds = 1 },
	"low above level 0":                               func(f *flaw) { f.lowAbove = true },
	"only no message is low":                          func(f *flaw) { f.lowNever = true },
	"few is low":                                      func(f *flaw) { f.lowNotFew = true },
	"low with a blocked output":                       func(f *flaw) { f.lowAlways = true },
	"low one message earlier":                         func(f *flaw) { f.lowMore = -1 },
	"low one message later":                           func(f *flaw) { f.lowMore = 1 },
	"few one message earlier":                         func(f *flaw) { f.fewMore = -1 },
	"few one message later":                           func(f *flaw) { f.fewMore = 1 },
	"few at level 0 as above":                         func(f *flaw) { f.fewAsAbove = true },
	"few above level 0 as there":                      func(f *flaw) { f.fewAsAt0 = true },
	"stuck one message earlier":                       func(f *flaw) { f.stuckMore = -1 },
	"stuck one message later":                         func(f *flaw) { f.stuckMore = 1 },
	"few and a standstill are stuck":                  func(f *flaw) { f.stuckAsFew = true },
	"many one message earlier":                        func(f *flaw) { f.manyMore = -1 },
	"many one message later":                          func(f *flaw) { f.manyMore = 1 },
	"many one message earlier at level 1":             func(f *flaw) { f.manyAtOneMore = -1 },
	"many one message later at level 1":               func(f *flaw) { f.manyAtOneMore = 1 },
	"many at level 1 as above":                        func(f *flaw) { f.manyAsAbove = true },
	"many at all levels as at level 1":                func(f *flaw) { f.manyAsAtOne = 0b11110 },
	"many at level 2 as at level 1":                   func(f *flaw) { f.manyAsAtOne = 0b00100 },
	"many at level 3 as at level 1":                   func(f *flaw) { f.manyAsAtOne = 0b01000 },
	"deliveries are not heard":                        func(f *flaw) { f.hearsNoDeliveries = true },
	"c is not counted on":                             func(f *flaw) { f.countsNoMore = true },
	"does not fill":                                   func(f *flaw) { f.fillsNot = true },
	"fills in the low window":                         func(f *flaw) { f.fillsAtOnce = true },
	"fills only in a low window":                      func(f *flaw) { f.fillsLow = true },
	"a standstill does not disarm":                    func(f *flaw) { f.disarmsNever = true },
	"any standstill disarms":                          func(f *flaw) { f.disarmsAny = true },
	"stays armed":                                     func(f *flaw) { f.staysArmed = true },
	"a frame ends right after it has filled":          func(f *flaw) { f.endsAgain = true },
	"slow does not last":                              func(f *flaw) { f.slowNot = true },
	"slow only with a standstill":                     func(f *flaw) { f.slowNeedsStood = true },
	"slow at level 0 without a standstill":            func(f *flaw) { f.slowAtLevel0 = true },
	"one slow window raises":                          func(f *flaw) { f.slowOnce = true },
	"once slow, always slow":                          func(f *flaw) { f.slowStays = true },
	"the level does not rise":                         func(f *flaw) { f.risesNot = true },
	"level 0 rises with the second slow window":       func(f *flaw) { f.doubtNot = true },
	"level 0 rises with the third slow window only":   func(f *flaw) { f.doubtNeedsSlow = true },
	"level 0 rises with a silence":                    func(f *flaw) { f.doubtLow = true },
	"level 0 rises with a window of many messages":    func(f *flaw) { f.doubtMany = true },
	"a silence with a standstill leaves level 0":      func(f *flaw) { f.doubtStood = true },
	"doubt lasts":                                     func(f *flaw) { f.doubtStays = true },
	"the level rises by two":                          func(f *flaw) { f.risesTwice = true },
	"the level does not fall":                         func(f *flaw) { f.fallsNot = true },
	"the level falls to 0":                            func(f *flaw) { f.fallsTo0 = true },
	"low windows lower the level":                     func(f *flaw) { f.fallsAtLow = true },
	"level 1 falls past a standstill":                 func(f *flaw) { f.manyStood = true },
	"no silence is false":                             func(f *flaw) { f.falseNever = true },
	"any silence may be false":                        func(f *flaw) { f.falseAny = true },
	"a false silence fills":                           func(f *flaw) { f.falseFills = true },
	"a false silence leaves level 0":                  func(f *flaw) { f.falseLevel0 = true },
	"never forgets":                                   func(f *flaw) { f.forgetsNever = true },
	"forgets after a standstill":                      func(f *flaw) { f.forgetsUnsteady = true },
	"never steady":                                    func(f *flaw) { f.steadyNever = true },
	"the memory of the level below":                   func(f *flaw) { f.memoryOfBelow = true },
	"a message that has asked loses its turn":         func(f *flaw) { f.askedLoses = true },
	"open for any message that waits":                 func(f *flaw) { f.opensForAll = true },
}

// linkFlaws must show where a link input can put a message to another output.
var linkFlaws = map[string]func(*flaw){
	"S grows":                             func(f *flaw) { f.grows = true },
	"S is loaded with what is valid":      func(f *flaw) { f.loadsValid = true },
	"S is renewed as soon as it is empty": func(f *flaw) { f.renews = true },
}

// costFlaws must show where deliveries pay for injections.
var costFlaws = map[string]func(*flaw){
	"deliveries act at once":                      func(f *flaw) { f.earnsAtOnce = true },
	"deliveries do not count":                     func(f *flaw) { f.earnsNothing = true },
	"deliveries always count":                     func(f *flaw) { f.earnsAlways = true },
	"deliveries count up to the quota":            func(f *flaw) { f.earnsUpToQuota = true },
	"deliveries count up to one less":             func(f *flaw) { f.earnsOneLess = true },
	"deliveries stop a cycle earlier":             func(f *flaw) { f.limitAtOnce = true },
	"a delivery with an injection does not count": func(f *flaw) { f.earnsNotWithPayment = true },
	"injections are not heard":                    func(f *flaw) { f.hearsNoInjections = true },
	"fills without the debt":                      func(f *flaw) { f.fillsAdds = true },
	"fills up to the cap":                         func(f *flaw) { f.fillsCap = true },
	"fills one more":                              func(f *flaw) { f.fillsMore = true },
	"fills to the larger one":                     func(f *flaw) { f.fillsMax = true },
	"only pays the debt":                          func(f *flaw) { f.fillsNoDebt = true },
	"the quota does not grow":                     func(f *flaw) { f.growsNot = true },
	"the quota doubles only once":                 func(f *flaw) { f.growsOnce = true },
	"the quota doubles once less":                 func(f *flaw) { f.growthMore = -1 },
	"the quota never begins anew":                 func(f *flaw) { f.restartsNever = true },
	"it begins anew above level 0 as below":       func(f *flaw) { f.restartsAboveAsBelow = true },
	"it begins anew after one frame":              func(f *flaw) { f.restartsAtOnce = true },
	"a late frame makes the next one late":        func(f *flaw) { f.lateAgain = true },
	"a frame is short one message longer":         func(f *flaw) { f.shortMore = 1 },
	"a frame is short one message less":           func(f *flaw) { f.shortMore = -1 },
	"a frame is medium one message less":          func(f *flaw) { f.mediumMore = -1 },
	"frames do not end":                           func(f *flaw) { f.frameStays = true },
	"all frames are late":                         func(f *flaw) { f.lateIs = true },
	"it begins anew one frame earlier":            func(f *flaw) { f.lateMore = -1 },
	"it begins anew one frame later":              func(f *flaw) { f.lateMore = 1 },
	"it begins anew one message earlier above":    func(f *flaw) { f.aboveMore = -1 },
	"it begins anew one message later above":      func(f *flaw) { f.aboveMore = 1 },
}

// portFlaws must show where there are several deliveries in a cycle.
var portFlaws = map[string]func(*flaw){
	"only one of several deliveries counts": func(f *flaw) { f.earnsOne = true },
	"every other delivery of two is lost":   func(f *flaw) { f.earnsNotBit = 2 },
	"one delivery of an odd number is lost": func(f *flaw) { f.earnsNotBit = 1 },
	"two deliveries are not heard":          func(f *flaw) { f.hearsNotBit = 2 },
	"an odd delivery is not heard":          func(f *flaw) { f.hearsNotBit = 1 },
}

// doubtFlaws must show where frames can be compared by all their numbers.
var doubtFlaws = map[string]func(*flaw){
	"frames are longer with a message less":             func(f *flaw) { f.lengthMore = -1 },
	"frames are longer with a message more":             func(f *flaw) { f.lengthMore = 1 },
	"a frame that is as long is shorter":                func(f *flaw) { f.shorterOrSame = true },
	"a frame without messages is not shorter":           func(f *flaw) { f.shorterNot0 = true },
	"the quota grows after a shorter frame":             func(f *flaw) { f.heldNever = true },
	"it does not grow after any number of them":         func(f *flaw) { f.heldAgain = true },
	"it begins anew after one":                          func(f *flaw) { f.heldRestarts = true },
	"the frame before it is forgotten":                  func(f *flaw) { f.heldForgets = true },
	"a frame after which the quota stays is no shorter": func(f *flaw) { f.grownLate = true },
	"only the first silence may be false":               func(f *flaw) { f.falseHeld = true },
	"only one that is stuck is false":                   func(f *flaw) { f.falseStuck = true },
	"only one that is not stuck is false":               func(f *flaw) { f.falseUnstuck = true },
	"none is false because of a blocked output":         func(f *flaw) { f.falseUnblocked = true },
	"a false silence keeps the quota":                   func(f *flaw) { f.falseKeepsQuota = true },
	"a false silence keeps what has grown":              func(f *flaw) { f.falseKeepsGrown = true },
}

// longFlaws must show where frames of thousands of messages are in reach, too.
var longFlaws = map[string]func(*flaw){
	"it begins anew one message earlier":    func(f *flaw) { f.restartMore = -1 },
	"it begins anew one message later":      func(f *flaw) { f.restartMore = 1 },
	"a long frame is one message longer":    func(f *flaw) { f.longMore = 1 },
	"a long frame is some messages shorter": func(f *flaw) { f.longMore = -200 },
	"no long frames":                        func(f *flaw) { f.longNever = true },
	"a long frame keeps its quota":          func(f *flaw) { f.longKeepsQuota = true },
	"a long frame keeps the balance":        func(f *flaw) { f.longKeepsBalance = true },
	"a long frame clears the balance":       func(f *flaw) { f.longClearsBalance = true },
	"a long frame loses a payment":          func(f *flaw) { f.longPaysLess = true },
	"a long frame is not late":              func(f *flaw) { f.longNotLate = true },
	"a long frame counts on":                func(f *flaw) { f.longKeepsFrame = true },
	"a late frame grows":                    func(f *flaw) { f.lateGrows = true },
	"a frame stays late":                    func(f *flaw) { f.lateStays = true },
	"a long frame leaves the quota for one": func(f *flaw) { f.longLateTwice = true },
}

// Wrong rules of the gate must show.
func TestRouterTraceShowsFlawsOfTheGate(t *testing.T) {
	t.Parallel()
	for i, r := range mutated {
		t.Run(fmt.Sprint(r), func(t *testing.T) { showsFlaws(t, r, newPlan(t, r)) })
		v := variants[1+i%3]
		t.Run(fmt.Sprintf("%v/%s", r, v.name), func(t *testing.T) { showsFlaws(t, r, newPlan(t, r, v.options...)) })
	}
}

func showsFlaws(t *testing.T, r rings, p *plan.Plan) {
	t.Helper()
	all := maps.Clone(flaws)
	if p.Gate.WindowBits != p.Gate.RaisedBits {
		all["windows of level 0 as above"] = func(f *flaw) { f.windowAsAbove = true }
	}
	if besides(p) >= 0 {
		maps.Copy(all, linkFlaws)
	}
	if costReachable(p) {
		maps.Copy(all, costFlaws)
		if longReachable(p) {
			maps.Copy(all, longFlaws)
			if comparable(p) {
				maps.Copy(all, doubtFlaws)
				for i, length := range frameLengths {
					if comparableBy(p, i) {
						all[fmt.Sprintf("frames are not compared by %d", length)] = func(f *flaw) { f.lengthNot = int(length) }
					}
				}
				if p.Gate.ScaleBits == 0 && p.Gate.Cost > 3 {
					all["a long frame keeps what has grown"] = func(f *flaw) { f.longKeepsGrown = true }
				}
			}
			if p.Gate.Cost == 1 { // which a delivery makes up for
				delete(all, "a long frame loses a payment")
			}
		}
		if p.Deliveries > 1 {
			maps.Copy(all, portFlaws)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := &flaw{}
		all[name](f)
		assert.Less(t, firstDifference(p, mutant{step: f.step}), traceLength(p), "%v: %s", r, name)
	}
}
