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
#include <string>
#include <vector>

#include "Vnetwork.h"
#include "bench_config.h"
#include "model.h"
#include "traffic.h"

namespace hc {

namespace {

constexpr unsigned kShortest = 16, kLongest = 64;  // period of a clock, in units of time
constexpr unsigned kTogether = 4;                  // cycles of the slowest clock with all resets
constexpr unsigned kStagger = 200;                 // cycles of the slowest clock within which the resets end
constexpr unsigned kEpisodes = 8;
constexpr std::uint64_t kPatience = 4000 + 400 * kNodes;  // cycles of the slowest clock that a message may take
constexpr unsigned kWarm = 100,
                   kAlone = 400;  // cycles of the slowest clock with a lone sender, before and while it counts

struct Clock {
  unsigned period = kShortest;
  std::uint64_t edge = 0;     // time of the next rising edge
  std::uint64_t release = 0;  // time at which its reset ends
  bool reset = true;
  std::vector<std::uint32_t> nodes;
};

class Bench {
 public:
  Bench(VerilatedContext& context, const Options& options, Report& report)
      : context_(context),
        options_(options),
        report_(report),
        case_(report.add("clocks")),
        random_(options.seed),
        traffic_(random_, [this](std::uint32_t, const std::string& what) { fail(what); }),
        top_(&context) {
    bind(top_);
    for (std::uint32_t n = 0; n < kNodes; ++n) clocks_[kRegion[n]].nodes.push_back(n);
  }

  void run() {
    for (unsigned episode = 0; episode < kEpisodes && !report_.full(); ++episode) {
      begin(episode);
      const std::uint64_t cycles = std::max<std::uint64_t>(options_.free_run / kEpisodes, 2 * kStagger);
      const std::uint64_t end = now_ + cycles * slowest();
      while (now_ < end && !report_.full()) step(true);
      drain();
      alone();
    }
    const std::string unused = traffic_.unused();
    if (!unused.empty() && !report_.full()) fail("the run is too short: " + unused);
    top_.final();
  }

  std::string summary() const {
    return std::to_string(cycles_) + " cycles of all clocks, " + std::to_string(traffic_.sent()) + " messages, " +
           std::to_string(traffic_.delivered()) + " deliveries, " + std::to_string(traffic_.releases()) +
           " releases; the longest wait took " + std::to_string(longest_wait_) + " and the longest way " +
           std::to_string(longest_way_) + " cycles of the slowest clock, and a lone sender sent " +
           std::to_string(lone_sent_) + " messages in " + std::to_string(lone_cycles_);
  }

 private:
  // A template, because some ports exist only with an option.
  template <class Top>
  void bind(Top& t) {
    clk_ = Wires(t.clk, kRegions, "clk");
    rst_ = Wires(t.rst, kRegions, "rst");
    header_error_ = Wires(t.header_error, kRegions, "header_error");
    if constexpr (kDestination) destination_error_ = Wires(t.destination_error, kRegions, "destination_error");
    traffic_.bind(t, kNodes, [](std::uint32_t n) { return n; });
  }

  void fail(const std::string& what) { report_.fail(case_, "time " + std::to_string(now_) + ": " + what); }

  std::uint64_t slowest() const {
    unsigned longest = 0;
    for (const Clock& c : clocks_) longest = std::max(longest, c.period);
    return longest;
  }

  // A new episode: other clocks, all resets together, and then one end of a reset after the other.
  void begin(unsigned episode) {
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
    since_ = 0;
    for (const Clock& k : clocks_) since_ = std::max(since_, k.release);
    for (std::uint32_t n = 0; n < kNodes; ++n) traffic_.restart(n, episode + 1);
    top_.eval();
    while (now_ < together) step(false);
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
    if (k.reset) return;
    if (header_error_.get(c, 1) != 0) fail("header_error of region " + std::to_string(c));
    if (kDestination && destination_error_.get(c, 1) != 0) fail("destination_error of region " + std::to_string(c));
    for (const std::uint32_t n : k.nodes) traffic_.observe(n, now_);
  }

  // After the edge of a clock: what its nodes offer and accept next.
  void drive(std::uint32_t c, bool sends) {
    Clock& k = clocks_[c];
    k.reset = now_ < k.release;
    rst_.set(c, 1, k.reset ? 1 : 0);
    if (k.reset) return;
    for (const std::uint32_t n : k.nodes) {
      const bool only = lone_ >= 0;
      const bool loud = only ? static_cast<int>(n) == lone_ : sends;
      traffic_.drive(n, now_, !loud ? Load::none : only ? Load::full : Load::random, only);
      if (now_ > since_) {
        traffic_.judge(n, now_, since_, kPatience * slowest(),
                       std::to_string(kPatience) + " cycles of the slowest clock");
      }
    }
  }

  // No node sends: everything arrives.
  void drain() {
    const std::uint64_t limit = now_ + kPatience * slowest();
    const auto full = [&] {
      for (std::uint32_t n = 0; n < kNodes; ++n) {
        if (traffic_.misses(n)) return true;
      }
      return false;
    };
    while (full() && now_ < limit && !report_.full()) step(false);
    if (full()) fail("messages are missing when all nodes have stopped to send");
    for (unsigned i = 0; i < 200 && !report_.full(); ++i) step(false);  // and nothing else
    longest_wait_ = std::max(longest_wait_, traffic_.longest_wait() / slowest());
    longest_way_ = std::max(longest_way_, traffic_.longest_way() / slowest());
    traffic_.forget_longest();
  }

  // One node sends broadcasts, and all nodes accept.
  void alone() {
    if (report_.full()) return;
    lone_ = static_cast<int>(random_.word() % kNodes);
    const auto cycles = [&](std::uint64_t n) {
      for (const std::uint64_t end = now_ + n * slowest(); now_ < end && !report_.full();) step(true);
    };
    cycles(kWarm);
    const std::uint64_t before = traffic_.sent_by(lone_);
    cycles(kAlone);
    const std::uint64_t sent = traffic_.sent_by(lone_) - before;
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
  Traffic traffic_;
  Vnetwork top_;
  Wires clk_, rst_, header_error_, destination_error_;
  Clock clocks_[kRegions];
  std::uint64_t now_ = 0;
  std::uint64_t since_ = 0;  // time at which the last reset ends
  int lone_ = -1;            // the node that sends alone
  std::uint64_t lone_sent_ = 0, lone_cycles_ = 0, cycles_ = 0;
  std::uint64_t longest_wait_ = 0, longest_way_ = 0;  // in cycles of the slowest clock
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
