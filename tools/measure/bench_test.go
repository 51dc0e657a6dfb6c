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
		m, err := s.machine()
		require.NoError(t, err)
		shape := ""
		for _, d := range m.Dimensions {
			shape += fmt.Sprintf("(%d,%d)", d.M, d.Rho)
		}
		assert.Equal(t, want[s.title], shape, s.title)
		assert.Equal(t, "hx8k", m.Synthesis[0].Device, s.title)
		assert.Equal(t, []string{"1", "merged"}, []string{fmt.Sprint(m.Stages), m.Delivery.String()}, s.title)
		for _, change := range []func(*subject){
			func(s *subject) { s.nodes++ },
			func(s *subject) { s.degree++ },
			func(s *subject) { s.payload++ },
		} {
			other := s
			change(&other)
			_, err := other.machine()
			assert.ErrorContains(t, err, " describes "+s.config+" with ", s.title)
		}
	}

	text, err := os.ReadFile("configs/ring8.hcl")
	require.NoError(t, err)
	ring := all[0]
	ring.text = string(text) + "synthesis \"more\" {}\n"
	_, err = ring.machine()
	assert.ErrorContains(t, err, "2 targets of synthesis")
	ring.text = strings.Replace(string(text), `"ring8"`, `"other"`, 1)
	_, err = ring.machine()
	assert.ErrorContains(t, err, " describes other with ")
	ring.config, ring.text = "none", ""
	_, err = ring.machine()
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
	s := subject{mhz: 140, networkMHz: 120}
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

// torus is a 4x4 torus with figures that are easy to divide.
func torus() *result {
	r := &result{
		subject: &subject{name: reference, title: "4x4 torus", nodes: 16, degree: 4, payload: 32, lut4: 550, mhz: 168, networkMHz: 140},
		stages:  1, cycles: 5, rightCycles: 5,
		router: good, network: good,
		load: saturation{Cycles: 10000, Deliveries: 0.9998, Bound: 1, Injections: 660, Fairness: 0.984},
	}
	return r
}

func TestReportOfBench(t *testing.T) {
	r := benchReport([]*result{torus()}, "Measured; seeds 1 3 2.")
	require.NoError(t, r.contradiction())
	assert.Equal(t, `| machine | degree | payload | LUT4 | goal | ratio | FF | clock, min / median / max, MHz | goal | ratio | ns/hop |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| 4x4 torus | 4 | 32 | 660 | 550 | 1.20 | 328 | 100 / 126 / 130 | 168 | 0.75 | 7.9 |
`, r.Tables[0].markdown())
	assert.Equal(t, `| machine | nodes | broadcast, cycles | broadcast, ns | deliveries | bound | fairness |
| --- | --- | --- | --- | --- | --- | --- |
| 4x4 torus | 16 | 5 | 40 | 0.9998 | 1 | 0.98 |
`, r.Tables[2].markdown())
	text := r.pages[0].text()
	assert.Contains(t, text, `| machine | degree | payload | LUT4 | FF | clock, min / median / max, MHz | ns/hop | broadcast, cycles | broadcast, ns |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| 4x4 torus | 4 | 32 | 660 | 328 | 100 / 126 / 130 | 7.9 | 5 | 40 |

| network | nodes | payload | LUT4 | FF | MHz min | median | max | goal | ratio |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| 4x4 torus | 16 | 32 | 11205 | 9072 | 100.0 | 126.0 | 130.5 | 140 | 0.90 |
`)
	assert.True(t, strings.HasSuffix(text, " |\n\nMeasured; seeds 1 3 2.\n"), text)
	assert.Contains(t, r.pages[1].text(), `| machine | payload | LUT4 | FF | clock, min / median / max, MHz | broadcast, cycles | broadcast, ns |
| --- | --- | --- | --- | --- | --- | --- |
| 4x4 torus | 32 | 660 | 328 | 100 / 126 / 130 | 5 | 40 |
`)

	// Without goals and long runs nothing to report.
	bare := torus()
	bare.name, bare.lut4, bare.mhz, bare.networkMHz, bare.load.Fairness = "ring8", 0, 0, 0, 0
	r = benchReport([]*result{bare}, "")
	assert.Empty(t, r.Tables[1].Rows, "no network")
	assert.Contains(t, r.Tables[0].markdown(), "| 660 | - | - | 328 | 100 / 126 / 130 | - | - |")
	assert.Contains(t, r.Tables[2].markdown(), "| 0.9998 | 1 | - |\n")
}

func TestSpeedIsReadFromTheLineOfTheBench(t *testing.T) {
	v, err := freeRun("x\nfree run: 100000 cycles of 16 routers in 0.29 s of processor time, 5.43 million router cycles per second, 1 of 2\n")
	require.NoError(t, err)
	assert.InDelta(t, 5.43, v, 1e-9)
	_, err = freeRun("free run: none\n")
	assert.ErrorContains(t, err, "prints no speed:\nfree run: none")
}

func TestWhatShouldNeverBeMeasuredIsAContradiction(t *testing.T) {
	contradictions := func(r *result) []string { return benchReport([]*result{r}, "").Contradictions }
	assert.Empty(t, contradictions(torus()))
	for message, change := range map[string]func(*result){
		"torus4x4: one broadcast alone takes 6 cycles in RTL, not 5": func(r *result) { r.cycles = 6 },
		"torus4x4: one broadcast alone takes 4 cycles in RTL, not 5": func(r *result) { r.cycles = 4 },
		"torus4x4: 1.0001 deliveries per node and cycle are more than the bound 1": func(r *result) {
			r.load.Deliveries = 1.0001
		},
		"torus4x4: 1.7600 deliveries per node and cycle are more than the bound 1.75": func(r *result) {
			r.load = saturation{Cycles: 10000, Deliveries: 1.76, Bound: 1.75, Injections: 2490, Fairness: 0.998}
		},
		"torus4x4: a node sends nothing in 10000 saturated cycles": func(r *result) { r.load.Injections = 0 },
	} {
		r := torus()
		change(r)
		assert.Equal(t, []string{message}, contradictions(r))
	}
	linked := torus() // as the 8-ring is with a delivery for each link
	linked.load = saturation{Cycles: 10000, Deliveries: 1.7501, Bound: 1.75, Injections: 2499, Fairness: 1}
	assert.Empty(t, contradictions(linked))
	short := torus()
	short.nodes, short.load.Injections = 50625, 0
	assert.Empty(t, contradictions(short), "too short for every node")
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
*"write_json result"*) echo '{"modules": {"m": {"attributes": {"top": 1}, "ports": {"c": {"direction": "input", "bits": [2]},
"d": {"direction": "input", "bits": [3, 4]}, "q": {"direction": "output", "bits": [5, "0"]}}}}}' >result; exit ;;
*" -l "*) ;;
*) printf '=== m ===\n $lut 500\n $_SDFFE_PP0P_ 300\n' >result; exit ;;
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
	assert.Contains(t, text, "Verilator 5.006, nextpnr-ice40 0.4-1+b1, yosys 0.23; seeds 1 3 2.\n")
	assert.Contains(t, text, "4x4 torus     16                  5             40 ")
	assert.NotContains(t, text, "few pins", "not placed")
	data, err := os.ReadFile(figures)
	require.NoError(t, err)
	var r report
	require.NoError(t, json.Unmarshal(data, &r))
	require.Len(t, r.Tables, 3)
	require.Len(t, r.Tables[0].Rows, 1)
	assert.InDelta(t, 660.0/530, r.Tables[0].Rows[0]["lut4_ratio"], 1e-9)
	assert.InDelta(t, 5, r.Tables[2].Rows[0]["broadcast_cycles"], 1e-9)
	assert.Empty(t, r.Contradictions)
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
	assert.Contains(t, text, "8x8 torus     64                  9             71 ")
}

func TestBenchFailsWhereTheRTLIsNotWhatIsGuaranteed(t *testing.T) {
	f := newFakeTools(t)
	f.make(t, "6")
	figures := filepath.Join(f.work, "figures.json")
	text, err := f.run(t, "-machines", "torus4x4", "-json", figures)
	require.EqualError(t, err, "torus4x4: one broadcast alone takes 6 cycles in RTL, not 5")
	assert.Contains(t, text, "4x4 torus     16                  6 ", "the report is printed nevertheless")
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
