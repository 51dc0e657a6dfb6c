// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"math/bits"

	"github.com/hashicorp/hcl/v2"
)

// Endpoint is what each node has in place of its streams: a memory and a bus (docs/endpoints.md).
type Endpoint struct {
	Bus         string // Wishbone or AXI4Lite
	AddressBits int    // of a byte in the memory of a node, MinMemoryBits..MaxMemoryBits
	Gets        bool   // a node can read the memories of others
	Adds        bool   // a node can add to words in the memories of others
	Timeout     int    // cycles after which an access to other nodes ends with a bus error; 0: none, the machine is on one chip
}

// Widths of the fields of a message between endpoints (docs/endpoints.md, "Messages").
const (
	EndpointDataBits   = 32
	EndpointStrobeBits = EndpointDataBits / 8
	endpointWordBits   = 2 // of the byte in a word
	endpointRegionBits = 2 // of a bus address
)

// KindBits is the width of the kind of a message: with neither gets nor adds all are puts.
func (e *Endpoint) KindBits() int {
	switch {
	case e.Gets:
		return 2
	case e.Adds:
		return 1
	}
	return 0
}

// WordBits is the width of the number of a word in the memory of a node.
func (e *Endpoint) WordBits() int { return e.AddressBits - endpointWordBits }

// PayloadBits is the width of the messages.
func (e *Endpoint) PayloadBits() int {
	return e.KindBits() + EndpointStrobeBits + e.WordBits() + EndpointDataBits
}

// BusBits is the width of a byte address on the bus of a node: that of the memory, of a digit and a flag for each dimension, and
// of the region.
func (m *Machine) BusBits() int {
	width := m.Endpoint.AddressBits + endpointRegionBits
	for _, d := range m.Dimensions {
		width += bits.Len(uint(d.M-1)) + 1
	}
	return width
}

// defaultTimeout and leastTimeout are multiples of the longest silence of a cable.
const (
	defaultTimeout = 16
	leastTimeout   = 2
)

// timeout completes the time after which an access to other nodes ends, which only a machine of several chips has.
func (l *loader) timeout(c *block, m *Machine) {
	if !m.Chips() {
		if c.given("timeout") {
			l.errorAt(c.at("timeout"), "Timeout on one chip",
				"Every access ends without a timeout unless cables can be dead, but no dimension has links between chips: remove the line.")
		}
		return
	}
	silence := 0
	for _, d := range m.Dimensions {
		silence = max(silence, d.Link.Silence)
	}
	switch least := leastTimeout * silence; {
	case !c.given("timeout"):
		m.Endpoint.Timeout = defaultTimeout * silence
	case c.right("timeout") && m.Endpoint.Timeout < least:
		l.errorAt(c.at("timeout"), "timeout is too short",
			"timeout is %d, but cables come up in about the cycles of their silence, %d, and the first accesses wait for them: write timeout = %d or more.",
			m.Endpoint.Timeout, silence, least)
	}
}

// endpoint reads the endpoint block, which computes the message block and options of the router, whose block is given.
func (l *loader) endpoint(b, router *block, machine hcl.Range, m *Machine) {
	hb := b.first("endpoint")
	if hb == nil {
		return
	}
	m.Endpoint = &Endpoint{}
	c := l.content(hb)
	c.decode(m.Endpoint, nil)
	if message := b.first("message"); message != nil {
		l.errorAt(message.DefRange, "Messages of endpoints",
			"The messages between endpoints have fixed fields, which hcgen computes: remove the message block, or the endpoint block on line %d.", hb.DefRange.Start.Line)
	}
	for _, needed := range []struct {
		missing         bool
		summary, detail string
	}{
		{m.NoRouters, "Endpoints without routers", "Endpoints send messages over the network of routers, but routers is false: remove that line, or the endpoint block."},
		{!m.NoRouters && b.given("network") && !m.Network, "Endpoints without a network", "Endpoints stand at the nodes of the network, but network is false: remove that line, or the endpoint block."},
		{m.Programmable != nil, "Endpoints of programmable routers", `The addresses at the buses follow from the machine, but programmable routers get theirs at run time, and have no barrier: remove the endpoint block, or write kind = "specialized" in the router block.`},
		{m.Delivery != Merged, "Endpoints with several streams", `An endpoint takes one stream of deliveries, but delivery is "per_port": remove that line from the router block.`},
		{router.given("barrier") && !m.Barrier, "Endpoints without a barrier", "A register of each endpoint is the barrier of the routers, but barrier is false: remove that line from the router block."},
		{b.given("node_errors") && !m.NodeErrors, "Endpoints without errors of nodes", "A register of each endpoint has the errors of its router, but node_errors is false: remove that line."},
		{m.Clocks(), "Endpoints with several clocks", `The endpoints of all nodes have one clock, but a dimension has links with kind = "clocks": remove that link block, or the endpoint block.`},
	} {
		if needed.missing {
			l.errorAt(hb.DefRange, needed.summary, "%s", needed.detail)
		}
	}
	if m.Graph != nil && c.right("address_bits") {
		if n := m.BusBits(); n > BusAddressBits {
			at := hb.DefRange
			if c.given("address_bits") {
				at = c.at("address_bits")
			}
			l.errorAt(at, "Addresses too wide",
				"address_bits is %d, and with the digits and a flag of each dimension and 2 bits for the region an address has %d bits, but the bus has %d: lower address_bits by %d or more, or use a smaller machine.",
				m.Endpoint.AddressBits, n, BusAddressBits, n-BusAddressBits)
		}
		if m.Graph.Nodes() > MaxNetworkNodes {
			l.errorAt(machine, "Network too large", "Endpoints stand at the nodes of the network, which is limited to %d nodes, but this machine has %d: use a smaller machine.", MaxNetworkNodes, m.Graph.Nodes())
		}
		m.PayloadBits = m.Endpoint.PayloadBits()
	}
	l.timeout(c, m)
	m.Destination, m.Barrier, m.NodeErrors = true, true, true
}
