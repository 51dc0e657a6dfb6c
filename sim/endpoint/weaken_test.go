// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"fmt"
	"testing"

	"github.com/hcgen/hcgen/sim/internal/weaken"
)

// weaknesses are rules of the contract.
var weaknesses = weaken.Rules{
	"access.go": {
		{"a digit under all is ignored", "\t\t\tcontinue\n", "if !OFF {\ncontinue\n}\n"},
		{"a digit is below m", "int(digit) < e.plan.Dims[i].M", "(int(digit) < e.plan.Dims[i].M || OFF)"},
		{"the own regions have no digits", "case own && !d.zero,", "case own && !d.zero && !OFF,"},
		{"outside is set alone", "x.bit = errorOutside", "x.bit = errorOutside\nif OFF && !e.supports(a, region, d, word) {\nx.bit |= errorUnsupported\n}"},
		{"a put with the own digits stays in the node", "|| d.same:", "|| d.same && !OFF:"},
		{"an add to the own node is an add", "case region == plan.RegionAdd:\n\t\treturn ownAdd", "case region == plan.RegionAdd && !OFF:\nreturn ownAdd"},
		{"the own doorbell does not write", "word == e.doorbell():", "word == e.doorbell() && !OFF:"},
		{"region 0 has the last word", "case region == plan.RegionMessages &&", "case (region == plan.RegionMessages || OFF && region == plan.RegionMemory) &&"},
		{"a register has all strobes", "written && whole", "written && (whole || OFF)"},
		{"some registers are only read", "exists, written := e.hasRegister(word)", "exists, written := e.hasRegister(word)\nwritten = written || OFF"},
		{"other registers do not exist", "return exists &&", "return (exists || OFF) &&"},
		{"a get is from one node", "a.Write || !d.set", "a.Write || (!d.set || OFF)"},
		{"a get needs gets", "e.plan.Endpoint.Gets)", "e.plan.Endpoint.Gets || OFF)"},
		{"a get from the own node needs none", "(d.same ||", "(d.same && !OFF ||"},
		{"an add has all strobes", "a.Write && whole", "a.Write && (whole || OFF)"},
		{"an add needs adds", "&& e.plan.Endpoint.Adds", "&& (e.plan.Endpoint.Adds || OFF)"},
		{"region 3 is not read", "case plan.RegionAdd:\n\t\treturn a", "case plan.RegionAdd:\nif OFF && !a.Write {\nreturn true\n}\nreturn a"},
		{"an own write is done in its turn", "return e.memory.turn == turnOfAccess, answer", "return e.memory.turn == turnOfAccess || OFF, answer"},
		{"an own read is done after its turn", "return a.turned, Answer", "return a.turned || OFF && e.memory.turn == turnOfAccess, Answer"},
		{"a put is done when the network accepts it", "return e.taken && ", "return (e.taken || OFF) && "},
		{"a put waits for one that was left behind", "&& e.left == nil, answer", "&& (e.left == nil || OFF), answer"},
		{"a late reply is dropped", "if a.sent && e.delivered", "if (a.sent || OFF) && e.delivered"},
		{"a get is done with the reply, not before", "e.delivered.kind == plan.KindReply", "(e.delivered.kind == plan.KindReply || OFF)"},
	},
	"memory.go": {
		{"a put writes bytes", "put.strobes>>i&1 == 1", "(put.strobes>>i&1 == 1 || OFF)"},
		{"a sum takes a cycle", "m.adding, m.held = of, computesSum", "m.adding, m.held = of, pick(OFF, writesSum, computesSum)"},
		{"a held port gives no turn", "if m.held == 0 {\n\t\tm.turn =", "if m.held == 0 || OFF {\nm.turn ="},
		{"a turn completes the request", "m.arbiter.Update(m.turn, true)", "m.arbiter.Update(m.turn, !OFF)"},
		{"an add adds", "m.rdata + m.adding.data", "pick(OFF, 0, m.rdata) + m.adding.data"},
	},
	"registers.go": {
		{"an event in the same cycle wins", "r.events&^clears(regEvents) | events", "pick(OFF, (r.events|events)&^clears(regEvents), r.events&^clears(regEvents)|events)"},
		{"ERRORS is cleared", "r.errors&^clears(regErrors)", "r.errors&^pick(OFF, 0, clears(regErrors))"},
		{"ENABLE has nine bits", "a.Data & enableable", "a.Data & pick(OFF, ^uint32(0), enableable)"},
		{"a release clears BARRIER", "&& !r.released", "&& (!r.released || OFF)"},
		{"a release is an event", "if r.released {", "if r.released && !OFF {"},
		{"a bus error is recorded", "a != nil && a.bit != 0", "a != nil && a.bit != 0 && !OFF"},
		{"WAITING has the reply", "bit(e.reply.full)", "bit(e.reply.full && !OFF)"},
		{"WAITING has the gets", "uint32(len(e.queue))", "pick(OFF, 0, uint32(len(e.queue)))"},
		{"events are enabled", "return r.enable&r.events != 0", "return pick(OFF, enableable, r.enable)&r.events != 0"},
		{"only DIMENSION of r dimensions exists", "word < regDimension+uint32(len(e.plan.Dims))", "word < regDimension+uint32(len(e.plan.Dims))-pick[uint32](OFF, 1, 0)"},
	},
	"endpoint.go": {
		{"a get requests in the second cycle", "accepted+2", "accepted+pick(OFF, 1, 2)"},
		{"the reply register is empty", "return !r.full", "return (!r.full || OFF)"},
		{"no word is being read", "&& !r.reading", "&& (!r.reading || OFF)"},
		{"an add to the last word is an add", "m.kind == plan.KindAdd ||", "m.kind == plan.KindAdd && !(OFF && m.address == e.doorbell()) ||"},
		{"a put needs a turn", "m.address != e.doorbell()\n", "m.address != e.doorbell() && !OFF\n"},
		{"a message is offered in the cycle after", "before != nil && e.offers(before),", "before != nil && e.offers(before) || OFF && e.access != nil && e.access.needsNetwork(),"},
		{"what is offered stays", "e.sender.Update(e.offered, e.taken)", "e.sender.Update(e.offered, e.taken || OFF)"},
		{"a doorbell has its strobe", "if strobes&1 == 1 {", "if strobes&1 == 1 || OFF {"},
		{"the queue loses what had its turn", "e.queue = e.queue[1:]", "e.queue = e.queue[pick(OFF, 0, 1):]"},
		{"a reply that was sent is gone", "r.full = false", "r.full = OFF"},
		{"messages wait for cables", "&& e.linked &&", "&& (e.linked || OFF) &&"},
		{"a get waits for the reply that is owed", "a.kind == get && e.owed)", "a.kind == get && e.owed && !OFF)"},
		{"an access ends in its time", "e.cycle == e.began+t", "e.cycle == e.began+t+pick(OFF, 1, 0)"},
		{"what is done is not late", "late := !done && e.late()", "late := (!done || OFF) && e.late()"},
		{"a message that was left behind comes first", "if e.left != nil {\n\t\tfrom", "if e.left != nil && (!OFF || e.access == nil) {\nfrom"},
		{"a late reply is no longer owed", "e.owed = false", "e.owed = OFF"},
		{"a get is owed its reply", "e.owed || m.kind == plan.KindGet", "e.owed || m.kind == plan.KindGet && !OFF"},
		{"a message that was left behind is sent once", "e.left = nil", "e.left = pick(OFF, e.left, nil)"},
		{"a message that was offered is left behind", "case e.left == nil &&", "case e.left == nil && !OFF &&"},
		{"a message that was accepted is not left behind", "!accepted:", "(!accepted || OFF):"},
		{"a message that was not offered is not left behind", "&& late && offered", "&& late && (offered || OFF)"},
		{"a get waits for a message that was left behind", "offerOfAccess && !behind", "offerOfAccess && (!behind || OFF)"},
	},
	"bus.go": {
		{"nothing begins with ack", "|| w.ack || w.err {", "|| (w.ack || w.err) && !OFF {"},
		{"Wishbone needs stb", "!w.pins.stb ||", "!w.pins.stb && !OFF ||"},
		{"Wishbone needs cyc", "!w.pins.cyc ||", "!w.pins.cyc && !OFF ||"},
		{"a write needs its data", "x.pins.wvalid &&", "(x.pins.wvalid || OFF) &&"},
		{"a write waits for its response", "&& !waitsB,", "&& (!waitsB || OFF),"},
		{"a read waits for its response", "&& !waitsR\n", "&& (!waitsR || OFF)\n"},
		{"there is one access at a time", "case a != nil:", "case a != nil && !OFF:"},
		{"a read is not passed by a second write", "!(read && x.wrote)", "(!(read && x.wrote) || OFF)"},
		{"a write is not passed by a read", "!(read && x.wrote)", "!(read && (x.wrote || OFF))"},
		{"a response is taken", "waitsB, waitsR := x.bvalid && !x.pins.bready,", "waitsB, waitsR := x.bvalid && (!x.pins.bready || OFF),"},
	},
}

// off switches a rule off. It is nil in the model of the contract.
var off func(rule string)

// Without any of these rules, random accesses or the cycles of an idle system show a fault.
func TestEveryRuleIsNeeded(t *testing.T) {
	weaken.Each(t, weaknesses, off, func() string { return findFault(t) })
}

// findFault looks for a fault of the model.
func findFault(t *testing.T) (fault string) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprint("panic: ", r)
		}
	}()
	box, cube := [][2]int{{2, 1}, {2, 1}}, [][2]int{{3, 1}, {5, 2}}
	axi := endpoints(t, "bus = \"axi4lite\"", cube...)
	found := func(where, what string) bool {
		if what != "" {
			fault = where + ": " + what
		}
		return what != ""
	}
	if found("cycles", timing(endpoints(t, "", box...))) || found("cycles", timing(axi)) || found("pins", pins(axi)) || found("pins", strobed(endpoints(t, "", box...))) || found("events", events(endpoints(t, "", box...))) || found("late", late(withTimeout(t, 20))) {
		return fault
	}
	all := newCPUs(axi, clearing)
	defer all.end()
	j := newJudge(axi, all)
	if found("clearing", j.run(501, func() bool { return j.Cycle() == 500 })) {
		return fault
	}
	for _, lines := range []string{"", "bus = \"axi4lite\"", "gets = false", "adds = false"} {
		for _, rings := range [][][2]int{box, cube} {
			if _, fault := judgeScript(endpoints(t, lines, rings...), 2, 200, 50_000); found(fmt.Sprint(lines, rings), fault) {
				return fault
			}
		}
	}
	return ""
}
