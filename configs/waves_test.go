// SPDX-License-Identifier: Apache-2.0

package configs

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// signalsOf lists the signals in the header of a VCD as GTKWave names them: scopes
// and name with points between them, then the range.
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
			signals[strings.Join(append(scopes, strings.Join(words[4:len(words)-1], "")), ".")] = true
		case words[0] == "$enddefinitions":
			return signals
		}
	}
	t.Fatalf("%s has no end of its header", vcd)
	return nil
}

// assertWaves checks that every signal of a view is in the VCD of a bench.
func assertWaves(t *testing.T, view, vcd string) {
	t.Helper()
	signals := signalsOf(t, vcd)
	text, err := os.ReadFile(view)
	require.NoError(t, err)
	shown := 0
	for _, line := range strings.Split(string(text), "\n") {
		if line != "" && !strings.ContainsAny(line[:1], "[@-") {
			assert.True(t, signals[line], "%s shows %s, which is not in the VCD", view, line)
			shown++
		}
	}
	assert.Greater(t, shown, 10)
}
