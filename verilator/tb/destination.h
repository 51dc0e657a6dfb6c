// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a message, computed only from its tdest and the rings of bench_config.h. tdest has {all, digit}
// of each dimension, dimension 1 lowest.

#ifndef HC_DESTINATION_H
#define HC_DESTINATION_H

#include <cstdint>

namespace hc {

/// Digits of a node, packed as node_digits, dimension 1 lowest.
std::uint64_t node_digits(std::uint32_t node);

/// Whether the destination is legal, so that the router does not drop the message: each digit is below m, and
/// the set has a node other than the source.
bool legal_destination(std::uint32_t source, std::uint64_t tdest);

/// Whether a legal message of source is for node.
bool is_for(std::uint32_t source, std::uint64_t tdest, std::uint32_t node);

/// The bits of a tdest that a delivery has: `all` of each dimension, dimension 1 lowest.
std::uint64_t scope_of(std::uint64_t tdest);

/// The tdest of a broadcast.
std::uint64_t broadcast_destination();

}  // namespace hc

#endif
