// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/synth"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/synthesis"
)

// small stands for a router: it has a parameter, an included file, and a clock of another name than clk, which is an input.
const small = "`include \"small.vh\"\n" + `module small #(parameter WIDTH = 1) (input wire clock, input wire clk, input wire [WIDTH-1:0] d, output reg [WIDTH-1:0] q);
    always @(posedge clock) q <= {q[WIDTH-2:0], clk} ^ (d & {WIDTH{` + "`MASK" + `}});
endmodule
`

// checkouts makes a folder with the checkout of small, in which the files of the commit are changed afterwards.
func checkouts(t *testing.T) (folder string, o otherRouter) {
	t.Helper()
	needs.Tools(t, "git")
	folder = t.TempDir()
	at := filepath.Join(folder, "small")
	git := func(arguments ...string) string {
		arguments = append([]string{"-C", at, "-c", "user.name=n", "-c", "user.email=e@e.example", "-c", "commit.gpgsign=false"}, arguments...)
		out, err := exec.CommandContext(t.Context(), "git", arguments...).CombinedOutput()
		require.NoError(t, err, string(out))
		return strings.TrimSpace(string(out))
	}
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Join(at, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o666))
	}
	write("rtl/small.v", small)
	write("inc/small.vh", "`define MASK 1'b1\n")
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "small")
	o = otherRouter{Name: "small", Checkout: "small", Commit: git("rev-parse", "HEAD"), Files: []string{"rtl/small.v"}, Include: []string{"inc/small.vh"},
		Top: "small", Parameters: map[string]int{"WIDTH": 5}, Clock: "clock"}
	write("rtl/small.v", "not Verilog")
	return folder, o
}

func TestOtherRouterIsMeasuredAtItsCommit(t *testing.T) {
	needs.Tools(t, "yosys", "nextpnr-ice40")
	folder, o := checkouts(t)
	made, err := newOtherTask(t.Context(), otherTask{Router: o, Checkouts: folder, Options: synthesis.Options{Target: synthesis.HX8K(1)}})
	require.NoError(t, err)
	result, err := made.do(t.Context())
	require.NoError(t, err)
	r := result.(synthesis.Measured)
	assert.Equal(t, synthesis.Cells{LUT4: 5, FF: 5}, r.Cells)
	assert.Positive(t, r.Clock.Median)
	made.Files = "other"
	_, err = made.do(t.Context())
	assert.ErrorIs(t, err, errOther)
}

func TestOtherRoutersThatCannotBeMeasuredAreRefused(t *testing.T) {
	needs.Tools(t, "yosys")
	folder, good := checkouts(t)
	other := strings.Repeat("12", 20)
	for message, change := range map[string]func(*otherRouter){
		"there is no checkout " + filepath.Join(folder, "none"):                            func(o *otherRouter) { o.Checkout = "none" },
		"the checkout " + filepath.Join(folder, "small") + " has no commit " + other + ":": func(o *otherRouter) { o.Commit = other },
		"commit " + good.Commit + " has no file rtl/none.v":                                func(o *otherRouter) { o.Files = []string{"rtl/none.v"} },
		"cannot read it: yosys hierarchy -check -top small -chparam WIDTH 5":               func(o *otherRouter) { o.Include = nil },
		"Module `none' not found":                                      func(o *otherRouter) { o.Top = "none" },
		"the module small has no input clk_i of one bit for the clock": func(o *otherRouter) { o.Clock = "clk_i" },
		"the module small has no input q of one bit":                   func(o *otherRouter) { o.Clock = "q" },
	} {
		o := good
		change(&o)
		_, err := newOtherTask(t.Context(), otherTask{Router: o, Checkouts: folder})
		require.ErrorContains(t, err, `router "small": `, message)
		assert.ErrorContains(t, err, message)
	}
	_, _, err := good.module([]synth.Port{{Name: "clock", Bits: 1}, {Name: "d", Bits: 2}, {Name: "q", Output: true, Bits: 1}}, "clock")
	assert.EqualError(t, err, "the module small has 2 bits of inputs and 1 of outputs, and the wrapper needs two of each")
}

func TestDescriptionsOfOtherRoutersAreChecked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "routers.json")
	good := otherRouter{Name: "a", Checkout: "a", Commit: strings.Repeat("0a", 20), Files: []string{"a.v"}, Top: "a", Clock: "clk"}
	read := func(all ...otherRouter) error {
		text, err := json.Marshal(all)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text, 0o666))
		_, err = readOthers(file)
		return err
	}
	require.NoError(t, read(good))
	for message, change := range map[string]func(*otherRouter){
		"it needs a name":                                  func(o *otherRouter) { o.Name = "" },
		`checkout "../a" is no path`:                       func(o *otherRouter) { o.Checkout = "../a" },
		`commit "main" is not 40 hexadecimal digits`:       func(o *otherRouter) { o.Commit = "main" },
		"it needs files":                                   func(o *otherRouter) { o.Files = nil },
		`the file "../a.v" is no path in the checkout`:     func(o *otherRouter) { o.Files = []string{"../a.v"} },
		`the file "a b.vh" is no path in the checkout`:     func(o *otherRouter) { o.Include = []string{"a b.vh"} },
		`"a;b", of top, clock and parameters, is no ident`: func(o *otherRouter) { o.Top = "a;b" },
		`"", of top, clock and parameters, is no ident`:    func(o *otherRouter) { o.Clock = "" },
		`"-W", of top, clock and parameters, is no ident`:  func(o *otherRouter) { o.Parameters = map[string]int{"-W": 1} },
	} {
		o := good
		change(&o)
		assert.ErrorContains(t, read(o), message)
	}
	assert.ErrorContains(t, read(), "lists no router")
	assert.ErrorContains(t, read(good, good), `two routers have the name "a"`)
	require.NoError(t, os.WriteFile(file, []byte("[{\n\"nam\": \"a\"}]"), 0o666))
	_, err := readOthers(file)
	assert.ErrorContains(t, err, "routers.json: line 2, column ")
}

// The page shows a description that is read.
func TestDescriptionOfThePageIsRead(t *testing.T) {
	page, err := os.ReadFile("../../docs/performance.md")
	require.NoError(t, err)
	_, text, found := strings.Cut(string(page), "```json\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "```")
	file := filepath.Join(t.TempDir(), "routers.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	all, err := readOthers(file)
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, map[string]int{"PORTS": 5, "WIDTH": 32}, all[0].Parameters)
}

func TestOtherRoutersStandBesideTheTorus(t *testing.T) {
	folder, o := checkouts(t)
	f := newFakeTools(t)
	o.Clock = "c" // the ports are those of the script in place of Yosys
	text, err := json.Marshal([]otherRouter{o})
	require.NoError(t, err)
	list := filepath.Join(folder, "routers.json")
	require.NoError(t, os.WriteFile(list, text, 0o666))
	_, err = measured(t, "others", "-folder", f.work, "-routers", list)
	require.ErrorContains(t, err, "-checkouts the folder of their checkouts")
	out, err := measured(t, "others", "-folder", f.work, "-routers", list, "-checkouts", folder, "-seeds", "1 3 2", "-jobs", "1")
	require.NoError(t, err)
	assert.Contains(t, out, "hcgen, 4x4 torus             -   660  328                 100 / 126 / 130\n")
	assert.Contains(t, out, "small             "+o.Commit[:12]+"   660  328                 100 / 126 / 130\n")
	assert.Contains(t, out, "\nMeasured with nextpnr-ice40 0.4-1+b1, yosys 0.23, which aim for 140 MHz; seeds 1 3 2.\n")
	placed, err := os.ReadFile(filepath.Join(f.folder, "placed"))
	require.NoError(t, err)
	assert.Equal(t, 6, strings.Count(string(placed), " --freq 140 --seed "))
}
