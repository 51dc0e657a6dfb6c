// SPDX-License-Identifier: Apache-2.0
//
// Runs a network without a trace, to see what the Verilated model alone costs.

#ifndef HC_FREE_RUN_H
#define HC_FREE_RUN_H

#include <cstdint>

#include "model.h"
#include "streams.h"

namespace hc {

/// What a free run saw and what it took.
struct FreeRun {
  std::uint64_t deliveries = 0;
  double seconds = 0;  // of processor time, of all threads: others may use the processor too
};

/// Resets the network and runs it under load for so many cycles: every node always
/// has a message on offer and its receiver is ready in nine of ten cycles, at
/// random. Nothing is compared.
FreeRun free_run(Model& model, const StreamTable& table, std::uint64_t cycles, std::uint32_t seed);

}  // namespace hc

#endif
