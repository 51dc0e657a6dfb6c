// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A weakened model is a build of this package with the option -overlay, as in package model: a copy of end.go, in which texts are
// replaced so that a rule can be switched off.

// weaknesses are rules of the contract, each with its text in end.go, found once, and the text without it. off is true while the
// rule is off.
var weaknesses = []struct{ rule, text, with string }{
	{"frames of another colour do not count", "case f.Colour != e.want:", "case f.Colour != e.want && !off:"},
	{"another number means that a word was lost", "case f.Number != e.expected:", "case f.Number != e.expected && !off:"},
	{"an end goes back to the number of ack", "e.pause = f.Want, f.Ack, e.toss&1 != 0", "e.pause = f.Want, pick(off, e.next, f.Ack), e.toss&1 != 0"},
	{"the colour changes with want", "e.Repetitions++", "e.Repetitions++\ne.colour = e.colour != off"},
	{"at most 2^n - 1 words are unacknowledged", "e.acked.pending(e.now) == e.sizes.numberModulus()-1", "e.acked.pending(e.now) == e.sizes.numberModulus()-pick(off, 0, 1)"},
	{"a word has a place", "n.used+n.credit.pending(e.now) < e.sizes.Places()", "(off || n.used+n.credit.pending(e.now) < e.sizes.Places())"},
	{"what is freed is credit", "n.used-freed", "n.used-pick(off, 0, 1)*freed"},
	{"a hello without heard means that the other end was reset", "e.lost || !f.Heard", "e.lost || !f.Heard && !off"},
	{"what lost says is lost", "case own && f.Lost:", "case own && f.Lost && !off:"},
	{"only a hello of the session is heard", "own := f.Session == e.session", "own := f.Session == e.session || off"},
	{"an end comes up if it has heard", "e.up = e.heard // the", "e.up = e.heard || off // the"},
	{"an end comes up if it is heard", "e.up = e.heard && f.Heard", "e.up = e.heard && (f.Heard || off)"},
	{"a lost end says so", "Lost: e.lost, Session", "Lost: e.lost && !off, Session"},
	{"a newer session begins", "return isNewer(f.Session, e.session)", "return !off && isNewer(f.Session, e.session)"},
	{"a reset forgets what was heard", "e.heard, e.up, e.lost = false,", "e.heard, e.up, e.lost = off && e.heard,"},
}

const weakenedSource = `package chips

var weak = ""

func pick(first bool, a, b int) int {
	if first {
		return a
	}
	return b
}
`

const weakenedTest = `package chips

func init() { weaken = func(rule string) { weak = rule } }
`

// weaken switches a rule off. It is nil in the model of the contract.
var weaken func(rule string)

// weakened builds the tests of this package with the weakened model.
func weakened(t *testing.T) string {
	text, err := os.ReadFile("end.go")
	require.NoError(t, err)
	source := string(text)
	for _, w := range weaknesses {
		require.Equal(t, 1, strings.Count(source, w.text), "%s: %s", w.rule, w.text)
		source = strings.Replace(source, w.text, strings.ReplaceAll(w.with, "off", "(weak == \""+w.rule+"\")"), 1)
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	folder, replace := t.TempDir(), map[string]string{}
	for name, text := range map[string]string{"end.go": source, "weakened.go": weakenedSource, "weakened_test.go": weakenedTest} {
		replace[filepath.Join(here, name)] = filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	require.NoError(t, err)
	overlay, program := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "weakened.test")
	require.NoError(t, os.WriteFile(overlay, list, 0o666))
	made, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", made)
	return program
}

// Without any of these rules a search of the small machines finds a fault.
func TestEveryRuleIsNeeded(t *testing.T) {
	if weaken == nil {
		text, err := exec.CommandContext(t.Context(), weakened(t), "-test.run=^"+t.Name()+"$", "-test.v").CombinedOutput()
		require.NoError(t, err, "in the weakened model:\n%s", text)
		require.Contains(t, string(text), "--- PASS: "+t.Name()+" (")
		return
	}
	find := func() (fault string) {
		for _, s := range scopes {
			if s.long {
				continue
			}
			if _, _, fault = s.judge(); fault != "" {
				return s.name + ": " + fault
			}
		}
		return ""
	}
	require.Empty(t, find(), "with all rules")
	for _, w := range weaknesses {
		weaken(w.rule)
		fault := find()
		t.Logf("without %q: %s", w.rule, fault)
		if fault == "" {
			t.Errorf("%q is not needed", w.rule)
		}
	}
}
