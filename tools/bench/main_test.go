// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/tools/internal/page"
)

func TestSubjectsAreTheMachinesOfTheirTitles(t *testing.T) {
	t.Chdir("../..")
	work := t.TempDir()
	shapes := map[string]string{ // (m, rho) of the dimensions
		"ring of 8": "(8,1)", "ring of 8, 8 bits": "(8,1)", "4x4 torus, 4 bits": "(4,1)(4,1)", "4x4 torus": "(4,1)(4,1)", "4-cube": "(2,1)(2,1)(2,1)(2,1)", "8x8 torus": "(8,1)(8,1)",
		"4x4 torus, destinations": "(4,1)(4,1)", "4-cube, destinations": "(2,1)(2,1)(2,1)(2,1)",
		"15x15x15x15, rho 1": "(15,1)(15,1)(15,1)(15,1)", "15x15x15x15, rho 2": "(15,2)(15,2)(15,2)(15,2)",
	}
	all := subjects()
	require.Len(t, all, len(shapes))
	for _, s := range all {
		file, err := s.description(work)
		require.NoError(t, err)
		p, err := s.load(file, nil)
		require.NoError(t, err)
		shape := ""
		for _, d := range p.Machine.Dimensions {
			shape += fmt.Sprintf("(%d,%d)", d.M, d.Rho)
		}
		assert.Equal(t, shapes[s.title], shape, s.title)
		assert.Equal(t, "hx8k", p.Machine.Synthesis[0].Device, s.title)
		assert.Equal(t, []int{1, 1}, []int{p.Stages, p.Deliveries}, s.title)
		p, err = s.load(file, map[string]string{"stages": "2", "delivery": "per_port"})
		require.NoError(t, err)
		assert.Equal(t, []int{2, s.degree}, []int{p.Stages, p.Deliveries}, s.title)

		for _, change := range []func(*subject){
			func(s *subject) { s.config = "other" },
			func(s *subject) { s.nodes++ },
			func(s *subject) { s.degree++ },
			func(s *subject) { s.payload++ },
		} {
			other := s
			change(&other)
			_, err := other.load(file, nil)
			assert.ErrorContains(t, err, " describes "+s.config+" with ", s.title)
		}
	}

	text, err := os.ReadFile("configs/ring8.hcl")
	require.NoError(t, err)
	two := filepath.Join(work, "two.hcl")
	require.NoError(t, os.WriteFile(two, append(text, "synthesis \"more\" {}\n"...), 0o644))
	_, err = all[0].load(two, nil)
	assert.ErrorContains(t, err, "2 targets of synthesis")
	_, err = all[0].load("configs/none.hcl", nil)
	assert.Error(t, err)
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
	assert.InDelta(t, 140, s.asked("router"), 1e-9)
	assert.InDelta(t, 156, s.asked("network"), 1e-9)
	assert.Zero(t, (&subject{}).asked("router"), "what the description says")
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

const goodSummary = `{
  "machine": "torus4x4", "target": "hx8k", "placed": "router",
  "router": {"lut4": 660, "ff": 328, "carry": 26, "bram": 0},
  "network": {"lut4": 11205, "ff": 9072},
  "clock": {"wanted_mhz": 100, "min_mhz": 100, "median_mhz": 126, "max_mhz": 130.5, "median_met": true},
  "seeds": [{"seed": 1, "mhz": 126}, {"seed": 3, "mhz": 100}, {"seed": 2, "mhz": 130.5}],
  "tools": {"yosys": "0.23", "nextpnr-ice40": "0.4-1+b1"}
}`

func TestSummaryIsReadOrRefused(t *testing.T) {
	s, err := parseSummary([]byte(goodSummary), "torus4x4", "router", []int{1, 3, 2})
	require.NoError(t, err)
	assert.Equal(t, 660, s.Router.LUT4)
	assert.Equal(t, 328, s.Router.FF)
	assert.Equal(t, clock{100, 126, 130.5}, s.Clock)
	assert.Equal(t, map[string]string{"yosys": "0.23", "nextpnr-ice40": "0.4-1+b1"}, s.Tools)

	for _, c := range []struct{ old, new, message string }{
		{"torus4x4", "ring8", `about "ring8"`},
		{`"placed": "router"`, `"placed": "network"`, `about a placed "network", not a router`},
		{`"seed": 3`, `"seed": 4`, "the seeds [1 4 2], not [1 3 2]"},
		{"660", "0", "no cells"},
		{`"ff": 328`, `"flops": 328`, "no cells"},
		{`"min_mhz": 100`, `"min_mhz": 0`, "clock of min 0"},
		{`"median_mhz": 126`, `"median_mhz": 99`, "median 99"},
		{`"max_mhz": 130.5`, `"max_mhz": 125`, "max 125"},
		{"660", "many", "invalid character"},
	} {
		text := strings.Replace(goodSummary, c.old, c.new, 1)
		require.NotEqual(t, goodSummary, text, c.old)
		_, err := parseSummary([]byte(text), "torus4x4", "router", []int{1, 3, 2})
		assert.ErrorContains(t, err, c.message)
	}
}

func TestSummaryOfAPlacedNetworkTellsItsCells(t *testing.T) {
	text := strings.Replace(goodSummary, `"placed": "router"`, `"placed": "network"`, 1)
	s, err := parseSummary([]byte(text), "torus4x4", "network", []int{1, 3, 2})
	require.NoError(t, err)
	assert.Equal(t, &network{LUT4: 11205, FF: 9072, Clock: clock{100, 126, 130.5}, MHzGoal: 140, MHzRatio: 0.9}, newNetwork(s, &subject{network: 140}))
	_, err = parseSummary([]byte(strings.Replace(text, "11205", "null", 1)), "torus4x4", "network", []int{1, 3, 2})
	assert.ErrorContains(t, err, "no cells")
}

// measured is a 4x4 torus with figures that are easy to divide.
func measured(t *testing.T) *result {
	t.Helper()
	sum, err := parseSummary([]byte(goodSummary), "torus4x4", "router", []int{1, 3, 2})
	require.NoError(t, err)
	r := &result{
		Machine: reference, Title: "4x4 torus", Nodes: 16, Degree: 4, PayloadBits: 32, Cycles: 5, CyclesBound: 5,
		Router:  newRouter(sum, &subject{lut4: 550, mhz: 168}, 1),
		Network: &network{LUT4: 9600, FF: 4800, Clock: clock{90, 99, 108.25}, MHzGoal: 132, MHzRatio: 0.75},
		Load:    &saturation{Cycles: 10000, Deliveries: 0.9998, Bound: 1, Injections: 660, Fairness: 0.984},
	}
	r.BroadcastNS = nanoseconds(r.Cycles, r.Router.Clock.Median)
	return r
}

func TestRatiosToGoalsAndOtherRouters(t *testing.T) {
	r := measured(t)
	assert.InDelta(t, 1.2, r.Router.LUT4Ratio, 1e-9, "660 of 550")
	assert.InDelta(t, 0.75, r.Router.MHzRatio, 1e-9, "126 of 168")
	assert.InDelta(t, 1000.0/126, r.Router.NSPerHop, 1e-9)
	assert.InDelta(t, 5000.0/126, r.BroadcastNS, 1e-9)

	without := newRouter(&summary{Clock: clock{1, 1, 1}}, &subject{}, 1)
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
		Machines: []*result{measured(t)},
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
`, markdown(frontRows(otherRows(r.Machines, r.Others))))
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
	bare := measured(t)
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
	assert.Empty(t, measured(t).contradictions())
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
		r := measured(t)
		change(r)
		assert.Equal(t, []string{message}, r.contradictions())
	}
	linked := measured(t) // as the 8-ring is with a delivery for each link
	linked.Load = &saturation{Cycles: 10000, Deliveries: 1.7501, Bound: 1.75, Injections: 2499, Fairness: 1}
	assert.Empty(t, linked.contradictions())
	short := measured(t)
	short.Nodes, short.Load.Injections = 50625, 0
	assert.Empty(t, short.contradictions(), "too short for every node")
}

func TestSaturatedNetworkComesCloseToItsBound(t *testing.T) {
	m, err := machine.Bare(hypercycle.Dimension{M: 4, Rho: 1}, hypercycle.Dimension{M: 4, Rho: 1})
	require.NoError(t, err)
	s := saturate(plan.New(m))
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

func TestDocumentHasAPlaceForTheTables(t *testing.T) {
	t.Chdir("../..")
	require.NoError(t, page.Check(document, place))
	require.NoError(t, page.Check(front, frontPlace))
	require.NoError(t, page.Check(front, collectivesPlace))
}

// fakeTools are scripts in place of the tools, which do what bench needs to see: MAKE
// runs when make is called, HCGEN when hcgen writes a trace.
type fakeTools struct{ folder, work string }

func newFakeTools(t *testing.T) fakeTools {
	t.Helper()
	t.Chdir("../..")
	f := fakeTools{t.TempDir(), t.TempDir()}
	f.write(t, "hcgen", `case "$1" in simulate) echo "the trace of $3" ;; *) mkdir -p "$4/build/synth/hx8k" ;; esac`)
	f.write(t, "verilator", `echo "Verilator 5.006 2023-01-22"`)
	for _, tool := range []string{"yosys", "nextpnr-ice40", "g++"} {
		f.write(t, tool, "exit 1")
	}
	t.Setenv("PATH", f.folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("MAKEFLAGS", "BUILD=elsewhere")
	return f
}

func (f fakeTools) write(t *testing.T, name, script string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(f.folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}

// make is a make for one machine, whose broadcast takes these cycles.
func (f fakeTools) make(t *testing.T, name, cycles string) {
	t.Helper()
	f.write(t, "make", `[ -z "${MAKEFLAGS:-}" ] || { echo "flags: $MAKEFLAGS"; exit 2; }
case "$*" in
*" BUILD=build sim-alone JOBS=1") echo "latency: `+cycles+` cycles from the first" ;;
*" BUILD=build sim-array JOBS=1") read -r trace; echo "$trace"; [ "$trace" = "the trace of `+f.work+`/torus8x8.hcl" ] && echo "latency: `+cycles+` cycles from the first" ;;
*" BUILD=build synth PLACE=router SEEDS=1 3 2 "*"JOBS=1") cat >"$2/build/synth/hx8k/summary.json" <<'END'
`+strings.Replace(goodSummary, "torus4x4", name, 1)+`
END
;;
*" BUILD=build synth PLACE=network SEEDS=1 3 2 CLOCK=208 JOBS=1") mkdir -p "$2/build/synth-network/hx8k"; sed 's/"placed": "router"/"placed": "network"/' "$2/build/synth/hx8k/summary.json" >"$2/build/synth-network/hx8k/summary.json" ;;
*) echo "what is $*"; exit 2 ;;
esac`)
}

func (f fakeTools) run(more ...string) (string, error) {
	var out bytes.Buffer
	err := run(append([]string{"-hcgen", filepath.Join(f.folder, "hcgen"), "-work", f.work, "-jobs", "1", "-seeds", "1 3 2"}, more...), &out)
	return out.String(), err
}

func TestRunMeasuresWithTheTools(t *testing.T) {
	f := newFakeTools(t)
	f.make(t, "torus4x4", "5")
	figures := filepath.Join(f.work, "figures.json")
	text, err := f.run("-machines", "torus4x4", "-json", figures)
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

	f.make(t, "ring8", "5")
	text, err = f.run("-machines", "ring8_8bit")
	require.NoError(t, err)
	assert.Contains(t, text, "ring of 8, 8 bits      8        8  11205  9072    100.0   126.0  130.5   160   0.79\n")

	f.make(t, "torus8x8", "9")
	text, err = f.run("-machines", "torus8x8")
	require.NoError(t, err)
	assert.Contains(t, text, "8x8 torus     64       9      9  71.4 ")
}

// The summaries of nodes name a node, not a router.
func TestCollectiveNetworksAreMeasuredBesideTheRouterWithDestinations(t *testing.T) {
	f := newFakeTools(t)
	f.write(t, "make", `name=${2##*/}; name=${name%_*}
summary() { mkdir -p "$1"; sed "s/\"torus4x4\"/\"$name\"/;$2" >"$1/summary.json" <<'END'
`+goodSummary+`
END
}
case "$*" in
*" BUILD=build sim-alone JOBS=1") echo "latency: 5 cycles from the first" ;;
*" BUILD=build synth PLACE=router SEEDS=1 3 2 CLOCK=135 JOBS=1") summary "$2/build/synth/hx8k" ;;
*" BUILD=build synth-all_gather SEEDS=1 3 2 CLOCK=135 JOBS=1") summary "$2/build/synth-all_gather/hx8k" 's/"router"/"node"/' ;;
*" BUILD=build synth-total_exchange SEEDS=1 3 2 CLOCK=135 JOBS=1") summary "$2/build/synth-total_exchange/hx8k" 's/"router"/"node"/' ;;
*) echo "what is $*"; exit 2 ;;
esac`)
	text, err := f.run("-collectives")
	require.NoError(t, err)
	assert.Contains(t, text, `
operation                         on  LUT4   FF  MHz  cycles   ns
all-gather        collective network   660  328  126       5   40
all-gather      routers, by messages   660  328  126      16  127
total-exchange    collective network   660  328  126       9   71
total-exchange  routers, by messages   660  328  126      23  183
`)
	_, err = f.run("-collectives", "-machines", "ring8")
	assert.ErrorContains(t, err, "-collectives chooses the machines")

	f.write(t, "make", `case "$*" in *" sim-alone "*) echo "latency: 5 cycles" ;; *) exit 2 ;; esac`)
	_, err = f.run("-collectives")
	assert.ErrorContains(t, err, "synth PLACE=router")
}

func TestRunFailsWhereTheRTLIsNotWhatIsGuaranteed(t *testing.T) {
	f := newFakeTools(t)
	f.make(t, "torus4x4", "6")
	figures := filepath.Join(f.work, "figures.json")
	text, err := f.run("-machines", "torus4x4", "-json", figures)
	require.EqualError(t, err, "torus4x4: one broadcast alone takes 6 cycles in RTL, not 5")
	assert.Contains(t, text, "4x4 torus     16       6      5 ", "the report is printed nevertheless")
	data, err := os.ReadFile(figures)
	require.NoError(t, err)
	assert.Contains(t, string(data), `"torus4x4: one broadcast alone takes 6 cycles in RTL, not 5"`)
}

func TestRunTellsWhatFails(t *testing.T) {
	f := newFakeTools(t)
	f.make(t, "torus4x4", "5")
	for message, arguments := range map[string][]string{
		"unknown argument":       {"torus4x4"},
		"flag provided but":      {"-fast"},
		"no machine \"nothing\"": {"-machines", "nothing"},
		"no seed":                {"-seeds", ""},
		"-jobs is -3: give 1":    {"-jobs", "-3"},
		"-json none/x.json: ":    {"-json", "none/x.json"},
		"-docs needs all":        {"-docs", "-machines", "torus4x4"},
		"make hcgen builds it":   {"-hcgen", filepath.Join(f.folder, "none")},
	} {
		_, err := f.run(arguments...)
		assert.ErrorContains(t, err, message)
	}

	f.write(t, "make", "echo 12 mismatches; exit 1")
	_, err := f.run("-machines", "torus4x4")
	assert.ErrorContains(t, err, "torus4x4: make -C ")
	assert.ErrorContains(t, err, "exit status 1\n12 mismatches\n")

	f.write(t, "make", "echo all is well")
	_, err = f.run("-machines", "torus4x4")
	assert.ErrorContains(t, err, "prints no latency:\nall is well\n")

	f.write(t, "make", "cat; echo 'latency: 9 cycles'")
	f.write(t, "hcgen", `case "$1" in simulate) echo "no memory" >&2; exit 3 ;; esac`)
	_, err = f.run("-machines", "torus8x8")
	assert.ErrorContains(t, err, "hcgen simulate: exit status 3\nno memory\n")

	f.write(t, "hcgen", "echo no room; exit 5")
	_, err = f.run("-machines", "torus4x4")
	assert.ErrorContains(t, err, "exit status 5\nno room\n")

	require.NoError(t, os.Remove(filepath.Join(f.folder, "yosys")))
	t.Setenv("PATH", f.folder)
	_, err = f.run("-machines", "torus4x4")
	assert.ErrorContains(t, err, "yosys is not installed: make setup installs it")
}
