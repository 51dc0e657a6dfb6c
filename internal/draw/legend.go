// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// mostEntries is how many entries a legend of steps has; in longer broadcasts each is of several steps.
const mostEntries = 24

// stepLegend reports how many messages are sent in each step: messages[1] in step 1, in the first colour.
func stepLegend(messages []int, stepColours []string) (legend []entry) {
	steps := len(messages) - 1
	each := (steps + mostEntries - 1) / mostEntries
	for first := 1; first <= steps; first += each {
		last := min(first+each-1, steps)
		sum := 0
		for step := first; step <= last; step++ {
			sum += messages[step]
		}
		text := fmt.Sprintf("step %d: %d message", first, sum)
		if last > first {
			text = fmt.Sprintf("steps %d to %d: %d message", first, last, sum)
		}
		if sum != 1 {
			text += "s"
		}
		legend = append(legend, entry{stroke: fmt.Sprintf(`stroke="%s" stroke-width="2.6"`, stepColours[(first+last)/2-1]), text: text})
	}
	return legend
}
