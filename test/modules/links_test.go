// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"testing"

	"github.com/hcgen/hcgen/internal/needs"
)

// linkSlices, linkCredits and linkDelay are the modules of a link with registers, with their properties.
func linkSlices(t *testing.T, stages int, faults ...string) *proof {
	t.Helper()
	p := prove(t, []string{"hc_link_slices"}, faults...)
	p.compile(fmt.Sprintf("-chparam STAGES %d -chparam WIDTH 2", stages))
	return p
}

func linkCredits(t *testing.T, latency int, faults ...string) *proof {
	t.Helper()
	p := prove(t, []string{"hc_link_credits", "hc_delay"}, faults...)
	p.instances("hc_delay", 2)
	p.compile(fmt.Sprintf("-chparam LATENCY %d -chparam WIDTH 2", latency))
	return p
}

func linkDelay(t *testing.T, cycles int, faults ...string) *proof {
	t.Helper()
	p := prove(t, []string{"hc_delay"}, faults...)
	p.compile(fmt.Sprintf("-chparam CYCLES %d -chparam WIDTH 2", cycles))
	return p
}

func TestLinkSlicesAreProved(t *testing.T) {
	for stages := 1; stages <= 4; stages++ {
		t.Run(fmt.Sprint(stages), func(t *testing.T) {
			p := linkSlices(t, stages)
			p.holds(2)
			p.reaches(8 + 4*stages)
		})
	}
}

func TestLinkCreditsAreProved(t *testing.T) {
	for _, latency := range []int{3, 4, 5} {
		t.Run(fmt.Sprint(latency), func(t *testing.T) {
			if latency > 3 {
				needs.Time(t)
			}
			p := linkCredits(t, latency)
			p.holds(2)
			p.reaches(6 + 6*latency)
		})
	}
}

func TestDelayIsProved(t *testing.T) {
	for _, cycles := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(cycles), func(t *testing.T) {
			p := linkDelay(t, cycles)
			p.holds(2)
			p.reaches(6 + 2*cycles)
		})
	}
}
