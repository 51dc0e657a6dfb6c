// SPDX-License-Identifier: Apache-2.0
//
// The links between ports of nodes, computed only from the rings of bench_config.h: the
// bench must not take the wiring from the program that it checks.

#ifndef HC_TOPOLOGY_H
#define HC_TOPOLOGY_H

#include <cstdint>
#include <vector>

namespace hc {

/// A dimension: a ring of m nodes, each linked to its rho nearest neighbours on both sides.
struct Ring {
  std::uint32_t m, rho;
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

}  // namespace hc

#endif
