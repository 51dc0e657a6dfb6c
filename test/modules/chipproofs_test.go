// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/smt"
)

func chipWindow() []string { return []string{"hc_chip_window", "hc_arbiter", "hc_select"} }

func chipPlaces() []string { return []string{"hc_chip_places"} }

// chipAlone is a module of an end with its own properties.
func chipAlone(t *testing.T, sources []string, parameters string, faults ...string) *proof {
	t.Helper()
	p := bare(t, sources, faults...)
	p.add(sources[0] + ".v")
	p.compile(parameters)
	return p
}

// below adds the properties of a module that the top uses: what they assume of their user must be proved.
func (p *proof) below(module string) {
	p.t.Helper()
	properties, err := fs.ReadFile(hdl.Proofs, "proofs/"+module+".v")
	require.NoError(p.t, err)
	shown := covers.ReplaceAllString(assumedOfUser.ReplaceAllString(string(properties), "assert $1"), "")
	p.asserts += strings.Count(shown, "assert (")
	file := filepath.Join(p.dir, module+".v")
	text, err := os.ReadFile(file)
	require.NoError(p.t, err)
	require.NoError(p.t, os.WriteFile(file, []byte(strings.Replace(string(text), "\nendmodule\n", "\n"+shown+"\nendmodule\n", 1)), 0o644))
}

// chipTogether is a module of hdl.ChipProof, which uses others. proved are those with properties: what they assume
// of their user must be proved.
func chipTogether(t *testing.T, name string, sources, proved []string, faults ...string) *proof {
	t.Helper()
	p := bare(t, sources, faults...)
	text, err := fs.ReadFile(hdl.ChipProof, "proofs/chips/"+name+".v")
	require.NoError(t, err)
	p.within(name, string(text), 1)
	for _, module := range proved {
		p.below(module)
	}
	return p
}

// chipWords are words that cross a cable in one direction.
func chipWords(t *testing.T, faults ...string) *proof {
	t.Helper()
	modules := []string{"hc_chip_window", "hc_chip_places"}
	return chipTogether(t, "hc_chip_words", append(modules, "hc_arbiter", "hc_select"), modules, faults...)
}

// asserted finds lines with assertions.
var asserted = regexp.MustCompile(`(?ms)^[^\n]*\bassert \(.*?;[^\n]*\n`)

// withoutInvariants removes the assertions that only an induction needs: a fault must show in those of a contract.
func (p *proof) withoutInvariants() {
	p.t.Helper()
	for _, source := range p.sources {
		file := filepath.Join(p.dir, source)
		text, err := os.ReadFile(file)
		require.NoError(p.t, err)
		contract, invariants, _ := strings.Cut(string(text), "    // Invariants")
		invariants = asserted.ReplaceAllString(invariants, "")
		require.NoError(p.t, os.WriteFile(file, []byte(contract+"\n    // Invariants"+invariants), 0o644))
	}
	p.asserts = p.count("assert (")
}

// A single link, and several of which one has no number.
func TestChipPlacesAreProved(t *testing.T) {
	needs.Time(t)
	for _, parameters := range []string{"-chparam LINKS 1 -chparam LINK_BITS 1", "-chparam LINKS 3 -chparam LINK_NUMBER 2 -chparam LINK_BITS 1"} {
		t.Run(parameters, func(t *testing.T) {
			p := chipAlone(t, chipPlaces(), parameters)
			p.holds(2)
			p.reaches(14)
		})
	}
}

func TestChipWindowIsProved(t *testing.T) {
	needs.Time(t)
	for _, parameters := range []string{"-chparam LINKS 1 -chparam LINK_BITS 1", "-chparam LINKS 3 -chparam LINK_NUMBER 2 -chparam LINK_BITS 1"} {
		t.Run(parameters, func(t *testing.T) {
			p := chipAlone(t, chipWindow(), parameters)
			p.holds(2)
			p.reaches(16)
		})
	}
}

// Words cross once and in order, whatever frames are lost.
func TestChipWordsAreProved(t *testing.T) {
	needs.Time(t)
	for _, parameters := range []string{"-chparam LINKS 1 -chparam FRAMES 3", "-chparam LINKS 2 -chparam FRAMES 2"} {
		t.Run(parameters, func(t *testing.T) {
			p := chipWords(t)
			p.compile(parameters)
			p.holds(2)
		})
	}
	t.Run("reached", func(t *testing.T) {
		p := chipWords(t)
		p.compile("-chparam LINKS 1 -chparam FRAMES 2")
		p.reaches(30)
	})
}

// Both ends of a cable come up only if both are fresh, or one of them is lost.
func chipMeeting(t *testing.T, faults ...string) *proof {
	t.Helper()
	return chipTogether(t, "hc_chip_meeting", []string{"hc_chip_hello"}, nil, faults...)
}

func TestChipMeetingIsProved(t *testing.T) {
	needs.Time(t)
	for _, parameters := range []string{"-chparam FRAMES 2 -chparam DELAY 3 -chparam SILENCE 7", "-chparam FRAMES 3 -chparam DELAY 5 -chparam SILENCE 11"} {
		t.Run(parameters, func(t *testing.T) {
			p := chipMeeting(t)
			p.compile(parameters)
			p.holds(2)
		})
	}
	t.Run("reached", func(t *testing.T) {
		p := chipMeeting(t)
		p.compile("-chparam FRAMES 1 -chparam DELAY 2 -chparam SILENCE 5")
		p.reaches(15)
	})
}

// chipSessions is the session of a chip with two cables.
func chipSessions(t *testing.T, faults ...string) *proof {
	t.Helper()
	return chipTogether(t, "hc_chip_sessions", []string{"hc_chip_hello", "hc_chip_session"}, nil, faults...)
}

func TestChipSessionsAreProved(t *testing.T) {
	needs.Time(t)
	p := chipSessions(t)
	p.compile()
	p.holds(2)
	p.reaches(24)
}

// chipReset is the reset of the receiver of a cable, with edges of both clocks at any time.
func chipReset(t *testing.T, faults ...string) *proof {
	t.Helper()
	p := bare(t, []string{"hc_chip_reset", "hc_chip_flag"}, faults...)
	p.add("hc_chip_reset.v")
	p.after = multiclock
	return p
}

// Not by induction: in 32 moments, which are enough for a second rst at any time of the handshake after the first.
func TestChipResetIsProved(t *testing.T) {
	needs.Time(t)
	p := chipReset(t)
	p.compile()
	v := p.solve(smt.Base(32))
	require.True(t, v.Passed, v.Log)
	p.reaches(32)
}

// Each fault shows in the contract of a module, or of both ends together.
func TestProofsFindFaultsOfChips(t *testing.T) {
	needs.Time(t)
	alone := func(sources []string) func(*testing.T, ...string) *proof {
		return func(t *testing.T, faults ...string) *proof {
			p := bare(t, sources, faults...)
			p.add(sources[0] + ".v")
			return p
		}
	}
	const meeting = "-chparam FRAMES 1 -chparam DELAY 2 -chparam SILENCE 5"
	for _, c := range []struct {
		name       string
		prove      func(*testing.T, ...string) *proof
		parameters string
		faults     []string
		steps      int
	}{
		{"places count for another link", alone(chipPlaces()), "-chparam LINKS 2 -chparam LINK_BITS 1", []string{"= put & link == LINK", "= put"}, 12},
		{"a word is read from the places of another link", alone(chipPlaces()), "-chparam LINKS 2 -chparam LINK_BITS 1", []string{"= {LINK, fetched_q}", "= {1'b0, fetched_q}"}, 12},
		{"the last word of a link is fetched twice", alone(chipPlaces()), "-chparam LINKS 1 -chparam LINK_BITS 1", []string{" & !(fetch[i] & last)", ""}, 12},
		{"a word that is offered is overwritten", alone(chipPlaces()), "-chparam LINKS 1 -chparam LINK_BITS 1", []string{"(!busy_q | leaves)", "1'b1"}, 12},
		{"a word of another colour counts", alone(chipPlaces()), "-chparam LINKS 1 -chparam LINK_BITS 1", []string{"heard & colour == want_q", "heard"}, 8},
		{"a link does not count credits", alone(chipWindow()), "-chparam LINKS 1 -chparam LINK_BITS 1", []string{"accepts) & credit_q", "accepts)"}, 16},
		{"the last credit of a link stays", alone(chipWindow()), "-chparam LINKS 1 -chparam LINK_BITS 1", []string{" & !(leaves_now & last)", ""}, 16},
		{"a number is used again too early", alone(chipWindow()), "-chparam LINKS 2 -chparam LINK_BITS 1", []string{" & next_q + NUMBER_ONE != acked_q & !load", " & !load"}, 16},
		{"a number has the word of the number before", alone(chipWindow()), "-chparam LINKS 1 -chparam LINK_BITS 1", []string{"& !back & !sends", "& !back"}, 12},
		{"words that have a number are lost in a return", alone(chipWindow()), "-chparam LINKS 1 -chparam LINK_BITS 1", []string{"& !back & !sends", "& !sends"}, 16},
		{"colours do not matter", chipWords, "-chparam LINKS 1 -chparam FRAMES 2", []string{"wanted = heard & colour == want_q", "wanted = heard"}, 20},
		{"a word with another number counts", chipWords, "-chparam LINKS 1 -chparam FRAMES 2", []string{"put    = wanted & valid & !misses_q", "put    = wanted & valid"}, 20},
		{"a return is to the first word that is not acknowledged", chipWords, "-chparam LINKS 1 -chparam FRAMES 2", []string{"send_q   <= ack;", "send_q   <= acked_q;"}, 24},
		{"rst takes a request back", chipReset, "", []string{"if (rst) settle_q <= 1'b1;", "if (rst) begin settle_q <= 1'b1; request_q <= 1'b0; end"}, 32},
		{"the queue is in reset only while the chip is", chipReset, "", []string{"reset  = settle_q | request_q | acknowledged", "reset  = rst"}, 32},
		{"a reset does not wait for the acknowledgement to go", chipReset, "", []string{"request_q | acknowledged;", "request_q;"}, 32},
		{"an older session counts as newer", chipSessions, "", []string{"(!same & !ahead[7])", "!same"}, 24},
		{"an end comes up before it has heard", chipMeeting, meeting, []string{": data & heard_q)", ": data)"}, 22},
		{"frames count in the time after rst", chipMeeting, meeting, []string{"act_q & !quiet", "act_q"}, 22},
		{"a silence is too short", chipMeeting, "-chparam FRAMES 1 -chparam DELAY 2 -chparam SILENCE 2", nil, 22},
		{"a link that was lost forgets it", chipMeeting, meeting, []string{"lost_q  <= lost_q | loses", "lost_q  <= loses"}, 22},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := c.prove(t, c.faults...)
			p.withoutInvariants()
			p.compile(c.parameters)
			p.fails(c.steps)
		})
	}
}
