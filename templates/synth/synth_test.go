// SPDX-License-Identifier: Apache-2.0

package templates_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/synth"
	"github.com/hcgen/hcgen/internal/fpga"
)

// yosys answers as Yosys does and makes nothing; its log ends with the text in $LAST_LINE.
// A script of abc9 is the text in $ABC9_TEXT. What it is called with stands in $CALLS.
const yosys = `#!/bin/sh
[ "$1" != -V ] || { echo "Yosys 0.23"; exit; }
[ "$1" != -Q ] || { echo "$ABC9_TEXT"; exit; }
echo "$*" >>"${CALLS:-/dev/null}"
while [ "$1" != -l ]; do shift; done
echo "$LAST_LINE" >"$2"
: >"${2%.log}.stat"
`

// runSynth runs synth.sh on a machine m and an HX8K with stand-ins for the tools.
func runSynth(t *testing.T, environment []string, seeds ...string) (code int, stderr string) {
	t.Helper()
	return runSynthFor(t, environment, append([]string{"ice40", "hx8k", "ct256", "100"}, seeds...)...)
}

func runSynthFor(t *testing.T, environment []string, arguments ...string) (code int, stderr string) {
	t.Helper()
	code, _, stderr = printed(t, environment, arguments...)
	return code, stderr
}

func printed(t *testing.T, environment []string, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"yosys": yosys, "nextpnr": "#!/bin/sh\nexit 1\n", "filelist.f": "rtl/m_router.v\n"}
	script, err := synth.Script(func(mark string) string { return mark }, fpga.Families)
	require.NoError(t, err)
	for _, f := range script {
		var text strings.Builder
		require.NoError(t, f.Content(&text))
		files[f.Path] = text.String()
	}
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	command := exec.Command("sh", append([]string{"synth/synth.sh", "target"}, arguments...)...)
	command.Dir = dir
	command.Env = append(append(os.Environ(), "MACHINE=m", "YOSYS=./yosys", "NEXTPNR=./nextpnr", "ABC9_TEXT=+&if {C} {W} {D}"), environment...)
	var out, text strings.Builder
	command.Stdout, command.Stderr = &out, &text
	if err := command.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return command.ProcessState.ExitCode(), out.String(), text.String()
}

// Yosys warns and goes on with half of the work when abc crashes: figures of that are wrong.
func TestCrashOfABCIsAnError(t *testing.T) {
	code, stderr := runSynth(t, []string{"LAST_LINE=Warning: ABC: execution of command \"yosys-abc\" failed: return code 139."}, "1")
	assert.Equal(t, 3, code)
	assert.Contains(t, stderr, "synth.sh: error: abc crashed while it mapped m_router; try ABC9_SCRIPT= for its default script\n")

	_, stderr = runSynth(t, []string{"LAST_LINE=Warning: something else"}, "1")
	assert.NotContains(t, stderr, "abc crashed")
}

func TestDelayOfAWireReachesTheScriptOfABC9(t *testing.T) {
	for _, c := range []struct{ setting, want string }{
		{"ABC9_WIRE=500", `scratchpad -set abc9.D 7000; scratchpad -set abc9.script "+&if {C} -W 500 {D} -v; &mfs; &if {C} -W 500 {D}"`},
		{"OPTIMIZE=clock", `scratchpad -set abc9.D 7000; scratchpad -set abc9.script "+&if {C} -W 700 {D} -v; &mfs; &if {C} -W 700 {D}"`},
		{"OPTIMIZE=area", "scratchpad -copy abc9.script.flow2 abc9.script; scratchpad -set abc9.D 10000; read_verilog"},
		{"ABC9_WIRE=", `scratchpad -set abc9.D 7000; scratchpad -set abc9.script "+&if {C} -W 700 {D} -v; &mfs; &if {C} -W 700 {D}"`},
		{"ABC9_SCRIPT=+&if {W} {D}; &mfs", `scratchpad -set abc9.D 7000; scratchpad -set abc9.script "+&if -W 700 {D}; &mfs"; read_verilog`},
		{"ABC9_DELAY=9000", `scratchpad -set abc9.D 9000; scratchpad -set abc9.script "+&if {C} -W 700 {D} -v; &mfs; &if {C} -W 700 {D}"`},
	} {
		calls := filepath.Join(t.TempDir(), "calls")
		runSynth(t, []string{"CALLS=" + calls, "ABC9_TEXT=+&if {C} {W} {D} -v; &mfs; &if {C} {W} {D}", c.setting}, "1")
		text, err := os.ReadFile(calls)
		require.NoError(t, err)
		assert.Equal(t, 2, strings.Count(string(text), c.want), "of the router and of the router behind its pins: %s", text)
	}
}

func TestBadSettingsOfSynthesis(t *testing.T) {
	for name, c := range map[string]struct {
		environment []string
		seed        string
		code        int
		message     string
	}{
		"a goal with a unit":       {[]string{"ABC9_DELAY=4ns"}, "1", 2, "ABC9_DELAY is 4ns, not a whole number of ps"},
		"an unknown aim":           {[]string{"OPTIMIZE=speed"}, "1", 2, "OPTIMIZE is speed, not clock or area"},
		"a clock with a unit":      {[]string{"AIM=280MHz"}, "1", 2, "AIM is 280MHz, not a whole number of MHz"},
		"a wire with a unit":       {[]string{"ABC9_WIRE=0.7"}, "1", 2, "ABC9_WIRE is 0.7, not a whole number of ps"},
		"a wire and no script":     {[]string{"ABC9_WIRE=700", "ABC9_TEXT="}, "1", 3, "Yosys 0.23 has no script abc9.script.flow2 that takes the delay of a wire; OPTIMIZE=area does without"},
		"a script without a wire":  {[]string{"ABC9_SCRIPT=+&if {D}"}, "1", 3, "Yosys 0.23 has no script in ABC9_SCRIPT that takes the delay of a wire; OPTIMIZE=area does without"},
		"a seed that is no number": {nil, "one", 2, "the seed one is not a whole number"},
		"no Yosys":                 {[]string{"YOSYS=./missing"}, "1", 4, "./missing is not installed"},
		"no nextpnr":               {[]string{"NEXTPNR=./missing"}, "1", 4, "./missing is not installed"},
		"an unknown top":           {[]string{"PLACE=machine"}, "1", 2, "PLACE is machine, not router or network"},
		"no network to place":      {[]string{"PLACE=network"}, "1", 2, "PLACE is network, but m has no network top"},
		"clocks beyond buffers":    {[]string{"PLACE=network", "NETWORK=1", "CLOCKS=9"}, "1", 2, "PLACE is network, but m_network has 9 clocks, and at most 8 can be placed on devices of iCE40"},
		"the network does not fit": {[]string{"PLACE=network", "NETWORK=1"}, "7", 3, "nextpnr-ice40 failed with seed 7: does the network fit on hx8k-ct256?"},
		"the router does not fit":  {nil, "7", 3, "nextpnr-ice40 failed with seed 7: does the router fit on hx8k-ct256?"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stderr := runSynth(t, c.environment, c.seed)
			assert.Equal(t, c.code, code)
			assert.Contains(t, stderr, "synth.sh: error: "+c.message+"\n")
		})
	}
}

// Newer versions of Yosys leave a cell $scopeinfo for every module that it flattens, and nextpnr 0.4
// cannot place those.
func TestCellsThatOnlyNameModulesAreNotPlaced(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	runSynth(t, []string{"LAST_LINE=done", "CALLS=" + asked}, "1")
	text, err := os.ReadFile(asked)
	require.NoError(t, err)
	assert.Regexp(t, `; synth_ice40 .* -top m_router_pins; delete t:\$scopeinfo; write_json build/synth/target/pins\.json`, string(text))
}

// With PLACE=network it is the network that is placed, and what is left of a placed router stays.
func TestNetworkIsPlacedOnDemand(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	runSynth(t, []string{"LAST_LINE=done", "CALLS=" + asked, "NETWORK=1", "PLACE=network"}, "1")
	text, err := os.ReadFile(asked)
	require.NoError(t, err)
	assert.Contains(t, string(text), " synth/m_network_pins.v; synth_ice40 ")
	assert.Regexp(t, ` -top m_network_pins; delete t:\$scopeinfo; write_json build/synth-network/target/pins\.json`, string(text))
	assert.NotContains(t, string(text), "build/synth/target")
}

// Of a system the endpoint is placed, and with PLACE=network the whole.
func TestSystemAndEndpointAreSynthesized(t *testing.T) {
	for _, c := range []struct{ setting, pins, folder string }{
		{"PLACE=router", "m_endpoint_pins", "build/synth-system/target"},
		{"PLACE=network", "m_system_pins", "build/synth-system-network/target"},
	} {
		asked := filepath.Join(t.TempDir(), "asked")
		_, stderr := runSynth(t, []string{"LAST_LINE=done", "CALLS=" + asked, "SYSTEM=1", "NETWORK=1", c.setting}, "7")
		text, err := os.ReadFile(asked)
		require.NoError(t, err)
		assert.Contains(t, string(text), " -top m_endpoint; ")
		assert.Contains(t, string(text), "hierarchy -top m_system; proc; flatten m_router m_endpoint *m__*_node*; ")
		assert.Contains(t, string(text), " -top "+c.pins+"; ")
		assert.Contains(t, string(text), " write_json "+c.folder+"/pins.json\n")
		what := strings.TrimSuffix(strings.TrimPrefix(c.pins, "m_"), "_pins")
		assert.Contains(t, stderr, "nextpnr-ice40 failed with seed 7: does the "+what+" fit on hx8k-ct256?")
	}
}

func TestModelsOfCellsCanBeNamed(t *testing.T) {
	models := filepath.Join(t.TempDir(), "cells_sim.v")
	code, stderr := runSynth(t, []string{"LAST_LINE=done", "NETLIST=1", "CELLS_SIM=" + models})
	assert.Equal(t, 4, code)
	assert.Contains(t, stderr, "needs CELLS_SIM=")
	require.NoError(t, os.WriteFile(models, []byte("module SB_LUT4;\n"), 0o644))
	code, stderr = runSynth(t, []string{"LAST_LINE=done", "NETLIST=1", "CELLS_SIM=" + models})
	assert.Zero(t, code, stderr)
}

// Every family has a command of Yosys, a placer, and options that select its devices. A placer in WebAssembly sees only files in
// the folder that it runs in.
func TestEveryFamilyIsSynthesizedAndPlaced(t *testing.T) {
	for _, f := range fpga.Families {
		calls, places := filepath.Join(t.TempDir(), "calls"), filepath.Join(t.TempDir(), "places")
		bin := t.TempDir()
		placer := "#!/bin/sh\n[ \"$1\" != --version ] || exit 0\necho \"$*\" >>" + places + "\nls >>" + places + "\n" +
			"echo \"Warning: Max frequency for clock '\\$glbnet\\$clk': 99.00 MHz (FAIL at 100.00 MHz)\"\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, f.Placers[0]), []byte(placer), 0o755))
		code, stderr := runSynthFor(t, []string{"LAST_LINE=done", "NEXTPNR=", "PATH=" + bin + ":" + os.Getenv("PATH"), "CALLS=" + calls}, f.Name, f.Device, f.Package, "100", "7")
		require.Zero(t, code, stderr)
		text, err := os.ReadFile(calls)
		require.NoError(t, err)
		assert.Contains(t, string(text), "; "+f.Synth+" ")
		assert.Contains(t, string(text), " "+f.SynthOptions+" -top m_router_pins; delete t:$scopeinfo; "+strings.TrimPrefix(f.Prepare+"; ", "; ")+"write_json ")
		assert.Contains(t, string(text), "read_verilog -Isynth/"+f.Name+" rtl/m_router.v  synth/m_router_pins.v; ")
		text, err = os.ReadFile(places)
		require.NoError(t, err)
		selected := strings.TrimSpace(strings.TrimSuffix(f.PlacerOptions(f.Device, f.Package), f.PlaceOptions))
		assert.Contains(t, string(text), selected+" --json pins.json --freq 100 --seed 7 ")
		assert.Contains(t, string(text), "\nrouter.log\n", "it runs in the folder of the results")
	}
}

// Without a placer the message says where to get one.
func TestMissingPlacersAreReported(t *testing.T) {
	for _, f := range fpga.Families {
		code, stderr := runSynthFor(t, []string{"NEXTPNR=", "PATH=" + withoutPlacers(t)}, f.Name, f.Device, f.Package, "100", "1")
		assert.Equal(t, 4, code)
		assert.Contains(t, stderr, "synth.sh: error: "+f.Placers[0]+" is not installed\nhint: "+f.Install()+"\n")
	}
	code, stderr := runSynthFor(t, nil, "xc7", "xc7a35t", "cpg236", "100", "1")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "synth.sh: error: there is no synth/xc7/settings.sh for the family xc7\nhint: add a synthesis block with this family")
}

// withoutPlacers is a PATH with only what the script runs before it places.
func withoutPlacers(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range []string{"sh", "dirname", "awk", "cat", "echo", "sed", "tr"} {
		program, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(program, filepath.Join(bin, name)))
	}
	return bin
}

// A user who waits for minutes knows what for, and how long.
func TestLongStepsAreAnnounced(t *testing.T) {
	takes := []string{"NETWORK=1", "UNIT_TAKES=some seconds", "NETWORK_TAKES=about 3 minutes", "JOBS=2"}
	_, stdout, _ := printed(t, append(takes, "PLACE=network"), "ice40", "hx8k", "ct256", "100", "1", "2", "3")
	assert.Equal(t, `yosys: synthesizing m_router, some seconds
yosys: synthesizing m_network, about 3 minutes
yosys: synthesizing m_network_pins, the network behind few pins, about 3 minutes
nextpnr-ice40: placing and routing the network with seeds 1 2 3, 2 at a time, some seconds
`, stdout)

	nextpnr := filepath.Join(t.TempDir(), "nextpnr")
	require.NoError(t, os.WriteFile(nextpnr, []byte("#!/bin/sh\necho \"Info: Max frequency for clock 'clk': 50.00 MHz (FAIL at 100.00 MHz)\"\n"), 0o755))
	code, stdout, stderr := printed(t, append(takes, "NEXTPNR="+nextpnr), "ice40", "hx8k", "ct256", "100", "1", "2", "3")
	require.Zero(t, code, stderr)
	assert.Contains(t, stdout, `
nextpnr-ice40: seed 1 of 3 is routed
nextpnr-ice40: seed 2 of 3 is routed
nextpnr-ice40: seed 3 of 3 is routed
`)
}
