// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"maps"
	"slices"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// flaw says what is wrong with a gate.
type flaw struct {
	// cycles by which windows end too late
	lateStandstill, lateSilence, lateMemory [4]int // by level
	latePatience, latePauses                int
	longMemory                              [4]int // by level: so many times longer, as a power of two

	paysAtOnce, earnsAtOnce, calmAtOnce, quietAtOnce, waitsAtOnce bool

	earnsAtCap, earnsAtCapWithPayment, earnsNotToCap, earnsNotWithPayment, earnsNothing bool
	forgivesAlways, forgivesAtLevel1, forgivesTooMuch                                   bool

	loadsAlways, reloads, keeps, renews, grows, breaks, needsLast, loadsLate, loadsValid, countsValid bool
	risesNot, risesToTop, wraps, refillsWithRise                                                      bool

	refillsNot, refillsNotAtLevel0, opensOnly, paysAfterRefill, refillsLess, refillsMore bool
	silentAlways, silentOnce, silentLong, fallsNot, fallsTo0                             bool

	forgetsNever, forgetsUnsteady, steadyAlways, steadyAtEnd, forgetsWithRise, forgetsTwice, forgetsAll, refillsWithMemory bool
	forgetsNotAtLevel1, forgetsNotAtLevel2, steadyWithin, unsteadyAfterFall                                                bool

	pausesNever, pausesOnce, pausesLong, pausesNotAtLevel0, injectionEndsPause                  bool
	waitsForHandshakes, waitsAtShutGate, waitsWithoutMessage, waitedAlways, waitedOr, waitedNot bool

	askedLoses, opensForAll bool

	before edge // the cycle before
	paused bool // the last window of the patience ended with a pause
}

// step is the clock edge of a gate as docs/architecture.md has it, but for the flaw.
func (f *flaw) step(g *gate, k *plan.Gate, e edge) {
	was, before := *g, f.before
	f.before = e
	ends := func(bits, late int) bool { return (int(was.time)-late+1)%(1<<bits) == 0 }
	saw := was.seen
	instead := func(flaw bool, what *bool, now bool) {
		if flaw {
			*what = now
		}
	}
	instead(f.paysAtOnce, &saw.injected, e.now.injected)
	instead(f.earnsAtOnce, &saw.delivered, e.now.delivered)
	instead(f.calmAtOnce, &saw.calm, e.now.calm)
	instead(f.quietAtOnce, &saw.quiet, e.now.quiet)
	instead(f.waitsAtOnce, &saw.waits, e.now.waits)

	// point 1
	if saw.injected {
		g.balance -= int32(k.Cost)
	}
	atCap := was.balance >= int32(k.Cap)
	earns := saw.delivered && (!atCap || f.earnsAtCap || f.earnsAtCapWithPayment && saw.injected)
	if f.earnsNothing || f.earnsNotToCap && was.balance == int32(k.Cap)-1 || f.earnsNotWithPayment && saw.injected {
		earns = false
	}
	if earns {
		g.balance++
	}
	if saw.quiet && g.balance < 0 && (was.level == 0 || f.forgivesAlways || f.forgivesAtLevel1 && was.level == 1) {
		g.balance = 0
		if f.forgivesTooMuch {
			g.balance = int32(k.Cost)
		}
	}

	// point 2
	blocked := e.blocked
	if f.countsValid {
		blocked = e.links
	}
	level := int(was.level)
	ended := ends(k.StandstillBits+level*k.ScaleBits, f.lateStandstill[level])
	standstill := ended && was.still != 0 && (!f.needsLast || was.still&blocked != 0)
	switch {
	case standstill && !f.keeps:
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
			g.still = e.links
			if e.local {
				g.still |= localOutput
			}
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
	up, down := 0, 0
	if standstill && !f.risesNot {
		up = 1
		if f.refillsWithRise {
			g.balance = int32(k.Cap)
		}
	}

	// point 3
	if ends(k.SilenceBits+level*k.ScaleBits, f.lateSilence[level]) {
		if was.silent {
			if !f.fallsNot {
				down = 1
			}
			switch {
			case f.refillsNot || f.refillsNotAtLevel0 && level == 0:
			case f.opensOnly:
				g.balance = max(g.balance, 0)
			default:
				g.balance = int32(k.Cap)
				if f.paysAfterRefill && saw.injected {
					g.balance -= int32(k.Cost)
				}
				if f.refillsLess {
					g.balance--
				}
				if f.refillsMore {
					g.balance++
				}
			}
		}
		g.silent = saw.calm && !(f.silentOnce && was.silent) || f.silentAlways
	} else {
		g.silent = was.silent && (saw.calm || f.silentLong)
	}

	// point 4
	remembers := level > 0 && ends(k.MemoryBits+level*k.ScaleBits+f.longMemory[level], f.lateMemory[level])
	if remembers {
		never := f.forgetsNever || f.forgetsNotAtLevel1 && level == 1 || f.forgetsNotAtLevel2 && level == 2
		g.steady = true
		if (was.steady || f.forgetsUnsteady) && (!standstill || f.forgetsWithRise) && !never {
			down = max(down, 1)
			if f.forgetsTwice && was.silent {
				down = 2
			}
			if f.forgetsAll {
				down = level
			}
			if f.refillsWithMemory {
				g.balance = int32(k.Cap)
			}
			g.steady = !f.unsteadyAfterFall
		}
	}
	if standstill && !f.steadyAlways && !(f.steadyAtEnd && remembers) && !(f.steadyWithin && !remembers) {
		g.steady = false
	}

	rises := up > 0 && level < k.TopLevel
	switch {
	case rises && f.risesToTop:
		g.level = uint8(k.TopLevel)
	case up > 0 && f.wraps && level == k.TopLevel:
		g.level = 0
	case down > 0 && f.fallsTo0:
		g.level = 0
	default:
		g.level = uint8(max(0, min(k.TopLevel, level+up)-down))
	}

	// point 5
	waits := saw.waits
	waits = waits || f.waitsForHandshakes && (saw.waits || saw.injected)
	waits = waits || f.waitsAtShutGate && before.offered && !before.now.injected
	waits = waits || f.waitsWithoutMessage && before.open && !before.now.injected
	if ends(k.PatienceBits, f.latePatience) {
		g.pausing = was.waited && !f.pausesNever && !(f.pausesOnce && f.paused)
		f.paused = g.pausing
		g.waited = waits && !(f.waitedNot && was.waited) || f.waitedAlways
	} else {
		g.waited = was.waited && waits
		if f.waitedOr {
			g.waited = was.waited || waits
		}
		if ends(k.PauseBits, f.latePauses) && !f.pausesLong || f.pausesNotAtLevel0 && level == 0 || f.injectionEndsPause && saw.injected {
			g.pausing = false
		}
	}

	g.seen = e.now
	if f.askedLoses {
		g.seen.waits = e.now.waits && g.balance >= 0
	}
	if f.opensForAll {
		g.seen.waits = e.offered && !e.now.injected
	}
	g.time++
}

// A gate without a flaw must not differ, or the tests below prove nothing.
func TestGateWithoutAFlawEqualsTheRouterTrace(t *testing.T) {
	t.Parallel()
	for _, r := range mutated {
		p := newPlan(t, r)
		require.Equal(t, RouterCycles(p), firstDifference(p, mutant{step: new(flaw).step}), "%v", r)
	}
}

// flaws of gates that must show in the trace of every machine.
var flaws = map[string]func(*flaw){
	"injections act at once":                      func(f *flaw) { f.paysAtOnce = true },
	"calm acts at once":                           func(f *flaw) { f.calmAtOnce = true },
	"quiet acts at once":                          func(f *flaw) { f.quietAtOnce = true },
	"forgives at any level":                       func(f *flaw) { f.forgivesAlways = true },
	"forgives at level 1":                         func(f *flaw) { f.forgivesAtLevel1 = true },
	"forgives to an injection":                    func(f *flaw) { f.forgivesTooMuch = true },
	"S is loaded in any cycle":                    func(f *flaw) { f.loadsAlways = true },
	"S is loaded again at a standstill":           func(f *flaw) { f.reloads = true },
	"S is kept at a standstill":                   func(f *flaw) { f.keeps = true },
	"S is renewed as soon as it is empty":         func(f *flaw) { f.renews = true },
	"S grows":                                     func(f *flaw) { f.grows = true },
	"S must not shrink":                           func(f *flaw) { f.breaks = true },
	"S must be blocked at the end of the window":  func(f *flaw) { f.needsLast = true },
	"S is loaded with what was blocked before":    func(f *flaw) { f.loadsLate = true },
	"S is loaded with what is valid":              func(f *flaw) { f.loadsValid = true },
	"S is what is valid":                          func(f *flaw) { f.countsValid = true },
	"the level does not rise":                     func(f *flaw) { f.risesNot = true },
	"the level rises to the top":                  func(f *flaw) { f.risesToTop = true },
	"the level wraps":                             func(f *flaw) { f.wraps = true },
	"a rise refills":                              func(f *flaw) { f.refillsWithRise = true },
	"a silence does not refill":                   func(f *flaw) { f.refillsNot = true },
	"a silence at level 0 does not refill":        func(f *flaw) { f.refillsNotAtLevel0 = true },
	"a silence opens only":                        func(f *flaw) { f.opensOnly = true },
	"an injection with a refill is paid":          func(f *flaw) { f.paysAfterRefill = true },
	"any window is silent":                        func(f *flaw) { f.silentAlways = true; f.silentLong = true },
	"a window that begins silent is":              func(f *flaw) { f.silentLong = true },
	"a window that ends silent is":                func(f *flaw) { f.silentAlways = true },
	"no silence right after another":              func(f *flaw) { f.silentOnce = true },
	"the level does not fall":                     func(f *flaw) { f.fallsNot = true },
	"the level falls to 0":                        func(f *flaw) { f.fallsTo0 = true },
	"a message that has asked loses its turn":     func(f *flaw) { f.askedLoses = true },
	"open for any message that waits":             func(f *flaw) { f.opensForAll = true },
	"a standstill of level 0 one cycle too early": func(f *flaw) { f.lateStandstill[0] = -1 },
	"a standstill of level 0 one cycle too late":  func(f *flaw) { f.lateStandstill[0] = 1 },
	"a standstill of level 1 one cycle too early": func(f *flaw) { f.lateStandstill[1] = -1 },
	"a standstill of level 1 one cycle too late":  func(f *flaw) { f.lateStandstill[1] = 1 },
	"a silence of level 0 one cycle too early":    func(f *flaw) { f.lateSilence[0] = -1 },
	"a silence of level 0 one cycle too late":     func(f *flaw) { f.lateSilence[0] = 1 },
	"a silence of level 1 one cycle too early":    func(f *flaw) { f.lateSilence[1] = -1 },
	"a silence of level 1 one cycle too late":     func(f *flaw) { f.lateSilence[1] = 1 },
	"a silence of level 2 one cycle too early":    func(f *flaw) { f.lateSilence[2] = -1 },
	"a silence of level 2 one cycle too late":     func(f *flaw) { f.lateSilence[2] = 1 },
	"a silence of level 3 one cycle too early":    func(f *flaw) { f.lateSilence[3] = -1 },
	"a silence of level 3 one cycle too late":     func(f *flaw) { f.lateSilence[3] = 1 },
	"a standstill of level 2 one cycle too early": func(f *flaw) { f.lateStandstill[2] = -1 },
	"a standstill of level 2 one cycle too late":  func(f *flaw) { f.lateStandstill[2] = 1 },
	"never forgets":                               func(f *flaw) { f.forgetsNever = true },
	"never forgets level 1":                       func(f *flaw) { f.forgetsNotAtLevel1 = true },
	"forgets after a standstill":                  func(f *flaw) { f.forgetsUnsteady = true },
	"forgets at a standstill":                     func(f *flaw) { f.forgetsWithRise = true },
	"forgets all":                                 func(f *flaw) { f.forgetsAll = true },
	"refills when it forgets":                     func(f *flaw) { f.refillsWithMemory = true },
	"steady after a standstill":                   func(f *flaw) { f.steadyAlways = true },
	"steady after a standstill at the end":        func(f *flaw) { f.steadyAtEnd = true },
	"steady after a standstill before the end":    func(f *flaw) { f.steadyWithin = true },
	"not steady when it has forgotten":            func(f *flaw) { f.unsteadyAfterFall = true },
	"forgets level 1 one cycle too early":         func(f *flaw) { f.lateMemory[1] = -1 },
	"forgets level 1 one cycle too late":          func(f *flaw) { f.lateMemory[1] = 1 },
	"forgets level 2 one cycle too early":         func(f *flaw) { f.lateMemory[2] = -1 },
	"forgets level 2 one cycle too late":          func(f *flaw) { f.lateMemory[2] = 1 },
	"half the memory of level 1":                  func(f *flaw) { f.longMemory[1] = -1 },
	"twice the memory of level 1":                 func(f *flaw) { f.longMemory[1] = 1 },
	"half the memory of level 2":                  func(f *flaw) { f.longMemory[2] = -1 },
	"twice the memory of level 2":                 func(f *flaw) { f.longMemory[2] = 1 },
	"the memory of level 1 at level 2":            func(f *flaw) { f.longMemory[2] = -3 },
}

// capFlaws must show where deliveries reach the cap.
var capFlaws = map[string]func(*flaw){
	"deliveries act at once":                             func(f *flaw) { f.earnsAtOnce = true },
	"deliveries do not count":                            func(f *flaw) { f.earnsNothing = true },
	"a delivery at one less than the cap does not count": func(f *flaw) { f.earnsNotToCap = true },
	"a delivery at the cap counts":                       func(f *flaw) { f.earnsAtCap = true },
	"a delivery with an injection at the cap counts":     func(f *flaw) { f.earnsAtCapWithPayment = true },
	"a delivery with an injection does not count":        func(f *flaw) { f.earnsNotWithPayment = true },
	"a silence leaves one too few":                       func(f *flaw) { f.refillsLess = true },
	"a silence leaves one too many":                      func(f *flaw) { f.refillsMore = true },
}

// patienceFlaws must show where the patience is in reach.
var patienceFlaws = map[string]func(*flaw){
	"never pauses":                              func(f *flaw) { f.pausesNever = true },
	"no pause in the window after another":      func(f *flaw) { f.pausesOnce = true },
	"pauses for a window of the patience":       func(f *flaw) { f.pausesLong = true },
	"an injection ends a pause":                 func(f *flaw) { f.injectionEndsPause = true },
	"handshakes do not count":                   func(f *flaw) { f.waitsForHandshakes = true },
	"waiting acts at once":                      func(f *flaw) { f.waitsAtOnce = true },
	"waits at a closed gate":                    func(f *flaw) { f.waitsAtShutGate = true },
	"waits without a message":                   func(f *flaw) { f.waitsWithoutMessage = true },
	"a window that ends with waiting is waited": func(f *flaw) { f.waitedAlways = true },
	"a window with waiting is waited":           func(f *flaw) { f.waitedOr = true },
	"waits for two windows":                     func(f *flaw) { f.waitedNot = true },
	"the patience ends one cycle too early":     func(f *flaw) { f.latePatience = -1 },
	"the patience ends one cycle too late":      func(f *flaw) { f.latePatience = 1 },
	"a pause one too short":                     func(f *flaw) { f.latePauses = -1 },
	"a pause one too long":                      func(f *flaw) { f.latePauses = 1 },
}

// evenFlaws and oddFlaws need what only machines with that number of nodes have. (Not in
// reach are the memory of level 3, standstills of level 3, which matter for nothing else,
// and whether windows of the memory count at level 0, which cannot be seen at all,
// because the standstill that follows clears steady.)
var (
	evenFlaws = map[string]func(*flaw){
		"never forgets level 2": func(f *flaw) { f.forgetsNotAtLevel2 = true },
	}
	oddFlaws = map[string]func(*flaw){
		"forgets twice after a silence": func(f *flaw) { f.forgetsTwice = true },
	}
)

// Wrong rules of the gate must show.
func TestRouterTraceShowsFlawsOfTheGate(t *testing.T) {
	t.Parallel()
	for _, r := range mutated {
		p := newPlan(t, r)
		all := maps.Clone(flaws)
		if capReachable(p) {
			maps.Copy(all, capFlaws)
		}
		if patienceReachable(p) {
			maps.Copy(all, patienceFlaws)
			if ringEntered(p) >= 0 {
				all["no pause at level 0"] = func(f *flaw) { f.pausesNotAtLevel0 = true }
			}
		}
		if p.Nodes%2 == 0 {
			maps.Copy(all, evenFlaws)
		} else {
			maps.Copy(all, oddFlaws)
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			f := &flaw{}
			all[name](f)
			if firstDifference(p, mutant{step: f.step}) == RouterCycles(p) {
				t.Errorf("%v: %s", r, name)
			}
		}
	}
}

// A gate that sees something else must show.
func TestRouterTraceShowsAGateThatSeesWrongly(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]func(e *edge){
		"always quiet":              func(e *edge) { e.now.quiet = true },
		"never quiet":               func(e *edge) { e.now.quiet = false },
		"always calm":               func(e *edge) { e.now.calm = true },
		"never calm":                func(e *edge) { e.now.calm = false },
		"calm without ready":        func(e *edge) { e.now.calm = e.now.calm || e.now.quiet },
		"calm with an offer is not": func(e *edge) { e.now.calm = e.now.calm && !e.offered },
	} {
		for _, r := range mutated {
			p := newPlan(t, r)
			step := func(g *gate, k *plan.Gate, e edge) {
				wrong(&e)
				rightStep(g, k, e)
			}
			require.Less(t, firstDifference(p, mutant{step: step}), RouterCycles(p), "%v: %s", r, name)
		}
	}
}

// An arbiter of delivery that stands still in a pause must show.
func TestRouterTraceShowsAnArbiterThatStandsStillInAPause(t *testing.T) {
	for _, r := range mutated {
		p := newPlan(t, r)
		if !patienceReachable(p) || p.Degree == 1 {
			continue
		}
		still := func(b *Router, before control) {
			if b.gate.pausing {
				b.deliverOrder = before.deliverOrder
			}
		}
		require.Less(t, firstDifference(p, mutant{after: still}), RouterCycles(p), "%v", r)
	}
}
