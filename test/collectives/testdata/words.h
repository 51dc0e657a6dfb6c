// SPDX-License-Identifier: Apache-2.0
//
// What the benches of collective networks and of their vectors share: random words, ports, indices and operators. config.h
// defines the machine and the network.

#ifndef WORDS_H
#define WORDS_H

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "config.h"

namespace {

std::mt19937_64 random_bits(1);
bool chance(int percent) { return random_bits() % 100 < static_cast<unsigned>(percent); }

// A word, in parts of 64 bits, the lowest first. The bits above its width are 0.
constexpr int PARTS = (WIDTH + 63) / 64;
using Word = std::array<uint64_t, PARTS>;
Word masked(Word w) {
  if (WIDTH % 64 != 0) w[PARTS - 1] &= (1ull << WIDTH % 64) - 1;
  return w;
}
// Many of the random words differ in few places: a carry crosses many bits, and the order is decided late.
Word word() {
  Word w;
  unsigned kind = random_bits() % 4;
  for (auto& part : w) part = kind == 0 ? 0 : kind == 1 ? ~0ull : random_bits();
  if (kind < 2) {
    unsigned bit = random_bits() % WIDTH;
    w[bit / 64] ^= 1ull << bit % 64;
  }
  return masked(w);
}

long now = 0;

[[noreturn]] void fail(const char* what, long a = 0, long b = 0, long c = 0) {
  std::printf("cycle %ld: %s: %ld %ld %ld\n", now, what, a, b, c);
  std::exit(1);
}

// Ports of Verilator are arrays of bits, lowest first, whatever their type.
template <typename Port>
uint64_t get(const Port& port, int low, int width) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&port);
  uint64_t value = 0;
  for (int i = 0; i < width; ++i) value |= static_cast<uint64_t>(bytes[(low + i) / 8] >> (low + i) % 8 & 1) << i;
  return value;
}
template <typename Port>
void put(Port& port, int low, int width, uint64_t value) {
  auto* bytes = reinterpret_cast<uint8_t*>(&port);
  for (int i = 0; i < width; ++i) {
    uint8_t bit = 1 << (low + i) % 8;
    bytes[(low + i) / 8] = (value >> i & 1) != 0 ? bytes[(low + i) / 8] | bit : bytes[(low + i) / 8] & ~bit;
  }
}

template <typename Port>
Word get_word(const Port& port, int place) {
  Word w;
  for (int k = 0; k < PARTS; ++k) w[k] = get(port, place * WIDTH + 64 * k, WIDTH - 64 * k < 64 ? WIDTH - 64 * k : 64);
  return w;
}
template <typename Port>
void put_word(Port& port, int place, const Word& w) {
  for (int k = 0; k < PARTS; ++k) put(port, place * WIDTH + 64 * k, WIDTH - 64 * k < 64 ? WIDTH - 64 * k : 64, w[k]);
}

// The node whose digits are those of one node plus those of an index, modulo m; -1 if a digit of the index is too large.
int plus(int node, uint64_t index) {
  int sum = 0, unit = 1, low = 0;
  for (auto [m, bits] : RINGS) {
    int digit = static_cast<int>(index >> low & ((1u << bits) - 1));
    if (digit >= m) return -1;
    sum += (node / unit + digit) % m * unit;
    unit *= m;
    low += bits;
  }
  return sum;
}

Word sum(const Word& a, const Word& b, uint64_t carry) {
  Word y;
  for (int k = 0; k < PARTS; ++k) {
    y[k] = a[k] + b[k] + carry;
    carry = y[k] < a[k] || (y[k] == a[k] && carry != 0) ? 1 : 0;
  }
  return masked(y);
}
Word bitwise(const Word& a, const Word& b, uint64_t (*combine)(uint64_t, uint64_t)) {
  Word y;
  for (int k = 0; k < PARTS; ++k) y[k] = combine(a[k], b[k]);
  return y;
}
bool less(const Word& a, const Word& b) {
  for (int k = PARTS - 1; k > 0; --k)
    if (a[k] != b[k]) return a[k] < b[k];
  return a[0] < b[0];
}
// With the sign inverted, signed words have the order of unsigned ones.
bool less_signed(Word a, Word b) {
  a[PARTS - 1] ^= 1ull << (WIDTH - 1) % 64;
  b[PARTS - 1] ^= 1ull << (WIDTH - 1) % 64;
  return less(a, b);
}

Word combine(const Word& a, const Word& b) {
  switch (OPERATOR) {
    case 0: return sum(a, b, 0);
    case 1: return bitwise(a, b, [](uint64_t x, uint64_t y) { return x & y; });
    case 2: return bitwise(a, b, [](uint64_t x, uint64_t y) { return x | y; });
    case 3: return bitwise(a, b, [](uint64_t x, uint64_t y) { return x ^ y; });
    case 4: return less(a, b) ? a : b;
    case 5: return less(a, b) ? b : a;
    case 6: return less_signed(a, b) ? a : b;
    case 7: return less_signed(a, b) ? b : a;
    default: return sum(sum(a, b, 0), masked({7}), 0);  // the module of the test
  }
}

enum Kind { BROADCAST, ALL_GATHER, SCATTER, GATHER, TOTAL_EXCHANGE, REDUCE_SCATTER, ALL_REDUCE, ONE_WORD };

}  // namespace

#endif
