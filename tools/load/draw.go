// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/hcgen/hcgen/internal/svg"
)

// Layout of the picture in pixels: a panel for each quantity, a column for each load, in it a dot for
// each machine.
const (
	panelHeight            = 140.
	left, top, gap, right  = 50., 60., 40., 20.
	columnWidth, radius    = 52., 3.
	legendEntry, entryText = 100., 8.
	foot                   = 150. // for the names of the loads
)

// colours of the machines, which colour-blind readers can distinguish, too.
var colours = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#685c00", "#999999", "#000000"}

// quantity is what a panel shows, 0 to 1.
type quantity struct {
	title string
	of    func(*result) float64
	alone bool // meaningful for a single node
}

var quantities = []quantity{
	{"deliveries, of the most that is possible", (*result).delivered, true},
	{"fewest to most injections", func(r *result) float64 { return r.Fairness }, false},
	{"longest wait, of the bound of the theorem", (*result).waited, false},
}

// draw returns the picture.
func draw(all [][]result) []byte {
	columns := float64(len(all[0]))
	width := left + columns*columnWidth + right
	bottom := top + float64(len(quantities))*(panelHeight+gap) - gap
	p := svg.New(width, bottom+foot, "Loads by machine", "Deliveries, shares and longest waits of the loads by machine; the figures are in the table")
	for i, results := range all {
		x := left + float64(i)*legendEntry
		p.Add(`<circle cx="%s" cy="20" r="%s" fill="%s"/>`, svg.N(x), svg.N(radius), colours[i])
		p.Text(svg.Point{X: x + entryText, Y: 24}, svg.Start, "", results[0].machine)
	}
	for row, q := range quantities {
		y := top + float64(row)*(panelHeight+gap)
		height := func(v float64) float64 { return y + panelHeight*(1-v/1.05) }
		p.Text(svg.Point{X: left, Y: y - 8}, svg.Start, "", q.title)
		for fifth := range 6 {
			v := float64(fifth) / 5
			p.Add(`<path d="M%s %sH%s" stroke="#dddddd"/>`, svg.N(left), svg.N(height(v)), svg.N(width-right))
			p.Text(svg.Point{X: left - 6, Y: height(v) + 4}, svg.End, "", fmt.Sprintf("%.1f", v))
		}
		for i, results := range all {
			for j := range results {
				r := &results[j]
				if !q.alone && !r.shared() {
					continue
				}
				x := left + columnWidth*(float64(j)+(float64(i)+1)/float64(len(all)+1))
				p.Add(`<circle cx="%s" cy="%s" r="%s" fill="%s"><title>%s</title></circle>`, svg.N(x), svg.N(height(q.of(r))), svg.N(radius), colours[i],
					svg.Escape(fmt.Sprintf("%s, %s: %.3f", r.machine, r.load, q.of(r))))
			}
		}
	}
	for j := range all[0] {
		x, y := left+columnWidth*(float64(j)+0.6), bottom+14
		p.Text(svg.Point{X: x, Y: y}, svg.End, fmt.Sprintf(`font-size="%s" transform="rotate(-40 %s %s)"`, svg.N(svg.Small), svg.N(x), svg.N(y)), all[0][j].load)
	}
	return p.Bytes()
}
