// SPDX-License-Identifier: Apache-2.0

package registers

// EndpointDimensions is the largest number of dimensions of any machine with endpoints, which has at most 1024 nodes.
const EndpointDimensions = 10

// Endpoint returns the registers of an endpoint (docs/endpoints.md, "Registers"). Addresses are offsets in its region.
func Endpoint() Map {
	return Map{
		File: "hc_endpoint_registers", Prefix: "HC_ENDPOINT", Kind: "Registers", Of: "the endpoint",
		Version: 1, MaxDimensions: EndpointDimensions, Dimensions: "dimensions",
		Note:      "Addresses are those in region 1. `w1c`: a written 1 clears its bit. `ws`: a write of any value sets the bits.\n\n",
		Registers: endpoint(),
	}
}

func endpoint() []Register {
	return []Register{
		{"ID", 0x00, false, ReadOnly, "Sizes and options of the endpoint.", []Field{
			{"dimensions", 0, 8, "Number of dimensions."},
			{"address_bits", 8, 8, "The memory of a node has 2^address_bits bytes."},
			{"gets", 16, 1, "A node can read the memories of others."},
			{"adds", 17, 1, "A node can add to words in the memories of others."},
			{"timeout", 18, 1, "An access to other nodes can end late, because the machine has several chips."},
			{"version", 24, 8, "Version of this register map."},
		}},
		{"NODE", 0x04, false, ReadOnly, "Number of this node.", []Field{
			{"node", 0, 32, "0 to N - 1."},
		}},
		{"DIGITS", 0x08, false, ReadOnly, "Digits of this node.", []Field{
			{"digits", 0, 32, "As in an address, dimension 1 lowest, from bit 0 on."},
		}},
		{"NODES", 0x0c, false, ReadOnly, "Number of nodes.", []Field{
			{"nodes", 0, 32, "N."},
		}},
		{"BARRIER", 0x10, false, Set, "Arrives at the barrier.", []Field{
			{"waits", 0, 1, "This node has arrived and is not released."},
		}},
		{"EVENTS", 0x14, false, Clear, "What has happened. An event in the cycle in which it is cleared wins.", []Field{
			{"doorbells", 0, 8, "Bits that were 1 in puts to the doorbell."},
			{"released", 8, 1, "The barrier has released this node."},
		}},
		{"ENABLE", 0x18, false, ReadWrite, "The interrupt is 1 while a bit is 1 here and in EVENTS.", []Field{
			{"doorbells", 0, 8, "Enables the doorbells."},
			{"released", 8, 1, "Enables the release of the barrier."},
		}},
		{"ERRORS", 0x1c, false, Clear, "What went wrong. An error in the cycle in which it is cleared wins.", []Field{
			{"outside", 0, 1, "An access had a destination outside the machine; bus error."},
			{"unsupported", 1, 1, "An access that the endpoint does not have; bus error."},
			{"dropped", 2, 1, "The router has dropped a message of this node, a hardware fault."},
			{"late", 3, 1, "An access to other nodes was not done in time, on several chips; bus error."},
		}},
		{"WAITING", 0x20, false, ReadOnly, "Work for other nodes, and on several chips what accesses to others wait for.", []Field{
			{"gets", 0, 16, "Gets of other nodes in the queue."},
			{"reply", 16, 1, "A reply waits for the network."},
			{"message", 17, 1, "The message of an access that ended late waits for the network."},
			{"owed", 18, 1, "The reply to a get that ended late has not come."},
			{"cables", 19, 1, "The cables of the chip have not all been up since its reset."},
		}},
		{"DIMENSION", 0x40, true, ReadOnly, "One ring of the machine.", []Field{
			{"m", 0, 16, "Nodes of the ring."},
			{"rho", 16, 16, "Reach of its links."},
		}},
	}
}
