// SPDX-License-Identifier: Apache-2.0

#include "scoreboard.h"

#include "bench_config.h"
#include "destination.h"
#include "random.h"
#include "streams.h"

namespace hc {

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

}  // namespace hc
