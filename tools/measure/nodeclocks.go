// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strconv"

	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
)

// clockTables has the nodes that the estimate of their clock is fitted to, with use, m, rho, operation, operator, bits of a word and
// of a chunk.
var clockTables = []costTable{
	{"nodeclocks.csv", clockUnits, []column[*costLine]{
		{"lut4", "lut4", "", "%d", func(l *costLine) any { return l.node.LUT4 }},
		{"ff", "ff", "", "%d", func(l *costLine) any { return l.node.FF }},
		{"mhz", "mhz", "", "%.1f", func(l *costLine) any { return l.node.Clock.Median }},
	}},
}

// clockSeeds are those of the placements, of which the table has the median.
var clockSeeds = []int{1, 2, 3}

// nodeClocks places the nodes that the estimate of their clock is fitted to.
func nodeClocks(flags *flag.FlagSet) func(context.Context) (*report, error) {
	return fitted(flags, clockTables, "plan/testdata", "yosys", "nextpnr-ice40")
}

// clockUnits places the node of a line.
func clockUnits(l *costLine) ([]unit, error) {
	m, title, err := parseRings(l.text)
	if err != nil {
		return nil, err
	}
	operation, operator := l.text[3], l.text[4]
	if !slices.Contains(explore.CollectiveOperations(), operation) || !slices.Contains(machine.Operators, operator) {
		return nil, fmt.Errorf("there is no %s with the operator %q", operation, operator)
	}
	c := explore.CollectiveBlock(operation)
	if c.Operator == "" {
		return nil, fmt.Errorf("%s combines no words", operation)
	}
	c.Operator = operator
	if c.PayloadBits, err = strconv.Atoi(l.text[5]); err != nil {
		return nil, err
	}
	if c.ChunkBits, err = strconv.Atoi(l.text[6]); err != nil {
		return nil, err
	}
	m.Collectives, m.NoRouters = []machine.Collective{c}, true
	_, target, err := nodeTarget(clockSeeds)
	if err != nil {
		return nil, err
	}
	t, err := synthesis.NewTask(m, c.Name, synthesis.Options{Target: target})
	name := fmt.Sprintf("%s.%s.%s.%d.%d", operation, title, operator, c.PayloadBits, c.ChunkBits)
	return []unit{{name, task{Synthesis: t}, &l.node}}, err
}
