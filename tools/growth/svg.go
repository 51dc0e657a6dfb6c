// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math"
)

// Layout of the picture in pixels: a row for each quantity, a column for each sweep.
const (
	panelWidth, panelHeight    = 220, 150
	left, top, gapX, gapY      = 60, 40, 60, 60
	pictureWidth, foot, radius = 880, 20, 3
)

// quantity is what a row of panels shows.
type quantity struct {
	title string
	of    func(*point) float64
}

var quantities = []quantity{
	{"generated text, ms", func(p *point) float64 { return p.text }},
	{"model, ns per router cycle", func(p *point) float64 { return p.model }},
	{"RTL, ns per router cycle", func(p *point) float64 { return p.verilated }},
}

// draw returns the picture: doubly logarithmic, so that a straight line of slope 1 is
// linear growth.
func draw(all []sweep) []byte {
	var b bytes.Buffer
	height := top + len(quantities)*(panelHeight+gapY) - gapY + 40 + foot
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img" aria-label="Time to generate, and time of a router cycle in model and RTL, against nodes, degree and payload">`+"\n",
		pictureWidth, height, pictureWidth, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", pictureWidth, height)
	for row, q := range quantities {
		low, high := math.Inf(1), 0.0 // one scale for the row, so that its panels compare
		for _, s := range all {
			for i := range s.points {
				if v := q.of(&s.points[i]); v > 0 {
					low, high = min(low, v), max(high, v)
				}
			}
		}
		y := axis{math.Floor(math.Log10(low)), math.Ceil(math.Log10(high)), panelHeight}
		for column, s := range all {
			fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", left+column*(panelWidth+gapX), top+row*(panelHeight+gapY))
			panel(&b, q, s, y)
			b.WriteString("</g>\n")
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// axis is a logarithmic scale of some length in pixels, from 10^low to 10^high.
type axis struct{ low, high, length float64 }

func (a axis) at(v float64) float64 {
	return a.length * (math.Log10(v) - a.low) / (a.high - a.low)
}

func panel(b *bytes.Buffer, q quantity, s sweep, y axis) {
	points := s.points
	x := axis{math.Log10(float64(points[0].x)), math.Log10(float64(points[len(points)-1].x)), panelWidth}
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="none" stroke="#888"/>`+"\n", panelWidth, panelHeight)
	fmt.Fprintf(b, `<text x="0" y="-8">%s</text>`+"\n", q.title)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", panelWidth/2, panelHeight+32, s.name)
	for e := y.low; e <= y.high; e++ {
		at := panelHeight - y.at(math.Pow(10, e))
		fmt.Fprintf(b, `<path d="M0 %.1fH%d" stroke="#ddd"/><text x="-6" y="%.1f" text-anchor="end">%g</text>`+"\n", at, panelWidth, at+4, math.Pow(10, e))
	}
	path := ""
	for i := range points {
		px := x.at(float64(points[i].x))
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", px, panelHeight+16, points[i].x)
		v := q.of(&points[i])
		if v == 0 {
			continue
		}
		py := panelHeight - y.at(v)
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%d" fill="#1f5fa8"/>`+"\n", px, py, radius)
		path += fmt.Sprintf("%c%.1f %.1f", "ML"[min(len(path), 1)], px, py)
	}
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="#1f5fa8" stroke-width="1.5"/>`+"\n", path)
}
