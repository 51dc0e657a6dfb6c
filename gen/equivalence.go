// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/registers"
	"github.com/hcgen/hcgen/templates"
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
		f, err := copied(hdl.Files, m+".v", "formal", roleFormal)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	script, err := copied(templates.Files, "prove.sh", "formal", roleFormal)
	if err != nil {
		return nil, err
	}
	add := func(name, template string, view any) {
		files = append(files, output.File{Path: "formal/" + name, Role: roleFormal, Content: render(template, view)})
	}
	files = append(files, script)
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

	Cost, Share, Steps string
	PortLines          []machinePort
	WriteList          []toldWrite
	Cycles             int // in which the router is configured, from reset on

	Exposed        []exposed // of the programmable router
	SpecialExposed []exposed
	Outputs        []equalOutput
	Kept           []string // assertions about what is kept of the configuration
	Sections       []equalSection
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

// equalSection is a part of the relation between the registers of both routers.
type equalSection struct {
	Describe string
	Asserts  []string
}

func newEquivalenceView(p, s *plan.Plan) *equivalenceView {
	body := p.SourceBits + p.PayloadBits
	v := &equivalenceView{
		Header: header(p, "//"), HeaderHash: header(p, "#"), Programmable: p.Programmable,
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
	v.relateGate(p, s)
	v.relateInputs(p)
	for _, d := range p.Dims {
		v.relateGroup(p, d)
	}
	for _, q := range p.Ports {
		v.relatePort(p, q)
	}
	v.relateSilent(p)
	v.relateDelivery(p)
	return v
}

// configurationCycles bounds how long a router of the limits takes from reset on until it is
// open: the writes, and what hc_weight_engine says.
func configurationCycles(p *plan.Plan) int { return len(p.Programmable.Writes) + 64*len(p.Dims) + 48 }

// describe prints the machine as hc_configuration tells it, from the plan.
func (v *equivalenceView) describe(p *plan.Plan) {
	steps := 0
	for _, d := range p.Dims {
		steps += d.D
	}
	for i, w := range p.Programmable.Writes {
		v.WriteList = append(v.WriteList, toldWrite{i + 1, w.Address / registers.Word, w.Value, w.Register})
	}
	v.Steps = sized(5, steps)
	v.Cost = sized(p.Programmable.CostBits, p.Gate.Cost)
	v.Share = sized(p.Programmable.CostBits, 1<<bits.Len(uint(p.Gate.Cost-1))-1)
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
var verilogName = strings.NewReplacer("router.", "", "crossbar.", "", "local_side.", "", ".there.group", "", ".ordered", "", ".moving", "", "[", "", "]", "", ".", "_")

func expose(list *[]exposed, prefix, signal string, width int) string {
	e := exposed{Signal: signal, Name: prefix + verilogName.Replace(signal), Range: rangeOf(width)}
	if !slices.Contains(*list, e) {
		*list = append(*list, e)
	}
	return e.Name
}

func (v *equivalenceView) section(format string, values ...any) {
	v.Sections = append(v.Sections, equalSection{Describe: fmt.Sprintf(format, values...)})
}

// same adds an assertion to the last section.
func (v *equivalenceView) same(format string, values ...any) {
	last := &v.Sections[len(v.Sections)-1]
	last.Asserts = append(last.Asserts, fmt.Sprintf(format, values...))
}

// keep: the programmable router keeps of the configuration, for its clock, what follows from
// it. This is right from the cycle on after one in which the configuration is.
func (v *equivalenceView) keep(p *plan.Plan) {
	kept := func(format string, values ...any) { v.Kept = append(v.Kept, fmt.Sprintf(format, values...)) }
	longest := 1 // largest rho of a ring with ring ports, in the limits
	if nodes := p.Programmable.MaxNodes; nodes > 5 {
		longest = (nodes - 2) / 2
	}
	// A block of links of one direction begins.
	begins := func(port int) bool { return port < p.Degree && p.Ports[port].Distance == 1 }
	joined := func(port, next int) bool {
		for i := port + 1; i <= next; i++ {
			if begins(i) {
				return false
			}
		}
		return true
	}
	// A port and its ring port, as far away as they can be.
	inReach := func(port, ring int) bool {
		if port < ring {
			return ring-port < 2*longest
		}
		return port-ring <= longest && port <= 2*ring+1
	}
	steps := max(1, bits.Len(uint(longest-1)))
	blocks := make([]byte, steps*p.RouterPorts)
	onward := make([]byte, p.RouterPorts*p.RouterPorts) // the first is the lowest bit
	entered := make([]byte, p.RouterPorts)
	set := func(vector []byte, bit int, is bool) {
		vector[len(vector)-1-bit] = '0'
		if is {
			vector[len(vector)-1-bit] = '1'
		}
	}
	for i := range p.RouterPorts {
		for ring := range p.RouterPorts {
			set(onward, ring*p.RouterPorts+i, goesOn(p, i, ring) && (i+ring)%2 == 1 && inReach(i, ring))
		}
		set(entered, i, i < p.Degree && p.Ports[i].First > 0)
		for step := range steps {
			next := i + 1<<step
			set(blocks, step*p.RouterPorts+i, next < p.RouterPorts && joined(i, next))
		}
		dimension, largest, far, runs := 0, 0, false, "1'b0"
		if i < p.Degree {
			dimension, runs = p.Ports[i].Dimension, "configured"
			d := p.Dims[dimension-1]
			largest, far = d.D, p.Ports[i].Distance == d.Rho
		}
		copies := make([]byte, p.Programmable.MaxDimensions+2)
		for target := range p.Programmable.MaxDimensions {
			set(copies, target, dimension > target)
		}
		set(copies, p.Programmable.MaxDimensions, largest > 1 && !far)
		set(copies, p.Programmable.MaxDimensions+1, largest > 1 && far)
		kept("%s == %s", v.p(fmt.Sprintf("in[%d].link_input.there_q", i), 1), runs)
		kept("%s == %d'b%s", v.p(fmt.Sprintf("in[%d].link_input.copies_q", i), len(copies)), len(copies), copies)
	}
	kept("%s == %d'b%s", v.p("crossbar.joined", len(blocks)), len(blocks), blocks)
	kept("%s == %d'b%s", v.p("crossbar.onward", len(onward)), len(onward), onward)
	kept("%s == %d'b%s", v.p("crossbar.entered_q", len(entered)), len(entered), entered)
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

// relateGate: the injection gates are in the same state. Theirs are the same modules, but in
// the programmable router with room for the balances and outputs of larger machines.
func (v *equivalenceView) relateGate(p, s *plan.Plan) {
	v.section("The injection gate.")
	same := func(module, special string, registers ...string) {
		for _, r := range registers {
			v.same("%s == %s", v.p("local_side."+module+"."+r, 1), v.s(special+"."+r, 1))
		}
	}
	wide := func(module, register string, width int) {
		v.same("%s == %s", v.p("local_side."+module+"."+register, width), v.s(module+"."+register, width))
	}
	wide("timer", "count_q", 21)
	same("timer", "timer", "shortest_ends", "window_ends", "memory_ends")
	same("congestion", "congestion", "injected_q", "delivered_q", "free_q", "stood_q", "steady_q", "few_q", "calm_q", "sparse_q", "slow_q", "doubt_q")
	wide("congestion", "heard_q", 9)
	v.same("%s == %s", v.p("local_side.congestion_level", 4), v.s("congestion_level", 4))
	still, special := v.p("local_side.congestion.still_q", p.RouterPorts+1), v.s("congestion.still_q", p.Degree+1)
	v.same("%s%s == %s%s", still, slice(0, p.Degree), special, slice(0, p.Degree))
	v.same("%s[%d] == %s[%d]", still, p.RouterPorts, special, p.Degree)
	if v.Silent > 0 {
		v.same("%s%s == %s", still, slice(p.Degree, v.Silent), sized(v.Silent, 0))
	}
	same("injection_gate", "injection_gate", "delivered_q", "begins_q", "armed_q", "rests_q", "shorter_q", "held_q")
	wide("injection_gate", "late_q", 2)
	wide("injection_gate", "frame_q", 14)
	wide("injection_gate", "grow_q", 2)
	wide("injection_gate", "grown_q", 4)
	injected, specialInjected := v.p("local_side.injection_gate.injected_q", 1), v.s("injection_gate.injected_q", 1)
	earn, specialEarn := v.p("local_side.injection_gate.earn_q", 1), v.s("injection_gate.earn_q", 1)
	open, specialOpen := v.p("local_side.gate_open", 1), v.s("gate_open", 1)
	v.same("%s == %s", injected, specialInjected)
	v.same("%s == %s", earn, specialEarn)
	v.same("%s == %s", open, specialOpen)
	quota := p.Programmable.CostBits + plan.GrowthBits
	v.same("%s == %s", v.p("local_side.injection_gate.quota_q", quota-plan.FirstQuotaBits), v.s("injection_gate.quota_q", s.Gate.QuotaBits-plan.FirstQuotaBits))
	balance, specialBalance := v.p("local_side.injection_gate.balance_q", quota+5), v.s("injection_gate.balance_q", s.Gate.BalanceBits)
	v.same("$signed(%s) == $signed(%s)", balance, specialBalance)
	most := 1 << s.Gate.QuotaBits
	signed := func(value int) string { return fmt.Sprintf("-%d'sd%d", s.Gate.BalanceBits+2, value) }
	due := fmt.Sprintf("$signed(%s) - (%s ? %d'sd%d : %d'sd0)", specialBalance, specialInjected, s.Gate.BalanceBits+2, s.Gate.Cost, s.Gate.BalanceBits+2)
	v.same("%s >= %s", due, signed(2*s.Gate.Cost))
	v.same("!%s || %s >= %s", specialOpen, due, signed(s.Gate.Cost))
	v.same("$signed(%s) < %d'sd%d", specialBalance, s.Gate.BalanceBits+2, 10*most)
	v.same("!%s || $signed(%s) < %d'sd%d", specialEarn, specialBalance, s.Gate.BalanceBits+2, 9*most)
}

// relateInputs: the same copies have been made, and none that the machine does not make.
func (v *equivalenceView) relateInputs(p *plan.Plan) {
	v.section("Which copies have been made.")
	needed, special := v.p("local_side.local_input.needed", p.Programmable.MaxDimensions), v.s("local_input.needed", len(p.Dims))
	v.same("%s%s == %s", needed, slice(0, len(p.Dims)), special)
	v.same("(|%s) == %s", special, v.s("gate_open", 1))
	for _, q := range p.Ports {
		left := v.p(fmt.Sprintf("in[%d].link_input.left_q", q.Index), p.Programmable.MaxDimensions+2)
		special := v.s(fmt.Sprintf("in%d.made_q", q.Index), targets(q))
		if targets(q) == 1 {
			v.same("!%s", special) // nor is a lone copy
		}
		goesOn := "2'b00" // what continues, and what transfers
		if q.ContinueTo >= 0 {
			goesOn = fmt.Sprintf("1'b0, !%s[%d]", special, continuation(q))
			if q.Distance == p.Dims[q.Dimension-1].Rho {
				goesOn = fmt.Sprintf("!%s[%d], 1'b0", special, continuation(q))
			}
		}
		lower := fmt.Sprintf("~%s%s", special, slice(0, q.Dimension))
		if rest := p.Programmable.MaxDimensions - q.Dimension; rest > 0 {
			lower = sized(rest, 0) + ", " + lower
		}
		v.same("%s == {%s, %s}", left, goesOn, lower)
	}
}

// relateGroup: it is the turn of the same half at each node of the trees of those who enter a dimension. The node
// of the local input and the links is named after the first link, which may be another one in the
// programmable router.
func (v *equivalenceView) relateGroup(p *plan.Plan, d plan.Dim) {
	if len(d.Sources) == 0 {
		return
	}
	v.section("The way into dimension %d.", d.Index)
	group := fmt.Sprintf("crossbar.dimension[%d].there.group", d.Index%4)
	links := p.RouterPorts - d.Index // the last so many, of which the first is number 1
	turn := v.p(group+".arbiter.several.turn_q", links)
	special := v.s(fmt.Sprintf("group%d.arbiter.several.turn_q", d.Index), len(d.Sources))
	for i, source := range d.Sources {
		if i == 0 {
			source = d.Index
		}
		v.same("%s[%d] == %s[%d]", turn, source-d.Index, special, i)
	}
}

// relatePort: the same words wait in the same order.
func (v *equivalenceView) relatePort(p *plan.Plan, q plan.Port) {
	v.section("Output of port %d: %s.", q.Index, describePort(q))
	d := p.Dims[q.Dimension-1]
	word, special := p.WcBits+v.BodyBits, v.SpecialWc+v.BodyBits
	port := fmt.Sprintf("crossbar.port[%d].", q.Index)
	out := fmt.Sprintf("out%d.", q.Index)
	outputFull, continueFull, enterFull := v.p(port+"out.output_full_q", 1), v.p(port+"out.continue_full_q", 1), v.p(port+"out.enter_full_q", 1)
	at := slices.Index(d.Entered, q.Index)
	open := v.p("crossbar.group_open_q", p.RouterPorts)
	if at >= 0 {
		taken := v.s(fmt.Sprintf("group%d.taken_q", d.Index), len(d.Entered))
		v.same("%s[%d] == !%s[%d]", open, q.Index, taken, at)
		if len(d.Entered) == 1 {
			v.same("!%s", taken) // a lone port is never to be remembered
		}
	} else {
		v.same("!%s[%d]", open, q.Index)
	}
	if q.ContinueTo < 0 {
		v.nothingTransfers(p, q.Index)
	}
	switch {
	case q.Ring:
		v.same("%s == %s", outputFull, v.s(out+"output_full_q", 1))
		v.same("%s == %s", continueFull, v.s(out+"continue_full_q", 1))
		v.same("%s == %s", enterFull, v.s(out+"enter_full_q", 1))
		v.same("!%s || %s == %s", outputFull, v.p(port+"out.output_q", word), v.s(out+"output_q", special))
		v.same("!%s || %s == %s", continueFull, v.p(fmt.Sprintf("crossbar.port[%d].slot.word_q", q.ContinueFrom), word), v.s(out+"continue_q", special))
		enter := v.s(out+"enter_q", special)
		from := v.p(port+"out.from_group_q", 1)
		if at >= 0 {
			v.same("!(%s && %s) || {%s, %s} == %s", enterFull, from, sized(p.WcBits, q.First), v.p(port+"out.group_q", v.BodyBits), enter)
		} else {
			v.same("!(%s && %s)", enterFull, from)
		}
		// What is kept of links does not count if the group has come first.
		var waiting []string
		for _, link := range q.TransferFrom {
			slot := fmt.Sprintf("crossbar.port[%d].slot.", link)
			entered := v.p(slot+"entered_q", 1)
			v.same("!(%s && !%s && %s) || %s == %s", enterFull, from, entered, v.p(slot+"word_q", word), enter)
			waiting = append(waiting, entered)
		}
		if len(waiting) == 0 {
			v.same("!%s || %s", enterFull, from)
		} else {
			all, none := concat(waiting), sized(len(waiting), 0)
			v.same("!%s || %s || %s != %s && (%s & (%s - %s)) == %s", enterFull, from, all, none, all, all, sized(len(waiting), 1), none)
		}
		v.relateRingArbiter(p, q, at >= 0)
		v.Covers = append(v.Covers, fmt.Sprintf("%s && %s && %s", outputFull, continueFull, enterFull))
	case q.Depth > 0:
		level, slots := v.s(out+"queue.level_q", 2), v.s(out+"queue.moving.slots_q", 2*v.BodyBits)
		v.same("!%s", continueFull)
		v.same("{%s, %s} == %s && (%s || !%s)", enterFull, outputFull, level, outputFull, enterFull)
		v.same("!%s || %s == {%s, %s%s}", outputFull, v.p(port+"out.output_q", word), sized(p.WcBits, q.First), slots, slice(0, v.BodyBits))
		v.same("!%s || %s && %s == %s%s", enterFull, v.p(port+"out.from_group_q", 1), v.p(port+"out.group_q", v.BodyBits), slots, slice(v.BodyBits, v.BodyBits))
		v.Covers = append(v.Covers, enterFull)
	default:
		v.same("!%s && !%s && !%s", outputFull, continueFull, enterFull)
	}
}

// nothingTransfers: nothing waits at a link whose messages do not transfer.
func (v *equivalenceView) nothingTransfers(p *plan.Plan, port int) {
	full := v.p("crossbar.at_ring_enter_full", p.RouterPorts)
	v.same("!(%s[%d] && %s)", full, port, v.p(fmt.Sprintf("crossbar.port[%d].slot.entered_q", port), 1))
}

// relateRingArbiter: it is the turn of the same of those who enter a ring.
func (v *equivalenceView) relateRingArbiter(p *plan.Plan, q plan.Port, group bool) {
	links := q.TransferFrom
	turn := func(link int) string {
		return fmt.Sprintf("%s[%d]", v.p("crossbar.arbiter.turn_q", p.RouterPorts), link)
	}
	// Bits are those of a turn, without which it matters who is settled first.
	for i := 1; i < len(links); i++ {
		v.same("!%s || %s", turn(links[i-1]), turn(links[i]))
	}
	special := fmt.Sprintf("out%d.arbiter.several.turn_q", q.Index)
	if group {
		for i, link := range links {
			v.same("%s == %s[%d]", turn(link), v.s(special, len(links)), i)
		}
		return
	}
	// That of the group, which never asks, is as good as that of the first link.
	for i := 1; i < len(links); i++ {
		v.same("(%s && !%s) == %s[%d]", turn(links[i]), turn(links[0]), v.s(special, len(links)-1), i-1)
	}
}

// relateSilent: nothing is in the ports that the machine does not have.
func (v *equivalenceView) relateSilent(p *plan.Plan) {
	if v.Silent == 0 {
		return
	}
	v.section("Ports that the machine does not have.")
	for i := p.Degree; i < p.RouterPorts; i++ {
		port := fmt.Sprintf("crossbar.port[%d].out.", i)
		v.same("!%s[%d]", v.p("crossbar.group_open_q", p.RouterPorts), i)
		v.same("!%s && !%s && !%s", v.p(port+"output_full_q", 1), v.p(port+"continue_full_q", 1), v.p(port+"enter_full_q", 1))
		v.same("%s == %s", v.p(fmt.Sprintf("in[%d].link_input.left_q", i), p.Programmable.MaxDimensions+2), sized(p.Programmable.MaxDimensions+2, 0))
		v.nothingTransfers(p, i)
	}
}

// relateDelivery: the same messages wait for the node.
func (v *equivalenceView) relateDelivery(p *plan.Plan) {
	v.section("Delivery.")
	if p.Degree > 1 {
		turn := v.p("delivery.arbiter.several.turn_q", p.RouterPorts-1)
		v.same("%s%s == %s", turn, slice(0, p.Degree-1), v.s("delivery.arbiter.several.turn_q", p.Degree-1))
	}
	level, special := v.p("delivery.queue.level_q", 2), v.s("delivery.queue.level_q", 2)
	slots, specialSlots := v.p("delivery.queue.moving.slots_q", 2*v.BodyBits), v.s("delivery.queue.moving.slots_q", 2*v.BodyBits)
	v.same("%s == %s && %s != 2'b10", level, special, level)
	for i := range 2 {
		v.same("!%s[%d] || %s%s == %s%s", level, i, slots, slice(i*v.BodyBits, v.BodyBits), specialSlots, slice(i*v.BodyBits, v.BodyBits))
	}
	v.Covers = append(v.Covers, level+"[1]")
}
