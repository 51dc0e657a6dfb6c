// SPDX-License-Identifier: Apache-2.0

package endpoint

// Numbers of the registers, in words.
const (
	regID = iota
	regNode
	regDigits
	regNodes
	regBarrier
	regEvents
	regEnable
	regErrors
	regWaiting

	regDimension = 16 // of dimension 1
)

// Bits of EVENTS and ERRORS.
const (
	doorbells       = 1<<doorbellBits - 1
	doorbellBits    = 8
	eventReleased   = 1 << doorbellBits
	enableable      = doorbells | eventReleased
	version         = 1 // of the registers
	replyWaitingLow = 16
	messageLeftLow  = 17
	replyOwedLow    = 18
	unlinkedLow     = 19

	errorOutside     = 1 << 0
	errorUnsupported = 1 << 1
	errorLate        = 1 << 3
	// Bit 2, dropped, is never set here: the network stops the run of an endpoint that sends to an illegal destination, and its
	// headers are well formed.
)

// registers are those that change.
type registers struct {
	waits                  bool // bit 0 of BARRIER
	events, enable, errors uint32

	// Wires of the cycle evaluated.
	rung     uint32 // doorbells that are rung
	released bool   // barrier_release
}

// hasRegister reports whether there is a register, and whether it is written.
func (e *endpoint) hasRegister(word uint32) (exists, written bool) {
	switch word {
	case regID, regNode, regDigits, regNodes, regWaiting:
		return true, false
	case regBarrier, regEvents, regEnable, regErrors:
		return true, true
	}
	return word >= regDimension && word < regDimension+uint32(len(e.plan.Dims)), false
}

// readRegister is the contents of a register that exists.
func (e *endpoint) readRegister(word uint32) uint32 {
	p, r := e.plan, &e.registers
	switch word {
	case regID:
		return uint32(len(p.Dims)) | uint32(p.Endpoint.AddressBits)<<8 | bit(p.Endpoint.Gets)<<16 | bit(p.Endpoint.Adds)<<17 | bit(p.Endpoint.Timeout > 0)<<18 | version<<24
	case regNode:
		return uint32(e.node)
	case regDigits:
		digits := uint32(0)
		for i, f := range p.Destination.Fields {
			digits |= uint32(p.Machine.Graph.Digit(e.node, i+1)) << f.DigitLow
		}
		return digits
	case regNodes:
		return uint32(p.Nodes)
	case regBarrier:
		return bit(r.waits)
	case regEvents:
		return r.events
	case regEnable:
		return r.enable
	case regErrors:
		return r.errors
	case regWaiting:
		return uint32(len(e.queue)) | bit(e.reply.full)<<replyWaitingLow | bit(e.left != nil)<<messageLeftLow | bit(e.owed)<<replyOwedLow | bit(!e.linked)<<unlinkedLow
	}
	d := p.Dims[word-regDimension]
	return uint32(d.M) | uint32(d.Rho)<<16
}

// step is the clock edge: a is the access that is done in this cycle, or nil.
func (r *registers) step(a *access) {
	written := func(register uint32) bool { return a != nil && a.kind == ofRegister && a.Write && a.word == register }
	clears := func(register uint32) uint32 {
		if written(register) {
			return a.Data
		}
		return 0
	}
	events, errors := r.rung, uint32(0)
	if r.released {
		events |= eventReleased
	}
	if a != nil && a.bit != 0 {
		errors = a.bit
	}
	r.events = r.events&^clears(regEvents) | events
	r.errors = r.errors&^clears(regErrors) | errors
	if written(regEnable) {
		r.enable = a.Data & enableable
	}
	r.waits = (r.waits || written(regBarrier)) && !r.released
}

// interrupt is the output of this name.
func (r *registers) interrupt() bool { return r.enable&r.events != 0 }

func bit(set bool) uint32 {
	if set {
		return 1
	}
	return 0
}
