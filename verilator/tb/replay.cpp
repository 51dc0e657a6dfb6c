// SPDX-License-Identifier: Apache-2.0

#include "replay.h"

#include <algorithm>
#include <atomic>

namespace hc {

Replay::Replay(Model& model, const StreamTable& table, TraceReader& trace, const Options& options, Report& report,
               Pool& pool)
    : model_(model),
      table_(table),
      trace_(trace),
      report_(report),
      pool_(pool),
      random_(options.seed),
      network_(!model.any_errors.empty()),
      first_node_(model.streams.first().front().node),
      first_blocked_(options.seed),
      all_waves_(options.all_waves),
      expected_(model.streams.size()),
      payloads_(model.streams.size() * kPayloadWords),
      seen_(kPayloadWords),
      any_errors_(model.any_errors.size()),
      paces_(model.clocks.size(),
             Paces{std::vector<std::uint32_t>(table.words()), std::vector<std::uint32_t>(table.words()), 0}),
      offering_(model.streams.size()),
      moods_(model.streams.size(), Mood::toss),
      tallies_(model.streams.size()),
      history_(model.streams.nodes()),
      history_payloads_(history_.size() * kHistory * kPayloadWords),
      scoreboard_(kNodes),
      under_way_(kNodes),
      read_back_(model, table, report) {
  for (const Stream& stream : model_.streams.first()) {
    if (stream.role == Role::input || stream.role == Role::output) driven_.push_back(stream.name);
    if (stream.role != Role::input) outputs_ += model_.streams.nodes();
  }
  if (network_) {
    for (std::size_t node = 0; node < history_.size(); ++node) report_.add("node " + std::to_string(node));
    network_case_ = report_.add("network");
  } else {
    for (const Stream& stream : model_.streams.first()) report_.add(table_[stream.name].text);
    pace_case_ = report_.add("pace");
  }
}

std::size_t Replay::test_case(std::size_t stream) const { return network_ ? stream / table_.size() : stream; }

void Replay::run() {
  for (life_ = 0; life_ < kLives && !report_.full(); ++life_) {
    disturb();
    reset();
    configure();
  }
  phase_ = Phase::trace;
  cycle_ = 0;
  read_back_.clear();
  // Reading must not disturb the design, so it runs during the trace.
  read_back_.check_machine([this] { trace_settle(); }, [this] { trace_edge(); }, "read in the trace");
  while (cycle_ < trace_.cycles() && !report_.full()) {
    trace_settle();
    trace_edge();
  }
}

// Both halves of a cycle of the trace, or of drain() after its end: a trace can be shorter
// than the bus accesses that run during it.
void Replay::trace_settle() {
  tracing_ = cycle_ < trace_.cycles() && !report_.full();
  if (!tracing_) {
    drain_settle();
    return;
  }
  load();
  drive();
  settle();
  compare();
}

void Replay::trace_edge() {
  if (!tracing_) {
    drain_edge();
    return;
  }
  edge();
  remember();
  cycles_ = ++cycle_;
}

// The second half of a cycle. Inputs change with the falling edge.
void Replay::edge() {
  read_back_.count();
  record();
  model_.edge();
  ++all_cycles_;
}

// The waves begin with cycle 0 and end when the network is empty again, unless all are asked for.
void Replay::record() {
  const bool counted = phase_ == Phase::trace;
  if (all_waves_) {
    model_.record(all_cycles_, counted);
  } else if (counted && (cycle_ < trace_.cycles() || idle_ == 0)) {
    model_.record(cycle_, true);
  }
}

// A life is a period of random traffic before a reset. A register that the reset does not clear
// shows in the reset, in the cycle after it, or in the trace, if the life has changed every
// register.
//
// The first life starts with random registers, often in unreachable states. The other lives start
// from a reset, so that the last life ends in a reachable state. At its end, messages should
// have part of their copies made, in every combination:
//
// - Inputs hold their offers until they are taken. A message that could be withdrawn would
//   not wait for the rest of its copies.
// - One link output, a different one in each life, is always blocked. Messages that need it wait
//   with their other copies made. The other outputs are blocked one by one, so that in every group
//   some port has taken a message that other ports cannot take.
// - The local input starts after a quarter of the life, when the first output is full, so its
//   message also waits with part of its copies made.
// - In the last quarter of the life no delivery is taken, so all other messages wait for delivery.
// - In every other cycle no neighbour is behind, so that pace and credit change.
void Replay::disturb() {
  model_.reset(false);
  std::vector<char> waits(model_.streams.size());  // by stream: an input that was not ready
  for (cycle_ = 0; cycle_ < kDisturbed && !report_.full(); ++cycle_) {
    if (random_.coin()) {
      same_paces();
    } else {
      for (Clock& clock : model_.clocks) clock.link_pace.randomize(random_);
    }
    each_driven([&](Stream& stream, std::size_t i) {
      if (stream.role == Role::output) stream.ready.bit(disturbing_ready(stream));
      if (stream.role != Role::input || waits[i]) return;
      stream.valid.bit(disturbing_valid(stream));
      stream.header.randomize(random_);
      stream.payload.randomize(random_);
    });
    settle();
    phase_ = cycle_ == 0 && life_ > 0 ? Phase::after_reset : Phase::life;
    if (phase_ == Phase::after_reset) {
      compare();
    } else if (network_) {
      expect_inner_errors();
      compare_any_error();
    }
    each_driven([&](const Stream& stream, std::size_t i) {
      waits[i] = stream.role == Role::input && stream.valid.bit() && !stream.ready.bit();
    });
    edge();
  }
  for (Expected& error : any_errors_) error.set = false;
}

namespace {

Wires wires_of(std::vector<std::uint32_t>& words) {
  return Wires(reinterpret_cast<unsigned char*>(words.data()), words.size() * sizeof words[0]);
}

}  // namespace

// Sets the paces of the neighbours of a router to its own pace, so that no neighbour is behind.
void Replay::same_paces() {
  for (std::size_t k = 0; k < paces_.size(); ++k) {
    Clock& clock = model_.clocks[k];
    std::uint32_t pace[1];
    clock.pace.get(pace);
    const auto bits = static_cast<unsigned>(clock.pace.width());
    Wires links = wires_of(paces_[k].links);
    for (std::size_t low = 0; low < clock.link_pace.width(); low += bits) links.set(low, bits, pace[0]);
    clock.link_pace.set(paces_[k].links.data());
  }
}

// Visits the streams that the bench drives, or whose ready it drives.
template <class Visit>
void Replay::each_driven(Visit visit) {
  for (std::uint32_t node = 0; node < model_.streams.nodes(); ++node) {
    for (const std::uint32_t name : driven_) {
      Stream stream = model_.streams.at(node, name);
      visit(stream, node * table_.size() + name);
    }
  }
}

bool Replay::disturbing_valid(const Stream& stream) {
  return table_[stream.name].kind == Kind::s_local ? cycle_ >= kDisturbed / 4 : random_.coin();
}

bool Replay::disturbing_ready(const Stream& stream) {
  constexpr std::uint64_t kStop = kDisturbed / 4 * 3;
  const StreamName& name = table_[stream.name];
  if (name.kind == Kind::m_local) return cycle_ < kStop;
  const unsigned first = (first_blocked_ + life_) % kDegree;
  const unsigned rank = (static_cast<unsigned>(name.port) + kDegree - first) % kDegree;  // in the order of stopping
  return cycle_ * (kDegree - 1) < kStop * rank;
}

// No trace has the errors of malformed messages in random registers, but the network must
// show the errors of its routers.
void Replay::expect_inner_errors() {
  for (Expected& error : any_errors_) error.set = false;
  for (std::size_t i = 0; i < model_.streams.size(); ++i) {
    const Stream stream = model_.streams[i];
    if (stream.role != Role::pulse || !stream.valid.bit()) continue;
    for (std::size_t k = 0; k < any_errors_.size(); ++k) {
      if (table_[stream.name].kind == model_.any_errors[k].kind && !any_errors_[k].set)
        any_errors_[k] = {true, kNoStream, stream.node};
    }
  }
}

// Inputs may be valid in reset. No message may go anywhere: all outputs are low up to and
// including the first cycle after the reset.
void Replay::reset() {
  model_.reset(true);
  phase_ = Phase::reset;
  for (cycle_ = 0; cycle_ < reset_cycles(); ++cycle_) {
    drive();
    settle();
    if (cycle_ > 0) compare();
    edge();
  }
  model_.reset(false);
}

// The reset before the trace is a single clock edge, at which every register must be cleared;
// the trace also shows registers that are not visible at an output in the reset. The other
// resets are longer, because the design must not start while it is in reset.
std::uint64_t Replay::reset_cycles() const { return last_life() ? 1 : kLongReset; }

// A programmable design is configured before each life, and before the trace. Until it is
// configured it must be as silent as in reset, whatever its inputs.
void Replay::configure() {
  phase_ = Phase::configuration;
  cycle_ = 0;
  model_.configure(
      [this] {
        drive();
        settle();
        compare();
      },
      [this] {
        edge();
        ++cycle_;
      });
}

// Whether an input is valid in reset: every other input, alternating between resets. Before the
// trace they must not complete messages that a life left partly copied and a reset did not
// clear, so local inputs are silent and drive() uses malformed messages, which are never copied.
bool Replay::pushes_in_reset(std::size_t i) const {
  return (i + life_) % 2 != 0 && !(last_life() && table_[model_.streams[i].name].kind == Kind::s_local);
}

// Takes the lines of this cycle.
void Replay::load() {
  lines_now_.clear();
  outputs_now_ = 0;
  std::vector<std::size_t> waits_now;
  for (Expected& error : any_errors_) error.set = false;
  unsigned paces = 0;
  for (; trace_.more() && trace_.line().cycle == cycle_; trace_.next()) {
    const TraceLine& line = trace_.line();
    if (!network_ && line.node != first_node_) {
      throw trace_.error(line.number, "node " + std::to_string(line.node) + " after node " +
                                          std::to_string(first_node_) + ": a trace of one router has one node");
    }
    if (take_paces(line)) {
      ++paces;
      continue;
    }
    const std::uint32_t node = line.node - first_node_;
    const std::size_t i = node * table_.size() + line.stream;
    check_held(line, i);
    expected_[i] = {cycle_, line.number, line.header, line.stream, line.ready};
    std::copy_n(line.payload.begin(), kPayloadWords, payload(i));
    lines_now_.push_back({i, node, line.stream});
    const Role role = model_.streams.first()[line.stream].role;
    if (role != Role::input) ++outputs_now_;
    if (role == Role::input && !line.ready) waits_now.push_back(i);
    tallies_[i].lines += 1;
    for (std::size_t k = 0; k < any_errors_.size(); ++k) {
      if (table_[line.stream].kind == model_.any_errors[k].kind && !any_errors_[k].set)
        any_errors_[k] = {true, i, line.node};
    }
  }
  if (paces < (network_ ? 1 : 2) * paces_.size()) {
    throw trace_.error(trace_.line().number, "no line " + std::string(network_ ? "pace" : "pace or link_pace") +
                                                 " in cycle " + std::to_string(cycle_) + ": is the trace truncated?");
  }
  for (const std::size_t i : waiting_) {
    if (expected_valid(i)) continue;
    throw trace_.error(expected_[i].number, stream_text(i) + " is not ready in cycle " + std::to_string(cycle_ - 1) +
                                                " but has no line in cycle " + std::to_string(cycle_) +
                                                ": a message waits until it is taken; is the trace truncated?");
  }
  waiting_ = std::move(waits_now);
}

// Whether the line has paces, which it takes.
bool Replay::take_paces(const TraceLine& line) {
  const StreamName& name = table_[line.stream];
  if (!name.paces()) return false;
  if (network_ && line.node != 0) {
    throw trace_.error(line.number,
                       "paces under node " + std::to_string(line.node) + ": those of all nodes are under node 0");
  }
  for (std::size_t k = 0; k < paces_.size(); ++k) {
    if (name.kind == model_.clocks[k].kind) {
      paces_[k].nodes = line.payload;
      paces_[k].number = line.number;
    } else if (name.kind == model_.clocks[k].link_kind) {
      paces_[k].links = line.payload;
    }
  }
  return true;
}

// The inputs of the design must obey AXI4-Stream. Otherwise the reaction of the design has no
// meaning.
void Replay::check_held(const TraceLine& line, std::size_t i) const {
  const Line& before = expected_[i];
  if (model_.streams.first()[line.stream].role != Role::input || table_[line.stream].payload_bits == 0) return;
  if (before.ready || cycle_ == 0 || before.cycle != cycle_ - 1) return;
  const std::uint32_t* held = &payloads_[i * kPayloadWords];
  if (line.header != before.header || !std::equal(held, held + kPayloadWords, line.payload.begin())) {
    throw trace_.error(line.number, "the message of " + stream_text(i) +
                                        " changes while it waits: AXI4-Stream holds it until it is taken");
  }
}

// Inputs of the design follow the trace. Values that the trace does not have are random,
// because they must not matter. In reset inputs may be valid.
void Replay::drive() {
  for (std::size_t k = 0; k < paces_.size(); ++k) {
    if (phase_ == Phase::trace) {
      model_.clocks[k].link_pace.set(paces_[k].links.data());
    } else {
      model_.clocks[k].link_pace.randomize(random_);
    }
  }
  each_driven([this](Stream& stream, std::size_t i) {
    const bool valid = expected_valid(i);
    if (stream.role == Role::input) {
      const bool pushes = closed() && pushes_in_reset(i);
      stream.valid.bit(valid || pushes);
      if (valid) {
        stream.header.set(expected_[i].header);
        stream.payload.set(payload(i));
      } else {
        stream.header.randomize(random_);
        stream.payload.randomize(random_);
        if (pushes && last_life()) stream.header.set(0);  // malformed: wc is 1 or more
      }
    } else if (stream.role == Role::output) {
      const bool idle = idle_ready(i);
      stream.ready.bit(valid ? expected_[i].ready : idle);
    }
  });
}

// While an output is idle, its receiver may be ready or not for any time: a design that
// confuses an idle output with a blocked one shows only if ready is low for a long time.
bool Replay::idle_ready(std::size_t i) {
  if (random_.word() % 64 == 0) moods_[i] = static_cast<Mood>(random_.word() % 3);
  return moods_[i] == Mood::toss ? random_.coin() : moods_[i] == Mood::accept;
}

// Compares every stream and pace. Nearly all cycles are equal, which is checked quickly; only
// in the others the streams are compared one by one, to report differences in order.
void Replay::compare() {
  if (equal()) {
    values_ += outputs_;
    for (const Now& now : lines_now_) {
      const Stream stream = model_.streams.at(now.node, now.name);
      values_ += line_values(stream);
      if (!report_.full()) account(stream, now.i);
    }
  } else {
    for (std::size_t i = 0; i < model_.streams.size() && !report_.full(); ++i) {
      compare_stream(i);
      if (phase_ == Phase::trace) account(model_.streams[i], i);
    }
  }
  compare_paces();
  if (network_ && !report_.full()) compare_any_error();
  const std::string stray = model_.stray();
  if (!stray.empty() && !report_.full()) report_.fail(0, when() + ", " + stray);
}

// Whether the design agrees with the trace in this cycle: each line matches, and no other
// stream is valid.
bool Replay::equal() {
  if (model_.valid_outputs() != outputs_now_) return false;
  std::atomic<bool> same{true};
  pool_.each(lines_now_.size(), [this, &same](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (!fits(lines_now_[k])) same = false;
    }
  });
  return same;
}

bool Replay::fits(const Now& now) const {
  const Stream stream = model_.streams.at(now.node, now.name);
  const Line& expected = expected_[now.i];
  if (!stream.valid.bit()) return false;
  if (stream.role == Role::pulse) return true;
  if (stream.role != Role::output && stream.ready.bit() != expected.ready) return false;
  return stream.role == Role::input ||
         (header(stream) == expected.header && stream.payload.equals(&payloads_[now.i * kPayloadWords]));
}

// The number of values of a stream that are compared with a line, besides the valid of the design.
std::uint64_t Replay::line_values(const Stream& stream) {
  const unsigned data = stream.header.width() > 0 ? 2 : 1;
  switch (stream.role) {
    case Role::input: return 1;
    case Role::output: return data;
    case Role::internal: return 1 + data;
    default: return 0;
  }
}

void Replay::compare_stream(std::size_t i) {
  const Stream stream = model_.streams[i];
  const Line& expected = expected_[i];
  const bool valid = expected_valid(i);
  const auto bit = [](bool value) { return std::string(value ? "1" : "0"); };

  if (stream.role == Role::pulse) {
    ++values_;
    if (stream.valid.bit() != valid)
      differ(i, table_[stream.name].kind == Kind::header_error ? "header_error" : "destination_error", bit(valid),
             bit(!valid));
    return;
  }
  if (stream.role != Role::input) {
    ++values_;
    if (stream.valid.bit() != valid) {
      std::uint64_t wanted = expected.header;
      if (valid) {
        std::copy(payload(i), payload(i) + kPayloadWords, seen_.begin());
      } else {
        wanted = header(stream);
        stream.payload.get(seen_.data());
      }
      const std::string head = stream.header.width() > 0 ? "header " + describe(i, wanted) + ", " : "";
      const std::string message = " with " + head + "payload " + payload_text(seen_.data());
      differ(i, "valid", bit(valid) + (valid ? message : ""), bit(!valid) + (valid ? "" : message));
      return;
    }
  }
  if (!valid) return;
  if (stream.role != Role::output) {
    ++values_;
    if (stream.ready.bit() != expected.ready) differ(i, "ready", bit(expected.ready), bit(!expected.ready));
  }
  if (stream.role == Role::input) return;
  values_ += stream.header.width() > 0 ? 2 : 1;
  const std::uint64_t got = header(stream);
  if (got != expected.header) differ(i, "header", describe(i, expected.header), describe(i, got));
  if (!stream.payload.equals(payload(i))) {
    stream.payload.get(seen_.data());
    differ(i, "payload", payload_text(payload(i)), payload_text(seen_.data()));
  }
}

// In and after a reset every pace is 0.
void Replay::compare_paces() {
  for (std::size_t k = 0; k < paces_.size(); ++k) {
    const std::string name = model_.clocks[k].name;
    const auto bits = static_cast<unsigned>(model_.clocks[k].pace.width());
    const Wires expected_paces = wires_of(paces_[k].nodes);
    for (std::uint32_t node = 0; node < model_.streams.nodes() && !report_.full(); ++node) {
      ++values_;
      const std::uint32_t expected = phase_ == Phase::trace ? expected_paces.get(std::size_t{bits} * node, bits) : 0;
      std::uint32_t got[1];
      model_.clocks[k].pace.after(node).get(got);
      if (got[0] == expected) continue;
      const std::uint32_t number = first_node_ + node;
      std::string lines = context(number, kNoStream);
      if (phase_ == Phase::trace) {
        lines += "  > " + trace_.path() + ":" + std::to_string(paces_[k].number) + ": " + std::to_string(cycle_) + " " +
                 std::to_string(network_ ? 0 : number) + " " + name + " 1 - ..\n";
      }
      report_.fail(network_ ? node : pace_case_,
                   when() + ", node " + std::to_string(number) + ", " + name + ": expected " +
                       std::to_string(expected) + ", got " + std::to_string(got[0]),
                   lines);
    }
  }
}

// The network shows the OR of all errors of a kind.
void Replay::compare_any_error() {
  for (std::size_t k = 0; k < any_errors_.size() && !report_.full(); ++k) {
    ++values_;
    const Expected& expected = any_errors_[k];
    const bool got = model_.any_errors[k].wire.bit();
    if (got == expected.set) continue;
    report_.fail(network_case_,
                 when() + ", " + (expected.set ? "node " + std::to_string(expected.node) : "some node") + ", " +
                     model_.any_errors[k].name + " of the network: expected " + (got ? "0, got 1" : "1, got 0"),
                 expected.set ? context(expected.node, expected.stream) : "");
  }
  for (const AnyError& error : model_.any_errors) compare_node_errors(error);
}

// Bit n shows the errors of router n, which are also compared as streams.
void Replay::compare_node_errors(const AnyError& error) {
  if (error.nodes.width() == 0) return;
  std::vector<char> expected(kNodes);
  for (std::size_t i = 0; i < model_.streams.size(); ++i) {
    const Stream stream = model_.streams[i];
    if (table_[stream.name].kind == error.kind && stream.valid.bit()) expected[stream.node] = 1;
  }
  values_ += kNodes;
  for (std::uint32_t n = 0; n < kNodes && !report_.full(); ++n) {
    const bool got = error.nodes.after(n).bit();
    if (got == (expected[n] != 0)) continue;
    report_.fail(network_case_, when() + ", node_" + error.name + "[" + std::to_string(n) +
                                    "] of the network: expected " + (got ? "0, got 1" : "1, got 0"));
  }
}

// Counts what the design did on a stream.
void Replay::account(const Stream& stream, std::size_t i) {
  if (!stream.valid.bit()) return;
  Tally& tally = tallies_[i];
  if (stream.role == Role::pulse) {
    ++tally.transfers;
    if (table_[stream.name].kind == Kind::header_error && expected_[i].cycle == cycle_) ++header_errors_;
    return;
  }
  const bool ready = stream.ready.bit();
  ++(ready ? tally.transfers : tally.stalls);
  if (!network_) {
    if (stream.role == Role::input) offering_[i] = !ready;
    return;
  }
  switch (table_[stream.name].kind) {
    case Kind::s_local:
      if (!offering_[i]) {
        const std::uint64_t head = header(stream);
        stream.payload.get(seen_.data());
        const std::uint64_t receivers = scoreboard_.offered(stream.node, head, seen_.data());
        under_way_.offered(stream.node, cycle_, offer_identity(stream.node, head, seen_.data()), receivers);
      }
      offering_[i] = !ready;
      if (!ready) break;
      scoreboard_.injected(cycle_);
      under_way_.injected(stream.node, cycle_);
      break;
    case Kind::m_local:
      if (!ready) break;
      check_delivery(stream, i);
      under_way_.delivered(cycle_, delivery_identity(header(stream), seen_.data()));
      break;
    default: break;
  }
}

void Replay::check_delivery(const Stream& stream, std::size_t i) {
  stream.payload.get(seen_.data());
  const std::string wrong = scoreboard_.delivered(stream.node, cycle_, header(stream), seen_.data());
  if (wrong.empty()) return;
  report_.fail(test_case(i), "cycle " + std::to_string(cycle_) + ", " + stream_text(i) + ": " + wrong,
               context(stream.node, kNoStream));
}

// After the trace: offered messages stay valid until they are taken, every receiver is
// ready, and no new message is offered.
void Replay::drain() {
  const std::uint64_t limit = cycle_ + 2 * kPatience + kHop * (64 * kNodes + 8 * scoreboard_.missing());
  const auto moves = [this] {
    return network_ ? scoreboard_.injections() + scoreboard_.deliveries() : read_back_.moves();
  };
  std::uint64_t last_move = cycle_;
  while (idle_ < kIdle && !report_.full()) {
    const std::uint64_t before = moves();
    const std::uint64_t now = cycle_;
    drain_settle();
    drain_edge();
    if (moves() != before) last_move = now;
    if (idle_ == 0 && (now - last_move > kPatience || now > limit)) {
      if (!network_) {
        report_.fail(0, "deadlock: all receivers are ready, but a message has not left the router " +
                            std::to_string(drain_cycles_) + " cycles after the end of the trace (nothing since cycle " +
                            std::to_string(last_move) + ")");
        return;
      }
      report_.fail(network_case_, "deadlock: all receivers are ready, but " + std::to_string(scoreboard_.missing()) +
                                      " deliveries have not come " + std::to_string(drain_cycles_) +
                                      " cycles after the end of the trace (nothing since cycle " +
                                      std::to_string(last_move) + ")");
      return;
    }
  }
  for (std::uint32_t node = 0; network_ && node < kNodes && !report_.full(); ++node) {
    const std::string wrong = scoreboard_.complete(node);
    if (!wrong.empty()) report_.fail(node, "node " + std::to_string(node) + ": " + wrong);
  }
}

void Replay::check_counters() {
  read_back_.check_counters([this] { drain_settle(); }, [this] { drain_edge(); }, "read after the trace");
}

// Both halves of a cycle of drain().
void Replay::drain_settle() {
  same_paces();
  each_driven([this](Stream& stream, std::size_t i) {
    if (stream.role == Role::output) stream.ready.bit(true);
    if (stream.role != Role::input) return;
    stream.valid.bit(offering_[i]);
    if (!offering_[i]) stream.payload.randomize(random_);
  });
  settle();
  busy_ = model_.valid_outputs() > 0;
  for (const AnyError& error : model_.any_errors) {
    // A message on offer in the last cycle of the trace may have an illegal destination.
    if (error.kind == Kind::destination_error || !error.wire.bit() || report_.full()) continue;
    busy_ = true;
    report_.fail(network_case_, "cycle " + std::to_string(cycle_) + ", " + error.name +
                                    " of the network after the end of the trace: expected 0, got 1");
  }
  each_driven([this](const Stream& stream, std::size_t i) {
    if (report_.full() || !stream.valid.bit()) return;
    busy_ = true;
    if (network_ && stream.role == Role::output) check_delivery(stream, i);
    if (stream.role == Role::input && stream.ready.bit()) {
      offering_[i] = false;
      if (network_) scoreboard_.injected(cycle_);
    }
  });
}

void Replay::drain_edge() {
  edge();
  idle_ = busy_ ? 0 : idle_ + 1;
  if (busy_) drain_cycles_ = cycle_ + 1 - cycles_;
  ++cycle_;
}

// Moves the lines of this cycle to the history.
void Replay::remember() {
  for (const Now& now : lines_now_) {
    History& history = history_[now.node];
    history.lines[history.next] = expected_[now.i];
    const std::size_t at = now.node * kHistory + history.next;
    std::copy_n(payload(now.i), kPayloadWords, &history_payloads_[at * kPayloadWords]);
    history.next = (history.next + 1) % kHistory;
  }
}

std::uint64_t Replay::header(const Stream& stream) const { return stream.header.get(); }

// A header in hex and by fields.
std::string Replay::describe(std::size_t i, std::uint64_t value) const {
  const StreamName& name = table_[model_.streams[i].name];
  std::string text = hex(value, name.header_bits);
  const auto field = [&value](const char* what, unsigned bits) {
    const std::uint64_t x = value & ((std::uint64_t{1} << bits) - 1);
    value >>= bits;
    return std::string(what) + " " + std::to_string(x);
  };
  std::string parts;
  const auto add = [&parts](const std::string& part) { parts = part + (parts.empty() ? "" : ", " + parts); };
  if (kSourceBits > 0) add(field("source", kSourceBits));
  if (kLast) add(field("last", 1));
  if (kScopeBits > 0) add(field("scope", kScopeBits));
  if (name.kind == Kind::m_local) return text + " (" + parts + ")";
  if (kRouteBits > 0) add(field("route", kRouteBits));
  if (kSpreadBits > 0) add(field("spread", kSpreadBits));
  add(field("wc", kWcBits));
  add(field("wd", kWdBits));
  return text + " (" + parts + ")";
}

std::string Replay::payload_text(const std::uint32_t* words) const { return hex(words, kPayloadBits); }

// The cycle, and its phase if it is not part of the trace.
std::string Replay::when() const {
  const std::string cycle = "cycle " + std::to_string(cycle_);
  switch (phase_) {
    case Phase::life: return "disturbed " + cycle;
    case Phase::reset: return "reset " + cycle;
    case Phase::configuration: return "configuration " + cycle;
    case Phase::after_reset: return "first cycle after a reset";
    default: return cycle;
  }
}

std::string Replay::stream_text(std::size_t i) const {
  const Stream stream = model_.streams[i];
  const StreamName& name = table_[stream.name];
  return "node " + std::to_string(stream.node) + ", stream " + name.text +
         (name.port < 0 ? "" : " (port " + std::to_string(name.port) + ")");
}

// A line as in the trace, formatted again, because a pipe cannot be read twice.
std::string Replay::line_text(std::uint32_t node, const Line& line, const std::uint32_t* payload) const {
  const StreamName& name = table_[line.name];
  return std::to_string(line.cycle) + " " + std::to_string(node) + " " + name.text + (line.ready ? " 1 " : " 0 ") +
         (name.header_bits > 0 ? hex(line.header, name.header_bits) : "-") + " " +
         (name.payload_bits > 0 ? payload_text(payload) : "-");
}

// The lines of a node before this cycle, and the expected line of a stream.
std::string Replay::context(std::uint32_t node, std::size_t here) const {
  std::string text;
  const auto show = [&](const Line& line, const std::uint32_t* payload, const char* mark) {
    if (line.number == 0) return;
    text += mark + trace_.path() + ":" + std::to_string(line.number) + ": " + line_text(node, line, payload) + "\n";
  };
  const std::size_t n = node - first_node_;
  for (std::size_t k = 0; k < kHistory; ++k) {
    const std::size_t at = (history_[n].next + k) % kHistory;
    show(history_[n].lines[at], &history_payloads_[(n * kHistory + at) * kPayloadWords], "    ");
  }
  if (here != kNoStream) show(expected_[here], &payloads_[here * kPayloadWords], "  > ");
  return text;
}

void Replay::differ(std::size_t i, const std::string& what, const std::string& expected, const std::string& got) {
  if (report_.full()) return;
  report_.fail(test_case(i), when() + ", " + stream_text(i) + ": " + what + ": expected " + expected + ", got " + got,
               context(model_.streams[i].node, expected_valid(i) ? i : kNoStream));
}

}  // namespace hc
