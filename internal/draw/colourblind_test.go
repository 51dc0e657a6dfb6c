// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sights are how people see linear red, green and blue: those who lack a kind of cones after Machado,
// Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009.
var sights = map[string][3][3]float64{
	"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"no red":    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"no green":  {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"no blue":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// lab is a colour such as #0072b2 in CIELAB, as it is seen; white is that of sRGB, D65.
func lab(t *testing.T, colour string, sight [3][3]float64) [3]float64 {
	t.Helper()
	var rgb [3]int
	_, err := fmt.Sscanf(colour, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2])
	require.NoError(t, err)
	var linear, seen [3]float64
	for i, c := range rgb {
		v := float64(c) / 255
		if linear[i] = v / 12.92; v > 0.04045 {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i, row := range sight {
		seen[i] = min(1, max(0, row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2]))
	}
	f := func(x, y, z, white float64) float64 {
		v := (x*seen[0] + y*seen[1] + z*seen[2]) / white
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x, y, z := f(0.4124564, 0.3575761, 0.1804375, 0.95047), f(0.2126729, 0.7151522, 0.0721750, 1), f(0.0193339, 0.1191920, 0.9503041, 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// closest is the least distance of two of the colours, in CIELAB. One of 2.3 is just noticed.
func closest(t *testing.T, colours []string, sight [3][3]float64) float64 {
	t.Helper()
	least := math.Inf(1)
	for i, c := range colours {
		a := lab(t, c, sight)
		for _, other := range colours[:i] {
			b := lab(t, other, sight)
			least = min(least, math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]))
		}
	}
	return least
}

func TestStepsCanBeToldApartByTheColourBlind(t *testing.T) {
	for name, p := range map[string]palette{"paper": onPaper, "light": onLight, "dark": onDark} {
		for steps := 2; steps <= 16; steps++ {
			for sight, matrix := range sights {
				least := 4.5
				switch {
				case steps <= len(p.few):
					least = 12
				case sight == "no blue": // one of some ten thousand people
					least = 2.8
				}
				assert.Greater(t, closest(t, p.of(steps), matrix), least, "%s, %d steps, %s", name, steps, sight)
			}
		}
	}
}

// Were steps as those of an older scale, or as red and green of the same lightness, this would be found.
func TestColoursThatAreTooCloseAreFound(t *testing.T) {
	assert.Less(t, closest(t, []string{"#8c2f2f", "#4b4b2f"}, sights["no red"]), 12.0)
	assert.Greater(t, closest(t, []string{"#8c2f2f", "#4b4b2f"}, sights["all cones"]), 30.0)
	assert.InDelta(t, 100, closest(t, []string{"#000000", "#ffffff"}, sights["no green"]), 0.1)
	assert.InDelta(t, 53.24, lab(t, "#ff0000", sights["all cones"])[0], 0.01)
	assert.InDelta(t, 80.09, lab(t, "#ff0000", sights["all cones"])[1], 0.05)
	assert.InDelta(t, 67.20, lab(t, "#ff0000", sights["all cones"])[2], 0.05)
}

// More than eight steps also are lighter from one to the next, by as much each time.
func TestScalesRiseEvenlyFromDarkToLight(t *testing.T) {
	for name, p := range map[string]palette{"paper": onPaper, "light": onLight, "dark": onDark} {
		for steps := len(p.few) + 1; steps <= 64; steps++ {
			all := p.of(steps)
			first, last := lab(t, all[0], sights["all cones"])[0], lab(t, all[steps-1], sights["all cones"])[0]
			for i := 1; i < steps; i++ {
				require.Greater(t, luminance(all[i]), luminance(all[i-1]), "%s, step %d of %d", name, i+1, steps)
				if steps > 16 {
					continue // rounding of colours
				}
				rise := lab(t, all[i], sights["all cones"])[0] - lab(t, all[i-1], sights["all cones"])[0]
				require.InDelta(t, 1, rise/(last-first)*float64(steps-1), 0.35, "%s, step %d of %d", name, i+1, steps)
			}
		}
	}
}
