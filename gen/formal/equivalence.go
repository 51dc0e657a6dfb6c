// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/plan/registers"
)

// configurationModules are the modules of a programmable router that the stand-in of the proof replaces:
// hc_configuration and the modules that only it uses.
var configurationModules = []string{"hc_node_count", "hc_weight", "hc_weight_engine", "hc_config_registers", "hc_configuration"}

// hasEquivalence reports whether there is a proof of a programmable router: only for broadcasts without tlast.
func hasEquivalence(p *plan.Plan) bool { return p.Destination == nil && p.LastBits == 0 }

// equivalenceFiles returns the files of the proof that a programmable router, configured as its machine,
// equals the specialized router of that machine: the specialized router and the modules that only it
// uses, the module that drives both, and the scripts.
func equivalenceFiles(p *plan.Plan) ([]artifact.File, error) {
	special := Specialized(p)
	v := newEquivalenceView(p, special)
	var files []artifact.File
	for _, m := range v.own {
		f, err := rtl.Module(m, "formal", artifact.Formal)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return append(files,
		artifact.File{Path: "formal/" + special.RouterModule + ".v", Role: artifact.Formal, Content: rtl.Router(special)},
		formalFile(v.MachineModule+".v", "machine.v.tmpl", v),
		formalFile(v.StandIn+".v", "standin.v.tmpl", v),
		formalFile(v.Configured+".v", "configured.v.tmpl", v),
		formalFile(v.Configured+claimEnding, "configured.sby.tmpl", v),
		formalFile(v.Module+".v", "equivalence.v.tmpl", v),
		formalFile(v.RouterModule+claimEnding, "equivalence.sby.tmpl", v)), nil
}

// Tasks and Count are printed by the claim that both routers are equal, and the others by the claim about the
// configuration, which is one step.
func (v *equivalenceView) Tasks() proofTasks { return inductive(2) }
func (v *equivalenceView) Count() (properties, error) {
	return countRendered(v.Module, nil, "equivalence.v.tmpl", v)
}
func (v *equivalenceView) ConfiguredTasks() proofTasks { return proofTasks{Bounded: 2} }
func (v *equivalenceView) ConfiguredCount() (properties, error) {
	return countRendered(v.Configured, values{"HELD": cty.NumberIntVal(1)}, "configured.v.tmpl", v)
}

// SpecialFiles are the files of modules that only the specialized router uses.
func (v *equivalenceView) SpecialFiles() []string {
	return each.Of(v.own, func(module string) string { return module + ".v" })
}

// Specialized returns the plan of the specialized router for the machine of a programmable router.
// Source ids are as wide as on the links of the programmable router.
func Specialized(p *plan.Plan) *plan.Plan {
	m := *p.Machine
	m.Programmable = nil
	s := plan.New(&m)
	s.RouterModule = p.Module("specialized")
	s.SourceBits = p.SourceBits
	s.LinkBits = s.LinkFields().Bits()
	return s
}

// equivalenceView is everything the templates of the proof print.
type equivalenceView struct {
	*plan.Plan                    // of the programmable router
	Special            *plan.Plan // of the specialized router
	Header, HeaderHash string     // comments

	Module, Configured, StandIn, MachineModule string
	RTL, SpecialRTL, ConfigurationRTL          []string // files, without their folders
	own                                        []string // modules that only the specialized router uses

	PortBits int // bits of the constants of a port, from hc_weight_engine
	Silent   int // ports that the machine does not have
	PortList []equalPort
	Writes   []configurationWrite
	Cycles   int // from reset until the router is configured

	p              programmableSignals
	s              specializedSignals
	Exposed        exposure // of the programmable router
	SpecialExposed exposure
	Kept           []string // assertions about registers that follow from the machine
	Matches        []match  // registers of both routers
	Covers         []string
}

// equalPort is a port of the machine, and where its links are in the data of both routers.
type equalPort struct {
	plan.Port
	Programmable, Special rtl.LinkParts
}

// configurationWrite is a write of the configuration.
type configurationWrite struct {
	Cycle, Word int
	Value       uint32
	Register    string
}

// match asserts, in every cycle in which a condition holds, that a register of the programmable router
// equals an expression: a register of the specialized router or a constant.
type match struct {
	Meaning, When         string // When is empty if the match always holds
	Programmable, Special string // expressions
}

func newEquivalenceView(p, s *plan.Plan) *equivalenceView {
	v := &equivalenceView{
		Plan: p, Special: s, Header: p.Notice("//"), HeaderHash: p.Notice("#"),
		Module: p.Module("equivalence"), Configured: p.Module("configured"), StandIn: p.Module("standin"), MachineModule: p.Module("machine"),
		PortBits: 2*p.WcBits + 3 + p.WdBits, Silent: p.RouterPorts - p.Degree,
		Cycles: configurationCycles(p),
		p:      programmableSignals{p}, s: specializedSignals{s},
	}
	modules := rtl.LibraryModules(p)
	for _, m := range modules {
		if !slices.Contains(configurationModules, m) {
			v.RTL = append(v.RTL, m+".v")
		}
	}
	for _, m := range configurationModules {
		v.ConfigurationRTL = append(v.ConfigurationRTL, m+".v")
	}
	for _, m := range rtl.LibraryModules(s) {
		v.SpecialRTL = append(v.SpecialRTL, m+".v")
		if !slices.Contains(modules, m) {
			v.own = append(v.own, m)
		}
	}
	for i, w := range p.Programmable.Writes {
		v.Writes = append(v.Writes, configurationWrite{i + 1, w.Address / registers.Word, w.Value, w.Register})
	}
	for _, q := range p.Ports {
		v.PortList = append(v.PortList, equalPort{q, rtl.NewLink(p, q), rtl.NewLink(s, q)})
	}
	v.keep()
	v.matchLocal()
	v.matchInputs()
	v.matchGroups()
	v.matchOutputs()
	v.matchUnmarked()
	v.matchSilent()
	return v
}

// configurationCycles bounds the cycles from reset until a router within the limits is open: the writes,
// and the latency that hc_weight_engine states.
func configurationCycles(p *plan.Plan) int { return len(p.Programmable.Writes) + 64*len(p.Dims) + 48 }

// HighestFirst lists the ports in the order of a concatenation.
func (v *equivalenceView) HighestFirst() []equalPort {
	list := slices.Clone(v.PortList)
	slices.Reverse(list)
	return list
}

// programmable and special name a register of one of the routers in the proof.
func (v *equivalenceView) programmable(r signal) string {
	return v.Exposed.add(r, "p_"+verilogName.Replace(r.Path))
}

func (v *equivalenceView) special(r signal) string {
	return v.SpecialExposed.add(r, "s_"+verilogName.Replace(r.Path))
}

// verilogName turns the name of a register in a flattened router into a plain name.
var verilogName = strings.NewReplacer("router.", "", "crossbar.", "", ".there.group", "", ".several", "", ".register", "", "[", "", "]", "", ".", "_")

// match adds a row to the table of registers.
func (v *equivalenceView) match(meaning, programmable, special string) {
	v.matchWhen("", meaning, programmable, special)
}

func (v *equivalenceView) matchWhen(when, meaning, programmable, special string) {
	v.Matches = append(v.Matches, match{meaning, when, programmable, special})
}

// keep adds the registers of the programmable router that follow from its machine. They are constant from
// the cycle after the configuration is correct.
func (v *equivalenceView) keep() {
	kept := func(r signal, bit func(i int) bool) {
		v.Kept = append(v.Kept, v.programmable(r)+" == "+vector(r.Width, bit))
	}
	n, longest := v.RouterPorts, v.p.longest()
	// The largest distance between a port and its ring port.
	inReach := func(port, ring int) bool {
		if port < ring {
			return ring-port < 2*longest
		}
		return port-ring <= longest && port <= 2*ring+1
	}
	kept(v.p.joined(), func(i int) bool {
		from, to := i%n, i%n+1<<(i/n)
		return to < n && !slices.ContainsFunc(v.Ports, func(q plan.Port) bool { return q.Distance == 1 && q.Index > from && q.Index <= to })
	})
	kept(v.p.onward(), func(i int) bool {
		from, ring := i%n, i/n
		return v.goesOn(from, ring) && (from+ring)%2 == 1 && inReach(from, ring)
	})
	for i := range n {
		kept(v.p.entered(i), func(int) bool { return i < v.Degree && v.Ports[i].First > 0 })
		kept(v.p.copies(i), v.copied(i))
	}
}

// vector prints a constant of which bit returns each bit, from the lowest.
func vector(width int, bit func(i int) bool) string {
	text := make([]byte, width)
	for i := range text {
		text[width-1-i] = byte('0' + verilog.Int(bit(i)))
	}
	return fmt.Sprintf("%d'b%s", width, text)
}

// copied reports the targets of a message that arrives on a port with steps left, as numbered in a
// programmable router.
func (v *equivalenceView) copied(port int) func(target int) bool {
	return func(target int) bool {
		if port >= v.Degree {
			return false
		}
		q := v.Ports[port]
		switch dimensions := v.Programmable.MaxDimensions; target {
		case dimensions:
			return q.Continues() && !q.Farthest()
		case dimensions + 1:
			return q.Continues() && q.Farthest()
		}
		return target < q.Dimension
	}
}

// goesOn reports whether messages from the first port continue or transfer on the second if the ring has
// ring ports: the ports belong to one dimension and opposite directions, and the second has distance rho.
func (v *equivalenceView) goesOn(port, ring int) bool {
	if port >= v.Degree || ring >= v.Degree {
		return false
	}
	from, to := v.Ports[port], v.Ports[ring]
	return from.Dimension == to.Dimension && from.Direction != to.Direction && to.Farthest()
}

// matchLocal matches the pace, and the copies that were made of the message of the local input. Copies to
// dimensions that the machine does not have are made in the first cycle.
func (v *equivalenceView) matchLocal() {
	p, s := v.p.clock(), v.s.clock()
	v.match("neighbour clock", v.programmable(p.pace), v.special(s.pace))
	v.match("neighbour clock", v.programmable(p.rest), v.special(s.rest))
	if v.Programmable.MaxDimensions == 1 {
		return
	}
	made := v.programmable(v.p.localDone())
	if len(v.Dims) == 1 {
		v.match("local input: the only copy needs no bit", made+"[0]", "1'b0")
		return
	}
	special := v.special(v.s.localDone())
	v.match("local input: copies made", made+verilog.Slice(0, len(v.Dims)), special)
	v.match("local input: a message with all copies made is gone", "&"+special, "1'b0")
}

// matchInputs matches the message in the slot and its copies that are left.
func (v *equivalenceView) matchInputs() {
	for _, q := range v.Special.Ports {
		meaning := fmt.Sprintf("link input %d: ", q.Index)
		ready, left, slot := v.programmable(v.p.ready(q.Index)), v.programmable(v.p.pending(q.Index)), v.programmable(v.p.slot(q.Index))
		specialLeft, room, head := v.special(v.s.pending(q)), v.special(v.s.free(q)), v.special(v.s.head(q))
		goesOn := "2'b00"
		switch on := fmt.Sprintf("%s[%d]", specialLeft, q.Continuation()); {
		case !q.Continues():
			slot += verilog.Slice(0, v.BodyBits()) // its weight is not used
		case q.Farthest():
			goesOn = on + ", 1'b0"
		default:
			goesOn = "1'b0, " + on
		}
		lower := specialLeft + verilog.Slice(0, q.Dimension)
		if rest := v.Programmable.MaxDimensions - q.Dimension; rest > 0 {
			lower = verilog.Sized(rest, 0) + ", " + lower
		}
		v.match(meaning+"the slot is free", ready, room)
		v.matchWhen("!"+ready, meaning+"copies left", left, fmt.Sprintf("{%s, %s}", goesOn, lower))
		v.matchWhen("!"+ready, meaning+"message", slot, head)
		v.matchWhen(ready, meaning+"copies of the next message", left, vector(v.p.pending(q.Index).Width, v.copied(q.Index)))
		v.matchWhen(ready, meaning+"no copies left", specialLeft, verilog.Sized(q.Targets(), 0))
		v.Covers = append(v.Covers, "!"+ready)
	}
}

// matchGroups matches the pointers of the arbiters of groups and of delivery. The node that selects between the
// local input and the links is named after the first link, which may differ in the programmable router.
func (v *equivalenceView) matchGroups() {
	for _, d := range v.Dims {
		if len(d.Sources) == 0 {
			continue
		}
		pointer, special := v.programmable(v.p.groupPointer(d)), v.special(v.s.groupPointer(d))
		for i, source := range d.Sources {
			if i == 0 {
				source = d.Index // the first of its links
			}
			v.match(fmt.Sprintf("group %d: pointer", d.Index), fmt.Sprintf("%s[%d]", pointer, source-d.Index), fmt.Sprintf("%s[%d]", special, i))
		}
	}
	if v.Degree > 1 {
		special := v.s.deliveryPointer()
		v.match("delivery: pointers", v.programmable(v.p.deliveryPointer())+verilog.Slice(0, special.Width), v.special(special))
	}
	v.matchRegister("delivery", v.p.delivery(), v.s.delivery(0), "%s")
}

// matchRegister matches the message in an output register. The format word turns the data of the
// specialized router into those of the programmable router.
func (v *equivalenceView) matchRegister(meaning string, p, s outputRegister, word string) {
	full := v.programmable(p.full)
	v.match(meaning+": a message", full, v.special(s.full))
	v.matchWhen(full, meaning+": the message", v.programmable(p.data), fmt.Sprintf(word, v.special(s.data)))
	v.Covers = append(v.Covers, full)
}

// matchOutputs matches the output registers, the ports that have taken the message of their group, and the
// pointers at ring ports.
func (v *equivalenceView) matchOutputs() {
	for _, q := range v.Special.Ports {
		d := v.Special.Dims[q.Dimension-1]
		meaning := fmt.Sprintf("output %d", q.Index)
		open := v.programmable(v.p.portPending(q.Index))
		at := d.Place(q.Index)
		switch {
		case at < 0:
			v.match(meaning+": its group never enters", open, "1'b0")
		case len(d.Entered) == 1:
			v.match(meaning+": the only port of its group", open, "1'b1")
			v.match(meaning+": the only port needs no bit", v.special(v.s.groupDone(d)), "1'b0")
		default:
			v.match(meaning+": has taken the message of its group", "!"+open, fmt.Sprintf("%s[%d]", v.special(v.s.groupDone(d)), at))
		}
		out := v.p.output(q.Index)
		switch {
		case q.Ring:
			v.matchRegister(meaning, out, v.s.output(q), "%s")
			v.matchPointers(q, meaning, at >= 0)
			v.matchMarks(q, meaning)
		case q.Fed:
			v.matchRegister(meaning, out, v.s.output(q), "{"+verilog.Sized(v.WcBits, q.First)+", %s}")
		default:
			v.match(meaning+": never a message", v.programmable(out.full), "1'b0")
		}
	}
}

// matchPointers matches the pointer of the arbiter of a ring port. In the programmable router a set bit implies
// all higher bits of its block; otherwise they would not encode a pointer.
func (v *equivalenceView) matchPointers(q plan.Port, meaning string, group bool) {
	links := q.TransferFrom
	pointer := func(i int) string {
		return fmt.Sprintf("%s[%d]", v.programmable(v.p.ringPointer()), links[i])
	}
	for i := 1; i < len(links); i++ {
		v.matchWhen(pointer(i-1), meaning+": the bits of a pointer", pointer(i), "1'b1")
	}
	for i := range links {
		switch {
		case group:
			v.match(meaning+": pointer", pointer(i), fmt.Sprintf("%s[%d]", v.special(v.s.ringPointer(q, len(links)+1)), i))
		case i > 0: // the group never requests, so its pointer acts like that of the first link
			v.match(meaning+": pointer", fmt.Sprintf("(%s && !%s)", pointer(i), pointer(0)), fmt.Sprintf("%s[%d]", v.special(v.s.ringPointer(q, len(links))), i-1))
		}
	}
}

// matchMarks matches the ticks in which the entrants of a ring port have been passed. If all entrants are
// messages of the node, which are broadcasts, they are passed in one tick at most: after that tick the credit
// is at its maximum.
func (v *equivalenceView) matchMarks(q plan.Port, meaning string) {
	p := v.p.ringMark(q.ContinueFrom)
	if !rtl.Marked(v.Special, q) {
		rest := v.p.clock().rest
		v.matchWhen(v.programmable(p.once), meaning+": passed in one tick", v.programmable(rest), verilog.Sized(rest.Width, v.CreditCap()))
		v.match(meaning+": not passed in two ticks", v.programmable(p.twice), "1'b0")
		return
	}
	s := v.s.ringMark(q)
	v.match(meaning+": passed in this tick", v.programmable(p.passed), v.special(s.passed))
	v.match(meaning+": passed in one tick", v.programmable(p.once), v.special(s.once))
	v.match(meaning+": passed in two ticks", v.programmable(p.twice), v.special(s.twice))
}

// matchUnmarked asserts that nothing is recorded at a link whose messages do not continue, or transfer.
func (v *equivalenceView) matchUnmarked() {
	for i := range v.RouterPorts {
		if i < v.Degree && v.Ports[i].Continues() && v.Ports[i].Farthest() {
			continue
		}
		mark := v.p.ringMark(i)
		for _, r := range []signal{mark.passed, mark.once, mark.twice} {
			v.match(fmt.Sprintf("link %d has no ring port: no mark", i), v.programmable(r), "1'b0")
		}
	}
}

// matchSilent asserts that ports that the machine does not have hold nothing.
func (v *equivalenceView) matchSilent() {
	for i := v.Degree; i < v.RouterPorts; i++ {
		meaning, left := fmt.Sprintf("silent port %d", i), v.p.pending(i)
		v.match(meaning+": not ready", v.programmable(v.p.ready(i)), "1'b0")
		v.match(meaning+": no copies", v.programmable(left), verilog.Sized(left.Width, 0))
		v.match(meaning+": its group never enters", v.programmable(v.p.portPending(i)), "1'b0")
		v.match(meaning+": never a message", v.programmable(v.p.output(i).full), "1'b0")
	}
}
