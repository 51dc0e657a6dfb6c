// SPDX-License-Identifier: Apache-2.0
//
// What a bench knows without a trace: where links lead and whom a message is for, computed only from the rings
// of bench_config.h, because the bench must not take the wiring from the program that it checks; whether every
// message arrives exactly once; and how long messages wait and are under way.

#ifndef HC_CHECKS_H
#define HC_CHECKS_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace hc {

/// A dimension: a ring of m nodes, each linked to its rho nearest neighbours on both sides.
struct Ring {
  std::uint32_t m, rho;
};

/// Links between chips, of a dimension (docs/chips.md); word_bits is 0 where links do not leave the chip.
struct ChipLink {
  unsigned word_bits, flight, silence;
};

/// A write to the configuration bus of a programmable router.
struct Write {
  std::uint32_t address, value;
};

/// A register of a programmable router and its value.
struct Register {
  const char* name;
  std::uint32_t address, value;
};

/// The ports of a node in their fixed order, dimension 1 first, in each dimension
/// clockwise 1..rho, then counterclockwise 1..rho.
class Topology {
 public:
  explicit Topology(const std::vector<Ring>& rings);

  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t degree() const { return static_cast<std::uint32_t>(ports_.size()); }
  /// The node at the other end of a port.
  std::uint32_t neighbor(std::uint32_t node, std::uint32_t port) const;
  /// The port of that node that leads back.
  std::uint32_t opposite(std::uint32_t port) const { return ports_[port].opposite; }
  /// The number of hops of a shortest path between two nodes.
  std::uint32_t distance(std::uint32_t a, std::uint32_t b) const;

 private:
  struct Port {
    std::uint32_t stride;  // between nodes that are neighbours in the ring
    std::uint32_t m;
    std::uint32_t clockwise;  // steps to the neighbour, counted clockwise
    std::uint32_t opposite;
  };
  std::vector<Ring> rings_;
  std::vector<Port> ports_;
  std::uint32_t nodes_ = 1;
};

inline Topology::Topology(const std::vector<Ring>& rings) : rings_(rings) {
  for (const Ring& ring : rings) {
    const std::uint32_t first = degree();
    // If 2 rho = m both directions of distance rho lead to the same node; there
    // is one port for it, the clockwise one, linked with itself.
    const bool shared = 2 * ring.rho == ring.m;
    const std::uint32_t back = shared ? ring.rho - 1 : ring.rho;
    for (std::uint32_t x = 1; x <= ring.rho; ++x) {
      const bool own = shared && x == ring.rho;
      ports_.push_back({nodes_, ring.m, x, first + (own ? x - 1 : ring.rho + x - 1)});
    }
    for (std::uint32_t x = 1; x <= back; ++x) ports_.push_back({nodes_, ring.m, ring.m - x, first + x - 1});
    nodes_ *= ring.m;
  }
}

inline std::uint32_t Topology::neighbor(std::uint32_t node, std::uint32_t port) const {
  const Port& p = ports_[port];
  const std::uint32_t digit = node / p.stride % p.m;
  return node - digit * p.stride + (digit + p.clockwise) % p.m * p.stride;
}

inline std::uint32_t Topology::distance(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t hops = 0;
  for (const Ring& ring : rings_) {
    const std::uint32_t steps = (a % ring.m + ring.m - b % ring.m) % ring.m;
    hops += (std::min(steps, ring.m - steps) + ring.rho - 1) / ring.rho;
    a /= ring.m;
    b /= ring.m;
  }
  return hops;
}

// The nodes of a message follow from its tdest, which has {all, digit} of each dimension, dimension 1 lowest.

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

// Exactly-once delivery: the deliveries of every node equal the messages that others injected for it.

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

// How long messages are under way, and how long they wait for their injection

/// A time in cycles, the source of its message, and the cycle in which it begins.
struct Span {
  std::uint64_t cycles = 0;
  std::uint32_t node = 0;
  std::uint64_t from = 0;
};

/// The longest times of a run.
struct Times {
  Span under_way;
  std::uint64_t overtaken = 0;  // most injections of other messages while a message is under way
  Span wait;
  std::uint64_t passed = 0;       // most injections of other nodes during a wait
  std::uint64_t messages = 0;     // offered
  std::uint64_t undelivered = 0;  // messages under way at the end
  std::uint64_t equal = 0;        // messages whose time under way is unknown, because an equal message was under way

  /// Whether under_way is meaningful. A message that is blocked for a long time is the most likely
  /// to meet an equal message. So if many messages have unknown times, the longest time is probably
  /// one of them.
  bool measured() const { return equal * 100 <= messages; }
};

/// Follows messages. A message is *under way* from its injection handshake, or from its
/// first delivery if that comes earlier, to its last delivery. It *waits* from the first
/// cycle in which it is offered to its injection handshake.
///
/// A delivery belongs to the message with its identity (offer_identity()). Messages with equal
/// identities that are offered or under way at the same time have unknown times. Only
/// messages that are not delivered yet take memory.
class UnderWay {
 public:
  explicit UnderWay(std::uint32_t nodes) : offers_(nodes) {}

  /// Node begins to offer a message for a number of receivers; 0 if it will be dropped.
  void offered(std::uint32_t node, std::uint64_t cycle, std::uint64_t identity, std::uint64_t receivers);
  /// The offered message is taken. Returns the injections of other nodes while it waited.
  std::uint64_t injected(std::uint32_t node, std::uint64_t cycle);
  /// Injections of other nodes while node has waited until now; 0 if it does not wait.
  std::uint64_t passed(std::uint32_t node) const;
  void delivered(std::uint64_t cycle, std::uint64_t identity);

  /// The times of a run of the given number of cycles. A message that is under way or waits at
  /// its end counts with the cycles until then.
  Times times(std::uint64_t cycles) const;

 private:
  static constexpr std::uint64_t kNever = UINT64_MAX;

  struct Offer {
    bool waiting = false;
    std::uint64_t from = 0;        // cycle
    std::uint64_t injections = 0;  // of all nodes in the cycles before
    bool followed = false;         // it has receivers
    std::uint64_t identity = 0;
  };
  /// A message, or several of the same identity.
  struct Message {
    std::uint32_t source;
    std::uint64_t missing;  // deliveries
    std::uint64_t messages = 1;
    std::uint64_t from = kNever;   // cycle
    std::uint64_t injections = 0;  // of all nodes in the cycles before
    bool injected = false;
  };

  void enter(std::uint64_t cycle);
  void begin(Message& message) const;
  static void follow(Times& times, const Message& message, std::uint64_t cycle, std::uint64_t injections);

  std::vector<Offer> offers_;                            // by node
  std::unordered_map<std::uint64_t, Message> messages_;  // by identity
  Times longest_;                                        // of the messages that have arrived or were taken
  std::uint64_t cycle_ = 0;
  std::uint64_t injections_ = 0;
  std::uint64_t injections_before_ = 0;  // those before this cycle
};

/// The times as a line of text; end is what ends the run, "trace" or "load".
std::string describe(const Times& times, const std::string& end);

}  // namespace hc

#endif
