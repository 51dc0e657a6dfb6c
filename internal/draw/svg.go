// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"

	"github.com/hcgen/hcgen/internal/svg"
)

// Margins of a picture in pixels.
const (
	margin    = 24.0
	leastWide = 480.0 // so that titles fit

	arrowLength = 11.0
)

// SVG draws the picture. The error is a *TooLarge.
func SVG(p *Picture) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Subject == Router {
		return routerSVG(p.Plan), nil
	}
	g := p.Plan.Machine.Graph
	second := p.Subject == Tree // line in the nodes
	label := 0.0
	for v := range g.Nodes() {
		label = max(label, svg.TextWidth(address(g, v), svg.Body))
	}
	radius := max(13, label/2+4)
	if second {
		radius = max(16, radius)
	}
	l := newLayout(g, radius)
	var s style
	switch p.Subject {
	case Tree:
		s = treeStyle(p)
	case Load:
		s = loadStyle(p)
	default:
		s = networkStyle(p)
	}

	width := max(leastWide, l.width+2*margin, svg.TextWidth(s.title, svg.Heading)+2*margin)
	head := margin + svg.Heading
	entries, foot := flow(s.legend, width-2*margin, head+10)
	pic := svg.New(width, foot+14+l.height+margin, s.title, s.description)
	pic.Text(svg.Point{X: margin, Y: margin + svg.Heading - 4}, svg.Start, fmt.Sprintf(`font-size="%s" fill="%s"`, svg.N(svg.Heading), ink), s.title)
	for i, e := range s.legend {
		at := entries[i]
		pic.Add(`<path d="M%s %sh%s" fill="none" %s/>`, svg.N(margin+at.X), svg.N(at.Y-4), svg.N(sample), e.stroke)
		if e.half != "" {
			pic.Add(`<path d="M%s %sh%s" fill="none" %s/>`, svg.N(margin+at.X+sample/2), svg.N(at.Y-4), svg.N(sample/2), e.half)
		}
		pic.Text(svg.Point{X: margin + at.X + sample + 8, Y: at.Y}, svg.Start, fmt.Sprintf(`fill="%s"`, ink), e.text)
	}
	pic.Add(`<g transform="translate(%s %s)">`, svg.N((width-l.width)/2), svg.N(foot+14))
	for _, front := range []bool{false, true} { // what matters is drawn over the rest
		for _, k := range l.links {
			look := s.link(k)
			if look.front != front {
				continue
			}
			c := k.curve
			if look.backwards {
				c = c.reversed()
			}
			if look.arrow != "" {
				base, tip := c.at(c.before(radius+arrowLength)), c.at(c.before(radius+1))
				across := svg.Point{X: (tip.Y - base.Y) * 0.4, Y: (base.X - tip.X) * 0.4}
				pic.Add(`<path d="M%sL%sL%sz" fill="%s"/>`, svg.XY(tip), svg.XY(svg.Point{X: base.X + across.X, Y: base.Y + across.Y}), svg.XY(svg.Point{X: base.X - across.X, Y: base.Y - across.Y}), look.arrow)
				c = c.cut(c.before(radius + arrowLength - 1))
			}
			if look.half != "" {
				pic.Add(`<path d="%s" fill="none" %s/>`, c.reversed().cut(0.5).path(), look.half)
				c = c.cut(0.5)
			}
			pic.Add(`<path d="%s" fill="none" %s><title>%s</title></path>`, c.path(), look.attributes, svg.Escape(look.tell))
		}
	}
	for v, at := range l.at {
		look := s.node(v)
		pic.Add(`<g data-node="%d"><title>%s</title><circle cx="%s" cy="%s" r="%s" %s/>`, v, svg.Escape(look.tell), svg.N(at.X), svg.N(at.Y), svg.N(radius), look.attributes)
		y := at.Y + 4
		if look.second != "" {
			y = at.Y
			pic.Text(svg.Point{X: at.X, Y: at.Y + 11}, svg.Middle, fmt.Sprintf(`font-size="%s" fill="%s"`, svg.N(svg.Small), look.text), look.second)
		}
		pic.Text(svg.Point{X: at.X, Y: y}, svg.Middle, fmt.Sprintf(`fill="%s"`, look.text), address(g, v))
		pic.Add("</g>")
	}
	pic.Add("</g>")
	return pic.Bytes(), nil
}

// style is what differs between the pictures of a network.
type style struct {
	title, description string
	legend             []entry
	link               func(link) linkLook
	node               func(v int) nodeLook
}

// entry is a line of the legend: a sample and what it means.
type entry struct {
	stroke, text string
	half         string // stroke of the second half of the sample, if it differs
}

type linkLook struct {
	attributes string
	tell       string // where the pointer rests on it
	front      bool   // over links that are not
	half       string // attributes of its second half, if the halves differ
	backwards  bool   // drawn from its end to its start
	arrow      string // colour of the arrow at its end, if it has one
}

type nodeLook struct {
	attributes, text string // of the circle; colour of the text
	tell, second     string
}

// sample is the length of a stroke in a legend.
const sample = 30.0

// flow places the entries of a legend side by side, as many in a row as there is room
// for, and returns their places and where the last row ends.
func flow(legend []entry, width, top float64) (places []svg.Point, foot float64) {
	const gap, row = 22.0, 20.0
	column := 0.0
	for _, e := range legend {
		column = max(column, sample+8+svg.TextWidth(e.text, svg.Body)+gap)
	}
	columns := max(1, int((width+gap)/max(1, column)))
	rows := (len(legend) + columns - 1) / columns
	for i := range legend { // down the columns
		places = append(places, svg.Point{X: column * float64(i/max(1, rows)), Y: top + row*float64(i%max(1, rows)+1)})
	}
	return places, top + row*float64(rows)
}
