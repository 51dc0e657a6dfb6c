// SPDX-License-Identifier: Apache-2.0
//
// Configures a network of programmable routers while messages are under way.

#ifndef HC_RELOAD_H
#define HC_RELOAD_H

#include <cstdint>
#include <string>

#include "model.h"
#include "read_back.h"
#include "streams.h"

namespace hc {

struct Reload {
  std::uint64_t taken = 0;       // messages taken before the routers closed
  std::uint64_t wanted = 0;      // deliveries of these messages
  std::uint64_t deliveries = 0;  // deliveries until the routers were open again
  std::string wrong;             // a fault in the deliveries of a node; "": none
  std::string after;             // a fault with messages taken after the configuration; "": none
};

/// Loads the network, which must be empty, and configures it again. When the routers open
/// again, every message that was taken must have been delivered to all its nodes, once and
/// unchanged. The routers are loaded while their registers are read, and empty while their
/// counters are read.
Reload reload(Model& model, const StreamTable& table, std::uint32_t seed, ReadBack& read_back);

}  // namespace hc

#endif
