// SPDX-License-Identifier: Apache-2.0
//
// Bench of a collective network: replays a golden trace, drives all inputs and compares all outputs in every cycle.
//
// It is the same for every network, except for the generated header <name>_collective.h, which the compiler includes
// first (-include). That header defines, in namespace hc:
//
//   inline constexpr char kMachine[], kCollective[];  names of machine and collective, as in traces
//   inline constexpr char kModule[];                  name of the network module
//   inline constexpr char kConfigHash[];              config= of traces that belong to the RTL
//   inline constexpr unsigned kNodes, kDegree;        number of nodes, and of ports of a node
//   inline constexpr unsigned kIndexBits;             bits of an index
//   inline constexpr unsigned kPayloadBits;           bits of a word
//   inline constexpr bool kRequests;                  the network has s_request, s_index, s_data and s_valid
//   inline constexpr bool kHasOwn;                    it has s_own_data and s_own_valid
//   inline constexpr bool kDelivers;                  it has m_valid, m_index and m_data
//   inline constexpr bool kHasResult;                 it has m_own_valid and m_own_data
//
// and, if the network has the input operation, HC_OPERATION_BITS, its bits.
//
// From the folder that holds rtl/, filelist.f and tb/, where build/ must exist:
//
//   verilator -Wall --cc --exe --build --trace --x-assign unique --x-initial unique
//     -CFLAGS "-std=c++17 -include ../../tb/<name>_collective.h" --prefix Vcollective --l2-name bench
//     --top-module <machine>__<name>_network -Mdir build/<name> -f filelist.f
//     ../../tb/collective_main.cpp ../../tb/bench.cpp

#include <algorithm>
#include <array>
#include <cstdio>

#include "Vcollective.h"
#include "model.h"

namespace hc {

namespace {

constexpr std::size_t kLanes = std::size_t{kNodes} * kDegree;

#ifdef HC_OPERATION_BITS
constexpr unsigned kOperationBits = HC_OPERATION_BITS;
#else
constexpr unsigned kOperationBits = 0;
#endif

/// The owner of a signal: the network, a node or a lane.
enum class Of { network, node, lane };

/// A signal that a line of a trace describes: a bit, with an index and a word, or a word alone. Fields of width 0 do not exist.
struct Signal {
  const char* name;  // in traces; similar in the network
  Of of;
  bool input;
  bool present;  // the network has this signal
  Field bit, index, word;

  std::size_t places() const { return of == Of::network ? 1 : of == Of::node ? kNodes : kLanes; }
};

/// Signals by the order of their names.
enum Name { kDone, kLate, kWord, kResult, kOperation, kReady, kRst, kGiven, kOwn, kRequest, kStart, kSignals };

class Network : public VerilatedModel<Vcollective> {
 public:
  explicit Network(VerilatedContext& context) : VerilatedModel(context) { bind(top()); }

  std::array<Signal, kSignals> signals;

 private:
  // A template, because some ports exist only in networks that use them.
  template <class Top>
  void bind(Top& t) {
    const auto bit = [](auto& port, std::size_t places, const char* name) {
      return Field(Wires(port, places, name), 0, 1, 1);
    };
    const auto field = [](auto& port, std::size_t places, std::size_t width, const char* name) {
      return Field(Wires(port, places * width, name), 0, width, width);
    };
    signals[kDone] = {"done", Of::network, false, true, bit(t.done, 1, "done"), {}, {}};
    signals[kLate] = {"late", Of::node, false, true, bit(t.late, kNodes, "late"), {}, {}};
    signals[kWord] = {"m_data", Of::lane, false, kDelivers, {}, {}, {}};
    if constexpr (kDelivers) {
      signals[kWord].bit = bit(t.m_valid, kLanes, "m_valid");
      signals[kWord].index = field(t.m_index, kLanes, kIndexBits, "m_index");
      signals[kWord].word = field(t.m_data, kLanes, kPayloadBits, "m_data");
    }
    signals[kResult] = {"m_own_data", Of::node, false, kHasResult, {}, {}, {}};
    if constexpr (kHasResult) {
      signals[kResult].bit = bit(t.m_own_valid, kNodes, "m_own_valid");
      signals[kResult].word = field(t.m_own_data, kNodes, kPayloadBits, "m_own_data");
    }
    signals[kOperation] = {"operation", Of::network, true, kOperationBits > 0, {}, {}, {}};
    if constexpr (kOperationBits > 0) signals[kOperation].word = field(t.operation, 1, kOperationBits, "operation");
    signals[kReady] = {"ready", Of::network, false, true, bit(t.ready, 1, "ready"), {}, {}};
    signals[kRst] = {"rst", Of::network, true, true, bit(t.rst, 1, "rst"), {}, {}};
    signals[kGiven] = {"s_data", Of::lane, true, kRequests, {}, {}, {}};
    signals[kRequest] = {"s_request", Of::lane, false, kRequests, {}, {}, {}};
    if constexpr (kRequests) {
      signals[kGiven].bit = bit(t.s_valid, kLanes, "s_valid");
      signals[kGiven].word = field(t.s_data, kLanes, kPayloadBits, "s_data");
      signals[kRequest].bit = bit(t.s_request, kLanes, "s_request");
      signals[kRequest].index = field(t.s_index, kLanes, kIndexBits, "s_index");
    }
    signals[kOwn] = {"s_own_data", Of::node, true, kHasOwn, {}, {}, {}};
    if constexpr (kHasOwn) {
      signals[kOwn].bit = bit(t.s_own_valid, kNodes, "s_own_valid");
      signals[kOwn].word = field(t.s_own_data, kNodes, kPayloadBits, "s_own_data");
    }
    signals[kStart] = {"start", Of::network, true, true, bit(t.start, 1, "start"), {}, {}};
  }
};

constexpr std::uint64_t kNever = UINT64_MAX;

/// A line of the trace.
struct Line {
  std::uint64_t cycle = kNever;
  std::size_t signal = 0, place = 0;
  bool word = false;  // the line has a word, which is neither late nor undefined
  std::vector<std::uint32_t> index, data;
  std::uint64_t number = 0;  // in the file
  std::string text;
};

/// Reads a golden trace of a collective network.
class Reader {
 public:
  Reader(const std::string& path, const Network& network)
      : text_(path, "cycle node signal port index data", std::size_t{1} << 12), network_(network) {
    line_.index.resize((kIndexBits + 31) / 32);
    line_.data.resize((kPayloadBits + 31) / 32);
    read_header();
    next();
  }

  const std::string& path() const { return text_.path(); }
  std::uint64_t cycles() const { return cycles_; }
  bool more() const { return more_; }
  const Line& line() const { return line_; }

  void next() {
    more_ = text_.fetch();
    if (more_) {
      parse();
      if (line_.signal == kDone) ++done_;
    } else if (done_ != operations_) {
      text_.fail("the trace has " + std::to_string(done_) +
                 " lines \"done\", but its header has operations=" + std::to_string(operations_));
    }
  }

 private:
  void read_header() {
    const std::string magic = "# hcgen-collective-trace v1 ";
    const std::string want = "wanted \"" + magic + "machine=... collective=... config=... cycles=... operations=...\"";
    if (!text_.fetch()) throw TraceError(path() + ":1: the trace is empty; " + want);
    std::string text(text_.text());
    if (text.compare(0, magic.size(), magic) != 0) text_.fail("not a golden trace of a collective network; " + want);
    text.erase(0, magic.size());
    const std::string machine = take(&text, "machine"), collective = take(&text, "collective");
    const std::string config = take(&text, "config");
    const std::string cycles = take(&text, "cycles"), operations = take(&text, "operations");
    if (machine.empty() || collective.empty() || config.empty() || cycles.empty() || operations.empty() ||
        !text.empty()) {
      text_.fail("malformed header; " + want);
    }
    if (machine != kMachine || collective != kCollective) {
      text_.fail("the trace is of collective " + collective + " of machine " + machine + ", the design is collective " +
                 kCollective + " of machine " + kMachine);
    }
    if (config != kConfigHash) {
      text_.fail("stale golden trace: its config is " + config + ", that of the design is " + kConfigHash +
                 "; generate both again");
    }
    cycles_ = text_.decimal("cycles", cycles, UINT64_MAX / 2);
    operations_ = text_.decimal("operations", operations, UINT64_MAX / 2);
    if (cycles_ == 0) text_.fail("cycles is 0: there is nothing to replay");
  }

  void parse() {
    const Line before = line_;
    line_.number = text_.number();
    line_.text = text_.text();
    line_.cycle = text_.decimal("cycle", UINT64_MAX / 2);
    if (line_.cycle >= cycles_) {
      text_.fail("cycle " + std::to_string(line_.cycle) + " is beyond the " + std::to_string(cycles_) +
                 " cycles of the header");
    }
    const std::string_view node = text_.column("node"), name = text_.column("signal"), port = text_.column("port");
    const auto& signals = network_.signals;
    const auto found = std::find_if(signals.begin(), signals.end(), [&](const Signal& s) { return name == s.name; });
    if (found == signals.end() || !found->present) text_.fail("no such signal here: \"" + std::string(name) + "\"");
    const Signal& signal = *found;
    line_.signal = static_cast<std::size_t>(found - signals.begin());
    line_.place = number("node", node, signal.of != Of::network, kNodes);
    const std::size_t lane = number("port", port, signal.of == Of::lane, kDegree);
    if (signal.of == Of::lane) line_.place = line_.place * kDegree + lane;
    if (before.cycle != kNever && !ascends(before)) {
      text_.fail("out of order: lines ascend by cycle, node, signal and port, each once");
    }
    text_.hex("index", signal.index.width(), line_.index.data());
    const std::string_view data = text_.column("data");
    const bool may_lack = signal.bit.width() > 0;
    line_.word = signal.word.width() > 0 && !(may_lack && data == (signal.input ? "late" : "undefined"));
    if (line_.word || signal.word.width() == 0) text_.hex("data", data, signal.word.width(), line_.data.data());
    text_.end("data");
  }

  // A column with a number below a limit, or "-".
  std::size_t number(const char* what, std::string_view text, bool wanted, unsigned limit) const {
    if (wanted) return text_.decimal(what, text, limit - 1);
    if (text != "-")
      text_.fail(std::string(what) + " \"" + std::string(text) + "\": this signal has none, wanted \"-\"");
    return 0;
  }

  bool ascends(const Line& before) const {
    // Lines of the network come first, and places ascend with the port.
    const auto key = [&](const Line& line) {
      const Of of = network_.signals[line.signal].of;
      const std::size_t node = of == Of::network ? 0 : 1 + (of == Of::node ? line.place : line.place / kDegree);
      return std::array<std::uint64_t, 4>{line.cycle, node, line.signal, line.place};
    };
    return key(before) < key(line_);
  }

  TraceLines text_;
  const Network& network_;
  std::uint64_t cycles_ = 0, operations_ = 0, done_ = 0;
  bool more_ = false;
  Line line_;
};

/// Replays a trace.
class Replay {
 public:
  Replay(Network& network, Reader& trace, const Options& options, Report& report)
      : network_(network), trace_(trace), report_(report), random_(options.seed), all_waves_(options.all_waves) {
    for (std::size_t s = 0; s < kSignals; ++s) expected_[s].resize(network_.signals[s].places());
    report_.add("network");
    for (unsigned node = 0; node < kNodes; ++node) report_.add("node " + std::to_string(node));
  }

  void run() {
    // A register that the reset does not clear shows in the trace, if the network has worked before the reset.
    for (const unsigned cycles : {300U, 60U, 7U}) {
      live(cycles);
      reset(cycles % 4 + 1);
    }
    tracing_ = true;
    for (cycle_ = 0; cycle_ < trace_.cycles() && !report_.full(); ++cycle_) {
      load();
      drive();
      settle();
      compare();
      edge();
    }
  }

  std::uint64_t cycles() const { return cycle_; }
  std::uint64_t values() const { return values_; }
  /// Number of lines of a signal that were compared and did not differ.
  std::uint64_t equal(Name signal) const { return equal_[signal]; }

 private:
  void live(unsigned cycles) {
    for (unsigned c = 0; c < cycles; ++c) {
      drive_at_random();
      settle();
      edge();
    }
  }

  void reset(unsigned cycles) {
    for (unsigned c = 0; c < cycles; ++c) {
      drive_at_random();
      network_.signals[kRst].bit.bit(true);
      settle();
      if (c > 0) compare_in_reset(c);
      edge();
    }
  }

  void drive_at_random() {
    for (Signal& signal : network_.signals) {
      for (std::size_t place = 0; signal.input && signal.present && place < signal.places(); ++place) {
        randomize(signal, place);
      }
    }
    network_.signals[kRst].bit.bit(false);
  }

  void randomize(const Signal& signal, std::size_t place) {
    signal.bit.after(place).randomize(random_);
    signal.word.after(place).randomize(random_);
  }

  // From the second cycle of a reset on.
  void compare_in_reset(unsigned c) {
    for (std::size_t s = 0; s < kSignals; ++s) {
      const Signal& signal = network_.signals[s];
      if (signal.input || !signal.present || s == kRequest) continue;
      for (std::size_t place = 0; place < signal.places(); ++place) {
        ++values_;
        if (signal.bit.after(place).bit() != (s == kReady)) {
          differ("cycle " + std::to_string(c + 1) + " of a reset", s, place, bit_name(s), s == kReady ? "1" : "0",
                 s == kReady ? "0" : "1", "");
        }
      }
    }
  }

  void load() {
    for (; trace_.more() && trace_.line().cycle == cycle_; trace_.next()) {
      expected_[trace_.line().signal][trace_.line().place] = trace_.line();
    }
  }

  bool has_line(std::size_t signal, std::size_t place) const { return expected_[signal][place].cycle == cycle_; }

  // An input of a node without a line does not matter, nor does a number of an operation.
  void drive() {
    drive_at_random();
    for (std::size_t s = 0; s < kSignals; ++s) {
      Signal& signal = network_.signals[s];
      for (std::size_t place = 0; signal.input && signal.present && place < signal.places(); ++place) {
        const Line& line = expected_[s][place];
        if (signal.bit.width() > 0 && (signal.of == Of::network || has_line(s, place))) {
          signal.bit.after(place).bit(signal.of == Of::network ? has_line(s, place) : line.word);
        }
        if (has_line(s, place) && line.word) signal.word.after(place).set(line.data.data());
      }
    }
  }

  void compare() {
    for (std::size_t s = 0; s < kSignals; ++s) {
      const Signal& signal = network_.signals[s];
      for (std::size_t place = 0; !signal.input && signal.present && place < signal.places(); ++place) {
        compare(s, place);
      }
    }
  }

  void compare(std::size_t s, std::size_t place) {
    const Signal& signal = network_.signals[s];
    const std::uint64_t failures = report_.failures();
    const Line& line = expected_[s][place];
    const bool want = has_line(s, place);
    ++values_;
    if (signal.bit.after(place).bit() != want) {
      differ(now(), s, place, bit_name(s), want ? "1" : "0", want ? "0" : "1", want ? context(line) : "");
    } else if (want) {
      compare_field(s, place, "index", signal.index, line.index);
      if (line.word) compare_field(s, place, "data", signal.word, line.data);
    }
    if (want && report_.failures() == failures) ++equal_[s];
  }

  void compare_field(std::size_t s, std::size_t place, const char* what, const Field& field,
                     const std::vector<std::uint32_t>& want) {
    if (field.width() == 0) return;
    ++values_;
    const Field at = field.after(place);
    if (at.equals(want.data())) return;
    std::vector<std::uint32_t> got(want.size());
    at.get(got.data());
    differ(now(), s, place, what, hex(want.data(), field.width()), hex(got.data(), field.width()),
           context(expected_[s][place]));
  }

  std::string now() const { return "cycle " + std::to_string(cycle_); }

  // The name of the bit of a signal in messages.
  const char* bit_name(std::size_t s) const { return s == kWord || s == kResult ? "valid" : network_.signals[s].name; }

  std::string context(const Line& line) const {
    return "  > " + trace_.path() + ":" + std::to_string(line.number) + ": " + line.text + "\n";
  }

  void differ(const std::string& when, std::size_t s, std::size_t place, const char* what, const std::string& want,
              const std::string& got, const std::string& context) {
    if (report_.full()) return;
    const Signal& signal = network_.signals[s];
    std::string where = when;
    std::size_t test_case = 0;
    if (signal.of != Of::network) {
      const std::size_t node = signal.of == Of::node ? place : place / kDegree;
      test_case = 1 + node;
      where += ", node " + std::to_string(node);
      if (signal.of == Of::lane) where += ", port " + std::to_string(place % kDegree);
    }
    report_.fail(test_case, where + ", " + signal.name + ": " + what + ": expected " + want + ", got " + got, context);
  }

  // Both halves of a cycle. Inputs change with the falling edge.
  void settle() { network_.settle(); }

  void edge() {
    if (tracing_ || all_waves_) network_.record(all_waves_ ? all_cycles_ : cycle_, tracing_);
    network_.edge();
    ++all_cycles_;
  }

  Network& network_;
  Reader& trace_;
  Report& report_;
  Random random_;
  const bool all_waves_;
  bool tracing_ = false;  // this cycle belongs to the trace
  std::uint64_t cycle_ = 0, all_cycles_ = 0, values_ = 0;
  std::array<std::vector<Line>, kSignals> expected_;  // by signal and place: the last line
  std::array<std::uint64_t, kSignals> equal_{};
};

int run(const Options& options, int argc, char** argv) {
  if (options.free_run > 0) throw OptionError("+free-run: a collective network has no load");
  if (options.threads > 0) throw OptionError("+threads: only the array has threads");
  if (options.require_stalls) throw OptionError("+require-stalls: a collective network has no backpressure");
  VerilatedContext context;
  prepare(context, options, argc, argv);
  Network network(context);
  Reader trace(options.golden, network);
  if (!options.waves.empty()) network.open_waves(options.waves);
  Report report(kModule, options.max_mismatch);
  Replay replay(network, trace, options, report);
  replay.run();
  network.finish();
  if (replay.cycles() == 0) print_waves_hint(options);

  const std::string summary = std::to_string(replay.cycles()) + " cycles, " + std::to_string(replay.equal(kDone)) +
                              " operations, " + std::to_string(replay.values()) + " values compared, " +
                              std::to_string(report.failures()) + " mismatches";
  print_verdict(report, summary);
  if (!options.junit.empty()) {
    report.property("config", kConfigHash);
    report.property("verilator", Verilated::productVersion());
    report.property("cycles", replay.cycles());
    report.property("operations", replay.equal(kDone));
    report.property("values_compared", replay.values());
    report.property("deliveries", replay.equal(kWord));
    report.property("results", replay.equal(kResult));
    report.property("late", replay.equal(kLate));
    report.write_junit(options.junit);
  }
  if (!options.result.empty()) report.append_result(options.result, summary);
  return report.failures() == 0 ? kEqual : kDiffers;
}

}  // namespace

}  // namespace hc

int main(int argc, char** argv) {
  return hc::bench_program(argc, argv, hc::kModule,
                           [&](const hc::Options& options) { return hc::run(options, argc, argv); });
}
