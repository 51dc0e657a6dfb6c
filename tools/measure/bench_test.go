// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/synthesis"
)

func TestSubjectsAreTheMachinesOfTheirTitles(t *testing.T) {
	t.Chdir("../..")
	want := map[string]string{ // (m, rho) of the dimensions
		"ring of 8": "(8,1)", "ring of 8, 8 bits": "(8,1)", "4x4 torus, 4 bits": "(4,1)(4,1)", "4x4 torus": "(4,1)(4,1)", "4-cube": "(2,1)(2,1)(2,1)(2,1)", "8x8 torus": "(8,1)(8,1)",
		"4x4 torus, destinations": "(4,1)(4,1)", "4-cube, destinations": "(2,1)(2,1)(2,1)(2,1)",
		"15x15x15x15, rho 1": "(15,1)(15,1)(15,1)(15,1)", "15x15x15x15, rho 2": "(15,2)(15,2)(15,2)(15,2)",
	}
	all := subjects()
	require.Len(t, all, len(want))
	for _, s := range all {
		m, err := s.machine(nil)
		require.NoError(t, err)
		shape := ""
		for _, d := range m.Dimensions {
			shape += fmt.Sprintf("(%d,%d)", d.M, d.Rho)
		}
		assert.Equal(t, want[s.title], shape, s.title)
		assert.Equal(t, "hx8k", m.Synthesis[0].Device, s.title)
		assert.Equal(t, []string{"1", "merged"}, []string{fmt.Sprint(m.Stages), m.Delivery.String()}, s.title)
		m, err = s.machine(map[string]string{"stages": "2", "delivery": "per_port"})
		require.NoError(t, err)
		assert.Equal(t, []string{"2", "per_port"}, []string{fmt.Sprint(m.Stages), m.Delivery.String()}, s.title)

		for _, change := range []func(*subject){
			func(s *subject) { s.nodes++ },
			func(s *subject) { s.degree++ },
			func(s *subject) { s.payload++ },
		} {
			other := s
			change(&other)
			_, err := other.machine(nil)
			assert.ErrorContains(t, err, " describes "+s.config+" with ", s.title)
		}
	}

	text, err := os.ReadFile("configs/ring8.hcl")
	require.NoError(t, err)
	ring := all[0]
	ring.text = string(text) + "synthesis \"more\" {}\n"
	_, err = ring.machine(nil)
	assert.ErrorContains(t, err, "2 targets of synthesis")
	ring.text = strings.Replace(string(text), `"ring8"`, `"other"`, 1)
	_, err = ring.machine(nil)
	assert.ErrorContains(t, err, " describes other with ")
	ring.config, ring.text = "none", ""
	_, err = ring.machine(nil)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestChosenMachinesComeInTheOrderOfTheReport(t *testing.T) {
	names := func(chosen []subject) (all []string) {
		for _, s := range chosen {
			all = append(all, s.name)
		}
		return all
	}
	all, err := choose(nil)
	require.NoError(t, err)
	assert.Len(t, all, 10)
	some, err := choose(split("cube4,ring8 cube4"))
	require.NoError(t, err)
	assert.Equal(t, []string{"ring8", "cube4"}, names(some))
	_, err = choose([]string{"ring8", "ring9"})
	assert.EqualError(t, err, `there is no machine "ring9"; there are ring8, ring8_8bit, torus4x4_4bit, torus4x4, cube4, torus4x4_destination, cube4_destination, torus8x8, prototype15, degree16`)
}

func TestToolsAimForTheGoals(t *testing.T) {
	s := subject{mhz: 140, network: 120}
	m := shaped("4x4")
	m.Synthesis = append(m.Synthesis, synthesis.HX8K())
	target := s.target(m, []int{7}, false)
	assert.InDelta(t, 140, target.ClockMHz, 1e-9)
	assert.Equal(t, []int{7}, target.Seeds)
	assert.InDelta(t, 156, s.target(m, nil, true).ClockMHz, 1e-9)
	assert.InDelta(t, 100, (&subject{}).target(m, nil, false).ClockMHz, 1e-9, "what the description says")
}

func TestSeedsAreDistinctNumbers(t *testing.T) {
	seeds, err := parseSeeds("3, 1 20")
	require.NoError(t, err)
	assert.Equal(t, []int{3, 1, 20}, seeds)
	for list, message := range map[string]string{
		"":      "no seed",
		"1 x":   `"x" is not a whole number`,
		"-1":    `"-1" is not a whole number`,
		"1 2 1": "seed 1 is there twice",
	} {
		_, err := parseSeeds(list)
		assert.ErrorContains(t, err, message, list)
	}
}

// good are the figures of a synthesis.
var good = synthesis.Measured{Result: synthesis.Result{
	Cells: synthesis.Cells{LUT4: 660, FF: 328}, Network: &synthesis.Cells{LUT4: 11205, FF: 9072}, Clock: synthesis.Clock{Min: 100, Median: 126, Max: 130.5},
}}

func TestFiguresOfAPlacedNetwork(t *testing.T) {
	want := &network{LUT4: 11205, FF: 9072, Clock: good.Clock, MHzGoal: 140, MHzRatio: 0.9}
	assert.Equal(t, want, newNetwork(&good, &subject{network: 140}))
	c := subjectCells{stages: 1, router: good, network: good}
	require.NoError(t, c.add(&subject{network: 140}, &result{}))
	c.network.Overflow = &synthesis.Use{Kind: "ICESTORM_LC", Used: 9000, Available: 7680}
	assert.EqualError(t, c.add(&subject{network: 140}, &result{}), "it does not fit on the device: it takes 9000 of 7680 ICESTORM_LC")
}

// torus is a 4x4 torus with figures that are easy to divide.
func torus() *result {
	r := &result{
		Machine: reference, Title: "4x4 torus", Nodes: 16, Degree: 4, PayloadBits: 32, Cycles: 5, CyclesBound: 5,
		Router:  newRouter(&good, &subject{lut4: 550, mhz: 168}, 1),
		Network: &network{LUT4: 9600, FF: 4800, Clock: synthesis.Clock{Min: 90, Median: 99, Max: 108.25}, MHzGoal: 132, MHzRatio: 0.75},
		Load:    &saturation{Cycles: 10000, Deliveries: 0.9998, Bound: 1, Injections: 660, Fairness: 0.984},
	}
	r.BroadcastNS = nanoseconds(r.Cycles, r.Router.Clock.Median)
	return r
}

func TestRatiosToGoalsAndOtherRouters(t *testing.T) {
	r := torus()
	assert.InDelta(t, 1.2, r.Router.LUT4Ratio, 1e-9, "660 of 550")
	assert.InDelta(t, 0.75, r.Router.MHzRatio, 1e-9, "126 of 168")
	assert.InDelta(t, 1000.0/126, r.Router.NSPerHop, 1e-9)
	assert.InDelta(t, 5000.0/126, r.BroadcastNS, 1e-9)

	without := newRouter(&synthesis.Measured{Result: synthesis.Result{Clock: synthesis.Clock{Min: 1, Median: 1, Max: 1}}}, &subject{}, 1)
	assert.Zero(t, without.LUT4Ratio, "no goal")
	assert.Zero(t, without.MHzRatio, "no goal")

	c := compare(&otherRouter{"other", 1320, 164, 63, 2, []int{14, 10}}, r)
	assert.Equal(t, "other", c.Router)
	assert.InDelta(t, 2, c.LUT4Ratio, 1e-9)
	assert.InDelta(t, 0.5, c.FFRatio, 1e-9)
	assert.InDelta(t, 2, c.MHzRatio, 1e-9)
	assert.InDelta(t, 2000.0/63, c.NSPerHop, 1e-9)
	assert.InDeltaSlice(t, []float64{14000.0 / 63, 10000.0 / 63}, c.NS, 1e-9)
	assert.InDeltaSlice(t, []float64{5.6, 4}, c.BroadcastRatio, 1e-9, "cycles times clock: 14/5 and 10/5, twice as long each")
}

func TestReportLaysOutItsTables(t *testing.T) {
	r := report{
		Seeds: []int{1, 3, 2}, Tools: map[string]string{"yosys": "0.23", "Go": "1.26"},
		Machines: []*result{torus()},
		Examples: []*result{{Title: "bit", Nodes: 9, Cycles: 3, CyclesBound: 3}},
		Speeds:   []speed{newSpeed("reference model", 12, 15)},
		Overload: []benchmark{{"4x4/rate=1", map[string]float64{"deliveries": 0.9998, "latency": 25.96}}},
	}
	for _, o := range []otherRouter{{"other", 1320, 164, 63, 2, []int{14, 10}}, {"silent", 66, 82, 189, 1, nil}} {
		r.Others = append(r.Others, compare(&o, r.Machines[0]))
	}
	assert.Equal(t, `Go 1.26, yosys 0.23; seeds 1 3 2

== routers on the HX8K, clock over the seeds
Ratios are to the goal: LUT4 at most 1, median clock at least 1. The tools aim for the goal of the clock, or for 100 MHz.

machine    degree  payload  LUT4  goal  ratio   FF  MHz min  median    max  goal  ratio  ns/hop
4x4 torus       4       32   660   550   1.20  328    100.0   126.0  130.5   168   0.75     7.9

== networks on the HX8K, behind few pins, clock over the seeds
Ratios are to the goal: median clock at least 1. The tools aim for 1.3 times the goal.

network    nodes  payload  LUT4    FF  MHz min  median    max  goal  ratio
4x4 torus     16       32  9600  4800     90.0    99.0  108.2   132   0.75

== broadcasts and load
One broadcast alone, RTL: cycles from injection to last delivery, nanoseconds at the router's median clock.
Saturated all-to-all, model: deliveries per node and cycle, fewest to most injections of a node;
the runs of the largest networks are too short for this figure.

machine    nodes  cycles  right    ns  deliveries  bound  fairness
4x4 torus     16       5      5  39.7      0.9998      1      0.98

== other routers against the 4x4 torus, one broadcast to 16 nodes
Ratios above 1: hcgen's router is better. Two figures: from a corner, from the centre.

router            LUT4  ratio   FF  ratio  MHz  ratio  ns/hop  broadcast, cycles  broadcast, ns        ratio
hcgen, 4x4 torus   660   1.00  328   1.00  126   1.00     7.9                  5             40         1.00
other             1320   2.00  164   0.50   63   2.00    31.7            14 / 10      222 / 159  5.60 / 4.00
silent              66   0.10   82   0.25  189   0.67     5.3                  -              -            -

== further examples, one broadcast alone in RTL

machine  nodes  cycles  right
bit          9       3      3

== simulation of the 4x4 torus in overload, million router cycles per second of processor time
Ratios are to the goal: at least 1.

simulation       million per second  goal  ratio
reference model                12.0    15   0.80

== load, reference model, 10,000 cycles and more

case        deliveries  of-bound  fairness  max-wait  latency
4x4/rate=1      0.9998         -         -         -    25.96

`, r.String())

	assert.Equal(t, `| router | LUT4 | FF | MHz | broadcast, cycles | broadcast, ns |
| --- | --- | --- | --- | --- | --- |
| hcgen, 4x4 torus | 660 | 328 | 126 | 5 | 40 |
| other | 1320 | 164 | 63 | 14 / 10 | 222 / 159 |
| silent | 66 | 82 | 189 | - | - |
`, frontRows(otherRows(r.Machines, r.Others)).markdown())
	text := r.document()
	assert.Contains(t, text, "| 4x4 torus | 4 | 32 | 660 | 328 | 100 / 126 / 130 | 7.9 | 5 | 40 |\n")
	assert.Contains(t, text, "| 4x4 torus | 16 | 32 | 9600 | 4800 | 90.0 | 99.0 | 108.2 | 132 | 0.75 |\n")
	assert.Contains(t, text, "| other | 1320 | 2.00 | 164 | 0.50 | 63 | 2.00 | 31.7 | 14 / 10 | 222 / 159 | 5.60 / 4.00 |\n")
	assert.True(t, strings.HasSuffix(text, "\nMeasured with Go 1.26, yosys 0.23; seeds 1 3 2.\n"), text)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			assert.Contains(t, []int{12, 11, 10}, strings.Count(line, "|"), line)
		}
	}

	// without the torus there is nothing to compare, without goals and long runs nothing to report
	bare := torus()
	bare.Machine, bare.Router.LUT4Goal, bare.Router.LUT4Ratio, bare.Load.Fairness, bare.Network = "ring8", 0, 0, 0, nil
	text = (&report{Machines: []*result{bare}}).String()
	assert.NotContains(t, text, "other routers")
	assert.NotContains(t, text, "further examples")
	assert.NotContains(t, text, "few pins")
	assert.NotContains(t, text, "simulation")
	assert.Contains(t, text, " 660     -      -  328 ")
	assert.Contains(t, text, "  0.9998      1         -\n")
}

func TestBenchmarksAreReadFromTheirLines(t *testing.T) {
	text := "goos: linux\nBenchmarkOverload/4x4/rate=1-2   \t       1\t         0.9998 deliveries\t        17.00 max-wait\n" +
		"BenchmarkOverload/4-cube/slow=1%\t1\t0.01 deliveries\nPASS\n"
	all, err := parseBenchmarks(text, "BenchmarkOverload/")
	require.NoError(t, err)
	assert.Equal(t, []benchmark{
		{"4x4/rate=1", map[string]float64{"deliveries": 0.9998, "max-wait": 17}},
		{"4-cube/slow=1%", map[string]float64{"deliveries": 0.01}},
	}, all)
	_, err = parseBenchmarks(text, "BenchmarkGenerate/")
	assert.ErrorContains(t, err, "no line begins with BenchmarkGenerate/")
	_, err = parseBenchmarks("BenchmarkOverload/4x4-2 1 fast deliveries\n", "BenchmarkOverload/")
	assert.ErrorContains(t, err, "fast")
}

func TestSpeedIsReadFromTheLineOfTheBench(t *testing.T) {
	v, err := freeRun("x\nfree run: 100000 cycles of 16 routers in 0.29 s of processor time, 5.43 million router cycles per second, 1 of 2\n")
	require.NoError(t, err)
	assert.InDelta(t, 5.43, v, 1e-9)
	_, err = freeRun("free run: none\n")
	assert.ErrorContains(t, err, "prints no speed:\nfree run: none")
	all, err := parseBenchmarks("BenchmarkLoadedTorus-2 \t 1000\t 1000 ns/op\t 12500000 router-cycles/cpu-s\n", "BenchmarkLoadedTorus")
	require.NoError(t, err)
	assert.InDelta(t, 12.5e6, all[0].Metrics["router-cycles/cpu-s"], 1)
}

func TestWhatShouldNeverBeMeasuredIsAContradiction(t *testing.T) {
	assert.Empty(t, torus().contradictions())
	for message, change := range map[string]func(*result){
		"torus4x4: one broadcast alone takes 6 cycles in RTL, not 5": func(r *result) { r.Cycles = 6 },
		"torus4x4: one broadcast alone takes 4 cycles in RTL, not 5": func(r *result) { r.Cycles, r.Load = 4, nil },
		"torus4x4: 1.0001 deliveries per node and cycle are more than the bound 1": func(r *result) {
			r.Load.Deliveries = 1.0001
		},
		"torus4x4: 1.7600 deliveries per node and cycle are more than the bound 1.75": func(r *result) {
			r.Load = &saturation{Cycles: 10000, Deliveries: 1.76, Bound: 1.75, Injections: 2490, Fairness: 0.998}
		},
		"torus4x4: a node sends nothing in 10000 saturated cycles": func(r *result) { r.Load.Injections = 0 },
	} {
		r := torus()
		change(r)
		assert.Equal(t, []string{message}, r.contradictions())
	}
	linked := torus() // as the 8-ring is with a delivery for each link
	linked.Load = &saturation{Cycles: 10000, Deliveries: 1.7501, Bound: 1.75, Injections: 2499, Fairness: 1}
	assert.Empty(t, linked.contradictions())
	short := torus()
	short.Nodes, short.Load.Injections = 50625, 0
	assert.Empty(t, short.contradictions(), "too short for every node")
}

func TestSaturatedNetworkComesCloseToItsBound(t *testing.T) {
	s, err := (&saturationTask{Description: string(shaped("4x4").HCL())}).do()
	require.NoError(t, err)
	assert.Equal(t, 10_000, s.Cycles)
	assert.Greater(t, s.Deliveries, 0.99)
	assert.LessOrEqual(t, s.Deliveries, s.Bound)
	assert.Greater(t, s.Injections, 500)
	assert.Greater(t, s.Fairness, 0.9)
}

func TestFurtherExamplesHaveANetwork(t *testing.T) {
	files, err := furtherExamples("../../configs")
	require.NoError(t, err)
	assert.NotEmpty(t, files)
	assert.Contains(t, files, filepath.Join("../../configs", "mixed.hcl"))
	for _, s := range subjects() {
		assert.NotContains(t, files, filepath.Join("../../configs", s.name+".hcl"))
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"top.hcl":  "machine \"top\" {\n  dimension \"x\" {\n    m = 4\n    rho = 1\n  }\n}\n",
		"bare.hcl": "machine \"bare\" {\n  network = false\n  dimension \"x\" {\n    m = 4\n    rho = 1\n  }\n}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	files, err = furtherExamples(folder)
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(folder, "top.hcl")}, files)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "wrong.hcl"), []byte("machine"), 0o644))
	_, err = furtherExamples(folder)
	assert.ErrorContains(t, err, "wrong.hcl")
}

// fakeTools are scripts in place of the tools.
type fakeTools struct{ folder, work string }

func newFakeTools(t *testing.T) fakeTools {
	t.Helper()
	t.Chdir("../..")
	f := fakeTools{t.TempDir(), t.TempDir()}
	f.write(t, "verilator", `echo "Verilator 5.006 2023-01-22"`)
	f.write(t, "g++", `echo "g++ 12"`)
	f.write(t, "cells_sim.v", "")
	f.write(t, "yosys", `case $1 in -V) echo "Yosys 0.23 (git)"; exit ;; -Q) echo '+{W} {C}'; exit ;; esac
case "$*" in
*-retime*) echo broken; exit 1 ;;
*" -l "*) ;;
*) printf '=== m ===\n $lut 500\n $_SDFFE_PP0P_ 300\n' >stat; exit ;;
esac
while [ "$1" != -l ]; do shift; done
printf 'Parsing Verilog input from \140%s\047 to AST representation.\n' `+f.folder+`/cells_sim.v >"$2"
lut4=660 ff=328
case $2 in */network.log) lut4=11205 ff=9072 ;; esac
printf '=== m ===\n SB_LUT4 %s\n SB_DFF %s\n' $lut4 $ff >"${2%.log}.stat"`)
	f.write(t, "nextpnr-ice40", `[ "$1" != --version ] || { echo "(Version 0.4-1+b1)"; exit; }
echo "$*" >>`+f.folder+`/placed
mhz=126
case "$*" in *"--seed 3 "*) mhz=100 ;; *"--seed 2 "*) mhz=130.5 ;; esac
echo "Info: 	         ICESTORM_LC:   700/ 7680     9%"
echo "Info: Max frequency for clock 'clk': $mhz MHz (PASS at 1.00 MHz)"`)
	t.Setenv("PATH", f.folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("MAKEFLAGS", "BUILD=elsewhere")
	return f
}

func (f fakeTools) write(t *testing.T, name, script string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(f.folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}

// make is a make for one machine, whose broadcast takes these cycles.
func (f fakeTools) make(t *testing.T, cycles string) {
	t.Helper()
	f.write(t, "make", `[ -z "${MAKEFLAGS:-}" ] || { echo "flags: $MAKEFLAGS"; exit 2; }
case "$*" in
*" BUILD=build sim-alone JOBS=1") echo "latency: `+cycles+` cycles from the first" ;;
*" BUILD=build sim-array JOBS=1") read -r trace; cat >/dev/null; [ "${trace#\# hcgen-trace}" != "$trace" ] && echo "latency: `+cycles+` cycles from the first" ;;
*) echo "what is $*"; exit 2 ;;
esac`)
}

func (f fakeTools) run(t *testing.T, more ...string) (string, error) {
	t.Helper()
	return measured(t, "bench", append([]string{"-folder", f.work, "-jobs", "1", "-seeds", "1 3 2"}, more...)...)
}

func TestBenchMeasuresWithTheTools(t *testing.T) {
	f := newFakeTools(t)
	f.make(t, "5")
	figures := filepath.Join(f.work, "figures.json")
	text, err := f.run(t, "-machines", "torus4x4", "-json", figures)
	require.NoError(t, err)
	assert.Contains(t, text, "Verilator 5.006, nextpnr-ice40 0.4-1+b1, yosys 0.23; seeds 1 3 2\n")
	assert.Contains(t, text, "4x4 torus     16       5      5  39.7 ")
	assert.Contains(t, text, "FlooNoC")
	data, err := os.ReadFile(figures)
	require.NoError(t, err)
	var r report
	require.NoError(t, json.Unmarshal(data, &r))
	require.Len(t, r.Machines, 1)
	assert.Equal(t, 5, r.Machines[0].Cycles)
	assert.InDelta(t, 660.0/530, r.Machines[0].Router.LUT4Ratio, 1e-9)
	assert.Len(t, r.Others, len(otherRouters))
	assert.Empty(t, r.Contradictions)
	assert.Nil(t, r.Machines[0].Network, "not placed")
	placed, err := os.ReadFile(filepath.Join(f.folder, "placed"))
	require.NoError(t, err)
	for _, seed := range []string{"1", "3", "2"} {
		assert.Contains(t, string(placed), " --freq 140 --seed "+seed+" ")
	}

	again, err := f.run(t, "-machines", "torus4x4")
	require.NoError(t, err)
	assert.Equal(t, text, again)
	same, err := os.ReadFile(filepath.Join(f.folder, "placed"))
	require.NoError(t, err)
	assert.Equal(t, string(placed), string(same), "nothing is placed again")

	text, err = f.run(t, "-machines", "ring8_8bit")
	require.NoError(t, err)
	assert.Contains(t, text, "ring of 8, 8 bits      8        8  11205  9072    100.0   126.0  130.5   160   0.79\n")
	placed, err = os.ReadFile(filepath.Join(f.folder, "placed"))
	require.NoError(t, err)
	assert.Contains(t, string(placed), " --freq 208 --seed 3 ")

	f.make(t, "9")
	text, err = f.run(t, "-machines", "torus8x8")
	require.NoError(t, err)
	assert.Contains(t, text, "8x8 torus     64       9      9  71.4 ")
}

func TestBenchFailsWhereTheRTLIsNotWhatIsGuaranteed(t *testing.T) {
	f := newFakeTools(t)
	f.make(t, "6")
	figures := filepath.Join(f.work, "figures.json")
	text, err := f.run(t, "-machines", "torus4x4", "-json", figures)
	require.EqualError(t, err, "torus4x4: one broadcast alone takes 6 cycles in RTL, not 5")
	assert.Contains(t, text, "4x4 torus     16       6      5 ", "the report is printed nevertheless")
	data, err := os.ReadFile(figures)
	require.NoError(t, err)
	assert.Contains(t, string(data), `"torus4x4: one broadcast alone takes 6 cycles in RTL, not 5"`)
}

func TestBenchReportsWhatFails(t *testing.T) {
	f := newFakeTools(t)
	f.make(t, "5")
	for message, arguments := range map[string][]string{
		"no argument":            {"torus4x4"},
		"flag provided but":      {"-fast"},
		"no machine \"nothing\"": {"-machines", "nothing"},
		"no seed":                {"-seeds", ""},
		"--jobs is -3":           {"-jobs", "-3"},
		"--shard: \"3/2\" is no": {"-shard", "3/2"},
		"-json none/x.json: ":    {"-json", "none/x.json"},
		"-docs needs all":        {"-docs", "-machines", "torus4x4"},
	} {
		_, err := f.run(t, arguments...)
		assert.ErrorContains(t, err, message)
	}

	for _, c := range []struct{ machine, make, reason string }{
		{"torus4x4", "echo 12 mismatches; exit 1", "exit status 1\n12 mismatches\n"},
		{"torus4x4", "echo all is well", "prints no latency:\nall is well\n"},
		{"torus8x8", "head -c 10 >/dev/null; echo stopped; exit 1", "exit status 1\nstopped\n"}, // before the end of the trace
	} {
		f.write(t, "make", c.make)
		_, err := f.run(t, "-machines", c.machine)
		require.EqualError(t, err, "there is no result of "+c.machine+".broadcast")
		var lacks *unfinished
		require.ErrorAs(t, err, &lacks)
		assert.Contains(t, lacks.failed[0].Reason, c.reason)
	}

	require.NoError(t, os.Remove(filepath.Join(f.folder, "yosys")))
	t.Setenv("PATH", f.folder)
	_, err := f.run(t, "-machines", "torus4x4")
	assert.EqualError(t, err, "yosys is not installed")
	assert.Equal(t, 4, conclude(t.Context(), err))
}
