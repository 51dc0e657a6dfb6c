// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"fmt"
	"io"
	"math"

	"github.com/hcgen/hcgen/internal/svg"
)

// Layout of the plot in pixels.
const (
	plotWidth, plotHeight                  = 760.0, 420.0
	plotLeft, plotTop, plotRight, plotFoot = 60.0, 70.0, 30.0, 60.0
	dot, bestDot                           = 3.0, 5.0
)

// WritePlot draws a list: the diameter of every machine against the cost of its
// router. The best are filled and named, as far as there is room for their names; every machine has
// a tooltip.
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
	for i := range list {
		if m := &list[i]; !m.Best {
			tell(m, fmt.Sprintf(`r="%s" fill="none" stroke="#767676"`, svg.N(dot)))
		}
		at := place(&list[i])
		taken = append(taken, box{at.X - bestDot, at.Y - bestDot, at.X + bestDot, at.Y + bestDot})
	}
	for i := range list {
		if m := &list[i]; m.Best {
			tell(m, fmt.Sprintf(`r="%s" fill="#0072b2"`, svg.N(bestDot)))
		}
	}
	for i := range list {
		if m := &list[i]; m.Best {
			taken = name(p, place(m), m.String(), taken)
		}
	}
	_, err := out.Write(p.Bytes())
	return err
}

// name writes a name beside a dot where nothing is taken, or not at all, and returns
// what is taken then.
func name(p *svg.Picture, at svg.Point, text string, taken []box) []box {
	width := svg.TextWidth(text, svg.Small)
	const off, height = bestDot + 3, svg.Small
	for _, corner := range []svg.Point{
		{X: at.X + off, Y: at.Y - height/2}, {X: at.X - width/2, Y: at.Y - off - height}, {X: at.X - width/2, Y: at.Y + off}, {X: at.X - off - width, Y: at.Y - height/2},
	} {
		b := box{corner.X, corner.Y, corner.X + width, corner.Y + height}
		if b.left < plotLeft || b.right > plotLeft+plotWidth+plotRight || b.top < plotTop-height || b.foot > plotTop+plotHeight || b.meets(taken) {
			continue
		}
		p.Text(svg.Point{X: b.left, Y: b.foot - 2}, svg.Start, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Small)), text)
		return append(taken, b)
	}
	return taken
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
