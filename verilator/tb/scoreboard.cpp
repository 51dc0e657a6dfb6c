// SPDX-License-Identifier: Apache-2.0

#include "scoreboard.h"

#include "bench_config.h"
#include "random.h"
#include "streams.h"

namespace hc {

namespace {

std::uint64_t hash(std::uint64_t source, const std::uint32_t* payload) {
  std::uint64_t h = kSourceBits > 0 ? source + 1 : 0;
  for (std::size_t w = 0; w < kPayloadWords; ++w) h = Random::mix(h + payload[w] + 0x9e3779b97f4a7c15U);
  return h;
}

}  // namespace

void Scoreboard::offered(std::uint32_t node, const std::uint32_t* payload) {
  const std::uint64_t h = hash(node, payload);
  nodes_[node].offered += 1;
  nodes_[node].offered_sum += h;
  all_.offered += 1;
  all_.offered_sum += h;
}

void Scoreboard::injected(std::uint64_t cycle) {
  if (injections_ == 0) first_injection_ = cycle;
  ++injections_;
}

std::string Scoreboard::delivered(std::uint32_t node, std::uint64_t cycle, std::uint64_t source,
                                  const std::uint32_t* payload) {
  Node& n = nodes_[node];
  n.delivered += 1;
  n.delivered_sum += hash(source, payload);
  ++deliveries_;
  last_delivery_ = cycle;
  const std::uint64_t others = all_.offered - n.offered;
  if (n.delivered <= others) return "";
  return "exactly once: " + std::to_string(n.delivered) + " messages delivered, but the other nodes have sent " +
         std::to_string(others);
}

std::string Scoreboard::complete(std::uint32_t node) const {
  const Node& n = nodes_[node];
  const std::uint64_t others = all_.offered - n.offered;
  if (n.delivered != others) {
    return "exactly once: expected " + std::to_string(others) + " deliveries, got " + std::to_string(n.delivered);
  }
  if (n.delivered_sum != all_.offered_sum - n.offered_sum) {
    return "exactly once: " + std::to_string(others) + " messages delivered, but not the ones that were sent";
  }
  return "";
}

}  // namespace hc
