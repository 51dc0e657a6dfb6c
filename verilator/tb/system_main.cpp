// SPDX-License-Identifier: Apache-2.0
//
// Bench of <machine>_system, the network with its endpoints. It has a master at each bus and a memory at each memory port.
//
// With +golden it replays a trace of accesses (docs/endpoints.md, "Trace") and compares in every cycle which accesses are
// answered, how, and the interrupts, and at the end the memories.
//
// With +accesses it needs no trace. Masters make random accesses, with gaps, skewed channels and late responses, and try
// to hang the machine (kPrograms). accesses.h judges what they do, and no access may take too long. On several chips cuts.h
// then cuts cables.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "accesses.h"
#include "system.h"
#ifdef HC_CABLES
#include "cuts.h"
#endif

namespace hc {

namespace {

constexpr unsigned kReset = 4;  // cycles

std::string module() { return std::string(kMachine) + "_system"; }

// Cycles without an access and without a turn of a memory port after which no message is under way.
std::uint64_t silence() { return 32 + 4 * crossing(); }

/// A line of a trace.
struct Line {
  enum Kind { access, interrupt, memory, none } kind = none;
  std::uint64_t cycle = 0;
  std::uint32_t node = 0;
  Access of;
  std::uint64_t end = 0;
  Answer answer;
  bool level = false;                // of an interrupt
  std::uint32_t word = 0, data = 0;  // of a memory
  std::uint64_t number = 0;          // in the file
  std::string text;
};

/// Reads a golden trace of a system.
class Reader {
 public:
  explicit Reader(const std::string& path)
      : text_(path, "access|interrupt|memory ..., as in docs/endpoints.md", std::size_t{1} << 12) {
    const std::string want = std::string("# hcgen-accesses v1 ") + kMachine;
    if (!text_.fetch()) throw TraceError(path + ":1: the trace is empty; wanted \"" + want + "\"");
    if (text_.text() != want) text_.fail("not a golden trace of this system; wanted \"" + want + "\"");
    next();
  }

  const Line& line() const { return line_; }
  std::string context(const Line& line) const {
    return "  > " + text_.path() + ":" + std::to_string(line.number) + ": " + line.text + "\n";
  }
  [[noreturn]] void fail(const std::string& reason) const { text_.fail(reason); }

  void next() {
    const Line before = line_;
    line_ = Line();
    if (!text_.fetch()) return;
    line_.number = text_.number();
    line_.text = std::string(text_.text());
    const std::string_view kind = text_.column("kind of line");
    if (kind == "access") {
      access();
    } else if (kind == "interrupt") {
      interrupt();
    } else if (kind == "memory") {
      memory();
    } else {
      text_.fail("the kind of line is \"" + std::string(kind) + "\"; wanted access, interrupt or memory");
    }
    if (before.kind != Line::none && !(key(before) < key(line_)))
      text_.fail("lines are not in the order of cycle, node and kind, with memory last");
  }

 private:
  void access() {
    line_.kind = Line::access;
    line_.cycle = text_.decimal("cycle", kLast);
    line_.node = static_cast<std::uint32_t>(text_.decimal("node", kNodes - 1));
    const std::string_view what = text_.column("r or w");
    if (what != "r" && what != "w") text_.fail("wanted r or w, found \"" + std::string(what) + "\"");
    line_.of.write = what == "w";
    text_.hex("address", kBusBits, &line_.of.address);
    text_.hex("strobes", 4, &line_.of.strobes);
    text_.hex("data", 32, &line_.of.data);
    line_.end = text_.decimal("end", kLast);
    const std::string_view how = text_.column("ok or err");
    if (how != "ok" && how != "err") text_.fail("wanted ok or err, found \"" + std::string(how) + "\"");
    line_.answer.error = how == "err";
    text_.hex("data", 32, &line_.answer.data);
    text_.end("data");
    if (line_.end <= line_.cycle) text_.fail("an access ends in a cycle after the one from which on it is offered");
  }

  void interrupt() {
    line_.kind = Line::interrupt;
    line_.cycle = text_.decimal("cycle", kLast);
    line_.node = static_cast<std::uint32_t>(text_.decimal("node", kNodes - 1));
    line_.level = text_.decimal("interrupt", 1) == 1;
    text_.end("interrupt");
  }

  void memory() {
    line_.kind = Line::memory;
    line_.cycle = kLast;
    line_.node = static_cast<std::uint32_t>(text_.decimal("node", kNodes - 1));
    text_.hex("address", kWordBits, &line_.word);
    text_.hex("data", 32, &line_.data);
    text_.end("data");
    if (line_.data == 0) text_.fail("words that are 0 have no line");
  }

  // On AXI4-Lite a read and a write can begin together.
  static std::array<std::uint64_t, 5> key(const Line& l) {
    if (l.kind == Line::memory) return {1, l.node, l.word, 0, 0};
    return {0, l.cycle, l.node, l.kind, l.kind == Line::access && !l.of.write ? 1U : 0U};
  }

  static constexpr std::uint64_t kLast = UINT64_MAX / 4;  // cycle
  TraceLines text_;
  Line line_;
};

/// Replays a trace. After the first cycle with a difference it stops, because all accesses behind it would differ.
class Replay {
 public:
  Replay(System& system, Reader& trace, const Options& options, Report& report)
      : system_(system),
        trace_(trace),
        report_(report),
        random_(options.seed),
        all_waves_(options.all_waves),
        expected_(kNodes * std::size_t{Master::kLanes}),
        interrupts_(kNodes) {
    for (unsigned node = 0; node < kNodes; ++node) report_.add("node " + std::to_string(node));
  }

  /// A fault that a master sees, also before cycle 0.
  void fault(std::uint32_t n, const std::string& what) {
    if (tracing_) fail(n, what, "");
  }

  void run() {
    // A register that the reset does not clear shows in the trace, if the system has worked before the reset.
    system_.restart(kReset, random_);
    for (const unsigned cycles : {200U, 50U, 7U}) {
      live(cycles);
      for (Node& node : system_.nodes) node.memory = Memory();
      system_.restart(kReset, random_);
    }
    tracing_ = true;
    std::uint64_t quiet = 0;
    for (; quiet < silence() && report_.failures() == 0; ++cycle_) {
      load();
      drive();
      system_.settle();
      compare();
      const bool moves = serve();
      quiet = moves || busy() || more() ? 0 : quiet + 1;
      edge();
    }
    if (report_.failures() == 0) compare_memories();
  }

  std::uint64_t cycles() const { return cycle_; }
  std::string summary() const {
    return std::to_string(cycle_) + " cycles, " + std::to_string(accesses_) + " accesses, " + std::to_string(errors_) +
           " with a bus error, " + std::to_string(changes_) + " changes of interrupts and " + std::to_string(words_) +
           " words of memory compared, " + std::to_string(report_.failures()) + " mismatches";
  }
  void properties() {
    report_.property("cycles", cycle_);
    report_.property("accesses", accesses_);
    report_.property("bus_errors", errors_);
    report_.property("interrupts", changes_);
    report_.property("words", words_);
  }

 private:
  // Accesses of all kinds, which nobody checks.
  void live(unsigned cycles) {
    for (unsigned c = 0; c < cycles; ++c) {
      for (Node& node : system_.nodes) {
        for (unsigned l = 0; l < Master::kLanes; ++l) {
          Access a = {random_.coin(), random_.word() & low_bits(kBusBits), 15, random_.word()};
          if (random_.coin()) {
            Address address;
            address.region = kRegisters;
            address.offset = random_.word() & 0x3c;
            a.address = address.packed();
          }
          if (!node.master.lanes[l].busy && Master::lane_of(a.write) == l) node.master.offer(a, 0);
        }
      }
      drive();
      system_.settle();
      for (Node& node : system_.nodes) node.master.observe();
      serve();
      edge();
    }
  }

  bool more() const { return trace_.line().kind == Line::access || trace_.line().kind == Line::interrupt; }
  bool busy() const {
    return std::any_of(system_.nodes.begin(), system_.nodes.end(), [](const Node& node) {
      return std::any_of(std::begin(node.master.lanes), std::end(node.master.lanes),
                         [](const Lane& l) { return l.busy; });
    });
  }
  Line& expected(std::uint32_t node, unsigned lane) { return expected_[node * std::size_t{Master::kLanes} + lane]; }

  // The lines of this cycle.
  void load() {
    for (; more() && trace_.line().cycle == cycle_; trace_.next()) {
      const Line& line = trace_.line();
      Node& node = system_.nodes[line.node];
      if (line.kind == Line::interrupt) {
        Line& now = interrupts_[line.node];
        if (now.level == line.level)
          trace_.fail("the interrupt of node " + std::to_string(line.node) + " does not change");
        now = line;
        ++changes_;
        continue;
      }
      const unsigned lane = Master::lane_of(line.of.write);
      if (node.master.lanes[lane].busy)
        trace_.fail("node " + std::to_string(line.node) + " begins an access before the one before has ended");
      expected(line.node, lane) = line;
      node.master.offer(line.of, cycle_);
    }
  }

  void drive() {
    for (Node& node : system_.nodes) {
      node.master.drive(cycle_, Manner(), random_);
      System::drive_memory(node, random_);
    }
  }

  // What the memories do. Whether one of them does anything.
  bool serve() {
    bool any = false;
    for (Node& node : system_.nodes) {
      const Turn turn = node.port.turn();
      any = any || turn.enable;
      System::serve(node, turn);
    }
    return any;
  }

  void compare() {
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      Node& node = system_.nodes[n];
      bool busy[Master::kLanes];
      for (unsigned l = 0; l < Master::kLanes; ++l) busy[l] = node.master.lanes[l].busy;
      node.master.observe();
      for (unsigned l = 0; l < Master::kLanes; ++l) {
        if (busy[l]) compare(n, node.master.lanes[l], expected(n, l));
      }
      const Line& line = interrupts_[n];
      if (node.irq.bit() != line.level) {
        fail(n, std::string("interrupt: expected ") + (line.level ? "1, found 0" : "0, found 1"),
             line.number > 0 ? trace_.context(line) : "");
      }
    }
  }

  void compare(std::uint32_t n, const Lane& lane, const Line& line) {
    const auto differ = [&](const std::string& want, const std::string& found) {
      fail(n, show(line.of) + ": expected " + want + ", found " + found, trace_.context(line));
    };
    const std::string want = show(line.answer, line.of.write), found = show(lane.answer, line.of.write);
    if (lane.answered && line.end != cycle_) {
      differ("an answer in cycle " + std::to_string(line.end), found);
    } else if (!lane.answered && line.end == cycle_) {
      differ(want, "no answer");
    } else if (lane.answered && want != found) {
      differ(want, found);
    } else if (lane.answered) {
      ++accesses_;
      errors_ += lane.answer.error ? 1 : 0;
    }
  }

  void compare_memories() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> words;  // by node and word, all that are not 0
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      for (const auto& [word, is] : system_.nodes[n].memory.written()) {
        if (is != 0) words[{n, word}] = is;
      }
    }
    const auto place = [](std::uint32_t word) { return "word " + hex(word, kWordBits) + " of the memory"; };
    const auto differ = [&](std::uint32_t n, std::uint32_t word, std::uint32_t want, std::uint32_t found,
                            const std::string& context) {
      if (!report_.full()) fail(n, place(word) + ": expected " + hex(want, 32) + ", found " + hex(found, 32), context);
    };
    for (; trace_.line().kind == Line::memory; trace_.next()) {
      const Line& line = trace_.line();
      const std::uint32_t is = system_.nodes[line.node].memory.read(line.word);
      if (is != line.data) differ(line.node, line.word, line.data, is, trace_.context(line));
      words.erase({line.node, line.word});
      ++words_;
    }
    for (const auto& [at, is] : words) differ(at.first, at.second, 0, is, "");
  }

  void fail(std::uint32_t n, const std::string& what, const std::string& context) {
    report_.fail(n, "cycle " + std::to_string(cycle_) + ", node " + std::to_string(n) + ", " + what, context);
  }

  void edge() {
    if (tracing_ || all_waves_) system_.record(all_waves_ ? all_cycles_ : cycle_, tracing_);
    system_.edge();
    ++all_cycles_;
  }

  System& system_;
  Reader& trace_;
  Report& report_;
  Random random_;
  const bool all_waves_;
  bool tracing_ = false;  // this cycle belongs to the trace
  std::uint64_t cycle_ = 0, all_cycles_ = 0;
  std::vector<Line> expected_;    // by node and lane: the access that is under way
  std::vector<Line> interrupts_;  // by node: the last change
  std::uint64_t accesses_ = 0, errors_ = 0, changes_ = 0, words_ = 0;
};

// Random accesses

/// What the processors do for some time.
enum class Program {
  mixed,      // each node does everything, at rates that change
  gets,       // all nodes get words from one node, without a pause
  sets,       // all nodes put and add to sets, without a pause
  crowd,      // all nodes use the same words of one node
  stopped,    // one node stops and takes no response, and the others use its memory
  forgotten,  // all nodes but one arrive at the barrier, and none looks whether it is released
  doorbells   // all nodes ring and clear doorbells
};
constexpr Program kPrograms[] = {Program::mixed,   Program::gets,      Program::sets,     Program::crowd,
                                 Program::stopped, Program::forgotten, Program::doorbells};

/// Kinds of accesses that programs choose from.
enum Choice {
  kReadOwn,
  kWriteOwn,
  kSelf,  // the own node by its digits
  kPut,
  kPutSet,
  kGet,
  kAddOne,
  kAddSet,
  kBell,
  kBellSet,
  kReadRegister,
  kWriteRegister,
  kArrive,
  kWrong,
  kChoices
};

class Play {
 public:
  Play(const Options& options, Report& report)
      : options_(options),
        report_(report),
        case_(report.add("random accesses")),
        random_(options.seed),
        waits_(kNodes) {}

  void fault(std::uint32_t n, const std::string& what) {
    if (!report_.full())
      report_.fail(case_,
                   "cycle " + std::to_string(now_) + " (" + name_ + "), node " + std::to_string(n) + ", " + what);
  }

  void run(System& system) {
    Rules rules(system, [this](std::uint32_t n, const std::string& what) { fault(n, what); });
    system_ = &system;
    rules_ = &rules;
    for (std::uint32_t n = 0; n < kNodes; ++n) system.nodes[n].memory = Memory(Random::mix(options_.seed + n) | 1);
    restart();
    const std::uint64_t each = options_.accesses / std::size(kPrograms) + 1;
    for (std::size_t i = 0; i < std::size(kPrograms) && going(); ++i) {
      program_ = kPrograms[i];
      name_ = kNames[i];
      begin();
      // Some programs end in a reset, with all that is under way.
      const bool cut = program_ == Program::crowd;
      for (const std::uint64_t end = accesses_ + each; accesses_ < end && going();) step();
      program_ = Program::mixed;
      offers_ = false;
      if (cut) {
        restart();
      } else {
        drain();
      }
      audit();
    }
    const std::string missing = unused();
    if (going() && !missing.empty()) fault(0, "the run is too short: " + missing);
  }

  std::string summary() const {
    std::string text = std::to_string(accesses_) + " accesses in " + std::to_string(now_) + " cycles: ";
    for (std::size_t i = 0; i < counts_.size(); ++i)
      text += std::to_string(counts_[i]) + " " + kDoes[i] + (i + 1 < counts_.size() ? ", " : "; ");
    return text + std::to_string(rules_of_bells_) + " doorbells, " + std::to_string(releases_) +
           " releases of the barrier; the longest access took " + std::to_string(longest_) + " cycles";
  }

  std::uint64_t accesses() const { return accesses_; }
  std::uint64_t cycles() const { return now_; }
  std::uint64_t longest() const { return longest_; }

 private:
  static constexpr const char* kNames[] = {"mixed", "gets", "sets", "crowd", "stopped", "forgotten", "doorbells"};
  static constexpr const char* kDoes[] = {"own reads", "own writes", "own adds",       "own doorbells",   "puts",
                                          "adds",      "gets",       "register reads", "register writes", "bus errors"};
  // Cycles that an access may take.
  static constexpr std::uint64_t kPatience = 200 + 100 * kNodes * kLead + 2 * kTimeout;
  static constexpr unsigned kHot = 4;  // words that are used often

  struct Waits {         // of a master
    unsigned rate = 50;  // per cent of cycles in which a free lane begins an access
    Manner manner;
    std::deque<Access> script;  // comes first
    bool exclusive[Master::kLanes] = {};
  };

  bool going() const { return !report_.full() && !stuck_; }

  void restart() {
    system_->restart(kReset, random_);
    now_ += kReset;
    rules_->reset();
    for (Waits& w : waits_) w.script.clear();
  }

  void begin() {
    offers_ = true;
    one_ = random_.word() % kNodes;
    for (std::uint32_t n = 0; n < kNodes; ++n) change(n);
    if (program_ != Program::forgotten) return;
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      if (n != one_ && !rules_->waits(n)) waits_[n].script.push_back(at(kRegisters, kBarrierAt, true));
    }
  }

  // Another rate of a node.
  void change(std::uint32_t n) {
    Waits& w = waits_[n];
    const bool hurry = program_ == Program::gets || program_ == Program::sets || program_ == Program::crowd;
    w.rate = hurry || random_.coin() ? 100 : 1 + random_.word() % 60;
    w.manner.eager = hurry || random_.coin();
    w.manner.takes = !(program_ == Program::stopped && n == one_);
    w.manner.eager = w.manner.eager && w.manner.takes;
    w.manner.patient = random_.word() % 90;
  }

  void step() {
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      if (offers_ && random_.word() % 1024 == 0) change(n);
      begin(n);
      system_->nodes[n].master.drive(now_, waits_[n].manner, random_);
      System::drive_memory(system_->nodes[n], random_);
    }
    system_->settle();
    moves_ = false;
    std::vector<Turn> turns;
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      turns.push_back(system_->nodes[n].port.turn());
      moves_ = moves_ || turns[n].enable;
      rules_->port(n, turns[n], now_);
    }
    for (std::uint32_t n = 0; n < kNodes; ++n) observe(n);
    for (std::uint32_t n = 0; n < kNodes; ++n) System::serve(system_->nodes[n], turns[n]);
    system_->edge();
    ++now_;
  }

  void observe(std::uint32_t n) {
    Node& node = system_->nodes[n];
    rules_->interrupt(n, node.irq.bit());
    bool busy[Master::kLanes];
    for (unsigned l = 0; l < Master::kLanes; ++l) busy[l] = node.master.lanes[l].busy;
    node.master.observe();
    for (unsigned l = 0; l < Master::kLanes; ++l) {
      const Lane& lane = node.master.lanes[l];
      if (!busy[l] || lane.complete > now_) continue;
      if (lane.responding) {
        if (responded_[n][l] == 0) longest_ = std::max(longest_, now_ - lane.complete);
        responded_[n][l] = 1;
      } else if (now_ - lane.complete > kPatience) {
        fault(n, show(lane.access) + " has waited for its end for " + std::to_string(kPatience) + " cycles");
        stuck_ = true;
      }
      if (lane.answered) {
        waits_[n].exclusive[l] = false;
        rules_->answer(n, l, lane.answer, now_);
      } else if (lane.responding && !lane.ahead && offers_ && waits_[n].script.empty() && random_.coin()) {
        Access a;
        if (!choose(n, l, &a) || meaning(n, a).of_registers()) continue;
        node.master.lanes[l].ahead = true;
        node.master.lanes[l].next = a;
      }
    }
  }

  // Begins accesses of a node. An access of registers is alone, so that the rules know the order.
  void begin(std::uint32_t n) {
    Node& node = system_->nodes[n];
    Waits& w = waits_[n];
    for (unsigned l = 0; l < Master::kLanes; ++l) {
      const bool alone = std::none_of(std::begin(node.master.lanes), std::end(node.master.lanes),
                                      [](const Lane& lane) { return lane.busy || lane.ahead; });
      const bool closed = std::any_of(std::begin(w.exclusive), std::end(w.exclusive), [](bool e) { return e; });
      if (node.master.lanes[l].busy || closed) continue;
      Access a;
      if (node.master.lanes[l].ahead) {
        a = node.master.lanes[l].next;
      } else if (!w.script.empty()) {
        a = w.script.front();
        if (!alone || Master::lane_of(a.write) != l) continue;
        w.script.pop_front();
      } else {
        if (!offers_ || random_.word() % 100 >= w.rate) continue;
        if (Master::kLanes == 1 && program_ == Program::stopped && n == one_) continue;
        if (!choose(n, l, &a)) continue;
      }
      const Meaning m = meaning(n, a);
      if (m.of_registers() && !alone) continue;
      w.exclusive[l] = m.of_registers();
      ++counts_[static_cast<std::size_t>(m.does)];
      if (m.set && (m.does == Does::put || m.does == Does::add)) ++sets_;
      errors_ |= m.errors;
      ++accesses_;
      responded_[n][l] = 0;
      rules_->offer(n, l, a, now_);
      node.master.offer(a, now_);
    }
  }

  // An access for a lane; false if the program has none at this time.
  bool choose(std::uint32_t n, unsigned lane, Access* a) {
    *a = random_access(n);
    return Master::lane_of(a->write) == lane;
  }

  Access random_access(std::uint32_t n) {
    //                                     own    self put     get add     bell  registers wrong
    //                                     r   w       one set     one set one set r  w  arrive
    static constexpr unsigned kMixed[] = {12, 12, 4, 16, 6, 12, 10, 4, 3, 2, 8, 4, 2, 5};
    static constexpr unsigned kOnlyGets[] = {2, 2, 0, 0, 0, 90, 2, 0, 0, 0, 0, 0, 0, 1};
    static constexpr unsigned kAsked[] = {10, 10, 60, 0, 0, 10, 10, 0, 0, 0, 0, 0, 0, 0};
    static constexpr unsigned kOnlySets[] = {2, 2, 0, 0, 50, 2, 0, 40, 0, 2, 0, 0, 0, 0};
    static constexpr unsigned kOneWord[] = {5, 5, 5, 25, 0, 25, 25, 0, 0, 0, 0, 0, 0, 0};
    static constexpr unsigned kForgotten[] = {8, 8, 2, 24, 10, 20, 16, 6, 2, 2, 0, 0, 0, 2};
    static constexpr unsigned kRing[] = {2, 2, 1, 8, 2, 6, 2, 0, 30, 8, 25, 25, 0, 1};
    const unsigned* const weights = program_ == Program::gets        ? (n == one_ ? kAsked : kOnlyGets)
                                    : program_ == Program::sets      ? kOnlySets
                                    : program_ == Program::crowd     ? kOneWord
                                    : program_ == Program::forgotten ? kForgotten
                                    : program_ == Program::doorbells ? kRing
                                                                     : kMixed;
    unsigned all = 0;
    for (unsigned i = 0; i < kChoices; ++i) all += weights[i];
    unsigned pick = random_.word() % all;
    unsigned choice = 0;
    while (pick >= weights[choice]) pick -= weights[choice++];

    // What the nodes cannot do is a bus error, which kWrong chooses.
    if (!kGets && choice == kGet) choice = kPut;
    if (!kAdds && (choice == kAddOne || choice == kAddSet)) choice = choice == kAddOne ? kPut : kPutSet;
    const bool coin = random_.coin();
    switch (static_cast<Choice>(choice)) {
      case kReadOwn: return at(kOwn, word(), false);
      case kWriteOwn: return at(kOwn, word(), true);
      case kSelf: return to(n, coin || !kAdds ? kMessages : kAdd, word(), random_.coin() || !coin, coin);
      case kPut: return to(other(n), kMessages, word(), true, true);
      case kPutSet: return to_set(kMessages, word(), true);
      case kGet: return to(other(n), kMessages, word(), false, true);
      case kAddOne: return to(other(n), kAdd, word(), true, false);
      case kAddSet: return to_set(kAdd, word(), false);
      case kBell: return to(random_.word() % 8 == 0 ? n : other(n), kMessages, kDoorbell << 2, true, true);
      case kBellSet: return to_set(kMessages, kDoorbell << 2, true);
      case kReadRegister: return at(kRegisters, register_offset(), false);
      case kWriteRegister: {
        static constexpr std::uint32_t kOffsets[] = {kEventsAt, kEnableAt, kErrorsAt};
        return at(kRegisters, kOffsets[random_.word() % 3], true);
      }
      case kArrive: {
        const bool arrives = !rules_->waits(n) || (rules_->waits_for_others(n) && random_.word() % 4 == 0);
        return at(kRegisters, kBarrierAt, arrives);
      }
      default:
        if (random_.coin() || !waits_[n].script.empty()) return wrong(n);
        // Which bit of ERRORS it sets.
        waits_[n].script.push_back(wrong(n));
        waits_[n].script.push_back(at(kRegisters, kErrorsAt, false));
        return {true, at(kRegisters, kErrorsAt, true).address, 15, UINT32_MAX};
    }
  }

  // A byte address of a word in a memory.
  std::uint32_t word() {
    const std::uint32_t kind = random_.word() % 16;
    if (kind == 0) return kDoorbell << 2;
    if (kind < 12 || program_ == Program::crowd) return (random_.word() % kHot) << 2;
    return random_.word() & low_bits(kMemoryBits) & ~3U;
  }

  std::uint32_t other(std::uint32_t n) {
    const bool hot =
        program_ == Program::gets || program_ == Program::crowd || (program_ == Program::stopped && random_.coin());
    if (hot && n != one_) return one_;
    return (n + 1 + random_.word() % (kNodes - 1)) % kNodes;
  }

  std::uint32_t register_offset() {
    static constexpr std::uint32_t kOffsets[] = {kIdAt,     kNodeAt,    kDigitsAt, kNodesAt,  kBarrierAt,
                                                 kEventsAt, kEventsAt,  kEventsAt, kEnableAt, kErrorsAt,
                                                 kErrorsAt, kWaitingAt, kWaitingAt};
    const std::uint32_t i = random_.word() % (std::size(kOffsets) + 1);
    return i < std::size(kOffsets) ? kOffsets[i] : kDimensionAt + 4 * (random_.word() % kDimensions);
  }

  // An access in the own memory or of a register. The lowest two bits of an address mean nothing.
  Access at(Region region, std::uint32_t offset, bool write) {
    Address address;
    address.region = region;
    address.offset = offset | (random_.word() & 3);
    Access a = {write, address.packed(), 15, random_.word()};
    if (!write || region == kOwn) a.strobes = strobes();
    return a;
  }

  std::uint32_t strobes() { return random_.coin() ? 15 : random_.word() & 15; }

  Access to(std::uint32_t node, Region region, std::uint32_t offset, bool write, bool bytes) {
    Access a = at(region, offset, write);
    Address address(a.address);
    address.digits = static_cast<std::uint32_t>(node_digits(node));
    a.address = address.packed();
    a.strobes = bytes || !write ? strobes() : 15;
    if (address.word() == kDoorbell && region == kMessages) a.data &= ~255U | 1U << (random_.word() % 8);
    return a;
  }

  Access to_set(Region region, std::uint32_t offset, bool bytes) {
    Access a = to(random_.word() % kNodes, region, offset, true, bytes);
    Address address(a.address);
    address.all = random_.coin() ? low_bits(kDimensions) : 1 + random_.word() % low_bits(kDimensions);
    if (random_.coin()) {  // digits of dimensions with all are ignored
      unsigned low = 0;
      for (unsigned i = 0; i < kDimensions; low += kDigitBits[i++]) {
        if ((address.all >> i & 1) != 0) address.digits ^= (random_.word() & low_bits(kDigitBits[i])) << low;
      }
    }
    a.address = address.packed();
    return a;
  }

  // An access that ends with a bus error.
  Access wrong(std::uint32_t n) {
    for (unsigned i = 0; i < 100; ++i) {
      Access a = {random_.coin(), random_.word() & low_bits(kBusBits), strobes(), random_.word()};
      Address address(a.address);
      if (random_.coin()) {  // near the registers
        address.offset &= 127;
        address.digits = random_.word() % 4 == 0 ? address.digits : 0;
        address.all = random_.word() % 4 == 0 ? address.all : 0;
        a.address = address.packed();
      }
      if (meaning(n, a).does == Does::error) return a;
    }
    return at(kRegisters, kIdAt, true);
  }

  // No node begins an access: all end, and all messages arrive.
  void drain() {
    for (Waits& w : waits_) w.manner = Manner();
    std::uint64_t quiet = 0;
    const std::uint64_t limit = now_ + 4 * kPatience;
    while (going() && quiet < silence()) {
      step();
      quiet = moves_ || busy() ? 0 : quiet + 1;
      if (now_ > limit) {
        fault(0, "the memory ports do not come to rest, although no node begins an access");
        stuck_ = true;
      }
    }
    if (going()) rules_->quiet();
  }

  bool busy() const {
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      if (!waits_[n].script.empty()) return true;
      for (const Lane& lane : system_->nodes[n].master.lanes) {
        if (lane.busy || lane.ahead) return true;
      }
    }
    return false;
  }

  // With the network empty all registers have values that are known.
  void audit() {
    if (!going()) return;
    if (name_ == kNames[static_cast<std::size_t>(Program::forgotten)] && !rules_->waits(one_)) {
      waits_[one_].script.push_back(at(kRegisters, kBarrierAt, true));
      drain();
    }
    for (Waits& w : waits_) {
      for (const std::uint32_t offset : {kBarrierAt, kEventsAt, kErrorsAt, kWaitingAt, kEnableAt})
        w.script.push_back(at(kRegisters, offset, false));
    }
    drain();
    rules_of_bells_ = rules_->bells();
    releases_ = rules_->releases();
  }

  // A kind of access that the run has not made; "": none.
  std::string unused() const {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const Does does = static_cast<Does>(i);
      if ((!kGets && does == Does::get) || (!kAdds && (does == Does::add || does == Does::own_add))) continue;
      if (counts_[i] == 0) return std::string("no ") + kDoes[i];
    }
    if (sets_ == 0) return "no puts or adds to sets";
    if (errors_ != (kOutside | kUnsupported)) return "not both kinds of bus errors";
    if (rules_of_bells_ == 0) return "no doorbells";
    return releases_ == 0 ? "no releases of the barrier" : "";
  }

  const Options& options_;
  Report& report_;
  std::size_t case_;
  Random random_;
  System* system_ = nullptr;
  Rules* rules_ = nullptr;
  std::vector<Waits> waits_;
  Program program_ = Program::mixed;
  std::string name_ = "reset";
  std::uint32_t one_ = 0;  // the node that a program treats differently
  bool offers_ = false, moves_ = false, stuck_ = false;
  std::array<std::array<char, Master::kLanes>, kNodes> responded_{};
  std::array<std::uint64_t, static_cast<std::size_t>(Does::error) + 1> counts_{};
  std::uint64_t now_ = 1, accesses_ = 0, longest_ = 0, sets_ = 0, rules_of_bells_ = 0, releases_ = 0;
  std::uint32_t errors_ = 0;
};

int replay(const Options& options, int argc, char** argv) {
  if (options.threads > 0) throw OptionError("+threads: only the array has threads");
  if (options.require_stalls) throw OptionError("+require-stalls: a system has no streams");
  VerilatedContext context;
  prepare(context, options, argc, argv);
  Report report(module() + ".system", options.max_mismatch);
  Replay* seen = nullptr;
  System system(context, [&seen](std::uint32_t n, const std::string& what) { seen->fault(n, what); });
  Reader trace(options.golden);
  if (!options.waves.empty()) system.open_waves(options.waves);
  Replay replay(system, trace, options, report);
  seen = &replay;
  replay.run();
  system.finish();
  if (replay.cycles() == 0) print_waves_hint(options);
  const std::string summary = replay.summary();
  print_verdict(report, summary);
  if (!options.junit.empty()) {
    report.property("config", kConfigHash);
    report.property("verilator", Verilated::productVersion());
    replay.properties();
    report.write_junit(options.junit);
  }
  if (!options.result.empty()) report.append_result(options.result, summary);
  return report.failures() == 0 ? kEqual : kDiffers;
}

int random(const Options& options, int argc, char** argv) {
  VerilatedContext context;
  prepare(context, options, argc, argv);
  Report report(module() + ".random", options.max_mismatch);
  Play play(options, report);
  System system(context, [&play](std::uint32_t n, const std::string& what) { play.fault(n, what); });
  play.run(system);
  std::string summary = play.summary();
#ifdef HC_CABLES
  const std::size_t cut = report.add("dead cables");
  Random random(options.seed);
  Cuts cuts(system, random, [&](std::uint32_t n, const std::string& what) {
    if (!report.full()) report.fail(cut, "node " + std::to_string(n) + ", " + what);
  });
  if (report.failures() == 0 && cuts.run()) summary += "; " + cuts.summary();
#endif
  system.finish();
  print_verdict(report, summary);
  if (!options.junit.empty()) {
    report.property("config", kConfigHash);
    report.property("verilator", Verilated::productVersion());
    report.property("cycles", play.cycles());
    report.property("accesses", play.accesses());
    report.property("longest_access", play.longest());
    report.write_junit(options.junit);
  }
  if (!options.result.empty()) report.append_result(options.result, summary);
  return report.failures() == 0 ? kEqual : kDiffers;
}

int run(const Options& options, int argc, char** argv) {
  if (options.free_run > 0) throw OptionError("+free-run: a system has +accesses=N in its place");
  return options.accesses > 0 ? random(options, argc, argv) : replay(options, argc, argv);
}

}  // namespace

}  // namespace hc

int main(int argc, char** argv) {
  return hc::bench_program(argc, argv, hc::module() + ".system",
                           [&](const hc::Options& options) { return hc::run(options, argc, argv); });
}
