// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// cable is a cable between two chips in testdata/chips/bench.v: its links, the bits of its words, and the sizes that
// docs/chips.md gives it.
type cable struct {
	links, word, frame, number, freed int
	options                           string // further parameters of the bench
}

func (c cable) String() string {
	return strings.TrimSpace(fmt.Sprintf("%d links, words of %d bits %s", c.links, c.word, c.options))
}

// Scenarios of the bench.
const (
	cableTraffic = iota
	cableResets
	cablePattern
	cableStranger
	cableMiswired
	cablePlug
	cableRecord
	cableTimes
)

// build makes the program of the bench with the modules of a folder.
func (c cable) build(t *testing.T, dir string) string {
	t.Helper()
	bench, err := filepath.Abs("testdata/chips/bench.v")
	require.NoError(t, err)
	obj := t.TempDir()
	arguments := []string{
		"--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-O3", "--x-assign", "unique", "--x-initial", "unique",
		"-DHC_METASTABILITY=300", "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1", "-y", ".", "--top-module", "bench",
		"-Mdir", obj, "-o", "bench",
		fmt.Sprintf("-GLINKS=%d", c.links), fmt.Sprintf("-GWORD_BITS=%d", c.word), fmt.Sprintf("-GFRAME_WORDS=%d", c.frame),
		fmt.Sprintf("-GNUMBER_BITS=%d", c.number), fmt.Sprintf("-GFREED_BITS=%d", c.freed),
	}
	text, err := runTool(t, dir, "verilator", append(append(arguments, strings.Fields(c.options)...), bench)...)
	require.NoError(t, err, text)
	return filepath.Join(obj, "bench")
}

// play runs a scenario in a folder and returns what the bench prints.
func play(t *testing.T, program, dir string, scenario, seed int, plusargs ...string) string {
	t.Helper()
	text, err := runTool(t, dir, program, append(plusargs, fmt.Sprintf("+scenario=%d", scenario), fmt.Sprintf("+seed=%d", seed), "+verilator+rand+reset+2", fmt.Sprintf("+verilator+seed+%d", seed))...)
	require.NoError(t, err, text)
	return text
}

// Messages cross once and in order while bits and words change, and whatever the ends do. Ends that are reset alone are lost
// until the next session, and nothing hangs.
func TestCablesFollowTheContract(t *testing.T) {
	dir, _ := library(t)
	seeds := 2
	if testing.Short() {
		seeds = 1
	}
	for i, c := range []cable{
		{3, 16, 6, 4, 4, "-GBARRIER=1 -GHALF_B=1001"},
		{1, 8, 11, 4, 4, ""},
		{1, 8, 11, 4, 4, "-GFIRST=1 -GHALF_B=1070"},
		{4, 8, 12, 4, 4, "-GBARRIER=1 -GHALF_B=700"},
		{4, 32, 4, 5, 5, "-GBARRIER=1"},
		{4, 32, 3, 5, 5, "-GFIRST=1 -GHALF_A=1030"},
		{1, 32, 3, 5, 5, "-GHALF_B=1001"},
		{1, 64, 2, 5, 5, ""},
		{3, 64, 2, 5, 6, "-GFIRST=1 -GHALF_B=1001"},
		{3, 16, 6, 2, 2, "-GFLIGHT=1 -GRATE=30"},
		{4, 16, 6, 4, 5, "-GLANES=4 -GHALF_B=1001"},
		{1, 8, 11, 3, 3, "-GLANES=8"},
	} {
		t.Run(c.String(), func(t *testing.T) {
			if i > 0 {
				needs.Time(t)
			}
			program := c.build(t, dir)
			for _, scenario := range []int{cableTraffic, cableResets, cablePattern, cableMiswired, cablePlug} {
				for seed := 1; seed <= seeds; seed++ {
					assert.Equal(t, "PASS", verdict(play(t, program, t.TempDir(), scenario, seed)), "scenario %d, seed %d", scenario, seed)
				}
			}
			if !strings.Contains(c.options, "LANES") {
				records := t.TempDir()
				require.Equal(t, "PASS", verdict(play(t, program, records, cableRecord, 1)))
				c.readFrames(t, records)
			}
		})
	}
}

// Cables with the sizes of the plan have their full rate at every phase between the frames of both ends, and so has a link that alone has
// messages. A message and a pace take the cycles of docs/chips.md. At each of these flights n or f has a bit more than at the flight
// before: without the bit the rate is less at some phase, and at the flight before it is not.
func TestCablesHaveTheirFullRate(t *testing.T) {
	needs.Time(t)
	dir, _ := library(t)
	for _, c := range []struct {
		links, word, flight int
		more                string
	}{{1, 64, 2, "f"}, {1, 64, 4, "n"}, {1, 32, 10, "n"}, {4, 32, 4, "f"}, {1, 8, 12, "f"}, {1, 8, 14, "n"}, {4, 16, 17, "f"}} {
		t.Run(fmt.Sprintf("%d links, words of %d bits, flight %d", c.links, c.word, c.flight), func(t *testing.T) {
			f, options := planned(t, c.links, c.word, c.flight)
			fewer, _ := planned(t, c.links, c.word, c.flight-1)
			require.Equal(t, []int{f.Words, f.NumberBits + f.FreedBits - 1}, []int{fewer.Words, fewer.NumberBits + fewer.FreedBits})
			require.Equal(t, c.more == "n", fewer.NumberBits < f.NumberBits)
			options += fmt.Sprintf(" -GFIRST=1 -GFLIGHT=%d", c.flight)
			// rate is the least of all phases, in percent.
			rate := func(program string, flight int) int {
				least := 100
				for phase := range f.Words {
					var all, alone, message, pace int
					text := play(t, program, t.TempDir(), cableTimes, 1, fmt.Sprintf("+phase=%d", phase), fmt.Sprintf("+flight=%d", flight))
					_, err := fmt.Sscanf(text, "rate %d alone %d word %d pace %d\nPASS\n", &all, &alone, &message, &pace)
					require.NoError(t, err, text)
					assert.Equal(t, []int{flight + f.Words + 13, flight + f.Words + 8}, []int{message, pace}, "latencies of a message and a pace")
					least = min(least, all, alone)
				}
				return least
			}
			size := func(f plan.Frame) cable { return cable{c.links, c.word, f.Words, f.NumberBits, f.FreedBits, options} }
			program := size(f).build(t, dir)
			assert.GreaterOrEqual(t, rate(program, c.flight), 99)
			program = size(fewer).build(t, dir)
			assert.GreaterOrEqual(t, rate(program, c.flight-1), 99, "at the flight before")
			assert.Less(t, rate(program, c.flight), 98, "a bit less")
		})
	}
}

// planned is the frame that the plan gives a cable whose links have 36 bits, and the parameters of the bench that follow from its machine.
func planned(t *testing.T, links, word, flight int) (f plan.Frame, options string) {
	t.Helper()
	inside := ""
	if links > 1 {
		inside = fmt.Sprintf("dimension \"x\" {\nm = %d\nrho = 1\n}\n", links)
	}
	text := fmt.Sprintf("machine \"cables\" {\n%sdimension \"y\" {\nm = 4\nrho = 1\nlink {\nkind = \"chips\"\nword_bits = %d\nflight = %d\n}\n}\n}\n", inside, word, flight)
	m, _, diags := machine.LoadBytes("cables.hcl", []byte(text), nil)
	require.Empty(t, diags)
	m.PayloadBits += 36 - plan.New(m).LinkBits
	p := plan.New(m)
	require.Equal(t, links, p.Chips.Places)
	return p.Chips.Cables[0].Frame, fmt.Sprintf("-GPACE_BITS=%d", p.PaceBits)
}

func TestCableFindsStrangers(t *testing.T) {
	needs.Time(t)
	dir, _ := library(t)
	program := cable{1, 8, 11, 4, 4, "-GSTRANGER=1"}.build(t, dir)
	assert.Equal(t, "PASS", verdict(play(t, program, t.TempDir(), cableStranger, 1)))
}

// verdict is the last line of the bench before Verilator names the place where it ended.
func verdict(text string) string {
	var last string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "- ") {
			last = strings.TrimSpace(line)
		}
	}
	return last
}

// frameBits are those of a frame, the lowest first.
type frameBits []byte

func (b *frameBits) take(n int) (value uint64) {
	for i := range n {
		value |= uint64((*b)[i]) << i
	}
	*b = (*b)[n:]
	return value
}

// reader follows the frames that one end sends.
type reader struct {
	cable
	port    int
	session uint64
	turn    uint64
	next    uint64            // number of the next new word, not modulo
	words   map[uint64]uint64 // the latest word with each number
	seq     []uint64          // messages by link
	data    int
	hellos  int
	again   int
	colour  uint64
	want    uint64
	ack     uint64
	freed   map[uint64]uint64
}

// readFrames reads what both ends sent, by the tables of docs/chips.md and with the CRC of the standard library.
func (c cable) readFrames(t *testing.T, dir string) {
	t.Helper()
	ends := []*reader{{cable: c, port: 0}, {cable: c, port: 1}}
	for i, name := range []string{"a.words", "b.words"} {
		r := ends[i]
		r.seq = make([]uint64, c.links)
		file, err := os.Open(filepath.Join(dir, name))
		require.NoError(t, err)
		defer file.Close()
		var frame frameBits
		at := -1 // the place of the next word in its frame, or -1
		for lines := bufio.NewScanner(file); lines.Scan(); {
			first, digits, _ := strings.Cut(lines.Text(), " ")
			word, err := strconv.ParseUint(digits, 16, 64)
			require.NoError(t, err)
			if at < 0 && first == "0" {
				continue
			}
			at = (at + 1) % c.frame
			require.Equal(t, at == 0, first == "1", "a frame has %d words", c.frame)
			for b := range c.word {
				frame = append(frame, byte(word>>b&1))
			}
			if at == c.frame-1 {
				r.read(t, frame)
				frame = nil
			}
		}
	}
	for i, r := range ends {
		far := ends[1-i]
		assert.Greater(t, r.data, 100)
		assert.Greater(t, r.hellos, 10)
		assert.Positive(t, r.again, "no word was sent again")
		assert.Equal(t, uint64(1), r.session)
		assert.Equal(t, far.next%(1<<c.number), r.ack)
		assert.Equal(t, far.colour, r.want)
		for link, freed := range r.freed {
			assert.Equal(t, far.seq[link]%(1<<c.freed), freed, "link %d", link)
		}
		assert.Len(t, r.freed, c.links)
	}
}

func (r *reader) read(t *testing.T, frame frameBits) {
	t.Helper()
	size := len(frame) - 32
	content := make([]byte, size/8)
	for i := range size {
		content[i/8] |= frame[i] << (i % 8)
	}
	check := frame[size:]
	start := uint32(0)
	if frame[0] == 1 {
		start = 0x12345678 ^ uint32((r.port+1)<<4|r.port) // Update inverts it
	}
	require.Equal(t, uint64(crc32.Update(start, crc32.MakeTable(crc32.Castagnoli), content)), check.take(32))
	frame = frame[:size]
	if frame.take(1) == 0 {
		r.hellos++
		frame.take(1) // heard
		require.Zero(t, frame.take(1), "lost")
		if session := frame.take(8); session != r.session || r.data == 0 {
			require.LessOrEqual(t, session, uint64(1))
			*r = reader{cable: r.cable, port: r.port, session: session, words: map[uint64]uint64{}, freed: map[uint64]uint64{},
				seq: make([]uint64, r.links), hellos: r.hellos, again: r.again}
		}
		require.Equal(t, uint64(0x12345678), frame.take(32))
		require.Equal(t, uint64(r.port), frame.take(4))
		require.Equal(t, uint64(r.port+1), frame.take(3))
	} else {
		r.data++
		turnBits := bits.Len(uint(r.links - 1))
		r.colour = frame.take(1)
		r.want = frame.take(1)
		valid, number := frame.take(1), frame.take(r.number)
		r.ack = frame.take(r.number)
		turn := frame.take(turnBits)
		require.Equal(t, r.turn, turn)
		r.turn = (turn + 1) % uint64(r.links)
		r.freed[turn] = frame.take(r.cable.freed)
		pace := frame.take(4)
		if strings.Contains(r.options, "BARRIER=1") {
			require.Equal(t, pace%4, frame.take(2))
		}
		link, word := frame.take(turnBits), frame.take(36)
		if valid == 1 {
			require.Less(t, link, uint64(r.links))
			if message := uint64(r.port)<<35 | r.session<<27 | link<<22 | r.seq[link]; number == r.next%(1<<r.number) && word == message {
				r.words[number] = word
				r.seq[link]++
				r.next++
			} else {
				require.Equal(t, r.words[number], word, "word %d is neither new nor that with this number", number)
				require.Equal(t, word>>22&31, link)
				r.again++
			}
		}
	}
	for _, bit := range frame {
		require.Zero(t, bit, "bits above the fields")
	}
}

// Each fault of the modules of a cable shows in one of the scenarios.
func TestBenchOfCablesFindsFaults(t *testing.T) {
	needs.Time(t)
	small := cable{2, 8, 11, 3, 4, "-GRATE=50"}
	for _, c := range []struct {
		name, module, from, to string
		scenario               int
	}{
		{"the colour of a frame is ignored", "hc_chip_places", "heard & colour == want_q", "heard", cableTraffic},
		{"a lost word is not noticed", "hc_chip_places", "valid & !misses_q", "valid", cableTraffic},
		{"a sender goes on instead of back", "hc_chip_window", "send_q   <= ack", "send_q   <= send_q", cableTraffic},
		{"credit is not counted", "hc_chip_window", "accepts) & credit_q", "accepts)", cableTraffic},
		{"a place is free before its word has left", "hc_chip_places", "if (leaves) freed_q", "if (put & link == LINK) freed_q", cableTraffic},
		{"a word is forgotten before it is acknowledged", "hc_chip_window", "& next_q + NUMBER_ONE != acked_q", "", cableTraffic},
		{"an acknowledgement is for a word too many", "hc_chip_window", "acked_q <= ack", "acked_q <= ack + 1'b1", cableTraffic},
		{"four bits of the CRC count", "hc_chip_receive", "(crc_q[WORD_BITS-1:0] ^ rx_word) == RIGHT[WORD_BITS-1:0] & crc_q >> WORD_BITS == RIGHT >> WORD_BITS",
			"(crc_q[3:0] ^ rx_word[3:0]) == RIGHT[3:0]", cableTraffic},
		{"a bad frame counts", "hc_chip_receive", "good    = ended_q & right_q &", "good    = ended_q &", cableTraffic},
		{"the boundary never slips", "hc_chip_receive", "slip_q   <= move & full", "slip_q   <= 1'b0", cableTraffic},
		{"the lock stays", "hc_chip_receive", "if (right_q ? before_q : full) locked_q", "if (right_q & before_q) locked_q", cableTraffic},
		{"a hello without heard is enough", "hc_chip_hello", "match & same_q ? their_heard & !their_lost : data & heard_q", "match & same_q & !their_lost", cableResets},
		{"an end that is up ignores a hello without heard", "hc_chip_hello", "up_q ? !their_heard | their_lost", "up_q ? their_lost", cableResets},
		{"a loss is not told", "hc_chip_hello", "up_q ? !their_heard | their_lost : same_q & their_lost", "up_q & !their_heard", cableResets},
		{"the first hello of a session has the loss of the last", "hc_chip_hello", "lost_q & !session_rst;", "lost_q;", cableResets},
		{"a session is newer than itself", "hc_chip_hello", "(!same & !ahead[7])", "!ahead[7]", cableResets},
		{"session 0 follows 255", "hc_chip_session", "session_q == 8'd255 ? 8'd1 : session_q + 1'b1", "session_q + 1'b1", cableResets},
		{"a dead line passes for the pattern", "hc_chip_receive", "rx_word != predicted | ~|history", "rx_word != predicted", cablePattern},
		{"the pattern has another polynomial", "hc_chip_pattern", "bits[i] ^ bits[i+3]", "bits[i] ^ bits[i+4]", cablePattern},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, _ := library(t)
			name := filepath.Join(dir, c.module+".v")
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(text), c.from))
			require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(text), c.from, c.to, 1)), 0o644))
			program := small.build(t, dir)
			said := "PASS"
			for seed := 1; seed <= 8 && said == "PASS"; seed++ {
				said = verdict(play(t, program, t.TempDir(), c.scenario, seed))
			}
			assert.NotEqual(t, "PASS", said)
			t.Log(said)
		})
	}
}
