// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
)

// Layout of the picture in pixels: a panel for each quantity, a column for each load,
// in it a dot for each machine.
const (
	panelHeight            = 200
	left, top, gap, foot   = 60, 60, 50, 90
	columnWidth, radius    = 64, 3
	legendEntry, entryText = 100, 10
)

// Colours of the machines that can also be told apart by those who see less of them.
var colours = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#685c00", "#000000"}

// quantity is what a panel shows, 0 to 1.
type quantity struct {
	title string
	goal  float64
	of    func(l load, f figures, nodes int) (float64, bool) // false: says nothing
}

var quantities = []quantity{
	{"delivered, of what can be", 0.95, func(l load, f figures, nodes int) (float64, bool) {
		bound := l.rate
		if l.sources != every {
			bound *= float64(nodes-1) / float64(nodes)
		}
		return f.deliveries / bound, true
	}},
	{"fewest to most injections", 0.9, func(l load, f figures, _ int) (float64, bool) {
		return f.fairness, sharing(l.key)
	}},
}

// draw returns the picture.
func (r results) draw() ([]byte, error) {
	var shown []load
	for _, l := range loads {
		if l.label != "" {
			shown = append(shown, l)
		}
	}
	width := left + len(shown)*columnWidth + 20
	height := top + len(quantities)*(panelHeight+gap) - gap + foot
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img" aria-label="Deliveries and fairness of eight machines under overload">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	for i, machine := range r.machines {
		x := left + i*legendEntry
		fmt.Fprintf(&b, `<circle cx="%d" cy="20" r="%d" fill="%s"/><text x="%d" y="24">%s</text>`+"\n", x, radius, colours[i], x+entryText, machine)
	}
	for row, q := range quantities {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", left, top+row*(panelHeight+gap))
		if err := r.panel(&b, q, shown); err != nil {
			return nil, err
		}
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

func (r results) panel(b *bytes.Buffer, q quantity, shown []load) error {
	width := len(shown) * columnWidth
	height := func(v float64) float64 { return panelHeight * (1 - min(v, 1.1)/1.1) }
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="none" stroke="#888"/>`+"\n", width, panelHeight)
	fmt.Fprintf(b, `<text x="0" y="-8">%s</text>`+"\n", q.title)
	for tenth := 0; tenth <= 10; tenth += 2 {
		v := float64(tenth) / 10
		fmt.Fprintf(b, `<path d="M0 %.1fH%d" stroke="#ddd"/><text x="-6" y="%.1f" text-anchor="end">%.1f</text>`+"\n", height(v), width, height(v)+4, v)
	}
	fmt.Fprintf(b, `<path d="M0 %.1fH%d" stroke="#888" stroke-dasharray="4 3"/>`+"\n", height(q.goal), width)
	for column, l := range shown {
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" font-size="10">%s</text>`+"\n", column*columnWidth+columnWidth/2, panelHeight+16, l.label)
		for i, machine := range r.machines {
			f, ok := r.runs[l.key][machine]
			if !ok {
				return fmt.Errorf("the benchmark has no %s/%s", machine, l.key)
			}
			v, ok := q.of(l, f, r.nodes[i])
			if !ok {
				continue
			}
			x := float64(column*columnWidth) + columnWidth*(float64(i)+1)/float64(len(r.machines)+1)
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%d" fill="%s"><title>%s, %s: %.3f</title></circle>`+"\n", x, height(v), radius, colours[i], machine, l.text, v)
		}
	}
	return nil
}
