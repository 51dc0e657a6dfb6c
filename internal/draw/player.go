// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"math"
	"slices"

	"github.com/hcgen/hcgen/internal/svg"
	"github.com/hcgen/hcgen/plan"
)

// Shown is the operation that a picture of Player shows, behind its last step.
type Shown struct {
	Title  string
	Source int
	Step   []int32 // by node: in which it receives; 0 of the source
	Moves  []Move  // in the order of steps
}

// Move is a message on a link.
type Move struct{ Step, From, To int32 }

// PlayerFits returns a *TooLarge if the machine is too large for the picture of Player.
func PlayerFits(p *plan.Plan) error { return (&Picture{Plan: p, Subject: Tree}).check() }

// Player draws the network for an HTML page that plays operations: inline SVG. The style sheet of the page
// colours it by its classes; attributes give each shape the same look on white, for readers that block style
// sheets, such as those with a strict Content-Security-Policy. Every node has data-node; every link data-link with its two nodes, and an
// arrow head at either end, which the classes to and fro show. Classes: sent and reached, a step's
// (StepClass), source, and wide for a large picture. The id names title and description within the
// page. The error is that of PlayerFits.
func Player(p *plan.Plan, id string, s Shown) ([]byte, error) {
	if err := PlayerFits(p); err != nil {
		return nil, err
	}
	g := p.Machine.Graph
	label := 0.0
	for v := range g.Nodes() {
		label = max(label, svg.TextWidth(address(g, v), svg.Body))
	}
	radius := max(17, label/2+4)
	l := newLayout(g, radius)
	last := s.lastMoves()
	stepColours := onPaper.of(int(slices.Max(s.Step)))

	w, h := math.Ceil(l.width+2*edge), math.Ceil(l.height+2*edge)
	larger := min(1.6, max(1, 560/w)) // a small machine is drawn larger
	class := "network"
	if l.width > 480 {
		class += " wide" // a phone shows it in parts
	}
	pic := svg.Fragment(`<svg class="%s" id="%s" viewBox="0 0 %s %s" width="%s" height="%s" font-family="sans-serif" font-size="%s" role="img" aria-labelledby="%s-title" aria-describedby="%s-desc">`,
		class, id, svg.N(w), svg.N(h), svg.N(w*larger), svg.N(h*larger), svg.N(svg.Body), id, id)
	pic.Add(`<title id="%s-title">%s</title>`, id, svg.Escape(s.Title))
	pic.Add(`<desc id="%s-desc">%s</desc>`, id, svg.Escape("Circles are nodes with their address and the step in which they receive, arrows are messages. The table of the tree has the same in words."))
	pic.Add(`<g transform="translate(%s %s)">`, svg.N(edge), svg.N(edge))
	for _, k := range l.links {
		class, wire, at, back := "link", fmt.Sprintf(`fill="none" stroke="%s" stroke-width="0.8"`, grey), headLook("", false), headLook("", false)
		to, fro := last[[2]int32{int32(k.from), int32(k.to)}], last[[2]int32{int32(k.to), int32(k.from)}]
		if step := max(to, fro); step > 0 {
			class += " sent"
			if to == step {
				class += " to"
			}
			if fro == step {
				class += " fro"
			}
			class += " " + StepClass(int(step))
			colour := stepColours[step-1]
			wire = fmt.Sprintf(`fill="none" stroke="%s" stroke-width="2.4"`, colour)
			at, back = headLook(colour, to == step), headLook(colour, fro == step)
		}
		body := k.curve.cut(k.curve.before(radius)).reversed()
		pic.Add(`<g class="%s" data-link="%d %d"><path class="wire" d="%s" %s/><path class="head" d="%s" %s/><path class="tail" d="%s" %s/></g>`,
			class, k.from, k.to, body.cut(body.before(radius)).path(), wire, head(k.curve, radius), at, head(k.curve.reversed(), radius), back)
	}
	for v, at := range l.at {
		class, circle, text := "node source", fmt.Sprintf(`fill="#ffffff" stroke="%s" stroke-width="4"`, ink), ink
		if v != s.Source {
			colour := stepColours[s.Step[v]-1]
			class, circle, text = "node reached "+StepClass(int(s.Step[v])), fmt.Sprintf(`fill="%s" stroke="%s"`, colour, colour), textOn(colour)
		}
		pic.Add(`<g class="%s" data-node="%d"><circle cx="%s" cy="%s" r="%s" %s/>`, class, v, svg.N(at.X), svg.N(at.Y), svg.N(radius), circle)
		pic.Text(at, svg.Middle, fmt.Sprintf(`fill="%s"`, text), address(g, v))
		pic.Text(svg.Point{X: at.X, Y: at.Y + 12}, svg.Middle, fmt.Sprintf(`class="step" font-size="%s" fill="%s"`, svg.N(svg.Small), text), fmt.Sprint(s.Step[v]))
		pic.Add("</g>")
	}
	pic.Add("</g>")
	return pic.Bytes(), nil
}

// lastMoves is the step of the last message on each link, by sender and receiver.
func (s *Shown) lastMoves() map[[2]int32]int32 {
	last := map[[2]int32]int32{}
	for _, m := range s.Moves {
		last[[2]int32{m.From, m.To}] = m.Step
	}
	return last
}

// edge is the room around the picture for the wide outline of a node.
const edge = 5.0

// head is the arrow head at the end of a curve.
func head(c curve, radius float64) string {
	base, tip := c.at(c.before(radius+arrowLength+1)), c.at(c.before(radius+2))
	across := svg.Point{X: (tip.Y - base.Y) * 0.5, Y: (base.X - tip.X) * 0.5}
	return fmt.Sprintf("M%sL%sL%sz", svg.XY(tip), svg.XY(svg.Point{X: base.X + across.X, Y: base.Y + across.Y}),
		svg.XY(svg.Point{X: base.X - across.X, Y: base.Y - across.Y}))
}

// headLook returns the attributes of an arrow head in the colour of its step.
func headLook(colour string, shown bool) string {
	if !shown {
		return `fill="none" stroke="none" visibility="hidden"`
	}
	return fmt.Sprintf(`fill="%s" stroke="none"`, colour)
}

// Address formats a node as in pictures.
func Address(p *plan.Plan, node int) string { return address(p.Machine.Graph, node) }
