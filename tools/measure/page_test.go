// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTextTakesThePlaceOfTheOldOne(t *testing.T) {
	name := filepath.Join(t.TempDir(), "page.md")
	write := func(text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o666)) }
	write("<!-- other -->\n<!-- other ends -->\n<!-- a -->\n\nold\n\n<!-- a ends -->\nafter\n")
	require.NoError(t, checkPlaces(place{name, "a"}))
	require.NoError(t, place{name, "a"}.write("new\n"))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "<!-- other -->\n<!-- other ends -->\n<!-- a -->\n\nnew\n\n<!-- a ends -->\nafter\n", string(text))

	for _, page := range []string{"", "<!-- a -->\n", "<!-- a ends -->", "<!-- a ends -->\n<!-- a -->\n", "<!-- b -->\n<!-- b ends -->"} {
		write(page)
		require.ErrorContains(t, checkPlaces(place{name, "a"}), "has no place for a")
		require.ErrorContains(t, place{name, "a"}.write("new\n"), "has no place for a")
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, page, string(text), "nothing is written")
	}
	require.ErrorIs(t, place{filepath.Join(t.TempDir(), "no.md"), "a"}.write("new\n"), os.ErrNotExist)
}

func TestPagesHaveThePlacesOfTheExperiments(t *testing.T) {
	t.Chdir("../..")
	for _, e := range experiments {
		require.NoError(t, checkPlaces(e.places...))
	}
	for _, picture := range []string{loadPicture, collectivesPicture, growthPicture, linksPicture, cablesPicture} {
		assert.FileExists(t, picture)
	}
	assert.ErrorContains(t, checkPlaces(areaPlace, place{areaPlace.file, "volume"}), "docs/performance.md has no place for volume")
}
