// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"bufio"
	"cmp"
	"context"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/test/internal/harness"
)

// signalsOf lists the signals in the header of a VCD by their names in GTKWave: scopes and
// name separated by points, then the range.
func signalsOf(t *testing.T, vcd string) map[string]bool {
	t.Helper()
	f, err := os.Open(vcd)
	require.NoError(t, err)
	defer f.Close()
	signals := map[string]bool{}
	var scopes []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0:
		case words[0] == "$scope":
			scopes = append(scopes, words[2])
		case words[0] == "$upscope":
			scopes = scopes[:len(scopes)-1]
		case words[0] == "$var": // $var wire 4 ID NAME [3:0] $end
			name := strings.Join(words[4:len(words)-1], "")
			signals[strings.Join(append(scopes, strings.Replace(name, "[0:0]", "[0]", 1)), ".")] = true // as GTKWave has it
		case words[0] == "$enddefinitions":
			return signals
		}
	}
	t.Fatalf("%s has no end of its header", vcd)
	return nil
}

// listTraces makes GTKWave list its traces and exit.
const listTraces = `
for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {
    puts "shown: [gtkwave::getTraceNameFromIndex $i]"
}
gtkwave::/File/Quit
`

// display is a display that no other GTKWave of these tests uses at the same time.
var display sync.Mutex

// shownByGTKWave lists the traces that GTKWave shows for a VCD and a view: names of groups, at their begin
// and end, and signals without their scopes.
func shownByGTKWave(t *testing.T, view, vcd string) (shown []string) {
	t.Helper()
	script := filepath.Join(t.TempDir(), "list.tcl")
	require.NoError(t, os.WriteFile(script, []byte(listTraces), 0o644))
	display.Lock()
	defer display.Unlock()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	text, err := exec.CommandContext(ctx, "xvfb-run", "-a", "gtkwave", "-S", script, vcd, view).CombinedOutput()
	require.NoError(t, err, "%s", text)
	for _, line := range strings.Split(string(text), "\n") {
		if name, ok := strings.CutPrefix(line, "shown: "); ok {
			shown = append(shown, name)
		}
	}
	return shown
}

// cycleTime is the length of a cycle in the waves, in ns.
const cycleTime = 10

// wavesOf are the values of signals of a VCD, by cycle of the waves: binary numbers, without leading zeros. Each cycle must
// begin at a multiple of cycleTime.
func wavesOf(t *testing.T, vcd string, signals ...string) (cycles []map[string]string) {
	t.Helper()
	text, err := os.ReadFile(vcd)
	require.NoError(t, err)
	header, changes, found := strings.Cut(string(text), "$enddefinitions $end\n")
	require.True(t, found)
	require.Contains(t, header, "$timescale 1ns $end\n")
	var scopes []string
	named := map[string]string{} // by identifier
	for line := range strings.Lines(header) {
		switch words := strings.Fields(line); {
		case len(words) == 0:
		case words[0] == "$scope":
			scopes = append(scopes, words[2])
		case words[0] == "$upscope":
			scopes = scopes[:len(scopes)-1]
		case words[0] == "$var":
			if name := strings.Join(append(scopes, words[4]), "."); slices.Contains(signals, name) {
				named[words[3]] = name
			}
		}
	}
	require.Len(t, named, len(signals), "signals of %s", vcd)
	now, time := map[string]string{}, -1
	for line := range strings.Lines(changes) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "":
		case line[0] == '#':
			if time >= 0 && time%cycleTime == 0 {
				require.Equal(t, time/cycleTime, len(cycles), "cycles follow each other")
				cycles = append(cycles, maps.Clone(now))
			}
			time, err = strconv.Atoi(line[1:])
			require.NoError(t, err)
		default:
			value, id, vector := strings.Cut(line, " ")
			if !vector {
				value, id = line[:1], line[1:]
			}
			if name, ok := named[id]; ok {
				now[name] = cmp.Or(strings.TrimLeft(strings.TrimPrefix(value, "b"), "0"), "0")
			}
		}
	}
	require.Equal(t, cycleTime/2, time%cycleTime, "the waves end with the second half of a cycle")
	return cycles
}

// assertCycles checks that the waves of a network begin with cycle 0 of its golden trace, that their cycle counts as the
// trace does, and that in each cycle the nodes that offer or receive a message are those of the trace. It returns the cycle
// of the first injection.
func assertCycles(t *testing.T, vcd, golden string) (injection int) {
	t.Helper()
	text, err := os.ReadFile(golden)
	require.NoError(t, err)
	head := regexp.MustCompile(` cycles=(\d+)\n`).FindSubmatch(text)
	require.NotNil(t, head)
	cycles, err := strconv.Atoi(string(head[1]))
	require.NoError(t, err)
	injection = -1
	valid := map[string][]uint64{"s_local": make([]uint64, cycles), "m_local": make([]uint64, cycles)} // a bit for each node
	for _, line := range regexp.MustCompile(`(?m)^(\d+) (\d+) ([sm]_local) ([01]) `).FindAllStringSubmatch(string(text), -1) {
		cycle, err := strconv.Atoi(line[1])
		require.NoError(t, err)
		node, err := strconv.Atoi(line[2])
		require.NoError(t, err)
		require.Less(t, node, 64)
		valid[line[3]][cycle] |= 1 << node
		if line[3] == "s_local" && line[4] == "1" && injection < 0 {
			injection = cycle
		}
	}
	require.GreaterOrEqual(t, injection, 0)
	waves := wavesOf(t, vcd, "trace.cycle", "top.bench.s_axis_tvalid", "top.bench.m_axis_tvalid")
	require.GreaterOrEqual(t, len(waves), cycles)
	binary := func(n uint64) string { return strconv.FormatUint(n, 2) }
	for n, wave := range waves {
		require.Equal(t, binary(uint64(n)), wave["trace.cycle"])
		if n < cycles {
			require.Equal(t, binary(valid["s_local"][n]), wave["top.bench.s_axis_tvalid"], "s_axis_tvalid in cycle %d", n)
			require.Equal(t, binary(valid["m_local"][n]), wave["top.bench.m_axis_tvalid"], "m_axis_tvalid in cycle %d", n)
		}
	}
	return injection
}

// assertInSight checks that a view opens at cycle 0, with the cycles up to the last in its first 1,000 pixels, and has its
// marker at a cycle; -1: no marker.
func assertInSight(t *testing.T, view string, last, marker int) {
	t.Helper()
	text, err := os.ReadFile(view)
	require.NoError(t, err)
	assert.Contains(t, string(text), "\n[timestart] 0\n")
	line := regexp.MustCompile(`(?m)^\*(-?[0-9.]+) (-?\d+)((?: -1){26})$`).FindStringSubmatch(string(text))
	require.NotNil(t, line, "zoom and markers, as GTKWave saves them")
	zoom, err := strconv.ParseFloat(line[1], 64)
	require.NoError(t, err)
	pixel := math.Exp2(-zoom) / 200 // in ns
	assert.GreaterOrEqual(t, 1000*pixel, float64(cycleTime*(last+1)), "the time that 1,000 pixels show, in ns")
	assert.GreaterOrEqual(t, float64(cycleTime)/pixel, 20., "pixels for a cycle")
	at := -1
	if marker >= 0 {
		at = cycleTime * marker
	}
	assert.Equal(t, strconv.Itoa(at), line[2], "marker")
}

// assertWaves checks that every signal of a view is in the VCD of a bench, and that GTKWave
// shows all of them.
func assertWaves(t *testing.T, view, vcd string) {
	t.Helper()
	signals := signalsOf(t, vcd)
	text, err := os.ReadFile(view)
	require.NoError(t, err)
	var named []string
	shown := 0
	for _, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "" || strings.ContainsAny(line[:1], "[@*"):
		case line[0] == '-':
			named = append(named, line[1:])
		default:
			alias := line[strings.LastIndex(line, ".")+1:]
			if text, signal, found := strings.Cut(line, "} "); found {
				alias, line = strings.TrimPrefix(text, "+{"), signal
			}
			assert.True(t, signals[line], "%s shows %s, which is not in the VCD", view, line)
			named = append(named, alias)
			shown++
		}
	}
	assert.Greater(t, shown, 10)
	assert.Equal(t, named, shownByGTKWave(t, view, vcd), view)
}

// The views of a network and of a collective network open at cycle 0, and the waves count the cycles of the traces.
func TestWavesBeginWithCycle0(t *testing.T) {
	_, out := harness.Generate(t, harness.Text(t, `machine "m" {
  dimension "x" {
    m   = 3
    rho = 1
  }
  message {
    payload_bits = 4
  }
  collective "net" {
    operation    = "all-reduce"
    payload_bits = 4
  }
}
`), nil)
	t.Run("network", func(t *testing.T) {
		harness.Make(t.Context(), t, out, "sim-alone", "JOBS=1", "PLUSARGS=+trace=build/alone.vcd")
		view, vcd := filepath.Join(out, "waves", "network.gtkw"), filepath.Join(out, "build", "alone.vcd")
		injection := assertCycles(t, vcd, filepath.Join(out, "golden", "alone.trace"))
		assertInSight(t, view, injection+2, injection)
		assertWaves(t, view, vcd)
	})
	t.Run("collective network", func(t *testing.T) {
		harness.Make(t.Context(), t, out, "sim-net", "JOBS=1", "PLUSARGS=+trace=build/net.vcd")
		view, vcd := filepath.Join(out, "waves", "net_network.gtkw"), filepath.Join(out, "build", "net.vcd")
		text, err := os.ReadFile(filepath.Join(out, "golden", "net.collective"))
		require.NoError(t, err)
		done := regexp.MustCompile(`(?m)^(\d+) - done `).FindAllStringSubmatch(string(text), -1)
		assert.NotEmpty(t, done)
		var shown []string
		for n, wave := range wavesOf(t, vcd, "trace.cycle", "top.bench.done") {
			require.Equal(t, strconv.FormatInt(int64(n), 2), wave["trace.cycle"])
			if wave["top.bench.done"] == "1" {
				shown = append(shown, strconv.Itoa(n))
			}
		}
		var wanted []string
		for _, line := range done {
			wanted = append(wanted, line[1])
		}
		assert.Equal(t, wanted, shown, "cycles with done")
		assertInSight(t, view, 10, -1)
		assertWaves(t, view, vcd)
	})
}
