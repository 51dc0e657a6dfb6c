// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/hcgen/hcgen/internal/synthesis"
)

var areaPlace = place{"docs/performance.md", "area"}

// areaRouter is a router that area synthesizes.
type areaRouter struct {
	title   string
	config  string // described in configs/<config>.hcl; empty: the programmable router of hdl/programmable with its default limits
	payload int    // bits
	vars    map[string]string
}

func areaRouters() []areaRouter {
	return []areaRouter{
		{"ring of 8", "ring8", 8, map[string]string{"payload_bits": "8"}},
		{"ring of 8", "ring8", 32, nil},
		{"4x4 torus", "torus4x4", 4, map[string]string{"payload_bits": "4"}},
		{"4x4 torus", "torus4x4", 32, nil},
		{"4-cube", "cube4", 32, nil},
		{"15x15x15x15, rho 1", "prototype15", 32, nil},
		{"15x15x15x15, rho 2", "degree16", 16, nil},
		{"programmable, degree 16", "", 8, nil},
	}
}

// area synthesizes routers with Yosys for three families of FPGAs and counts their cells. Nothing is placed, so there is no clock.
// It prints LUTs by size, flip-flops, carry cells and multiplexers, and writes LUTs and flip-flops.
func area(flags *flag.FlagSet) func(context.Context, io.Writer) error {
	r := newRunner(flags)
	return func(ctx context.Context, out io.Writer) error {
		if err := checkPlaces(areaPlace); err != nil { // before minutes of work
			return err
		}
		all := areaRouters()
		mapped := make([][]map[string]int, len(all))
		var units []unit
		for i, s := range all {
			mapped[i] = make([]map[string]int, len(families()))
			for j, f := range families() {
				m, err := s.mapping(f.synth)
				if err != nil {
					return fmt.Errorf("%s: %w", s.title, err)
				}
				units = append(units, unit{fmt.Sprintf("%s%d.%s", s.config, s.payload, strings.ReplaceAll(f.name, " ", "")), task{Mapping: m}, &mapped[i][j]})
			}
		}
		if err := r.run(ctx, []string{"yosys"}, units); err != nil {
			return err
		}
		counted := make([][]cells, len(all))
		for i, s := range all {
			for j, f := range families() {
				c, err := f.count(mapped[i][j])
				if err != nil {
					return fmt.Errorf("%s: %w", s.title, err)
				}
				counted[i] = append(counted[i], c)
			}
		}
		by := "\nYosys " + synthesis.Short(r.versions["yosys"]) + ".\n"
		if _, err := io.WriteString(out, areaTable(all, counted).markdown()+by); err != nil {
			return err
		}
		return areaPlace.write(briefAreaTable(all, counted).markdown() + by)
	}
}

// mapping maps the router with a command of Yosys.
func (s *areaRouter) mapping(synth string) (*mapping, error) {
	if s.config == "" {
		return newMapping(mapping{Modules: library, Commands: synth + " -top hc_router_programmable"})
	}
	m, err := loadMachine(filepath.Join("configs", s.config+".hcl"), s.vars)
	if err != nil {
		return nil, err
	}
	if m.PayloadBits != s.payload {
		return nil, fmt.Errorf("its payload has %d bits, not %d", m.PayloadBits, s.payload)
	}
	return newMapping(mapping{Description: string(m.HCL()), Commands: fmt.Sprintf("%s -top %s_router", synth, m.Name)})
}

// areaTable has the cells by router and family.
func areaTable(all []areaRouter, counted [][]cells) table {
	t := table{{"router", "payload", "family", "LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6", "LUTs", "FF", "carry", "MUXF7, PFUMX", "MUXF8, L6MUX21"}}
	for i, s := range all {
		for j, f := range families() {
			c := counted[i][j]
			row := []string{s.title, whole(s.payload), f.name}
			for _, n := range append(append([]int{}, c.LUT[1:]...), c.sum(), c.FF, c.Carry, c.Mux7, c.Mux8) {
				row = append(row, known("%d", n))
			}
			t = append(t, row)
		}
	}
	return t
}

// briefAreaTable is what the page shows: LUTs and flip-flops, one row for each router.
func briefAreaTable(all []areaRouter, counted [][]cells) table {
	t := table{{"router", "payload"}}
	for _, f := range families() {
		t[0] = append(t[0], f.name+" LUT / FF")
	}
	for i, s := range all {
		row := []string{s.title, whole(s.payload)}
		for _, c := range counted[i] {
			row = append(row, fmt.Sprintf("%d / %d", c.sum(), c.FF))
		}
		t = append(t, row)
	}
	return t
}
