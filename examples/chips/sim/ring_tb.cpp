// SPDX-License-Identifier: Apache-2.0
//
// Bench of ring_top: all nodes always broadcast, with receivers of all kinds. Every node must
// receive the messages of every other node, once and in order. The numbers of injections of nodes
// that always have a message must differ by at most their distance + 2, whatever the cables and the
// receivers. A node that sends alone sends once in as many cycles as a cable takes, and one more.
//
//   Vring_top +messages=N +seed=N
//
// Exit codes: 0 fine, 2 bad usage, 3 a check failed.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "Vring_top.h"
#include "verilated.h"

namespace {

constexpr int kNodes = 6;
constexpr unsigned kCable = 2;  // cycles, as in ring_top
using PerNode = std::array<unsigned, kNodes>;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "FAIL: ring_top: %s\n", what.c_str());
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
      : messages_(option(context, "messages")), random_(option(context, "seed")), top_(&context) {}

  void run() {
    PerNode never{}, some{}, lazy{};
    for (unsigned& p : some) p = random_() % 90;
    lazy[random_() % kNodes] = 95;
    const double alone = converse("all receivers are ready", never);
    converse("all receivers pause at times", some);
    converse("one receiver is slow", lazy);
    for (int n = 0; n < kNodes; n++) send_alone(n);
    std::printf(
        "PASS: ring_top: %llu cycles, %u messages of each of %d nodes, %.2f cycles for each if receivers are ready\n",
        static_cast<unsigned long long>(now_), 3 * messages_, kNodes, alone);
  }

 private:
  /// All messages of all nodes, with receivers that pause in the given percentage of cycles; returns
  /// the cycles per message.
  double converse(const char* what, const PerNode& pauses) {
    reset();
    const std::uint64_t first = now_;
    while (!finished()) {
      cycle(what, pauses);
      if (now_ - first > 2000ULL * messages_) fail(std::string("when ") + what + ": not all messages have arrived");
    }
    const double cycles = static_cast<double>(now_ - first) / (static_cast<double>(messages_) * kNodes);
    for (int i = 0; i < 200; i++) cycle(what, pauses);  // nothing more may come
    return cycles;
  }

  void reset() {
    top_.rst = 1;
    top_.s_axis_tvalid = 0;
    top_.m_axis_tready = 0;
    for (int i = 0; i < 3; i++) step();
    top_.rst = 0;
    sent_ = {};
    heard_ = {};
  }

  /// The messages of one node, when no other node sends. The first ones cost less, because nodes begin with a credit.
  void send_alone(int sender) {
    reset();
    senders_ = 1U << sender;
    const std::uint64_t first = now_;
    while (sent_[sender] < messages_) cycle("one node sends", PerNode{});
    const std::uint64_t cycles = now_ - first, want = static_cast<std::uint64_t>(messages_) * (kCable + 1);
    if (cycles + 2ULL * (kCable + 1) < want || cycles > want)
      fail("node " + std::to_string(sender) + " alone takes " + std::to_string(cycles) + " cycles for " +
           std::to_string(messages_) + " messages");
  }

  bool finished() const {
    for (int n = 0; n < kNodes; n++)
      for (int from = 0; from < kNodes; from++)
        if (n != from && heard_[n][from] < messages_) return false;
    return true;
  }

  /// The word is the number of the message and its source.
  static unsigned word(unsigned number, int source) { return (number << 3 | static_cast<unsigned>(source)) & 0xffff; }

  bool has_more(int n) const { return (senders_ >> n & 1) != 0 && sent_[n] < messages_; }

  void cycle(const char* what, const PerNode& pauses) {
    unsigned valid = 0, ready = 0;
    for (int n = 0; n < kNodes; n++) {
      if (has_more(n)) valid |= 1U << n;
      if (random_() % 100 >= pauses[n]) ready |= 1U << n;
      const unsigned data = word(sent_[n], n), half = n % 2 * 16;
      top_.s_axis_tdata[n / 2] = (top_.s_axis_tdata[n / 2] & ~(0xffffU << half)) | data << half;
    }
    top_.s_axis_tvalid = static_cast<CData>(valid);
    top_.m_axis_tready = static_cast<CData>(ready);
    top_.clk = 0;
    top_.eval();
    if (top_.header_error != 0) fail("a header is malformed");
    const unsigned in = valid & top_.s_axis_tready, out = ready & top_.m_axis_tvalid;
    for (int n = 0; n < kNodes; n++) {
      if (out >> n & 1) receive(n);
      if (in >> n & 1) sent_[n]++;
    }
    for (int a = 0; a < kNodes; a++)
      for (int b = 0; b < kNodes; b++) {
        const int away = std::min((b - a + kNodes) % kNodes, (a - b + kNodes) % kNodes);
        if (has_more(b) && sent_[a] > sent_[b] + static_cast<unsigned>(away) + 2)
          fail(std::string("when ") + what + ": node " + std::to_string(a) + " is too far ahead of node " +
               std::to_string(b));
      }
    step();
  }

  void receive(int n) {
    const int from = static_cast<int>(top_.m_axis_tid >> 3 * n & 7);
    const unsigned data = top_.m_axis_tdata[n / 2] >> (n % 2 * 16) & 0xffff;
    const std::string where = "node " + std::to_string(n) + " receives from node " + std::to_string(from);
    if (from >= kNodes || from == n || heard_[n][from] >= messages_) fail(where + " a message that no node sent");
    if (data != word(heard_[n][from], from)) fail(where + " another word than was sent");
    heard_[n][from]++;
  }

  void step() {
    top_.clk = 0;
    top_.eval();
    top_.clk = 1;
    top_.eval();
    now_++;
  }

  unsigned messages_;
  std::mt19937 random_;
  Vring_top top_;
  std::uint64_t now_ = 0;                  // cycles
  unsigned senders_ = (1U << kNodes) - 1;  // bit n: node n sends
  PerNode sent_{};
  std::array<PerNode, kNodes> heard_{};  // by node and source
};

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Bench(context).run();
  return 0;
}
