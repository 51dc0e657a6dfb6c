// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestLuminanceIsThatOfWCAG(t *testing.T) {
	for colour, want := range map[string]float64{"#000000": 0, "#ffffff": 1, "#808080": 0.2159, "#ff0000": 0.2126, "#0a0a0a": 0.0030} {
		assert.InDelta(t, want, luminance(colour), 0.0001, colour)
	}
}

// mostSteps is the diameter of the longest ring that is drawn.
const mostSteps = MaxNodes / 2

// However many steps a broadcast has, each has a colour of its own, which can be seen on its
// background; and on it text has the contrast that WCAG 2 asks of small texts.
func TestEveryStepHasAColourOfItsOwnThatCanBeRead(t *testing.T) {
	for name, p := range map[string]struct {
		palette
		background string
		seen       float64
		text       string // on the colour; empty: that of textOn
	}{
		"paper": {onPaper, "#ffffff", 2, ""}, "light": {onLight, "#ffffff", 4.5, "#ffffff"}, "dark": {onDark, "#15181c", 4.5, "#101316"},
	} {
		for steps := range mostSteps + 1 {
			all := p.of(steps)
			require.Len(t, all, steps, name)
			is := map[string]bool{}
			for i, c := range all {
				require.False(t, is[c], "%s, %d steps: %s twice", name, steps, c)
				is[c] = true
				if steps > 20 && steps < mostSteps {
					continue // between these
				}
				text := p.text
				if text == "" {
					text = textOn(c)
				}
				require.GreaterOrEqual(t, contrast(c, text), 4.5, "%s, step %d of %d", name, i+1, steps)
				require.GreaterOrEqual(t, contrast(c, p.background), p.seen, "%s, step %d of %d", name, i+1, steps)
				if i > 0 && steps > len(p.few) {
					require.GreaterOrEqual(t, luminance(c), luminance(all[i-1])-0.002, "%s: the scale goes from dark to light", name)
				}
			}
		}
	}
	assert.GreaterOrEqual(t, contrast(ink, "#ffffff"), 4.5)
	assert.Less(t, luminance(shade(1)), luminance(shade(0.5)))
	assert.Less(t, luminance(shade(0.5)), luminance(shade(0)))
}

func TestPagesHaveAColourForEveryStepInLightAndDark(t *testing.T) {
	light, dark, ok := strings.Cut(StepStyle("", 10), "@media (prefers-color-scheme: dark) {\n")
	require.True(t, ok)
	for i, c := range onLight.of(10) {
		assert.Contains(t, light, "."+StepClass(i+1)+" { --step: "+c+"; }\n")
		assert.Contains(t, dark, "."+StepClass(i+1)+" { --step: "+onDark.of(10)[i]+"; }\n")
	}
	assert.Equal(t, 10, strings.Count(light, "\n"))
	assert.Equal(t, 11, strings.Count(dark, "\n"))
}
