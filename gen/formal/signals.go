// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/plan"
)

// This file lists every register that the proofs use: its name in the flattened router, its width and its
// meaning.

// signal is a register or a wire of a flattened router.
type signal struct {
	Path  string // hierarchical name
	Width int
}

func named(width int, format string, args ...any) signal {
	return signal{fmt.Sprintf(format, args...), width}
}

// Select is the pattern by which Yosys selects the signal.
func (s signal) Select() string {
	return strings.NewReplacer("[", "\\[", "]", "\\]").Replace(s.Path)
}

// exposed is a signal as an output of the router, with a name of its own in the proof.
type exposed struct {
	signal
	Name string
}

// exposure lists the signals of a router that become its outputs.
type exposure []exposed

// add exposes a signal, once, and returns its name in the proof.
func (e *exposure) add(s signal, name string) string {
	if x := (exposed{s, name}); !slices.Contains(*e, x) {
		*e = append(*e, x)
	}
	return name
}

// outputRegister is an hc_output.
type outputRegister struct {
	full signal // holds a message
	data signal // the message
}

func newOutputRegister(path string, width int) outputRegister {
	return outputRegister{signal{path + ".full_q", 1}, signal{path + ".data_q", width}}
}

// ringMark is an hc_ring_mark: in how many ticks the entrants of a ring port have been passed.
type ringMark struct {
	passed signal // since the last tick
	once   signal // in one tick or more
	twice  signal // in two
}

func newRingMark(path string) ringMark {
	return ringMark{signal{path + ".passed_q", 1}, signal{path + ".once_q", 1}, signal{path + ".twice_q", 1}}
}

// neighbourClock is an hc_pace.
type neighbourClock struct {
	pace signal
	rest signal // credit less the cost of the previous cycle's injection
}

func newNeighbourClock(path string, p *plan.Plan) neighbourClock {
	return neighbourClock{pace: signal{path + ".pace_q", p.PaceBits}, rest: signal{path + ".rest_q", bits.Len(uint(p.CreditCap()))}}
}

// specializedSignals are those of a specialized router.
type specializedSignals struct{ *plan.Plan }

func (s specializedSignals) clock() neighbourClock {
	return newNeighbourClock("neighbour_clock", s.Plan)
}

// barrierPhase: ticks of the barrier since the last hold; only with a barrier.
func (s specializedSignals) barrierPhase() signal {
	return named(bits.Len(uint(s.Machine.Graph.Diameter())), "barrier.phase_q")
}

// barrierCount: cycles since reset, modulo the period of the barrier; only if the period is above 1.
func (s specializedSignals) barrierCount() signal {
	return named(bits.Len(uint(s.BarrierPeriod()-1)), "barrier.sometimes_due.count_q")
}

// within names a module that another module wraps in routers with destinations.
func (s specializedSignals) within(path, wrapped string) string {
	if s.Destination != nil {
		return path + "." + wrapped
	}
	return path
}

// localOpen: the local input may request groups.
func (s specializedSignals) localOpen() signal { return named(1, "local_open") }

// localDone: dimensions to which the message of the local input has been copied or is not to be copied; only
// with more than one dimension.
func (s specializedSignals) localDone() signal {
	return named(len(s.Dims), "%s.several.done_q", s.within("local_input", "copier.local_input"))
}

// grants: targets to which the message of a link input is copied in this cycle; a wire.
func (s specializedSignals) grants(q plan.Port) signal {
	return named(q.Targets(), "in%d_grant", q.Index)
}

// pending: targets to which the oldest message of a link input is still to be copied.
func (s specializedSignals) pending(q plan.Port) signal {
	return named(q.Targets(), "%s.pending_q", s.queueOf(q))
}

func (s specializedSignals) queueOf(q plan.Port) string {
	return s.within(fmt.Sprintf("in%d", q.Index), "queue")
}

// free: slots of a link input that are free.
func (s specializedSignals) free(q plan.Port) signal {
	return named(s.InputSlots, "%s.free_q", s.queueOf(q))
}

// head: the oldest message of a link input, with the wc if messages continue.
func (s specializedSignals) head(q plan.Port) signal {
	return named(s.slotBits(q), "%s.head_q", s.queueOf(q))
}

// queue: the other messages of a link input; only with more than one slot.
func (s specializedSignals) queue(q plan.Port) signal {
	return named((s.InputSlots-1)*s.slotBits(q), "%s.queue.slots_q", s.queueOf(q))
}

func (s specializedSignals) slotBits(q plan.Port) int {
	if q.Continues() {
		return s.WcBits + s.CarriedBits(q.Dimension)
	}
	return s.CarriedBits(q.Dimension)
}

// groupDone: entered ports of a dimension that have taken the message of its group. With destinations,
// ports that the message does not enter do not count.
func (s specializedSignals) groupDone(d plan.Dim) signal {
	return named(len(d.Entered), "group%d.done_q", d.Index)
}

// groupRequest: the message of the group of a dimension is offered to each port that it enters; a wire.
func (s specializedSignals) groupRequest(d plan.Dim) signal {
	return named(len(d.Entered), "group%d_request", d.Index)
}

// groupValid: the message that the group offers is well formed; a wire.
func (s specializedSignals) groupValid(d plan.Dim) signal {
	return named(1, "group%d_valid", d.Index)
}

// groupPointer: pointers of the arbiter of a group; only if messages of links enter the dimension.
func (s specializedSignals) groupPointer(d plan.Dim) signal {
	return named(len(d.Sources), "group%d.arbiter.several.pointer_q", d.Index)
}

// ringPointer: pointer of the arbiter of a ring port, by number of requesters; only with more than one.
func (s specializedSignals) ringPointer(q plan.Port, entrants int) signal {
	return named(entrants-1, "out%d.arbiter.several.pointer_q", q.Index)
}

// ringMark is the mark of a ring port with marks.
func (s specializedSignals) ringMark(q plan.Port) ringMark {
	return newRingMark(fmt.Sprintf("out%d.marked.mark", q.Index))
}

// output is the register of a port that is fed.
func (s specializedSignals) output(q plan.Port) outputRegister {
	path, width := fmt.Sprintf("out%d", q.Index), s.CarriedBits(q.Dimension)
	if q.Ring {
		path += ".register"
	}
	if q.Ring || s.Destination != nil {
		width += s.WcBits
	}
	return newOutputRegister(path, width)
}

// deliveryPointer: pointers of the arbiter of the link inputs; only if a register has the deliveries of more than
// one link.
func (s specializedSignals) deliveryPointer() signal {
	return named(s.Degree-1, "delivery.arbiter.several.pointer_q")
}

// delivery is delivery register i.
func (s specializedSignals) delivery(i int) outputRegister {
	if s.PerPort() {
		return newOutputRegister(fmt.Sprintf("delivery.source[%d].register", i), s.BodyBits())
	}
	return newOutputRegister("delivery.register", s.BodyBits())
}

// programmableSignals are the signals of a programmable router. They include ports and dimensions that the
// limits allow and the machine does not have.
type programmableSignals struct{ *plan.Plan }

func (s programmableSignals) clock() neighbourClock {
	return newNeighbourClock("router.injection.neighbour_clock", s.Plan)
}

// localDone: dimensions to which the message of the local input has been copied; only with
// more than one.
func (s programmableSignals) localDone() signal {
	return named(s.Programmable.MaxDimensions, "router.injection.broadcast.local_input.several.done_q")
}

// ready: the slot of a link input is free.
func (s programmableSignals) ready(port int) signal {
	return named(1, "router.inputs.in[%d].link_input.ready_q", port)
}

// pending: copies of the message in the slot that are still to be made: delivery, the groups of lower
// dimensions, the transfer and the continuation. While the slot is free, those of the next message.
func (s programmableSignals) pending(port int) signal {
	return named(s.targets(), "router.inputs.in[%d].link_input.pending_q", port)
}

// copies: all copies of a message with steps left, numbered as in pending.
func (s programmableSignals) copies(port int) signal {
	return named(s.targets(), "router.inputs.in[%d].link_input.copies_q", port)
}

func (s programmableSignals) targets() int { return s.Programmable.MaxDimensions + 2 }

// slot: the message of a link input, without its wd.
func (s programmableSignals) slot(port int) signal {
	return named(s.WordBits(), "router.inputs.in[%d].link_input.slot_q", port)
}

// joined: in vector s, whether each port and the port 2**s places later belong to the same side of a
// dimension.
func (s programmableSignals) joined() signal {
	return named(s.steps()*s.RouterPorts, "router.crossbar.joined")
}

// steps is the number of vectors in joined.
func (s programmableSignals) steps() int { return max(1, bits.Len(uint(s.longest()-1))) }

// longest is the largest rho of a ring with ring ports, in the limits.
func (s programmableSignals) longest() int {
	if nodes := s.Programmable.MaxNodes; nodes > 5 {
		return (nodes - 2) / 2
	}
	return 1
}

// onward: in vector q, whether messages of each link continue or transfer on port q.
func (s programmableSignals) onward() signal {
	return named(s.RouterPorts*s.RouterPorts, "router.crossbar.onward")
}

// entered: messages of the group enter a port.
func (s programmableSignals) entered(port int) signal {
	return named(1, "router.crossbar.port[%d].entered_q", port)
}

// portPending: a port has not taken the message of its group.
func (s programmableSignals) portPending(port int) signal {
	return named(1, "router.crossbar.port[%d].out.pending_q", port)
}

// groupPointer: pointers of the arbiter of a group, whose requesters are the local input and the links of ports from
// the index of the dimension upwards.
func (s programmableSignals) groupPointer(d plan.Dim) signal {
	return named(s.RouterPorts-d.Index, "router.crossbar.groups.dimension[%d].there.group.arbiter.several.pointer_q", d.Index%4)
}

// ringPointer: for each link, whether the pointer at its ring port leads to it or a lower link, and not to the group.
func (s programmableSignals) ringPointer() signal {
	return named(s.RouterPorts, "router.crossbar.arbiter.pointer_q")
}

// ringMark is the mark of the ring port on which messages from a link of distance rho continue.
func (s programmableSignals) ringMark(link int) ringMark {
	return newRingMark(fmt.Sprintf("router.crossbar.port[%d].mark", link))
}

// output is the register of a port.
func (s programmableSignals) output(port int) outputRegister {
	return newOutputRegister(fmt.Sprintf("router.crossbar.port[%d].out.register", port), s.WordBits())
}

// deliveryPointer: pointers of the arbiter of the link inputs.
func (s programmableSignals) deliveryPointer() signal {
	return named(s.RouterPorts-1, "router.delivery.arbiter.several.pointer_q")
}

func (s programmableSignals) delivery() outputRegister {
	return newOutputRegister("router.delivery.register", s.BodyBits())
}
