// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/registers"
	"github.com/hcgen/hcgen/plan"
)

// configurationModules are those of a programmable router that the proof has a stand-in for:
// hc_configuration and what only that is made of.
var configurationModules = []string{"hc_node_count", "hc_weight", "hc_weight_engine", "hc_config_registers", "hc_configuration"}

// equivalenceFiles prove that a programmable router, told its machine, is the specialized
// router of that machine: the specialized router and the modules that it alone has, what
// drives both, and the scripts.
func equivalenceFiles(p *plan.Plan) ([]output.File, error) {
	special := specialized(p)
	v := newEquivalenceView(p, special)
	var files []output.File
	for _, m := range v.own {
		f, err := moduleFile(m, "formal", roleFormal)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	scripts, err := proofScripts()
	if err != nil {
		return nil, err
	}
	add := func(name, template string, view any) {
		files = append(files, output.File{Path: "formal/" + name, Role: roleFormal, Content: render(template, view)})
	}
	files = append(files, scripts...)
	add(special.RouterModule+".v", "router.v.tmpl", newRouterView(special))
	add(v.Machine+".v", "machine.v.tmpl", v)
	add(v.StandIn+".v", "standin.v.tmpl", v)
	add(v.Told+".v", "told.v.tmpl", v)
	add(v.Told+".ys", "told.ys.tmpl", v)
	add(v.Module+".v", "equivalence.v.tmpl", v)
	add(v.Module+".ys", "equivalence.ys.tmpl", v)
	return files, nil
}

// specialized is the plan of the specialized router of the machine that a programmable one is
// told. Source ids are as wide as on the links of the programmable one.
func specialized(p *plan.Plan) *plan.Plan {
	m := *p.Machine
	m.Programmable = nil
	s := plan.New(&m)
	s.RouterModule = p.Name + "_specialized"
	s.SourceBits = p.SourceBits
	s.LinkBits = s.WdBits + s.WcBits + s.SourceBits + s.PayloadBits
	return s
}

// equivalenceView is everything the templates of the proof print.
type equivalenceView struct {
	Header, HeaderHash string // comments
	*plan.Programmable

	Module, Told, StandIn, Machine, Router, Special string
	RTL, SpecialRTL, ConfigurationRTL               []string // files, without their folders
	own                                             []string // modules of the specialized router alone

	Degree, RouterPorts                int
	WdBits, WcBits, BodyBits, LinkBits int // of the programmable router
	SpecialWd, SpecialWc, SpecialLink  int
	PortBits                           int // of what hc_weight_engine says of a port
	PayloadBits, SourceBits            int
	Silent                             int // ports that the machine does not have

	Bus []wire

	PortLines []machinePort
	WriteList []toldWrite
	Cycles    int // in which the router is configured, from reset on

	Exposed        []exposed // of the programmable router
	SpecialExposed []exposed
	Outputs        []equalOutput
	Kept           []string // assertions about registers that follow from the machine
	Matches        []match  // registers of both routers
	Covers         []string
}

// machinePort is what hc_weight_engine says of a port, highest first.
type machinePort struct{ Value, Comment string }

// toldWrite is a write of the configuration.
type toldWrite struct {
	Cycle, Word int
	Value       uint32
	Register    string
}

type equalOutput struct {
	Index                                      int
	Wd, Word, SpecialWd, SpecialWord, Describe string
}

// match says that a register of the programmable router and one of the specialized router hold
// the same, or what the programmable router holds, in every cycle in which a condition holds.
type match struct {
	Meaning, When         string // When is empty if it always is
	Programmable, Special string // expressions
}

func newEquivalenceView(p, s *plan.Plan) *equivalenceView {
	body := p.SourceBits + p.PayloadBits
	v := &equivalenceView{
		Header: p.Notice("//"), HeaderHash: p.Notice("#"), Programmable: p.Programmable,
		Module: p.Name + "_equivalence", Told: p.Name + "_told", StandIn: p.Name + "_standin",
		Machine: p.Name + "_machine", Router: p.RouterModule, Special: s.RouterModule,
		Degree: p.Degree, RouterPorts: p.RouterPorts, Silent: p.RouterPorts - p.Degree,
		WdBits: p.WdBits, WcBits: p.WcBits, BodyBits: body, LinkBits: p.LinkBits,
		SpecialWd: s.WdBits, SpecialWc: s.WcBits, SpecialLink: s.LinkBits,
		PortBits: 2*p.WcBits + 3 + p.WdBits, PayloadBits: p.PayloadBits, SourceBits: p.SourceBits,
		Bus:    buses[p.Programmable.Bus],
		Cycles: configurationCycles(p),
	}
	modules := libraryModules(p)
	for _, m := range modules {
		if !slices.Contains(configurationModules, m) {
			v.RTL = append(v.RTL, m+".v")
		}
	}
	for _, m := range configurationModules {
		v.ConfigurationRTL = append(v.ConfigurationRTL, m+".v")
	}
	for _, m := range libraryModules(s) {
		v.SpecialRTL = append(v.SpecialRTL, m+".v")
		if !slices.Contains(modules, m) {
			v.own = append(v.own, m)
		}
	}
	v.describe(p)
	v.keep(p)
	v.matchLocal(p, s)
	v.matchInputs(p)
	v.matchGroups(p)
	v.matchOutputs(p)
	v.matchSilent(p)
	return v
}

// configurationCycles bounds how long a router of the limits takes from reset on until it is
// open: the writes, and what hc_weight_engine says.
func configurationCycles(p *plan.Plan) int { return len(p.Programmable.Writes) + 64*len(p.Dims) + 48 }

// describe prints the machine as hc_configuration tells it, from the plan.
func (v *equivalenceView) describe(p *plan.Plan) {
	for i, w := range p.Programmable.Writes {
		v.WriteList = append(v.WriteList, toldWrite{i + 1, w.Address / registers.Word, w.Value, w.Register})
	}
	flag := func(is bool) string { return fmt.Sprintf("1'b%d", one(is)) }
	for i := len(p.Ports) - 1; i >= 0; i-- {
		q := p.Ports[i]
		d := p.Dims[q.Dimension-1]
		comma := ","
		if i == 0 {
			comma = ""
		}
		v.PortLines = append(v.PortLines, machinePort{
			Value: fmt.Sprintf("%s, %s, %s, %s, %s, %s%s",
				sized(p.WcBits, d.D), sized(p.WcBits, q.First),
				flag(q.Distance == d.Rho), flag(q.Distance == 1), flag(q.Direction < 0), sized(p.WdBits, q.Dimension), comma),
			Comment: fmt.Sprintf("port %d: %s", q.Index, describePort(q)),
		})
	}
	for _, q := range p.Ports {
		low, slow := q.Index*p.LinkBits, q.Index*v.SpecialLink
		word, special := p.WcBits+v.BodyBits, v.SpecialWc+v.BodyBits
		v.Outputs = append(v.Outputs, equalOutput{
			Index: q.Index, Describe: describePort(q),
			Word: slice(low, word), Wd: slice(low+word, p.WdBits),
			SpecialWord: slice(slow, special), SpecialWd: slice(slow+special, v.SpecialWd),
		})
	}
}

// p and s name a register of the programmable and of the specialized router in the proof.
func (v *equivalenceView) p(signal string, width int) string {
	return expose(&v.Exposed, "p_", "router."+signal, width)
}

func (v *equivalenceView) s(signal string, width int) string {
	return expose(&v.SpecialExposed, "s_", signal, width)
}

// verilogName makes a plain name of that of a register in a flattened router.
var verilogName = strings.NewReplacer("router.", "", "crossbar.", "", ".there.group", "", ".several", "", ".register", "", "[", "", "]", "", ".", "_")

func expose(list *[]exposed, prefix, signal string, width int) string {
	e := exposed{Signal: signal, Name: prefix + verilogName.Replace(signal), Range: rangeOf(width)}
	if !slices.Contains(*list, e) {
		*list = append(*list, e)
	}
	return e.Name
}

// match adds a row to the table of registers.
func (v *equivalenceView) match(meaning, programmable, special string) {
	v.matchWhen("", meaning, programmable, special)
}

func (v *equivalenceView) matchWhen(when, meaning, programmable, special string) {
	v.Matches = append(v.Matches, match{meaning, when, programmable, special})
}

// keep: the programmable router has registers that follow from its machine, and so are
// constant from the cycle on after one in which the configuration is right.
func (v *equivalenceView) keep(p *plan.Plan) {
	kept := func(register, value string) { v.Kept = append(v.Kept, register+" == "+value) }
	longest := 1 // largest rho of a ring with ring ports, in the limits
	if nodes := p.Programmable.MaxNodes; nodes > 5 {
		longest = (nodes - 2) / 2
	}
	// A port and its ring port, as far away as they can be.
	inReach := func(port, ring int) bool {
		if port < ring {
			return ring-port < 2*longest
		}
		return port-ring <= longest && port <= 2*ring+1
	}
	steps := max(1, bits.Len(uint(longest-1)))
	n := p.RouterPorts
	kept(v.p("crossbar.joined", steps*n), vector(steps*n, func(i int) bool {
		from, to := i%n, i%n+1<<(i/n)
		return to < n && !slices.ContainsFunc(p.Ports, func(q plan.Port) bool { return q.Distance == 1 && q.Index > from && q.Index <= to })
	}))
	kept(v.p("crossbar.onward", n*n), vector(n*n, func(i int) bool {
		from, ring := i%n, i/n
		return goesOn(p, from, ring) && (from+ring)%2 == 1 && inReach(from, ring)
	}))
	for i := range n {
		entered := v.p(fmt.Sprintf("crossbar.port[%d].entered_q", i), 1)
		kept(entered, vector(1, func(int) bool { return i < p.Degree && p.Ports[i].First > 0 }))
		kept(v.p(fmt.Sprintf("in[%d].link_input.copies_q", i), p.Programmable.MaxDimensions+2), v.copies(p, i))
	}
}

// vector is a constant whose bits are told one by one, from the lowest on.
func vector(width int, bit func(i int) bool) string {
	text := make([]byte, width)
	for i := range text {
		text[width-1-i] = byte('0' + one(bit(i)))
	}
	return fmt.Sprintf("%d'b%s", width, text)
}

// copies is what is asked for by a message that arrives on a port and goes on: delivery, the groups of
// lower dimensions, the transfer and the continuation.
func (v *equivalenceView) copies(p *plan.Plan, port int) string {
	dimensions := p.Programmable.MaxDimensions
	return vector(dimensions+2, func(target int) bool {
		if port >= p.Degree {
			return false
		}
		q := p.Ports[port]
		switch far := q.Distance == p.Dims[q.Dimension-1].Rho; target {
		case dimensions:
			return q.D > 1 && !far
		case dimensions + 1:
			return q.D > 1 && far
		}
		return target < q.Dimension
	})
}

// goesOn: the ports are of one dimension and of opposite directions, and the second has
// distance rho, so that messages from the first go on there if the ring has ring ports.
func goesOn(p *plan.Plan, port, ring int) bool {
	if port >= p.Degree || ring >= p.Degree {
		return false
	}
	from, to := p.Ports[port], p.Ports[ring]
	return from.Dimension == to.Dimension && from.Direction != to.Direction && to.Distance == p.Dims[to.Dimension-1].Rho
}

// one is the bit that says whether something is so.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// matchLocal: the pace, and the copies that were made of the message of the local input. Of
// dimensions that the machine does not have they are made at once.
func (v *equivalenceView) matchLocal(p, s *plan.Plan) {
	for _, r := range []struct {
		register string
		width    int
	}{{"pace_q", plan.PaceBits}, {"rest_q", bits.Len(plan.Cap)}} {
		name := "neighbour_clock." + r.register
		v.match("neighbour clock", v.p(name, r.width), v.s(name, r.width))
	}
	if p.Programmable.MaxDimensions == 1 {
		return
	}
	made := v.p("local_input.several.made_q", p.Programmable.MaxDimensions)
	if len(s.Dims) == 1 {
		v.match("local input: the only copy is never remembered", made+"[0]", "1'b0")
		return
	}
	special := v.s("local_input.several.made_q", len(s.Dims))
	v.match("local input: copies made", made+slice(0, len(s.Dims)), special)
	v.match("local input: a message with all of them is gone", "&"+special, "1'b0")
}

// matchInputs: the message in the slot, and which of its copies are left.
func (v *equivalenceView) matchInputs(p *plan.Plan) {
	for _, q := range p.Ports {
		in, name := fmt.Sprintf("in[%d].link_input.", q.Index), fmt.Sprintf("in%d.", q.Index)
		meaning := fmt.Sprintf("link input %d: ", q.Index)
		dimensions := p.Programmable.MaxDimensions
		ready, left := v.p(in+"ready_q", 1), v.p(in+"left_q", dimensions+2)
		specialLeft := v.s(name+"left_q", targets(q))
		goesOn := "2'b00"
		slot, width := v.p(in+"slot_q", p.WcBits+v.BodyBits), v.BodyBits
		if q.ContinueTo >= 0 {
			width += v.SpecialWc
			goesOn = fmt.Sprintf("1'b0, %s[%d]", specialLeft, continuation(q))
			if q.Distance == p.Dims[q.Dimension-1].Rho {
				goesOn = fmt.Sprintf("%s[%d], 1'b0", specialLeft, continuation(q))
			}
		} else {
			slot += slice(0, v.BodyBits) // its weight is not used
		}
		lower := specialLeft + slice(0, q.Dimension)
		if rest := dimensions - q.Dimension; rest > 0 {
			lower = sized(rest, 0) + ", " + lower
		}
		v.match(meaning+"the slot is free", ready, v.s(name+"room_q", 1))
		v.matchWhen("!"+ready, meaning+"copies left", left, fmt.Sprintf("{%s, %s}", goesOn, lower))
		v.matchWhen("!"+ready, meaning+"message", slot, v.s(name+"head_q", width))
		v.matchWhen(ready, meaning+"copies of the next message", left, v.copies(p, q.Index))
		v.matchWhen(ready, meaning+"no copies left", specialLeft, sized(targets(q), 0))
		v.Covers = append(v.Covers, "!"+ready)
	}
}

// matchGroups: turns at the nodes of the trees of those who enter a dimension, and of delivery. The node of
// the local input and the links is named after the first link, which may be another one in the programmable
// router.
func (v *equivalenceView) matchGroups(p *plan.Plan) {
	for _, d := range p.Dims {
		if len(d.Sources) == 0 {
			continue
		}
		links := p.RouterPorts - d.Index // the last so many, of which the first is number 1
		turn := v.p(fmt.Sprintf("crossbar.dimension[%d].there.group.arbiter.several.turn_q", d.Index%4), links)
		special := v.s(fmt.Sprintf("group%d.arbiter.several.turn_q", d.Index), len(d.Sources))
		for i, source := range d.Sources {
			if i == 0 {
				source = d.Index
			}
			v.match(fmt.Sprintf("group %d: turn", d.Index), fmt.Sprintf("%s[%d]", turn, source-d.Index), fmt.Sprintf("%s[%d]", special, i))
		}
	}
	if p.Degree > 1 {
		turn := v.p("delivery.arbiter.several.turn_q", p.RouterPorts-1)
		v.match("delivery: turns", turn+slice(0, p.Degree-1), v.s("delivery.arbiter.several.turn_q", p.Degree-1))
	}
	v.matchRegister("delivery", "delivery.register.", "delivery.register.", v.BodyBits, v.BodyBits, "%s")
}

// matchRegister: an output register holds the same message. Word makes of that of the specialized
// router what the programmable one holds.
func (v *equivalenceView) matchRegister(meaning, programmable, special string, width, specialWidth int, word string) {
	full := v.p(programmable+"full_q", 1)
	v.match(meaning+": a message", full, v.s(special+"full_q", 1))
	v.matchWhen(full, meaning+": the message", v.p(programmable+"data_q", width), fmt.Sprintf(word, v.s(special+"data_q", specialWidth)))
	v.Covers = append(v.Covers, full)
}

// matchOutputs: output registers, which ports have taken the message of their group, and turns at ring ports.
func (v *equivalenceView) matchOutputs(p *plan.Plan) {
	for _, q := range p.Ports {
		d := p.Dims[q.Dimension-1]
		meaning, port, out := fmt.Sprintf("output %d", q.Index), fmt.Sprintf("crossbar.port[%d].out.", q.Index), fmt.Sprintf("out%d.", q.Index)
		open := v.p(port+"group_open_q", 1)
		at := slices.Index(d.Entered, q.Index)
		switch {
		case at < 0:
			v.match(meaning+": its group never enters", open, "1'b0")
		case len(d.Entered) == 1:
			v.match(meaning+": the only port of its group", open, "1'b1")
			v.match(meaning+": is never remembered", v.s(fmt.Sprintf("group%d.taken_q", d.Index), 1), "1'b0")
		default:
			v.match(meaning+": has taken the message of its group", "!"+open, fmt.Sprintf("%s[%d]", v.s(fmt.Sprintf("group%d.taken_q", d.Index), len(d.Entered)), at))
		}
		word := p.WcBits + v.BodyBits
		switch {
		case q.Ring:
			v.matchRegister(meaning, port+"register.", out+"register.", word, v.SpecialWc+v.BodyBits, "%s")
			v.matchTurns(q, meaning, at >= 0)
		case q.Fed:
			v.matchRegister(meaning, port+"register.", out, word, v.BodyBits, "{"+sized(p.WcBits, q.First)+", %s}")
		default:
			v.match(meaning+": never a message", v.p(port+"register.full_q", 1), "1'b0")
		}
	}
}

// matchTurns: it is the turn of the same of those who enter a ring. Bits are those of a turn: once
// one is set all above are, without which it matters who is settled first.
func (v *equivalenceView) matchTurns(q plan.Port, meaning string, group bool) {
	links := q.TransferFrom
	turn := func(i int) string {
		return fmt.Sprintf("%s[%d]", v.p("crossbar.arbiter.turn_q", v.RouterPorts), links[i])
	}
	for i := 1; i < len(links); i++ {
		v.matchWhen(turn(i-1), meaning+": the bits of a turn", turn(i), "1'b1")
	}
	special := fmt.Sprintf("out%d.arbiter.several.turn_q", q.Index)
	for i := range links {
		switch {
		case group:
			v.match(meaning+": turn", turn(i), fmt.Sprintf("%s[%d]", v.s(special, len(links)), i))
		case i > 0: // the turn of the group, which never asks, is as good as that of the first link
			v.match(meaning+": turn", fmt.Sprintf("(%s && !%s)", turn(i), turn(0)), fmt.Sprintf("%s[%d]", v.s(special, len(links)-1), i-1))
		}
	}
}

// matchSilent: nothing is in the ports that the machine does not have.
func (v *equivalenceView) matchSilent(p *plan.Plan) {
	for i := p.Degree; i < p.RouterPorts; i++ {
		meaning, in, port := fmt.Sprintf("silent port %d", i), fmt.Sprintf("in[%d].link_input.", i), fmt.Sprintf("crossbar.port[%d].out.", i)
		v.match(meaning+": not ready", v.p(in+"ready_q", 1), "1'b0")
		v.match(meaning+": no copies", v.p(in+"left_q", p.Programmable.MaxDimensions+2), sized(p.Programmable.MaxDimensions+2, 0))
		v.match(meaning+": its group never enters", v.p(port+"group_open_q", 1), "1'b0")
		v.match(meaning+": never a message", v.p(port+"register.full_q", 1), "1'b0")
	}
}
