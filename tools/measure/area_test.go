// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/internal/needs"
)

// named finds a family.
func named(t *testing.T, name string) *fpga.Family {
	t.Helper()
	for _, f := range families() {
		if f.Title == name {
			return f
		}
	}
	require.Fail(t, "no family "+name)
	return nil
}

// series7 are cells of a router as Yosys lists them.
var series7 = map[string]int{"BUFG": 1, "CARRY4": 3, "FDRE": 60, "FDSE": 2, "INV": 4, "LUT2": 10, "LUT3": 20, "LUT5": 30, "LUT6": 40, "MUXF7": 15, "MUXF8": 5}

func TestCellsAreCountedByFamily(t *testing.T) {
	for name, c := range map[string]struct {
		all  map[string]int
		want fpga.Cells
	}{
		"7 series": {series7, fpga.Cells{LUT4: 104, FF: 62, Carry: 3}},
		"ECP5":     {map[string]int{"CCU2C": 2, "L6MUX21": 3, "LUT4": 90, "PFUMX": 9, "TRELLIS_FF": 16}, fpga.Cells{LUT4: 90, FF: 16, Carry: 2}},
		"Nexus":    {map[string]int{"CCU2": 2, "INV": 1, "LUT4": 90, "FD1P3IX": 14, "FD1P3JX": 2, "VHI": 1, "VLO": 1}, fpga.Cells{LUT4: 91, FF: 16, Carry: 2}},
		"Gowin":    {map[string]int{"ALU": 2, "DFF": 6, "DFFRE": 10, "GND": 1, "IBUF": 9, "LUT1": 1, "LUT4": 90, "MUX2_LUT5": 9, "OBUF": 9}, fpga.Cells{LUT4: 91, FF: 16, Carry: 2}},
		"iCE40":    {map[string]int{"SB_CARRY": 8, "SB_LUT4": 70, "SB_DFF": 12, "SB_DFFESR": 10}, fpga.Cells{LUT4: 70, FF: 22, Carry: 8}},
	} {
		got, err := count(named(t, name), c.all)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
	}
}

func TestCellsWithoutAColumnAreRefused(t *testing.T) {
	other := maps.Clone(series7)
	other["RAM32M"] = 99
	for message, all := range map[string]map[string]int{
		"99 cells RAM32M of 7 series belong": other,
		"no LUTs or no flip-flops":           {"LUT6": 3},
		"or block RAM: map":                  {"LUT6": 3, "FDRE": 2, "RAMB18E1": 1},
	} {
		_, err := count(named(t, "7 series"), all)
		assert.ErrorContains(t, err, message)
	}
}

func TestAreaHasARowForEachRouter(t *testing.T) {
	assert.Equal(t, `| router | payload | iCE40 LUT / FF | ECP5 LUT / FF | Nexus LUT / FF | Gowin LUT / FF | 7 series LUT / FF |
| --- | --- | --- | --- | --- | --- | --- |
| ring of 8 | 8 | 90 / 16 | 130 / 17 | 100 / 19 | 110 / 20 | 80 / 18 |
`, tableOf("", areaColumns(), []*areaResult{{areaRouters()[0], []fpga.Cells{{LUT4: 90, FF: 16}, {LUT4: 130, FF: 17}, {LUT4: 100, FF: 19}, {LUT4: 110, FF: 20}, {LUT4: 80, FF: 18}}}}).markdown())
}

// The smallest router goes through Yosys for every family, so that the cells of the version
// installed are known.
func TestSmallestRouterIsMappedForEveryFamily(t *testing.T) {
	needs.Tools(t, "yosys")
	t.Chdir("../..")
	router := areaRouters()[0]
	for _, f := range families() {
		m, err := router.mapping(f.Synth + " " + f.SynthOptions)
		require.NoError(t, err)
		mapped, err := m.do(t.Context())
		require.NoError(t, err)
		c, err := count(f, mapped)
		require.NoError(t, err)
		assert.Greater(t, c.LUT4, 40, "%s", f.Title)
		assert.Less(t, c.LUT4, 300, "%s", f.Title)
		assert.Greater(t, c.FF, 40, "%s", f.Title)
		m.Files = "other"
		_, err = m.do(t.Context())
		assert.ErrorIs(t, err, errOther)
	}
	_, err := (&areaRouter{"ring of 8", "ring8", 9, nil}).mapping("synth")
	assert.ErrorContains(t, err, "its payload has 32 bits, not 9")
}

func TestRoutersOfAreaAreThere(t *testing.T) {
	t.Chdir("../..")
	for _, s := range areaRouters() {
		m, err := s.mapping("synth")
		require.NoError(t, err, s.title)
		files, read, err := m.sources()
		require.NoError(t, err, s.title)
		assert.Greater(t, len(read), 5)
		for _, path := range read {
			assert.Contains(t, files, path)
		}
	}
}
