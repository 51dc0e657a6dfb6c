// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
)

// formalFiles returns the hand-written property modules that the router needs, the modules that wire them to
// the router, and the claims about the router and its rings.
func formalFiles(p *plan.Plan) ([]artifact.File, error) {
	var files []artifact.File
	modules, err := fs.ReadDir(hdl.RouterProof, "proofs/router")
	if err != nil {
		return nil, fmt.Errorf("embedded files: %w", err)
	}
	v := newProofView(p)
	for _, m := range modules {
		if unneeded(p, m.Name()) {
			continue
		}
		f, err := artifact.Copied(hdl.RouterProof, "proofs/router/"+m.Name(), "formal", artifact.Formal)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		v.Properties = append(v.Properties, m.Name())
	}
	files = append(files,
		formalFile(v.Module+".v", "proof.v.tmpl", v),
		formalFile(v.Structure+".v", "structure.v.tmpl", v),
		formalFile(p.RouterModule+claimEnding, "router.sby.tmpl", v))
	return append(files, ringsFiles(p)...), nil
}

// Tasks and Count are printed by the claim about the router.
func (v *proofView) Tasks() proofTasks { return inductive(1) }
func (v *proofView) Count() (properties, error) {
	var modules []string
	for _, name := range v.Properties {
		text, err := fs.ReadFile(hdl.RouterProof, "proofs/router/"+name)
		if err != nil {
			return properties{}, err
		}
		modules = append(modules, string(text))
	}
	return countRendered(v.Module, nil, "proof.v.tmpl", v, modules...)
}

// unneeded reports whether the proof of the router does not use a property module.
func unneeded(p *plan.Plan, file string) bool {
	switch file {
	case "hc_prove_barrier.v":
		return !p.Machine.Barrier
	case "hc_prove_ring.v":
		return !rtl.HasRings(p)
	case "hc_prove_destination.v", "hc_prove_entry.v", "hc_prove_targets.v":
		return p.Destination == nil
	case "hc_prove_silent.v":
		return p.Destination != nil
	}
	return false
}

// proofView is everything the templates of the proof print.
type proofView struct {
	*plan.Plan
	Header, HeaderHash string // comments
	Module, Structure  string
	RTL, Properties    []string // files, without their folders
	UnicastCost        int
	CreditBits         int

	Sources     int // link inputs, and the local input, which is the last
	TagBits     int // lowest bits of a payload that mark a message
	SpreadBits  int // 1 with destinations, else 0
	MessageBits int // of a message in the proof, {wd, wc, spread, the fields of all dimensions, body}
	TargetBits  int // number of its targets: delivery and the groups

	Connections []verilog.Connection // of the router in the proof of its structure
	Optional    []plan.Wire          // of options
	Body        []carrier            // of fields of the body, lowest first

	signals      specializedSignals
	Exposed      exposure
	LocalData    []string // the streams of the node's message, lowest first
	LocalBits    int      // width of LocalData
	LocalMessage []string // its message, lowest first
	LocalDone    string   // groups to which the message of the local input is copied
	Dimensions   []string // of each link input
	Largest      []string // wc of each link input
	Route        proofRoute

	Diameter, PhaseBits, CountBits int // with a barrier

	Inputs  []proofInput
	Groups  []proofGroup
	Outputs []proofOutput
	Hold    []string // each: a ring port holds the pace

	Unproved *unprovedRings // nil if there are none
}

// proofRoute lays out destinations: a number of 16 bits of each dimension, dimension 1 lowest, and sums.
type proofRoute struct {
	Nodes, Rhos, MaxDistances []string // m, rho and floor(m / 2)
	DigitBits, XBits          []string // of a digit and of a distance
	DigitsBits, RouteBits     int      // of all digits, and of all fields
	TDestBits                 int
}

// carrier names the wires by which a field of the body comes from the node, and goes to it.
type carrier struct{ Input, Output string }

type proofInput struct {
	plan.Port
	Message  []string // the message on the link, lowest first
	WordBits int
	Queued   bool // the input has more than one slot
}

type proofGroup struct {
	plan.Dim
	Lowest   int      // the port of the first link among the sources
	Requests []string // the message of each source waits to enter, the local input first
	Sources  []string // the marks belong to each source; hides the field of the plan
	Wanted   []string // the marks that each port is to have
}

// proofOutput is the link output of a port, or a delivery register.
type proofOutput struct {
	Name, Describe string
	Valid, Ready   string
	Data           []string // parts of the word, lowest first: copied bits of the message, its header, 0
	Silent         bool     // never fed
	Link, Ring     bool
	Dimension      int
	Copied, Stored int // lowest bits of a message that are copied, and of these that the register stores
	Paths          proofPaths
	Enters, Heads  []string // whether each mark is to enter, and its {wc, spread}
	Wanted         string   // the marks that the output is to have
	Entry          *proofEntry
	Continues      string // a message requests to continue
	Done           string // the port has taken the message of its group
	Passes         *proofPasses
}

// proofPasses names the signals that show how often the entrants of a ring port have been passed.
type proofPasses struct {
	Entrants            []string // each: a well-formed message requests to enter or to transfer
	Valid               string   // the message that requests to continue is well formed
	Hold                string   // entrants have been passed in two ticks
	Marked              bool     // messages of links are among the entrants
	Passed, Once, Twice string   // the registers of the marks, if Marked
}

// proofEntry describes how messages with destinations enter on a port.
type proofEntry struct {
	plan.Port
	MaxDistance, XBits int
	Clockwise          bool     // the port leads clockwise
	Both               bool     // the port serves both directions
	Targets            []string // whether its group is a target of each mark
	Fields             []string // the field of each mark in its dimension
}

// proofPath describes the copies that an output has of the messages of a source.
type proofPath struct {
	Enters, Continues, Transfers bool
	Requests                     string // the copy of the waiting message is left
	First                        string // the pointers of the group lead to the source
}

// proofPaths are the paths to an output, by source.
type proofPaths []proofPath

// Enters, Continues, Transfers, Requests and First list a field of each path.
func (s proofPaths) Enters() []string {
	return each.Of(s, func(q proofPath) string { return verilog.Flag(q.Enters) })
}
func (s proofPaths) Continues() []string {
	return each.Of(s, func(q proofPath) string { return verilog.Flag(q.Continues) })
}
func (s proofPaths) Transfers() []string {
	return each.Of(s, func(q proofPath) string { return verilog.Flag(q.Transfers) })
}
func (s proofPaths) Requests() []string {
	return each.Of(s, func(q proofPath) string { return q.Requests })
}
func (s proofPaths) First() []string { return each.Of(s, func(q proofPath) string { return q.First }) }

// newProofView lists the paths from inputs to outputs, which the plan gives, and the registers of the router
// that record where copies are. The paths are proved; the registers only help to prove them.
func newProofView(p *plan.Plan) *proofView {
	s := specializedSignals{p}
	v := &proofView{
		Plan: p, Header: p.Notice("//"), HeaderHash: p.Notice("#"),
		Module: p.Module("proof"), Structure: p.Module("structure"),
		UnicastCost: plan.UnicastCost, CreditBits: s.clock().rest.Width,
		Sources: p.Degree + 1, TagBits: min(2, p.PayloadBits), MessageBits: p.LinkBits, TargetBits: len(p.Dims) + 1,
		signals: s, LocalDone: verilog.Sized(len(p.Dims), 0),
	}
	for _, m := range rtl.LibraryModules(p) {
		v.RTL = append(v.RTL, m+".v")
	}
	v.RTL = append(v.RTL, p.RouterModule+".v")
	list := plan.InProofOrder(p.RouterWires())
	v.Optional = slices.DeleteFunc(slices.Clone(list), func(w plan.Wire) bool { return w.Core })
	v.Connections = each.Of(list, func(w plan.Wire) verilog.Connection { return verilog.To(w.Name, w.InProof()) })
	v.layOutMessages()

	v.Exposed.add(s.localOpen(), "open")
	v.Exposed.add(s.clock().rest, "rest")
	if p.Machine.Barrier {
		v.Diameter, v.PhaseBits = p.Machine.Graph.Diameter(), s.barrierPhase().Width
		v.Exposed.add(s.barrierPhase(), "barrier_phase")
		v.CountBits = 1
		if v.BarrierPeriod() > 1 {
			v.CountBits = s.barrierCount().Width
			v.Exposed.add(s.barrierCount(), "barrier_count")
		}
	}
	if len(p.Dims) > 1 {
		v.LocalDone = v.Exposed.add(s.localDone(), "local_done")
	}
	for _, q := range p.Ports {
		v.Dimensions = append(v.Dimensions, verilog.Sized(p.WdBits, q.Dimension))
		v.Largest = append(v.Largest, verilog.Sized(p.WcBits, q.D))
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
	v.Unproved = longRings(p)
	return v
}

// Exposing are the connections of the router with the signals that become its outputs, before the last.
func (v *proofView) Exposing() []verilog.Connection {
	exposed := each.Of(v.Exposed, func(x exposed) verilog.Connection { return verilog.To(`\`+x.Path+" ", x.Name) })
	return slices.Insert(slices.Clone(v.Connections), len(v.Connections)-1, exposed...)
}

// layOutMessages computes the place of each part of a message, and the parts of a message of the node.
func (v *proofView) layOutMessages() {
	for _, f := range slices.Backward(v.BodyFields()) {
		input, output := v.Carriers(f.Name)
		v.Body = append(v.Body, carrier{input.InProof(), output.InProof()})
		v.LocalMessage = append(v.LocalMessage, rtl.BodyOfNode(v.Plan, f.Name, plan.Wire.InProof)...)
		if f.Name != plan.FieldScope { // which is a part of the destination
			v.LocalData = append(v.LocalData, input.InProof())
		}
	}
	v.LocalBits = v.BodyBits() - v.ScopeBits
	if d := v.Destination; d != nil {
		r := &v.Route
		for i, dim := range v.Dims {
			f := d.Fields[i]
			r.Nodes = append(r.Nodes, verilog.Sized(16, dim.M))
			r.Rhos = append(r.Rhos, verilog.Sized(16, dim.Rho))
			r.MaxDistances = append(r.MaxDistances, verilog.Sized(16, f.MaxDistance))
			r.DigitBits = append(r.DigitBits, verilog.Sized(16, f.DigitBits))
			r.XBits = append(r.XBits, verilog.Sized(16, f.DistanceBits))
		}
		highest := d.Fields[len(v.Dims)-1]
		r.DigitsBits, r.TDestBits, r.RouteBits = d.DigitsBits, d.TDestBits, highest.RouteLow+highest.Bits()
		v.SpreadBits = 1
		v.MessageBits += highest.Bits() // no link carries it
		v.LocalData = append(v.LocalData, "local_dest")
		v.LocalBits += d.TDestBits
		v.LocalMessage = append(v.LocalMessage, "local_fields")
	}
	v.LocalMessage = append(v.LocalMessage, verilog.Sized(v.WdBits+v.WcBits+v.SpreadBits, 0))
}

// carried is the number of lowest bits of a message that a link of dimension i, 1..r, carries.
func (v *proofView) carried(i int) int { return v.RouteBelow(i) + v.BodyBits() }

// onLink lists the parts of a message on a link, in a vector of links: the carried lowest bits, the fields of
// the destination that the link does not carry, if any, and the header down to spread.
func (v *proofView) onLink(vector string, q plan.Port) (carried, head, other string) {
	low := q.Index * v.LinkBits
	bits, top := v.carried(q.Dimension), v.LinkBits-v.WdBits-v.WcBits-v.SpreadBits
	if top > bits {
		other = vector + verilog.Slice(low+bits, top-bits)
	}
	return vector + verilog.Slice(low, bits), vector + verilog.Slice(low+top, v.LinkBits-top), other
}

// marks returns a text for every mark.
func (v *proofView) marks(text func(mark int) string) (texts []string) {
	for m := range v.TagBits {
		texts = append(texts, text(m))
	}
	return texts
}

func (v *proofView) addInput(q plan.Port) {
	in := proofInput{Port: q, WordBits: v.signals.slotBits(q), Queued: v.InputSlots > 1}
	carried, head, _ := v.onLink("s_data", q)
	in.Message = []string{carried, head}
	if gap := v.MessageBits - v.carried(q.Dimension) - v.WdBits - v.WcBits - v.SpreadBits; gap > 0 {
		in.Message = []string{carried, verilog.Sized(gap, 0), head}
	}
	name, s := fmt.Sprintf("in%d", q.Index), v.signals
	v.Exposed.add(s.grants(q), name+"_grant")
	v.Exposed.add(s.pending(q), name+"_pending")
	v.Exposed.add(s.free(q), name+"_free")
	v.Exposed.add(s.head(q), name+"_head")
	if in.Queued {
		v.Exposed.add(s.queue(q), name+"_slots")
	}
	v.Inputs = append(v.Inputs, in)
}

func (v *proofView) addGroup(d plan.Dim) {
	g := proofGroup{Dim: d, Lowest: v.Degree - len(d.Sources)}
	for _, path := range d.Entering() {
		g.Requests = append(g.Requests, v.requests(path))
		g.Sources = append(g.Sources, fmt.Sprintf("source[%d]", v.source(path)))
	}
	for _, port := range d.Entered {
		g.Wanted = append(g.Wanted, "wanted"+verilog.Lane(port, v.TagBits))
	}
	name := fmt.Sprintf("group%d", d.Index)
	v.Exposed.add(v.signals.groupDone(d), name+"_done")
	if len(d.Sources) > 0 {
		v.Exposed.add(v.signals.groupPointer(d), name+"_pointer")
	}
	v.Groups = append(v.Groups, g)
}

// requests names the signal of an input whose waiting message is still to be copied to a target.
func (v *proofView) requests(path plan.Path) string {
	if path.Input == plan.Local {
		return fmt.Sprintf("local_request[%d]", path.Target-1)
	}
	return fmt.Sprintf("in%d_request[%d]", path.Input, path.Target)
}

// source is the number of the input of a path.
func (v *proofView) source(path plan.Path) int {
	if path.Input == plan.Local {
		return v.Sources - 1
	}
	return path.Input
}

// newPaths returns an empty path for each source.
func (v *proofView) newPaths() proofPaths {
	return slices.Repeat(proofPaths{{Requests: verilog.Flag(false), First: verilog.Flag(false)}}, v.Sources)
}

// from returns the path from the same input, after entering the signal of its copies.
func (v *proofView) from(paths proofPaths, path plan.Path) *proofPath {
	from := &paths[v.source(path)]
	from.Requests = v.requests(path)
	return from
}

func (v *proofView) addOutput(q plan.Port) {
	o := proofOutput{
		Name: fmt.Sprintf("out%d", q.Index), Describe: q.Describe(),
		Valid: fmt.Sprintf("link_valid[%d]", q.Index), Ready: fmt.Sprintf("link_ready[%d]", q.Index),
		Silent: !q.Fed, Link: true, Ring: q.Ring, Dimension: q.Dimension, Copied: v.carried(q.Dimension),
		Paths: v.newPaths(), Wanted: "wanted" + verilog.Lane(q.Index, v.TagBits), Continues: verilog.Flag(false), Done: verilog.Flag(false),
		Enters: v.marks(func(int) string { return verilog.Flag(true) }),
		Heads:  v.marks(func(int) string { return verilog.Sized(v.WcBits, q.First) }),
	}
	carried, head, other := v.onLink("link_data", q)
	o.Data = []string{carried, head}
	if other != "" {
		o.Data = append(o.Data, other)
	}
	if v.Destination != nil {
		o.Entry = v.newEntry(q)
		o.Enters, o.Heads = []string{o.Name + "_enters"}, []string{o.Name + "_heads"}
	}
	d := v.Dims[q.Dimension-1]
	if at := d.Place(q.Index); at >= 0 {
		for n, path := range d.Entering() {
			from := v.from(o.Paths, path)
			from.Enters = true
			from.First = fmt.Sprintf("group%d_first[%d]", d.Index, n)
		}
		o.Done = fmt.Sprintf("group%d_done[%d]", d.Index, at)
	}
	if q.Ring {
		v.from(o.Paths, q.Continuing()).Continues = true
		o.Continues = fmt.Sprintf("continues[%d]", q.ContinueFrom)
		for _, path := range q.Transferring() {
			v.from(o.Paths, path).Transfers = true
		}
		o.Passes = v.newPasses(q, o.Name)
		v.Hold = append(v.Hold, o.Passes.Hold)
	}
	if q.Fed {
		o.Stored = v.exposeOutput(v.signals.output(q), o.Name)
	}
	v.Outputs = append(v.Outputs, o)
}

// newPasses names the entrants of a ring port and its marks.
func (v *proofView) newPasses(q plan.Port, name string) *proofPasses {
	r := &proofPasses{
		Valid: fmt.Sprintf("head_valid[%d]", q.ContinueFrom), Hold: name + "_hold", Marked: rtl.Marked(v.Plan, q),
		Passed: verilog.Flag(false), Once: verilog.Flag(false), Twice: verilog.Flag(false),
	}
	if r.Marked {
		mark := v.signals.ringMark(q)
		r.Passed, r.Once, r.Twice = v.Exposed.add(mark.passed, name+"_passed"), v.Exposed.add(mark.once, name+"_once"), v.Exposed.add(mark.twice, name+"_twice")
	}
	d := v.Dims[q.Dimension-1]
	if at := d.Place(q.Index); at >= 0 {
		group := fmt.Sprintf("group%d", d.Index)
		request, valid := v.Exposed.add(v.signals.groupRequest(d), group+"_request"), v.Exposed.add(v.signals.groupValid(d), group+"_valid")
		r.Entrants = append(r.Entrants, fmt.Sprintf("(%s[%d] & %s)", request, at, valid))
	}
	for _, path := range q.Transferring() {
		r.Entrants = append(r.Entrants, fmt.Sprintf("(continues[%d] & head_valid[%d])", path.Input, path.Input))
	}
	return r
}

func (v *proofView) newEntry(q plan.Port) *proofEntry {
	f := v.Destination.Fields[q.Dimension-1]
	return &proofEntry{
		Port: q, MaxDistance: f.MaxDistance, XBits: f.DistanceBits,
		Clockwise: q.Direction == hypercycle.CW, Both: 2*q.Distance == v.Dims[q.Dimension-1].M,
		Targets: v.marks(func(m int) string { return "mark_targets" + verilog.Slice(m*v.TargetBits+q.Dimension, 1) }),
		Fields:  v.marks(func(m int) string { return "words" + verilog.Slice(m*v.MessageBits+v.carried(q.Dimension), f.Bits()) }),
	}
}

// addDelivery adds local output i: the merged output of all links, or the output of the link of port i.
func (v *proofView) addDelivery(i int) {
	o := proofOutput{
		Name: "delivery", Describe: "delivery", Valid: "delivery_valid", Ready: "delivery_ready",
		Copied: v.BodyBits(), Paths: v.newPaths(), Continues: verilog.Flag(false), Done: verilog.Flag(false),
		Enters: v.marks(func(m int) string { return "mark_targets" + verilog.Slice(m*v.TargetBits, 1) }),
		Heads:  v.marks(func(int) string { return verilog.Sized(v.WcBits+v.SpreadBits, 0) }),
	}
	if v.PerPort() {
		o.Name = fmt.Sprintf("delivery%d", i)
		o.Describe = fmt.Sprintf("delivery of what comes through port %d", i)
		o.Valid += verilog.Lane(i, 1)
		o.Ready += verilog.Lane(i, 1)
	}
	for _, f := range slices.Backward(v.BodyFields()) {
		_, output := v.Carriers(f.Name)
		data := output.InProof()
		if v.PerPort() {
			data += verilog.Lane(i, f.Bits)
		}
		o.Data = append(o.Data, data)
	}
	o.Data = append(o.Data, verilog.Sized(v.HeaderBits(), 0))
	for _, path := range v.Delivering(i) {
		v.from(o.Paths, path).Enters = true
	}
	o.Stored = v.exposeOutput(v.signals.delivery(i), o.Name)
	v.Outputs = append(v.Outputs, o)
}

// exposeOutput exposes an output register and returns the number of message bits in it.
func (v *proofView) exposeOutput(r outputRegister, name string) int {
	v.Exposed.add(r.full, name+"_full")
	v.Exposed.add(r.data, name+"_stored")
	return r.data.Width
}
