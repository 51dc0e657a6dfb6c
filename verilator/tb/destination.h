// SPDX-License-Identifier: Apache-2.0
//
// Which nodes a message is for, from its tdest and the rings of bench_config.h alone. tdest has of each
// dimension, dimension 1 lowest, {all, digit}.

#ifndef HC_DESTINATION_H
#define HC_DESTINATION_H

#include <cstdint>

namespace hc {

/// Digits of a node as node_digits has them, dimension 1 lowest.
std::uint64_t node_digits(std::uint32_t node);

/// Whether a router delivers what node source sends with this tdest, and does not drop it: each digit is one
/// of its ring, and the set is more than the source.
bool legal_destination(std::uint32_t source, std::uint64_t tdest);

/// Whether a legal message of source is for node.
bool is_for(std::uint32_t source, std::uint64_t tdest, std::uint32_t node);

/// The bits of a tdest that deliveries have: of each dimension whether it is for all, dimension 1 lowest.
std::uint64_t scope_of(std::uint64_t tdest);

/// The tdest of a broadcast.
std::uint64_t broadcast_destination();

}  // namespace hc

#endif
