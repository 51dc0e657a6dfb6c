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
#include "under_way.h"

namespace hc {

/// What a free run saw and what it took.
struct FreeRun {
  std::uint64_t injections = 0;
  std::uint64_t deliveries = 0;
  std::uint64_t drain_cycles = 0;  // until the network was empty, after the load
  Times times;                     // when the load ends
  std::uint64_t wait_bound = 0;    // injections of other nodes during a wait, at most
  double seconds = 0;              // of processor time under load, of all threads: others may use the processor too
};

/// Resets the network and loads it with broadcasts for options.free_run cycles. In the first
/// half most nodes always offer a message, the others now and then; all receivers stall at
/// random. In the second half a few nodes, which change, always offer a message; at times
/// one receiver stalls briefly and another node offers a single message. The unbroken
/// streams can then pass this message for as long as the design lets them. Then lets the
/// network drain. Checks that
///
/// - every message is delivered to all other nodes once and unchanged, those of one node
///   in order, and nothing is dropped as malformed;
/// - the paces of neighbours differ by at most 1, in every cycle;
/// - in the first half, numbers of injections of nodes that always offer differ by at most
///   their distance and kFairSlack, in every cycle;
/// - while a node waits for its injection, all others inject at most the sum of
///   2 d + kWaitSlack messages, d being their distances.
///
/// There is no limit for the time under way, nor for the injections meanwhile: they are
/// bounded, but no useful bound has been proved.
///
/// The report has a case for each.
FreeRun free_run(Model& model, const StreamTable& table, const Options& options, Report& report);

/// What a node can be ahead of one that is no hop away, in messages.
constexpr std::uint64_t kFairSlack = 3;
/// What a node can inject while one that is no hop away waits, in messages.
constexpr std::uint64_t kWaitSlack = 4;

}  // namespace hc

#endif
