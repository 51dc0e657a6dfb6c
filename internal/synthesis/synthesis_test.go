// SPDX-License-Identifier: Apache-2.0

package synthesis

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
)

// ring is a machine with the payload of the estimates.
func ring(t *testing.T, m int) *machine.Machine {
	t.Helper()
	bare, err := machine.Bare(hypercycle.Dimension{M: m, Rho: 1})
	require.NoError(t, err)
	bare.PayloadBits = 32
	return bare
}

func routerOf(t *testing.T, m *machine.Machine) *Design {
	t.Helper()
	d, err := Router(m)
	require.NoError(t, err)
	return d
}

// The figures are those of Yosys 0.23 and nextpnr-ice40 0.4; others differ a little.
func TestSmallRouterIsSynthesizedAndPlaced(t *testing.T) {
	needs.Tools(t, "yosys", "nextpnr-ice40")
	for _, name := range []string{"MACHINE", "NETLIST", "BUILD", "YOSYS", "OPTIMIZE", "NODE"} {
		t.Setenv(name, "other") // of another run
	}
	d := routerOf(t, ring(t, 2))
	cells, err := d.Run(t.Context(), Options{Target: HX8K(), Variables: []string{"OPTIMIZE=area"}})
	require.NoError(t, err)
	assert.InDelta(t, 49, cells.LUT4, 10)
	assert.InDelta(t, 105, cells.FF, 10)
	assert.Empty(t, cells.Seeds)

	placed, err := d.Run(t.Context(), Options{Target: HX8K(3, 1), Jobs: 2})
	require.NoError(t, err)
	assert.InDelta(t, 49, placed.LUT4, 20)
	require.Len(t, placed.Seeds, 2)
	assert.Equal(t, 3, placed.Seeds[0].Seed)
	assert.True(t, placed.Seeds[0].Routed)
	assert.InDelta(t, placed.Clock.Max, max(placed.Seeds[0].MHz, placed.Seeds[1].MHz), 0.01)
	assert.Greater(t, placed.Clock.Min, 50.0)
	assert.Greater(t, placed.Logic.Used, placed.LUT4)
	assert.Equal(t, 7680, placed.Logic.Available)
	assert.Contains(t, placed.Tools, "yosys")
	assert.Nil(t, placed.Network)
	assert.Equal(t, d.Hash(), routerOf(t, ring(t, 2)).Hash())
	assert.NotEqual(t, d.Hash(), routerOf(t, ring(t, 3)).Hash())
}

// A placement in WebAssembly takes about 20 s on an idle machine.
func TestSmallRouterIsPlacedOnEachFamily(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "yosys")
	for name, c := range map[string]struct {
		device string
		cells  int
	}{"ecp5": {"25k", 24288}, "nexus": {"LIFCL-40-7", 32256}, "gowin": {"GW1NR-LV9", 8640}} {
		t.Run(name, func(t *testing.T) {
			f := fpga.Named(name)
			if _, err := f.Placer(); err != nil {
				needs.Tools(t, f.Placers[0])
			}
			target := machine.Synthesis{Family: name, Device: c.device, Package: f.Package, ClockMHz: 100, Seeds: []int{1}}
			placed, err := routerOf(t, ring(t, 2)).Run(t.Context(), Options{Target: target})
			require.NoError(t, err)
			assert.InDelta(t, 49, placed.LUT4, 20)
			assert.InDelta(t, 105, placed.FF, 10)
			assert.Greater(t, placed.Clock.Min, 100.0)
			assert.Less(t, placed.Clock.Min, 600.0, "the delays of LUTs count")
			assert.Equal(t, c.cells, placed.Logic.Available)
			assert.Greater(t, placed.Logic.Used, placed.LUT4)
			versions, err := Versions(t.Context(), f.Placers[0])
			require.NoError(t, err)
			assert.Equal(t, strings.TrimPrefix(Short(versions[f.Placers[0]]), "nextpnr-"), placed.Tools[f.Placers[0]])
		})
	}
}

// The hx384 has 384 logic cells.
func TestRouterThatDoesNotFitHasItsCells(t *testing.T) {
	needs.Tools(t, "yosys", "nextpnr-ice40")
	target := HX8K(1)
	target.Device, target.Package = "lp384", "qn32"
	m := ring(t, 5)
	m.PayloadBits = 128
	r, err := routerOf(t, m).Run(t.Context(), Options{Target: target})
	var overflow *Overflow
	require.ErrorAs(t, err, &overflow)
	assert.Equal(t, "ICESTORM_LC", overflow.Kind)
	assert.Equal(t, 384, overflow.Available)
	assert.Greater(t, overflow.Used, 384)
	assert.Greater(t, r.LUT4, 200)
	assert.Greater(t, r.FF, 256)
}

func TestNodeOfACollectiveNetworkIsSynthesized(t *testing.T) {
	needs.Tools(t, "yosys")
	m := ring(t, 5)
	m.Collectives = []machine.Collective{{Name: "gather", Operation: collective.AllGather, PayloadBits: 32}}
	d, err := Node(m, "gather")
	require.NoError(t, err)
	assert.Equal(t, "m__gather_node", d.Node)
	r, err := d.Run(t.Context(), Options{Target: HX8K(), Variables: []string{"OPTIMIZE=area"}})
	require.NoError(t, err)
	assert.Greater(t, r.LUT4, 20)
	assert.Greater(t, r.FF, 50)
	assert.NotEqual(t, routerOf(t, m).Hash(), d.Hash())
}

const goodSummary = `{
  "machine": "torus4x4", "target": "hx8k", "placed": "router",
  "router": {"lut4": 660, "ff": 328, "carry": 26, "bram": 0},
  "network": {"lut4": 11205, "ff": 9072, "bram": 2},
  "clock": {"wanted_mhz": 100, "min_mhz": 100, "median_mhz": 126, "max_mhz": 130.5, "median_met": true},
  "seeds": [{"seed": 1, "mhz": 126}, {"seed": 3, "mhz": 100}, {"seed": 2, "mhz": 130.5}],
  "tools": {"yosys": "0.23", "nextpnr-ice40": "0.4-1+b1"}
}`

func TestSummaryIsReadOrRefused(t *testing.T) {
	seeds := []int{1, 3, 2}
	r, err := parseSummary([]byte(goodSummary), "router", seeds)
	require.NoError(t, err)
	assert.Equal(t, Result{
		Cells: Cells{660, 328, 0}, Network: &Cells{11205, 9072, 2}, Clock: Clock{100, 126, 130.5},
		Seeds: []Seed{{Seed: 1, MHz: 126}, {Seed: 3, MHz: 100}, {Seed: 2, MHz: 130.5}},
		Tools: map[string]string{"yosys": "0.23", "nextpnr-ice40": "0.4-1+b1"},
	}, r)
	r, err = parseSummary([]byte(strings.Replace(goodSummary, `"router": {`, `"node": {`, 1)), "node", seeds)
	require.NoError(t, err)
	assert.Equal(t, Cells{660, 328, 0}, r.Cells)
	r, err = parseSummary([]byte(strings.NewReplacer("11205", "null", "9072", "null", `"bram": 2`, `"bram": null`).Replace(goodSummary)), "router", seeds)
	require.NoError(t, err)
	assert.Nil(t, r.Network)

	for _, c := range []struct{ old, new, message string }{
		{`"router": {`, `"node": {`, "no cells"},
		{`"seed": 3`, `"seed": 4`, "the seeds [1 4 2], not [1 3 2]"},
		{"660", "0", "no cells"},
		{"11205", "0", "no cells"},
		{`"ff": 328`, `"flops": 328`, "no cells"},
		{`"min_mhz": 100`, `"min_mhz": 0`, "clock of min 0"},
		{`"median_mhz": 126`, `"median_mhz": 99`, "median 99"},
		{`"max_mhz": 130.5`, `"max_mhz": 125`, "max 125"},
		{"660", "many", "invalid character"},
	} {
		text := strings.Replace(goodSummary, c.old, c.new, 1)
		require.NotEqual(t, goodSummary, text, c.old)
		_, err := parseSummary([]byte(text), "router", seeds)
		assert.ErrorContains(t, err, c.message)
	}
}

func TestCellsAreThoseOfTheWholeDesign(t *testing.T) {
	for name, text := range map[string]string{
		"type first":   "\n=== part ===\n\n     SB_LUT4   7\n\n=== design hierarchy ===\n\n   Number of cells:   30\n     SB_CARRY   4\n     SB_DFF   1\n     SB_DFFESR   2\n     SB_LUT4   20\n     $lut   3\n",
		"number first": "=== m_router ===\n\n       30 cells\n        4   SB_CARRY\n        1 1.5E+01 SB_DFF\n        2   SB_DFFESR\n       20 15.0 SB_LUT4\n   3 $lut\n",
	} {
		cells, err := Stat(text)
		require.NoError(t, err, name)
		assert.Equal(t, map[string]int{"SB_CARRY": 4, "SB_DFF": 1, "SB_DFFESR": 2, "SB_LUT4": 20, "$lut": 3}, cells, name)
		assert.Equal(t, 3, Count(cells, "SB_DFF"))
	}
	_, err := Stat("nothing")
	assert.ErrorContains(t, err, "the statistics of Yosys have no module:\nnothing")
}
