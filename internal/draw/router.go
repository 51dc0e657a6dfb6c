// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/internal/svg"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Layout of the picture of a router in pixels: a row for each input, a column for each
// target, and below the columns the outputs.
const (
	rowHeight  = 32.0
	boxWidth   = 132.0 // of an output
	boxGap     = 12.0
	groupWide  = 84.0 // of the column of a group
	slotHeight = 20.0
	passHeight = 14.0 // of a way past slots, above the row
	columnOff  = 26   // of the columns of a ring port from its middle
	mostName   = 64   // of a name in a label
	onRowWide  = 64.0 // of what a row passes first
)

// routerPicture is the picture of a router under construction.
type routerPicture struct {
	*svg.Picture
	p        *plan.Plan
	names    []string        // of dimensions in labels, dimension 1 first
	left     float64         // where the rows begin
	top      float64         // of the first row
	foot     float64         // where the columns leave the inputs
	bus      float64         // height of the wires from a group to its ports
	box      float64         // upper edge of the outputs
	group    map[int]float64 // column of a dimension's group
	port     []float64       // middle of an output
	delivery float64
}

// routerSVG draws the router of a machine: which input copies to which group, ring port
// and delivery, and the registers and slots that hold messages.
func routerSVG(p *plan.Plan) []byte {
	r := &routerPicture{p: p, names: labels(p.Dims), top: 120, group: map[int]float64{}, port: make([]float64, p.Degree)}
	for _, q := range p.Ports {
		r.left = max(r.left, svg.TextWidth(r.inputName(q), svg.Body))
	}
	x := margin + r.left + 22 + onRowWide + 30
	r.left = margin + r.left + 8
	for _, d := range p.Dims {
		r.group[d.Index] = x + groupWide/2
		x += groupWide
		for _, q := range p.Ports {
			if q.Dimension == d.Index {
				r.port[q.Index] = x + boxWidth/2
				x += boxWidth + boxGap
			}
		}
	}
	r.delivery = x + boxWidth/2
	r.foot = r.top + rowHeight*float64(p.Degree+1)
	r.bus = r.foot + 56
	r.box = r.bus + 26

	title := routerTitle(p)
	r.Picture = svg.New(max(leastWide, x+boxWidth+margin, svg.TextWidth(title, svg.Heading)+2*margin), r.box+boxHeight+60, title,
		"Rows are inputs, columns are targets. A dot is a place where a message that arrives on the row is copied to the target below the column: the group of a dimension, which puts it on all ports of the dimension; a ring port, on which it continues; delivery. Boxes on the rows are the slots of link inputs, those below the columns the output registers.")
	r.Text(svg.Point{X: margin, Y: margin + svg.Heading - 4}, svg.Start, fmt.Sprintf(`font-size="%s" fill="%s"`, svg.N(svg.Heading), ink), title)
	r.legend()
	r.columns()
	r.inputs()
	for _, d := range p.Dims {
		r.groupBus(d)
	}
	for _, q := range p.Ports {
		r.output(q)
	}
	r.local()
	return r.Bytes()
}

// routerTitle says what is drawn: of a programmable router, what it does once configured.
func routerTitle(p *plan.Plan) string {
	if p.Programmable != nil {
		return fmt.Sprintf("%s: programmable router, configured: degree %d", p.Name, p.Degree)
	}
	return fmt.Sprintf("%s: router of degree %d", p.Name, p.Degree)
}

// perPort reports whether every link has its own stream of deliveries.
func perPort(p *plan.Plan) bool { return p.Machine.Delivery == machine.PerPort }

// inputName names the input of a port by the node that it comes from.
func (r *routerPicture) inputName(q plan.Port) string {
	return fmt.Sprintf("port %d in, from %s %s", q.Index, r.names[q.Dimension-1], offset(q))
}

// offset is where a port leads, such as +2.
func offset(q plan.Port) string { return fmt.Sprintf("%+d", int(q.Direction)*q.Distance) }

// labels are the names of dimensions in labels, dimension 1 first. Where two that had to be shortened
// would be the same, they are numbers; no name has a blank, so that those are nobody's name.
func labels(dims []plan.Dim) []string {
	all := make([]string, len(dims))
	many := map[string]int{}
	for i, d := range dims {
		all[i] = clip(d.Name)
		many[all[i]]++
	}
	for i, d := range dims {
		if many[all[i]] > 1 {
			all[i] = fmt.Sprintf("dim %d", d.Index)
		}
	}
	return all
}

// clip shortens a name that is too long for a label, in its middle: names of one machine
// often differ in their ends.
func clip(name string) string {
	const more = "\u2026"
	head := []rune(name)
	var tail []rune
	short := name
	for svg.TextWidth(short, svg.Small) > mostName {
		if tail == nil { // its halves
			head, tail = head[:(len(head)+1)/2], head[(len(head)+1)/2:]
		} else if len(head) > len(tail) {
			head = head[:len(head)-1]
		} else {
			tail = tail[1:]
		}
		short = string(head) + more + string(tail)
	}
	return short
}

// boxHeight is that of an output: the choice of a ring port, and the register.
const boxHeight = 2*slotHeight + 8

// legend explains the dots; hollow ones only where messages transfer.
func (r *routerPicture) legend() {
	at := svg.Point{X: margin + 6, Y: 64}
	r.dot(svg.Point{X: at.X, Y: at.Y - 4}, ink, false)
	r.Text(svg.Point{X: at.X + 14, Y: at.Y}, svg.Start, "", "the input of this row sends a copy to the output below")
	if !slices.ContainsFunc(r.p.Ports, func(q plan.Port) bool { return len(q.TransferFrom) > 0 }) {
		return
	}
	at.Y += 20
	r.dot(svg.Point{X: at.X, Y: at.Y - 4}, ink, true)
	r.Text(svg.Point{X: at.X + 14, Y: at.Y}, svg.Start, "", "a message from a shorter link transfers into the ring, after those that continue")
}

// dot marks where a row is copied to a column.
func (r *routerPicture) dot(at svg.Point, colour string, hollow bool) {
	fill := colour
	if hollow {
		fill = "#ffffff"
	}
	r.Add(`<circle cx="%s" cy="%s" r="4.5" fill="%s" stroke="%s" stroke-width="1.6"/>`, svg.N(at.X), svg.N(at.Y), fill, colour)
}

// row is the height of an input; -1 is the local one.
func (r *routerPicture) row(input int) float64 { return r.top + rowHeight*(float64(input)+1.5) }

// wire draws a line with the attributes of its stroke: strokeOf those of a dimension, plain of a colour.
func (r *routerPicture) wire(stroke, path string) {
	r.Add(`<path d="%s" fill="none" %s stroke-width="1.6"/>`, path, stroke)
}

// deliveryWire draws a line to the local output: a double one, as a dimension may be black, too.
func (r *routerPicture) deliveryWire(path string) {
	r.Add(`<path d="%s" fill="none" stroke="%s" stroke-width="4.4"/>`, path, black)
	r.Add(`<path d="%s" fill="none" stroke="#ffffff" stroke-width="1.6"/>`, path)
}

// plain is the stroke of a colour that is never dashed.
func plain(colour string) string { return fmt.Sprintf(`stroke="%s"`, colour) }

func (r *routerPicture) arrowDown(colour string, at svg.Point) {
	r.Add(`<path d="M%sl-4 -8h8z" fill="%s"/>`, svg.XY(at), colour)
}

func (r *routerPicture) arrowRight(colour string, at svg.Point) {
	r.Add(`<path d="M%sl-8 -4v8z" fill="%s"/>`, svg.XY(at), colour)
}

// black is the colour of the delivery, and wireGrey that of rows.
const (
	black    = "#000000"
	wireGrey = "#767676"
)

// colourOf is the colour of a dimension.
func colourOf(dimension int) string { return colours[(dimension-1)%len(colours)] }

// columns draws the targets: the wires down from their first input, and their names.
func (r *routerPicture) columns() {
	name := func(x float64, text string) {
		r.Text(svg.Point{X: x, Y: r.top - 1}, svg.Middle, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Small)), text)
	}
	path := func(x float64, from int, to float64) string {
		return "M" + svg.XY(svg.Point{X: x, Y: r.row(from)}) + "V" + svg.N(to)
	}
	for _, d := range r.p.Dims {
		name(r.group[d.Index], "enter "+r.names[d.Index-1])
		r.wire(strokeOf(d.Index-1), path(r.group[d.Index], -1, r.foot+10))
	}
	for _, q := range r.p.Ports {
		if !q.Ring {
			continue
		}
		x := r.port[q.Index]
		name(x-columnOff, "continue")
		r.wire(strokeOf(q.Dimension-1), path(x-columnOff, q.ContinueFrom, r.box))
		if len(q.TransferFrom) > 0 {
			name(x+columnOff, "transfer")
			r.wire(strokeOf(q.Dimension-1), path(x+columnOff, q.TransferFrom[0], r.box))
		}
	}
	name(r.delivery, "deliver")
	if !perPort(r.p) {
		r.deliveryWire(path(r.delivery, 0, r.foot+10))
	}
}

// inputs draws the rows and, over them, their dots.
func (r *routerPicture) inputs() {
	r.input(-1, "local input")
	r.onRow(-1, 4, "pace", "#f2f2f2")
	for _, q := range r.p.Ports {
		r.input(q.Index, r.inputName(q))
		r.onRow(q.Index, 0, slotsOf(r.p), "#ffffff")
		if r.p.Stages == 1 {
			r.wayPast(q.Index)
		}
	}
	for _, d := range r.p.Dims {
		r.dot(svg.Point{X: r.group[d.Index], Y: r.row(-1)}, colourOf(d.Index), false)
		for _, input := range d.Sources {
			r.dot(svg.Point{X: r.group[d.Index], Y: r.row(input)}, colourOf(d.Index), false)
		}
	}
	for _, q := range r.p.Ports {
		if perPort(r.p) {
			r.lane(q.Index)
		} else {
			r.dot(svg.Point{X: r.delivery, Y: r.row(q.Index)}, black, false)
		}
		if !q.Ring {
			continue
		}
		x := r.port[q.Index]
		r.dot(svg.Point{X: x - columnOff, Y: r.row(q.ContinueFrom)}, colourOf(q.Dimension), false)
		for _, input := range q.TransferFrom {
			r.dot(svg.Point{X: x + columnOff, Y: r.row(input)}, colourOf(q.Dimension), true)
		}
	}
}

// onRow draws what a row passes first.
func (r *routerPicture) onRow(input int, corner float64, text, fill string) {
	at := svg.Point{X: r.left + 30, Y: r.row(input) - slotHeight/2}
	r.Add(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s" fill="%s" stroke="%s"/>`, svg.N(at.X), svg.N(at.Y), svg.N(onRowWide), svg.N(slotHeight), svg.N(corner), fill, ink)
	r.Text(svg.Point{X: at.X + onRowWide/2, Y: at.Y + 14}, svg.Middle, "", text)
}

// wayPast draws the one past the slots of a link input.
func (r *routerPicture) wayPast(input int) {
	from := svg.Point{X: r.left + 26, Y: r.row(input)}
	r.Add(`<path d="M%sV%sH%sV%s" fill="none" stroke="%s" stroke-width="1.2"/>`, svg.XY(from), svg.N(from.Y-passHeight), svg.N(from.X+onRowWide+8), svg.N(from.Y), wireGrey)
}

// slotsOf says how many slots each link input has.
func slotsOf(p *plan.Plan) string {
	if p.InputSlots == 1 {
		return "1 slot"
	}
	return fmt.Sprintf("%d slots", p.InputSlots)
}

// lane draws the delivery register of one link, at the end of its row.
func (r *routerPicture) lane(input int) {
	r.register(r.delivery, r.row(input)-slotHeight/2, black)
	from := svg.Point{X: r.delivery + boxWidth/2, Y: r.row(input)}
	r.deliveryWire("M" + svg.XY(from) + "H" + svg.N(from.X+12))
	r.arrowRight(black, svg.Point{X: from.X + 18, Y: from.Y})
}

// input draws one row: its name and its wire, to the last target that it has.
func (r *routerPicture) input(input int, name string) {
	y := r.row(input)
	end := r.delivery
	if input < 0 {
		end = r.group[len(r.p.Dims)]
	}
	r.Text(svg.Point{X: r.left, Y: y + 4}, svg.End, fmt.Sprintf(`fill="%s"`, ink), name)
	r.Add(`<path d="M%sH%s" stroke="%s" stroke-width="1.2"/>`, svg.XY(svg.Point{X: r.left + 8, Y: y}), svg.N(end), wireGrey)
	r.arrowRight(wireGrey, svg.Point{X: r.left + 22, Y: y})
}

// groupBus draws the arbiter of a group and the wires to its ports.
func (r *routerPicture) groupBus(d plan.Dim) {
	x, colour := r.group[d.Index], colourOf(d.Index)
	r.arbiter(x, colour)
	end := x
	for _, port := range d.Entered {
		q := r.p.Ports[port]
		at := r.port[port]
		if q.Ring {
			at += columnOff
		}
		end = max(end, at)
	}
	r.wire(strokeOf(d.Index-1), "M"+svg.XY(svg.Point{X: x, Y: r.foot + 34})+"V"+svg.N(r.bus)+"H"+svg.N(end))
	for _, port := range d.Entered {
		q := r.p.Ports[port]
		at := r.port[port]
		if q.Ring {
			at += columnOff
		}
		r.wire(strokeOf(d.Index-1), "M"+svg.XY(svg.Point{X: at, Y: r.bus})+"V"+svg.N(r.box))
		r.Add(`<circle cx="%s" cy="%s" r="2.5" fill="%s"/>`, svg.N(at), svg.N(r.bus), colour)
	}
}

// arbiter draws the one below a column.
func (r *routerPicture) arbiter(x float64, colour string) {
	r.Add(`<rect x="%s" y="%s" width="60" height="24" rx="4" fill="#ffffff" stroke="%s" stroke-width="1.6"/>`, svg.N(x-30), svg.N(r.foot+10), colour)
	r.Text(svg.Point{X: x, Y: r.foot + 26}, svg.Middle, "", "arbiter")
}

// register draws an output or delivery register about a middle.
func (r *routerPicture) register(x, y float64, colour string) {
	r.boxed(x, y, "#ffffff", colour, "register")
}

// boxed draws a box as wide as an output.
func (r *routerPicture) boxed(x, y float64, fill, colour, text string) {
	r.Add(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s" stroke="%s" stroke-width="1.6"/>`, svg.N(x-boxWidth/2), svg.N(y), svg.N(boxWidth), svg.N(slotHeight), fill, colour)
	r.Text(svg.Point{X: x, Y: y + 14}, svg.Middle, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Small)), text)
}

// output draws the register of a port, of a ring port the choice before it, and where it leads.
func (r *routerPicture) output(q plan.Port) {
	x, colour := r.port[q.Index], colourOf(q.Dimension)
	foot := r.box + slotHeight
	switch {
	case q.Ring:
		r.arrowDown(colour, svg.Point{X: x - columnOff, Y: r.box})
		choice := "continue"
		if q.First > 0 || len(q.TransferFrom) > 0 {
			r.arrowDown(colour, svg.Point{X: x + columnOff, Y: r.box})
			choice = "continue, else enter"
		}
		r.boxed(x, r.box, "#f2f2f2", colour, choice)
		r.register(x, foot, colour)
		foot += slotHeight
	case q.Fed:
		r.arrowDown(colour, svg.Point{X: x, Y: r.box})
		r.register(x, r.box, colour)
	default:
		r.Text(svg.Point{X: x, Y: r.box + 14}, svg.Middle, `fill="#666666"`, "never fed")
		r.label(x, []string{fmt.Sprintf("port %d out", q.Index), fmt.Sprintf("to %s %s", r.names[q.Dimension-1], offset(q))})
		return
	}
	r.leave(x, foot, colour, func(path string) { r.wire(plain(colour), path) })
	entering := "enters with wc "
	if q.First == 0 {
		entering = "none enters"
	} else {
		entering += fmt.Sprint(q.First)
	}
	r.label(x, []string{fmt.Sprintf("port %d out", q.Index), fmt.Sprintf("to %s %s", r.names[q.Dimension-1], offset(q)), entering})
}

// leave draws the wire out of the router, which wire draws: too short for dashes.
func (r *routerPicture) leave(x, from float64, colour string, wire func(path string)) {
	to := r.box + boxHeight + 10
	wire("M" + svg.XY(svg.Point{X: x, Y: from}) + "V" + svg.N(to-6))
	r.arrowDown(colour, svg.Point{X: x, Y: to})
}

// label writes lines below an output.
func (r *routerPicture) label(x float64, lines []string) {
	for i, text := range lines {
		r.Text(svg.Point{X: x, Y: r.box + boxHeight + 24 + 13*float64(i)}, svg.Middle, fmt.Sprintf(`font-size="%s"`, svg.N(svg.Small)), text)
	}
}

// local draws delivery.
func (r *routerPicture) local() {
	if perPort(r.p) {
		return
	}
	r.arbiter(r.delivery, black)
	r.deliveryWire("M" + svg.XY(svg.Point{X: r.delivery, Y: r.foot + 34}) + "V" + svg.N(r.box-6))
	r.arrowDown(black, svg.Point{X: r.delivery, Y: r.box})
	r.register(r.delivery, r.box, black)
	r.leave(r.delivery, r.box+slotHeight, black, r.deliveryWire)
	r.label(r.delivery, []string{"local output", "delivery"})
}
