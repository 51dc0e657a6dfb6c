// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everyday are the targets that are no campaigns: they make or check something in the way of everyday
// work, or begin the campaigns.
var everyday = []string{"all", "help", "setup", "hcgen", "demo", "test", "check", "fix", "gallery", "waves", "clean", "smoke"}

// No campaign is forgotten by make smoke without a word.
func TestSmokeBeginsEveryCampaignOrIsSaidNotTo(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	_, recipe, found := strings.Cut(string(makefile), "\nsmoke: ")
	require.True(t, found)
	recipe, _, _ = strings.Cut(recipe, "\n\n")
	_, section, found := strings.Cut(read(t, verification).text, "\n    make smoke\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	begun, campaigns := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^([a-z]+):.* ## `).FindAllStringSubmatch(string(makefile), -1) {
		if slices.Contains(everyday, m[1]) {
			continue
		}
		campaigns++
		assert.Contains(t, section, "`"+m[1]+"`", "the section about make smoke tells what becomes of it")
		before, _, _ := strings.Cut(section, "with the smallest:")
		after := strings.TrimPrefix(section, before)
		named, _, _ := strings.Cut(after, ". ")
		in := regexp.MustCompile(`(?m)^\t\$\(MAKE\) .* ` + m[1] + ` [A-Z]+=`).MatchString(recipe)
		assert.Equal(t, strings.Contains(named, "`"+m[1]+"`"), in, "%s: begun with a bound, as the section says", m[1])
		if in {
			begun++
		}
	}
	assert.Equal(t, 6, begun)
	assert.Greater(t, campaigns, begun)
}
