// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/internal/cases"
)

// chipsIn cuts a machine into chips in dimensions whose flight is not negative.
func chipsIn(silence int, flights ...int) cases.Option {
	return func(m *machine.Machine) {
		for i, flight := range flights {
			if flight >= 0 {
				m.Dimensions[i].Link = machine.Link{Kind: machine.Chips, WordBits: 32, Flight: flight, Silence: silence}
			}
		}
	}
}

// token is a word: its place in the life of the end that sent it.
type token struct {
	life, chip, port, link, number int
	session                        uint8
}

// linkEnd is what the far end of a link expects.
type linkEnd struct {
	life, next int
}

// traffic sends tokens over all links of a machine and judges what arrives.
type traffic struct {
	t *testing.T
	*Machine[token]
	random   *rand.Rand
	offers   float64                         // probability of a word in a cycle
	takes    func(chip, port, link int) bool // nil: always
	lives    []int                           // by chip: resets
	sent     map[[3]int]int                  // words of a life
	arrive   map[[3]int]*linkEnd             // of a life
	arrived  int
	arrivals map[[3]int]int // all
	sessions [][]uint8      // by chip: those that began
}

func newTraffic(t *testing.T, p *plan.Plan, seed uint64) *traffic {
	m := NewMachine[token](p)
	return &traffic{
		t: t, Machine: m, random: rand.New(rand.NewPCG(seed, 1)), offers: 1, lives: make([]int, len(m.Chips)),
		sent: map[[3]int]int{}, arrive: map[[3]int]*linkEnd{}, arrivals: map[[3]int]int{}, sessions: make([][]uint8, len(m.Chips)),
	}
}

// lose has every channel lose this share of its frames.
func (r *traffic) lose(share float64) {
	for _, c := range r.Channels {
		c.Loses = func() bool { return r.random.Float64() < share }
	}
}

// cut cuts both directions of the cable of a port, or brings it back.
func (r *traffic) cut(chip, port int, cut bool) {
	for _, c := range r.Channels {
		if c.Chip == chip && c.Port == port || c.ToChip == chip && c.ToPort == port {
			c.Loses = func() bool { return cut }
		}
	}
}

// step runs a cycle.
func (r *traffic) step() {
	for chip, c := range r.Chips {
		for port, e := range c.Ends {
			for link := range e.near {
				at := [3]int{chip, port, link}
				if e.Ready(link) && r.random.Float64() < r.offers {
					r.Enter(e, link, token{r.lives[chip], chip, port, link, r.sent[at], c.Session})
					r.sent[at]++
				}
				if w := e.Offered(link); w != nil && (r.takes == nil || r.takes(chip, port, link)) {
					r.judge(at, *w)
					r.Leave(e, link)
				}
			}
		}
	}
	r.Step()
	for chip, c := range r.Chips {
		if c.reset == resetCycles { // a session began
			r.sessions[chip] = append(r.sessions[chip], c.Session)
			r.born(chip)
		}
	}
}

// born begins a life of a chip.
func (r *traffic) born(chip int) {
	r.lives[chip]++
	for port, e := range r.Chips[chip].Ends {
		for link := range e.near {
			delete(r.sent, [3]int{chip, port, link})
			delete(r.arrive, [3]int{chip, port, link})
		}
	}
}

func (r *traffic) rst(chip int) {
	r.Chips[chip].Rst()
	r.born(chip)
}

// judge is a word that arrives: it is the next one of its link, of the life whose words arrived before, and of the session.
func (r *traffic) judge(at [3]int, w token) {
	c := r.channelTo(at[0], at[1])
	require.Equal(r.t, [3]int{c.Chip, c.Port, at[2]}, [3]int{w.chip, w.port, w.link}, "cycle %d", r.cycle)
	e := r.arrive[at]
	if e == nil {
		e = &linkEnd{life: w.life}
		r.arrive[at] = e
	}
	require.Equal(r.t, *e, linkEnd{w.life, w.number}, "cycle %d: a word at %v", r.cycle, at)
	require.Equal(r.t, r.Chips[at[0]].Session, w.session, "cycle %d", r.cycle)
	e.next++
	r.arrived++
	r.arrivals[at]++
}

func (r *traffic) channelTo(chip, port int) *Channel[token] {
	for _, c := range r.Channels {
		if c.ToChip == chip && c.ToPort == port {
			return c
		}
	}
	panic("no channel")
}

// run runs until a condition holds, which must be within the cycles.
func (r *traffic) run(cycles int, until func() bool, what string) int {
	begin := r.cycle
	for !until() {
		require.Less(r.t, r.cycle-begin, cycles, "%s takes longer", what)
		r.step()
	}
	return r.cycle - begin
}

func (r *traffic) runFor(cycles int) {
	for range cycles {
		r.step()
	}
}

func (r *traffic) allUp() bool {
	for chip := range r.Chips {
		if !r.Up(chip) {
			return false
		}
	}
	return true
}

// settled reports whether all chips are up in one session.
func (r *traffic) settled() bool {
	for _, c := range r.Chips {
		if c.Session != r.Chips[0].Session {
			return false
		}
	}
	return r.allUp()
}

// drain lets all words arrive.
func (r *traffic) drain(cycles int) {
	r.offers = 0
	r.run(cycles, func() bool {
		for _, c := range r.Chips {
			for _, e := range c.Ends {
				if len(e.kept) > 0 {
					return false
				}
				for l := range e.near {
					if len(e.near[l].slice)+len(e.far[l].places) > 0 {
						return false
					}
				}
			}
		}
		return true
	}, "draining")
	for at, n := range r.sent {
		c := r.channelFrom(at[0], at[1])
		e := r.arrive[[3]int{c.ToChip, c.ToPort, at[2]}]
		require.NotNil(r.t, e, "%v", at)
		require.Equal(r.t, n, e.next, "%v: every word arrives", at)
	}
}

func (r *traffic) channelFrom(chip, port int) *Channel[token] {
	for _, c := range r.Channels {
		if c.Chip == chip && c.Port == port {
			return c
		}
	}
	panic("no channel")
}

// pair is a ring of two chips with this number of links in its cable.
func pair(t *testing.T, links, silence, flight int) *plan.Plan {
	if links == 1 {
		return cases.Plan(t, cases.Rings{{2, 1}}, chipsIn(silence, flight))
	}
	return cases.Plan(t, cases.Rings{{links, 1}, {2, 1}}, chipsIn(silence, -1, flight))
}

// Every word arrives once and in order, whatever share of the frames is lost, over cables of any latency: those of both
// directions differ, and differ from the flight.
func TestWordsArriveOnceAndInOrder(t *testing.T) {
	for i, share := range []float64{0, 0.01, 0.1, 0.3, 0.5} {
		for j, flight := range []int{0, 5, 40} {
			r := newTraffic(t, pair(t, 1+(i+j)%4, 4096, flight), uint64(i))
			r.lose(share)
			for k, c := range r.Channels {
				c.Delay += r.random.IntN(50)
				c.Phase = (j + k) % c.words
			}
			takes := r.random.Float64()
			r.takes = func(int, int, int) bool { return r.random.Float64() < takes }
			r.run(10_000, r.allUp, "coming up")
			r.runFor(4000)
			before := r.arrived
			require.Positive(t, before)
			r.offers = 0.05
			r.runFor(2000)
			require.Greater(t, r.arrived, before)
			r.drain(20_000)
			require.True(t, r.allUp())
		}
	}
}

// A cable that is cut goes on where it was, and says that it is silent.
func TestACableThatIsCutGoesOn(t *testing.T) {
	r := newTraffic(t, pair(t, 3, 256, 16), 1)
	r.run(2000, r.allUp, "coming up")
	for range 20 {
		r.runFor(r.random.IntN(300))
		r.cut(0, 0, true)
		r.runFor(r.random.IntN(1000))
		r.cut(0, 0, false)
		r.run(100, r.allUp, "going on")
	}
	require.Positive(t, r.Chips[0].Ends[0].Silences)
	r.cut(0, 0, true)
	r.runFor(400)
	require.Equal(t, Silent, r.Chips[0].Ends[0].State())
	before := r.arrived
	r.runFor(1000)
	require.Equal(t, before, r.arrived)
	r.cut(0, 0, false)
	r.drain(2000)
}

// If one direction is cut, nothing is lost either, and the other end says that it is silent.
func TestACableThatIsCutInOneDirection(t *testing.T) {
	r := newTraffic(t, pair(t, 2, 256, 16), 1)
	r.run(2000, r.allUp, "coming up")
	r.Channels[0].Loses = func() bool { return true }
	r.runFor(2000)
	require.Equal(t, Up, r.Chips[0].Ends[0].State())
	require.Equal(t, Silent, r.Chips[1].Ends[0].State())
	r.Channels[0].Loses = nil
	r.drain(2000)
}

// A link that is blocked never delays another: the others are as fast as if it had no words.
func TestABlockedLinkDelaysNoOther(t *testing.T) {
	const links, cycles = 4, 20_000
	run := func(blocked bool) (others, own int) {
		r := newTraffic(t, pair(t, links, 4096, 16), 1)
		r.lose(0.02)
		r.takes = func(_, _, link int) bool { return link > 0 || !blocked }
		r.run(10_000, r.allUp, "coming up")
		r.runFor(cycles)
		for at, n := range r.arrivals {
			if at[2] > 0 {
				others += n
			} else {
				own += n
			}
		}
		return others, own
	}
	all, _ := run(false)
	others, own := run(true)
	t.Logf("words of three links: %d beside a link that moves, %d beside one that is blocked", all, others)
	require.Zero(t, own)
	require.Greater(t, others, all*4/3*98/100, "they have its turns, too")
}

// A chip that is reset alone, at any time, loses its links. Both ends say so until the next session, in which all is well.
func TestAChipThatIsResetAlone(t *testing.T) {
	for seed := range uint64(20) {
		r := newTraffic(t, pair(t, 2, 256, 16), seed)
		r.lose([]float64{0, 0.1, 0.4}[seed%3])
		r.run(5000, r.allUp, "coming up")
		r.runFor(r.random.IntN(500))
		r.rst(0)
		lost := func() bool {
			return r.Chips[0].Ends[0].State() == Lost && r.Chips[1].Ends[0].State() == Lost
		}
		r.run(256+2000, lost, "noticing")
		for range 3000 {
			r.step()
			require.True(t, lost())
		}
		r.Chips[1].Restart()
		r.run(3000, r.settled, "the next session")
		require.EqualValues(t, 1, r.Chips[0].Session)
		r.runFor(500)
		r.drain(20_000)
	}
}

// A restart at a chip that was reset alone, and has not heard of the others, resets nobody else. The next one does.
func TestARestartBeforeTheSessionIsKnown(t *testing.T) {
	r := newTraffic(t, cases.Plan(t, cases.Rings{{4, 1}}, chipsIn(300, 4)), 1)
	r.run(2000, r.allUp, "coming up")
	for range 5 {
		r.Chips[2].Restart()
		r.step()
		r.run(1000, r.settled, "a session")
	}
	r.rst(0)
	r.runFor(10)
	r.Chips[0].Restart()
	r.runFor(1000)
	for chip, c := range r.Chips {
		require.EqualValues(t, 5, c.Session)
		require.Equal(t, chip == 2, r.Up(chip), "chip %d", chip)
	}
	require.Equal(t, Lost, r.Chips[0].Ends[0].State())
	r.Chips[0].Restart()
	r.step()
	r.run(1000, r.settled, "the next session")
	require.EqualValues(t, 6, r.Chips[0].Session)
	r.drain(2000)
}

// A chip that misses 128 sessions has a number that is neither newer nor older. Its rst is the cure.
func TestAChipThatMissesTooManySessions(t *testing.T) {
	r := newTraffic(t, cases.Plan(t, cases.Rings{{2, 1}}, chipsIn(300, 4)), 1)
	r.Chips[0].Restart()
	r.step()
	r.run(2000, r.settled, "coming up")
	r.cut(0, 0, true)
	for range 128 {
		r.Chips[0].Restart()
		r.step()
	}
	r.cut(0, 0, false)
	r.runFor(2000)
	require.Equal(t, []uint8{129, 1}, []uint8{r.Chips[0].Session, r.Chips[1].Session})
	require.False(t, r.allUp())
	r.rst(1)
	r.run(2000, func() bool { return r.Chips[1].Session == 129 }, "the session of the other one")
}

// machinesOfChips are rings, tori and other hypercycles of 2 to 16 chips.
var machinesOfChips = []struct {
	r       cases.Rings
	flights []int
}{
	{cases.Rings{{2, 1}}, []int{4}},
	{cases.Rings{{3, 1}}, []int{20}},
	{cases.Rings{{8, 1}}, []int{0}},
	{cases.Rings{{5, 2}}, []int{16}}, // every chip has a cable to every other one
	{cases.Rings{{2, 1}, {8, 1}}, []int{-1, 3}},
	{cases.Rings{{4, 1}, {4, 1}}, []int{10, 2}},
	{cases.Rings{{4, 1}, {4, 1}}, []int{-1, 16}},
	{cases.Rings{{16, 3}}, []int{1}},
	{cases.Rings{{2, 1}, {2, 1}, {2, 1}, {2, 1}}, []int{1, 2, 3, 4}},
}

// One restart at any chip resets every chip once, and all come up in one session. While the wave is under way cables are cut and
// brought back, frames are lost, and other chips have a restart, too.
func TestEveryRestartResetsEveryChipOnce(t *testing.T) {
	for i, m := range machinesOfChips {
		p := cases.Plan(t, m.r, chipsIn(512, m.flights...))
		for seed := range uint64(4) {
			if testing.Short() && int(seed) != i%4 {
				continue
			}
			r := newTraffic(t, p, seed)
			share := []float64{0, 0.02, 0.2, 0.4}[(i+int(seed))%4]
			r.offers = 0.3
			for _, c := range r.Channels {
				c.Delay += r.random.IntN(60)
				c.Phase = r.random.IntN(c.words)
			}
			r.lose(share)
			r.run(5000, r.allUp, "coming up")
			r.runFor(r.random.IntN(300))
			restarts := 1 + int(seed)%3
			for k := range restarts {
				r.Chips[r.random.IntN(len(r.Chips))].Restart()
				if k > 0 && seed%2 == 0 {
					r.runFor(r.random.IntN(100))
				}
			}
			chip := r.random.IntN(len(r.Chips))
			port := r.random.IntN(len(r.Chips[chip].Ends))
			r.runFor(r.random.IntN(60))
			r.cut(chip, port, true)
			r.runFor(1500)
			r.cut(chip, port, false)
			r.lose(share)
			r.run(10_000, r.settled, "the next session")
			last := r.Chips[0].Session
			assert.LessOrEqual(t, int(last), restarts)
			for c, sessions := range r.sessions {
				require.NotEmpty(t, sessions)
				for k := range sessions {
					require.True(t, k == 0 || sessions[k] > sessions[k-1], "%v: chip %d begins %v", m.r, c, sessions)
				}
				require.Equal(t, last, sessions[len(sessions)-1], "%v: chip %d begins %v", m.r, c, sessions)
			}
			before := r.arrived
			r.runFor(300)
			require.Greater(t, r.arrived, before)
			r.drain(20_000)
		}
	}
}

// A chip that cannot be reached follows when its cables are back, also after 255.
func TestAChipThatIsCutOffFollows(t *testing.T) {
	r := newTraffic(t, cases.Plan(t, cases.Rings{{3, 1}}, chipsIn(256, 4)), 1)
	r.run(2000, r.allUp, "coming up")
	for range 5 {
		r.cut(0, 0, true)
		r.cut(0, 1, true)
		for range 120 {
			r.Chips[1+r.random.IntN(2)].Restart()
			r.runFor(150)
		}
		require.Equal(t, r.Chips[1].Session, r.Chips[2].Session)
		require.Equal(t, Up, r.Chips[1].Ends[0].State(), "chips 1 and 2 are up")
		r.cut(0, 0, false)
		r.cut(0, 1, false)
		r.run(1000, r.settled, "following")
	}
	r.drain(2000)
}

// Losses in a period do not hit the same word for ever, whatever the periods of both directions are. Without the pause after a return
// words stop crossing.
func TestLossesInAPeriodStopNoWords(t *testing.T) {
	words := func(flight, one, other int, at uint64) int {
		r := newTraffic(t, pair(t, 1, 300, flight), at)
		r.run(10_000, r.allUp, "coming up")
		r.runFor(100 + r.random.IntN(100))
		for i, period := range []int{one, other} {
			frame := r.random.IntN(period)
			r.Channels[i].Loses = func() bool { frame++; return frame%period == 0 }
		}
		r.runFor(3000)
		before := [2]int{r.arrivals[[3]int{1, 0, 0}], r.arrivals[[3]int{0, 0, 0}]}
		r.runFor(3000)
		return min(r.arrivals[[3]int{1, 0, 0}]-before[0], r.arrivals[[3]int{0, 0, 0}]-before[1])
	}
	periods := 30
	if testing.Short() {
		periods = 10
	}
	for _, flight := range []int{0, 16} {
		for one := range periods {
			require.Greater(t, words(flight, one+2, one+2, 1), 10, "flight %d, period %d", flight, one+2)
			require.Greater(t, words(flight, 19, one+2, 2), 10, "flight %d, periods 19 and %d", flight, one+2)
			require.Greater(t, words(flight, one+2, 31, 3), 10, "flight %d, periods %d and 31", flight, one+2)
		}
	}
}
