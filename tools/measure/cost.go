// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
)

// costTables are the tables with the designs that the estimates of hcgen explore are fitted to. designs returns those of a line,
// whose cells are the last columns.
var costTables = []struct {
	file    string
	designs func(line []string) ([]costDesign, error)
}{
	{"measured.csv", routerDesigns},
	{"packets.csv", packetsDesigns},
	{"collectives.csv", nodeDesigns},
}

// costDesign is a design that is mapped.
type costDesign struct {
	unit
	cells func() []int // when the unit is done
}

// cost maps the designs of the tables, and rewrites their cells.
func cost(flags *flag.FlagSet) func(context.Context, io.Writer) error {
	r := newRunner(flags)
	folder := flags.String("tables", "internal/explore/testdata", "`folder` of the tables")
	return func(ctx context.Context, _ io.Writer) error {
		var units []unit
		var fill []func() error
		for _, t := range costTables {
			file := filepath.Join(*folder, t.file)
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			all := make([][]costDesign, len(lines))
			for i, line := range lines[1:] {
				if all[i+1], err = t.designs(line); err != nil {
					return fmt.Errorf("%s:%d: %w", file, i+2, err)
				}
				for _, d := range all[i+1] {
					units = append(units, d.unit)
				}
			}
			fill = append(fill, func() error { return fillCells(file, lines, all) })
		}
		if err := r.run(ctx, []string{"yosys"}, units); err != nil {
			return err
		}
		var errs []error
		for _, f := range fill {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	}
}

// fillCells writes a table with the cells of the designs of its lines.
func fillCells(file string, lines [][]string, designs [][]costDesign) error {
	for i, line := range lines {
		var cells []string
		for _, d := range designs[i] {
			for _, n := range d.cells() {
				cells = append(cells, strconv.Itoa(n))
			}
		}
		copy(line[len(line)-len(cells):], cells)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

// synthesized is the router of a machine, or a node of its collective network, synthesized for the area: what a clock costs in
// LUTs depends on the clock.
func synthesized(name string, m *machine.Machine, collective string) (costDesign, error) {
	t, err := synthesis.NewTask(m, collective, synthesis.Options{Target: synthesis.HX8K(), Variables: []string{"OPTIMIZE=area"}})
	var result synthesis.Measured
	return costDesign{unit{name, task{Synthesis: t}, &result}, func() []int { return []int{result.LUT4, result.FF} }}, err
}

// routerDesigns are the routers of a line with use, and m and rho of the dimensions, the highest first: without and with
// destinations.
func routerDesigns(line []string) (all []costDesign, err error) {
	m, title, err := parseRings(line)
	if err != nil {
		return nil, err
	}
	for _, m.Destination = range []bool{false, true} {
		name := "router." + title
		if m.Destination {
			name = "destinations." + title
		}
		d, err := synthesized(name, m, "")
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// nodeDesigns is the node of the collective network of a line with use, m, rho and operation.
func nodeDesigns(line []string) ([]costDesign, error) {
	m, title, err := parseRings(line)
	if err != nil {
		return nil, err
	}
	operation := line[3]
	if !slices.Contains(explore.CollectiveOperations(), operation) {
		return nil, fmt.Errorf("%q is not an operation that is estimated", operation)
	}
	c := explore.CollectiveBlock(operation)
	m.Collectives, m.NoRouters = []machine.Collective{c}, true
	d, err := synthesized(operation+"."+title, m, c.Name)
	return []costDesign{d}, err
}

// packetsDesigns is the hc_packets of a line with its parameters: SOURCES, DEPTH_BITS, WIDTH and PACKETS.
func packetsDesigns(line []string) ([]costDesign, error) {
	sources, err := strconv.Atoi(line[0])
	if err != nil || sources < 1 {
		return nil, fmt.Errorf("%q is no number of sources", line[0])
	}
	m, err := newMapping(mapping{
		Modules: []string{"hdl/hc_packets.v"},
		Commands: fmt.Sprintf("chparam -set SOURCES %d -set SOURCE_BITS %d -set DEPTH_BITS %s -set WIDTH %s -set PACKETS %s hc_packets; synth_ice40 -top hc_packets",
			sources, max(1, bits.Len(uint(sources-1))), line[1], line[2], line[3]),
	})
	var cells map[string]int
	return []costDesign{{unit{"packets." + strings.Join(line[:4], "."), task{Mapping: m}, &cells}, func() []int {
		return []int{cells["SB_LUT4"], synthesis.Count(cells, "SB_DFF"), synthesis.Count(cells, "SB_RAM40")}
	}}}, err
}

// parseRings reads m and rho of a line, and returns the machine and how it is written.
func parseRings(line []string) (*machine.Machine, string, error) {
	m, rho := strings.Fields(line[1]), strings.Fields(line[2])
	if len(m) != len(rho) {
		return nil, "", errors.New("there are not as many rho as m")
	}
	var rings []hypercycle.Dimension
	for i := len(m) - 1; i >= 0; i-- {
		d := hypercycle.Dimension{}
		var errM, errRho error
		d.M, errM = strconv.Atoi(m[i])
		d.Rho, errRho = strconv.Atoi(rho[i])
		if err := errors.Join(errM, errRho, d.Validate()); err != nil {
			return nil, "", err
		}
		rings = append(rings, d)
	}
	bare, err := machine.Bare(rings...)
	if err != nil {
		return nil, "", err
	}
	bare.PayloadBits = explore.PayloadBits
	return bare, (&explore.Machine{Rings: rings}).String(), nil
}
