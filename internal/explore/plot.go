// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/hcgen/hcgen/internal/svg"
)

// Layout of the plot in pixels.
const (
	plotWidth, plotHeight                  = 760.0, 420.0
	plotLeft, plotTop, plotRight, plotFoot = 60.0, 70.0, 30.0, 60.0
	dot, bestDot                           = 3.0, 5.0
)

// WritePlot draws a list: the diameter of every machine against the cost of its
// router. The best are filled and named, as far as there is room for their names near them; every
// machine has a tooltip.
func WritePlot(out io.Writer, list []Machine) error {
	best := 0
	lut4, steps := Range{math.MaxInt, 1}, Range{math.MaxInt, 1}
	for i := range list {
		m := &list[i]
		lut4 = Range{min(lut4.Low, m.LUT4), max(lut4.High, m.LUT4)}
		steps = Range{min(steps.Low, m.Diameter), max(steps.High, m.Diameter)}
		if m.Best {
			best++
		}
	}
	title := fmt.Sprintf("%d hypercycles, diameter against cost of a router", len(list))
	p := svg.New(plotLeft+plotWidth+plotRight, plotTop+plotHeight+plotFoot, title,
		fmt.Sprintf("A dot for each machine: to the right the estimated LUT4 of its router, upwards its diameter. %d are filled: no other one beats them.", best))
	p.Text(svg.Point{X: plotLeft, Y: 26}, svg.Start, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Heading)), title)
	p.Add(`<circle cx="%s" cy="44" r="%s" fill="#0072b2"/>`, svg.N(plotLeft+bestDot), svg.N(bestDot))
	p.Text(svg.Point{X: plotLeft + 16, Y: 48}, svg.Start, "", "no other one beats it")
	p.Add(`<circle cx="%s" cy="44" r="%s" fill="none" stroke="#767676"/>`, svg.N(plotLeft+190), svg.N(dot))
	p.Text(svg.Point{X: plotLeft + 200, Y: 48}, svg.Start, "", "another one is as good in all figures and better in one")

	x, y := newAxis(lut4, plotWidth), newAxis(steps, plotHeight)
	for v := x.low; v <= x.top; v += x.step {
		at := plotLeft + x.at(v)
		p.Add(`<path d="M%s %sV%s" stroke="#dddddd"/>`, svg.N(at), svg.N(plotTop), svg.N(plotTop+plotHeight))
		p.Text(svg.Point{X: at, Y: plotTop + plotHeight + 18}, svg.Middle, "", svg.N(v))
	}
	for v := y.low; v <= y.top; v += y.step {
		at := plotTop + plotHeight - y.at(v)
		p.Add(`<path d="M%s %sH%s" stroke="#dddddd"/>`, svg.N(plotLeft), svg.N(at), svg.N(plotLeft+plotWidth))
		p.Text(svg.Point{X: plotLeft - 8, Y: at + 4}, svg.End, "", svg.N(v))
	}
	p.Text(svg.Point{X: plotLeft + plotWidth/2, Y: plotTop + plotHeight + 42}, svg.Middle, "", "LUT4 of a router, estimated")
	p.Text(svg.Point{X: 18, Y: plotTop + plotHeight/2}, svg.Middle, fmt.Sprintf(`transform="rotate(-90 18 %s)"`, svg.N(plotTop+plotHeight/2)), "diameter, steps")

	place := func(m *Machine) svg.Point {
		return svg.Point{X: plotLeft + x.at(float64(m.LUT4)), Y: plotTop + plotHeight - y.at(float64(m.Diameter))}
	}
	tell := func(m *Machine, look string) {
		at := place(m)
		p.Add(`<circle cx="%s" cy="%s" %s><title>%s: %d nodes, degree %d, diameter %d, about %d LUT4</title></circle>`,
			svg.N(at.X), svg.N(at.Y), look, m, m.Nodes, m.Degree, m.Diameter, m.LUT4)
	}
	var taken []box
	var named []group
	for i := range list {
		m, at := &list[i], place(&list[i])
		if !m.Best {
			tell(m, fmt.Sprintf(`r="%s" fill="none" stroke="#767676"`, svg.N(dot)))
		}
		taken = append(taken, box{at.X - bestDot, at.Y - bestDot, at.X + bestDot, at.Y + bestDot})
	}
	for i := range list {
		if m := &list[i]; m.Best {
			tell(m, fmt.Sprintf(`r="%s" fill="#0072b2"`, svg.N(bestDot)))
			named = grouped(named, place(m), m.String())
		}
	}
	for _, g := range named {
		taken = g.name(p, taken)
	}
	_, err := out.Write(p.Bytes())
	return err
}

// group is the machines whose dots are at the same place.
type group struct {
	at    svg.Point
	names []string
}

// grouped adds a machine to the group at its place.
func grouped(all []group, at svg.Point, name string) []group {
	for i := range all {
		if all[i].at == at {
			all[i].names = append(all[i].names, name)
			return all
		}
	}
	return append(all, group{at, []string{name}})
}

// text names the first machines of the group, and how many more there are.
func (g group) text() string {
	const most = 2
	if len(g.names) <= most {
		return strings.Join(g.names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(g.names[:most], ", "), len(g.names)-most)
}

// name writes the names of a group at the nearest place that is not taken, with a line to the dot unless it is beside
// it, or not at all, and returns what is taken then.
func (g group) name(p *svg.Picture, taken []box) []box {
	text := g.text()
	width, height := svg.TextWidth(text, svg.Small), svg.Small
	for _, off := range []float64{bestDot + 3, 20, 34, 50, 68, 90, 116} {
		for _, to := range []svg.Point{{X: 1}, {Y: -1}, {Y: 1}, {X: -1}, {X: 0.7, Y: -0.7}, {X: 0.7, Y: 0.7}, {X: -0.7, Y: -0.7}, {X: -0.7, Y: 0.7}} {
			middle := svg.Point{X: g.at.X + off*to.X + width/2*sign(to.X), Y: g.at.Y + off*to.Y + height/2*sign(to.Y)}
			b := box{middle.X - width/2, middle.Y - height/2, middle.X + width/2, middle.Y + height/2}
			if b.left < plotLeft || b.right > plotLeft+plotWidth+plotRight || b.top < plotTop-height || b.foot > plotTop+plotHeight || b.meets(taken) {
				continue
			}
			if off > bestDot+3 {
				end := svg.Point{X: min(max(g.at.X, b.left), b.right), Y: min(max(g.at.Y, b.top), b.foot)}
				p.Add(`<path d="M%sL%s" stroke="#767676" stroke-width="0.7"/>`, svg.XY(g.at), svg.XY(end))
			}
			p.Text(svg.Point{X: b.left, Y: b.foot - 2}, svg.Start, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Small)), text)
			return append(taken, b)
		}
	}
	return taken
}

// sign is -1, 0 or 1.
func sign(v float64) float64 {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}

// box is a rectangle of a picture.
type box struct{ left, top, right, foot float64 }

func (b box) meets(others []box) bool {
	for _, o := range others {
		if b.left < o.right && o.left < b.right && b.top < o.foot && o.top < b.foot {
			return true
		}
	}
	return false
}

// axis is a scale from low to top, with marks every step.
type axis struct{ low, top, step, length float64 }

// newAxis is a scale that holds a range, with about 5 to 10 marks at round numbers that
// are no less than 1 apart. Of no numbers it is a scale from 0 to 1.
func newAxis(of Range, length float64) axis {
	if of.Low > of.High {
		of = Range{0, 1}
	}
	low, high := float64(of.Low), float64(of.High)
	step := math.Pow(10, max(0, math.Floor(math.Log10(max(1, high-low)/5))))
	for _, factor := range []float64{2, 2.5, 2} { // to 2, 5 and 10
		if (high-low)/step <= 8 {
			break
		}
		step *= factor
	}
	return axis{step * max(0, math.Ceil(low/step)-1), step * (math.Floor(high/step) + 1), step, length}
}

func (a axis) at(v float64) float64 { return a.length * (v - a.low) / (a.top - a.low) }
