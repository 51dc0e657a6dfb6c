// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"io/fs"
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/plan"
)

const roleFormal = "formal"

// proofFiles are those of the proof that fits the router.
func proofFiles(p *plan.Plan) ([]output.File, error) {
	if p.Programmable != nil {
		return equivalenceFiles(p)
	}
	return formalFiles(p)
}

// formalFiles are the hand-written property modules, what wires them to the router, the
// script of Yosys that puts both together, and what runs it.
func formalFiles(p *plan.Plan) ([]output.File, error) {
	var files []output.File
	modules, err := fs.ReadDir(hdl.RouterProof, "proofs/router")
	if err != nil {
		return nil, fmt.Errorf("embedded files: %w", err)
	}
	v := newProofView(p)
	for _, m := range modules {
		f, err := copied(hdl.RouterProof, "proofs/router/"+m.Name(), "formal", roleFormal)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		v.Properties = append(v.Properties, m.Name())
	}
	scripts, err := proofScripts()
	if err != nil {
		return nil, err
	}
	add := func(name, template string) output.File {
		return output.File{Path: "formal/" + name, Role: roleFormal, Content: render(template, v)}
	}
	return append(append(files, scripts...),
		add(v.Module+".v", "proof.v.tmpl"),
		add(v.Module+".ys", "proof.ys.tmpl"),
		add(v.Module+".sby", "proof.sby.tmpl"),
		add(v.Structure+".v", "structure.v.tmpl"),
		add(v.Structure+".ys", "structure.ys.tmpl")), nil
}

// proofView is everything the templates of the proof print.
type proofView struct {
	Header, HeaderHash        string // comments
	Module, Structure, Router string
	RTL, Properties           []string // files, without their folders

	Degree, Groups, Sources             int
	GroupsRange                         string
	WdBits, WcBits, BodyBits, LinkBits  int
	HeaderBits, SourceBits, PayloadBits int
	TagBits                             int
	Slots, Bypass                       int // of link inputs
	Refill, Cap, CreditBits             int // of the pace
	Dimensions, Largest                 string

	LinksRange, PortRange, SourcesRange string
	PaceRange, PacesRange               string
	QueuesRange, QueueWordsRange        string // of all link inputs
	LocalBody, LocalCopied              string
	DeliveryRange                       string // of the streams, with a space; "" of one stream
	DeliveryPayloads, DeliverySources   string // ranges
	Header0                             string // wd and wc of what has none

	Inputs    []proofInput
	GroupList []proofGroup
	Outputs   []proofOutput
	Exposed   []exposed
}

// exposed is an internal signal of the router that the proof looks at.
type exposed struct {
	Signal string // in the flattened router
	Name   string // in the proof
	Range  string
}

type proofInput struct {
	Index, Continues, Targets int
	Dimension, Largest, Data  string
	TargetsRange              string
	Stored                    string // the slots
	Queue, QueueWords         string // parts of those of all inputs
}

type proofGroup struct {
	Dimension, Sources, Lowest, Ports, Turns int
	Range, Waits, Made, Turn                 string
}

type proofOutput struct {
	Name, Describe               string
	Silent                       bool // never fed
	Stored, Ring, Link           int
	Dimension, Weight            string
	Enters, Continues, Transfers string
	Valid, Ready, Data           string
	Asks                         string
	Made, First, Taken           string
}

// newProofView lays out what the plan says of every path from an input to an output,
// and which registers of the router tell where a copy is. The first is what is proved,
// the second only helps to prove it.
func newProofView(p *plan.Plan) *proofView {
	body := p.SourceBits + p.PayloadBits
	v := &proofView{
		Header: p.Notice("//"), HeaderHash: p.Notice("#"),
		Module: p.Name + "_proof", Structure: p.Name + "_structure", Router: p.RouterModule,
		Degree: p.Degree, Groups: len(p.Dims), GroupsRange: rangeOf(len(p.Dims)), Sources: p.Degree + 1,
		WdBits: p.WdBits, WcBits: p.WcBits, BodyBits: body, LinkBits: p.LinkBits,
		HeaderBits: p.WdBits + p.WcBits, SourceBits: p.SourceBits, PayloadBits: p.PayloadBits,
		TagBits:      min(2, p.PayloadBits),
		LinksRange:   rangeOf(p.Degree * p.LinkBits),
		PortRange:    rangeOf(p.Degree),
		SourcesRange: rangeOf(p.Degree + 1),
		LocalBody:    "local_payload",
		Header0:      sized(p.WdBits+p.WcBits, 0),

		Slots: p.InputSlots, Refill: plan.Refill, Cap: plan.Cap, CreditBits: bits.Len(uint(plan.Cap)),
		PaceRange: rangeOf(plan.PaceBits), PacesRange: rangeOf(plan.PaceBits * p.Degree),
		QueuesRange: rangeOf(p.Degree * p.InputSlots), QueueWordsRange: rangeOf(p.Degree * p.InputSlots * p.LinkBits),

		DeliveryPayloads: rangeOf(p.Deliveries * p.PayloadBits),
		DeliverySources:  rangeOf(p.Deliveries * p.SourceBits),
	}
	if p.SourceBits > 0 {
		v.LocalBody = "{node_id, local_payload}"
	}
	if perPort(p) {
		v.DeliveryRange = rangeOf(p.Deliveries) + " "
	}
	if p.Stages == 1 {
		v.Bypass = 1
	}
	for _, m := range libraryModules(p) {
		v.RTL = append(v.RTL, m+".v")
	}
	v.RTL = append(v.RTL, p.RouterModule+".v")

	v.expose("local_open", "open", 1)
	v.expose("neighbour_clock.rest_q", "rest", v.CreditBits)
	if v.LocalCopied = sized(1, 0); len(p.Dims) > 1 {
		v.LocalCopied = "local_copied"
		v.expose("local_input.several.made_q", v.LocalCopied, len(p.Dims))
	}
	var dimensions, largest []string
	for _, q := range p.Ports {
		dimensions = append(dimensions, sized(p.WdBits, q.Dimension))
		largest = append(largest, sized(p.WcBits, q.D))
		in := proofInput{
			Index: q.Index, Targets: targets(q),
			Dimension: sized(p.WdBits, q.Dimension), Largest: sized(p.WcBits, q.D),
			Data: slice(q.Index*p.LinkBits, p.LinkBits), TargetsRange: rangeOf(targets(q)),
		}
		v.exposeInput(p, &in, q)
		v.Inputs = append(v.Inputs, in)
	}
	v.Dimensions, v.Largest = concat(dimensions), concat(largest)
	for _, d := range p.Dims {
		v.addGroup(d)
	}
	for _, q := range p.Ports {
		v.addOutput(p, q)
	}
	for i := range p.Deliveries {
		v.addDelivery(p, i)
	}
	return v
}

func (v *proofView) expose(signal, name string, width int) {
	v.Exposed = append(v.Exposed, exposed{Signal: signal, Name: name, Range: rangeOf(width)})
}

// exposeInput looks at the registers of an hc_link_input, and at when copies are made.
func (v *proofView) exposeInput(p *plan.Plan, in *proofInput, q plan.Port) {
	word := v.BodyBits
	if q.ContinueTo >= 0 {
		in.Continues = 1
		word += p.WcBits
	}
	name := fmt.Sprintf("in%d", in.Index)
	v.expose(name+"_made", name+"_making", in.Targets)
	v.expose(name+".left_q", name+"_left", in.Targets)
	v.expose(name+".room_q", name+"_room", v.Slots)
	v.expose(name+".head_q", name+"_head", word)
	in.Stored = name + "_head"
	if v.Slots > 1 {
		v.expose(name+".queue.slots_q", name+"_slots", (v.Slots-1)*word)
		in.Stored = concat([]string{in.Stored, name + "_slots"})
	}
	in.Queue = slice(in.Index*v.Slots, v.Slots)
	in.QueueWords = slice(in.Index*v.Slots*v.LinkBits, v.Slots*v.LinkBits)
}

func (v *proofView) addGroup(d plan.Dim) {
	g := proofGroup{Dimension: d.Index, Sources: 1 + len(d.Sources), Lowest: v.Degree - len(d.Sources), Ports: len(d.Entered), Turn: "1'b0"}
	name := fmt.Sprintf("group%d", d.Index)
	waits := []string{"local_waits"}
	made := []string{v.localCopied(d.Index)}
	for _, i := range d.Sources {
		waits = append(waits, fmt.Sprintf("full[%d]", i*v.Slots))
		made = append(made, fmt.Sprintf("in%d_copied[%d]", i, d.Index))
	}
	g.Waits, g.Made, g.Range = concat(waits), concat(made), rangeOf(g.Sources)
	g.Turns = max(1, g.Sources-1)
	v.expose(name+".taken_q", name+"_taken", g.Ports)
	if g.Sources > 1 {
		v.expose(name+".arbiter.several.turn_q", name+"_turn", g.Turns)
		g.Turn = name + "_turn"
	}
	v.GroupList = append(v.GroupList, g)
}

// localCopied tells that the message of the local input has been copied to the group of a dimension.
func (v *proofView) localCopied(dimension int) string {
	if v.Groups == 1 {
		return v.LocalCopied
	}
	return fmt.Sprintf("%s[%d]", v.LocalCopied, dimension-1)
}

// paths says for every input, the local one last, whether its messages enter, continue
// on or transfer to a port, and how the router notes that the copy is made.
type paths struct {
	enters, continues, transfers, made, first []string
}

func (v *proofView) newPaths() *paths {
	s := &paths{}
	for _, list := range []*[]string{&s.enters, &s.continues, &s.transfers, &s.made, &s.first} {
		*list = slices.Repeat([]string{"1'b0"}, v.Sources)
	}
	return s
}

func (s *paths) print(o *proofOutput) {
	o.Enters, o.Continues, o.Transfers = concat(s.enters), concat(s.continues), concat(s.transfers)
	o.Made, o.First = concat(s.made), concat(s.first)
}

func (v *proofView) addOutput(p *plan.Plan, q plan.Port) {
	name := fmt.Sprintf("out%d", q.Index)
	o := proofOutput{
		Name: name, Describe: describePort(q), Link: 1,
		Dimension: sized(p.WdBits, q.Dimension), Weight: sized(p.WcBits, q.First),
		Valid: fmt.Sprintf("link_valid[%d]", q.Index), Ready: fmt.Sprintf("link_ready[%d]", q.Index),
		Data: "link_data" + slice(q.Index*p.LinkBits, p.LinkBits),
		Asks: "1'b0", Taken: "1'b0",
	}
	if !q.Fed {
		o.Silent = true
		v.Outputs = append(v.Outputs, o)
		return
	}
	s := v.newPaths()
	d := p.Dims[q.Dimension-1]
	if at := slices.Index(d.Entered, q.Index); at >= 0 {
		for n, i := range append([]int{p.Degree}, d.Sources...) {
			s.enters[i] = "1'b1"
			s.first[i] = fmt.Sprintf("group%d_first[%d]", q.Dimension, n)
			s.made[i] = fmt.Sprintf("in%d_copied[%d]", i, q.Dimension)
		}
		s.made[p.Degree] = v.localCopied(q.Dimension)
		o.Taken = fmt.Sprintf("group%d_taken[%d]", q.Dimension, at)
	}
	for _, from := range p.Ports {
		if from.ContinueTo != q.Index {
			continue
		}
		s.made[from.Index] = fmt.Sprintf("in%d_copied[%d]", from.Index, continuation(from))
		if from.Distance == q.Distance {
			s.continues[from.Index] = "1'b1"
			o.Asks = fmt.Sprintf("continues[%d]", from.Index)
		} else {
			s.transfers[from.Index] = "1'b1"
		}
	}
	s.print(&o)
	o.Stored = v.BodyBits
	if q.Ring {
		o.Ring, o.Stored = 1, p.WcBits+v.BodyBits
		name += ".register"
	}
	v.exposeOutput(&o, name)
	v.Outputs = append(v.Outputs, o)
}

// addDelivery adds local output i: the only one, with messages of all links, or that of
// the link of port i.
func (v *proofView) addDelivery(p *plan.Plan, i int) {
	o := proofOutput{
		Name: "delivery", Describe: "delivery", Valid: "delivery_valid", Ready: "delivery_ready",
		Dimension: sized(p.WdBits, 0), Weight: sized(p.WcBits, 0), Asks: "1'b0", Taken: "1'b0",
	}
	payload, source, design := "delivery_payload", "delivery_id", "delivery"
	from := p.Ports
	if perPort(p) {
		o.Name = fmt.Sprintf("delivery%d", i)
		o.Describe = fmt.Sprintf("delivery of what comes through port %d", i)
		o.Valid += slice(i, 1)
		o.Ready += slice(i, 1)
		payload += slice(i*p.PayloadBits, p.PayloadBits)
		source += slice(i*p.SourceBits, p.SourceBits)
		design = fmt.Sprintf("delivery.source[%d]", i)
		from = p.Ports[i : i+1]
	}
	if o.Data = concat([]string{payload, v.Header0}); p.SourceBits > 0 {
		o.Data = concat([]string{payload, source, v.Header0})
	}
	s := v.newPaths()
	for _, q := range from {
		s.enters[q.Index] = "1'b1"
		s.made[q.Index] = fmt.Sprintf("in%d_copied[0]", q.Index)
	}
	s.print(&o)
	o.Stored = v.BodyBits
	v.exposeOutput(&o, design+".register")
	v.Outputs = append(v.Outputs, o)
}

// exposeOutput looks at an hc_output.
func (v *proofView) exposeOutput(o *proofOutput, design string) {
	v.expose(design+".full_q", o.Name+"_full", 1)
	v.expose(design+".data_q", o.Name+"_stored", o.Stored)
}

// Select is the pattern by which Yosys selects the signal.
func (e exposed) Select() string {
	return strings.NewReplacer("[", "\\[", "]", "\\]").Replace(e.Signal)
}
