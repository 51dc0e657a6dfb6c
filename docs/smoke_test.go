// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// makefile is the Makefile of the project.
func makefile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	return string(text)
}

// rules lists the targets kind/name of the Makefile, without the kind.
func rules(t *testing.T, kind string) (names []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^`+kind+`/(.*?):.* # \S`).FindAllStringSubmatch(makefile(t), -1) {
		names = append(names, m[1])
	}
	return names
}

// No campaign is missing in the campaign smoke unless the page says so.
func TestSmokeBeginsEveryCampaignOrIsSaidNotTo(t *testing.T) {
	_, recipe, found := strings.Cut(makefile(t), "\ncampaign/smoke: ")
	require.True(t, found)
	recipe, _, _ = strings.Cut(recipe, "\n\n")
	_, section, found := strings.Cut(read(t, verification).text, "\n    make campaign WHAT=smoke\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	_, after, found := strings.Cut(section, "each briefly:")
	require.True(t, found)
	listed, _, _ := strings.Cut(after, ".")

	commands := map[string]string{"bench": "bench"}
	for _, name := range rules(t, "campaign") {
		commands[name] = "campaign WHAT=" + name
	}
	delete(commands, "smoke")
	begun := 0
	for name, command := range commands {
		assert.Contains(t, section, "`"+name+"`", "the section about the campaign smoke names it")
		in := regexp.MustCompile(`(?m)^\t\$\(MAKE\) .* ` + command + ` [A-Z]+=`).MatchString(recipe)
		assert.Equal(t, strings.Contains(listed, "`"+name+"`"), in, "%s: begun with a bound, as the section says", name)
		if in {
			begun++
		}
	}
	assert.Equal(t, 7, begun)
	assert.Greater(t, len(commands), begun)
}

// Without a known name, make measure and make campaign run nothing and list all names.
func TestMakeListsMeasurementsAndCampaigns(t *testing.T) {
	for kind, one := range map[string]string{"measure": "load", "campaign": "soak"} {
		names := rules(t, kind)
		require.Contains(t, names, one)
		for given, message := range map[string]string{
			"":              "error: WHAT is missing: make " + kind,
			"nothing":       "error: WHAT=nothing names no " + kind + ": make " + kind,
			one + " " + one: "names no " + kind,
		} {
			text, err := exec.CommandContext(t.Context(), "make", "-C", "..", kind, "WHAT="+given).CombinedOutput()
			require.Error(t, err, string(text))
			assert.Contains(t, string(text), message)
			var listed []string
			for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) +\S`).FindAllStringSubmatch(string(text), -1) {
				listed = append(listed, m[1])
			}
			assert.Equal(t, names, listed)
		}
	}
}

// Every measurement and campaign that a page or a program mentions is a rule of the Makefile.
func TestMentionedMeasurementsAndCampaignsAreRules(t *testing.T) {
	mention := regexp.MustCompile(`make (measure|campaign)(-\w+|(?: WHAT=)([a-z]+))`)
	found := 0
	require.NoError(t, filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if entry != nil && (entry.Name() == "build" && filepath.Dir(name) != "../templates" || entry.Name() == ".git") {
				return fs.SkipDir
			}
			return err
		}
		if name == "../docs/smoke_test.go" || !slices.Contains([]string{".md", ".go", ".sh", ".html", ".yml"}, filepath.Ext(name)) {
			return nil
		}
		text, err := os.ReadFile(name)
		for _, m := range mention.FindAllStringSubmatch(string(text), -1) {
			found++
			assert.Contains(t, rules(t, m[1]), m[3], "%s: %s", name, m[0])
		}
		return err
	}))
	assert.Greater(t, found, 30)
}
