// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hcgen/hcgen/internal/fpga"
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

// area synthesizes routers with Yosys for families of FPGAs and counts their cells. Nothing is placed, so there is no clock.
func area(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	return func(ctx context.Context) (*report, error) {
		routers := areaRouters()
		mapped := make([]map[string]int, len(routers)*len(families()))
		var units []unit
		for _, s := range routers {
			for _, f := range families() {
				m, err := s.mapping(f.Synth + " " + f.SynthOptions)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", s.title, err)
				}
				units = append(units, unit{fmt.Sprintf("%s%d.%s", s.config, s.payload, strings.ReplaceAll(f.Title, " ", "")), task{Mapping: m}, &mapped[len(units)]})
			}
		}
		if err := r.run(ctx, []string{"yosys"}, units); err != nil {
			return nil, err
		}
		var all []*areaResult
		for i := range routers {
			a := &areaResult{router: routers[i]}
			for j, f := range families() {
				c, err := count(f, mapped[i*len(families())+j])
				if err != nil {
					return nil, fmt.Errorf("%s: %w", routers[i].title, err)
				}
				a.cells = append(a.cells, c)
			}
			all = append(all, a)
		}
		cells, conditions := tableOf("cells of routers", areaColumns(), all), "Yosys "+synthesis.Short(r.versions["yosys"])+"."
		return &report{Tables: []table{cells}, Conditions: conditions, pages: []page{{areaPlace, []table{cells}, conditions}}}, nil
	}
}

// areaResult are the cells of a router, by family.
type areaResult struct {
	router areaRouter
	cells  []fpga.Cells
}

func areaColumns() []column[*areaResult] {
	columns := []column[*areaResult]{
		{"router", "router", "", "%s", func(a *areaResult) any { return a.router.title }},
		{"payload_bits", "payload", "", "%d", func(a *areaResult) any { return a.router.payload }},
	}
	for i, f := range families() {
		columns = append(columns, column[*areaResult]{strings.ReplaceAll(f.Title, " ", "_"), f.Title + " LUT / FF", "", "%d", func(a *areaResult) any {
			return []int{a.cells[i].LUT4, a.cells[i].FF}
		}})
	}
	return columns
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
