// SPDX-License-Identifier: Apache-2.0
//
// Bench of hc_packets with the sources and the payload of the machine, under random packets and stalls at
// both sides, without a network. Checks that packets are handed out whole, in the order in which they became
// complete, that nothing is lost, and that m_axis obeys AXI4-Stream. A reset in the middle discards all messages.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "Vpackets.h"
#include "bench_config.h"
#include "model.h"

namespace hc {

namespace {

constexpr unsigned kDepth = 1U << PACKETS_DEPTH_BITS;  // messages of a queue, and of the longest part of a packet
constexpr unsigned kBusy = kNodes < 5 ? kNodes : 5;    // sources that send at the same time
constexpr std::uint64_t kPhase = 1000;                 // cycles with the same sources, lengths and stalls

struct Message {
  std::uint32_t source = 0;
  bool last = false;
  std::vector<std::uint32_t> payload;

  bool operator==(const Message& other) const {
    return source == other.source && last == other.last && payload == other.payload;
  }
};

class Bench {
 public:
  Bench(VerilatedContext& context, const Options& options, Report& report)
      : options_(options), report_(report), case_(report.add("packets")), random_(options.seed), top_(&context) {
    const auto bit = [](auto& port, const char* name) { return Field(Wires(port, 1, name), 0, 1); };
    in_ = {bit(top_.s_axis_tvalid, "s_axis_tvalid"), bit(top_.s_axis_tready, "s_axis_tready"),
           bit(top_.s_axis_tlast, "s_axis_tlast"),
           Field(Wires(top_.s_axis_tid, kSourceBits, "s_axis_tid"), 0, kSourceBits),
           Field(Wires(top_.s_axis_tdata, kPayloadBits, "s_axis_tdata"), 0, kPayloadBits)};
    out_ = {bit(top_.m_axis_tvalid, "m_axis_tvalid"), bit(top_.m_axis_tready, "m_axis_tready"),
            bit(top_.m_axis_tlast, "m_axis_tlast"),
            Field(Wires(top_.m_axis_tid, kSourceBits, "m_axis_tid"), 0, kSourceBits),
            Field(Wires(top_.m_axis_tdata, kPayloadBits, "m_axis_tdata"), 0, kPayloadBits)};
  }

  void run() {
    reset();
    for (now_ = 0; now_ < options_.free_run && !report_.full(); ++now_) {
      if (now_ % kPhase == 0) change();
      if (!interrupted_ && now_ >= options_.free_run / 2 && complete_.size() > kDepth) {  // two packets or more
        interrupted_ = true;
        reset();
      }
      cycle(random_.word() % 100 < sends_, random_.word() % 100 < accepts_);
    }
    // Complete packets leave if the receiver accepts; messages of others stay.
    for (std::size_t left = 4 * complete_.size() + 16; left > 0 && !report_.full(); --left, ++now_) cycle(false, true);
    if (!complete_.empty()) fail(std::to_string(complete_.size()) + " messages of complete packets are missing");
    if (handed_ == 0 || parts_ == 0 || refused_ == 0 || held_ == 0 || !interrupted_) {
      fail("the run is too short: it needs packets, also at a reset, a part that is cut off, and stalls at both sides");
    }
    top_.final();
  }

  std::string summary() const {
    return std::to_string(now_) + " cycles, " + std::to_string(handed_) + " packets, " + std::to_string(parts_) +
           " parts cut off, " + std::to_string(refused_) + " stalls of the network, " + std::to_string(held_) +
           " of the receiver";
  }

 private:
  struct Stream {
    Field valid, ready, last, source, payload;

    Message message() const {
      Message m{0, last.bit(), std::vector<std::uint32_t>(payload.words())};
      source.get(&m.source);
      payload.get(m.payload.data());
      return m;
    }
  };

  void fail(const std::string& what) { report_.fail(case_, "cycle " + std::to_string(now_) + ": " + what); }

  // Draws other sources, and other rates of messages, of last messages, and of ready.
  void change() {
    for (std::uint32_t& source : busy_) source = random_.word() % kNodes;
    sends_ = random_.coin() ? 100 : 20 + random_.word() % 60;
    accepts_ = random_.coin() ? 100 : 5 + random_.word() % 80;
    lasts_ = random_.coin() ? 3 : 10 + random_.word() % 80;
  }

  void reset() {
    top_.rst = 1;
    in_.valid.bit(false);
    out_.ready.bit(false);
    step();  // one cycle is enough
    top_.rst = 0;
    begun_.assign(kNodes, {});
    complete_.clear();
    offered_ = waits_ = split_ = false;
  }

  void cycle(bool sends, bool accepts) {
    if (!offered_) {
      offered_ = sends;
      in_.source.set(&busy_[random_.word() % kBusy]);
      in_.last.bit(random_.word() % 100 < lasts_);
      in_.payload.randomize(random_);
    }
    in_.valid.bit(offered_);
    out_.ready.bit(accepts);
    top_.clk = 0;
    top_.eval();

    if ((top_.packet_split != 0) != split_) fail(std::string("packet_split: expected ") + (split_ ? "1" : "0"));
    split_ = false;
    hand_over(accepts);
    take();
    top_.clk = 1;
    top_.eval();
  }

  void step() {
    top_.clk = 0;
    top_.eval();
    top_.clk = 1;
    top_.eval();
  }

  // What the receiver gets is the oldest message of the packet that became complete first.
  void hand_over(bool accepts) {
    const Message found = out_.message();
    if (waits_ && (!out_.valid.bit() || !(found == waiting_))) fail("m_axis changes before its handshake");
    waits_ = out_.valid.bit() && !accepts;
    waiting_ = found;
    held_ += waits_ ? 1 : 0;
    if (!out_.valid.bit() || !accepts) return;
    if (complete_.empty()) return fail("a message is handed out, but no packet is complete");
    const Message expected = complete_.front();
    complete_.pop_front();
    if (found.source != expected.source) {
      return fail("tid: expected " + std::to_string(expected.source) + ", got " + std::to_string(found.source));
    }
    if (!(found == expected))
      fail("tlast or tdata of a message of source " + std::to_string(found.source) + " is wrong");
    handed_ += found.last ? 1 : 0;
  }

  // A message from the network may complete its packet, or a part of it of the full length.
  void take() {
    if (!offered_) return;
    if (!in_.ready.bit()) {
      ++refused_;
      return;
    }
    offered_ = false;
    Message m = in_.message();
    std::vector<Message>& packet = begun_[m.source];
    split_ = !m.last && packet.size() + 1 == kDepth;
    parts_ += split_ ? 1 : 0;
    m.last = m.last || split_;
    packet.push_back(m);
    if (!m.last) return;
    complete_.insert(complete_.end(), packet.begin(), packet.end());
    packet.clear();
  }

  const Options& options_;
  Report& report_;
  std::size_t case_;
  Random random_;
  Vpackets top_;
  Stream in_, out_;
  std::uint64_t now_ = 0;
  std::uint32_t busy_[kBusy] = {};
  unsigned sends_ = 0, accepts_ = 0, lasts_ = 0;  // in per cent
  bool offered_ = false, waits_ = false, split_ = false;
  bool interrupted_ = false;                 // the reset in the middle is over
  Message waiting_;                          // of a receiver that has stalled
  std::vector<std::vector<Message>> begun_;  // by source, the packet that is not complete
  std::deque<Message> complete_;             // the messages of complete packets, in the order of the packets
  std::uint64_t handed_ = 0, parts_ = 0, refused_ = 0, held_ = 0;
};

int run(const Options& options, int argc, char** argv) {
  if (options.free_run == 0 || !options.waves.empty() || options.threads > 0) {
    throw OptionError("packets have +free-run=CYCLES, +seed=N, +max-mismatch=N, +junit=FILE and +result=FILE only");
  }
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(static_cast<int>(options.seed) + 1);
  context.commandArgs(argc, argv);
  Report report(std::string(kMachine) + "_packets.random", options.max_mismatch);
  Bench bench(context, options, report);
  bench.run();
  std::printf("%s: %s: %s\n", report.failures() == 0 ? "PASS" : "FAIL", report.suite().c_str(),
              bench.summary().c_str());
  if (!options.junit.empty()) report.write_junit(options.junit);
  if (!options.result.empty()) report.append_result(options.result, bench.summary());
  return report.failures() == 0 ? 0 : 3;
}

}  // namespace

}  // namespace hc

int main(int argc, char** argv) {
  try {
    const hc::Options options = hc::parse_options(argc, argv);
    if (options.help) {
      std::fputs(hc::usage(argc > 0 ? argv[0] : "packets").c_str(), stdout);
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
