// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/model"
)

// none stands for no requester.
const none = -1

// Requesters of the memory port.
const (
	turnOfMessage = iota // that the network delivers
	turnOfGet            // the oldest in the queue
	turnOfAccess         // of the own bus
	turns
)

// memory is the memory of a node and its port.
type memory struct {
	// Registers.
	words   map[uint32]uint32 // those that were written; the others are 0
	rdata   uint32            // mem_rdata
	arbiter model.Arbiter
	held    int // cycles for which an add still holds the port
	adding  message
	sum     uint32

	// Wires of the cycle evaluated.
	turn int // requester that has its turn, or none
}

// Cycles in which an add holds the port.
const (
	writesSum   = 1
	computesSum = 2
)

// decide selects the requester that has its turn.
func (m *memory) decide(requests [turns]bool) {
	m.turn = none
	if m.held == 0 {
		m.turn = m.arbiter.Selects(requests[:])
	}
}

// step is the clock edge; of is the access to the memory of the requester that has its turn.
func (m *memory) step(of message) {
	switch m.held {
	case computesSum:
		m.sum = m.rdata + m.adding.data
	case writesSum:
		m.words[m.adding.address] = m.sum
	}
	if m.held > 0 {
		m.held--
		return
	}
	m.arbiter.Update(m.turn, true)
	if m.turn == none {
		return
	}
	switch of.kind {
	case plan.KindPut:
		m.write(of)
	case plan.KindAdd:
		m.rdata = m.words[of.address]
		m.adding, m.held = of, computesSum
	case plan.KindGet:
		m.rdata = m.words[of.address]
	}
}

// write writes the bytes of a put that have a strobe.
func (m *memory) write(put message) {
	word := m.words[put.address]
	for i := range wordBytes {
		if put.strobes>>i&1 == 1 {
			mask := uint32(0xff) << (8 * i)
			word = word&^mask | put.data&mask
		}
	}
	m.words[put.address] = word
}
