// SPDX-License-Identifier: Apache-2.0
//
// Tells a network of programmable routers its machine while messages are under way.

#ifndef HC_RELOAD_H
#define HC_RELOAD_H

#include <cstdint>
#include <string>

#include "model.h"
#include "read_back.h"
#include "streams.h"

namespace hc {

struct Reload {
  std::uint64_t taken = 0;       // messages, before the routers closed
  std::uint64_t wanted = 0;      // deliveries of them
  std::uint64_t deliveries = 0;  // until they were open again
  std::string wrong;             // with what some node was delivered; "": nothing
  std::string after;             // and with what was taken after that; "": nothing
};

/// Loads the network, which must be empty, and tells it the machine again. What was taken
/// must have been delivered to all nodes it is for, once and unchanged, when the routers open
/// again. They are loaded while what they say of their machine is read, and empty while
/// their counters are.
Reload reload(Model& model, const StreamTable& table, std::uint32_t seed, ReadBack& read_back);

}  // namespace hc

#endif
