// SPDX-License-Identifier: Apache-2.0
//
// The random numbers of the bench: for data and ready without valid, which must not affect
// the design, and for the random traffic before each reset.

#ifndef HC_RANDOM_H
#define HC_RANDOM_H

#include <cstdint>

namespace hc {

/// splitmix64: small, fast, and the same on every host.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint32_t word() {
    state_ += 0x9e3779b97f4a7c15U;
    return static_cast<std::uint32_t>(mix(state_) >> 32);
  }
  bool coin() { return (word() & 1) != 0; }

  /// A bijection of 64 bits whose result looks random.
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace hc

#endif
