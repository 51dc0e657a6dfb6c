// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCellsTakeTheirPlaceInTheTable(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "measured.csv")
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o666)) }
	write("use,m,rho,lut4,ff,destination_lut4,destination_ff\nfit,2,1,0,0,0,0\n")
	require.NoError(t, measureCost(t.Context(), file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Regexp(t, `^use,m,rho,lut4,ff,destination_lut4,destination_ff\nfit,2,1,\d\d,\d\d\d?,\d\d\d?,\d\d\d?\n$`, string(text))

	for text, message := range map[string]string{
		"use,m,rho,lut4,ff\nfit,2 3,1,0,0\n": "measured.csv:2: there are not as many rho as m",
		"use,m,rho,lut4,ff\nfit,2,2,0,0\n":   "measured.csv:2: rho = 2: with m = 2",
		"use,m,rho,lut4,ff\nfit,x,1,0,0\n":   `measured.csv:2: strconv.Atoi: parsing "x"`,
		"use,m\nfit,2,1,0,0\n":               "wrong number of fields",
	} {
		write(text)
		assert.ErrorContains(t, measureCost(t.Context(), file), message)
	}
}

func TestPacketsTakeTheirPlaceInTheTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "packets.csv")
	const titles = "sources,depth_bits,width,packets,lut4,ff,block_ram\n"
	require.NoError(t, os.WriteFile(file, []byte(titles+"2,4,8,1,0,0,0\n"), 0o666))
	require.NoError(t, packets(t.Context(), file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Regexp(t, `^`+titles+`2,4,8,1,\d\d,\d\d,1\n$`, string(text))
	require.NoError(t, os.WriteFile(file, []byte(titles+"0,4,8,1,0,0,0\n"), 0o666))
	assert.ErrorContains(t, packets(t.Context(), file), `packets.csv:2: "0" is no number of sources`)
}

func TestCollectiveNodesTakeTheirPlaceInTheTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "collectives.csv")
	const titles = "use,m,rho,operation,lut4,ff\n"
	require.NoError(t, os.WriteFile(file, []byte(titles+"fit,3,1,all-gather,0,0\n"), 0o666))
	require.NoError(t, collectives(t.Context(), file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Regexp(t, `^`+titles+`fit,3,1,all-gather,\d+,\d+\n$`, string(text))
	require.NoError(t, os.WriteFile(file, []byte(titles+"fit,3,1,scatter,0,0\n"), 0o666))
	assert.ErrorContains(t, collectives(t.Context(), file), `collectives.csv:2: "scatter" is not an operation that is estimated`)
}
