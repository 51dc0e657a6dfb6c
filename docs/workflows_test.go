// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// step is one of a job of GitHub Actions.
type step struct {
	Name, Uses, Run string
	With            map[string]string
}

// job is what the tests read of a job of GitHub Actions.
type job struct {
	Container string
	Steps     []step
}

// runs returns the place of the step with the command, -1 if there is none.
func (j job) runs(command string) int {
	return slices.IndexFunc(j.Steps, func(s step) bool { return s.Run == command })
}

// tested is the container that all figures, and the versions that the tests ask for, are of.
const tested = "debian:12"

// A workflow that runs the tests on another system has other tools, and a release that is
// tested there is never published.
func TestEveryWorkflowTestsInTheSameContainer(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*.yml")
	require.NoError(t, err)
	before := map[string][]step{} // the tests, by workflow
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var workflow struct{ Jobs map[string]job }
		require.NoError(t, yaml.Unmarshal(text, &workflow), file)
		for name, j := range workflow.Jobs {
			if at := j.runs("make test"); at >= 0 {
				assert.Equal(t, tested, j.Container, "%s: %s", file, name)
				before[filepath.Base(file)] = j.Steps[:at]
			}
		}
	}
	require.Len(t, before, 2, "workflows that run make test")
	assert.Equal(t, before["verilator.yml"], before["release.yml"], "the steps before make test")
	assert.Contains(t, read(t, synthesis).text, "Everything is tested with Debian 12:")
}
