// SPDX-License-Identifier: Apache-2.0
//
// Bench of machines with links between chips: a <machine>_chip for each chip of the machine, Verilated once, and cables
// between them that delay, change, lose and shift words (cables.h). The wiring and the frames follow from the rings of the
// machine and docs/chips.md alone. It has no trace, because cycles of different clocks cannot be compared.
//
// In each episode chips and cables have other clocks and latencies, chips leave reset one after the other, and some cables are
// first plugged into a wrong end, or have a loopback plug. Then follow
//
// - phases of traffic over cables with errors at several rates, bursts, cuts, shifted bits and words, and patterns,
// - a node that sends alone over good cables,
// - the reset of one chip alone, and a restart at another chip,
// - a restart while one chip cannot be reached.
//
// The bench checks the traffic as traffic.h states, also while the cables are bad; the states, counters and frames of cables; that
// a chip reset alone stops all messages, and is seen at both ends of its cables; and that a restart resets each chip once.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "Vchip.h"
#include "bench_config.h"
#include "cables.h"
#include "checks.h"
#include "model.h"
#include "traffic.h"

namespace hc {

namespace {

constexpr std::uint64_t kPeriod = 10000;   // of a clock, in units of time; more or less
constexpr unsigned kSessionReset = 16;     // cycles
constexpr std::uint64_t kEpisode = 16000;  // cycles of the slowest clock with traffic; longer runs have more episodes
constexpr unsigned kStagger = 600;         // cycles of the slowest clock within which resets end

enum State : unsigned { kSilent, kComingUp, kUp, kLost, kStranger, kMiswired, kLoop, kPattern };
constexpr unsigned kAnyState = 0xff;

constexpr std::size_t kRingCount = std::size(kRings);

constexpr std::uint32_t chips_of_machine() {
  std::uint32_t chips = 1;
  for (std::size_t i = 0; i < kRingCount; ++i) chips *= kChipLinks[i].word_bits > 0 ? kRings[i].m : 1;
  return chips;
}
constexpr unsigned bits_of_chip() {
  unsigned bits = 0;
  for (std::size_t i = 0; i < kRingCount; ++i) bits += kChipLinks[i].word_bits > 0 ? bits_of(kRings[i].m - 1) : 0;
  return bits;
}
constexpr std::uint32_t kChips = chips_of_machine();
constexpr std::uint32_t kPlaces = kNodes / kChips;
constexpr unsigned kChipBits = bits_of_chip();

// The chip of a node, its place there, and the digits of its chip as the input `chip` has them.
struct Where {
  std::uint32_t chip = 0, place = 0, digits = 0;
};
Where where(std::uint32_t node) {
  Where w;
  std::uint32_t chips = 1, places = 1;
  unsigned low = 0;
  for (std::size_t i = 0; i < kRingCount; ++i) {
    const std::uint32_t m = kRings[i].m, digit = node % m;
    node /= m;
    if (kChipLinks[i].word_bits > 0) {
      w.chip += chips * digit;
      w.digits |= digit << low;
      chips *= m;
      low += bits_of(m - 1);
    } else {
      w.place += places * digit;
      places *= m;
    }
  }
  return w;
}

// A port between chips, with its dimension.
struct CablePort {
  unsigned port;
  ChipLink link;
};
std::vector<CablePort> cable_ports() {
  std::vector<CablePort> ports;
  unsigned port = 0;
  for (std::size_t i = 0; i < kRingCount; ++i) {
    const unsigned count = 2 * kRings[i].rho - (2 * kRings[i].rho == kRings[i].m ? 1 : 0);
    for (unsigned p = 0; p < count; ++p, ++port) {
      if (kChipLinks[i].word_bits > 0) ports.push_back({port, kChipLinks[i]});
    }
  }
  return ports;
}

// A counter of an end.
enum Counter : unsigned { kGood, kBad, kRepetitions, kSilences, kSent, kReceived, kCounters };

// An end of a cable: the wires at the chip, the lane on which words arrive, and what the bench knows of them.
struct End {
  End(Random& random, std::uint32_t chip_, std::uint32_t digits, const CablePort& p)
      : chip(chip_),
        port(p.port),
        link(p.link),
        frames(frames_of(p.link, kPlaces, kChipBits)),
        check(frames, p.link, kChipBits, 16 * digits + p.port),
        lane(random, p.link.word_bits) {}

  std::uint32_t chip;
  unsigned port;
  ChipLink link;
  Frames frames;
  std::uint32_t right = 0;  // the end to which it should lead
  int peer = -1;            // the end to which it leads; -1: none

  Field tx_word, tx_first, tx_ready, rx_clk, rx_valid, rx_first, rx_word, rx_slip, pattern, state, far;
  std::array<Field, kCounters> counters;

  FrameCheck check;                             // of the words that it sends
  unsigned gaps = 0, gap_left = 0, cycles = 0;  // how its words are taken
  bool halted = false;                          // they are not
  Lane lane;                                    // on which words arrive
  bool marks = true;
  std::uint64_t period = kPeriod, edge = 0;        // of rx_clk
  unsigned allowed = kAnyState, reported = 8;      // states, and the one that was reported last
  std::uint32_t base_sent = 0, base_received = 0;  // at the last reset of the nodes

  unsigned now_in() const {
    std::uint32_t s = 0;
    state.get(&s);
    return s;
  }
  std::uint32_t count(Counter c) const {
    std::uint32_t value = 0;
    counters[c].get(&value);
    return value;
  }
};

struct Chip {
  std::unique_ptr<Vchip> top;
  Wires clk, rst, restart, reset, header_error, destination_error;
  std::uint64_t period = kPeriod, edge = 0, cycles = 0;
  bool in_rst = true, in_reset = true, had_rst = true;
  std::uint64_t release = 0;  // time at which rst ends
  bool ask = false;           // restart in the next cycle
  bool may_reset = false;     // without rst
  std::uint64_t resets = 0;   // without rst
  unsigned reset_cycles = 0;  // of this one
  std::vector<std::uint32_t> nodes, ends;
};

class Bench {
 public:
  Bench(VerilatedContext& context, const Options& options, Report& report)
      : context_(context),
        options_(options),
        report_(report),
        case_(report.add("chips")),
        random_(options.seed),
        traffic_(random_, [this](std::uint32_t node, const std::string& what) { fail_at(where(node).chip, what); }),
        chips_(kChips),
        node_of_(kChips, std::vector<std::uint32_t>(kPlaces)) {
    const std::vector<CablePort> ports = cable_ports();
    const Topology topology({std::begin(kRings), std::end(kRings)});
    for (std::uint32_t n = 0; n < kNodes; ++n) node_of_[where(n).chip][where(n).place] = n;
    for (std::uint32_t c = 0; c < kChips; ++c) {
      Chip& chip = chips_[c];
      chip.nodes = node_of_[c];
      const std::uint32_t node = chip.nodes[0];
      for (std::size_t i = 0; i < ports.size(); ++i) {
        chip.ends.push_back(static_cast<std::uint32_t>(ends_.size()));
        ends_.emplace_back(random_, c, where(node).digits, ports[i]);
        const std::uint32_t neighbor = where(topology.neighbor(node, ports[i].port)).chip;
        const unsigned opposite = topology.opposite(ports[i].port);
        const auto at =
            std::find_if(ports.begin(), ports.end(), [&](const CablePort& p) { return p.port == opposite; });
        ends_.back().right =
            neighbor * static_cast<std::uint32_t>(ports.size()) + static_cast<std::uint32_t>(at - ports.begin());
      }
    }
    for (std::uint32_t c = 0; c < kChips; ++c) {
      chips_[c].top.reset(new Vchip(&context, ("chip" + std::to_string(c)).c_str()));
      bind(c, *chips_[c].top);
    }
  }

  void run() {
    do {
      begin();
      if (episodes_ % 2 == 1) misplugged();
      come_up();
      traffic();
      drain("after the phases of traffic");
      alone();
      reset_alone();
      phase("errors after a restart", [&] { errors(kEpisode / 5, 1e-4, 1000, 4); });
      drain("after a restart");
      unreachable();
      phase("errors after a restart that a chip has missed", [&] { errors(kEpisode / 5, 1e-4, 1000, 4); });
      drain("after a restart that a chip has missed");
      ++episodes_;
    } while (!report_.full() &&
             (episodes_ < 2 || episodes_ * kEpisode < options_.free_run || crossed_ < options_.messages));
    const std::string unused = traffic_.unused();
    if (!unused.empty() && !report_.full()) fail("the run is too short: " + unused);
    for (Chip& c : chips_) c.top->final();
  }

  std::string summary() const {
    std::uint64_t cycles = 0, slips = 0, changed = 0;
    for (const Chip& c : chips_) cycles += c.cycles;
    for (const End& e : ends_) slips += e.lane.slips(), changed += e.lane.changed();
    std::string text;
    const auto add = [&](std::uint64_t n, const char* what) { text += std::to_string(n) + what; };
    add(cycles, " cycles of all chips, ");
    add(traffic_.sent(), " messages, ");
    add(traffic_.delivered(), " deliveries, ");
    add(traffic_.releases(), " releases; ");
    add(crossed_, " messages over cables with ");
    add(changed, " changed words, ");
    add(cuts_, " cuts, ");
    add(shifts_, " shifts, ");
    add(slips, " slips, ");
    add(swaps_, " swaps, ");
    add(moves_, " moves, ");
    add(plugs_, " plugs and ");
    add(restarts_, " restarts; the longest wait took ");
    add(longest_wait_, " and the longest way ");
    add(longest_way_, " cycles of the slowest clock, and a lone sender sent ");
    add(lone_sent_, " messages in ");
    add(lone_cycles_, "");
    return text;
  }

 private:
  // Ports

  // A template, because some ports exist only with an option.
  template <class Top>
  void bind(std::uint32_t c, Top& t) {
    Chip& chip = chips_[c];
    chip.clk = Wires(t.clk, 1, "clk");
    chip.rst = Wires(t.rst, 1, "rst");
    chip.restart = Wires(t.restart, 1, "restart");
    chip.reset = Wires(t.reset, 1, "reset");
    chip.header_error = Wires(t.header_error, 1, "header_error");
    if constexpr (kDestination) chip.destination_error = Wires(t.destination_error, 1, "destination_error");
    Wires(t.chip, kChipBits, "chip").set(0, kChipBits, where(chip.nodes[0]).digits);
    traffic_.bind(t, kPlaces, [&](std::uint32_t place) { return node_of_[c][place]; });
    chip.restart.set(0, 1, 0);
    std::size_t i = 0;
    const auto field = [](auto& port, std::size_t bits, const char* name) {
      return Field(Wires(port, bits, name), 0, bits);
    };
#define HC_CABLE(P)                                                                                   \
  {                                                                                                   \
    End& e = ends_[chip.ends.at(i++)];                                                                \
    if (e.port != P) throw std::logic_error("cable " #P " is not one that follows from the machine"); \
    const unsigned w = e.link.word_bits;                                                              \
    e.tx_word = field(t.cable##P##_tx_word, w, "cable" #P "_tx_word");                                \
    e.tx_first = field(t.cable##P##_tx_first, 1, "cable" #P "_tx_first");                             \
    e.tx_ready = field(t.cable##P##_tx_ready, 1, "cable" #P "_tx_ready");                             \
    e.rx_clk = field(t.cable##P##_rx_clk, 1, "cable" #P "_rx_clk");                                   \
    e.rx_valid = field(t.cable##P##_rx_valid, 1, "cable" #P "_rx_valid");                             \
    e.rx_first = field(t.cable##P##_rx_first, 1, "cable" #P "_rx_first");                             \
    e.rx_word = field(t.cable##P##_rx_word, w, "cable" #P "_rx_word");                                \
    e.rx_slip = field(t.cable##P##_rx_slip, 1, "cable" #P "_rx_slip");                                \
    e.pattern = field(t.cable##P##_pattern, 1, "cable" #P "_pattern");                                \
    e.state = field(t.cable##P##_state, 3, "cable" #P "_state");                                      \
    e.far = field(t.cable##P##_far, 4 + kChipBits, "cable" #P "_far");                                \
    e.counters[kGood] = field(t.cable##P##_good, 32, "cable" #P "_good");                             \
    e.counters[kBad] = field(t.cable##P##_bad, 32, "cable" #P "_bad");                                \
    e.counters[kRepetitions] = field(t.cable##P##_repetitions, 32, "cable" #P "_repetitions");        \
    e.counters[kSilences] = field(t.cable##P##_silences, 32, "cable" #P "_silences");                 \
    e.counters[kSent] = field(t.cable##P##_sent, 32, "cable" #P "_sent");                             \
    e.counters[kReceived] = field(t.cable##P##_received, 32, "cable" #P "_received");                 \
  }
    HC_CABLES(HC_CABLE)
#undef HC_CABLE
    if (i != chip.ends.size()) throw std::logic_error("the chip lacks a cable that follows from the machine");
  }

  // Messages

  void fail(const std::string& what) {
    report_.fail(case_, "seed " + std::to_string(options_.seed) + ", time " + std::to_string(now_ / kPeriod) + " (" +
                            doing_ + "): " + what);
  }
  void fail_at(std::uint32_t chip, const std::string& what) {
    report_.fail(case_, "seed " + std::to_string(options_.seed) + ", cycle " + std::to_string(chips_[chip].cycles) +
                            " (" + doing_ + "), chip " + std::to_string(chip) + ": " + what);
  }
  void fail_at(const End& e, const std::string& what) {
    report_.fail(case_, "seed " + std::to_string(options_.seed) + ", cycle " + std::to_string(chips_[e.chip].cycles) +
                            " (" + doing_ + "), chip " + std::to_string(e.chip) + ", cable " + std::to_string(e.port) +
                            ": " + what);
  }

  // Time

  std::uint64_t slowest() const {
    std::uint64_t longest = 0;
    for (const Chip& c : chips_) longest = std::max(longest, c.period);
    return longest;
  }

  // Runs until the next edges, which are those of one moment.
  void step() {
    std::uint64_t next = UINT64_MAX;
    for (const Chip& c : chips_) next = std::min(next, c.edge);
    for (const End& e : ends_) {
      if (e.lane.cut() != Lane::Cut::stopped) next = std::min(next, e.edge);
    }
    now_ = next;
    context_.time(now_);
    for (Chip& c : chips_) {
      bool any = c.edge == now_;
      for (const std::uint32_t i : c.ends) any = any || rises(ends_[i]);
      if (any) edges(c);
    }
  }
  bool rises(const End& e) const { return e.edge == now_ && e.lane.cut() != Lane::Cut::stopped; }

  // The edges of a chip in this moment. The clocks fall again when the inputs change after the edge.
  void edges(Chip& c) {
    const bool own = c.edge == now_;
    if (own) observe(c);
    for (const std::uint32_t i : c.ends) {
      End& e = ends_[i];
      if (!rises(e)) continue;
      if (e.rx_slip.bit()) e.lane.slip();
      e.rx_clk.bit(true);
    }
    if (own) c.clk.set(0, 1, 1);
    c.top->eval();
    if (own) {
      drive(c);
      c.clk.set(0, 1, 0);
      c.edge += c.period;
    }
    for (const std::uint32_t i : c.ends) {
      End& e = ends_[i];
      if (!rises(e)) continue;
      Word word;
      e.rx_valid.bit(e.lane.pop(now_, &word));
      e.rx_first.bit(word.first);
      set_word(e.rx_word, word.bits);
      e.rx_clk.bit(false);
      e.edge += e.period;
    }
    c.top->eval();
  }

  static void set_word(Field& f, std::uint64_t value) {
    const std::uint32_t words[2] = {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
    f.set(words);
  }
  static std::uint64_t get_word(const Field& f) {
    std::uint32_t words[2] = {0, 0};
    f.get(words);
    return words[0] | static_cast<std::uint64_t>(words[1]) << 32;
  }

  // What the edge of clk sees.
  void observe(Chip& c) {
    ++c.cycles;
    const auto number = static_cast<std::uint32_t>(&c - chips_.data());
    const bool reset = c.in_rst || c.reset.get(0, 1) != 0;
    if (reset && !c.in_reset) begin_reset(c, number);
    if (!reset && c.in_reset) end_reset(c, number);
    c.in_reset = reset;
    c.reset_cycles += reset && !c.in_rst ? 1 : 0;
    if (!reset) {
      if (c.header_error.get(0, 1) != 0) fail_at(number, "header_error is 1, expected 0");
      if (kDestination && c.destination_error.get(0, 1) != 0) fail_at(number, "destination_error is 1, expected 0");
      for (const std::uint32_t n : c.nodes) traffic_.observe(n, now_);
    }
    for (const std::uint32_t i : c.ends) observe(c, ends_[i]);
  }

  void observe(const Chip& c, End& e) {
    const bool frames = !c.in_rst && !e.pattern.bit();
    if (!frames) e.check.restart();
    if (e.tx_ready.bit()) {
      const Word word{get_word(e.tx_word), e.tx_first.bit()};
      if (e.peer >= 0) ends_[e.peer].lane.push(now_, word);
      const std::uint64_t hellos = e.check.hellos();
      const std::string fault = frames ? e.check.take(word) : "";
      if (!fault.empty()) fail_at(e, "it sends " + fault);
      if (e.check.hellos() != hellos) judge_hello(e);
    }
    if (c.in_rst) return;
    const unsigned state = e.now_in();
    if ((e.allowed >> state & 1) == 0 && state != e.reported) {
      fail_at(e, "state " + std::to_string(state) + ", expected " + states(e.allowed));
      e.reported = state;
    }
  }

  static std::string states(unsigned mask) {
    std::string text;
    for (unsigned s = 0; s < 8; ++s) {
      if ((mask >> s & 1) != 0) text += (text.empty() ? "" : " or ") + std::to_string(s);
    }
    return text;
  }

  // A hello says who sends it.
  void judge_hello(const End& e) {
    const FrameCheck::Hello& h = e.check.hello();
    if (hash_ == 0) hash_ = h.hash;
    const std::uint32_t digits = where(chips_[e.chip].nodes[0]).digits;
    if (h.port == e.port && h.chip == digits && h.hash == hash_) return;
    fail_at(e, "it sends a hello of port " + std::to_string(h.port) + ", chip " + hex(h.chip, std::max(1U, kChipBits)) +
                   " and hash " + hex(h.hash, 32) + ", expected port " + std::to_string(e.port) + ", chip " +
                   hex(digits, std::max(1U, kChipBits)) + " and hash " + hex(hash_, 32));
  }

  void begin_reset(Chip& c, std::uint32_t number) {
    c.reset_cycles = 0;
    if (!c.in_rst) {
      ++c.resets;
      if (!c.may_reset) fail_at(number, "reset is 1, expected 0 without a restart");
    }
    const std::uint64_t life = restart_life_ > 0 && !c.in_rst ? restart_life_ : ++life_;
    for (const std::uint32_t n : c.nodes) traffic_.restart(n, life);
  }

  void end_reset(Chip& c, std::uint32_t number) {
    if (c.reset_cycles != kSessionReset && !c.had_rst) {
      fail_at(number, "reset is 1 for " + std::to_string(c.reset_cycles) + " cycles, expected " +
                          std::to_string(kSessionReset));
    }
    c.had_rst = false;
    for (const std::uint32_t i : c.ends) {
      End& e = ends_[i];
      e.base_sent = e.count(kSent);
      e.base_received = e.count(kReceived);
    }
  }

  // After the edge: the inputs of the next cycle.
  void drive(Chip& c) {
    c.in_rst = now_ < c.release;
    c.had_rst = c.had_rst || c.in_rst;
    c.rst.set(0, 1, c.in_rst ? 1 : 0);
    c.restart.set(0, 1, c.ask ? 1 : 0);
    c.ask = false;
    for (const std::uint32_t i : c.ends) drive(ends_[i]);
    if (c.in_rst || c.reset.get(0, 1) != 0) {
      for (const std::uint32_t n : c.nodes) traffic_.still(n);
      return;
    }
    for (const std::uint32_t n : c.nodes) {
      const bool only = lone_ >= 0;
      const bool loud = only ? static_cast<int>(n) == lone_ : sends_;
      traffic_.drive(n, now_, !loud ? Load::none : only ? Load::full : Load::random, only);
      if (patience_ > 0) {
        traffic_.judge(n, now_, since_, patience_ * slowest(),
                       std::to_string(patience_) + " cycles of the slowest clock");
      }
    }
  }

  // The physical layer takes the next word or not.
  void drive(End& e) {
    bool ready = true;
    ++e.cycles;
    switch (e.gaps) {
      case 0: break;
      case 1: ready = e.cycles % 33 != 0; break;  // as 64b/66b does
      case 2: ready = random_.word() % 4 != 0; break;
      default:
        if (e.gap_left == 0 && random_.word() % 64 == 0) e.gap_left = random_.word() % 40;
        ready = e.gap_left == 0;
        if (!ready) --e.gap_left;
    }
    e.tx_ready.bit(ready && !e.halted);
  }

  void run_for(std::uint64_t cycles) {
    for (const std::uint64_t end = now_ + cycles * slowest(); now_ < end && !report_.full();) step();
  }

  // Runs until done, at most for some cycles of the slowest clock. False if it is not done then.
  bool run_until(std::uint64_t cycles, const std::function<bool()>& done) {
    const std::uint64_t end = now_ + cycles * slowest();
    while (!done() && !report_.full()) {
      if (now_ >= end) return false;
      for (unsigned i = 0; i < 16; ++i) step();
    }
    return true;
  }

  // Cables

  void allow(unsigned mask) {
    for (End& e : ends_) e.allowed = mask, e.reported = 8;
  }

  // Cycles until a good frame has come over a cable that has been laid or restored, and one more way there and back.
  std::uint64_t finding(const End& e) const {
    const std::uint64_t k = e.frames.words, w = e.link.word_bits;
    const std::uint64_t search = e.lane.marks() ? 4 * k : w * (k * k + 64) + 2 * k;
    return 2 * (64 * k + search) + 8 * e.link.flight + 32 * k + 500;
  }
  std::uint64_t finding() const {
    std::uint64_t longest = 0;
    for (const End& e : ends_) longest = std::max(longest, finding(e));
    return longest;
  }
  std::uint64_t silence() const {
    std::uint64_t longest = 0;
    for (const End& e : ends_) longest = std::max<std::uint64_t>(longest, e.link.silence);
    return longest;
  }

  // Lays the cable between two ends: both have a new lane. An end may lead to itself.
  void lay(std::uint32_t a, std::uint32_t b) {
    join(a, b);
    if (a != b) join(b, a);
  }
  void join(std::uint32_t from, std::uint32_t to) {
    End& e = ends_[to];
    ends_[from].peer = static_cast<int>(to);
    ends_[from].halted = false;
    const std::uint64_t sender = chips_[ends_[from].chip].period;
    // The end waits up to a cycle for its edge. A long cable takes longer than stated.
    const std::uint64_t longest = (long_ ? 5 * e.link.flight / 2 + 4 : std::max(2U, e.link.flight) - 1) * sender;
    e.lane.lay(1 + random_.word() % longest, e.marks);
    // Words never arrive faster than rx_clk takes them.
    e.period = random_.coin() ? sender : sender - random_.word() % (sender / 5);
    e.edge = now_ + 1 + random_.word() % e.period;
  }
  void unplug(std::uint32_t i) {
    ends_[i].peer = -1;
    ends_[i].lane.cut(random_cut());
  }
  Lane::Cut random_cut() {
    switch (random_.word() % 3) {
      case 0: return Lane::Cut::silent;
      case 1: return Lane::Cut::stopped;
      default: return Lane::Cut::noise;
    }
  }
  // Words to an end are lost, and at times the other end cannot send any.
  void cut(End& e) {
    e.lane.cut(random_cut());
    ends_[e.right].halted = random_.word() % 4 == 0;
    ++cuts_;
  }
  void restore(End& e) {
    e.lane.cut(Lane::Cut::none);
    e.edge = now_ + 1 + random_.word() % e.period;
    ends_[e.right].halted = false;
  }
  void all_errors(double rate, std::uint32_t words_of_burst) {
    for (End& e : ends_) e.lane.errors(rate, words_of_burst);
  }

  // Begins an episode: all chips are reset together, and leave reset one after the other.
  void begin() {
    doing_ = "reset";
    const unsigned kind = random_.word() % 4;  // some ppm, some per cent, or one clock far from the others
    const std::uint32_t odd = random_.word() % kChips;
    odd_ = kind == 3;
    ++life_;
    restart_life_ = 0;
    session_ = 0;
    for (std::uint32_t c = 0; c < kChips; ++c) {
      Chip& chip = chips_[c];
      chip.period = kPeriod + random_.word() % (kind == 0 ? 3 : 500);
      if (odd_ && c == odd) chip.period = random_.coin() ? kPeriod / 2 : 2 * kPeriod;
      chip.edge = now_ + 1 + random_.word() % chip.period;
      chip.in_rst = chip.in_reset = chip.had_rst = true;
      chip.may_reset = false;
      chip.rst.set(0, 1, 1);
      for (const std::uint32_t n : chip.nodes) traffic_.restart(n, life_);
    }
    const bool at_once = random_.word() % 4 == 0;
    const std::uint64_t together = now_ + 8 * slowest();
    for (Chip& c : chips_) c.release = together + (at_once ? 0 : random_.word() % (kStagger * slowest()));
    long_ = random_.coin();
    const bool every = random_.coin(), some = random_.coin();
    for (End& e : ends_) {
      e.marks = some ? random_.coin() : every;
      e.gaps = random_.word() % 4;
      e.pattern.bit(false);
      e.tx_ready.bit(false);
      e.check.restart();
    }
    for (std::uint32_t i = 0; i < ends_.size(); ++i) join(i, ends_[i].right);
    allow(1U << kSilent | 1U << kComingUp | 1U << kUp);
    sends_ = true;
    patience_ = 0;
  }

  std::uint64_t last_release() const {
    std::uint64_t last = 0;
    for (const Chip& c : chips_) last = std::max(last, c.release);
    return last;
  }

  // All cables come up, some of them after the chips.
  void come_up() {
    if (report_.full()) return;
    doing_ = "coming up after reset";
    std::vector<End*> late;
    for (End& e : ends_) {
      if (random_.word() % 4 == 0) late.push_back(&e);
    }
    for (End* e : late) cut(*e);
    run_until(2 * kStagger, [&] { return now_ > last_release(); });
    run_for(random_.word() % (2 * silence()));
    for (End* e : late) restore(*e);
    wait_up();
  }

  // All cables come up.
  void wait_up() {
    run_until_up(silence() + 2 * finding());
    for (const End& e : ends_) expect(e, kUp);
    run_for(100);
    allow(1U << kUp);
  }
  // A cable that has been disturbed for less than silence is up also while its end searches the frames.
  bool run_until_up(std::uint64_t cycles) {
    std::vector<std::uint32_t> good;
    for (const End& e : ends_) good.push_back(e.count(kGood));
    return run_until(cycles, [&] {
      for (std::size_t i = 0; i < ends_.size(); ++i) {
        if (ends_[i].now_in() != kUp || ends_[i].count(kGood) - good[i] < 4) return false;
      }
      return true;
    });
  }
  bool all_in(unsigned state) const {
    return std::all_of(ends_.begin(), ends_.end(), [&](const End& e) { return e.now_in() == state; });
  }
  void expect(const End& e, unsigned state) {
    if (e.now_in() != state && !report_.full())
      fail_at(e, "state " + std::to_string(e.now_in()) + ", expected " + std::to_string(state));
  }

  // Wrong cables

  // Two cables are exchanged, then an end has a loopback plug.
  void misplugged() {
    doing_ = "wrong cables";
    allow(kAnyState);
    const std::uint32_t a = random_.word() % ends_.size(), b = ends_[a].right;
    std::vector<std::uint32_t> others;  // of the same kind
    for (std::uint32_t i = 0; i < ends_.size(); ++i) {
      const bool same =
          ends_[i].link.word_bits == ends_[a].link.word_bits && ends_[i].frames.words == ends_[a].frames.words;
      if (i != a && i != b && same) others.push_back(i);
    }
    if (!others.empty()) {
      const std::uint32_t c = others[random_.word() % others.size()], d = ends_[c].right;
      lay(a, d);
      lay(c, b);
      wait_wrong({a, b, c, d});
      ++swaps_;
      lay(c, d);
    }
    lay(a, a);
    unplug(b);
    wait_wrong({a});
    run_until(2 * silence(), [&] { return ends_[b].now_in() == kSilent; });
    expect(ends_[b], kSilent);
    pattern_with_plug(ends_[a]);
    wait_wrong({a});
    ++plugs_;
    lay(a, b);
  }

  // The ends see which end is at the other end of their cables.
  void wait_wrong(const std::vector<std::uint32_t>& list) {
    const auto state = [&](std::uint32_t i) { return ends_[i].peer == static_cast<int>(i) ? kLoop : kMiswired; };
    const auto far = [&](std::uint32_t i) {
      const End& other = ends_[ends_[i].peer];
      return other.port << kChipBits | where(chips_[other.chip].nodes[0]).digits;
    };
    const auto seen = [&](std::uint32_t i) { return ends_[i].now_in() == state(i) && far_of(ends_[i]) == far(i); };
    run_until(2 * kStagger + silence() + 2 * finding(),
              [&] { return now_ > last_release() && std::all_of(list.begin(), list.end(), seen); });
    for (const std::uint32_t i : list) {
      expect(ends_[i], state(i));
      if (far_of(ends_[i]) != far(i) && !report_.full())
        fail_at(ends_[i], "far " + hex(far_of(ends_[i]), 4 + kChipBits) + ", expected " + hex(far(i), 4 + kChipBits));
    }
  }
  static std::uint32_t far_of(const End& e) {
    std::uint32_t value = 0;
    e.far.get(&value);
    return value;
  }

  // With a pattern and a loopback plug an end counts the words that are changed. Each changed bit is also one of those from
  // which two later bits are predicted.
  void pattern_with_plug(End& e) {
    if (report_.full()) return;
    e.pattern.bit(true);
    run_for(finding());
    expect(e, kPattern);
    const std::uint32_t good = e.count(kGood), bad = e.count(kBad);
    run_for(1000);
    if (e.count(kBad) != bad || e.count(kGood) != good) {
      fail_at(e, std::to_string(e.count(kGood) - good) + " good and " + std::to_string(e.count(kBad) - bad) +
                     " bad in a pattern that arrives unchanged, expected none");
    }
    e.lane.flip();
    run_for(1000);
    if (e.count(kBad) - bad < 1 || e.count(kBad) - bad > 3)
      fail_at(e, std::to_string(e.count(kBad) - bad) + " bad after a changed bit of a pattern, expected 1 to 3");
    e.pattern.bit(false);
  }

  // Traffic

  // Phases in which the cables have all kinds of faults.
  void traffic() {
    const std::uint64_t cycles = kEpisode / 10;
    since_ = now_;
    phase("good cables", [&] { good(2 * cycles); });
    phase("errors at 1e-5", [&] { errors(cycles, 1e-5, 0, 1); });
    phase("errors at 1e-4", [&] { errors(cycles, 1e-4, 0, 1); });
    phase("errors at 1e-3", [&] { errors(cycles, 1e-3, 0, 2); });
    phase("errors at 1e-2", [&] { errors(cycles, 1e-2, 0, 3); });
    phase("bursts", [&] { errors(cycles, 0, 400, 3); });
    phase("cuts", [&] { disturb(cycles, [&](End& e) { cut_for_a_while(e); }); });
    phase("shifts", [&] { disturb(cycles, [&](End& e) { shift(e); }); });
    phase("patterns", [&] { disturb(cycles, [&](End& e) { pattern(e); }); });
    phase("moved cables", [&] { disturb(1, [&](End& e) { move(e); }); });
    phase("good cables again", [&] { good(cycles); });
    for (const End& e : ends_) {
      if (e.lane.changed() >= 50 && e.count(kBad) == 0 && !report_.full())
        fail_at(e, "no bad frames, expected some of " + std::to_string(e.lane.changed()) + " changed words");
    }
  }

  void phase(const std::string& name, const std::function<void()>& body) {
    if (report_.full()) return;
    doing_ = name;
    sends_ = true;
    allow(1U << kUp);
    body();
    all_errors(0, 0);
    patience_ = 0;
    allow(1U << kUp | 1U << kSilent);
    run_until_up(finding());
    run_for(500);  // until what was sent before has been repeated
    for (const End& e : ends_) expect(e, kUp);
  }

  // Cycles of the slowest clock that a message may wait or be under way, several times as many as in runs without a fault. If one
  // clock is far from the others, frames are lost where clk is too slow for them.
  std::uint64_t patience() const {
    std::uint64_t cycles = 0;
    for (const End& e : ends_) {
      const std::uint64_t words = e.frames.words;
      cycles = std::max(cycles, 8 * words * kPlaces * kNodes + 20 * (words + e.link.flight));
    }
    return (odd_ ? 10 : 1) * (2000 + cycles);
  }

  void good(std::uint64_t cycles) {
    std::vector<std::uint32_t> bad, repetitions;
    for (const End& e : ends_) bad.push_back(e.count(kBad)), repetitions.push_back(e.count(kRepetitions));
    patience_ = patience();
    run_for(cycles);
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const End& e = ends_[i];
      if (e.count(kBad) != bad[i] && !report_.full())
        fail_at(e, std::to_string(e.count(kBad) - bad[i]) + " bad frames on a good cable, expected none");
      // clk takes a frame in two cycles. If more arrive, some are lost.
      const bool slow = odd_ || e.frames.words <= 2;
      if (!slow && e.count(kRepetitions) != repetitions[i] && !report_.full())
        fail_at(e,
                std::to_string(e.count(kRepetitions) - repetitions[i]) + " repetitions on a good cable, expected none");
    }
  }

  // Most lanes have errors.
  void errors(std::uint64_t cycles, double rate, std::uint32_t words_of_burst, std::uint64_t patience_times) {
    for (End& e : ends_) {
      if (random_.word() % 4 != 0) e.lane.errors(rate, words_of_burst);
    }
    if (rate > 1e-3) allow(1U << kUp | 1U << kSilent);
    patience_ = patience_times * patience();
    run_for(cycles);
  }

  // Disturbs one end after the other. After each time the cable goes on where it was.
  void disturb(std::uint64_t cycles, const std::function<void(End&)>& body) {
    allow(1U << kUp | 1U << kSilent);
    for (const std::uint64_t end = now_ + cycles * slowest(); now_ < end && !report_.full();) {
      End& e = ends_[random_.word() % ends_.size()];
      End& other = ends_[e.right];
      body(e);
      run_until(finding(), [&] { return e.now_in() == kUp && other.now_in() == kUp; });
      expect(e, kUp);
      expect(other, kUp);
      const std::uint32_t received[2] = {e.count(kReceived), other.count(kReceived)};
      run_until(finding() + patience(),
                [&] { return e.count(kReceived) != received[0] && other.count(kReceived) != received[1]; });
      for (const End* i : {&e, &other}) {
        if (i->count(kReceived) == received[i == &e ? 0 : 1] && !report_.full())
          fail_at(*i, "no message arrives when the cable is good again, expected as many as before");
      }
      run_for(random_.word() % 300);
    }
    since_ = now_;
  }

  // A cut in one direction or both, longer than silence or shorter.
  void cut_for_a_while(End& e) {
    End& other = ends_[e.right];
    const std::uint32_t before = e.count(kSilences);
    const bool both = random_.coin(), is_long = random_.coin();
    cut(e);
    if (both) cut(other);
    run_for(is_long ? e.link.silence + 200 : random_.word() % (e.link.silence / 4));
    if (is_long) {
      expect(e, kSilent);
      if (e.count(kSilences) != before + 1 && !report_.full())
        fail_at(e, std::to_string(e.count(kSilences) - before) + " silences in a cut, expected 1");
    }
    restore(e);
    if (both) restore(other);
  }

  void shift(End& e) {
    for (unsigned n = 1 + random_.word() % 3; n > 0; --n) {
      e.lane.shift();
      run_for(random_.word() % 40);
    }
    ++shifts_;
  }

  // The cable of an end that is up is moved to its other end, as a loopback plug or to another cable of its kind, and back. No end
  // takes frames that are not for it, so all go on where they were.
  void move(End& e) {
    const auto a = static_cast<std::uint32_t>(&e - ends_.data()), b = e.right;
    std::uint32_t c = b;
    for (std::uint32_t i = 0; i < ends_.size(); ++i) {
      const bool same = ends_[i].link.word_bits == e.link.word_bits && ends_[i].frames.words == e.frames.words;
      if (i != a && i != b && same && random_.coin()) c = i;
    }
    const std::uint32_t d = ends_[c].right;  // without another cable c is b, and d is a
    lay(a, d);
    lay(c, b);
    run_for(std::max(e.link.silence, ends_[c].link.silence) + 200);
    for (const std::uint32_t i : {a, b, c, d}) expect(ends_[i], kSilent);
    lay(a, b);
    lay(c, d);
    ++moves_;
  }

  // A pattern in place of frames, at both ends or, against the rules, at one.
  void pattern(End& e) {
    End& other = ends_[e.right];
    const bool both = random_.word() % 4 != 0;
    e.allowed = other.allowed = 1U << kUp | 1U << kSilent | 1U << kPattern;
    e.pattern.bit(true);
    other.pattern.bit(both);
    run_for(20 + random_.word() % (2 * e.link.silence));
    expect(e, kPattern);
    if (both) expect(other, kPattern);
    e.pattern.bit(false);
    other.pattern.bit(false);
    run_for(20);
    e.allowed = other.allowed = 1U << kUp | 1U << kSilent;
  }

  // No node sends: everything arrives, and both ends of a cable have counted the same messages.
  void drain(const std::string& when) {
    if (report_.full()) return;
    doing_ = "draining " + when;
    sends_ = false;
    patience_ = 0;
    const auto done = [&] {
      for (std::uint32_t n = 0; n < kNodes; ++n) {
        if (traffic_.misses(n)) return false;
      }
      return true;
    };
    if (!run_until(4 * patience(), done)) fail("messages are missing when all nodes have stopped to send");
    run_for(300 + 2 * finding() / 8);  // and nothing else
    for (const End& e : ends_) {
      expect(e, kUp);
      const End& other = ends_[e.right];
      const std::uint32_t sent = e.count(kSent) - e.base_sent, received = other.count(kReceived) - other.base_received;
      crossed_ += received;
      if (sent != received && !report_.full()) {
        fail_at(e, std::to_string(sent) + " messages sent, but " + std::to_string(received) + " received at chip " +
                       std::to_string(other.chip) + ", cable " + std::to_string(other.port) +
                       ", expected equal numbers");
      }
      if (received == 0 && !report_.full()) fail_at(e, "the run is too short: no message has crossed the cable");
    }
    longest_wait_ = std::max(longest_wait_, traffic_.longest_wait() / slowest());
    longest_way_ = std::max(longest_way_, traffic_.longest_way() / slowest());
    traffic_.forget_longest();
  }

  // One node sends broadcasts over good cables, and all nodes accept. A cable of the stated length moves a word per frame.
  void alone() {
    if (report_.full()) return;
    doing_ = "a lone sender";
    std::vector<unsigned> gaps;
    std::uint64_t words = 0;
    for (End& e : ends_) {
      gaps.push_back(e.gaps);
      e.gaps = 0;
      words = std::max<std::uint64_t>(words, e.frames.words);
    }
    lone_ = static_cast<int>(random_.word() % kNodes);
    run_for(500);
    const std::uint64_t cycles = 2000, before = traffic_.sent_by(lone_);
    run_for(cycles);
    const std::uint64_t sent = traffic_.sent_by(lone_) - before;
    lone_sent_ += sent;
    lone_cycles_ += cycles;
    const std::uint64_t expected = cycles / (words * kPlaces) * 9 / 10;
    if (!long_ && !odd_ && words > 2 && sent < expected && !report_.full()) {
      fail("node " + std::to_string(lone_) + " sends alone, but only " + std::to_string(sent) + " messages in " +
           std::to_string(cycles) + " cycles of the slowest clock, expected " + std::to_string(expected));
    }
    lone_ = -1;
    for (std::size_t i = 0; i < ends_.size(); ++i) ends_[i].gaps = gaps[i];
    drain("after the lone sender");
  }

  // Resets

  // rst of one chip under load: its cables are lost at both ends, and all messages stop. A restart at another chip mends it.
  void reset_alone() {
    if (report_.full()) return;
    doing_ = "the reset of one chip alone";
    sends_ = true;
    run_for(300);
    const std::uint32_t x = random_.word() % kChips;
    Chip& chip = chips_[x];
    const std::vector<std::uint64_t> before = resets();
    for (const std::uint32_t i : chip.ends) {
      ends_[i].allowed = 1U << kUp | 1U << kSilent | 1U << kComingUp | 1U << kLost;
      ends_[ends_[i].right].allowed = 1U << kUp | 1U << kSilent | 1U << kLost;
    }
    chip.may_reset = session_ > 0;  // it takes the session of the others
    chip.release = now_ + (4 + random_.word() % 40) * chip.period;
    std::vector<End*> stopped;
    for (const std::uint32_t i : chip.ends) {
      if (random_.word() % 3 == 0) stopped.push_back(&ends_[i]);
    }
    for (End* e : stopped) cut(*e);
    run_for(50);
    for (const std::uint32_t i : chip.ends) ends_[i].allowed &= ~(1U << kUp);
    run_for(random_.word() % (2 * silence()));
    for (End* e : stopped) restore(*e);
    const auto lost = [&](std::uint32_t i) {
      return ends_[i].now_in() == kLost && ends_[ends_[i].right].now_in() == kLost;
    };
    run_until(2 * silence() + 4 * finding(), [&] { return std::all_of(chip.ends.begin(), chip.ends.end(), lost); });
    for (const std::uint32_t i : chip.ends) {
      expect(ends_[i], kLost);
      expect(ends_[ends_[i].right], kLost);
      ends_[i].allowed = ends_[ends_[i].right].allowed = 1U << kLost;
    }
    run_for(patience());
    const std::uint64_t sent = traffic_.sent();
    run_for(1000);
    if (traffic_.sent() != sent && !report_.full())
      fail_at(x, std::to_string(traffic_.sent() - sent) + " messages are taken long after the reset, expected none");
    expect_resets(before, [&](std::uint32_t c) { return c == x && session_ > 0 ? 1 : 0; });

    doing_ = "the restart after the reset of one chip";
    restart_at((x + 1 + random_.word() % (kChips - 1)) % kChips);
    const std::vector<std::uint64_t> now = resets();
    run_until(silence() + 2 * finding(), [&] { return all_in(kUp) && resets() != now; });
    finish_restart(now, [](std::uint32_t) { return 1; });
  }

  // A restart, or two, while a chip cannot be reached. It follows when its cables are back.
  void unreachable() {
    if (report_.full()) return;
    doing_ = "restarts while a chip cannot be reached";
    sends_ = true;
    run_for(300);
    const std::uint32_t z = random_.word() % kChips;
    for (const std::uint32_t i : chips_[z].ends) {
      ends_[i].allowed = ends_[ends_[i].right].allowed = 1U << kUp | 1U << kSilent;
      cut(ends_[i]);
      cut(ends_[ends_[i].right]);
    }
    run_for(silence() + 200);
    for (const std::uint32_t i : chips_[z].ends) {
      expect(ends_[i], kSilent);
      expect(ends_[ends_[i].right], kSilent);
    }
    const std::vector<std::uint64_t> before = resets();
    const int times = 1 + static_cast<int>(random_.word() % 2);
    for (int t = 0; t < times; ++t) {
      restart_at((z + 1 + random_.word() % (kChips - 1)) % kChips);
      run_for(finding());
      for (const End& e : ends_) {
        if (e.chip != z && ends_[e.right].chip != z) expect(e, kUp);
      }
    }
    expect_resets(before, [&](std::uint32_t c) { return c == z ? 0 : times; });
    for (const std::uint32_t i : chips_[z].ends) {
      restore(ends_[i]);
      restore(ends_[ends_[i].right]);
    }
    run_until(silence() + 4 * finding(), [&] { return all_in(kUp); });
    finish_restart(before, [&](std::uint32_t c) { return c == z ? 1 : times; });
  }

  std::vector<std::uint64_t> resets() const {
    std::vector<std::uint64_t> counts;
    for (const Chip& c : chips_) counts.push_back(c.resets);
    return counts;
  }
  void expect_resets(const std::vector<std::uint64_t>& before, const std::function<int(std::uint32_t)>& expected) {
    for (std::uint32_t c = 0; c < kChips && !report_.full(); ++c) {
      const std::uint64_t count = chips_[c].resets - before[c];
      const auto wanted = static_cast<std::uint64_t>(expected(c));
      if (count != wanted) fail_at(c, std::to_string(count) + " resets, expected " + std::to_string(wanted));
    }
  }

  void restart_at(std::uint32_t c) {
    for (Chip& chip : chips_) chip.may_reset = true;
    allow(1U << kSilent | 1U << kComingUp | 1U << kUp | 1U << kLost);
    restart_life_ = ++life_;
    session_ = session_ % 255 + 1;
    chips_[c].ask = true;
    ++restarts_;
  }
  void finish_restart(const std::vector<std::uint64_t>& before, const std::function<int(std::uint32_t)>& expected) {
    for (const End& e : ends_) {
      expect(e, kUp);
      if (e.check.hello().session != session_ && !report_.full()) {
        fail_at(e, "it has sent hellos of session " + std::to_string(e.check.hello().session) + ", expected " +
                       std::to_string(session_));
      }
    }
    run_for(200);
    expect_resets(before, expected);
    allow(1U << kUp);
    for (Chip& chip : chips_) chip.may_reset = false;
    restart_life_ = 0;
    since_ = now_;
  }

  VerilatedContext& context_;
  const Options& options_;
  Report& report_;
  std::size_t case_;
  Random random_;
  Traffic traffic_;
  std::vector<Chip> chips_;
  std::vector<std::vector<std::uint32_t>> node_of_;  // by chip and place
  std::vector<End> ends_;                            // of all chips, by chip and port
  std::uint64_t now_ = 0;
  std::string doing_;
  bool odd_ = false;                           // one clock is far from the others
  bool long_ = false;                          // cables are longer than stated
  bool sends_ = false;                         // nodes send
  int lone_ = -1;                              // the node that sends alone
  std::uint64_t life_ = 0, restart_life_ = 0;  // restart_life_: of the restart that is under way; 0: none
  unsigned session_ = 0;                       // of all chips
  std::uint32_t hash_ = 0;                     // in all hellos
  std::uint64_t patience_ = 0;                 // cycles that messages may take; 0: any
  std::uint64_t since_ = 0;                    // time from which they count
  std::uint64_t episodes_ = 0, crossed_ = 0, cuts_ = 0, shifts_ = 0, swaps_ = 0, moves_ = 0, plugs_ = 0, restarts_ = 0;
  std::uint64_t longest_wait_ = 0, longest_way_ = 0;  // in cycles of the slowest clock
  std::uint64_t lone_sent_ = 0, lone_cycles_ = 0;
};

int run(const Options& options, int argc, char** argv) {
  if (options.free_run == 0 || !options.waves.empty() || options.threads > 0) {
    throw OptionError(
        "machines of several chips have +free-run=CYCLES, +messages=N, +seed=N, +max-mismatch=N, +junit=FILE and "
        "+result=FILE only");
  }
  VerilatedContext context;
  prepare(context, options, argc, argv);
  Report report(std::string(kMachine) + "_chip.chips", options.max_mismatch);
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
  return hc::bench_program(argc, argv, std::string(hc::kMachine) + "_chip.chips",
                           [&](const hc::Options& options) { return hc::run(options, argc, argv); });
}
