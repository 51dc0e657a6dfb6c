// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
)

// family is a family of FPGAs that Yosys maps to.
type family struct {
	name  string
	synth string           // command of Yosys, without the top
	luts  map[string]int   // cells that are LUTs, and their inputs
	other map[string]class // other cells; those of flip-flops by the pattern below
	ff    *regexp.Regexp
}

// class is what a cell counts as.
type class int

const (
	nothing class = iota // clock buffers, which a router inside a design does not have
	carry
	mux7 // joins two LUTs of the largest size
	mux8 // joins two mux7
)

// cells are the cells of a router.
type cells struct {
	LUT        [7]int // by inputs
	FF, Carry  int
	Mux7, Mux8 int
}

// sum is the number of LUTs of all sizes.
func (c cells) sum() int {
	n := 0
	for _, l := range c.LUT {
		n += l
	}
	return n
}

func families() []family {
	return []family{
		{name: "iCE40", synth: "synth_ice40 -abc9", luts: map[string]int{"SB_LUT4": 4},
			other: map[string]class{"SB_CARRY": carry}, ff: regexp.MustCompile(`^SB_DFF`)},
		{name: "ECP5", synth: "synth_ecp5 -abc9", luts: map[string]int{"LUT4": 4},
			other: map[string]class{"CCU2C": carry, "PFUMX": mux7, "L6MUX21": mux8}, ff: regexp.MustCompile(`^TRELLIS_FF$`)},
		{name: "7 series", synth: "synth_xilinx -family xc7 -abc9 -flatten -noiopad",
			luts:  map[string]int{"LUT1": 1, "LUT2": 2, "LUT3": 3, "LUT4": 4, "LUT5": 5, "LUT6": 6, "INV": 1},
			other: map[string]class{"CARRY4": carry, "MUXF7": mux7, "MUXF8": mux8, "BUFG": nothing}, ff: regexp.MustCompile(`^FD[RSCP]E$`)},
	}
}

// count sorts the cells of a router. A cell that the family does not list is an error, so that the table is complete.
func (f *family) count(all map[string]int) (c cells, err error) {
	for name, n := range all {
		kind, known := f.other[name]
		inputs := f.luts[name]
		switch {
		case inputs > 0:
			c.LUT[inputs] += n
		case f.ff.MatchString(name):
			c.FF += n
		case !known:
			return cells{}, fmt.Errorf("%d cells %s of %s belong to no column of the table", n, name, f.name)
		case kind == carry:
			c.Carry += n
		case kind == mux7:
			c.Mux7 += n
		case kind == mux8:
			c.Mux8 += n
		}
	}
	if c.sum() == 0 || c.FF == 0 {
		return cells{}, fmt.Errorf("the router has no LUTs or no flip-flops of %s: %v", f.name, all)
	}
	return c, nil
}
