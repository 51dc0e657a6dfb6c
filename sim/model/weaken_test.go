// SPDX-License-Identifier: Apache-2.0

package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A weakened model is a build of this package with the option -overlay: copies of its files, in which single texts are
// replaced, take the places of the files. One build has all weaknesses of the list. All are off until a test switches one on,
// in the routers that it makes.

// weakness is a line of the contract that a weakened model can go without.
type weakness struct {
	line string
	text string // found exactly once in the file
	with string // its replacement, in which without(place) reports whether the line is switched off at a port, an input, or 0
}

// weaknesses lists the replacements by file. Those without a line give the others what they need: the rules of a router hold
// its switch, marks know their port, and a message may continue at an output that no entrant takes.
var weaknesses = map[string][]weakness{
	"barrier.go": {
		{"a barrier advances once in a period", "b.wait == 0", "(b.wait == 0 || x.without(0))"},
	},
	"delivery.go": {
		{"a delivery register whose message leaves is free", "|| o.leaves", "|| o.leaves && !r.without(d)"},
		{"a delivery register that keeps its message is not free", "free := ", "free := r.without(d) || "},
	},
	"destination.go": {
		{"all is not a digit", "(f.TDestLow+f.DigitBits)&1 != 0", "(f.TDestLow+f.DigitBits)&1 != 0 && !x.without(0)"},
		{"digits of m and more are illegal", "digit < m", "(digit < m || r.without(0))"},
		{"a set without any node is illegal", "route != 0", "(route != 0 || r.without(0))"},
		{"antipodes of odd digits are counterclockwise", "own%2 == 0", "(own%2 == 0 || r.without(0))"},
		{"antipodes of even digits are clockwise", "clockwise = ", "if r.without(0) {\nown++\n}\nclockwise = "},
		{"a message spreads at its last router", "m.WC <= 1", "m.WC <= 1 && !x.without(0)"},
		{"a message with spread spreads at every router", "|| m.Spread", "|| m.Spread && !x.without(0)"},
		{"other messages do not spread", "|| !x.addressed()", "|| !x.addressed() || x.without(0)"},
		{"a distance ends spreading", "\t\t\treturn\n", "\t\t\tif !r.without(0) {\nreturn\n}\n"},
		{
			"a distance ends delivery",
			"case x > 0:",
			"case x > 0:\ni.requests[deliveryTarget] = i.dimension <= len(r.plan.Dims) && r.without(0)",
		},
		{
			"all goes on spreading",
			"== flagAll:\n\t\t\ti.requests[j] = true",
			"== flagAll:\ni.requests[j] = true\nif r.without(0) {\nreturn\n}",
		},
		{
			"stay is no target",
			"\t\t}\n\t}\n\ti.requests[deliveryTarget]",
			"case r.without(0):\ni.requests[j] = true\n}\n}\ni.requests[deliveryTarget]",
		},
		{"distances have a limit", "distance > x.plan.Dims[j-1].M/2", "distance > x.plan.Dims[j-1].M/2 && !x.without(0)"},
	},
	"linkinput.go": {
		{"a malformed message requests", "i.arrives && i.bypass", "i.arrives && i.bypass && !(i.malformed && r.without(p))"},
		{"no target takes a malformed message", "i.dropped = i.malformed", "i.dropped = i.malformed && !r.without(p)"},
		{
			"a head is done in the cycle of its last copies",
			"i.wellFormed() && i.allServed()",
			"i.wellFormed() && i.allServed() && !(some(i.taken) && r.without(k))",
		},
		{
			"the local input waits for every group",
			"}\n\n// allServed",
			"if k == local && r.without(0) {\ni.done = some(i.taken) || some(i.served)\n}\n}\n\n// allServed",
		},
	},
	"linkoutput.go": {
		{"an output whose message leaves is free", "|| o.leaves", "|| o.leaves && !r.without(p)"},
		{"an output that keeps its message is not free", "free := ", "free := r.without(p) || "},
		{
			"a head that does not request lets entrants in",
			"switch {",
			"switch {\ncase q.Ring && r.inputs[linkInput(q.ContinueFrom)].head != nil && r.without(p):",
		},
		{"the bubble rule", "r.requestsToContinue(q.ContinueFrom):", "r.requestsToContinue(q.ContinueFrom) && !r.without(p):"},
		{
			"a malformed message keeps entrants out",
			"case q.Ring &&",
			"case q.Ring && !(r.inputs[linkInput(q.ContinueFrom)].dropped && r.without(p)) &&",
		},
		{
			"",
			"transfers, free)\n\t}\n",
			"transfers, free)\n}\nif q.Ring && r.requestsToContinue(q.ContinueFrom) && o.takes == noWay {\nr.goOn(p, q.ContinueFrom, continues, free)\n}\n",
		},
		{"a message of a shorter link requests to transfer", "o.requests[1+x] = ", "o.requests[1+x] = !r.without(from) && "},
	},
	"marks.go": {
		{
			"a blocked port does not pass",
			"o.takes == continues",
			"o.takes == continues || r.without(p) && r.requestsToContinue(r.plan.Ports[p].ContinueFrom)",
		},
		{"a message of the local input is an entrant", "if g.offers(p)", "if !(g.selected == local && r.without(p)) && g.offers(p)"},
		{
			"a message that transfers is an entrant",
			"if r.requestsToContinue(from)",
			"if !r.without(p) && r.requestsToContinue(from)",
		},
		{
			"a malformed message is no entrant",
			"r.inputs[g.selected].wellFormed()",
			"(r.inputs[g.selected].wellFormed() || r.without(p))",
		},
		{
			"a malformed message is no entrant",
			"r.inputs[linkInput(from)].wellFormed()",
			"(r.inputs[linkInput(from)].wellFormed() || r.without(p))",
		},
		{"a tick counts only with a pass", "passed := ", "passed := r.without(p) || "},
		{"an entry clears the marks", "case !m.waiting", "case !m.waiting && !r.without(p)"},
		{"the first tick does not hold the clock", "|| m.once", "|| (m.once || r.without(p))"},
		{"the second tick holds the clock", "&& passed", "&& passed && !r.without(p)"},
		{"the clock is held", "&& !r.options.NoMarks", "&& !r.options.NoMarks && !r.without(p)"},
		{"", "step(tick bool)", "step(r *Router, p int, tick bool)"},
	},
	"network.go": {
		{"a pace is late", "in.LinkPace[p] = n.pastPaces[l-1][u]", "if !n.without(0) {\nin.LinkPace[p] = n.pastPaces[l-1][u]\n}"},
		{
			"a barrier pace is late",
			"in.LinkBarrierPace[p] = n.pastBarrierPaces[l-1][u]",
			"if !n.without(0) {\nin.LinkBarrierPace[p] = n.pastBarrierPaces[l-1][u]\n}",
		},
	},
	"pace.go": {
		{"a router without an offer is done", "|| !s.offered", "|| !s.offered && !x.without(0)"},
		{"a tick waits until the router is done", "done := ", "done := x.without(0) || "},
		{"a tick waits for the neighbour", "if linkPace[p]", "if !x.without(p) && linkPace[p]"},
		{
			"only a tick adds credit",
			"c.pace = (c.pace + 1) & x.paceMask",
			"c.pace = (c.pace + 1) & x.paceMask\n}\nif c.tick || x.without(0) {",
		},
		{"a message costs credit", "c.paid = c.seen.pays", "c.paid = c.seen.pays\nif x.without(0) {\nc.paid = 0\n}"},
	},
	"router.go": {
		{
			"an illegal destination is no offer",
			"offered: r.offer.legal",
			"offered: r.offer.legal || r.offer.illegal && r.without(0)",
		},
		{"", "marks.step(r.clock.tick)", "marks.step(r, p, r.clock.tick)"},
	},
	"rules.go": {
		{"", "type rules struct {", "type rules struct {\nweak func(line string, place int) bool"},
	},
}

// Files that a weakened model has in addition.
const (
	weakenedSource = `package model

import "slices"

func (x *rules) without(line string, place int) bool { return x.weak != nil && x.weak(line, place) }

func some(list []bool) bool { return slices.Contains(list, true) }
`
	weakenedTest = `package model

func init() {
	weaken = func(x *rules, off func(line string, place int) bool) { x.weak = off }
}
`
)

// weaken switches lines of a router off. It is nil in the model of the contract, and set in a weakened one.
var weaken func(x *rules, off func(line string, place int) bool)

// inWeakenedModel reports whether the test runs in a weakened model. In the model of the contract it runs the same test again,
// in the weakened one, and reports its result.
func inWeakenedModel(t *testing.T) bool {
	t.Helper()
	if weaken != nil {
		return true
	}
	program, err := weakened()
	require.NoError(t, err)
	arguments := []string{"-test.run=^" + t.Name() + "$", "-test.v"}
	if testing.Short() {
		arguments = append(arguments, "-test.short")
	}
	text, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput()
	require.NoError(t, err, "in the weakened model:\n%s", text)
	require.Contains(t, string(text), "--- PASS: "+t.Name()+" (", "the test does not run in the weakened model")
	return false
}

// weakened builds the tests of this package with the weakened model, once, and returns the program.
var weakened = sync.OnceValues(func() (string, error) {
	sources, err := weakenedSources(weaknesses, func(file string) (string, error) {
		text, err := os.ReadFile(file)
		return string(text), err
	})
	if err != nil {
		return "", err
	}
	sources["weakened.go"], sources["weakened_test.go"] = weakenedSource, weakenedTest
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	overlay := map[string]map[string]string{"Replace": {}}
	for file, text := range sources {
		copied := filepath.Join(folder, file)
		overlay["Replace"][filepath.Join(here, file)] = copied
		if err := os.WriteFile(copied, []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	list, program := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "weakened.test")
	if err := os.WriteFile(list, text, 0o666); err != nil {
		return "", err
	}
	if text, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", list, "-o", program, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, text)
	}
	return program, nil
})

// weakenedSources returns the texts of files with replacements, by file.
func weakenedSources(list map[string][]weakness, read func(file string) (string, error)) (map[string]string, error) {
	weak := map[string]string{}
	for file, replacements := range list {
		text, err := read(file)
		if err != nil {
			return nil, err
		}
		for _, w := range replacements {
			if n := strings.Count(text, w.text); n != 1 {
				return nil, fmt.Errorf("%s: %q: the text %q is found %d times, not once", file, w.line, w.text, n)
			}
		}
		// The texts are looked up in the source, not in what other replacements make of it.
		slices.SortFunc(replacements, func(a, b weakness) int { return strings.Index(text, b.text) - strings.Index(text, a.text) })
		weak[file] = text
		next := len(text)
		for _, w := range replacements { // the last one first
			at := strings.Index(text, w.text)
			end := at + len(w.text)
			if end > next {
				return nil, fmt.Errorf("%s: %q: the text %q overlaps that of another replacement", file, w.line, w.text)
			}
			with := strings.ReplaceAll(w.with, "without(", fmt.Sprintf("without(%q, ", w.line))
			weak[file], next = weak[file][:at]+with+weak[file][end:], at
		}
	}
	return weak, nil
}

// folder holds the weakened model.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "hcgen-weakened"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// A text that is not found exactly once, and texts that overlap, are errors that name them.
func TestWeaknessesReplaceTextsThatAreFoundOnce(t *testing.T) {
	read := func(file string) (string, error) {
		if file != "a.go" {
			return "", errors.New("no such file")
		}
		return "one two two three", nil
	}
	for text, want := range map[string]string{
		"one":       "",
		"four":      `a.go: "l": the text "four" is found 0 times, not once`,
		"two":       `a.go: "l": the text "two" is found 2 times, not once`,
		"two three": `a.go: "l": the text "two three" overlaps that of another replacement`,
	} {
		got, err := weakenedSources(map[string][]weakness{"a.go": {{"l", text, "x.without(3)"}, {"", "three", "four"}}}, read)
		if want != "" {
			require.EqualError(t, err, want)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, map[string]string{"a.go": `x.without("l", 3) two two four`}, got)
	}
	_, err := weakenedSources(map[string][]weakness{"b.go": nil}, read)
	require.Error(t, err)
}

// flaw makes the rules of a router wrong.
type flaw func(x *rules)

// off switches a line off at every place.
func off(line string) flaw {
	known(line)
	return func(x *rules) { weaken(x, func(l string, _ int) bool { return l == line }) }
}

// offAt switches a line off at one place.
func offAt(line string, place int) flaw {
	known(line)
	return func(x *rules) { weaken(x, func(l string, at int) bool { return l == line && at == place }) }
}

// known panics if no weakness has a line.
func known(line string) {
	for _, list := range weaknesses {
		if slices.ContainsFunc(list, func(w weakness) bool { return w.line == line }) {
			return
		}
	}
	panic(fmt.Sprintf("no weakness is called %q", line))
}

// right has no flaw.
func right(*rules) {}

// paceFlaws are flaws of the pace, with and without destinations.
var paceFlaws = map[string]flaw{
	"an injection costs nothing":    off("a message costs credit"),
	"the last link is not read":     func(x *rules) { offAt("a tick waits for the neighbour", x.plan.Degree-1)(x) },
	"nobody is behind":              off("a tick waits for the neighbour"),
	"always done":                   off("a tick waits until the router is done"),
	"credit without a tick":         off("only a tick adds credit"),
	"always open":                   func(x *rules) { x.options.NoPace = true },
	"those who offer nothing wait":  off("a router without an offer is done"),
	"there is no refill":            func(x *rules) { x.refill = 0 },
	"the cap is a half more":        func(x *rules) { x.cap += x.refill },
	"the cap and the rest are more": func(x *rules) { x.cap, x.doneRest = x.cap+x.refill, x.doneRest+x.refill },
	"the refill is twice as large":  func(x *rules) { x.refill *= 2 },
}

// destinationPaceFlaws are flaws of the pace with destinations.
var destinationPaceFlaws = map[string]flaw{
	"the cap is 15":                                func(x *rules) { x.cap-- },
	"the cap is 17":                                func(x *rules) { x.cap++ },
	"the refill is 7":                              func(x *rules) { x.refill-- },
	"the refill is 9":                              func(x *rules) { x.refill++ },
	"the refill is 4":                              func(x *rules) { x.refill /= 2 },
	"done with a rest of 16":                       func(x *rules) { x.doneRest++ },
	"done with a rest of 14 only":                  func(x *rules) { x.doneRest-- },
	"done with a rest of 8 only":                   func(x *rules) { x.doneRest = x.cap - x.refill },
	"done without an offer only":                   func(x *rules) { x.doneRest = -1 },
	"a message to one node costs a turn":           func(x *rules) { x.unicastCost = x.cost },
	"every message costs 1":                        func(x *rules) { x.cost = x.unicastCost },
	"a message to one node costs 2":                func(x *rules) { x.unicastCost = 2 },
	"illegal destinations are offered to the pace": off("an illegal destination is no offer"),
}
