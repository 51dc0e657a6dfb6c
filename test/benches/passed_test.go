// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

var receipt = regexp.MustCompile(`(?m)^node (\d+) receives it in cycle (\d+)$`)

// A message that a stream along a ring passes repeatedly arrives soon after it is offered. It would wait while the
// stream lasts if the pace did not stop. Icarus Verilog also shows that unknown values while tvalid is low reach no
// register of the pace and no tready.
func TestMessagesThatArePassedArrive(t *testing.T) {
	for _, c := range []struct {
		name, machine, bench string
		offers               []int // cycles in which the message is offered, a run each
		receivers            int
		bound                int // of the cycles until the last receiver has the message
	}{
		{"a broadcast behind a short stall", "torus4x4", "broadcasts.v", []int{206, 207, 208}, 15, 30},
		{"a message to one node, without a stall", "addressed4x4", "addressed.v", []int{1000}, 1, 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			needs.Tools(t, "iverilog", "vvp")
			_, out := harness.Example(t, c.machine, nil)
			bench, err := filepath.Abs(filepath.Join("testdata", "passed", c.bench))
			require.NoError(t, err)
			files, err := os.ReadFile(filepath.Join(out, "filelist.f"))
			require.NoError(t, err)
			execute := func(tool string, arguments ...string) string {
				command := exec.CommandContext(t.Context(), tool, arguments...)
				command.Dir = out
				text, err := command.CombinedOutput()
				require.NoError(t, err, "%s", text)
				return string(text)
			}
			execute("iverilog", append([]string{"-g2005", "-Wall", "-s", "passed", "-o", "passed.vvp", bench}, strings.Fields(string(files))...)...)
			for _, offer := range c.offers {
				text := execute("vvp", "passed.vvp", fmt.Sprintf("+offer=%d", offer), fmt.Sprintf("+cycles=%d", offer+200))
				assert.NotContains(t, text, "unknown")
				receipts := receipt.FindAllStringSubmatch(text, -1)
				nodes := map[string]bool{}
				for _, r := range receipts {
					nodes[r[1]] = true
					cycle, err := strconv.Atoi(r[2])
					require.NoError(t, err)
					assert.LessOrEqual(t, cycle, offer+c.bound, "node %s", r[1])
				}
				assert.Len(t, receipts, c.receivers)
				assert.Len(t, nodes, c.receivers)
			}
		})
	}
}
