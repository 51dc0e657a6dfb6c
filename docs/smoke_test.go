// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"cmp"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// No campaign is forgotten by make campaign-smoke without a word.
func TestSmokeBeginsEveryCampaignOrIsSaidNotTo(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	_, recipe, found := strings.Cut(string(makefile), "\ncampaign-smoke: ")
	require.True(t, found)
	recipe, _, _ = strings.Cut(recipe, "\n\n")
	_, section, found := strings.Cut(read(t, verification).text, "\n    make campaign-smoke\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	begun, campaigns := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^(campaign-([a-z]+)|bench|release):`).FindAllStringSubmatch(string(makefile), -1) {
		if m[2] == "smoke" {
			continue
		}
		name := cmp.Or(m[2], m[1])
		campaigns++
		assert.Contains(t, section, "`"+name+"`", "the section about make campaign-smoke tells what becomes of it")
		before, _, _ := strings.Cut(section, "with the smallest:")
		after := strings.TrimPrefix(section, before)
		named, _, _ := strings.Cut(after, ".")
		in := regexp.MustCompile(`(?m)^\t\$\(MAKE\) .* ` + m[1] + ` [A-Z]+=`).MatchString(recipe)
		assert.Equal(t, strings.Contains(named, "`"+name+"`"), in, "%s: begun with a bound, as the section says", name)
		if in {
			begun++
		}
	}
	assert.Equal(t, 7, begun)
	assert.Greater(t, campaigns, begun)
}
