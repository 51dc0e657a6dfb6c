// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// colours can be told apart also by those who see fewer of them (after Okabe and Ito),
// and on white.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6c00", "#000000"}

// onColour is the colour of text that can be read on each of them.
var onColour = []string{"#ffffff", "#000000", "#000000", "#000000", "#000000", "#000000", "#ffffff", "#ffffff"}

// dashes tell apart what has the same colour: steps 9 and up, dimensions 9 and up.
var dashes = []string{"", "8 4", "2 4", "8 3 2 3"}

// Colours of what is in the background.
const (
	ink  = "#222222"
	grey = "#b3b3b3"
)

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
