// SPDX-License-Identifier: Apache-2.0

#include "under_way.h"

#include <algorithm>
#include <tuple>

namespace hc {

namespace {

// Of equally long times the earliest one is kept.
void longer(Span& longest, const Span& span) {
  if (span.cycles < longest.cycles) return;
  const bool earlier = std::tie(span.from, span.node) < std::tie(longest.from, longest.node);
  if (span.cycles > longest.cycles || earlier) longest = span;
}

std::string where(const Span& span, const char* who) {
  if (span.cycles == 0) return "";
  return std::string(" (") + who + " " + std::to_string(span.node) + ", from cycle " + std::to_string(span.from) + ")";
}

}  // namespace

void UnderWay::offered(std::uint32_t node, std::uint64_t cycle, std::uint64_t identity, std::uint64_t receivers) {
  enter(cycle);
  offers_[node] = {true, cycle, injections_before_, receivers > 0, identity};
  if (receivers == 0) return;
  ++longest_.messages;
  const auto [at, first] = messages_.try_emplace(identity, Message{node, receivers});
  if (first) return;
  at->second.missing += receivers;
  ++at->second.messages;
}

std::uint64_t UnderWay::injected(std::uint32_t node, std::uint64_t cycle) {
  enter(cycle);
  ++injections_;
  Offer& offer = offers_[node];
  offer.waiting = false;
  const std::uint64_t passed = injections_before_ - offer.injections;
  longer(longest_.wait, {cycle - offer.from, node, offer.from});
  longest_.passed = std::max(longest_.passed, passed);
  const auto at = messages_.find(offer.identity);
  if (!offer.followed || at == messages_.end()) return passed;
  begin(at->second);
  at->second.injected = true;
  return passed;
}

std::uint64_t UnderWay::passed(std::uint32_t node) const {
  return offers_[node].waiting ? injections_ - offers_[node].injections : 0;
}

void UnderWay::delivered(std::uint64_t cycle, std::uint64_t identity) {
  const auto at = messages_.find(identity);
  if (at == messages_.end()) return;
  Message& message = at->second;
  enter(cycle);
  begin(message);
  if (--message.missing > 0) return;
  follow(longest_, message, cycle, injections_before_);
  messages_.erase(at);
}

Times UnderWay::times(std::uint64_t cycles) const {
  Times times = longest_;
  for (const auto& [identity, message] : messages_) {
    if (message.messages == 1 && message.from == kNever) continue;
    if (message.messages == 1) ++times.undelivered;
    follow(times, message, cycles, injections_);
  }
  for (std::uint32_t node = 0; node < offers_.size(); ++node) {
    const Offer& offer = offers_[node];
    if (!offer.waiting) continue;
    longer(times.wait, {cycles - offer.from, node, offer.from});
    times.passed = std::max(times.passed, passed(node));
  }
  return times;
}

void UnderWay::enter(std::uint64_t cycle) {
  if (cycle == cycle_) return;
  cycle_ = cycle;
  injections_before_ = injections_;
}

// The message is under way from this cycle, unless it was before.
void UnderWay::begin(Message& message) const {
  if (message.from != kNever) return;
  message.from = cycle_;
  message.injections = injections_before_;
}

// The message is under way until a cycle; injections is the number of injections before that cycle.
void UnderWay::follow(Times& times, const Message& message, std::uint64_t cycle, std::uint64_t injections) {
  if (message.messages > 1) {
    times.equal += message.messages;
    return;
  }
  longer(times.under_way, {cycle - message.from, message.source, message.from});
  const std::uint64_t others = injections - message.injections - (message.injected ? 1 : 0);
  times.overtaken = std::max(times.overtaken, others);
}

std::string describe(const Times& times, const std::string& end) {
  std::string text = "under way: ";
  if (times.measured()) {
    text += "longest " + std::to_string(times.under_way.cycles) + " cycles" + where(times.under_way, "source") +
            ", at most " + std::to_string(times.overtaken) + " injections meanwhile, " +
            std::to_string(times.undelivered) + " undelivered when the " + end + " ends";
    if (times.equal > 0) text += ", without " + std::to_string(times.equal) + " equal messages";
  } else {
    text += "not measured, " + std::to_string(times.equal) + " of " + std::to_string(times.messages) +
            " messages are equal to others under way";
  }
  return text + "; longest wait " + std::to_string(times.wait.cycles) + " cycles" + where(times.wait, "node");
}

}  // namespace hc
