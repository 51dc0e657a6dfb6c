// SPDX-License-Identifier: Apache-2.0
//
// Runs a network without a trace under random load and checks the properties that hold under
// every load.

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

/// The results and the cost of a free run.
struct FreeRun {
  std::uint64_t injections = 0;
  std::uint64_t deliveries = 0;
  std::uint64_t drain_cycles = 0;  // cycles after the load until the network was empty
  Times times;                     // times of messages when the load ends
  std::uint64_t wait_bound = 0;    // most injections of other nodes that the theorem allows during a wait
  double seconds = 0;  // of processor time under load, of all threads; elapsed time would depend on other processes
};

/// Resets the network and loads it with broadcasts for options.free_run cycles. In the first
/// half most nodes always offer a message, the others offer one at times, and all receivers
/// stall at random. In the second half a few nodes always offer a message; at times these nodes
/// change, one receiver stalls briefly, and another node offers a single message, which the
/// uninterrupted streams can pass for as long as the design permits. Finally the network drains.
/// Checks that
///
/// - every message is delivered to all other nodes once and unchanged, those of one node
///   in order, and nothing is dropped as malformed;
/// - the paces of neighbours differ by at most 1, in every cycle;
/// - in the first half, numbers of injections of nodes that always offer differ by at most
///   their distance and kFairSlack, in every cycle;
/// - while a node waits for its injection, all others inject at most the sum of
///   2 d + kWaitSlack messages, d being their distances.
///
/// The time under way, and the injections of other nodes during this time, are not checked: they
/// are bounded, but no useful bound has been proved.
///
/// The report has a case for each property.
FreeRun free_run(Model& model, const StreamTable& table, const Options& options, Report& report);

/// Largest difference of the injections of two nodes, in messages, in addition to their distance.
constexpr std::uint64_t kFairSlack = 3;
/// Most injections of a node while another node waits, in messages, in addition to twice their distance.
constexpr std::uint64_t kWaitSlack = 4;

}  // namespace hc

#endif
