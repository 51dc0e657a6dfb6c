// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"math"
	"strings"
)

// colours can be told apart also by those who see fewer of them (after Okabe and Ito),
// and on white.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#685c00", "#000000"}

// dashes tell apart what has the same colour: dimensions 9 and up.
var dashes = []string{"", "8 4", "2 4", "8 3 2 3"}

// Colours of what is in the background.
const (
	ink  = "#222222"
	grey = "#b3b3b3"
)

// palette is where the colours of steps come from: up to few steps have those that can be
// told apart best, more have a scale from dark to light, on which no two steps are the same.
type palette struct {
	few   []string
	scale [][3]int // red, green and blue, 0 to 255; the colours between are mixed
}

// The scales are even in CIELAB lightness, and go from blue to yellow, which those who cannot tell red
// from green see as well: steps of up to 16 differ in both. Lines of paper stand on white, texts of
// pages in light on the colours in white, and of pages in dark in nearly black.
var (
	onPaper = palette{colours, [][3]int{{0x15, 0x00, 0x68}, {0x11, 0x26, 0x66}, {0x54, 0x30, 0x5d}, {0x45, 0x53, 0x57}, {0x83, 0x54, 0x4a},
		{0xb7, 0x5a, 0x44}, {0xa8, 0x80, 0x3a}, {0xa3, 0xa1, 0x30}, {0x96, 0xc2, 0x13}}}
	onLight = palette{[]string{"#1874b3", "#b14200", "#116454", "#a7467f", "#777a29", "#3d4fc4", "#965a45", "#333333"},
		[][3]int{{0x1a, 0x00, 0x57}, {0x09, 0x20, 0x53}, {0x3e, 0x21, 0x49}, {0x5f, 0x1e, 0x3f}, {0x80, 0x19, 0x38},
			{0x7e, 0x39, 0x33}, {0x72, 0x58, 0x2d}, {0xaa, 0x4f, 0x23}, {0xac, 0x66, 0x00}}}
	onDark = palette{[]string{"#8ecdfc", "#fc974b", "#44c18e", "#de9fce", "#f5c94b", "#8fa0ec", "#ffa8a5", "#ffffff"},
		[][3]int{{0x5d, 0x74, 0xff}, {0x39, 0x90, 0xfd}, {0x10, 0xad, 0xdd}, {0x38, 0xbf, 0xdb}, {0x61, 0xd0, 0xcb},
			{0x61, 0xe1, 0xa2}, {0xa7, 0xe6, 0x80}, {0xcf, 0xf0, 0x74}, {0xf7, 0xf7, 0x69}}}
)

// of returns the colours of that many steps, step 1 first.
func (p palette) of(steps int) []string {
	if steps <= len(p.few) {
		return p.few[:steps]
	}
	all := make([]string, steps)
	for i := range all {
		// whole numbers, so that every machine rounds alike
		parts, whole := i*(len(p.scale)-1), steps-1
		from, part := parts/whole, parts%whole
		a, b := p.scale[from], p.scale[min(from+1, len(p.scale)-1)]
		mix := func(c int) int { return (a[c]*(whole-part) + b[c]*part + whole/2) / whole }
		all[i] = fmt.Sprintf("#%02x%02x%02x", mix(0), mix(1), mix(2))
	}
	return all
}

// textOn is the colour of text that can be read on another: black, or white.
func textOn(colour string) string {
	if light := luminance(colour) + 0.05; 1.05/light > light/0.05 {
		return "#ffffff"
	}
	return "#000000"
}

// luminance is the relative luminance of a colour such as #0072b2 as WCAG 2 defines it, 0 to 1.
func luminance(colour string) float64 {
	var rgb [3]int
	if _, err := fmt.Sscanf(colour, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		panic(err)
	}
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

// StepClass is the CSS class of the elements of a step, from 1.
func StepClass(step int) string { return fmt.Sprintf("s%d", step) }

// StepStyle is the part of a style sheet that gives the classes of that many steps their
// colour as --step, of pages in light and in dark, within what a selector selects; if
// it is empty, everywhere.
func StepStyle(within string, steps int) string {
	var b strings.Builder
	rules := func(indent string, colours []string) {
		for i, c := range colours {
			fmt.Fprintf(&b, "%s.%s { --step: %s; }\n", indent, StepClass(i+1), c)
		}
	}
	if within != "" {
		within += " "
	}
	rules(within, onLight.of(steps))
	b.WriteString("@media (prefers-color-scheme: dark) {\n")
	rules("  "+within, onDark.of(steps))
	b.WriteString("}\n")
	return b.String()
}

// strokeOf is how the n-th of several things is drawn, from 0.
func strokeOf(n int) string {
	s := fmt.Sprintf(`stroke="%s"`, colours[n%len(colours)])
	if d := dashes[n/len(colours)%len(dashes)]; d != "" {
		s += fmt.Sprintf(` stroke-dasharray="%s"`, d)
	}
	return s
}

// shade is a colour from light to dark blue, for 0 to 1.
func shade(v float64) string {
	mix := func(light, dark int) int { return light + int(v*float64(dark-light)+0.5) }
	return fmt.Sprintf("#%02x%02x%02x", mix(0x9e, 0x08), mix(0xca, 0x24), mix(0xe1, 0x60))
}
