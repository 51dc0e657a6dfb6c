// SPDX-License-Identifier: Apache-2.0

// Package chart draws schedules of collective operations.
package chart

import (
	"fmt"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/internal/svg"
	"github.com/hcgen/hcgen/schedule"
)

// Largest chart.
const (
	MaxRows  = 512
	MaxSteps = 512
)

// Layout in pixels.
const (
	cell, wide, left, top, foot, right = 14.0, 26.0, 90.0, 82.0, 20.0, 20.0
)

// Colours of messages that are copied and that are added.
const copied, added = "#0072b2", "#b34700"

// number is what a cell says of an item: a node.
func number(t collective.Transfer) int32 {
	if t.Item.For >= 0 {
		return t.Item.For
	}
	return t.Item.Node
}

// legend says what the numbers are.
var legend = map[string]string{
	collective.AllGather:     "number: node that the item comes from",
	collective.Gather:        "number: node that the item comes from",
	collective.Scatter:       "number: node that the item is for",
	collective.TotalExchange: "number: node that the item is for",
	collective.ReduceScatter: "number: node whose sum it is; + and orange: add",
	collective.AllReduce:     "number: node whose sum it is; + and orange: add, blue: copy",
}

// Links draws the links that carry a message in each step. Each directed link has a row; in a translated
// schedule each port has a row, which stands for the links of that port at every node. The error reports a
// limit that is exceeded.
func Links(s *schedule.Schedule, machine string) ([]byte, error) {
	g := s.Graph
	sources := g.Nodes()
	if s.Translated() {
		sources = 1
	}
	rows := sources * g.Degree()
	if rows > MaxRows || s.Steps > MaxSteps {
		return nil, fmt.Errorf("the chart has %d rows and %d columns, more than the %d and %d that are drawn", rows, s.Steps, MaxRows, MaxSteps)
	}
	transfers := s.Expanded().Transfers
	cells := map[[3]int32]int{} // by sender, receiver and step: messages
	most := 0
	for _, t := range transfers {
		key := [3]int32{t.From, t.To, t.Step}
		cells[key]++
		most = max(most, cells[key])
	}
	title := fmt.Sprintf("%s: %s by %s in %d steps, bound %d", machine, s.Operation, s.Algorithm, s.Steps, s.Bound)
	p := svg.New(left+max(wide*float64(s.Steps), 30*cell)+right, top+cell*float64(rows)+foot, title,
		fmt.Sprintf("A row for each link, a column for each step, a filled cell with the number of its item for a message. %d of %d cells are filled.", len(cells), rows*s.Steps))
	p.Text(svg.Point{X: 20, Y: 26}, svg.Start, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Heading)), title)
	p.Text(svg.Point{X: 20, Y: 46}, svg.Start, "", fmt.Sprintf("%d of %d link steps carry a message, at most %d each", len(cells), rows*s.Steps, most))
	p.Text(svg.Point{X: 20, Y: 64}, svg.Start, "", legend[s.Operation])
	every := 1
	for s.Steps/every > 40 {
		every *= 5
	}
	for step := every; step <= s.Steps; step += every {
		p.Text(svg.Point{X: left + wide*(float64(step)-0.5), Y: top - 4}, svg.Middle, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Small)), fmt.Sprint(step))
	}
	row := map[[2]int32]int{}
	for v := range sources {
		for q := range g.Degree() {
			link := [2]int32{int32(v), int32(g.Neighbor(v, q))}
			y := top + cell*float64(len(row))
			p.Text(svg.Point{X: left - 8, Y: y + cell - 4}, svg.End, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Small)), fmt.Sprintf("%d to %d", link[0], link[1]))
			p.Add(`<rect x="%s" y="%s" width="%s" height="%s" fill="none" stroke="#dddddd"/>`, svg.N(left), svg.N(y), svg.N(wide*float64(s.Steps)), svg.N(cell))
			row[link] = len(row)
		}
	}
	for _, t := range transfers {
		y := top + cell*float64(row[[2]int32{t.From, t.To}])
		x := left + wide*float64(t.Step-1)
		colour, sign, does := copied, "", ""
		if t.Add {
			colour, sign, does = added, "+", ", add"
		} else if s.Operation == collective.AllReduce {
			does = ", copy"
		}
		p.Add(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s" data-step="%d"><title>%s</title></rect>`,
			svg.N(x+1), svg.N(y+1), svg.N(wide-2), svg.N(cell-2), colour, t.Step, svg.Escape(fmt.Sprintf("step %d, %d to %d: %v%s", t.Step, t.From, t.To, t.Item, does)))
		p.Text(svg.Point{X: x + wide/2, Y: y + cell - 4}, svg.Middle, fmt.Sprintf(`font-size="%s" fill="#ffffff" pointer-events="none"`, svg.N(svg.Small-1)), sign+fmt.Sprint(number(t)))
	}
	return p.Bytes(), nil
}
