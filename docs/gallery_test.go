// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/draw"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/explore/measure"
)

// drawn runs the commands of a page that draw into a folder, and compares what they
// make with the pictures that are kept there. It returns their names.
func drawn(t *testing.T, p page, folder string) []string {
	t.Helper()
	s := newSession(t, p)
	require.NoError(t, os.Mkdir(filepath.Join(s.dir, folder), 0o755))
	for _, block := range p.indented {
		for _, command := range strings.Split(strings.TrimSpace(block), "\n") {
			if p.name != gallery && !strings.HasPrefix(command, "hcgen ") {
				continue
			}
			require.Regexp(t, "^hcgen (draw|explore|schedule) .* "+folder+"/[a-z0-9_-]+\\.svg$", command)
			s.succeed(command)
		}
	}
	made, err := filepath.Glob(filepath.Join(s.dir, folder, "*"))
	require.NoError(t, err)
	for i := range made {
		made[i] = filepath.Base(made[i])
	}
	kept, err := filepath.Glob(folder + "/*")
	require.NoError(t, err)
	for i := range kept {
		kept[i] = filepath.Base(kept[i])
	}
	require.Equal(t, made, kept, "pictures in docs/%s: make pictures", folder)
	require.NotEmpty(t, made)
	for _, name := range made {
		want, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		assert.True(t, s.read(filepath.Join(folder, name)) == string(want), "docs/%s/%s is not what its command draws: make pictures", folder, name)
	}
	return made
}

// The pictures are what the commands on the page make, the page shows or links all of
// them, and there are no others.
func TestGalleryIsWhatItsCommandsDraw(t *testing.T) {
	p := read(t, gallery)
	for _, name := range drawn(t, p, "gallery") {
		assert.Contains(t, p.text+read(t, choice).text+read(t, collectives).text+read(t, addressed).text, "](gallery/"+name+")")
	}
}

func TestPicturesOfTheAlgorithmAreWhatItsCommandsDraw(t *testing.T) {
	p := read(t, algorithm)
	for _, name := range drawn(t, p, "algorithm") {
		assert.Contains(t, p.text, "](algorithm/"+name+")")
	}
}

func TestNamesOfPicturesAndColumnsAreThoseOfTheProgram(t *testing.T) {
	assert.Equal(t, draw.SubjectNames(), read(t, commandLine).tableOf(t, "picture").column(0))
	assert.Equal(t, explore.Columns(), read(t, choice).tableOf(t, "column").column(0))
	number := func(text string) string { return regexp.MustCompile(`(\d),(\d{3})`).ReplaceAllString(text, "$1$2") }
	assert.Contains(t, read(t, commandLine).text, "up to 512 nodes and 2,048 links")
	assert.Equal(t, []int{512, 2048}, []int{draw.MaxNodes, draw.MaxLinks})
	assert.Contains(t, number(number(read(t, choice).text)), "A list has 20000 machines at most, and 20000000 products of rings")
	assert.Equal(t, []int{20_000, 20_000_000}, []int{explore.MaxMachines, explore.MaxLooks})
	assert.Contains(t, read(t, choice).text, "for machines of at most 256 nodes")
	assert.Equal(t, 256, measure.MaxNodes)
}
