// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// tested is the container that all figures, and the versions that the tests ask for, are of.
const tested = "debian:12"

// A workflow that runs the tests on another system has other tools, and a release that is
// tested there is never published.
func TestEveryWorkflowTestsInTheSameContainer(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*.yml")
	require.NoError(t, err)
	before := map[string][]step{} // the tests, by workflow
	tests := func(s step) bool { return strings.HasPrefix(s.Run, "make test") }
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var workflow struct{ Jobs map[string]job }
		require.NoError(t, yaml.Unmarshal(text, &workflow), file)
		for name, j := range workflow.Jobs {
			if at := slices.IndexFunc(j.Steps, tests); at >= 0 {
				assert.Equal(t, tested, j.Container, "%s: %s", file, name)
				before[filepath.Base(file)] = j.Steps[:at]
				for i, s := range j.Steps[:at] {
					if s.Uses == "actions/checkout@v4" {
						j.Steps[i].With = nil // a release fetches the tags, too
					}
				}
			}
		}
	}
	require.Len(t, before, 3, "workflows that run the tests")
	assert.Equal(t, before["verilator.yml"], before["release.yml"], "the steps before make test")
	assert.Equal(t, before["verilator.yml"], before["nightly.yml"], "the steps before make test-all")
	assert.Contains(t, read(t, synthesis).text, "Everything is tested with Debian 12:")
}
