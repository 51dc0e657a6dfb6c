// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/modfile"
)

// container is what the tests read of the Dockerfile.
type container struct{ text, goVersion, debian, workdir string }

func readContainer(t *testing.T) container {
	t.Helper()
	text, err := os.ReadFile("../Dockerfile")
	require.NoError(t, err)
	m := regexp.MustCompile(`(?s)\nFROM golang:([\d.]+)-([a-z]+)\n.*\nWORKDIR (\S+)\n`).FindStringSubmatch(string(text))
	require.NotNil(t, m, "image and folder of the Dockerfile")
	return container{text: string(text), goVersion: m[1], debian: m[2], workdir: m[3]}
}

// The container has the Go of go.mod and, on the Debian of the workflows, the tools of setup.
func TestContainerHasTheToolsOfSetup(t *testing.T) {
	c := readContainer(t)
	text, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	module, err := modfile.ParseLax("go.mod", text, nil)
	require.NoError(t, err)
	version := strings.Split(module.Go.Version, ".") // the image has the newest patch of this version
	assert.Equal(t, strings.Join(version[:2], "."), c.goVersion)
	assert.Equal(t, tested, map[string]string{"bookworm": "debian:12"}[c.debian])
	assert.Contains(t, c.text, "\nCOPY tools/setup.sh /tmp/\nRUN sh /tmp/setup.sh interop ")
	assert.FileExists(t, "../tools/setup.sh")
	assert.NotContains(t, c.text, "apt-get", "packages are listed in setup.sh")
}

func TestDevelopmentContainerIsThatOfTheDockerfile(t *testing.T) {
	text, err := os.ReadFile("../.devcontainer/devcontainer.json")
	require.NoError(t, err)
	var settings struct {
		Build           struct{ Dockerfile, Context string }
		WorkspaceMount  string
		WorkspaceFolder string
	}
	require.NoError(t, json.Unmarshal(text, &settings))
	assert.Equal(t, "../Dockerfile", settings.Build.Dockerfile)
	assert.Equal(t, "..", settings.Build.Context)
	assert.Equal(t, readContainer(t).workdir, settings.WorkspaceFolder)
	assert.Contains(t, settings.WorkspaceMount, ",target="+settings.WorkspaceFolder+",")
}

func TestPreCommitRunsATargetOfMake(t *testing.T) {
	text, err := os.ReadFile("../.pre-commit-config.yaml")
	require.NoError(t, err)
	var config struct {
		Repos []struct {
			Repo  string
			Hooks []struct{ Entry, Language string }
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &config))
	require.Len(t, config.Repos, 1)
	assert.Equal(t, "local", config.Repos[0].Repo)
	require.NotEmpty(t, config.Repos[0].Hooks)
	for _, hook := range config.Repos[0].Hooks {
		assert.Equal(t, "system", hook.Language)
		target, found := strings.CutPrefix(hook.Entry, "make ")
		assert.True(t, found, hook.Entry)
		assert.Regexp(t, `(?m)^`+target+`:.* ## `, makefile(t))
	}
}

// GitHub ignores a form that lacks a field, without a word.
func TestIssueFormsAreComplete(t *testing.T) {
	files, err := filepath.Glob("../.github/ISSUE_TEMPLATE/*.yml")
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var form struct {
			Name, Description string
			Body              []struct {
				Type, ID   string
				Attributes struct{ Label, Description string }
			}
		}
		require.NoError(t, yaml.Unmarshal(text, &form), file)
		assert.NotEmpty(t, form.Name, file)
		assert.NotEmpty(t, form.Description, file)
		require.NotEmpty(t, form.Body, file)
		seen := map[string]bool{}
		for _, field := range form.Body {
			assert.Contains(t, []string{"input", "textarea"}, field.Type, file)
			assert.NotEmpty(t, field.Attributes.Label, file)
			assert.NotEmpty(t, field.Attributes.Description, file)
			assert.False(t, seen[field.ID], "%s: %s twice", file, field.ID)
			seen[field.ID] = true
		}
	}
}
