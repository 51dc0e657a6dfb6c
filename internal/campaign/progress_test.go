// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// Five units of 3 minutes: one from an earlier run, and the others two at a time.
func TestTimeThatIsLeftCountsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out, "squares")
		p.had(Result{Seconds: 180})
		end := p.start(4, 2, time.Time{})
		for _, pair := range [][]string{{"a", "b"}, {"c", "d"}} {
			for _, unit := range pair {
				p.begin(unit)
			}
			time.Sleep(3*time.Minute - time.Second)
			p.add(Result{Unit: pair[0], Seconds: 179})
			time.Sleep(time.Second)
			if pair[1] == "d" {
				p.fail("d")
				continue
			}
			p.add(Result{Unit: pair[1], Seconds: 180})
		}
		end()
		assert.Equal(t, `squares: 1 of 5 units, 15s, about 5m45s left
squares: 1 of 5 units, 30s, about 5m30s left
squares: 1 of 5 units, 45s, about 5m15s left
squares: 1 of 5 units, 1m0s, about 5m0s left
squares: 1 of 5 units, 1m15s, about 4m45s left
squares: 1 of 5 units, 1m30s, about 4m30s left
squares: 1 of 5 units, 1m45s, about 4m15s left
squares: 1 of 5 units, 2m0s, about 4m0s left
squares: 1 of 5 units, 2m15s, about 3m45s left
squares: 1 of 5 units, 2m30s, about 3m30s left
squares: 1 of 5 units, 2m47s, about 3m13s left
squares: 3 of 5 units, 3m6s, about 2m54s left
squares: 3 of 5 units, 3m27s, about 2m33s left
squares: 3 of 5 units, 3m50s, about 2m10s left
squares: 3 of 5 units, 4m16s, about 1m44s left
squares: 3 of 5 units, 4m45s, about 1m15s left
squares: 3 of 5 units, 5m17s, about 43s left
squares: 3 of 5 units, 5m53s, about 7s left
squares: 4 of 5 units, 1 failed, 6m0s
`, out.String())
	})
}

// A long run does not fill its log.
func TestIntervalsGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out, "squares")
		end := p.start(1, 1, time.Time{})
		p.begin("a")
		time.Sleep(24 * time.Hour)
		end()
		lines := 0
		for _, c := range out.String() {
			if c == '\n' {
				lines++
			}
		}
		assert.InDelta(t, 75, lines, 10)
		assert.NotContains(t, out.String(), "left", "nothing is known of the time of a unit")
	})
}

func TestEstimateEndsWithTheTimeOfTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out, "squares")
		p.had(Result{Seconds: 20})
		end := p.start(1000, 1, time.Now().Add(90*time.Second))
		p.begin("a")
		time.Sleep(75 * time.Second)
		end()
		assert.Contains(t, out.String(), "squares: 1 of 1001 units, 15s, about 1m15s left\n")
		assert.Contains(t, out.String(), "squares: 1 of 1001 units, 1m0s, about 30s left\n")
	})
}

// On a terminal the line changes in place, and messages stand alone.
func TestLineOfATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out, "squares")
		p.terminal = true
		p.had(Result{Seconds: 10})
		end := p.start(2, 1, time.Time{})
		p.begin("a")
		time.Sleep(2500 * time.Millisecond)
		p.say("%d more", 3)
		p.add(Result{Unit: "a", Seconds: 2.5})
		p.begin("b")
		time.Sleep(time.Second)
		end()
		blank := "\r                                             \r"
		assert.Equal(t, "\rsquares: 1 of 3 units, 1s, about 19s left\rsquares: 1 of 3 units, 2s, about 18s left"+blank[:1]+blank[5:]+
			"squares: 3 more\n\rsquares: 2 of 3 units, 3s, about 6s left"+blank[:1]+blank[6:]+"squares: 2 of 3 units, 4s\n", out.String())
	})
}
