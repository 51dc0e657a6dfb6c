// SPDX-License-Identifier: Apache-2.0

#include "topology.h"

#include <algorithm>

namespace hc {

Topology::Topology(const std::vector<Ring>& rings) : rings_(rings) {
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

std::uint32_t Topology::neighbor(std::uint32_t node, std::uint32_t port) const {
  const Port& p = ports_[port];
  const std::uint32_t digit = node / p.stride % p.m;
  return node - digit * p.stride + (digit + p.clockwise) % p.m * p.stride;
}

std::uint32_t Topology::distance(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t hops = 0;
  for (const Ring& ring : rings_) {
    const std::uint32_t steps = (a % ring.m + ring.m - b % ring.m) % ring.m;
    hops += (std::min(steps, ring.m - steps) + ring.rho - 1) / ring.rho;
    a /= ring.m;
    b /= ring.m;
  }
  return hops;
}

}  // namespace hc
