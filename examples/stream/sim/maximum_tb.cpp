// SPDX-License-Identifier: Apache-2.0
//
// Bench of maximum_top: gives every node values and takes every result, with pauses on both
// sides, and compares each result with the maximum of that round.
//
//   Vmaximum_top +rounds=N +seed=N
//
// Exit codes: 0 fine, 2 bad usage, 3 a check failed.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "Vmaximum_top.h"
#include "verilated.h"

namespace {

constexpr unsigned kNodes = 16;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "FAIL: maximum_top: %s\n", what.c_str());
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
      : rounds_(option(context, "rounds")), random_(option(context, "seed")), top_(&context) {}

  void run() {
    reset();
    const unsigned alone =
        converse("no stream pauses", std::vector<unsigned>(kNodes, 0), std::vector<unsigned>(kNodes, 0));
    std::vector<unsigned> values(kNodes), results(kNodes);
    for (auto* pauses : {&values, &results})
      for (unsigned& p : *pauses) p = random_() % 90;
    converse("all streams pause at times", values, results);
    // One node takes few results: all others wait for it in the end, and nothing is lost.
    std::vector<unsigned> lazy(kNodes, 0);
    lazy[random_() % kNodes] = 97;
    converse("one receiver is slow", std::vector<unsigned>(kNodes, 0), lazy);
    // A reset while a round is under way.
    for (int i = 0; i < 25; i++) cycle(values, results);
    reset();
    converse("after a reset", values, results);
    std::printf("PASS: maximum_top: %llu cycles, %u rounds on %u nodes, %.1f cycles for a round without pauses\n",
                static_cast<unsigned long long>(now_), 4 * rounds_, kNodes, static_cast<double>(alone) / rounds_);
  }

 private:
  void reset() {
    top_.rst = 1;
    top_.s_axis_tvalid = 0;
    top_.m_axis_tready = 0;
    for (int i = 0; i < 3; i++) step();
    top_.rst = 0;
    offered_.assign(kNodes, false);
    values_.assign(rounds_, std::vector<std::uint32_t>(kNodes));
    start();
  }

  void start() {
    given_.assign(kNodes, 0);
    taken_.assign(kNodes, 0);
    for (auto& round : values_) {
      // At times, values that differ in one half only, and equal values.
      const auto mask = static_cast<std::uint32_t>(random_() % 3 == 0 ? 0xffff : random_() % 3 == 0 ? 0xf0000 : ~0U);
      for (std::uint32_t& value : round) value = static_cast<std::uint32_t>(random_()) & mask;
    }
  }

  /// All rounds with the given pauses, in per cent of the cycles, by node; returns their cycles.
  unsigned converse(const char* what, const std::vector<unsigned>& values, const std::vector<unsigned>& results) {
    start();
    const std::uint64_t first = now_;
    while (*std::min_element(taken_.begin(), taken_.end()) < rounds_) {
      cycle(values, results);
      if (now_ - first > 5000ULL * rounds_)
        fail(std::string("when ") + what + ": not all results have arrived after " + std::to_string(now_ - first) +
             " cycles");
    }
    const auto cycles = static_cast<unsigned>(now_ - first);
    for (int i = 0; i < 200; i++) cycle(values, results);  // nothing more may come
    return cycles;
  }

  void cycle(const std::vector<unsigned>& values, const std::vector<unsigned>& results) {
    unsigned valid = 0, ready = 0;
    for (unsigned n = 0; n < kNodes; n++) {
      // An offered value stays until it is accepted.
      offered_[n] = given_[n] < rounds_ && (offered_[n] || random_() % 100 >= values[n]);
      if (offered_[n]) valid |= 1U << n;
      if (random_() % 100 >= results[n]) ready |= 1U << n;
      top_.s_axis_tdata[n] = offered_[n] ? values_[given_[n]][n] : static_cast<std::uint32_t>(random_());
    }
    top_.s_axis_tvalid = static_cast<SData>(valid);
    top_.m_axis_tready = static_cast<SData>(ready);
    top_.clk = 0;
    top_.eval();
    const unsigned in = valid & top_.s_axis_tready;
    const unsigned out = ready & top_.m_axis_tvalid;
    if ((waiting_ & ~top_.m_axis_tvalid) != 0) fail("a result was withdrawn");
    if (top_.header_error != 0) fail("a header is malformed");
    waiting_ = top_.m_axis_tvalid & ~ready;
    for (unsigned n = 0; n < kNodes; n++) {
      if (in >> n & 1) {
        given_[n]++;
        offered_[n] = false;
      }
      if (!(out >> n & 1)) continue;
      const std::string where = "result " + std::to_string(taken_[n]) + " of node " + std::to_string(n);
      if (taken_[n] == rounds_) fail(where + " is one too many");
      const auto& round = values_[taken_[n]];
      const std::uint32_t want = *std::max_element(round.begin(), round.end());
      if (top_.m_axis_tdata[n] != want)
        fail(where + " is " + std::to_string(top_.m_axis_tdata[n]) + ", not " + std::to_string(want));
      taken_[n]++;
    }
    step();
  }

  void step() {
    top_.clk = 0;
    top_.eval();
    top_.clk = 1;
    top_.eval();
    now_++;
    if (top_.rst) waiting_ = 0;
  }

  unsigned rounds_;
  std::mt19937 random_;
  Vmaximum_top top_;
  std::uint64_t now_ = 0;                           // cycles
  std::vector<std::vector<std::uint32_t>> values_;  // by round and node
  std::vector<bool> offered_;
  std::vector<unsigned> given_, taken_;  // rounds, by node
  unsigned waiting_ = 0;                 // results on offer that were not taken
};

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Bench(context).run();
  return 0;
}
