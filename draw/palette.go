// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"math"
	"strings"
)

// colours can be told apart also by those who see fewer of them (after Okabe and Ito),
// and on white.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6c00", "#000000"}

// dashes tell apart what has the same colour: dimensions 9 and up.
var dashes = []string{"", "8 4", "2 4", "8 3 2 3"}

// Colours of what is in the background.
const (
	ink  = "#222222"
	grey = "#b3b3b3"
)

// palette is where the colours of steps come from: up to few steps have those that can be
// told apart best, more have a scale, from dark to light and once around the hues, on which
// no two steps are the same.
type palette struct {
	few   []string
	scale [][3]int // red, green and blue, 0 to 255; the colours between are mixed
}

// The scales are nearly even in OKLCH. Lines of paper stand on white, texts of pages in light on
// the colours in white, and of pages in dark in nearly black.
var (
	onPaper = palette{colours, [][3]int{{0x37, 0x01, 0x65}, {0x19, 0x27, 0x88}, {0x02, 0x4f, 0x6e}, {0x01, 0x78, 0x63},
		{0x2a, 0x8d, 0x2f}, {0x8a, 0x8f, 0x04}, {0xc4, 0x8e, 0x05}, {0xf9, 0x89, 0x42}}}
	onLight = palette{[]string{"#0072b2", "#b84a00", "#00745a", "#a2457c", "#806000", "#3d4fc4", "#8c2f2f", "#333333"},
		[][3]int{{0x37, 0x01, 0x65}, {0x08, 0x22, 0x80}, {0x02, 0x4b, 0x60}, {0x04, 0x5b, 0x34},
			{0x47, 0x5f, 0x02}, {0x74, 0x5b, 0x02}, {0x9d, 0x50, 0x04}, {0xbd, 0x40, 0x49}}}
	onDark = palette{[]string{"#6cb8ee", "#ff9a4d", "#3fcf9f", "#ea9fca", "#f0c84a", "#aab4ff", "#ff9c94", "#ffffff"},
		[][3]int{{0x94, 0x70, 0xcd}, {0x6f, 0x90, 0xf0}, {0x4d, 0xa5, 0xf1}, {0x08, 0xb2, 0xf2}, {0x14, 0xd6, 0xc8},
			{0x52, 0xe3, 0xb6}, {0x9c, 0xeb, 0x95}, {0xdc, 0xed, 0x7b}, {0xff, 0xed, 0xc0}}}
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

// StepClass is the class of what a step does in a page, from step 1 on.
func StepClass(step int) string { return fmt.Sprintf("s%d", step) }

// StepStyle is the part of a style sheet that gives the classes of that many steps their
// colour as --step, of pages in light and in dark.
func StepStyle(steps int) string {
	var b strings.Builder
	rules := func(indent string, colours []string) {
		for i, c := range colours {
			fmt.Fprintf(&b, "%s.%s { --step: %s; }\n", indent, StepClass(i+1), c)
		}
	}
	rules("", onLight.of(steps))
	b.WriteString("@media (prefers-color-scheme: dark) {\n")
	rules("  ", onDark.of(steps))
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
