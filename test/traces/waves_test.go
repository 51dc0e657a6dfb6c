// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		case line == "" || strings.ContainsAny(line[:1], "[@"):
		case line[0] == '-':
			named = append(named, line[1:])
		default:
			assert.True(t, signals[line], "%s shows %s, which is not in the VCD", view, line)
			named = append(named, line[strings.LastIndex(line, ".")+1:])
			shown++
		}
	}
	assert.Greater(t, shown, 10)
	assert.Equal(t, named, shownByGTKWave(t, view, vcd), view)
}
