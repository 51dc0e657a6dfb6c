// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
)

// family is a family of FPGAs that Yosys maps to, with the patterns of its cells. Each cell of a router belongs to one of them, so
// that the table is complete.
type family struct {
	name    string
	synth   string // command of Yosys, without the top
	lut, ff *regexp.Regexp
	neither *regexp.Regexp // carry chains, multiplexers that join LUTs, and clock buffers, which a router inside a design lacks
}

// cells are the LUTs of all sizes and the flip-flops of a router.
type cells struct{ LUT, FF int }

func families() []family {
	cell := regexp.MustCompile
	return []family{
		{"iCE40", "synth_ice40 -abc9", cell(`^SB_LUT4$`), cell(`^SB_DFF`), cell(`^SB_CARRY$`)},
		{"ECP5", "synth_ecp5 -abc9", cell(`^LUT4$`), cell(`^TRELLIS_FF$`), cell(`^(CCU2C|PFUMX|L6MUX21)$`)},
		{"7 series", "synth_xilinx -family xc7 -abc9 -flatten -noiopad", cell(`^(LUT[1-6]|INV)$`), cell(`^FD[RSCP]E$`), cell(`^(CARRY4|MUXF7|MUXF8|BUFG)$`)},
	}
}

// count sorts the cells of a router.
func (f *family) count(all map[string]int) (c cells, err error) {
	for name, n := range all {
		switch {
		case f.lut.MatchString(name):
			c.LUT += n
		case f.ff.MatchString(name):
			c.FF += n
		case !f.neither.MatchString(name):
			return cells{}, fmt.Errorf("%d cells %s of %s belong to no column of the table", n, name, f.name)
		}
	}
	if c.LUT == 0 || c.FF == 0 {
		return cells{}, fmt.Errorf("the router has no LUTs or no flip-flops of %s: %v", f.name, all)
	}
	return c, nil
}
