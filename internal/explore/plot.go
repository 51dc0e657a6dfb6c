// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/internal/svg"
)

// Layout of a plot in pixels.
const (
	plotWidth, plotHeight                  = 760.0, 420.0
	plotLeft, plotTop, plotRight, plotFoot = 60.0, 70.0, 30.0, 60.0
	smallWidth, smallHeight, between       = 400.0, 230.0, 90.0 // of each of several panels
	dot, bestDot                           = 3.0, 5.0
)

// WritePlot draws a table: if machines are measured, the times of operations against the LUT4 of a router or node, else the
// diameter against the estimated LUT4. The best machines are filled; every machine has a tooltip.
func WritePlot(out io.Writer, t Table) error {
	draw := estimatePlot
	if t.Query.Measured {
		draw = measuredPlot
	}
	_, err := out.Write(draw(t).Bytes())
	return err
}

// estimatePlot draws the diameter of every machine against the cost of its router.
func estimatePlot(t Table) *svg.Picture {
	best := 0
	var lut4, steps []float64
	for i := range t.Machines {
		m := &t.Machines[i]
		lut4, steps = append(lut4, float64(m.LUT4)), append(steps, float64(m.Diameter))
		if m.Best {
			best++
		}
	}
	title := fmt.Sprintf("%d hypercycles, diameter against cost of a router", len(t.Machines))
	p := svg.New(plotLeft+plotWidth+plotRight, plotTop+plotHeight+plotFoot, title,
		fmt.Sprintf("A dot for each machine: to the right the estimated LUT4 of its router, upwards its diameter. %d are filled: no other one beats them.", best))
	legend(p, title, t.Query)
	panel := panel{
		left: plotLeft, top: plotTop, width: plotWidth, height: plotHeight,
		x: newAxis(lut4, plotWidth), y: newLogAxis(steps, plotHeight), xName: "LUT4 of a router, estimated", yName: "diameter, steps",
	}
	for i := range t.Machines {
		m := &t.Machines[i]
		panel.dots = append(panel.dots, mark{
			x: lut4[i], y: steps[i], name: m.String(), best: m.Best,
			tip: fmt.Sprintf("%s: %d nodes, degree %d, diameter %d, about %d LUT4", m, m.Nodes, m.Degree, m.Diameter, m.LUT4),
		})
	}
	panel.draw(p)
	return p
}

// timePlot is a panel of the plot of measured machines.
type timePlot struct {
	title, design string
	of            func(*Machine) Measured
	time          func(*Machine) span
}

// measuredPlot has a panel for each operation: its time against the LUT4 of the router or node that carries it out. A line joins
// the front of a panel: no other machine has both fewer LUT4 and less time.
func measuredPlot(t Table) *svg.Picture {
	router := func(m *Machine) Measured { return m.Router }
	plots := []timePlot{
		{"broadcast", "router", router, (*Machine).broadcast},
		{"all-gather by messages", "router", router, (*Machine).allGather},
	}
	if t.Query.Destination {
		plots = append(plots, timePlot{"total-exchange by messages", "router", router, (*Machine).totalExchange})
	}
	if t.Query.Collective != "" {
		plots = append(plots, timePlot{t.Query.Collective + " on a collective network", "node", func(m *Machine) Measured { return m.Node }, (*Machine).collective})
	}
	fitting := slices.DeleteFunc(slices.Clone(t.Machines), func(m Machine) bool { return m.Router.Clock == Clock{} })
	title := fmt.Sprintf("%d measured hypercycles, time of operations against LUT4", len(fitting))
	rows := float64((len(plots) + 1) / 2)
	const width, top = plotLeft + smallWidth + plotRight, plotTop + 20
	p := svg.New(2*width, top+rows*smallHeight+(rows-1)*between+plotFoot, title,
		"A panel for each operation, a dot for each machine: to the right the LUT4, upwards the time at the median clock. Filled dots: no other machine beats them. A line joins the machines with the least LUT4 for their time.")
	legend(p, title, t.Query)
	for i, plot := range plots {
		var lut4, times []float64
		var dots []mark
		for j := range fitting {
			m := &fitting[j]
			design, time := plot.of(m), plot.time(m)
			if design.LUT4 == 0 || time == (span{}) {
				continue
			}
			lut4, times = append(lut4, float64(design.LUT4)), append(times, time.median)
			dots = append(dots, mark{
				x: float64(design.LUT4), y: time.median, name: m.String(), best: m.Best,
				tip: fmt.Sprintf("%s: %d nodes, %d LUT4, %.0f MHz, %.0f ns", m, m.Nodes, design.LUT4, design.Clock.Median, time.median),
			})
		}
		for j := range dots {
			dots[j].front = !slices.ContainsFunc(dots, func(d mark) bool {
				return d.x <= dots[j].x && d.y <= dots[j].y && (d.x < dots[j].x || d.y < dots[j].y)
			})
		}
		panel{
			left: plotLeft + float64(i%2)*width, top: top + float64(i/2)*(smallHeight+between), width: smallWidth, height: smallHeight,
			x: newAxis(lut4, smallWidth), y: newLogAxis(times, smallHeight), title: plot.title, xName: "LUT4 of a " + plot.design, yName: "ns", dots: dots,
		}.draw(p)
	}
	return p
}

// legend writes the title, and what the two kinds of dots are.
func legend(p *svg.Picture, title string, q Query) {
	p.Text(svg.Point{X: plotLeft, Y: 26}, svg.Start, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Heading)), title)
	p.Add(`<circle cx="%s" cy="44" r="%s" fill="none" stroke="#767676"/>`, svg.N(plotLeft+bestDot), svg.N(dot))
	p.Text(svg.Point{X: plotLeft + 16, Y: 48}, svg.Start, "", "another machine beats it")
	p.Add(`<circle cx="%s" cy="44" r="%s" fill="#0072b2"/>`, svg.N(plotLeft+210), svg.N(bestDot))
	p.Text(svg.Point{X: plotLeft + 222, Y: 48}, svg.Start, "", "none beats it in "+strings.Join(q.StarColumns(), ", "))
}

// panel is a rectangle with dots between two axes.
type panel struct {
	left, top, width, height float64
	x, y                     axis
	title, xName, yName      string
	dots                     []mark
}

// mark is a machine in a panel.
type mark struct {
	x, y      float64
	name, tip string
	best      bool // filled
	front     bool // on the line
}

// place is that of a mark in the picture.
func (f panel) place(m mark) svg.Point {
	return svg.Point{X: f.left + f.x.at(m.x), Y: f.top + f.height - f.y.at(m.y)}
}

func (f panel) draw(p *svg.Picture) {
	foot := f.top + f.height
	for _, v := range f.x.marks {
		at := f.left + f.x.at(v)
		p.Add(`<path d="M%s %sV%s" stroke="#dddddd"/>`, svg.N(at), svg.N(f.top), svg.N(foot))
		p.Text(svg.Point{X: at, Y: foot + 18}, svg.Middle, "", svg.N(v))
	}
	for _, v := range f.y.marks {
		at := foot - f.y.at(v)
		p.Add(`<path d="M%s %sH%s" stroke="#dddddd"/>`, svg.N(f.left), svg.N(at), svg.N(f.left+f.width))
		p.Text(svg.Point{X: f.left - 8, Y: at + 4}, svg.End, "", svg.N(v))
	}
	if f.title != "" {
		p.Text(svg.Point{X: f.left + f.width/2, Y: f.top - 8}, svg.Middle, `font-weight="bold"`, f.title)
	}
	p.Text(svg.Point{X: f.left + f.width/2, Y: foot + 42}, svg.Middle, "", f.xName)
	side := f.left - 42
	p.Text(svg.Point{X: side, Y: f.top + f.height/2}, svg.Middle, fmt.Sprintf(`transform="rotate(-90 %s %s)"`, svg.N(side), svg.N(f.top+f.height/2)), f.yName)

	f.join(p)
	circle := func(m mark, look string) {
		at := f.place(m)
		p.Add(`<circle cx="%s" cy="%s" %s><title>%s</title></circle>`, svg.N(at.X), svg.N(at.Y), look, svg.Escape(m.tip))
	}
	var taken obstacles
	var names []group
	for _, m := range f.dots {
		at := f.place(m)
		taken.boxes = append(taken.boxes, box{at.X - bestDot, at.Y - bestDot, at.X + bestDot, at.Y + bestDot})
		if !m.best {
			circle(m, fmt.Sprintf(`r="%s" fill="none" stroke="#767676"`, svg.N(dot)))
		}
	}
	for _, m := range f.dots {
		if m.best {
			circle(m, fmt.Sprintf(`r="%s" fill="#0072b2"`, svg.N(bestDot)))
		}
	}
	for _, first := range []func(mark) bool{
		func(m mark) bool { return m.best },
		func(m mark) bool { return !m.best && m.front },
		func(m mark) bool { return !m.best && !m.front },
	} {
		for _, m := range f.dots {
			if first(m) {
				names = grouped(names, f.place(m), m)
			}
		}
	}
	for _, g := range names {
		g.name(p, f, &taken)
	}
}

// join draws a line through the front.
func (f panel) join(p *svg.Picture) {
	var path []string
	front := slices.DeleteFunc(slices.Clone(f.dots), func(m mark) bool { return !m.front })
	slices.SortFunc(front, func(a, b mark) int { return cmp.Compare(a.x, b.x) })
	for _, m := range front {
		path = append(path, svg.XY(f.place(m)))
	}
	if len(path) > 1 {
		p.Add(`<path d="M%s" fill="none" stroke="#56b4e9"/>`, strings.Join(path, "L"))
	}
}

// group is the machines whose dots are at the same place.
type group struct {
	at    svg.Point
	names []string
	far   bool // the names may stand far from the dot
}

// grouped adds a machine to the group at its place.
func grouped(all []group, at svg.Point, m mark) []group {
	for i := range all {
		if all[i].at == at {
			all[i].names = append(all[i].names, m.name)
			return all
		}
	}
	return append(all, group{at, []string{m.name}, m.best || m.front})
}

// text names the first machines of the group, and how many more there are.
func (g group) text(most int) string {
	if len(g.names) <= most {
		return strings.Join(g.names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(g.names[:most], ", "), len(g.names)-most)
}

// around are the directions from a dot to a name, the best first.
var around = []svg.Point{
	{X: 1}, {Y: -1}, {Y: 1}, {X: -1}, {X: 0.7, Y: -0.7}, {X: 0.7, Y: 0.7}, {X: -0.7, Y: -0.7}, {X: -0.7, Y: 0.7},
	{X: 0.9, Y: -0.4}, {X: 0.9, Y: 0.4}, {X: -0.9, Y: -0.4}, {X: -0.9, Y: 0.4}, {X: 0.4, Y: -0.9}, {X: 0.4, Y: 0.9}, {X: -0.4, Y: -0.9}, {X: -0.4, Y: 0.9},
}

// name writes the names of a group at the nearest place in the panel that is not taken, with a line to the dot unless it is
// beside it. If two names have no place, it tries one, and then none.
func (g group) name(p *svg.Picture, f panel, taken *obstacles) {
	distances := []float64{bestDot + 3, 20, 34, 50, 68, 90, 116, 145, 180}
	if !g.far {
		distances = distances[:4]
	}
	for _, most := range []int{2, 1} {
		text := g.text(most)
		width, height := nameWidth(text), svg.Small
		for _, off := range distances {
			for _, to := range around {
				middle := svg.Point{X: g.at.X + off*to.X + width/2*sign(to.X), Y: g.at.Y + off*to.Y + height/2*sign(to.Y)}
				b := box{middle.X - width/2, middle.Y - height/2, middle.X + width/2, middle.Y + height/2}
				pointer := line{g.at, svg.Point{X: min(max(g.at.X, b.left), b.right), Y: min(max(g.at.Y, b.top), b.foot)}}
				if b.left < f.left || b.right > f.left+f.width+plotRight || b.top < f.top-height || b.foot > f.top+f.height || taken.meet(b, pointer) {
					continue
				}
				if off > bestDot+3 {
					p.Add(`<path d="M%sL%s" stroke="#767676" stroke-width="0.7"/>`, svg.XY(pointer.from), svg.XY(pointer.to))
				}
				x, anchor := middle.X, svg.Middle
				switch sign(to.X) { // a font may be narrower than the box
				case 1:
					x, anchor = b.left, svg.Start
				case -1:
					x, anchor = b.right, svg.End
				}
				p.Text(svg.Point{X: x, Y: b.foot - 2}, anchor, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Small)), text)
				taken.boxes, taken.lines = append(taken.boxes, b), append(taken.lines, pointer)
				return
			}
		}
	}
}

// nameWidth estimates the width of a name, closer than svg.TextWidth: a third of its characters are narrow.
func nameWidth(text string) float64 {
	narrow := strings.Count(text, "(") + strings.Count(text, ")") + strings.Count(text, ",") + strings.Count(text, " ")
	return svg.TextWidth(text, svg.Small) - 0.24*svg.Small*float64(narrow)
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

// obstacles are what names must not cover: the dots, and other names with the lines to their dots.
type obstacles struct {
	boxes []box
	lines []line
}

// meet reports whether a name, or the line from its dot, covers an obstacle. The line leaves from boxes of dots.
func (o *obstacles) meet(name box, pointer line) bool {
	return slices.ContainsFunc(o.boxes, func(b box) bool { return b.meets(name) || !b.has(pointer.from) && b.crossed(pointer) }) ||
		slices.ContainsFunc(o.lines, name.crossed)
}

// line is a straight line in a picture.
type line struct{ from, to svg.Point }

// box is a rectangle of a picture.
type box struct{ left, top, right, foot float64 }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.foot && o.top < b.foot
}

func (b box) has(at svg.Point) bool {
	return b.left <= at.X && at.X <= b.right && b.top <= at.Y && at.Y <= b.foot
}

// crossed reports whether a part of the line is inside the box.
func (b box) crossed(l line) bool {
	first, last := 0.0, 1.0 // the part of the line that is inside, as shares of its length
	for _, side := range [][4]float64{{l.from.X, l.to.X, b.left, b.right}, {l.from.Y, l.to.Y, b.top, b.foot}} {
		from, to, low, high := side[0], side[1], side[2], side[3]
		if from == to {
			if from <= low || from >= high {
				return false
			}
			continue
		}
		enter, leave := (low-from)/(to-from), (high-from)/(to-from)
		first, last = max(first, min(enter, leave)), min(last, max(enter, leave))
	}
	return first < last
}

// axis is a scale with marks at round numbers.
type axis struct {
	at    func(value float64) float64 // place of a value, in pixels from the low end
	marks []float64
}

// newAxis is a scale that holds values, with about 5 to 10 marks at round numbers that
// are no less than 1 apart. Of no values it is a scale from 0 to 1.
func newAxis(values []float64, length float64) axis {
	if len(values) == 0 {
		values = []float64{0, 1}
	}
	low, high := slices.Min(values), slices.Max(values)
	step := math.Pow(10, max(0, math.Floor(math.Log10(max(1, high-low)/5))))
	for _, factor := range []float64{2, 2.5, 2} { // to 2, 5 and 10
		if (high-low)/step <= 8 {
			break
		}
		step *= factor
	}
	low, high = step*max(0, math.Ceil(low/step)-1), step*(math.Floor(high/step)+1)
	a := axis{at: func(value float64) float64 { return length * (value - low) / (high - low) }}
	for v := low; v <= high; v += step {
		a.marks = append(a.marks, v)
	}
	return a
}

// newLogAxis is a logarithmic scale that holds values above 0 between its ends, with marks at 1, 1.5, 2, 3, 5 and 7 times powers
// of 10. Of no values it is a scale from 1.5 to 10.
func newLogAxis(values []float64, length float64) axis {
	if len(values) == 0 {
		values = []float64{2, 9}
	}
	var marks []float64
	low, high := slices.Min(values), slices.Max(values)
	for power := math.Pow(10, math.Floor(math.Log10(low))-1); len(marks) == 0 || marks[len(marks)-1] <= high; power *= 10 {
		for _, factor := range []float64{1, 1.5, 2, 3, 5, 7} {
			switch v := factor * power; {
			case v < low: // the last of these is the low end
				marks = []float64{v}
			case marks[len(marks)-1] <= high:
				marks = append(marks, v)
			}
		}
	}
	low, high = marks[0], marks[len(marks)-1]
	return axis{at: func(value float64) float64 { return length * math.Log(value/low) / math.Log(high/low) }, marks: marks}
}
