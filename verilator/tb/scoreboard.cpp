// SPDX-License-Identifier: Apache-2.0

#include "scoreboard.h"

#include "bench_config.h"
#include "destination.h"
#include "random.h"
#include "streams.h"

namespace hc {

namespace {

// header is {last, source}.
std::uint64_t hash(std::uint64_t header, const std::uint32_t* payload) {
  std::uint64_t h = kDeliveryBits > 0 ? header + 1 : 0;
  for (std::size_t w = 0; w < kPayloadWords; ++w) h = Random::mix(h + payload[w] + 0x9e3779b97f4a7c15U);
  return h;
}

}  // namespace

void Scoreboard::offered(std::uint32_t node, std::uint64_t header, const std::uint32_t* payload) {
  const std::uint64_t last = kLast ? header >> (kOfferBits - 1) : 0;
  const std::uint64_t source = kSourceBits > 0 ? node : 0;
  const std::uint64_t h = hash(last << kSourceBits | source, payload);
  const std::uint64_t tdest = header & ~(last << (kOfferBits - 1));
  if (!kDestination || tdest == broadcast_destination()) {
    nodes_[node].offered += 1;
    nodes_[node].offered_sum += h;
    all_.offered += 1;
    all_.offered_sum += h;
    offers_ += 1;
    wanted_ += nodes_.size() - 1;
    return;
  }
  if (!legal_destination(node, tdest)) return;
  offers_ += 1;
  for (std::uint32_t other = 0; other < nodes_.size(); ++other) {
    if (!is_for(node, tdest, other)) continue;
    nodes_[other].addressed += 1;
    nodes_[other].addressed_sum += h;
    wanted_ += 1;
  }
}

void Scoreboard::injected(std::uint64_t cycle) {
  if (injections_ == 0) first_injection_ = cycle;
  ++injections_;
}

std::string Scoreboard::delivered(std::uint32_t node, std::uint64_t cycle, std::uint64_t header,
                                  const std::uint32_t* payload) {
  Node& n = nodes_[node];
  n.delivered += 1;
  n.delivered_sum += hash(header, payload);
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
