// SPDX-License-Identifier: Apache-2.0
//
// Tells a network of programmable routers its machine while messages are under way.

#ifndef HC_RELOAD_H
#define HC_RELOAD_H

#include <cstdint>
#include <string>

#include "model.h"
#include "streams.h"

namespace hc {

struct Reload {
  std::uint64_t taken = 0;       // messages, before the routers closed
  std::uint64_t deliveries = 0;  // until they were open again
  std::string wrong;             // with what some node was delivered; "": nothing
};

/// Loads the network, which must be empty, and tells it the machine again. What was taken
/// must have been delivered to all other nodes, once and unchanged, when this returns.
Reload reload(Model& model, const StreamTable& table, std::uint32_t seed);

}  // namespace hc

#endif
