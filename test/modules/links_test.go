// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"testing"

	"github.com/hcgen/hcgen/internal/needs"
)

func linkSlices() []string { return []string{"hc_link_slices"} }

func linkCredits() []string { return []string{"hc_link_credits", "hc_delay"} }

// Links of one slice, which have no other, and of several.
func TestLinkSlicesAreProved(t *testing.T) {
	for stages := 1; stages <= 4; stages++ {
		t.Run(fmt.Sprint(stages), func(t *testing.T) {
			if stages > 2 {
				needs.Time(t)
			}
			p := prove(t, linkSlices())
			p.compile(fmt.Sprintf("-chparam STAGES %d -chparam WIDTH 2", stages))
			p.holds(2)
			p.reaches(8 + 4*stages)
		})
	}
}

// The shortest way to the memory, and longer ones.
func TestLinkCreditsAreProved(t *testing.T) {
	for _, latency := range []int{3, 4, 5} {
		t.Run(fmt.Sprint(latency), func(t *testing.T) {
			if latency > 3 {
				needs.Time(t)
			}
			p := prove(t, linkCredits())
			p.compile(fmt.Sprintf("-chparam LATENCY %d -chparam WIDTH 2", latency))
			p.holds(1)
			p.reaches(5 + 3*latency)
		})
	}
}

func TestDelayIsProved(t *testing.T) {
	for _, cycles := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(cycles), func(t *testing.T) {
			p := prove(t, []string{"hc_delay"})
			p.compile(fmt.Sprintf("-chparam CYCLES %d -chparam WIDTH 2", cycles))
			p.holds(2)
			p.reaches(6 + 2*cycles)
		})
	}
}
