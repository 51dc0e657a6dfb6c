// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/plan"
)

// routerView is everything the router template prints.
type routerView struct {
	*plan.Plan
	Header                string
	PaceBits, Refill, Cap int

	Ports  []routerPort // hides those of the plan
	Groups []routerGroup

	LocalBody      []string // the fields of the body, lowest first, of a message of the node
	Delivering     requests // hides that of the plan
	DeliveryModule string
	DeliveryBody   string
	Delivered      []deliveredField // if the body is more than the payload
}

// routerPort is a link input and a link output.
type routerPort struct {
	plan.Port
	link
	Group    *request // of the group of the dimension; nil if no message enters
	Enter    requests // Group and what transfers, of a ring port
	Continue *request // of a ring port
}

// routerGroup is the way into a dimension.
type routerGroup struct {
	plan.Dim
	Lowest   int // the port of the first link among the sources
	Requests requests
}

// deliveredField is an output of the router that carries a field of the body of each delivery.
type deliveredField struct {
	Output string
	Parts  []part // of delivery_body
}

func newRouterView(p *plan.Plan) *routerView {
	v := &routerView{
		Plan: p, Header: p.Notice("//"),
		PaceBits: plan.PaceBits, Refill: plan.Refill, Cap: plan.Cap,
		DeliveryModule: deliveryModule(p), DeliveryBody: "m_axis_local_tdata",
	}
	for _, q := range p.Ports {
		v.Ports = append(v.Ports, newRouterPort(p, q))
	}
	for _, d := range p.Dims {
		g := routerGroup{Dim: d, Lowest: p.Degree - len(d.Sources)}
		for _, path := range d.Entering() {
			g.Requests = append(g.Requests, requestOf(path))
		}
		v.Groups = append(v.Groups, g)
	}
	for _, q := range p.Ports {
		v.Delivering = append(v.Delivering, requestOf(plan.Path{Input: q.Index, Target: plan.Delivery}))
	}

	body := p.BodyFields()
	for _, f := range slices.Backward(body) {
		v.LocalBody = append(v.LocalBody, localPorts[f.Name].Input)
	}
	if len(body) > 1 {
		v.DeliveryBody = "delivery_body"
		for _, f := range body {
			d := deliveredField{Output: localPorts[f.Name].Output}
			for i := range p.Deliveries {
				d.Parts = append(d.Parts, part{i*body.Bits() + body.Low(f.Name), f.Bits})
			}
			v.Delivered = append(v.Delivered, d)
		}
	}
	return v
}

func newRouterPort(p *plan.Plan, q plan.Port) routerPort {
	port := routerPort{Port: q, link: newLink(p, q.Index)}
	if at := p.Dims[q.Dimension-1].Place(q.Index); at >= 0 {
		group := groupRequest(q, at, sized(p.WcBits, q.First))
		port.Group = &group
		port.Enter = requests{group}
	}
	if q.Ring {
		for _, path := range q.Transferring() {
			port.Enter = append(port.Enter, requestOf(path))
		}
		continuing := requestOf(q.Continuing())
		port.Continue = &continuing
	}
	return port
}

func deliveryModule(p *plan.Plan) string {
	if p.PerPort() {
		return "hc_port_delivery"
	}
	return "hc_delivery"
}

// localPorts names where a field of the body comes from at the local input, and where it goes at
// delivery.
var localPorts = map[string]struct{ Input, Output string }{
	plan.FieldSource:  {"node_id", "m_axis_local_tid"},
	plan.FieldPayload: {"s_axis_local_tdata", "m_axis_local_tdata"},
}

// link says where the word of a link and its fields are in the data of all links.
type link struct{ Link, Wd, Wc, Word, Body part }

// newLink is link i of a router.
func newLink(p *plan.Plan, i int) link {
	low := i * p.LinkBits
	fields := p.LinkFields()
	return link{
		Link: part{low, p.LinkBits},
		Wd:   part{low + fields.Low(plan.FieldWd), p.WdBits},
		Wc:   part{low + fields.Low(plan.FieldWc), p.WcBits},
		Word: part{low, p.WordBits()},
		Body: part{low, p.BodyBits()},
	}
}

// request names the wires by which a message asks to be copied.
type request struct {
	Ask    string // the copy is asked for
	Accept string // and the message is well formed
	Wc     string // of the copy; empty where it does not count
	Body   string
	Made   string // the copy is made
}

// requestOf names the wires of the message of an input.
func requestOf(path plan.Path) request {
	if path.Input == plan.Local {
		bit := path.Target - 1 // the local input has no delivery among its targets
		return request{
			Ask: fmt.Sprintf("local_ask[%d]", bit), Accept: "1'b1", Body: "local_body",
			Made: fmt.Sprintf("local_made[%d]", bit),
		}
	}
	in := fmt.Sprintf("in%d_", path.Input)
	return request{
		Ask: fmt.Sprintf("%sask[%d]", in, path.Target), Accept: in + "accept", Wc: in + "next_wc", Body: in + "body",
		Made: fmt.Sprintf("%smade[%d]", in, path.Target),
	}
}

// groupRequest names the wires of the message that a group offers to a port, of all ports that
// it enters by number at.
func groupRequest(q plan.Port, at int, wc string) request {
	group := fmt.Sprintf("group%d_", q.Dimension)
	return request{
		Ask: fmt.Sprintf("%soffer[%d]", group, at), Accept: group + "accept", Wc: wc, Body: group + "body",
		Made: fmt.Sprintf("%sroom[%d]", group, at),
	}
}

// requests are those between which an arbiter decides, lowest first.
type requests []request

// Ask, Accept, Body and Made name a wire of each request.
func (r requests) Ask() []string    { return each(r, func(q request) string { return q.Ask }) }
func (r requests) Accept() []string { return each(r, func(q request) string { return q.Accept }) }
func (r requests) Body() []string   { return each(r, func(q request) string { return q.Body }) }
func (r requests) Made() []string   { return each(r, func(q request) string { return q.Made }) }

// Words lists the body and the wc of each request.
func (r requests) Words() (words []string) {
	for _, q := range r {
		words = append(words, q.Word()...)
	}
	return words
}

// Word lists the body and the wc.
func (q request) Word() []string { return []string{q.Body, q.Wc} }
