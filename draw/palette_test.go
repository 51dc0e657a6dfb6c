// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// luminance is the relative luminance of a colour as WCAG 2 defines it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var rgb [3]int
	_, err := fmt.Sscanf(colour, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2])
	require.NoError(t, err)
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(rgb[i]) / 255
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Texts have the contrast that WCAG 2 asks of small texts, lines at least 2 to 1 on white.
func TestColoursCanBeSeenAndTextsRead(t *testing.T) {
	require.Len(t, onColour, len(colours))
	for i, c := range colours {
		assert.GreaterOrEqual(t, contrast(t, c, onColour[i]), 4.5, c)
		assert.GreaterOrEqual(t, contrast(t, c, "#ffffff"), 2.0, c)
	}
	assert.GreaterOrEqual(t, contrast(t, ink, "#ffffff"), 4.5)
	assert.Less(t, luminance(t, shade(1)), luminance(t, shade(0.5)))
	assert.Less(t, luminance(t, shade(0.5)), luminance(t, shade(0)))
}
