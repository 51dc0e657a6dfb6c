// SPDX-License-Identifier: Apache-2.0

package machine

// Limits of a description. Each is checked by Load with a message that names
// it, and stated in the reference of the configuration language.
const (
	// MaxRing is the largest m of a dimension, in nodes.
	MaxRing = 65536
	// MaxPayloadBits is the widest payload of a message, in bits.
	MaxPayloadBits = 1024
	// MinFIFODepth and MaxFIFODepth bound the slots of a hop: the register of the link
	// output and the slots of the link input behind it. With one slot a link would accept a message
	// at most every second cycle, because its ready is a register.
	MinFIFODepth = 2
	MaxFIFODepth = 16
	// MinStages and MaxStages bound the cycles per hop.
	MinStages = 1
	MaxStages = 2
	// MaxNetworkNodes is the largest N for which the network top is
	// generated; a larger machine is generated as a router alone.
	MaxNetworkNodes = 1024
	// MaxCollectiveBits is the largest number of bits of all links of a collective network,
	// nodes x degree x payload bits: simulators limit the width of a port to about as much.
	MaxCollectiveBits = 1 << 20
	// MaxOperatorLatency is the largest latency of the operator of a collective network, in cycles.
	MaxOperatorLatency = 64
	// MaxVector is the most words of a vector of a collective network.
	MaxVector = 65536
	// MaxVectorBits is the largest number of bits of all memories of a collective network with vectors: devices have less.
	MaxVectorBits = 1 << 30
	// MaxLinkRegisters is the largest number of registers on the way of a link.
	MaxLinkRegisters = 64
	// MaxFlight is the largest flight of a cable between chips, in cycles.
	MaxFlight = 1000
	// MinSilence and MaxSilence bound the cycles without a good frame after which a cable is silent.
	MinSilence = 256
	MaxSilence = 1 << 24
	// MaxChipDegree is the largest number of ports of a router in a machine of several chips: hello frames carry the
	// number of a port in 4 bits.
	MaxChipDegree = 16
	// MinMemoryBits and MaxMemoryBits bound the memory of a node with an endpoint, in bits of its byte addresses.
	MinMemoryBits = 8
	MaxMemoryBits = 24
	// MaxTimeout is the largest number of cycles after which an access to other nodes ends, where cables can be dead.
	MaxTimeout = 1 << 28
	// BusAddressBits is the largest number of address bits of the bus of an endpoint.
	BusAddressBits = 32
	// MaxTrafficNodes is the largest N that can have traffic: every node of
	// the machine is simulated to make a golden trace.
	MaxTrafficNodes = 65536
	// MaxCycles is the longest golden trace, in clock cycles.
	MaxCycles = 1_000_000
	// MaxSends is the largest number of scheduled messages of one traffic block.
	MaxSends = 100_000
	// MaxClockMHz is the highest clock that a synthesis block can request, in MHz.
	MaxClockMHz = 1000
	// MaxSeeds is the largest number of placement seeds of a synthesis block.
	MaxSeeds = 100
	// MaxPlacementSeed is the largest placement seed (nextpnr reads a 32-bit
	// signed number).
	MaxPlacementSeed = 1<<31 - 1
	// MaxNameLength is the longest label, in characters. The longest name of a module has two labels and 16 more
	// characters; Verilator replaces names of more than 127, and counts a double underscore as 6.
	MaxNameLength = 48
	// MaxFileBytes is the largest description that is read, in bytes.
	MaxFileBytes = 1 << 20
	// MaxDiagnostics is the largest number of diagnostics that Load returns; a last one then gives
	// the number of omitted diagnostics.
	MaxDiagnostics = 100
)
