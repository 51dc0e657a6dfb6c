// SPDX-License-Identifier: Apache-2.0

#include "destination.h"

#include "bench_config.h"

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

}  // namespace hc
