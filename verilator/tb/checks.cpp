// SPDX-License-Identifier: Apache-2.0

#include "checks.h"

#include <algorithm>
#include <tuple>

#include "bench_config.h"
#include "trace.h"

namespace hc {

namespace {

// Visits the part of every dimension: visit(m, bits of a digit, digit, all, digit of node).
template <class Visit>
void each_part(std::uint64_t tdest, std::uint32_t node, Visit visit) {
  const unsigned* digit_bits = kDigitBits;
  for (const Ring& ring : kRings) {
    const unsigned bits = *digit_bits++;
    visit(ring.m, bits, static_cast<std::uint32_t>(tdest & ((std::uint64_t{1} << bits) - 1)), (tdest >> bits & 1) != 0,
          node % ring.m);
    tdest >>= bits + 1;
    node /= ring.m;
  }
}

}  // namespace

std::uint64_t node_digits(std::uint32_t node) {
  std::uint64_t digits = 0;
  unsigned low = 0;
  each_part(0, node, [&](std::uint32_t, unsigned bits, std::uint32_t, bool, std::uint32_t own) {
    digits |= std::uint64_t{own} << low;
    low += bits;
  });
  return digits;
}

bool legal_destination(std::uint32_t source, std::uint64_t tdest) {
  bool digits = true, others = false;
  each_part(tdest, source, [&](std::uint32_t m, unsigned, std::uint32_t digit, bool all, std::uint32_t own) {
    digits = digits && (all || digit < m);
    others = others || all || digit != own;
  });
  return digits && others;
}

bool is_for(std::uint32_t source, std::uint64_t tdest, std::uint32_t node) {
  bool agrees = true;
  each_part(tdest, node, [&](std::uint32_t, unsigned, std::uint32_t digit, bool all, std::uint32_t own) {
    agrees = agrees && (all || digit == own);
  });
  return agrees && node != source;
}

std::uint64_t scope_of(std::uint64_t tdest) {
  std::uint64_t scope = 0;
  unsigned i = 0;
  each_part(tdest, 0, [&](std::uint32_t, unsigned, std::uint32_t, bool all, std::uint32_t) {
    scope |= std::uint64_t{all} << i++;
  });
  return scope;
}

std::uint64_t broadcast_destination() {
  std::uint64_t tdest = 0;
  unsigned low = 0;
  each_part(0, 0, [&](std::uint32_t, unsigned bits, std::uint32_t, bool, std::uint32_t) {
    tdest |= std::uint64_t{1} << (low + bits);
    low += bits + 1;
  });
  return tdest;
}

namespace {

// The parts of {last, tdest}.
std::uint64_t last_of(std::uint64_t header) { return kLast ? header >> (kOfferBits - 1) : 0; }
std::uint64_t tdest_of(std::uint64_t header) {
  return kLast ? header & ((std::uint64_t{1} << (kOfferBits - 1)) - 1) : header;
}

}  // namespace

std::uint64_t offer_identity(std::uint32_t node, std::uint64_t header, const std::uint32_t* payload) {
  const std::uint64_t source = kSourceBits > 0 ? node : 0;
  const std::uint64_t above = last_of(header) | (kScopeBits > 0 ? scope_of(tdest_of(header)) << (kLast ? 1 : 0) : 0);
  return delivery_identity(above << kSourceBits | source, payload);
}

std::uint64_t delivery_identity(std::uint64_t header, const std::uint32_t* payload) {
  std::uint64_t h = kDeliveryBits > 0 ? header + 1 : 0;
  for (std::size_t w = 0; w < kPayloadWords; ++w) h = Random::mix(h + payload[w] + 0x9e3779b97f4a7c15U);
  return h;
}

std::uint64_t Scoreboard::offered(std::uint32_t node, std::uint64_t header, const std::uint32_t* payload) {
  const std::uint64_t h = offer_identity(node, header, payload);
  const std::uint64_t tdest = tdest_of(header);
  if (!kDestination || tdest == broadcast_destination()) {
    nodes_[node].offered += 1;
    nodes_[node].offered_sum += h;
    all_.offered += 1;
    all_.offered_sum += h;
    offers_ += 1;
    wanted_ += nodes_.size() - 1;
    return nodes_.size() - 1;
  }
  if (!legal_destination(node, tdest)) return 0;
  offers_ += 1;
  std::uint64_t receivers = 0;
  for (std::uint32_t other = 0; other < nodes_.size(); ++other) {
    if (!is_for(node, tdest, other)) continue;
    nodes_[other].addressed += 1;
    nodes_[other].addressed_sum += h;
    wanted_ += 1;
    receivers += 1;
  }
  return receivers;
}

void Scoreboard::injected(std::uint64_t cycle) {
  if (injections_ == 0) first_injection_ = cycle;
  ++injections_;
}

std::string Scoreboard::delivered(std::uint32_t node, std::uint64_t cycle, std::uint64_t header,
                                  const std::uint32_t* payload) {
  Node& n = nodes_[node];
  n.delivered += 1;
  n.delivered_sum += delivery_identity(header, payload);
  ++deliveries_;
  last_delivery_ = cycle;
  if (n.delivered <= expected(n)) return "";
  return "exactly once: " + std::to_string(n.delivered) + " messages delivered, but the other nodes have sent " +
         std::to_string(expected(n));
}

std::string Scoreboard::complete(std::uint32_t node) const {
  const Node& n = nodes_[node];
  if (n.delivered != expected(n)) {
    return "exactly once: expected " + std::to_string(expected(n)) + " deliveries, got " + std::to_string(n.delivered);
  }
  if (n.delivered_sum != all_.offered_sum - n.offered_sum + n.addressed_sum) {
    return "exactly once: " + std::to_string(expected(n)) + " messages delivered, but not the ones that were sent";
  }
  return "";
}

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
