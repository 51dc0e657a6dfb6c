// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"testing"

	"github.com/hcgen/hcgen/sim/internal/weaken"
)

// weaknesses are rules of the contract of an end.
var weaknesses = weaken.Rules{"end.go": {
	{"frames of another colour do not count", "case f.Colour != e.want:", "case f.Colour != e.want && !OFF:"},
	{"another number means that a word was lost", "case f.Number != e.expected:", "case f.Number != e.expected && !OFF:"},
	{"an end goes back to the number of ack", "e.pause = f.Want, f.Ack, e.toss&1 != 0", "e.pause = f.Want, pick(OFF, e.next, f.Ack), e.toss&1 != 0"},
	{"the colour changes with want", "e.Repetitions++", "e.Repetitions++\ne.colour = e.colour != OFF"},
	{"at most 2^n - 1 words are unacknowledged", "e.acked.pending(e.now) == e.sizes.numberModulus()-1", "e.acked.pending(e.now) == e.sizes.numberModulus()-pick(OFF, 0, 1)"},
	{"a word has a place", "n.used+n.credit.pending(e.now) < e.sizes.Places()", "(OFF || n.used+n.credit.pending(e.now) < e.sizes.Places())"},
	{"what is freed is credit", "n.used-freed", "n.used-pick(OFF, 0, 1)*freed"},
	{"a hello without heard means that the other end was reset", "e.lost || !f.Heard", "e.lost || !f.Heard && !OFF"},
	{"what lost says is lost", "case own && f.Lost:", "case own && f.Lost && !OFF:"},
	{"only a hello of the session is heard", "own := f.Session == e.session", "own := f.Session == e.session || OFF"},
	{"an end comes up if it has heard", "e.up = e.heard // the", "e.up = e.heard || OFF // the"},
	{"an end comes up if it is heard", "e.up = e.heard && f.Heard", "e.up = e.heard && (f.Heard || OFF)"},
	{"a lost end says so", "Lost: e.lost, Session", "Lost: e.lost && !OFF, Session"},
	{"a newer session begins", "return isNewer(f.Session, e.session)", "return !OFF && isNewer(f.Session, e.session)"},
	{"a reset forgets what was heard", "e.heard, e.up, e.lost = false,", "e.heard, e.up, e.lost = OFF && e.heard,"},
}}

// off switches a rule off. It is nil in the model of the contract.
var off func(rule string)

// Without any of these rules a search of the small machines finds a fault.
func TestEveryRuleIsNeeded(t *testing.T) {
	weaken.Each(t, weaknesses, off, func() (fault string) {
		for _, s := range scopes {
			if s.long {
				continue
			}
			if _, _, fault = s.judge(); fault != "" {
				return s.name + ": " + fault
			}
		}
		return ""
	})
}
