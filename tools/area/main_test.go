// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/tools/internal/page"
)

// named finds a family.
func named(t *testing.T, name string) *family {
	t.Helper()
	for _, f := range families() {
		if f.name == name {
			return &f
		}
	}
	require.Fail(t, "no family "+name)
	return nil
}

// Listings of stat, with the cells of a module inside, which the last section has, too.
const (
	xilinx = `
=== hc_group ===

   Number of cells:                 99
     LUT6                           99

=== design hierarchy ===

   Number of wires:                 52
   Number of wire bits:            810
   Number of cells:                190
     BUFG                            1
     CARRY4                          3
     FDRE                           60
     FDSE                            2
     INV                             4
     LUT2                           10
     LUT3                           20
     LUT5                           30
     LUT6                           40
     MUXF7                          15
     MUXF8                           5

   Estimated number of LCs:         85
`
	lattice = `
=== m_router ===

   Number of cells:                120
     CCU2C                           2
     L6MUX21                         3
     LUT4                           90
     PFUMX                           9
     TRELLIS_FF                     16
`
	// in the order of newer versions, with an area
	ice = `
=== m_router ===

        8   SB_CARRY
       70   SB_LUT4
       12 1.5E+01 SB_DFF
       10   SB_DFFESR
       22   cells
`
)

func TestCellsAreCountedByFamily(t *testing.T) {
	for name, c := range map[string]struct {
		stat string
		want cells
	}{
		"7 series": {xilinx, cells{LUT: [7]int{1: 4, 2: 10, 3: 20, 5: 30, 6: 40}, FF: 62, Carry: 3, Mux7: 15, Mux8: 5}},
		"ECP5":     {lattice, cells{LUT: [7]int{4: 90}, FF: 16, Carry: 2, Mux7: 9, Mux8: 3}},
		"iCE40":    {strings.Replace(ice, "1.5E+01", "15.0", 1), cells{LUT: [7]int{4: 70}, FF: 22, Carry: 8}},
	} {
		got, err := named(t, name).parse(c.stat)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
	}
	assert.Equal(t, 104, cells{LUT: [7]int{1: 4, 2: 10, 3: 20, 5: 30, 6: 40}}.sum())
}

func TestListingsThatLeaveSomethingOutAreRefused(t *testing.T) {
	for message, stat := range map[string]string{
		"have no cells":                      "nothing",
		"99 cells RAM32M of 7 series belong": strings.Replace(xilinx, "LUT5                           30", "RAM32M                         99", 1),
		"no LUTs or no flip-flops":           "\n=== m ===\n     LUT6      3\n",
	} {
		_, err := named(t, "7 series").parse(stat)
		assert.ErrorContains(t, err, message)
	}
}

func TestTableHasARowForEachRouterAndFamily(t *testing.T) {
	all := subjects()[:2]
	c := cells{LUT: [7]int{4: 90}, FF: 16, Mux7: 9}
	text := table(all, [][]cells{{c, c, c}, {c, c, c}}, "0.23")
	assert.Contains(t, text, "| ring of 8 | 8 | ECP5 | - | - | - | 90 | - | - | 90 | 16 | - | 9 | - |\n")
	assert.Contains(t, text, "\nYosys 0.23.\n")
	rows := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			rows++
			assert.Equal(t, 15, strings.Count(line, "|"), line)
		}
	}
	assert.Equal(t, 2+2*3, rows)
}

func TestPageShowsARowForEachRouter(t *testing.T) {
	ice, ecp, series7 := cells{LUT: [7]int{4: 90}, FF: 16}, cells{LUT: [7]int{4: 130}, FF: 17}, cells{LUT: [7]int{2: 10, 6: 70}, FF: 18}
	assert.Equal(t, `| router | payload | iCE40 LUT / FF | ECP5 LUT / FF | 7 series LUT / FF |
| --- | --- | --- | --- | --- |
| ring of 8 | 8 | 90 / 16 | 130 / 17 | 80 / 18 |

Yosys 0.23.
`, summary(subjects()[:1], [][]cells{{ice, ecp, series7}}, "0.23"))
}

// The smallest router goes through Yosys for every family, so that the cells of the version
// installed are known.
func TestSmallestRouterIsSynthesizedForEveryFamily(t *testing.T) {
	t.Chdir("../..")
	all, err := (&subject{"ring of 8", "ring8", 8, map[string]string{"payload_bits": "8"}}).count(context.Background(), filepath.Join(t.TempDir(), "ring"))
	require.NoError(t, err)
	require.Len(t, all, 3)
	for i, c := range all {
		assert.Greater(t, c.sum(), 40, "%s", families()[i].name)
		assert.Less(t, c.sum(), 300, "%s", families()[i].name)
		assert.Greater(t, c.FF, 40, "%s", families()[i].name)
	}
	_, err = (&subject{"ring of 8", "ring8", 9, nil}).count(context.Background(), filepath.Join(t.TempDir(), "ring"))
	assert.ErrorContains(t, err, "its payload has 32 bits, not 9")
}

func TestRoutersAreThereAndTheDocumentHasAPlace(t *testing.T) {
	t.Chdir("../..")
	require.NoError(t, page.Check(document, place))
	for _, s := range subjects() {
		if s.config != "" {
			_, err := os.Stat(filepath.Join("configs", s.config+".hcl"))
			assert.NoError(t, err)
		}
	}
}
