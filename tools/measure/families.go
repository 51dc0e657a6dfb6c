// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/internal/fpga"
)

// families are those that area maps routers to: all of synthesis blocks, and one that no tool of the project places on.
func families() []*fpga.Family {
	return append(slices.Clone(fpga.Families), &fpga.Family{
		Title: "7 series", Synth: "synth_xilinx -family xc7 -flatten -noiopad", SynthOptions: "-abc9",
		LUT: `^(LUT[1-6]|INV)$`, FF: `^FD[RSCP]E$`, Carry: `^CARRY4$`, BRAM: `^RAMB(18|36)E1$`, Other: `^(MUXF7|MUXF8|BUFG)$`,
	})
}

// count counts the LUTs of all sizes and the flip-flops of a router.
func count(f *fpga.Family, all map[string]int) (fpga.Cells, error) {
	c, err := f.Count(all)
	if err == nil && (c.LUT4 == 0 || c.FF == 0 || c.BRAM > 0) {
		err = fmt.Errorf("the router has no LUTs or no flip-flops of %s, or block RAM: %v", f.Title, all)
	}
	return c, err
}
