// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// routerView is everything the router template prints.
type routerView struct {
	Header, Module, Machine   string
	DimensionLines, PortTable []string
	LatencyLines              []string
	LinkLayout, Pad           string
	SourceID                  bool
	Degree, Groups            int
	BodyBits, RingBits        int
	WdBits, WcBits            int
	Slots, Bypass             int // of a link input
	Refill, Cap               int // of the pace

	PortRange, LinksRange, PayloadRange, SourceRange string // padded to one width
	LocalRange, LocalDataRange, LocalSourceRange     string // likewise, of local outputs
	GroupsRange, BodyRange, WcRange, RingRange       string
	PaceRange, PacesRange                            string // padded as PortRange
	BodiesRange                                      string // of deliveries
	LocalBody                                        string

	Inputs    []inputView
	GroupList []groupView
	Outputs   []outputView

	DeliveryModule                                                          string
	DeliveryAsk, DeliveryAccept, DeliveryBodies, DeliveryMade, DeliveryBody string
	DeliverySources, DeliveryPayloads                                       string // parts of DeliveryBody
}

type inputView struct {
	Index, Targets, Continues   int
	Describe, TargetsRange      string
	Dimension, Largest          string
	NextWc                      string
	BodySlice, WdSlice, WcSlice string
}

type groupView struct {
	Dimension, Sources, Ports int
	Lowest                    int // the port of the first link among the sources
	PortsRange                string
	Ask, Accept, Bodies, Made string
}

type outputView struct {
	FromGroup                                               int // 1 if entrant 0 is the group of the dimension
	Index, Entrants                                         int
	Ring, Fed                                               bool
	Describe                                                string
	ContinueAsk, ContinueAccept, ContinueWord, ContinueMade string
	EnterAsk, EnterAccept, EnterWords, EnterMade            string
	Slice, Word                                             string
}

// newRouterView lays the plan of a router out as Verilog names and literals.
func newRouterView(p *plan.Plan) *routerView {
	body := p.SourceBits + p.PayloadBits
	v := &routerView{
		Header:  p.Notice("//"),
		Module:  p.RouterModule,
		Machine: p.Name,

		LatencyLines: latencyLines(p),
		LinkLayout:   linkLayout(p),
		SourceID:     p.SourceBits > 0,
		Degree:       p.Degree,
		Groups:       len(p.Dims),
		BodyBits:     body,
		RingBits:     p.WcBits + body,
		WdBits:       p.WdBits,
		WcBits:       p.WcBits,

		Slots:  p.InputSlots,
		Refill: plan.Refill,
		Cap:    plan.Cap,

		GroupsRange: rangeOf(len(p.Dims)),
		BodyRange:   rangeOf(body),
		WcRange:     rangeOf(p.WcBits),
		RingRange:   rangeOf(p.WcBits + body),
		LocalBody:   "s_axis_local_tdata",
	}
	links := rangeOf(p.Degree * p.LinkBits)
	v.Pad = padded("", len(links)+1)
	v.LinksRange = padded(links, len(v.Pad))
	v.PortRange = padded(rangeOf(p.Degree), len(v.Pad))
	v.PayloadRange = padded(rangeOf(p.PayloadBits), len(v.Pad))
	v.LocalRange = v.Pad
	if perPort(p) {
		v.LocalRange = v.PortRange
	}
	v.LocalDataRange = padded(rangeOf(p.Deliveries*p.PayloadBits), len(v.Pad))
	if v.SourceID {
		v.SourceRange = padded(rangeOf(p.SourceBits), len(v.Pad))
		v.LocalSourceRange = padded(rangeOf(p.Deliveries*p.SourceBits), len(v.Pad))
		v.LocalBody = "{node_id, s_axis_local_tdata}"
	}
	v.PaceRange = padded(rangeOf(plan.PaceBits), len(v.Pad))
	v.PacesRange = padded(rangeOf(plan.PaceBits*p.Degree), len(v.Pad))
	v.BodiesRange = rangeOf(p.Deliveries * body)
	if p.Stages == 1 {
		v.Bypass = 1
	}

	v.describe(p)
	for _, q := range p.Ports {
		v.Inputs = append(v.Inputs, newInputView(p, q))
	}
	for _, d := range p.Dims {
		v.GroupList = append(v.GroupList, newGroupView(p, d))
	}
	for _, q := range p.Ports {
		v.Outputs = append(v.Outputs, newOutputView(p, q))
	}
	var ask, accept, bodies, made []string
	for i := range p.Ports {
		ask = append(ask, fmt.Sprintf("in%d_ask[0]", i))
		accept = append(accept, fmt.Sprintf("in%d_accept", i))
		bodies = append(bodies, fmt.Sprintf("in%d_body", i))
		made = append(made, fmt.Sprintf("in%d_made[0]", i))
	}
	v.DeliveryAsk, v.DeliveryAccept = concat(ask), concat(accept)
	v.DeliveryBodies, v.DeliveryMade = concat(bodies), concat(made)
	v.DeliveryModule = deliveryModule(p)
	v.DeliveryBody = "m_axis_local_tdata"
	if v.SourceID {
		v.DeliveryBody = "delivery_body"
		var sources, payloads []string
		for i := range p.Deliveries {
			sources = append(sources, v.DeliveryBody+slice(i*body+p.PayloadBits, p.SourceBits))
			payloads = append(payloads, v.DeliveryBody+slice(i*body, p.PayloadBits))
		}
		v.DeliverySources, v.DeliveryPayloads = concat(sources), concat(payloads)
	}
	return v
}

// perPort reports whether each link has a local output of its own.
func perPort(p *plan.Plan) bool { return p.Machine.Delivery == machine.PerPort }

func deliveryModule(p *plan.Plan) string {
	if perPort(p) {
		return "hc_port_delivery"
	}
	return "hc_delivery"
}

// latencyLines say how long the router takes.
func latencyLines(p *plan.Plan) []string {
	lines := []string{"Latency: one cycle per hop, from the handshake on a link to tvalid on the next one."}
	if p.Stages > 1 {
		lines = []string{"Latency: two cycles per hop, from the handshake on a link to tvalid on the next one."}
	}
	if perPort(p) {
		lines = append(lines, "Delivery: lane p of m_axis_local has the messages that came through port p.")
	}
	return lines
}

// describe writes the structure of the router for the comment at its top.
func (v *routerView) describe(p *plan.Plan) {
	for _, d := range p.Dims {
		v.DimensionLines = append(v.DimensionLines, fmt.Sprintf(
			"Dimension %d %q: m = %d, rho = %d, D = %d, a = %d, k = %d.", d.Index, d.Name, d.M, d.Rho, d.D, d.A, d.K))
	}
	v.DimensionLines = append(v.DimensionLines, fmt.Sprintf("Preference: %s.", p.Machine.Preference))
	v.PortTable = append(v.PortTable, "  port  dimension  direction         distance  weight  output")
	for _, q := range p.Ports {
		output := "entered"
		switch {
		case q.Ring:
			output = "ring port"
		case !q.Fed:
			output = "never fed"
		}
		v.PortTable = append(v.PortTable, fmt.Sprintf(
			"  %4d  %9d  %-16s  %8d  %6d  %s", q.Index, q.Dimension, q.Direction, q.Distance, q.First, output))
	}
}

func linkLayout(p *plan.Plan) string {
	source := ""
	if p.SourceBits > 0 {
		source = fmt.Sprintf("source %s, ", rangeOf(p.SourceBits))
	}
	return fmt.Sprintf("{wd %s, wc %s, %spayload %s}", rangeOf(p.WdBits), rangeOf(p.WcBits), source, rangeOf(p.PayloadBits))
}

// describePort names a port for a comment.
func describePort(q plan.Port) string {
	return fmt.Sprintf("dimension %d, %s, distance %d", q.Dimension, q.Direction, q.Distance)
}

// targets is the number of targets of a link input: delivery, the groups of the
// lower dimensions and, if D >= 2, the continuation, in this order.
func targets(q plan.Port) int {
	n := q.Dimension
	if q.ContinueTo >= 0 {
		n++
	}
	return n
}

// continuation is the number of the continuation among the targets.
func continuation(q plan.Port) int { return q.Dimension }

func newInputView(p *plan.Plan, q plan.Port) inputView {
	low := q.Index * p.LinkBits
	body := p.SourceBits + p.PayloadBits
	v := inputView{
		Index:        q.Index,
		Targets:      targets(q),
		Describe:     describePort(q),
		TargetsRange: rangeOf(targets(q)),
		Dimension:    sized(p.WdBits, q.Dimension),
		Largest:      sized(p.WcBits, q.D),
		NextWc:       fmt.Sprintf("unused_in%d_next_wc", q.Index),
		BodySlice:    slice(low, body),
		WcSlice:      slice(low+body, p.WcBits),
		WdSlice:      slice(low+body+p.WcBits, p.WdBits),
	}
	if q.ContinueTo >= 0 {
		v.Continues = 1
		v.NextWc = fmt.Sprintf("in%d_next_wc", q.Index)
		v.Describe += fmt.Sprintf("; continues on port %d", q.ContinueTo)
	}
	return v
}

func newGroupView(p *plan.Plan, d plan.Dim) groupView {
	ask := []string{fmt.Sprintf("local_ask[%d]", d.Index-1)}
	made := []string{fmt.Sprintf("local_made[%d]", d.Index-1)}
	accept := []string{"1'b1"}
	bodies := []string{"local_body"}
	for _, i := range d.Sources {
		ask = append(ask, fmt.Sprintf("in%d_ask[%d]", i, d.Index))
		made = append(made, fmt.Sprintf("in%d_made[%d]", i, d.Index))
		accept = append(accept, fmt.Sprintf("in%d_accept", i))
		bodies = append(bodies, fmt.Sprintf("in%d_body", i))
	}
	return groupView{
		Dimension:  d.Index,
		Sources:    len(ask),
		Lowest:     p.Degree - len(d.Sources),
		Ports:      len(d.Entered),
		PortsRange: rangeOf(len(d.Entered)),
		Ask:        concat(ask),
		Accept:     concat(accept),
		Bodies:     concat(bodies),
		Made:       concat(made),
	}
}

func newOutputView(p *plan.Plan, q plan.Port) outputView {
	v := outputView{
		Index:    q.Index,
		Fed:      q.Fed,
		Ring:     q.Ring,
		Describe: describePort(q),
		Slice:    slice(q.Index*p.LinkBits, p.LinkBits),
	}
	wd := sized(p.WdBits, q.Dimension)
	group := fmt.Sprintf("group%d", q.Dimension)
	position := -1 // among the entered ports of the dimension
	for i, entered := range p.Dims[q.Dimension-1].Entered {
		if entered == q.Index {
			position = i
		}
	}
	switch {
	case q.Ring:
		v.Describe += "; a ring port"
		v.Word = fmt.Sprintf("{%s, out%d_word}", wd, q.Index)
		from := p.Ports[q.ContinueFrom]
		n := continuation(from)
		v.ContinueAsk = fmt.Sprintf("in%d_ask[%d]", from.Index, n)
		v.ContinueAccept = fmt.Sprintf("in%d_accept", from.Index)
		v.ContinueWord = fmt.Sprintf("{in%d_next_wc, in%d_body}", from.Index, from.Index)
		v.ContinueMade = fmt.Sprintf("in%d_made[%d]", from.Index, n)
		var ask, accept, words, made []string
		if position >= 0 {
			v.FromGroup = 1
			ask = append(ask, fmt.Sprintf("%s_offer[%d]", group, position))
			accept = append(accept, group+"_accept")
			words = append(words, fmt.Sprintf("%s, %s_body", sized(p.WcBits, q.First), group))
			made = append(made, fmt.Sprintf("%s_room[%d]", group, position))
		}
		for _, i := range q.TransferFrom {
			n := continuation(p.Ports[i])
			ask = append(ask, fmt.Sprintf("in%d_ask[%d]", i, n))
			accept = append(accept, fmt.Sprintf("in%d_accept", i))
			words = append(words, fmt.Sprintf("in%d_next_wc, in%d_body", i, i))
			made = append(made, fmt.Sprintf("in%d_made[%d]", i, n))
		}
		v.Entrants = len(ask)
		v.EnterAsk, v.EnterAccept, v.EnterMade = concat(ask), concat(accept), concat(made)
		if v.EnterWords = concat(words); len(words) == 1 {
			v.EnterWords = "{" + v.EnterWords + "}"
		}
	case q.Fed:
		v.Word = fmt.Sprintf("{%s, %s, out%d_body}", wd, sized(p.WcBits, q.First), q.Index)
		v.EnterAsk = fmt.Sprintf("%s_offer[%d]", group, position)
		v.EnterAccept = group + "_accept"
		v.EnterWords = group + "_body"
		v.EnterMade = fmt.Sprintf("%s_room[%d]", group, position)
	default:
		v.Describe += "; never fed"
		v.Word = fmt.Sprintf("{%d{1'b0}}", p.LinkBits)
	}
	return v
}
