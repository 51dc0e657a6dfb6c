// SPDX-License-Identifier: Apache-2.0
//
// Runs a network without a trace under random load and checks what must hold whatever
// the load.

#ifndef HC_FREE_RUN_H
#define HC_FREE_RUN_H

#include <cstdint>

#include "model.h"
#include "options.h"
#include "report.h"
#include "scoreboard.h"
#include "streams.h"

namespace hc {

/// What a free run saw and what it took.
struct FreeRun {
  std::uint64_t injections = 0;
  std::uint64_t deliveries = 0;
  std::uint64_t drain_cycles = 0;  // until the network was empty, after the load
  double seconds = 0;              // of processor time under load, of all threads: others may use the processor too
};

/// Resets the network and loads it for options.free_run cycles. Most nodes always have a
/// message on offer, the others now and then; receivers are ready more or less often.
/// Then lets the network drain. Checks that
///
/// - every message is delivered to all other nodes once and unchanged, those of one node
///   in order, and nothing is dropped as malformed;
/// - the paces of neighbours differ by at most 1, in every cycle;
/// - numbers of injections of nodes that always offer differ by at most their distance
///   and kFairSlack, in every cycle.
///
/// The report has a case for each.
FreeRun free_run(Model& model, const StreamTable& table, const Options& options, Report& report);

/// What a node can be ahead of one that is no hop away, in messages.
constexpr std::uint64_t kFairSlack = 3;

}  // namespace hc

#endif
