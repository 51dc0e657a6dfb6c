// SPDX-License-Identifier: Apache-2.0

package registers

// MaxDimensions is the largest number of dimensions of any programmable router.
const MaxDimensions = 4

// Programmable returns the registers of a programmable router.
func Programmable() Map {
	return Map{
		File: "hc_registers", Prefix: "HC", Kind: "Configuration registers", Of: "the programmable router",
		Version: 1, MaxDimensions: MaxDimensions, Dimensions: "max_dimensions",
		Registers: programmable(),
		named: []named{
			{"STATUS", "code", ErrorCodes()},
			{"PREFERENCE", "preference", PreferenceCodes()},
		},
	}
}

func programmable() []Register {
	return []Register{
		{"LIMITS", 0x00, false, ReadOnly, "Limits of the router.", []Field{
			{"max_dimensions", 0, 8, "Largest number of dimensions."},
			{"max_nodes", 8, 8, "Largest number of nodes of a dimension."},
			{"max_degree", 16, 8, "Ports of the router."},
			{"version", 24, 8, "Version of this register map."},
		}},
		{"CONTROL", 0x04, false, WriteOnly, "Starts a configuration.", []Field{
			{"start", 0, 1, "1 closes the router, waits until the network has drained, and configures the router."},
		}},
		{"STATUS", 0x08, false, ReadOnly, "State of the configuration.", []Field{
			{"done", 0, 1, "The router is configured and accepts messages."},
			{"error", 1, 1, "The machine is illegal; the router is closed."},
			{"busy", 2, 1, "The router drains or computes; writes are refused."},
			{"idle", 3, 1, "The router is closed and holds no message."},
			{"code", 8, 3, "Reason of the error, one of the codes below."},
			{"dimension", 12, 3, "Dimension of the error, from 1, or 0."},
		}},
		{"RANK", 0x0c, false, ReadWrite, "Dimensions of the machine.", []Field{
			{"r", 0, 32, "1 to max_dimensions. A value above 7 is stored as 0."},
		}},
		{"PREFERENCE", 0x10, false, ReadWrite, "Direction that covers more of a ring.", []Field{
			{"preference", 0, 32, "One of the codes below. A value above 3 is stored as 3."},
		}},
		{"DEGREE", 0x14, false, ReadOnly, "Ports of the machine's routers.", []Field{
			{"degree", 0, 5, "Sum over the dimensions; ports from this number on are unused."},
		}},
		{"OTHERS", 0x18, false, ReadOnly, "Number of other nodes.", []Field{
			{"others", 0, 32, "N - 1."},
		}},
		{"STEPS", 0x1c, false, ReadOnly, "Steps of a broadcast.", []Field{
			{"steps", 0, 5, "Sum of all D, the diameter."},
		}},
		{"DIMENSION", 0x20, true, ReadWrite, "One ring of the machine.", []Field{
			{"m", 0, 16, "Nodes of the ring, 2 to max_nodes. A value that does not fit is stored as 0."},
			{"rho", 16, 16, "Reach of its links, 1 to floor(m/2). A value that does not fit is stored as 0."},
		}},
		{"CONSTANTS", 0x30, true, ReadOnly, "Constants of the ring by equations (3) and (6).", []Field{
			{"d", 0, 8, "D = ceil(floor(m/2) / rho)."},
			{"a", 8, 8, "a = floor((m-1) / rho) - D."},
			{"k", 16, 8, "k = m - a rho - D rho - 1."},
		}},
		{"SIDES", 0x40, true, ReadOnly, "Entering weights: q + 1 on the nearest k links of a side, q on the others.", []Field{
			{"clockwise_q", 0, 8, "q of the clockwise side."},
			{"clockwise_k", 8, 8, "k of the clockwise side."},
			{"counterclockwise_q", 16, 8, "q of the counterclockwise side."},
			{"counterclockwise_k", 24, 8, "k of the counterclockwise side."},
		}},
		{"ACCEPTED", 0x50, false, ReadOnly, "Messages accepted from the node since configuration, modulo 2^32.", []Field{
			{"count", 0, 32, "Handshakes of the local input."},
		}},
		{"FORWARDED", 0x54, false, ReadOnly, "Messages sent on links since configuration, modulo 2^32.", []Field{
			{"count", 0, 32, "Handshakes of all link outputs."},
		}},
		{"DELIVERED", 0x58, false, ReadOnly, "Messages delivered to the node since configuration, modulo 2^32.", []Field{
			{"count", 0, 32, "Handshakes of the local output."},
		}},
		{"DROPPED", 0x5c, false, ReadOnly, "Messages with malformed headers since configuration, modulo 2^32.", []Field{
			{"count", 0, 32, "Pulses of header_error."},
		}},
	}
}

// ErrorCodes are the values of field code of register STATUS.
func ErrorCodes() []Code {
	return []Code{
		{"ERROR_NONE", 0, "No error."},
		{"ERROR_RANK", 1, "RANK is 0 or above max_dimensions."},
		{"ERROR_PREFERENCE", 2, "PREFERENCE is not a valid code."},
		{"ERROR_M", 3, "m of a dimension is below 2 or above max_nodes."},
		{"ERROR_RHO", 4, "rho of a dimension is 0 or above floor(m/2)."},
		{"ERROR_DEGREE", 5, "The machine has more than max_degree ports."},
	}
}

// PreferenceCodes are the values of register PREFERENCE, those of
// hypercycle.Preference.
func PreferenceCodes() []Code {
	return []Code{
		{"PREFERENCE_CLOCKWISE", 0, "Clockwise covers D rho nodes: sides (D, 0) and (a, k)."},
		{"PREFERENCE_COUNTERCLOCKWISE", 1, "Its mirror image: sides (a, k) and (D, 0)."},
		{"PREFERENCE_BALANCED", 2, "Clockwise covers floor(m/2) nodes; every node is reached at its graph distance."},
	}
}
