// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"io"
	"slices"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// routerView holds the values of the router template.
type routerView struct {
	*plan.Plan
	Header string

	Ports  []routerPort // hides the field of the plan
	Groups []routerGroup

	Hold []string // each: a ring port holds the pace
	Tick string   // the pace advances

	Digits, Fields int      // bits of node_digits, and of the fields of the destination of a message of the node
	Rings, Rhos    []string // m and rho of each dimension, with destinations
	Diameter       int      // of the network, with a barrier
	LocalBody      []string // the parts of a message of the node, lowest first
	Delivering     requests // hides the field of the plan
	DeliveryModule string
	DeliveryBody   string
	Delivered      []deliveredField // if the body is more than the payload
}

// BodyOfNode lists the parts of a field of the body of a message of the node, lowest first. name names the wire at a port.
func BodyOfNode(p *plan.Plan, field string, name func(plan.Wire) string) (list []string) {
	if field != plan.FieldScope {
		input, _ := p.Carriers(field)
		return []string{name(input)}
	}
	tdest := name(p.RouterWire("s_axis_local_tdest"))
	for _, f := range p.Destination.Fields {
		list = append(list, tdest+verilog.Bits(f.TDestLow+f.DigitBits, 1).Slice())
	}
	return list
}

// routerPort is a link input and a link output.
type routerPort struct {
	plan.Port
	LinkParts
	Group    *request // of the group of the dimension; nil if no message enters
	Enter    requests // of a ring port: Group and the transfers
	Continue *request // of a ring port
	Hold     string   // the ring port holds the pace
	Marked   bool     // the ring port has marks

	CarriedBits int            // bits below wc that its link input passes on
	Route       int            // of these, bits of the destination in lower dimensions
	Farthest    []string       // largest distances of the lower dimensions
	OtherFields []verilog.Part // of the link, which do not count in this dimension
	Output      string         // the contents of the output register
	Stored      int            // bits of the output register
	Word        []string       // of the link output, lowest first
}

// routerGroup is the group of a dimension.
type routerGroup struct {
	plan.Dim
	Lowest   int // the port of the first link among the sources
	Requests requests

	Passed  int      // bits of the body that it offers
	XBits   int      // of the distance in the field of the dimension, with destinations
	Weights []string // of broadcasts by port, with destinations
}

// deliveredField is an output of the router that carries a field of the body of each delivery.
type deliveredField struct {
	Output string
	Parts  []verilog.Part // of delivery_body
}

func newRouterView(p *plan.Plan) *routerView {
	v := &routerView{
		Plan: p, Header: p.Notice("//"),
		DeliveryModule: deliveryModule(p), DeliveryBody: "m_axis_local_tdata",
	}
	for _, q := range p.Ports {
		port := newRouterPort(p, q)
		v.Ports = append(v.Ports, port)
		if q.Ring {
			v.Hold = append(v.Hold, port.Hold)
		}
	}
	v.Tick = "tick"
	if len(v.Hold) == 0 {
		v.Tick = "unused_tick"
	}
	for _, d := range p.Dims {
		v.Groups = append(v.Groups, newRouterGroup(p, d))
	}
	for _, q := range p.Ports {
		v.Delivering = append(v.Delivering, requestOf(p, plan.Path{Input: q.Index, Target: plan.Delivery}))
	}

	body := p.BodyFields()
	for _, f := range slices.Backward(body) {
		v.LocalBody = append(v.LocalBody, BodyOfNode(p, f.Name, func(w plan.Wire) string { return w.Name })...)
	}
	if p.Destination != nil {
		v.LocalBody = append(v.LocalBody, "local_fields")
		v.Digits = p.Destination.DigitsBits
		for _, f := range p.Destination.Fields {
			v.Fields += f.Bits()
		}
		for _, d := range p.Dims {
			v.Rings = append(v.Rings, verilog.Sized(32, d.M))
			v.Rhos = append(v.Rhos, verilog.Sized(32, d.Rho))
		}
	}
	if p.Machine.Barrier {
		v.Diameter = p.Machine.Graph.Diameter()
	}
	if len(body) > 1 {
		v.DeliveryBody = "delivery_body"
		for _, f := range body {
			_, output := p.Carriers(f.Name)
			d := deliveredField{Output: output.Name}
			for i := range p.Deliveries {
				d.Parts = append(d.Parts, verilog.Bits(i*body.Bits()+body.Low(f.Name), f.Bits))
			}
			v.Delivered = append(v.Delivered, d)
		}
	}
	return v
}

func newRouterPort(p *plan.Plan, q plan.Port) routerPort {
	port := routerPort{Port: q, LinkParts: NewLink(p, q), CarriedBits: p.CarriedBits(q.Dimension), Route: p.RouteBelow(q.Dimension)}
	if at := p.Dims[q.Dimension-1].Place(q.Index); at >= 0 {
		group := groupRequest(p, q, at)
		port.Group = &group
		port.Enter = requests{group}
	}
	if q.Ring {
		for _, path := range q.Transferring() {
			port.Enter = append(port.Enter, requestOf(p, path))
		}
		continuing := requestOf(p, q.Continuing())
		port.Continue = &continuing
		port.Hold, port.Marked = fmt.Sprintf("out%d_hold", q.Index), Marked(p, q)
	}
	port.layOutWord(p)
	if p.Destination == nil {
		return port
	}
	for i := range q.Targets() { // one for each target of hc_destination_link
		farthest := 0
		if i < q.Dimension-1 {
			farthest = p.Destination.Fields[i].MaxDistance
		}
		port.Farthest = append(port.Farthest, verilog.Sized(16, farthest))
	}
	if other := p.Destination.RouteBits - port.Route; other > 0 {
		port.OtherFields = []verilog.Part{verilog.Bits(q.Index*p.LinkBits+p.BodyBits()+port.Route, other)}
	}
	return port
}

// Marked reports whether messages of links are among the entrants of a ring port. A message of the node is
// passed in at most two ticks: the credit is then at its maximum, and the pace waits until it is injected.
func Marked(p *plan.Plan, q plan.Port) bool {
	d := p.Dims[q.Dimension-1]
	return len(q.TransferFrom) > 0 || d.Place(q.Index) >= 0 && len(d.Sources) > 0
}

// layOutWord divides the word of the link output into the bits in its register and constants. Where messages
// do not continue, the weight of broadcasts is a constant.
func (port *routerPort) layOutWord(p *plan.Plan) {
	name := fmt.Sprintf("out%d", port.Index)
	wd := verilog.Sized(p.WdBits, port.Dimension)
	if !port.Ring && p.Destination == nil {
		port.Output, port.Stored = name+"_body", port.CarriedBits
		port.Word = []string{port.Output, verilog.Sized(p.WcBits, port.First), wd}
		return
	}
	port.Output, port.Stored = name+"_word", p.WcBits+port.CarriedBits
	port.Word = []string{port.Output, wd}
	if p.Destination == nil {
		return
	}
	if higher := p.Destination.RouteBits - port.Route; higher > 0 { // the fields of this dimension and above are 0
		low := port.Route + p.BodyBits()
		port.Word = []string{port.Output + verilog.Slice(0, low), verilog.Sized(higher, 0), port.Output + verilog.Slice(low, 1+p.WcBits), wd}
	}
}

func newRouterGroup(p *plan.Plan, d plan.Dim) routerGroup {
	g := routerGroup{Dim: d, Lowest: p.Degree - len(d.Sources), Passed: p.RouteBelow(d.Index) + p.BodyBits()}
	for _, path := range d.Entering() {
		g.Requests = append(g.Requests, requestOf(p, path))
	}
	if p.Destination != nil {
		g.XBits = p.Destination.Fields[d.Index-1].DistanceBits
		for _, port := range d.Entered {
			g.Weights = append(g.Weights, verilog.Sized(p.WcBits, p.Ports[port].First))
		}
	}
	return g
}

func deliveryModule(p *plan.Plan) string {
	if p.PerPort() {
		return "hc_port_delivery"
	}
	return "hc_delivery"
}

// LinkParts holds the places of the word of a link and of its fields in the data of all links.
type LinkParts struct {
	Link, Wd, Wc, Word, Body verilog.Part
	Carried                  []verilog.Part // bits below wc that its input passes on, lowest first
}

// NewLink is the link of a port.
func NewLink(p *plan.Plan, q plan.Port) LinkParts {
	low := q.Index * p.LinkBits
	fields := p.LinkFields()
	l := LinkParts{
		Link: verilog.Bits(low, p.LinkBits),
		Wd:   verilog.Bits(low+fields.Low(plan.FieldWd), p.WdBits),
		Wc:   verilog.Bits(low+fields.Low(plan.FieldWc), p.WcBits),
		Word: verilog.Bits(low, p.WordBits()),
		Body: verilog.Bits(low, p.BodyBits()),

		Carried: []verilog.Part{verilog.Bits(low, p.RouteBelow(q.Dimension)+p.BodyBits())},
	}
	if p.Destination != nil {
		l.Carried = append(l.Carried, verilog.Bits(low+fields.Low(plan.FieldSpread), 1))
	}
	return l
}

// request names the wires by which a message requests a copy.
type request struct {
	Request string // the copy is requested
	Valid   string // the message is well formed
	Wc      string // of the copy; empty where it is not used
	Spread  string // of a copy that enters with a destination, else empty
	Body    string
	Grant   string // the target takes the copy
}

// requestOf names the wires of the message of an input.
func requestOf(p *plan.Plan, path plan.Path) request {
	if path.Input == plan.Local {
		bit := path.Target - 1 // the local input has no delivery among its targets
		return request{
			Request: fmt.Sprintf("local_request[%d]", bit), Valid: "1'b1", Body: "local_body" + passed(p, path),
			Grant: fmt.Sprintf("local_grant[%d]", bit),
		}
	}
	in := fmt.Sprintf("in%d_", path.Input)
	return request{
		Request: fmt.Sprintf("%srequest[%d]", in, path.Target), Valid: in + "valid", Wc: in + "next_wc", Body: in + "body" + passed(p, path),
		Grant: fmt.Sprintf("%sgrant[%d]", in, path.Target),
	}
}

// passed is the part-select of the body of an input that a path passes on, empty for the whole body: the
// fields of the destination go to a group from its dimension downwards, and not to delivery.
func passed(p *plan.Plan, path plan.Path) string {
	switch {
	case p.Destination == nil || path.Input != plan.Local && path.Target == p.Ports[path.Input].Continuation():
		return ""
	case path.Target == plan.Delivery:
		return verilog.Slice(0, p.BodyBits())
	}
	return verilog.Slice(0, p.Destination.Fields[path.Target-1].Bits()+p.RouteBelow(path.Target)+p.BodyBits())
}

// groupRequest names the wires of the message that a group offers to a port, number at of the ports that
// the group enters.
func groupRequest(p *plan.Plan, q plan.Port, at int) request {
	group := fmt.Sprintf("group%d_", q.Dimension)
	r := request{
		Request: fmt.Sprintf("%srequest[%d]", group, at), Valid: group + "valid", Wc: verilog.Sized(p.WcBits, q.First), Body: group + "body",
		Grant: fmt.Sprintf("%sgrant[%d]", group, at),
	}
	if p.Destination != nil {
		r.Wc, r.Spread = group+"weights"+verilog.Lane(at, p.WcBits), group+"spread"
	}
	return r
}

// requests are the requests of an arbiter, lowest first.
type requests []request

// Request, Valid, Body and Grant name a wire of each request.
func (r requests) Request() []string { return each.Of(r, func(q request) string { return q.Request }) }
func (r requests) Valid() []string   { return each.Of(r, func(q request) string { return q.Valid }) }
func (r requests) Body() []string    { return each.Of(r, func(q request) string { return q.Body }) }
func (r requests) Grant() []string   { return each.Of(r, func(q request) string { return q.Grant }) }

// Words lists the body and the wc of each request.
func (r requests) Words() (words []string) {
	for _, q := range r {
		words = append(words, q.Word()...)
	}
	return words
}

// Word lists the body, spread if the body does not contain it, and the wc.
func (q request) Word() []string {
	if q.Spread != "" {
		return []string{q.Body, q.Spread, q.Wc}
	}
	return []string{q.Body, q.Wc}
}

// Router is the text of the module of a specialized router.
func Router(p *plan.Plan) func(io.Writer) error {
	return render.Verilog("router.v.tmpl", newRouterView(p))
}
