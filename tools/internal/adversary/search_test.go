// SPDX-License-Identifier: Apache-2.0

package adversary

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/sim/model"
)

const cycles = 1500

func TestAdversaryHoldsNoMessage(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 20
	}
	for _, s := range Subjects() {
		t.Run(s.Title, func(t *testing.T) {
			t.Parallel()
			worst, err := Search(t.Context(), s.Plan, runs, cycles, 1, Simulate)
			require.NoError(t, err)
			require.NoError(t, worst.Fault(), "%v", worst)
		})
	}
}

// The same search finds held messages if the marks do not hold the clocks.
func TestAdversaryFindsMessagesThatAreHeldWithoutMarks(t *testing.T) {
	list := Subjects()
	for _, s := range []Subject{list[0], list[1], list[5], list[6], list[10]} {
		t.Run(s.Title, func(t *testing.T) {
			worst, err := Search(t.Context(), s.Plan, 300, cycles, 1, func(p *plan.Plan, traffic machine.Traffic) measure.Measurement {
				n := measure.NewRun(p, traffic, model.Options{NoMarks: true})
				for n.Cycle() < cycles {
					n.Step()
				}
				m := measure.Measurement{Summary: n.Summary()}
				m.MaxPassedTicks = 0 // at which the search would end
				return m
			})
			require.NoError(t, err)
			require.True(t, worst.held(), "%d cycles under way\n%v", worst.MaxTimeUnderWay, worst)
			require.Error(t, worst.Fault())
		})
	}
}
