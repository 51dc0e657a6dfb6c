// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"

	"github.com/hcgen/hcgen/internal/svg"
)

// axis is a scale of a chart: the values low and high are at the pixels from and to.
type axis struct {
	low, high, from, to float64
	log                 bool
}

func (a axis) at(v float64) float64 {
	if a.log {
		return a.from + (a.to-a.from)*math.Log(v/a.low)/math.Log(a.high/a.low)
	}
	return a.from + (a.to-a.from)*(v-a.low)/(a.high-a.low)
}

const gridColour = "#dddddd"

// across draws lines from left to right at some values of a vertical axis, with the values on the left.
func (a axis) across(p *svg.Picture, left, right float64, format string, values ...float64) {
	for _, v := range values {
		p.Add(`<path d="M%s %sH%s" stroke="%s"/>`, svg.N(left), svg.N(a.at(v)), svg.N(right), gridColour)
		p.Text(svg.Point{X: left - 6, Y: a.at(v) + 4}, svg.End, "", fmt.Sprintf(format, v))
	}
}

// below writes values of a horizontal axis below a chart, and draws lines to them from its top.
func (a axis) below(p *svg.Picture, top, bottom float64, values ...float64) {
	for _, v := range values {
		p.Add(`<path d="M%s %sV%s" stroke="%s"/>`, svg.N(a.at(v)), svg.N(top), svg.N(bottom), gridColour)
		p.Text(svg.Point{X: a.at(v), Y: bottom + 16}, svg.Middle, "", fmt.Sprint(v))
	}
}

// dot draws a figure, with a text that viewers show on demand.
func dot(p *svg.Picture, at svg.Point, radius float64, colour, text string) {
	p.Add(`<circle cx="%s" cy="%s" r="%s" fill="%s"><title>%s</title></circle>`, svg.N(at.X), svg.N(at.Y), svg.N(radius), colour, svg.Escape(text))
}

// key explains a colour.
func key(p *svg.Picture, at svg.Point, radius float64, colour, text string) {
	p.Add(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, svg.N(at.X), svg.N(at.Y-4), svg.N(radius), colour)
	p.Text(svg.Point{X: at.X + radius + 5, Y: at.Y}, svg.Start, "", text)
}
