// SPDX-License-Identifier: Apache-2.0

package page

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
	require.NoError(t, Check(name, "a"))
	require.NoError(t, Write(name, "a", "new\n"))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "<!-- other -->\n<!-- other ends -->\n<!-- a -->\n\nnew\n\n<!-- a ends -->\nafter\n", string(text))

	for _, page := range []string{"", "<!-- a -->\n", "<!-- a ends -->", "<!-- a ends -->\n<!-- a -->\n", "<!-- b -->\n<!-- b ends -->"} {
		write(page)
		require.ErrorContains(t, Check(name, "a"), "has no place for a")
		require.ErrorContains(t, Write(name, "a", "new\n"), "has no place for a")
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, page, string(text), "nothing is written")
	}
	require.ErrorIs(t, Write(filepath.Join(t.TempDir(), "no.md"), "a", "new\n"), os.ErrNotExist)
}
