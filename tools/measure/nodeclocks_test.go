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

func TestClocksTakeTheirPlacesInTheTable(t *testing.T) {
	needs.Tools(t, "yosys", "nextpnr-ice40")
	t.Chdir("../..")
	tables, folder := t.TempDir(), t.TempDir()
	file := filepath.Join(tables, "nodeclocks.csv")
	const titles = "use,m,rho,operation,operator,bits,chunk,lut4,ff,mhz\n"
	clocks := func(lines string) error {
		require.NoError(t, os.WriteFile(file, []byte(titles+lines), 0o666))
		_, err := measured(t, "clock", "-tables", tables, "-folder", folder)
		return err
	}
	require.NoError(t, clocks("fit,3,1,reduce-scatter,add,4,2,0,0,0\n"))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Regexp(t, "^"+titles+`fit,3,1,reduce-scatter,add,4,2,[1-9]\d*,[1-9]\d*,[1-9]\d\d\.\d\n$`, string(text))

	for line, message := range map[string]string{
		"fit,3,1,all-gather,add,4,2,0,0,0\n":        "nodeclocks.csv:2: all-gather combines no words",
		"fit,3,1,reduce-scatter,mean,4,2,0,0,0\n":   `nodeclocks.csv:2: there is no reduce-scatter with the operator "mean"`,
		"fit,3,1,reduce-scatter,add,four,2,0,0,0\n": `nodeclocks.csv:2: strconv.Atoi: parsing "four"`,
	} {
		assert.ErrorContains(t, clocks(line), message)
	}
}
