// SPDX-License-Identifier: Apache-2.0
//
// How long messages are under way, and how long they wait for their injection.

#ifndef HC_UNDER_WAY_H
#define HC_UNDER_WAY_H

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace hc {

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
/// A delivery belongs to the message with its identity (scoreboard.h). Messages with equal
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
