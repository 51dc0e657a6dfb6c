// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"

	"github.com/hcgen/hcgen/internal/svg"
)

// Machines of the picture, and its layout in pixels: a row for each operation that both can carry out, with two dots.
var drawn = []string{"4x4", "4-cube", "8x8", "5x5x5"}

const (
	left, top, rowHeight, between = 190., 60., 18., 12.
	axisWidth, right, foot        = 480., 50., 50.
	lowest, highest               = 4., 256. // of the axis, in cycles
	radius                        = 4.

	routerColour, networkColour = "#d55e00", "#0072b2"
)

// at is the place of a number of cycles on the logarithmic axis.
func at(cycles float64) float64 {
	return left + axisWidth*math.Log(cycles/lowest)/math.Log(highest/lowest)
}

// draw returns the picture.
func draw(all []result) []byte {
	var rows []result
	for _, name := range drawn {
		for _, r := range all {
			if r.machine == name && r.routers > 0 && r.network > 0 {
				rows = append(rows, r)
			}
		}
	}
	bottom := top + float64(len(rows))*rowHeight + float64(len(drawn)-1)*between
	p := svg.New(left+axisWidth+right, bottom+foot, "Cycles of collective operations by messages and by collective networks",
		"Two dots for each operation on each machine: cycles of messages between routers, and of a collective network; the figures are in the tables")
	for cycles := lowest; cycles <= highest; cycles *= 2 {
		p.Add(`<path d="M%s %sV%s" stroke="#dddddd"/>`, svg.N(at(cycles)), svg.N(top), svg.N(bottom))
		p.Text(svg.Point{X: at(cycles), Y: bottom + 16}, svg.Middle, "", fmt.Sprint(cycles))
	}
	p.Text(svg.Point{X: left + axisWidth/2, Y: bottom + 36}, svg.Middle, "", "cycles from the first injection or the start to the last delivery")
	legend(p, at(4), networkColour, "collective network")
	legend(p, at(32), routerColour, "messages between routers")
	y, machine := top-between+rowHeight/2, ""
	for _, r := range rows {
		if r.machine != machine {
			machine = r.machine
			y += between
			p.Text(svg.Point{X: 12, Y: y + 4}, svg.Start, `font-weight="bold"`, machine)
		}
		p.Text(svg.Point{X: left - 10, Y: y + 4}, svg.End, "", r.operation)
		p.Add(`<path d="M%s %sH%s" stroke="#888888"/>`, svg.N(at(float64(r.network))), svg.N(y), svg.N(at(float64(r.routers))))
		dot(p, r.routers, y, routerColour, "messages")
		dot(p, r.network, y, networkColour, "collective network")
		p.Text(svg.Point{X: at(float64(max(r.routers, r.network))) + 8, Y: y + 4}, svg.Start, "", ratio(r))
		y += rowHeight
	}
	return p.Bytes()
}

func legend(p *svg.Picture, x float64, colour, text string) {
	p.Add(`<circle cx="%s" cy="24" r="%s" fill="%s"/>`, svg.N(x), svg.N(radius), colour)
	p.Text(svg.Point{X: x + 10, Y: 28}, svg.Start, "", text)
}

func dot(p *svg.Picture, cycles int, y float64, colour, what string) {
	p.Add(`<circle cx="%s" cy="%s" r="%s" fill="%s"><title>%s: %d cycles</title></circle>`, svg.N(at(float64(cycles))), svg.N(y), svg.N(radius), colour, what, cycles)
}

// ratio is how many times as long messages take; it is empty if both take the same time.
func ratio(r result) string {
	if r.routers == r.network {
		return ""
	}
	return fmt.Sprintf("%.1fx", float64(r.routers)/float64(r.network))
}
