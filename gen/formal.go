// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"io/fs"
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/templates"
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
	modules, err := fs.ReadDir(hdl.RouterProof, "router_proof")
	if err != nil {
		return nil, fmt.Errorf("embedded files: %w", err)
	}
	v := newProofView(p)
	for _, m := range modules {
		f, err := copied(hdl.RouterProof, "router_proof/"+m.Name(), "formal", roleFormal)
		if err != nil {
			return nil, err
		}
		f.Path = "formal/" + m.Name()
		files = append(files, f)
		v.Properties = append(v.Properties, m.Name())
	}
	script, err := copied(templates.Files, "prove.sh", "formal", roleFormal)
	if err != nil {
		return nil, err
	}
	add := func(name, template string) output.File {
		return output.File{Path: "formal/" + name, Role: roleFormal, Content: render(template, v)}
	}
	return append(files, script,
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
	Queued                              bool // link inputs have queues
	Dimensions, Largest, QueuedInputs   string

	LinksRange, PortRange, BodyRange, SourcesRange string
	LocalBody                                      string
	DeliveryRange                                  string // of the streams, with a space; "" of one stream
	DeliveryPayloads, DeliverySources              string // ranges
	Header0                                        string // wd and wc of what has none
	NoFollows                                      string // no message behind another

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
	Weights, WaitsOn          string // of a queue
}

type proofGroup struct {
	Dimension, Sources, Lowest, Ports, Turns int
	Range, Waits, Made, Turn                 string
}

type proofOutput struct {
	Name, Describe                string
	Silent                        bool // never fed
	Slots, Stored, Ring, Link     int
	Memory                        bool
	PlaceBits                     int
	Dimension, Weight             string
	Enters, Continues, Transfers  string
	Valid, Ready, Data            string
	Asks, Full, Words             string
	Made, First, Taken            string
	SlotsRange                    string
	Head, Places, Second, FreeOne string
}

// newProofView lays out what the plan says of every path from an input to an output,
// and which registers of the router tell where a copy is. The first is what is proved,
// the second only helps to prove it.
func newProofView(p *plan.Plan) *proofView {
	body := p.SourceBits + p.PayloadBits
	v := &proofView{
		Header: header(p, "//"), HeaderHash: header(p, "#"),
		Module: p.Name + "_proof", Structure: p.Name + "_structure", Router: p.RouterModule,
		Degree: p.Degree, Groups: len(p.Dims), GroupsRange: rangeOf(len(p.Dims)), Sources: p.Degree + 1,
		WdBits: p.WdBits, WcBits: p.WcBits, BodyBits: body, LinkBits: p.LinkBits,
		HeaderBits: p.WdBits + p.WcBits, SourceBits: p.SourceBits, PayloadBits: p.PayloadBits,
		TagBits:      min(2, p.PayloadBits),
		LinksRange:   rangeOf(p.Degree * p.LinkBits),
		PortRange:    rangeOf(p.Degree),
		BodyRange:    rangeOf(body),
		SourcesRange: rangeOf(p.Degree + 1),
		LocalBody:    "local_payload",
		Header0:      sized(p.WdBits+p.WcBits, 0),
		NoFollows:    sized(p.Degree+1, 0),
		Queued:       p.Stages > 1,

		DeliveryPayloads: rangeOf(p.Deliveries * p.PayloadBits),
		DeliverySources:  rangeOf(p.Deliveries * p.SourceBits),
	}
	if p.SourceBits > 0 {
		v.LocalBody = "{node_id, local_payload}"
	}
	if perPort(p) {
		v.DeliveryRange = rangeOf(p.Deliveries) + " "
	}
	v.QueuedInputs = v.NoFollows
	if v.Queued {
		v.QueuedInputs = fmt.Sprintf("{1'b0, {%d{1'b1}}}", p.Degree)
	}
	for _, m := range libraryModules(p) {
		v.RTL = append(v.RTL, m+".v")
	}
	v.RTL = append(v.RTL, p.RouterModule+".v")

	v.expose("gate_open", "gate_open", 1)
	v.expose("local_input.needed", "local_needed", len(p.Dims))
	var dimensions, largest []string
	for _, q := range p.Ports {
		dimensions = append(dimensions, sized(p.WdBits, q.Dimension))
		largest = append(largest, sized(p.WcBits, q.D))
		in := proofInput{
			Index: q.Index, Targets: targets(q),
			Dimension: sized(p.WdBits, q.Dimension), Largest: sized(p.WcBits, q.D),
			Data: slice(q.Index*p.LinkBits, p.LinkBits), TargetsRange: rangeOf(targets(q)),
		}
		if q.ContinueTo >= 0 {
			in.Continues = 1
		}
		if v.Queued {
			v.exposeQueue(p, &in)
		} else {
			v.expose(fmt.Sprintf("in%d.made_q", q.Index), fmt.Sprintf("in%d_made", q.Index), in.Targets)
		}
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

// exposeQueue looks at the two slots of an hc_queued_input, and at when copies are made.
func (v *proofView) exposeQueue(p *plan.Plan, in *proofInput) {
	name := fmt.Sprintf("in%d", in.Index)
	v.expose(name+"_made", name+"_making", in.Targets)
	v.expose(name+".ask_q", name+"_ask", in.Targets)
	v.expose(name+".accept_q", name+"_accept", 1)
	v.expose(name+".odd_q", name+"_odd", 1)
	v.expose(name+".body_even_q", name+"_body_even", v.BodyBits)
	v.expose(name+".body_odd_q", name+"_body_odd", v.BodyBits)
	v.expose(name+".waits_q", name+"_waits", 1)
	v.expose(name+".waits_accept_q", name+"_waits_accept", 1)
	in.Weights, in.WaitsOn = sized(2*p.WcBits, 0), "1'b0"
	if in.Continues > 0 {
		v.expose(name+".continues.next_wc_even_q", name+"_wc_even", p.WcBits)
		v.expose(name+".continues.next_wc_odd_q", name+"_wc_odd", p.WcBits)
		v.expose(name+".continues.waits_on_q", name+"_waits_on", 1)
		in.Weights = fmt.Sprintf("{%s_wc_odd, %s_wc_even}", name, name)
		in.WaitsOn = name + "_waits_on"
	}
}

func (v *proofView) addGroup(d plan.Dim) {
	g := proofGroup{Dimension: d.Index, Sources: 1 + len(d.Sources), Lowest: v.Degree - len(d.Sources), Ports: len(d.Entered), Turn: "1'b0"}
	name := fmt.Sprintf("group%d", d.Index)
	waits := []string{"waits[" + fmt.Sprint(v.Degree) + "]"}
	made := []string{fmt.Sprintf("local_made[%d]", d.Index-1)}
	for _, i := range d.Sources {
		waits = append(waits, fmt.Sprintf("waits[%d]", i))
		made = append(made, fmt.Sprintf("in%d_made[%d]", i, d.Index))
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
			s.made[i] = fmt.Sprintf("in%d_made[%d]", i, q.Dimension)
		}
		s.made[p.Degree] = fmt.Sprintf("local_made[%d]", q.Dimension-1)
		o.Taken = fmt.Sprintf("group%d_taken[%d]", q.Dimension, at)
	}
	for _, from := range p.Ports {
		if from.ContinueTo != q.Index {
			continue
		}
		s.made[from.Index] = fmt.Sprintf("in%d_made[%d]", from.Index, continuation(from))
		if from.Distance == q.Distance {
			s.continues[from.Index] = "1'b1"
			o.Asks = fmt.Sprintf("continues[%d]", from.Index)
		} else {
			s.transfers[from.Index] = "1'b1"
		}
	}
	s.print(&o)
	if q.Ring {
		o.Ring, o.Slots, o.Stored = 1, 1, p.WcBits+v.BodyBits
		for _, class := range []string{"output", "continue", "enter"} {
			v.expose(name+"."+class+"_full_q", name+"_"+class+"_full", 1)
			v.expose(name+"."+class+"_q", name+"_"+class, o.Stored)
		}
		o.Full = concat([]string{name + "_output_full", name + "_continue_full", name + "_enter_full"})
		o.Words = concat([]string{name + "_output", name + "_continue", name + "_enter"})
	} else {
		v.addQueue(&o, name, 1)
	}
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
		s.made[q.Index] = fmt.Sprintf("in%d_made[0]", q.Index)
	}
	s.print(&o)
	v.addQueue(&o, design, 1)
	v.Outputs = append(v.Outputs, o)
}

// addQueue looks at the slots of the hc_queue in a module of the design, which keeps them as
// they move, or in a memory.
func (v *proofView) addQueue(o *proofOutput, design string, depth int) {
	name := o.Name
	o.Slots, o.Stored = depth, v.BodyBits
	v.expose(design+".queue.level_q", name+"_level", depth)
	o.Full = name + "_level"
	o.Words = name + "_slots"
	o.SlotsRange = rangeOf(depth * v.BodyBits)
	if depth < 8 || depth*v.BodyBits < 128 {
		v.expose(design+".queue.moving.slots_q", name+"_slots", depth*v.BodyBits)
		return
	}
	o.Memory = true
	o.PlaceBits = bits.Len(uint(depth - 1))
	memory := design + ".queue.memory."
	o.Head, o.Second, o.FreeOne = name+"_head", name+"_second", name+"_free"
	v.expose(memory+"head_q", o.Head, v.BodyBits)
	v.expose(memory+"second_q", o.Second, o.PlaceBits)
	v.expose(memory+"free_q", o.FreeOne, o.PlaceBits)
	var places []string
	for n := range 1 << o.PlaceBits {
		place := fmt.Sprintf("%s_place%d", name, n)
		v.expose(fmt.Sprintf("%swords[%d]", memory, n), place, v.BodyBits)
		places = append(places, place)
	}
	o.Places = concat(places)
}

// Select is the pattern by which Yosys selects the signal.
func (e exposed) Select() string {
	return strings.NewReplacer("[", "\\[", "]", "\\]").Replace(e.Signal)
}
