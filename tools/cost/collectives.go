// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
)

// collectivesTable has a line for each collective network: what it is used for, m and rho of its dimensions with the highest
// first, the operation, and LUT4 and FF of a node.
const collectivesTable = "internal/explore/testdata/collectives.csv"

// collectives measures a node of every network of a table.
func collectives(ctx context.Context, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for i, line := range lines[1:] {
		rings, err := parse(line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+2, err)
		}
		if !slices.Contains(explore.CollectiveOperations(), line[3]) {
			return fmt.Errorf("%s:%d: %q is not an operation that is estimated", file, i+2, line[3])
		}
		m, err := machine.Bare(rings...)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+2, err)
		}
		c := explore.CollectiveBlock(line[3])
		m.Collectives, m.NoRouters = []machine.Collective{c}, true
		node, err := synthesis.Node(m, c)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+2, err)
		}
		cells, err := node.Run(ctx, area)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+2, err)
		}
		line[4], line[5] = strconv.Itoa(cells.LUT4), strconv.Itoa(cells.FF)
		fmt.Fprintf(os.Stderr, "cost: %d of %d nodes of collective networks\n", i+1, len(lines)-1)
	}
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(b.String()), 0o666)
}
