// SPDX-License-Identifier: Apache-2.0

// Package sim describes what the ports of a broadcast router carry in a cycle. The packages below it exchange these
// types: model is the reference model of the contract, traffic is what nodes do at its ports, measure runs networks under a
// traffic and counts, and traces writes golden traces.
package sim

// MaskBits is the number of bits in a set of ports. Bit p of a set belongs to port p.
const MaskBits = 32

// Message is what a link carries. The payload itself is not moved: it is the deterministic bit string that belongs to
// (Source, Seq), see traffic.Payload.
type Message struct {
	Source uint32 // address of the node that injected it
	Seq    uint32 // its number among the injections of Source, from 0
	WC     uint32 // steps left in dimension WD, the current one included; any encodable value on a link input
	WD     uint8  // dimension in which it travels; any encodable value on a link input
	Spread bool   // with a destination: the message is for all nodes of its ring in dimension WD
	Last   bool   // tlast
	Scope  uint32 // with deliver_destination: bit i-1 is 1 if the destination has all in dimension i; any value on a link input
	Route  uint64 // with a destination: the fields of lower dimensions (docs/addressed-messages.md), at the local input of all dimensions
}

// Inputs are the inputs of a router in a cycle.
type Inputs struct {
	LinkValid  uint32            // s_axis_link_tvalid
	Link       [MaskBits]Message // s_axis_link_tdata, read where LinkValid is set
	LinkReady  uint32            // m_axis_link_tready
	LocalValid bool              // s_axis_local_tvalid
	LocalSeq   uint32            // names the payload on s_axis_local_tdata
	LocalDest  uint64            // s_axis_local_tdest
	LocalLast  bool              // s_axis_local_tlast
	LocalReady uint32            // m_axis_local_tready, by delivery register
	LinkPace   [MaskBits]uint8   // link_pace, by port

	BarrierArrive   bool            // barrier_arrive
	LinkBarrierPace [MaskBits]uint8 // link_barrier_pace, by port
}

// Outputs are the outputs of a router in a cycle.
type Outputs struct {
	LinkReady   uint32            // s_axis_link_tready
	LinkValid   uint32            // m_axis_link_tvalid
	Link        [MaskBits]Message // m_axis_link_tdata, meaningful where LinkValid is set
	LocalReady  bool              // s_axis_local_tready
	LocalValid  uint32            // m_axis_local_tvalid, by delivery register
	Local       [MaskBits]Message // m_axis_local_tdata, meaningful where LocalValid is set
	HeaderError uint32            // header_error
	DestError   bool              // destination_error
	Pace        uint8             // pace

	BarrierRelease bool  // barrier_release
	BarrierPace    uint8 // barrier_pace
}
