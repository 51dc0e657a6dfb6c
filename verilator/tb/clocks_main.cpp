// SPDX-License-Identifier: Apache-2.0
//
// Bench of <machine>_network with several clocks. It has no trace, because cycles of different clocks cannot be
// compared. In each episode the clocks have random periods between 1 : 4 and 4 : 1, or nearly equal ones, and random
// phases; the resets end one after the other while others already send; all streams stall at random; and the first
// stage of each synchronizer takes the old or the new value of a bit that has just changed (HC_METASTABILITY).
//
// At the end of an episode one node sends alone, and must send a message per cycle of the slowest clock.
//
// The bench checks that each message is delivered once to each node of its destination and to no other node, that
// messages of one source to the same destination stay in order, that streams obey AXI4-Stream, that no node leaves the
// barrier before all have arrived, and, while traffic runs, that no message and no node at the barrier waits too long.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include "Vnetwork.h"
#include "bench_config.h"
#include "checks.h"
#include "model.h"

namespace hc {

namespace {

constexpr unsigned kShortest = 16, kLongest = 64;  // period of a clock, in units of time
constexpr unsigned kTogether = 4;                  // cycles of the slowest clock with all resets
constexpr unsigned kStagger = 200;                 // cycles of the slowest clock within which the resets end
constexpr unsigned kEpisodes = 8;
constexpr std::uint64_t kPatience = 4000 + 400 * kNodes;  // cycles of the slowest clock that a message may take
constexpr unsigned kSequenceBits = 12;
constexpr unsigned kWarm = 100,
                   kAlone = 400;  // cycles of the slowest clock with a lone sender, before and while it counts

constexpr unsigned bits_of(std::uint32_t largest) { return largest == 0 ? 0 : 1 + bits_of(largest / 2); }

// A payload has the source in its low bits, and above it a number, if there is room for both.
constexpr unsigned kNodeBits = bits_of(kNodes - 1);
constexpr bool kUnique = kPayloadBits >= kNodeBits + kSequenceBits;

struct Message {
  std::uint32_t source = 0;
  std::uint64_t destination = 0;  // tdest
  bool last = false;
  std::vector<std::uint32_t> payload;
  std::uint64_t since = 0;  // time of the offer
};

struct Clock {
  unsigned period = kShortest;
  std::uint64_t edge = 0;     // time of the next rising edge
  std::uint64_t release = 0;  // time at which its reset ends
  bool reset = true;
  std::vector<std::uint32_t> nodes;
};

// A stream, with what the bench has seen of it.
struct Stream {
  Field valid, ready, data, last, id, destination;
  bool waits = false;  // valid without ready in the cycle before
  Message held;        // of that cycle
  std::uint64_t transfers = 0, stalls = 0;
};

class Bench {
 public:
  Bench(VerilatedContext& context, const Options& options, Report& report)
      : context_(context),
        options_(options),
        report_(report),
        case_(report.add("clocks")),
        random_(options.seed),
        top_(&context) {
    bind(top_);
    for (std::uint32_t n = 0; n < kNodes; ++n) clocks_[kRegion[n]].nodes.push_back(n);
  }

  void run() {
    for (unsigned episode = 0; episode < kEpisodes && !report_.full(); ++episode) {
      begin();
      const std::uint64_t cycles = std::max<std::uint64_t>(options_.free_run / kEpisodes, 2 * kStagger);
      const std::uint64_t end = now_ + cycles * slowest();
      while (now_ < end && !report_.full()) step(true);
      drain();
      alone();
    }
    for (std::size_t i = 0; i < in_.size() + out_.size() && !report_.full(); ++i) {
      const Stream& s = i < in_.size() ? in_[i] : out_[i - in_.size()];
      if (s.transfers > 0 && s.stalls > 0) continue;
      fail("the run is too short: stream " + std::to_string(i) + " has not both transferred and stalled");
    }
    if (kBarrier && !report_.full() && releases_ < kNodes) fail("the run is too short: no node has left the barrier");
    top_.final();
  }

  std::string summary() const {
    return std::to_string(cycles_) + " cycles of all clocks, " + std::to_string(sent_) + " messages, " +
           std::to_string(delivered_) + " deliveries, " + std::to_string(releases_) +
           " releases; the longest way took " + std::to_string(longest_) +
           " cycles of the slowest clock, and a lone sender sent " + std::to_string(lone_sent_) + " messages in " +
           std::to_string(lone_cycles_);
  }

 private:
  // Templates, because some ports exist only with an option.
  template <class Top>
  void bind(Top& t) {
    clk_ = Wires(t.clk, kRegions, "clk");
    rst_ = Wires(t.rst, kRegions, "rst");
    header_error_ = Wires(t.header_error, kRegions, "header_error");
    constexpr std::size_t kOut = std::size_t{kNodes} * kDeliveries;
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      Stream s;
      s.valid = Field(Wires(t.s_axis_tvalid, kNodes, "s_axis_tvalid"), n, 1);
      s.ready = Field(Wires(t.s_axis_tready, kNodes, "s_axis_tready"), n, 1);
      s.data = Field(Wires(t.s_axis_tdata, kNodes * std::size_t{kPayloadBits}, "s_axis_tdata"),
                     n * std::size_t{kPayloadBits}, kPayloadBits);
      if constexpr (kLast) s.last = Field(Wires(t.s_axis_tlast, kNodes, "s_axis_tlast"), n, 1);
      if constexpr (kDestination) {
        s.destination = Field(Wires(t.s_axis_tdest, kNodes * std::size_t{kTdestBits}, "s_axis_tdest"),
                              n * std::size_t{kTdestBits}, kTdestBits);
      }
      in_.push_back(s);
      if constexpr (kBarrier) {
        arrive_.push_back(Field(Wires(t.barrier_arrive, kNodes, "barrier_arrive"), n, 1));
        release_.push_back(Field(Wires(t.barrier_release, kNodes, "barrier_release"), n, 1));
      }
    }
    for (std::size_t i = 0; i < kOut; ++i) {
      Stream s;
      s.valid = Field(Wires(t.m_axis_tvalid, kOut, "m_axis_tvalid"), i, 1);
      s.ready = Field(Wires(t.m_axis_tready, kOut, "m_axis_tready"), i, 1);
      s.data = Field(Wires(t.m_axis_tdata, kOut * kPayloadBits, "m_axis_tdata"), i * kPayloadBits, kPayloadBits);
      if constexpr (kLast) s.last = Field(Wires(t.m_axis_tlast, kOut, "m_axis_tlast"), i, 1);
      if constexpr (kSourceBits > 0)
        s.id = Field(Wires(t.m_axis_tid, kOut * kSourceBits, "m_axis_tid"), i * kSourceBits, kSourceBits);
      if constexpr (kScopeBits > 0)
        s.destination = Field(Wires(t.m_axis_tdest, kOut * kScopeBits, "m_axis_tdest"), i * kScopeBits, kScopeBits);
      out_.push_back(s);
    }
    if constexpr (kDestination) destination_error_ = Wires(t.destination_error, kRegions, "destination_error");
  }

  void fail(const std::string& what) { report_.fail(case_, "time " + std::to_string(now_) + ": " + what); }

  std::uint64_t slowest() const {
    unsigned longest = 0;
    for (const Clock& c : clocks_) longest = std::max(longest, c.period);
    return longest;
  }

  // A new episode: other clocks, all resets together, and then one end of a reset after the other.
  void begin() {
    const unsigned kind = random_.word() % 3;  // any ratios, nearly equal, or one clock far from the others
    const unsigned base = kShortest + random_.word() % (kLongest - kShortest);
    const std::uint32_t odd = random_.word() % kRegions;
    for (std::uint32_t c = 0; c < kRegions; ++c) {
      Clock& k = clocks_[c];
      k.period = kind == 0 ? kShortest + random_.word() % (kLongest - kShortest + 1) : base + random_.word() % 2;
      if (kind == 2) k.period = (c == odd) == (base % 2 == 0) ? kShortest : kLongest;
      k.edge = now_ + 1 + random_.word() % k.period;
      k.reset = true;
      rst_.set(c, 1, 1);
    }
    const std::uint64_t together = now_ + (kTogether + 1) * slowest();
    for (Clock& k : clocks_) k.release = together + random_.word() % (kStagger * slowest());
    clocks_[random_.word() % kRegions].release = together;  // one leaves at once
    for (auto& list : expected_) list.clear();
    for (Stream& s : in_) s.valid.bit(false), s.waits = false;
    for (Stream& s : out_) s.ready.bit(false), s.waits = false;
    for (Field& a : arrive_) a.bit(false);
    arrived_.assign(kNodes, 0);
    left_.assign(kNodes, 0);
    arrived_at_.assign(kNodes, 0);
    for (std::uint32_t n = 0; n < kNodes; ++n) change(n);
    top_.eval();
    while (now_ < together) step(false);
  }

  // Draws other rates of a node, in per cent.
  void change(std::uint32_t n) {
    sends_[n] = random_.coin() ? 100 : random_.word() % 60;
    accepts_[n] = random_.coin() ? 100 : 20 + random_.word() % 80;
    arrives_[n] = 1 + random_.word() % 20;
  }

  // To the next moment in which a clock changes.
  void step(bool sends) {
    std::uint64_t next = UINT64_MAX;
    for (const Clock& k : clocks_) next = std::min(next, low(k) ? k.edge : fall(k));
    now_ = next;
    context_.time(now_);
    std::vector<std::uint32_t> rising;
    for (std::uint32_t c = 0; c < kRegions; ++c) {
      Clock& k = clocks_[c];
      if (low(k) && k.edge == now_) {
        rising.push_back(c);
      } else if (!low(k) && fall(k) == now_) {
        clk_.set(c, 1, 0);
        k.edge = fall(k) + k.period - k.period / 2;
      }
    }
    for (const std::uint32_t c : rising) observe(c);
    for (const std::uint32_t c : rising) clk_.set(c, 1, 1);
    top_.eval();
    for (const std::uint32_t c : rising) drive(c, sends);
    top_.eval();
  }
  bool low(const Clock& k) const { return clk_.get(static_cast<std::size_t>(&k - clocks_), 1) == 0; }
  static std::uint64_t fall(const Clock& k) { return k.edge + k.period / 2; }

  // What the edge of a clock sees.
  void observe(std::uint32_t c) {
    const Clock& k = clocks_[c];
    ++cycles_;
    if (!k.reset && header_error_.get(c, 1) != 0) fail("header_error of region " + std::to_string(c));
    if (kDestination && !k.reset && destination_error_.get(c, 1) != 0)
      fail("destination_error of region " + std::to_string(c));
    for (const std::uint32_t n : k.nodes) {
      if (k.reset) continue;
      Stream& in = in_[n];
      const bool taken = in.valid.bit() && in.ready.bit();
      in.transfers += taken ? 1 : 0;
      in.stalls += in.valid.bit() && !taken ? 1 : 0;
      taken_[n] = taken;
      sent_ += taken ? 1 : 0;
      for (std::uint32_t p = 0; p < kDeliveries; ++p) deliver(n, out_[n * kDeliveries + p]);
      if (kBarrier && release_[n].bit()) leave(n);
    }
  }

  void deliver(std::uint32_t n, Stream& s) {
    if (!s.valid.bit()) {
      if (s.waits) fail("m_axis_tvalid of node " + std::to_string(n) + " falls before the handshake");
      s.waits = false;
      return;
    }
    const Message m = message(s);
    if (s.waits && !(m.payload == s.held.payload && m.source == s.held.source && m.last == s.held.last &&
                     m.destination == s.held.destination)) {
      fail("m_axis of node " + std::to_string(n) + " changes before the handshake");
    }
    s.waits = !s.ready.bit();
    s.held = m;
    if (s.waits) {
      ++s.stalls;
      return;
    }
    ++s.transfers;
    ++delivered_;
    std::deque<Message>& list = expected_[n];
    const auto found = std::find_if(list.begin(), list.end(), [&](const Message& e) {
      return e.payload == m.payload && (!kLast || e.last == m.last) && (kSourceBits == 0 || e.source == m.source) &&
             (kScopeBits == 0 || scope_of(e.destination) == m.destination);
    });
    if (found == list.end())
      return fail("node " + std::to_string(n) +
                  " gets a message that is not for it, or again: " + hex(m.payload.data(), kPayloadBits));
    if (kUnique) {
      for (auto e = list.begin(); e != found; ++e) {
        if (e->source != found->source || e->destination != found->destination) continue;
        fail("node " + std::to_string(n) + " gets messages of node " + std::to_string(e->source) + " in another order");
        break;
      }
    }
    longest_ = std::max(longest_, (now_ - found->since) / slowest());
    list.erase(found);
  }

  Message message(const Stream& s) const {
    Message m;
    m.payload.resize(s.data.words());
    s.data.get(m.payload.data());
    std::uint32_t words[2] = {0, 0};
    if (kLast) m.last = s.last.bit();
    if (s.id.width() > 0) s.id.get(&m.source);
    if (s.destination.width() > 0) s.destination.get(words);
    m.destination = words[0] | static_cast<std::uint64_t>(words[1]) << 32;
    return m;
  }

  void leave(std::uint32_t n) {
    ++left_[n];
    ++releases_;
    const std::uint64_t all = *std::min_element(arrived_.begin(), arrived_.end());
    if (all < left_[n]) fail("node " + std::to_string(n) + " leaves the barrier before all have arrived");
    arrive_[n].bit(false);
  }

  // After the edge of a clock: what its nodes offer and accept next.
  void drive(std::uint32_t c, bool sends) {
    Clock& k = clocks_[c];
    k.reset = now_ < k.release;
    rst_.set(c, 1, k.reset ? 1 : 0);
    for (const std::uint32_t n : k.nodes) {
      if (random_.word() % 1024 == 0) change(n);
      const bool only = lone_ >= 0;
      const bool may = only ? static_cast<int>(n) == lone_ : sends && random_.word() % 100 < sends_[n];
      Stream& in = in_[n];
      if (taken_[n] || !in.valid.bit()) {
        taken_[n] = false;
        in.valid.bit(false);
        in.data.randomize(random_);
        if (!k.reset && may) offer(n);
      }
      for (std::uint32_t p = 0; p < kDeliveries; ++p) {
        out_[n * kDeliveries + p].ready.bit(!k.reset && (only || random_.word() % 100 < accepts_[n]));
      }
      if (kBarrier && !k.reset && !arrive_[n].bit() && sends && !only && random_.word() % 100 < arrives_[n]) {
        arrive_[n].bit(true);
        ++arrived_[n];
        arrived_at_[n] = now_;
      }
      if (!k.reset) judge(n);
    }
  }

  void offer(std::uint32_t n) {
    Stream& in = in_[n];
    Message m;
    m.source = n;
    m.since = now_;
    m.destination = kDestination ? broadcast_destination() : 0;
    if (kDestination && lone_ < 0 && random_.word() % 4 != 0) {
      do {
        m.destination = (random_.word() | static_cast<std::uint64_t>(random_.word()) << 32) &
                        (UINT64_MAX >> (64 - std::max(1U, kTdestBits)));
      } while (!legal_destination(n, m.destination));
      const std::uint32_t words[2] = {static_cast<std::uint32_t>(m.destination),
                                      static_cast<std::uint32_t>(m.destination >> 32)};
      in.destination.set(words);
    } else if (kDestination) {
      const std::uint32_t words[2] = {static_cast<std::uint32_t>(m.destination),
                                      static_cast<std::uint32_t>(m.destination >> 32)};
      in.destination.set(words);
    }
    if (kLast) {
      m.last = random_.coin();
      in.last.bit(m.last);
    }
    m.payload.resize(in.data.words());
    in.data.get(m.payload.data());
    if (kUnique) {
      const std::uint32_t low = (number_[n]++ & ((1U << kSequenceBits) - 1)) << kNodeBits | n;
      m.payload[0] = (m.payload[0] & ~((1U << (kNodeBits + kSequenceBits)) - 1)) | low;
      in.data.set(m.payload.data());
    }
    in.valid.bit(true);
    for (std::uint32_t other = 0; other < kNodes; ++other) {
      if (kDestination && m.destination != broadcast_destination() ? is_for(n, m.destination, other) : other != n) {
        expected_[other].push_back(m);
      }
    }
  }

  // The oldest message for a node may not wait for ever, nor the node at the barrier.
  void judge(std::uint32_t n) {
    for (const Clock& k : clocks_) {
      if (k.reset) return;
      if (now_ < k.release + slowest()) return;
    }
    std::uint64_t since = 0;
    for (const Clock& k : clocks_) since = std::max(since, k.release);
    const std::uint64_t late = kPatience * slowest();
    if (!expected_[n].empty() && now_ > std::max(since, expected_[n].front().since) + late) {
      fail("a message for node " + std::to_string(n) + " has been under way for " + std::to_string(kPatience) +
           " cycles of the slowest clock");
    }
    if (!kBarrier || left_[n] == arrived_[n]) return;
    if (*std::min_element(arrived_.begin(), arrived_.end()) < arrived_[n]) return;
    const std::uint64_t last = *std::max_element(arrived_at_.begin(), arrived_at_.end());
    if (now_ > std::max(since, last) + late) fail("node " + std::to_string(n) + " does not leave the barrier");
  }

  // No node sends: everything arrives.
  void drain() {
    const std::uint64_t limit = now_ + kPatience * slowest();
    const auto full = [&] {
      return std::any_of(expected_.begin(), expected_.end(), [](const std::deque<Message>& l) { return !l.empty(); });
    };
    while (full() && now_ < limit && !report_.full()) step(false);
    if (full()) fail("messages are missing when all nodes have stopped to send");
    for (unsigned i = 0; i < 200 && !report_.full(); ++i) step(false);  // and nothing else
  }

  // One node sends broadcasts, and all nodes accept.
  void alone() {
    if (report_.full()) return;
    lone_ = static_cast<int>(random_.word() % kNodes);
    const auto cycles = [&](std::uint64_t n) {
      for (const std::uint64_t end = now_ + n * slowest(); now_ < end && !report_.full();) step(true);
    };
    cycles(kWarm);
    const std::uint64_t before = in_[lone_].transfers;
    cycles(kAlone);
    const std::uint64_t sent = in_[lone_].transfers - before;
    lone_sent_ += sent;
    lone_cycles_ += kAlone;
    if (sent + 2 < kAlone) {
      fail("node " + std::to_string(lone_) + " sends alone, but only " + std::to_string(sent) + " messages in " +
           std::to_string(kAlone) + " cycles of the slowest clock");
    }
    lone_ = -1;
    drain();
  }

  VerilatedContext& context_;
  const Options& options_;
  Report& report_;
  std::size_t case_;
  Random random_;
  Vnetwork top_;
  Wires clk_, rst_, header_error_, destination_error_;
  std::vector<Stream> in_, out_;
  std::vector<Field> arrive_, release_;
  Clock clocks_[kRegions];
  std::uint64_t now_ = 0;
  std::vector<std::deque<Message>> expected_ = std::vector<std::deque<Message>>(kNodes);  // by node, oldest first
  bool taken_[kNodes] = {};
  int lone_ = -1;  // the node that sends alone
  std::uint64_t lone_sent_ = 0, lone_cycles_ = 0;
  unsigned sends_[kNodes] = {}, accepts_[kNodes] = {}, arrives_[kNodes] = {};
  std::uint32_t number_[kNodes] = {};
  std::vector<std::uint64_t> arrived_, left_, arrived_at_;  // at the barrier: times, and the time of the last arrival
  std::uint64_t cycles_ = 0, sent_ = 0, delivered_ = 0, releases_ = 0, longest_ = 0;
};

int run(const Options& options, int argc, char** argv) {
  if (options.free_run == 0 || !options.waves.empty() || options.threads > 0) {
    throw OptionError(
        "networks with several clocks have +free-run=CYCLES, +seed=N, +max-mismatch=N, +junit=FILE and +result=FILE "
        "only");
  }
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(static_cast<int>(options.seed) + 1);
  context.commandArgs(argc, argv);
  Report report(std::string(kMachine) + "_network.clocks", options.max_mismatch);
  Bench bench(context, options, report);
  bench.run();
  std::printf("%s: %s: %s\n", report.failures() == 0 ? "PASS" : "FAIL", report.suite().c_str(),
              bench.summary().c_str());
  if (!options.junit.empty()) report.write_junit(options.junit);
  if (!options.result.empty()) report.append_result(options.result, bench.summary());
  return report.failures() == 0 ? kEqual : kDiffers;
}

}  // namespace

}  // namespace hc

int main(int argc, char** argv) {
  try {
    const hc::Options options = hc::parse_options(argc, argv);
    if (options.help) {
      std::fputs(hc::usage(argc > 0 ? argv[0] : "clocks").c_str(), stdout);
      return 0;
    }
    return hc::run(options, argc, argv);
  } catch (const hc::OptionError& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
