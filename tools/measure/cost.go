// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
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

// costTable is a table with designs that estimates are fitted to. units are those that synthesize the designs of a line, and the
// cells are the last columns.
type costTable struct {
	file  string
	units func(*costLine) ([]unit, error)
	cells []column[*costLine]
}

// costLine is a line of a table, with the designs that it has.
type costLine struct {
	text                       []string
	router, destinations, node synthesis.Measured
	packets                    map[string]int
}

var costTables = []costTable{
	{"measured.csv", routerUnits, []column[*costLine]{
		{"lut4", "lut4", "", "%d", func(l *costLine) any { return l.router.LUT4 }},
		{"ff", "ff", "", "%d", func(l *costLine) any { return l.router.FF }},
		{"destination_lut4", "destination_lut4", "", "%d", func(l *costLine) any { return l.destinations.LUT4 }},
		{"destination_ff", "destination_ff", "", "%d", func(l *costLine) any { return l.destinations.FF }},
	}},
	{"packets.csv", packetsUnits, []column[*costLine]{
		{"lut4", "lut4", "", "%d", func(l *costLine) any { return l.packets["SB_LUT4"] }},
		{"ff", "ff", "", "%d", func(l *costLine) any { return synthesis.Count(l.packets, "SB_DFF") }},
		{"block_ram", "block_ram", "", "%d", func(l *costLine) any { return synthesis.Count(l.packets, "SB_RAM40") }},
	}},
	{"collectives.csv", nodeUnits, []column[*costLine]{
		{"lut4", "lut4", "", "%d", func(l *costLine) any { return l.node.LUT4 }},
		{"ff", "ff", "", "%d", func(l *costLine) any { return l.node.FF }},
	}},
}

// cost maps the designs that the costs of hcgen explore are fitted to.
func cost(flags *flag.FlagSet) func(context.Context) (*report, error) {
	return fitted(flags, costTables, "internal/explore/testdata", "yosys")
}

// fitted measures the designs of tables, and rewrites their cells.
func fitted(flags *flag.FlagSet, tables []costTable, home string, tools ...string) func(context.Context) (*report, error) {
	r := newRunner(flags)
	folder := flags.String("tables", home, "`folder` of the tables")
	return func(ctx context.Context) (*report, error) {
		var units []unit
		lines := make([][]*costLine, len(tables)) // without the headings
		columns := make([][]column[*costLine], len(tables))
		for i, t := range tables {
			file := filepath.Join(*folder, t.file)
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			all, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			for j, heading := range all[0][:len(all[0])-len(t.cells)] {
				columns[i] = append(columns[i], column[*costLine]{heading, heading, "", "%s", func(l *costLine) any { return l.text[j] }})
			}
			columns[i] = append(columns[i], t.cells...)
			for j, line := range all[1:] {
				l := &costLine{text: line}
				more, err := t.units(l)
				if err != nil {
					return nil, fmt.Errorf("%s:%d: %w", file, j+2, err)
				}
				units, lines[i] = append(units, more...), append(lines[i], l)
			}
		}
		if err := r.run(ctx, tools, units); err != nil {
			return nil, err
		}
		all := &report{}
		for i, t := range tables {
			made := tableOf(t.file, columns[i], lines[i])
			var b bytes.Buffer
			if err := csv.NewWriter(&b).WriteAll(made.cells); err != nil {
				return nil, err
			}
			if err := os.WriteFile(filepath.Join(*folder, t.file), b.Bytes(), 0o666); err != nil {
				return nil, err
			}
			all.Tables = append(all.Tables, made)
		}
		return all, nil
	}
}

// forArea synthesizes the router of a machine, or a node of its collective network, for the area: what a clock costs in LUTs
// depends on the clock.
func forArea(name string, m *machine.Machine, collective string, into *synthesis.Measured) (unit, error) {
	t, err := synthesis.NewTask(m, collective, synthesis.Options{Target: synthesis.HX8K(), Variables: []string{"OPTIMIZE=area"}})
	return unit{name, task{Synthesis: t}, into}, err
}

// routerUnits synthesize the routers of a line with use, and m and rho of the dimensions, the highest first: without and with
// destinations.
func routerUnits(l *costLine) ([]unit, error) {
	m, title, err := parseRings(l.text)
	if err != nil {
		return nil, err
	}
	without, fault := forArea("router."+title, m, "", &l.router)
	m.Destination = true
	with, err := forArea("destinations."+title, m, "", &l.destinations)
	return []unit{without, with}, errors.Join(fault, err)
}

// nodeUnits synthesize the node of the collective network of a line with use, m, rho and operation.
func nodeUnits(l *costLine) ([]unit, error) {
	m, title, err := parseRings(l.text)
	if err != nil {
		return nil, err
	}
	operation := l.text[3]
	if !slices.Contains(explore.CollectiveOperations(), operation) {
		return nil, fmt.Errorf("%q is not an operation that is estimated", operation)
	}
	c := explore.CollectiveBlock(operation)
	if c.Operator != "" {
		c.ChunkBits = c.PayloadBits // the estimate is for whole words
	}
	m.Collectives, m.NoRouters = []machine.Collective{c}, true
	u, err := forArea(operation+"."+title, m, c.Name, &l.node)
	return []unit{u}, err
}

// packetsUnits map the hc_packets of a line with its parameters: SOURCES, DEPTH_BITS, WIDTH and PACKETS.
func packetsUnits(l *costLine) ([]unit, error) {
	sources, err := strconv.Atoi(l.text[0])
	if err != nil || sources < 1 {
		return nil, fmt.Errorf("%q is no number of sources", l.text[0])
	}
	m, err := newMapping(mapping{
		Modules: []string{"hdl/hc_packets.v"},
		Commands: fmt.Sprintf("chparam -set SOURCES %d -set SOURCE_BITS %d -set DEPTH_BITS %s -set WIDTH %s -set PACKETS %s hc_packets; synth_ice40 -top hc_packets",
			sources, max(1, bits.Len(uint(sources-1))), l.text[1], l.text[2], l.text[3]),
	})
	return []unit{{"packets." + strings.Join(l.text[:4], "."), task{Mapping: m}, &l.packets}}, err
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
