// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// metastable lets a bit of the first stage of a crossing that changed near an edge have any value, a new one in each step of
// the solver, until the next edge.
var metastable = []string{"second_q <= first_q", "second_q <= f_seen"}

// multiclock proves with edges of all clocks at any time.
const multiclock = "clk2fflogic"

func clockCrossing(t *testing.T, width int, faults ...string) *proof {
	t.Helper()
	p := prove(t, []string{"hc_clock_crossing"}, append(faults, metastable...)...)
	p.after = multiclock
	p.compile(fmt.Sprintf("-chparam WIDTH %d", width))
	return p
}

// linkClocks is a queue of four places with words of one bit.
func linkClocks(t *testing.T, faults ...string) *proof {
	t.Helper()
	p := prove(t, []string{"hc_link_clocks", "hc_clock_crossing"}, append(faults, metastable...)...)
	p.instances("hc_clock_crossing", 2)
	p.after = multiclock
	p.compile("-chparam WIDTH 1 -chparam PLACES_BITS 2")
	return p
}

// The paces of routers have up to 8 bits, those of barriers 2, and the counts of a queue with 16 places 5.
func TestClockCrossingIsProved(t *testing.T) {
	needs.Time(t)
	for _, width := range []int{2, 3, 5} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			p := clockCrossing(t, width)
			p.holds(2)
			p.reaches(14)
		})
	}
}

func TestLinkClocksAreProved(t *testing.T) {
	needs.Time(t)
	p := linkClocks(t)
	p.holds(2)
	p.reaches(26)
}

// contract removes the invariants, which only the induction needs: a fault must show at the ports.
func (p *proof) contract() {
	p.t.Helper()
	for _, source := range p.sources {
		name := filepath.Join(p.dir, source)
		text, err := os.ReadFile(name)
		require.NoError(p.t, err)
		before, rest, _ := strings.Cut(string(text), "        // invariants\n")
		_, after, found := strings.Cut(rest, "\n    end\n")
		require.True(p.t, found, source)
		require.NoError(p.t, os.WriteFile(name, []byte(before+"    end\n"+after), 0o644))
	}
}

// Each fault of a crossing or a queue shows at its ports.
func TestProofsFindFaultsOfClocks(t *testing.T) {
	needs.Time(t)
	crossing := []string{"hc_clock_crossing"}
	queue := []string{"hc_link_clocks", "hc_clock_crossing"}
	binary := []string{"from_count ^ (from_count >> 1)", "from_count", "^second_q[WIDTH-1:i]", "second_q[i]"}
	for _, c := range []struct {
		name    string
		sources []string
		faults  []string
		steps   int
	}{
		{"a crossing has one stage", crossing, []string{"^second_q[WIDTH-1:i]", "^f_seen[WIDTH-1:i]"}, 8},
		{"a crossing is in binary", crossing, binary, 12},
		{"the counts of a queue are in binary", queue, binary, 16},
		{"a queue is full a word too late", queue, []string{"writes - reads_seen != FULL", "write_q - reads_seen != FULL"}, 20},
		{"a queue counts what is not accepted", queue, []string{"write  = s_axis_tvalid & ready_q", "write  = s_axis_tvalid"}, 20},
		{"a queue gives a word twice", queue, []string{"read_q  <= reads", "read_q  <= read_q + {{PLACES_BITS{1'b0}}, read & !valid_q}"}, 20},
		{"a queue gives a word before it is written", queue, []string{"read_q != writes_seen & free", "free"}, 16},
		{"a queue overwrites the word that is offered", queue, []string{"free  = !valid_q | m_axis_tready", "free  = 1'b1"}, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := prove(t, c.sources, append(c.faults, metastable...)...)
			p.contract()
			p.after = multiclock
			p.asserts = p.count("assert (")
			if c.sources[0] == "hc_link_clocks" {
				p.instances("hc_clock_crossing", 2)
			}
			p.compile(map[string]string{"hc_clock_crossing": "-chparam WIDTH 3", "hc_link_clocks": "-chparam WIDTH 1 -chparam PLACES_BITS 2"}[p.top])
			p.fails(c.steps)
		})
	}
}

// count counts a text in all sources.
func (p *proof) count(of string) (n int) {
	p.t.Helper()
	for _, source := range p.sources {
		text, err := os.ReadFile(filepath.Join(p.dir, source))
		require.NoError(p.t, err)
		n += strings.Count(string(text), of)
	}
	return n
}
