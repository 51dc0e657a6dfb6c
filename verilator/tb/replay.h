// SPDX-License-Identifier: Apache-2.0
//
// Drives a design with a golden trace and compares every stream and pace in each cycle.

#ifndef HC_REPLAY_H
#define HC_REPLAY_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "checks.h"
#include "configured.h"

namespace hc {

/// Cycles that a message takes for a hop, at most and in an idle network, beside those of its router.
constexpr std::uint64_t kHop = kLead;
/// Cycles without a handshake that mean a deadlock: a message passes a hop in a few cycles, and a pace follows those of its
/// neighbours in one.
constexpr std::uint64_t kPatience = kHop * (1024 + 4 * std::uint64_t{kNodes});
/// Cycles without a valid in which a network is empty.
constexpr std::uint64_t kIdle = 64 + kHop;

/// The counts of a stream of the design during a run.
struct Tally {
  std::uint64_t lines = 0;      // lines of the trace
  std::uint64_t transfers = 0;  // cycles with valid and ready
  std::uint64_t stalls = 0;     // cycles with valid and without ready
};

class Replay {
 public:
  /// The threads of the pool share the comparison.
  Replay(Model& model, const StreamTable& table, TraceReader& trace, const Options& options, Report& report,
         Pool& pool);

  /// Disturbs and resets the design several times, then replays the trace until its end or
  /// until the report is full. Throws TraceError.
  void run();

  /// After run() without failures: lets the messages under way leave the design. For a network,
  /// checks that every message was delivered exactly once.
  void drain();

  /// After drain() without failures, for a programmable design: compares its counters with the
  /// handshakes at its ports.
  void check_counters();

  std::uint64_t cycles() const { return cycles_; }          // cycles replayed
  std::uint64_t all_cycles() const { return all_cycles_; }  // with the cycles before and after the trace
  std::uint64_t drain_cycles() const { return drain_cycles_; }
  std::uint64_t values() const { return values_; }  // values compared
  /// Header errors of the trace that the design has shown.
  std::uint64_t header_errors() const { return header_errors_; }
  const std::vector<Tally>& tallies() const { return tallies_; }  // by stream of the model
  const Scoreboard& scoreboard() const { return scoreboard_; }
  /// The times of the messages of a network, when the trace ends.
  Times times() const { return under_way_.times(cycles_); }
  ReadBack& read_back() { return read_back_; }

  /// Test case of a stream: its node in a network, itself in a router.
  std::size_t test_case(std::size_t stream) const;

 private:
  static constexpr std::uint64_t kNever = UINT64_MAX;
  static constexpr std::size_t kNoStream = SIZE_MAX;
  static constexpr unsigned kLives = 3;             // lives before the trace; a reset ends each of them
  static constexpr std::uint64_t kDisturbed = 128;  // cycles of a life
  static constexpr std::uint64_t kLongReset = 4;    // cycles of a reset, except the last one
  static constexpr std::size_t kHistory = 5;        // lines shown before a difference

  /// The phase of the run.
  enum class Phase {
    life,           // disturb(): the outputs are not checked
    reset,          // the outputs must be low
    configuration,  // a programmable design is configured; the outputs must be low
    after_reset,    // first cycle after the reset; the outputs must be low
    trace           // the outputs must follow the trace
  };

  /// The ready of an output of the design that is not valid.
  enum class Mood : char { refuse, accept, toss };

  /// A line of the trace. It applies only to its cycle.
  struct Line {
    std::uint64_t cycle = kNever;
    std::uint64_t number = 0;  // in the file; 0: no line
    std::uint64_t header = 0;
    std::uint32_t name = 0;  // of the stream
    bool ready = false;
  };

  /// Whether a router has an error, and which.
  struct Expected {
    bool set = false;
    std::size_t stream = kNoStream;  // with the line of the error
    std::uint32_t node = 0;
  };

  /// Paces of a neighbour clock.
  struct Paces {
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> links;  // of the neighbours of a router
    std::uint64_t number = 0;          // of the line with the paces of nodes
  };

  /// A stream with a line in this cycle.
  struct Now {
    std::size_t i;       // of the stream, node * names + name
    std::uint32_t node;  // from 0, the first node of the model
    std::uint32_t name;
  };

  /// The last lines of a node, in a ring.
  struct History {
    std::array<Line, kHistory> lines;
    std::uint32_t next = 0;  // the oldest
  };

  template <class Visit>
  void each_driven(Visit visit);
  void disturb();
  void same_paces();
  bool disturbing_valid(const Stream& stream);
  bool disturbing_ready(const Stream& stream);
  void expect_inner_errors();
  void reset();
  void configure();
  bool closed() const { return phase_ == Phase::reset || phase_ == Phase::configuration; }
  bool pushes_in_reset(std::size_t i) const;
  bool last_life() const { return life_ + 1 == kLives; }
  std::uint64_t reset_cycles() const;
  void load();
  bool take_paces(const TraceLine& line);
  void check_held(const TraceLine& line, std::size_t stream) const;
  void drive();
  bool idle_ready(std::size_t i);
  void compare();
  bool equal();
  bool fits(const Now& now) const;
  static std::uint64_t line_values(const Stream& stream);
  void compare_stream(std::size_t i);
  void compare_paces();
  void compare_any_error();
  void compare_node_errors(const AnyError& error);
  void account(const Stream& stream, std::size_t i);
  void remember();
  void settle() { model_.settle(); }
  void edge();
  void record();

  void trace_settle();
  void trace_edge();
  void drain_settle();
  void drain_edge();
  void check_delivery(const Stream& stream, std::size_t i);

  bool expected_valid(std::size_t i) const { return phase_ == Phase::trace && expected_[i].cycle == cycle_; }
  std::uint32_t* payload(std::size_t i) { return &payloads_[i * kPayloadWords]; }
  std::uint64_t header(const Stream& stream) const;
  std::string when() const;
  std::string describe(std::size_t i, std::uint64_t header) const;
  std::string payload_text(const std::uint32_t* words) const;
  std::string stream_text(std::size_t i) const;
  std::string line_text(std::uint32_t node, const Line& line, const std::uint32_t* payload) const;
  std::string context(std::uint32_t node, std::size_t here) const;
  void differ(std::size_t i, const std::string& what, const std::string& expected, const std::string& got);

  Model& model_;
  const StreamTable& table_;
  TraceReader& trace_;
  Report& report_;
  Pool& pool_;
  Random random_;
  const bool network_;
  const std::uint32_t first_node_;
  const std::uint32_t first_blocked_;  // link output that the first life blocks, modulo kDegree
  const bool all_waves_;

  Phase phase_ = Phase::life;
  unsigned life_ = 0;
  std::uint64_t cycle_ = 0;
  std::uint64_t all_cycles_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint64_t drain_cycles_ = 0;
  std::uint64_t values_ = 0;
  std::uint64_t header_errors_ = 0;

  std::vector<std::uint32_t> driven_;    // names of the streams that the bench drives, all or in part
  std::size_t outputs_ = 0;              // streams that the design drives
  std::vector<Line> expected_;           // by stream of the model
  std::vector<std::uint32_t> payloads_;  // expected payloads, by stream
  std::vector<std::uint32_t> seen_;      // space for one payload
  std::vector<Expected> any_errors_;     // of the network, in this cycle
  std::vector<Now> lines_now_;           // streams with a line in this cycle
  std::size_t outputs_now_ = 0;          // streams of lines_now_ that the design drives
  std::vector<Paces> paces_;             // of each neighbour clock, expected in this cycle
  std::vector<std::size_t> waiting_;     // inputs that waited in the previous cycle
  std::vector<char> offering_;           // by stream: an input with a message that was not taken yet
  std::vector<Mood> moods_;              // by stream: of outputs of the design
  std::vector<Tally> tallies_;
  std::vector<History> history_;  // by node
  std::vector<std::uint32_t> history_payloads_;
  Scoreboard scoreboard_;
  UnderWay under_way_;  // during the trace
  ReadBack read_back_;
  bool tracing_ = false;    // this cycle belongs to the trace
  bool busy_ = false;       // something was valid in this cycle of drain()
  std::uint64_t idle_ = 0;  // cycles of drain() since something was valid
  std::size_t network_case_ = 0;
  std::size_t pace_case_ = 0;  // of a router
};

}  // namespace hc

#endif
