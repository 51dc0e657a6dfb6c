// SPDX-License-Identifier: Apache-2.0
//
// Exactly-once delivery, without the trace: the deliveries of every node equal the messages
// that others injected for it.

#ifndef HC_SCOREBOARD_H
#define HC_SCOREBOARD_H

#include <cstdint>
#include <string>
#include <vector>

namespace hc {

/// The identity of a message: a hash of payload, last and, with a source id, source. The first
/// function is for a message that node offers with header {last, tdest}. The second is for a
/// delivery with header {last, source}. A header has only the parts that the machine has.
std::uint64_t offer_identity(std::uint32_t node, std::uint64_t header, const std::uint32_t* payload);
std::uint64_t delivery_identity(std::uint64_t header, const std::uint32_t* payload);

/// Counts the messages and deliveries of a network. It also adds up the identities of messages, so
/// that a lost message and another message that is delivered twice do not cancel out.
class Scoreboard {
 public:
  explicit Scoreboard(std::uint32_t nodes) : nodes_(nodes) {}

  /// Node offers a message. (Copies of it may be delivered before the router
  /// has taken it.)
  /// header is that of offer_identity(). Returns the number of nodes of the message; 0 if its
  /// destination is illegal.
  std::uint64_t offered(std::uint32_t node, std::uint64_t header, const std::uint32_t* payload);
  /// An offered message was taken.
  void injected(std::uint64_t cycle);
  /// A message was delivered to node. Returns "" or the fault: more deliveries than messages
  /// that the other nodes have offered.
  /// header is that of delivery_identity().
  std::string delivered(std::uint32_t node, std::uint64_t cycle, std::uint64_t header, const std::uint32_t* payload);
  /// A fault of a node, when the network is empty; "": none.
  std::string complete(std::uint32_t node) const;

  std::uint64_t offers() const { return offers_; }
  std::uint64_t injections() const { return injections_; }
  std::uint64_t deliveries() const { return deliveries_; }
  /// The number of deliveries that are still missing.
  std::uint64_t missing() const { return wanted_ - deliveries_; }

  /// Cycles of the first injection and last delivery, if there were any.
  std::uint64_t first_injection() const { return first_injection_; }
  std::uint64_t last_delivery() const { return last_delivery_; }

 private:
  struct Node {
    std::uint64_t offered = 0;      // broadcasts
    std::uint64_t offered_sum = 0;  // sum of their identities, modulo 2^64
    std::uint64_t addressed = 0;    // other messages for the node
    std::uint64_t addressed_sum = 0;
    std::uint64_t delivered = 0;
    std::uint64_t delivered_sum = 0;
  };
  std::uint64_t expected(const Node& n) const { return all_.offered - n.offered + n.addressed; }

  std::vector<Node> nodes_;
  Node all_;  // broadcasts only
  std::uint64_t offers_ = 0;
  std::uint64_t wanted_ = 0;  // deliveries
  std::uint64_t injections_ = 0;
  std::uint64_t deliveries_ = 0;
  std::uint64_t first_injection_ = 0;
  std::uint64_t last_delivery_ = 0;
};

}  // namespace hc

#endif
