// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// The titles of the tables.
const (
	routerTitles  = "use,m,rho,lut4,ff,destination_lut4,destination_ff\n"
	packetsTitles = "sources,depth_bits,width,packets,lut4,ff,block_ram\n"
	nodeTitles    = "use,m,rho,operation,lut4,ff\n"
)

func TestCellsTakeTheirPlacesInTheTables(t *testing.T) {
	needs.Tools(t, "yosys")
	t.Chdir("../..")
	tables, folder := t.TempDir(), t.TempDir()
	write := func(routers, packets, nodes string) {
		for name, text := range map[string]string{"measured.csv": routerTitles + routers, "packets.csv": packetsTitles + packets, "collectives.csv": nodeTitles + nodes} {
			require.NoError(t, os.WriteFile(filepath.Join(tables, name), []byte(text), 0o666))
		}
	}
	costs := func() error {
		_, err := measured(t, "cost", "-tables", tables, "-folder", folder)
		return err
	}
	write("fit,2,1,0,0,0,0\n", "2,4,8,1,0,0,0\n", "fit,3,1,all-gather,0,0\n")
	require.NoError(t, costs())
	for name, want := range map[string]string{
		"measured.csv":    routerTitles + `fit,2,1,\d\d,\d\d\d?,\d\d\d?,\d\d\d?\n`,
		"packets.csv":     packetsTitles + `2,4,8,1,\d\d,\d\d,1\n`,
		"collectives.csv": nodeTitles + `fit,3,1,all-gather,[1-9]\d*,[1-9]\d*\n`,
	} {
		text, err := os.ReadFile(filepath.Join(tables, name))
		require.NoError(t, err)
		assert.Regexp(t, "^"+want+"$", string(text))
	}

	for text, message := range map[string]string{
		"fit,2 3,1,0,0,0,0\n": "measured.csv:2: there are not as many rho as m",
		"fit,2,2,0,0,0,0\n":   "measured.csv:2: rho = 2: with m = 2",
		"fit,x,1,0,0,0,0\n":   `measured.csv:2: strconv.Atoi: parsing "x"`,
		"fit,2,1,0,0\n":       "wrong number of fields",
	} {
		write(text, "", "")
		assert.ErrorContains(t, costs(), message)
	}
	write("", "0,4,8,1,0,0,0\n", "")
	require.ErrorContains(t, costs(), `packets.csv:2: "0" is no number of sources`)
	write("", "", "fit,3,1,scatter,0,0\n")
	assert.ErrorContains(t, costs(), `collectives.csv:2: "scatter" is not an operation that is estimated`)
}
