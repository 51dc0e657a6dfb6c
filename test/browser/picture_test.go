// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/draw"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// overlaps lists texts of a picture that overlap or are outside of it, as laid out by the browser.
const overlaps = `(() => {
  const texts = [...document.querySelectorAll("text")].map(e => [e.textContent, e.getBoundingClientRect()]);
  const all = document.documentElement.getBoundingClientRect(), bad = [];
  texts.forEach(([text, a], i) => {
    if (a.left < all.left || a.right > all.right || a.top < all.top || a.bottom > all.bottom) bad.push(text + " is outside");
    for (const [other, b] of texts.slice(0, i)) // lines may touch
      if (a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom) bad.push(text + " on " + other);
  });
  return { texts: texts.length, bad };
})()`

// The layout only estimates the width of a text.
func TestLongNamesDoNotOverlapInPictures(t *testing.T) {
	needs.Time(t)
	for _, letter := range []string{"W", "m", "0", "_0"} {
		name := "W" + strings.Repeat(letter, (machine.MaxNameLength-1)/len(letter))
		text := strings.ReplaceAll(dimensions(name, "5,2 24,1", ""), `"d`, `"`+name[:machine.MaxNameLength-2])
		m, _, diags := machine.LoadBytes("machine.hcl", []byte(text), nil)
		require.False(t, diags.HasErrors(), diags.Error())
		for subject := draw.Network; subject <= draw.Router; subject++ {
			picture, err := draw.SVG(&draw.Picture{Plan: plan.New(m), Subject: subject})
			require.NoError(t, err)
			path := filepath.Join(t.TempDir(), "picture.svg")
			require.NoError(t, os.WriteFile(path, picture, 0o644))
			page := open(t)
			page.load(path)
			found := ask[struct {
				Texts int
				Bad   []string
			}](page, overlaps)
			assert.Greater(t, found.Texts, 20)
			assert.Empty(t, found.Bad, "%s, %s", letter, subject)
		}
	}
}
