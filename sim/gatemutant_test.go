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
