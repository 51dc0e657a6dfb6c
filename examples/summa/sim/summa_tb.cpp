// SPDX-License-Identifier: Apache-2.0
//
// Bench of summa_top: gives the nodes the blocks of random matrices, and compares every number of
// every product with the definition of the matrix product.
//
//   Vsumma_top +products=N +seed=N
//
// Exit codes: 0 fine, 2 bad usage, 3 a check failed.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "Vsumma_top.h"
#include "verilated.h"

namespace {

constexpr unsigned kSide = 4, kNodes = kSide * kSide;
constexpr unsigned kBlock = 2, kSize = kSide * kBlock;
constexpr unsigned kWords = 4;  // of A and B, and of C, for a node and a product
constexpr unsigned kResultBits = 35;

using Matrix = std::array<std::array<std::int64_t, kSize>, kSize>;

struct Product {
  Matrix a, b, c;
};

/// Percentage of cycles in which each node gets no input, takes no result, accepts no message.
struct Pauses {
  std::vector<unsigned> input = std::vector<unsigned>(kNodes), result = input, busy = input;
};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "FAIL: summa_top: %s\n", what.c_str());
  std::exit(3);
}

unsigned option(VerilatedContext& context, const std::string& name) {
  const std::string found = context.commandArgsPlusMatch((name + "=").c_str());
  const std::string digits = found.empty() ? found : found.substr(name.size() + 2);
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) {
    std::fprintf(stderr, "error: +%s=NUMBER is missing or not a number of up to 9 digits\n", name.c_str());
    std::exit(2);
  }
  return static_cast<unsigned>(std::stoul(digits));
}

class Bench {
 public:
  explicit Bench(VerilatedContext& context)
      : count_(option(context, "products")), random_(option(context, "seed")), top_(&context) {}

  void run() {
    reset();
    const unsigned alone = compute("no stream pauses", Pauses());
    Pauses all;
    for (auto* pauses : {&all.input, &all.result, &all.busy})
      for (unsigned& p : *pauses) p = random_() % 90;
    compute("all streams pause at times", all);
    // One node accepts few messages, so they wait in the network.
    Pauses slow;
    slow.busy[random_() % kNodes] = 97;
    compute("one receiver is slow", slow);
    // A reset while a product is under way.
    for (int i = 0; i < 25; i++) cycle(all);
    reset();
    compute("after a reset", all);
    std::printf("PASS: summa_top: %llu cycles, %u products of 8x8 matrices, %.1f cycles for a product without pauses\n",
                static_cast<unsigned long long>(now_), 4 * count_, static_cast<double>(alone) / count_);
  }

 private:
  void reset() {
    top_.rst = 1;
    top_.busy = 0;
    top_.s_axis_ab_tvalid = 0;
    top_.m_axis_c_tready = 0;
    for (int i = 0; i < 3; i++) step();
    top_.rst = 0;
    offered_.assign(kNodes, false);
    start();
  }

  void start() {
    given_.assign(kNodes, 0);
    taken_.assign(kNodes, 0);
    products_.assign(count_, Product());
    for (Product& p : products_) {
      // At times, the largest possible products.
      const bool extreme = random_() % 8 == 0;
      for (Matrix* m : {&p.a, &p.b})
        for (auto& row : *m)
          for (auto& number : row) number = extreme ? INT16_MIN : static_cast<std::int16_t>(random_());
      for (unsigned i = 0; i < kSize; i++)
        for (unsigned j = 0; j < kSize; j++)
          for (unsigned k = 0; k < kSize; k++) p.c[i][j] += p.a[i][k] * p.b[k][j];
    }
  }

  /// Word i of the input of a node: the columns of its block of A, then the rows of its block of B.
  std::uint32_t word(unsigned node, unsigned i) const {
    const Product& p = products_[i / kWords];
    const unsigned y = node / kSide * kBlock, x = node % kSide * kBlock, k = i % kBlock;
    const bool is_a = i % kWords < kBlock;
    const std::int64_t first = is_a ? p.a[y][x + k] : p.b[y + k][x];
    const std::int64_t second = is_a ? p.a[y + 1][x + k] : p.b[y + k][x + 1];
    return (static_cast<std::uint32_t>(second) << 16) | (static_cast<std::uint32_t>(first) & 0xffff);
  }

  /// The number that a node returns now, signed.
  std::int64_t result(unsigned node) const {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < kResultBits; i++) {
      const unsigned at = node * kResultBits + i;
      bits |= static_cast<std::uint64_t>(top_.m_axis_c_tdata[at / 32] >> at % 32 & 1) << i;
    }
    const std::uint64_t sign = std::uint64_t{1} << (kResultBits - 1);
    return static_cast<std::int64_t>(bits ^ sign) - static_cast<std::int64_t>(sign);
  }

  /// All products with the given pauses; returns their cycles.
  unsigned compute(const char* what, const Pauses& pauses) {
    start();
    const std::uint64_t first = now_;
    while (*std::min_element(taken_.begin(), taken_.end()) < kWords * count_) {
      cycle(pauses);
      if (now_ - first > 5000ULL * count_)
        fail(std::string("when ") + what + ": not all results have arrived after " + std::to_string(now_ - first) +
             " cycles");
    }
    const auto cycles = static_cast<unsigned>(now_ - first);
    for (int i = 0; i < 200; i++) cycle(pauses);  // nothing more may come
    return cycles;
  }

  void cycle(const Pauses& pauses) {
    unsigned valid = 0, ready = 0, busy = 0;
    for (unsigned n = 0; n < kNodes; n++) {
      // An offered word stays until it is accepted.
      offered_[n] = given_[n] < kWords * count_ && (offered_[n] || random_() % 100 >= pauses.input[n]);
      if (offered_[n]) valid |= 1U << n;
      if (random_() % 100 >= pauses.result[n]) ready |= 1U << n;
      if (random_() % 100 < pauses.busy[n]) busy |= 1U << n;
      top_.s_axis_ab_tdata[n] = offered_[n] ? word(n, given_[n]) : static_cast<std::uint32_t>(random_());
    }
    top_.s_axis_ab_tvalid = static_cast<SData>(valid);
    top_.m_axis_c_tready = static_cast<SData>(ready);
    top_.busy = static_cast<SData>(busy);
    top_.clk = 0;
    top_.eval();
    const unsigned in = valid & top_.s_axis_ab_tready;
    const unsigned out = ready & top_.m_axis_c_tvalid;
    if (top_.destination_error != 0) fail("a destination is illegal");
    if (top_.header_error != 0) fail("a header is malformed");
    for (unsigned n = 0; n < kNodes; n++) {
      if (in >> n & 1) {
        given_[n]++;
        offered_[n] = false;
      }
      if (!(out >> n & 1)) continue;
      const unsigned i = taken_[n]++;
      const std::string where = "number " + std::to_string(i) + " of node " + std::to_string(n);
      if (i == kWords * count_) fail(where + " is one too many");
      const unsigned y = n / kSide * kBlock + i % kWords / kBlock, x = n % kSide * kBlock + i % kBlock;
      const std::int64_t want = products_[i / kWords].c[y][x];
      if (result(n) != want) fail(where + " is " + std::to_string(result(n)) + ", not " + std::to_string(want));
    }
    step();
  }

  void step() {
    top_.clk = 0;
    top_.eval();
    top_.clk = 1;
    top_.eval();
    now_++;
  }

  unsigned count_;
  std::mt19937 random_;
  Vsumma_top top_;
  std::uint64_t now_ = 0;  // cycles
  std::vector<Product> products_;
  std::vector<bool> offered_;
  std::vector<unsigned> given_, taken_;  // words, by node
};

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Bench(context).run();
  return 0;
}
