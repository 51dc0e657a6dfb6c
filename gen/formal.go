// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/plan"
)

const roleFormal = "formal"

// hasProof tells whether there is a proof of the router: of one with destinations or a barrier only
// its modules are proved.
func hasProof(p *plan.Plan) bool {
	if p.Programmable != nil {
		return hasEquivalence(p)
	}
	return p.Destination == nil && !p.Machine.Barrier
}

// proofFiles are those of the proof that fits the router.
func proofFiles(p *plan.Plan) ([]output.File, error) {
	if !hasProof(p) {
		return nil, nil
	}
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
	*plan.Plan
	Header, HeaderHash    string // comments
	Module, Structure     string
	RTL, Properties       []string // files, without their folders
	PaceBits, Refill, Cap int
	CreditBits            int

	Sources int // link inputs, and the local input, which is the last
	TagBits int // lowest bits of a payload that mark a message

	signals     specializedSignals
	Exposed     exposure
	LocalBody   []string // the fields of the body, lowest first
	LocalCopied string   // groups to which the message of the local input is copied
	Dimensions  []string // of each link input
	Largest     []string // wc of each link input

	Inputs  []proofInput
	Groups  []proofGroup
	Outputs []proofOutput
}

type proofInput struct {
	plan.Port
	link
	Queued bool // it has more slots than one
}

type proofGroup struct {
	plan.Dim
	Lowest int      // the port of the first link among the sources
	Waits  []string // a message of each source waits, the local input first
	Made   []string // its copy for the group is made
}

// proofOutput is the link output of a port, or a delivery register.
type proofOutput struct {
	Name, Describe    string
	Valid, Ready      string
	Data              []string // fields of the word, lowest first
	Silent            bool     // never fed
	Link, Ring        bool
	Dimension, Weight int
	Stored            int // bits of a message that the register holds
	Paths             proofPaths
	Continues         string // a message asks to continue
	Taken             string // the port has taken the message of its group
}

// proofPath says what an output has of a source, and which signals tell of it.
type proofPath struct {
	Enters, Continues, Transfers bool
	Made                         string // the copy is made
	First                        string // the source stands first in the group
}

// proofPaths are those of an output, from each source.
type proofPaths []proofPath

// Enters, Continues, Transfers, Made and First list one thing of each path.
func (s proofPaths) Enters() []string {
	return each(s, func(q proofPath) string { return flag(q.Enters) })
}
func (s proofPaths) Continues() []string {
	return each(s, func(q proofPath) string { return flag(q.Continues) })
}
func (s proofPaths) Transfers() []string {
	return each(s, func(q proofPath) string { return flag(q.Transfers) })
}
func (s proofPaths) Made() []string  { return each(s, func(q proofPath) string { return q.Made }) }
func (s proofPaths) First() []string { return each(s, func(q proofPath) string { return q.First }) }

// newProofView lays out what the plan says of every path from an input to an output,
// and which registers of the router tell where a copy is. The first is what is proved,
// the second only helps to prove it.
func newProofView(p *plan.Plan) *proofView {
	s := specializedSignals{p}
	v := &proofView{
		Plan: p, Header: p.Notice("//"), HeaderHash: p.Notice("#"),
		Module: p.Name + "_proof", Structure: p.Name + "_structure",
		PaceBits: plan.PaceBits, Refill: plan.Refill, Cap: plan.Cap, CreditBits: s.clock().rest.Width,
		Sources: p.Degree + 1, TagBits: min(2, p.PayloadBits),
		signals: s, LocalCopied: sized(1, 0),
	}
	for _, m := range libraryModules(p) {
		v.RTL = append(v.RTL, m+".v")
	}
	v.RTL = append(v.RTL, p.RouterModule+".v")
	for _, f := range slices.Backward(p.BodyFields()) {
		v.LocalBody = append(v.LocalBody, proofPorts[f.Name].Input)
	}

	v.Exposed.add(s.localOpen(), "open")
	v.Exposed.add(s.clock().rest, "rest")
	if len(p.Dims) > 1 {
		v.LocalCopied = v.Exposed.add(s.localMade(), "local_copied")
	}
	for _, q := range p.Ports {
		v.Dimensions = append(v.Dimensions, sized(p.WdBits, q.Dimension))
		v.Largest = append(v.Largest, sized(p.WcBits, q.D))
		v.addInput(q)
	}
	for _, d := range p.Dims {
		v.addGroup(d)
	}
	for _, q := range p.Ports {
		v.addOutput(q)
	}
	for i := range p.Deliveries {
		v.addDelivery(i)
	}
	return v
}

// proofPorts names where a field of the body comes from at the local input, and where it goes at
// delivery, in the proof.
var proofPorts = map[string]struct{ Input, Output string }{
	plan.FieldSource:  {"node_id", "delivery_id"},
	plan.FieldPayload: {"local_payload", "delivery_payload"},
}

func (v *proofView) addInput(q plan.Port) {
	in := proofInput{Port: q, link: newLink(v.Plan, q), Queued: v.InputSlots > 1}
	name, s := fmt.Sprintf("in%d", q.Index), v.signals
	v.Exposed.add(s.making(q), name+"_making")
	v.Exposed.add(s.left(q), name+"_left")
	v.Exposed.add(s.room(q), name+"_room")
	v.Exposed.add(s.head(q), name+"_head")
	if in.Queued {
		v.Exposed.add(s.queue(q), name+"_slots")
	}
	v.Inputs = append(v.Inputs, in)
}

func (v *proofView) addGroup(d plan.Dim) {
	g := proofGroup{Dim: d, Lowest: v.Degree - len(d.Sources)}
	for _, path := range d.Entering() {
		waits := "local_waits"
		if path.Input != plan.Local {
			waits = fmt.Sprintf("full[%d]", path.Input*v.InputSlots)
		}
		g.Waits = append(g.Waits, waits)
		g.Made = append(g.Made, v.copied(path))
	}
	name := fmt.Sprintf("group%d", d.Index)
	v.Exposed.add(v.signals.groupTaken(d), name+"_taken")
	if len(d.Sources) > 0 {
		v.Exposed.add(v.signals.groupTurn(d), name+"_turn")
	}
	v.Groups = append(v.Groups, g)
}

// copied tells that the message of an input has been copied to a target.
func (v *proofView) copied(path plan.Path) string {
	switch {
	case path.Input != plan.Local:
		return fmt.Sprintf("in%d_copied[%d]", path.Input, path.Target)
	case len(v.Dims) > 1:
		return fmt.Sprintf("%s[%d]", v.LocalCopied, path.Target-1)
	}
	return v.LocalCopied
}

// newPaths returns paths from each source, of which there is none so far.
func (v *proofView) newPaths() proofPaths {
	return slices.Repeat(proofPaths{{Made: flag(false), First: flag(false)}}, v.Sources)
}

// from returns that of the paths that has the same input, and notes how its copies are made.
func (v *proofView) from(paths proofPaths, path plan.Path) *proofPath {
	source := path.Input
	if source == plan.Local {
		source = v.Sources - 1
	}
	paths[source].Made = v.copied(path)
	return &paths[source]
}

func (v *proofView) addOutput(q plan.Port) {
	o := proofOutput{
		Name: fmt.Sprintf("out%d", q.Index), Describe: q.Describe(),
		Valid: fmt.Sprintf("link_valid[%d]", q.Index), Ready: fmt.Sprintf("link_ready[%d]", q.Index),
		Data:   []string{"link_data" + lane(q.Index, v.LinkBits)},
		Silent: !q.Fed, Link: true, Ring: q.Ring, Dimension: q.Dimension, Weight: q.First,
		Paths: v.newPaths(), Continues: flag(false), Taken: flag(false),
	}
	d := v.Dims[q.Dimension-1]
	if at := d.Place(q.Index); at >= 0 {
		for n, path := range d.Entering() {
			from := v.from(o.Paths, path)
			from.Enters = true
			from.First = fmt.Sprintf("group%d_first[%d]", d.Index, n)
		}
		o.Taken = fmt.Sprintf("group%d_taken[%d]", d.Index, at)
	}
	if q.Ring {
		v.from(o.Paths, q.Continuing()).Continues = true
		o.Continues = fmt.Sprintf("continues[%d]", q.ContinueFrom)
		for _, path := range q.Transferring() {
			v.from(o.Paths, path).Transfers = true
		}
	}
	if q.Fed {
		o.Stored = v.exposeOutput(v.signals.output(q), o.Name)
	}
	v.Outputs = append(v.Outputs, o)
}

// addDelivery adds local output i: the only one, with messages of all links, or that of
// the link of port i.
func (v *proofView) addDelivery(i int) {
	o := proofOutput{
		Name: "delivery", Describe: "delivery", Valid: "delivery_valid", Ready: "delivery_ready",
		Paths: v.newPaths(), Continues: flag(false), Taken: flag(false),
	}
	if v.PerPort() {
		o.Name = fmt.Sprintf("delivery%d", i)
		o.Describe = fmt.Sprintf("delivery of what comes through port %d", i)
		o.Valid += lane(i, 1)
		o.Ready += lane(i, 1)
	}
	for _, f := range slices.Backward(v.BodyFields()) {
		data := proofPorts[f.Name].Output
		if v.PerPort() {
			data += lane(i, f.Bits)
		}
		o.Data = append(o.Data, data)
	}
	o.Data = append(o.Data, sized(v.HeaderBits(), 0))
	for _, path := range v.Delivering(i) {
		v.from(o.Paths, path).Enters = true
	}
	o.Stored = v.exposeOutput(v.signals.delivery(i), o.Name)
	v.Outputs = append(v.Outputs, o)
}

// exposeOutput looks at an output register and returns the bits of the message in it.
func (v *proofView) exposeOutput(r outputRegister, name string) int {
	v.Exposed.add(r.full, name+"_full")
	v.Exposed.add(r.data, name+"_stored")
	return r.data.Width
}
