// SPDX-License-Identifier: Apache-2.0
//
// Bench of packets_top: every node sends packets of 1 to 4 words to random other nodes. Checks that each
// receiver gets every packet once, whole, not mixed with another one, and in order per source.
//
//   Vpackets_top +packets=N +seed=N     N packets per node and phase
//
// Exit codes: 0 fine, 2 bad usage, 3 a check failed.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "Vpackets_top.h"
#include "verilated.h"

namespace {

constexpr unsigned kNodes = 8, kIdBits = 3, kLongest = 4;

using Packet = std::vector<std::uint32_t>;

/// Percentage of cycles in which each node does not offer a new word, and does not accept a word.
struct Stalls {
  std::vector<unsigned> sender = std::vector<unsigned>(kNodes), receiver = sender;
};

/// The sending state of a node.
struct Sender {
  unsigned packets = 0;  // number of packets begun
  unsigned to = 0;
  Packet packet;      // being sent; empty between two packets
  unsigned word = 0;  // next word of packet
  bool offered = false;
};

/// The receiving state of a node.
struct Receiver {
  std::deque<Packet> expected[kNodes];  // by source, the oldest first
  bool inside = false;                  // a packet has begun and not ended
  unsigned source = 0;                  // of that packet
  unsigned word = 0;                    // next word of it
  bool waiting = false;                 // an offer was not accepted
  std::uint32_t offer = 0, offer_id_last = 0;
};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "FAIL: packets_top: %s\n", what.c_str());
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
      : count_(option(context, "packets")), random_(option(context, "seed")), top_(&context) {}

  void run() {
    reset();
    const double rate = exchange("no stream stalls", Stalls());
    Stalls all;
    for (auto* stalls : {&all.sender, &all.receiver})
      for (unsigned& s : *stalls) s = random_() % 90;
    exchange("all streams stall at times", all);
    // Packets for one node fill its queues and wait in the network.
    Stalls slow;
    slow.receiver[random_() % kNodes] = 97;
    exchange("one receiver is slow", slow);
    // A reset while packets are under way.
    start();
    for (int i = 0; i < 100; i++) cycle(all);
    if (words_ == 0) fail("no packet is under way at the reset");
    reset();
    exchange("after a reset", all);
    std::printf(
        "PASS: packets_top: %llu cycles, %u packets between %u nodes, %.2f words per node and cycle without stalls\n",
        static_cast<unsigned long long>(now_), 4 * kNodes * count_, kNodes, rate);
  }

 private:
  void reset() {
    top_.rst = 1;
    top_.s_axis_tvalid = 0;
    top_.m_axis_tready = 0;
    for (int i = 0; i < 3; i++) step();
    top_.rst = 0;
    start();
  }

  void start() {
    senders_.assign(kNodes, Sender());
    receivers_.assign(kNodes, Receiver());
    received_ = words_ = 0;
  }

  /// Sends count_ packets from every node, with the given stalls; returns words per node and cycle.
  double exchange(const char* what, const Stalls& stalls) {
    start();
    const std::uint64_t first = now_;
    while (received_ < kNodes * count_) {
      cycle(stalls);
      if (now_ - first > 5000 + 500ULL * count_)
        fail(std::string("when ") + what + ": not all packets have arrived after " + std::to_string(now_ - first) +
             " cycles");
    }
    const double rate = static_cast<double>(words_) / static_cast<double>(now_ - first) / kNodes;
    for (int i = 0; i < 200; i++) cycle(stalls);  // nothing more may come
    return rate;
  }

  void cycle(const Stalls& stalls) {
    unsigned valid = 0, ready = 0, dest = 0, last = 0;
    for (unsigned n = 0; n < kNodes; n++) {
      Sender& s = senders_[n];
      // An offered word stays until it is accepted.
      if (!s.offered && random_() % 100 >= stalls.sender[n]) offer(n);
      if (s.offered) valid |= 1U << n;
      if (s.offered && s.word + 1 == s.packet.size()) last |= 1U << n;
      dest |= s.to << n * kIdBits;
      top_.s_axis_tdata[n] = s.offered ? s.packet[s.word] : static_cast<std::uint32_t>(random_());
      if (random_() % 100 >= stalls.receiver[n]) ready |= 1U << n;
    }
    top_.s_axis_tvalid = static_cast<CData>(valid);
    top_.s_axis_tdest = dest;
    top_.s_axis_tlast = static_cast<CData>(last);
    top_.m_axis_tready = static_cast<CData>(ready);
    top_.clk = 0;
    top_.eval();
    if (top_.destination_error != 0) fail("a destination is illegal");
    if (top_.header_error != 0) fail("a header is malformed");
    if (top_.packet_split != 0) fail("a packet was split");
    for (unsigned n = 0; n < kNodes; n++) {
      if (valid & top_.s_axis_tready & 1U << n) accepted(senders_[n]);
      look(n, ready >> n & 1);
    }
    step();
  }

  /// Offers the next word of a node's packet, or begins the next packet, if any.
  void offer(unsigned node) {
    Sender& s = senders_[node];
    if (s.packet.empty()) {
      if (s.packets == count_) return;
      s.packets++;
      s.to = (node + 1 + random_() % (kNodes - 1)) % kNodes;
      s.packet.resize(1 + random_() % kLongest);
      for (std::uint32_t& word : s.packet) word = static_cast<std::uint32_t>(random_());
      receivers_[s.to].expected[node].push_back(s.packet);
    }
    s.offered = true;
  }

  static void accepted(Sender& s) {
    s.offered = false;
    if (++s.word < s.packet.size()) return;
    s.packet.clear();
    s.word = 0;
  }

  /// Checks the word that is offered to a node in this cycle, and accepts it if the node is ready.
  void look(unsigned node, bool ready) {
    Receiver& r = receivers_[node];
    const bool valid = top_.m_axis_tvalid >> node & 1, last = top_.m_axis_tlast >> node & 1;
    const unsigned source = top_.m_axis_tid >> node * kIdBits & (kNodes - 1);
    const std::uint32_t data = top_.m_axis_tdata[node], id_last = source << 1 | static_cast<unsigned>(last);
    if (r.waiting && (!valid || data != r.offer || id_last != r.offer_id_last))
      fail("node " + std::to_string(node) + ": an offer was withdrawn or changed");
    r.waiting = valid && !ready;
    r.offer = data;
    r.offer_id_last = id_last;
    if (!valid || !ready) return;

    const std::string where = "node " + std::to_string(node) + ": packet of node " + std::to_string(source);
    if (r.inside && source != r.source) fail(where + " comes inside one of node " + std::to_string(r.source));
    auto& expected = r.expected[source];
    if (expected.empty()) fail(where + " is one too many");
    const Packet& packet = expected.front();
    if (data != packet[r.word]) fail(where + " has a wrong word " + std::to_string(r.word));
    r.word++;
    words_++;
    if (last != (r.word == packet.size()))
      fail(where + (last ? " ends after " : " goes on after ") + std::to_string(r.word) + " of " +
           std::to_string(packet.size()) + " words");
    r.inside = !last;
    r.source = source;
    if (!last) return;
    expected.pop_front();
    r.word = 0;
    received_++;
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
  Vpackets_top top_;
  std::uint64_t now_ = 0;  // cycles
  std::vector<Sender> senders_;
  std::vector<Receiver> receivers_;
  unsigned received_ = 0;  // packets, by all nodes
  std::uint64_t words_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Bench(context).run();
  return 0;
}
