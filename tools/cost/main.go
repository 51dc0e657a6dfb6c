// SPDX-License-Identifier: Apache-2.0

// Cost synthesizes the routers of internal/explore/testdata/measured.csv, hc_packets with the parameters of
// packets.csv, and a node of each collective network of collectives.csv, and rewrites their cells there: the
// figures that the estimates of hcgen explore are fitted to.
//
//	go run ./tools/cost     (in the top folder of the project)
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
)

// table has a line for each machine: what it is used for, m and rho of its dimensions with
// the highest first, LUT4 and FF of its router, and those with destinations.
const table = "internal/explore/testdata/measured.csv"

// area is how designs are synthesized: for what the clock costs in LUTs depends on the one that is asked for.
var area = synthesis.Options{Target: synthesis.HX8K(), Variables: []string{"OPTIMIZE=area"}}

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := errors.Join(measureCost(ctx, table), packets(ctx, packetsTable), collectives(ctx, collectivesTable))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// measureCost measures all routers of a table.
func measureCost(ctx context.Context, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var machines [][]hypercycle.Dimension
	for i, line := range lines[1:] {
		rings, err := parse(line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+2, err)
		}
		machines = append(machines, rings)
	}
	for _, destination := range []bool{false, true} {
		what := "routers"
		column := 3
		if destination {
			what, column = "routers with destinations", 5
		}
		for i, rings := range machines {
			m, err := machine.Bare(rings...)
			if err != nil {
				return err
			}
			m.PayloadBits, m.Destination = explore.PayloadBits, destination
			router, err := synthesis.Router(m)
			if err != nil {
				return err
			}
			c, err := router.Run(ctx, area)
			if err != nil {
				return err
			}
			lines[i+1][column], lines[i+1][column+1] = strconv.Itoa(c.LUT4), strconv.Itoa(c.FF)
			fmt.Fprintf(os.Stderr, "cost: %d of %d %s\n", i+1, len(machines), what)
		}
	}
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(b.String()), 0o666)
}

// parse reads the rings of a line, dimension 1 first.
func parse(line []string) ([]hypercycle.Dimension, error) {
	m, rho := strings.Fields(line[1]), strings.Fields(line[2])
	if len(m) != len(rho) {
		return nil, errors.New("there are not as many rho as m")
	}
	var rings []hypercycle.Dimension
	for i := len(m) - 1; i >= 0; i-- {
		d := hypercycle.Dimension{}
		var errM, errRho error
		d.M, errM = strconv.Atoi(m[i])
		d.Rho, errRho = strconv.Atoi(rho[i])
		if err := errors.Join(errM, errRho, d.Validate()); err != nil {
			return nil, err
		}
		rings = append(rings, d)
	}
	return rings, nil
}
