// SPDX-License-Identifier: Apache-2.0

#include "machine.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>

#include "configured.h"
#include "replay.h"

namespace hc {

namespace {

constexpr unsigned bits(unsigned n) { return n == 0 ? 0 : 1 + bits(n / 2); }

// A receiver finds the source of a message in its id or, if the payload is wide enough,
// in the lowest bits of the payload.
constexpr unsigned kAddressBits = bits(kNodes - 1);
constexpr bool kInPayload = kSourceBits == 0 && kAddressBits <= 32 && kPayloadBits >= kAddressBits + 6;
constexpr bool kSourceKnown = kSourceBits > 0 || kInPayload;

class Run {
 public:
  Run(Model& model, const StreamTable& table, const Options& options, Report& report)
      : model_(model),
        report_(report),
        topology_({std::begin(kRings), std::end(kRings)}),
        seed_(options.seed),
        random_(options.seed),
        board_(kNodes),
        under_way_(kNodes),
        nodes_(kNodes),
        paces_(kNodes),
        payload_(kPayloadWords),
        wanted_(kPayloadWords) {
    for (std::uint32_t node = 0; node < kNodes; ++node) {
      for (const Stream& stream : model.streams.first()) {
        const Kind kind = table[stream.name].kind;
        if (kind == Kind::s_local) offers_.push_back(model.streams.at(node, stream.name));
        if (kind == Kind::m_local) deliveries_.push_back(model.streams.at(node, stream.name));
      }
      nodes_[node].always = Random::mix(seed_ + node) % 4 != 0;
    }
    ready_.resize(deliveries_.size());
    // Order is checked at the number of receivers that memory allows.
    const std::size_t receivers =
        kSourceKnown ? std::clamp<std::size_t>((std::size_t{1} << 24) / kNodes, 1, kNodes) : 0;
    next_.resize(receivers * kNodes);
    once_case_ = report.add("exactly once, in order");
    pace_case_ = report.add("paces of neighbours");
    fair_case_ = report.add("injections");
    wait_case_ = report.add("waits for injection");
    for (std::uint32_t other = 1; other < kNodes; ++other) {
      wait_bound_ += 2 * kLead * topology_.distance(0, other) + kWaitSlack;
    }
  }

  void reset() {
    constexpr unsigned kReset = 4;  // cycles
    model_.reset(true);
    for (Stream& offer : offers_) offer.valid.bit(false);
    for (unsigned cycle = 0; cycle < kReset; ++cycle) {
      model_.settle();
      model_.edge();
    }
    model_.reset(false);
    model_.configure([this] { model_.settle(); }, [this] { model_.edge(); });
  }

  FreeRun load(std::uint64_t cycles) {
    const std::clock_t start = std::clock();
    for (; cycle_ < cycles && !report_.full(); ++cycle_) {
      if (cycle_ < cycles / 2) {
        crowd();
      } else {
        stream(cycle_ - cycles / 2);
      }
      step();
    }
    FreeRun run;
    run.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    run.injections = board_.injections();
    run.deliveries = board_.deliveries();
    run.times = under_way_.times(cycle_);
    run.wait_bound = wait_bound_;
    for (std::uint32_t n = 0; n < kNodes; ++n) check_wait(n, under_way_.passed(n));
    return run;
  }

  std::uint64_t drain() {
    idle();
    const std::uint64_t start = cycle_;
    std::uint64_t last_move = cycle_, moves = board_.injections() + board_.deliveries();
    for (std::uint64_t idle = 0; idle < kIdle && !report_.full(); ++cycle_) {
      step();
      idle = busy_ ? 0 : idle + 1;
      if (moves != board_.injections() + board_.deliveries()) last_move = cycle_;
      moves = board_.injections() + board_.deliveries();
      if (cycle_ - last_move > kPatience + kIdle) {
        fail(once_case_, "deadlock: all receivers are ready, but " + std::to_string(board_.missing()) +
                             " deliveries have not come (nothing since cycle " + std::to_string(last_move) + ")");
        return cycle_ - start;
      }
    }
    for (std::uint32_t node = 0; node < kNodes; ++node) {
      const std::string wrong = board_.complete(node);
      if (!wrong.empty()) fail(once_case_, "node " + std::to_string(node) + ": " + wrong);
    }
    return cycle_ - start - std::min(kIdle, cycle_ - start);
  }

 private:
  struct Node {
    bool always = false;  // always offers a message, in a crowd
    bool wants = false;   // to offer a message in this cycle, unless one is on offer
    bool offering = false;
    std::uint64_t offered = 0;  // messages
    std::uint64_t injected = 0;
  };

  // Most nodes always offer a message, the others now and then.
  void crowd() {
    // Numbers of cycles, out of 256, in which a receiver is not ready. Each number applies for 256 cycles.
    constexpr std::uint32_t kStalls[] = {26, 0, 128, 26, 230};
    const std::uint32_t stall = kStalls[cycle_ / 256 % std::size(kStalls)];
    crowd_ = true;
    for (Node& node : nodes_) node.wants = node.always || random_.word() % 64 == 0;
    for (char& ready : ready_) ready = random_.word() >> 24 >= stall;
  }

  // A few nodes always offer a message. In each episode one receiver stalls briefly and one
  // other node offers a single message; nothing else interrupts the streams of the few.
  void stream(std::uint64_t cycle) {
    constexpr std::uint64_t kEpisode = 1024;  // cycles
    constexpr std::uint32_t kMost = 3;        // nodes
    constexpr std::uint64_t kStall = 10;      // cycles
    crowd_ = false;
    const std::uint64_t now = cycle % kEpisode;
    if (now == 0) {
      few_.resize(1 + random_.word() % kMost);
      for (std::uint32_t& node : few_) node = any_node();
      stalled_ = any_node();
      stall_ = 64 + random_.word() % 128;
      single_ = any_node();
      offer_ = stall_ + random_.word() % (2 * kStall);
    }
    for (Node& node : nodes_) node.wants = false;
    for (const std::uint32_t node : few_) nodes_[node].wants = true;
    if (now == offer_) nodes_[single_].wants = true;
    const bool stalls = now >= stall_ && now < stall_ + kStall;
    for (std::size_t i = 0; i < ready_.size(); ++i) ready_[i] = !stalls || deliveries_[i].node != stalled_;
  }

  // Nothing new is offered, and all receivers are ready.
  void idle() {
    crowd_ = false;
    for (Node& node : nodes_) node.wants = false;
    for (char& ready : ready_) ready = true;
  }

  std::uint32_t any_node() { return random_.word() % kNodes; }

  void step() {
    for (std::uint32_t n = 0; n < kNodes; ++n) offer(n);
    for (std::size_t i = 0; i < deliveries_.size(); ++i) deliveries_[i].ready.bit(ready_[i]);
    model_.settle();
    busy_ = false;
    check_paces();
    for (const AnyError& error : model_.any_errors) {
      if (error.wire.bit()) fail(once_case_, at() + error.name + ": expected 0, got 1");
    }
    for (const Stream& delivery : deliveries_) {
      if (!delivery.valid.bit()) continue;
      busy_ = true;
      if (delivery.ready.bit()) take(delivery);
    }
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      if (!nodes_[n].offering) continue;
      busy_ = true;
      if (!offers_[n].ready.bit()) continue;
      nodes_[n].offering = false;
      ++nodes_[n].injected;
      board_.injected(cycle_);
      check_wait(n, under_way_.injected(n, cycle_));
      if (crowd_ && nodes_[n].always) check_ahead(n);
    }
    busy_ = busy_ || model_.valid_outputs() > 0;
    model_.edge();
  }

  // Makes a node offer its next message, if it wants to.
  void offer(std::uint32_t n) {
    Node& node = nodes_[n];
    if (!node.offering && node.wants) {
      node.offering = true;
      message(n, node.offered++);
      offers_[n].payload.set(wanted_.data());
      const std::uint64_t header = kDestination ? broadcast_destination() : 0;
      offers_[n].header.set(header);
      const std::uint64_t receivers = board_.offered(n, header, wanted_.data());
      under_way_.offered(n, cycle_, offer_identity(n, header, wanted_.data()), receivers);
    }
    offers_[n].valid.bit(node.offering);
    if (!node.offering) {
      offers_[n].payload.randomize(random_);
      offers_[n].header.randomize(random_);
    }
  }

  // Writes message k of a source to wanted_.
  void message(std::uint32_t source, std::uint64_t k) {
    std::uint64_t state = Random::mix((seed_ + (std::uint64_t{source} << 32)) ^ Random::mix(k));
    for (std::uint32_t& word : wanted_) word = static_cast<std::uint32_t>(state = Random::mix(state + 1));
    if (kInPayload) {
      constexpr std::uint64_t kMask = (std::uint64_t{1} << kAddressBits) - 1;
      wanted_[0] = static_cast<std::uint32_t>((wanted_[0] & ~kMask) | source);
    }
    if (kPayloadBits % 32 != 0) wanted_.back() &= (1U << kPayloadBits % 32) - 1;
  }

  void take(const Stream& delivery) {
    const std::uint32_t n = delivery.node;
    delivery.payload.get(payload_.data());
    const std::uint64_t header = delivery.header.get();
    auto source = static_cast<std::uint32_t>(header & ((std::uint64_t{1} << kSourceBits) - 1));
    const std::string wrong = board_.delivered(n, cycle_, header, payload_.data());
    under_way_.delivered(cycle_, delivery_identity(header, payload_.data()));
    if (!wrong.empty()) fail(once_case_, at(n) + wrong);
    if (std::size_t{n} * kNodes >= next_.size()) return;
    if (kInPayload) source = payload_[0] & static_cast<std::uint32_t>((std::uint64_t{1} << kAddressBits) - 1);
    if (source >= kNodes || source == n) {
      fail(once_case_, at(n) + "a message of node " + std::to_string(source) + " is delivered");
      return;
    }
    std::uint32_t& next = next_[std::size_t{n} * kNodes + source];
    if (next < nodes_[source].offered) message(source, next);
    if (next >= nodes_[source].offered || wanted_ != payload_) {
      fail(once_case_, at(n) + "not message " + std::to_string(next) + " of node " + std::to_string(source) +
                           ": one was lost, changed, doubled or overtaken");
    }
    ++next;
  }

  void check_paces() {
    for (std::uint32_t n = 0; n < kNodes; ++n) model_.clocks.front().pace.after(n).get(&paces_[n]);
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      for (std::uint32_t p = 0; p < kDegree; ++p) {
        const std::uint32_t other = topology_.neighbor(n, p);
        if (((paces_[other] - paces_[n] + kLead) & ((1U << kPaceBits) - 1)) <= 2 * kLead || other < n) continue;
        fail(pace_case_, at(n) + "pace " + std::to_string(paces_[n]) + ", but that of its neighbour " +
                             std::to_string(other) + " is " + std::to_string(paces_[other]));
      }
    }
  }

  // The node has injected, so only its lead over others can have become too large.
  void check_ahead(std::uint32_t n) {
    for (std::uint32_t other = 0; other < kNodes; ++other) {
      if (!nodes_[other].always || nodes_[n].injected <= nodes_[other].injected + kFairSlack) continue;
      const std::uint64_t most = kLead * topology_.distance(n, other) + kFairSlack;
      if (nodes_[n].injected <= nodes_[other].injected + most) continue;
      fail(fair_case_, at(n) + std::to_string(nodes_[n].injected) + " injections, more than " + std::to_string(most) +
                           " ahead of node " + std::to_string(other) + " with " +
                           std::to_string(nodes_[other].injected));
      return;
    }
  }

  void check_wait(std::uint32_t n, std::uint64_t passed) {
    if (passed <= wait_bound_) return;
    fail(wait_case_, at(n) + std::to_string(passed) +
                         " injections of other nodes while it waits for its own, more than " +
                         std::to_string(wait_bound_));
  }

  std::string at() const { return "cycle " + std::to_string(cycle_) + ", "; }
  std::string at(std::uint32_t node) const { return at() + "node " + std::to_string(node) + ": "; }
  void fail(std::size_t test_case, const std::string& message) {
    if (!report_.full()) report_.fail(test_case, message);
  }

  Model& model_;
  Report& report_;
  const Topology topology_;
  const std::uint64_t seed_;
  Random random_;
  Scoreboard board_;
  UnderWay under_way_;
  std::vector<Stream> offers_, deliveries_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> paces_;
  std::vector<std::uint32_t> payload_, wanted_;
  std::vector<std::uint32_t> next_;  // next message that a receiver gets from a source
  std::uint64_t cycle_ = 0;
  std::uint64_t wait_bound_ = 0;            // injections of other nodes
  bool crowd_ = false;                      // nodes that always offer a message have done so since the reset
  std::vector<char> ready_;                 // by stream of deliveries_, in this cycle
  std::vector<std::uint32_t> few_;          // nodes
  std::uint32_t stalled_ = 0, single_ = 0;  // receiver, node
  std::uint64_t stall_ = 0, offer_ = 0;     // cycles of the episode
  bool busy_ = false;
  std::size_t once_case_ = 0, pace_case_ = 0, fair_case_ = 0, wait_case_ = 0;
};

}  // namespace

FreeRun free_run(Model& model, const StreamTable& table, const Options& options, Report& report) {
  Run run(model, table, options, report);
  run.reset();
  FreeRun result = run.load(options.free_run);
  if (!report.full()) result.drain_cycles = run.drain();
  return result;
}

namespace {

unsigned long long llu(std::uint64_t value) { return value; }

// Every stream that the trace uses must have transferred a message and must have stalled;
// otherwise the run does not test backpressure.
void require_stalls(const Model& model, const StreamTable& table, const Replay& replay, Report& report) {
  bool any = false;
  for (std::size_t i = 0; i < model.streams.size(); ++i) {
    const Stream stream = model.streams[i];
    const StreamName& name = table[stream.name];
    const Tally& tally = replay.tallies()[i];
    if (tally.lines == 0 || name.errors()) continue;
    any = true;
    const std::string where = "node " + std::to_string(stream.node) + ", stream " + name.text;
    if (tally.transfers == 0) report.fail(replay.test_case(i), where + ": never transferred");
    if (tally.stalls == 0) report.fail(replay.test_case(i), where + ": never stalled");
  }
  if (!any) report.fail(0, "no stream of the trace is ever valid");
}

// Statistics for the JUnit report: totals by name of stream as properties, each
// stream in the output of its test case.
void add_statistics(const Model& model, const StreamTable& table, const TraceReader& trace, const Replay& replay,
                    Report& report) {
  report.property("config", kConfigHash);
  report.property("verilator", Verilated::productVersion());
  report.property("cycles", replay.cycles());
  report.property("lines", trace.lines());
  report.property("values_compared", replay.values());
  report.property("header_errors", replay.header_errors());
  std::vector<Tally> totals(table.size());
  for (std::size_t i = 0; i < model.streams.size(); ++i) {
    const Tally& tally = replay.tallies()[i];
    const std::uint32_t name = model.streams[i].name;
    totals[name].transfers += tally.transfers;
    totals[name].stalls += tally.stalls;
    if (tally.transfers + tally.stalls == 0) continue;
    report.output(replay.test_case(i), table[name].text + ": " + std::to_string(tally.transfers) + " transfers, " +
                                           std::to_string(tally.stalls) + " stalls\n");
  }
  for (std::size_t s = 0; s < table.size(); ++s) {
    if (table[s].errors()) continue;
    report.property("transfers." + table[s].text, totals[s].transfers);
    report.property("stalls." + table[s].text, totals[s].stalls);
  }
}

std::string summary(const Model& model, const StreamTable& table, const Replay& replay, const Report& report) {
  Tally total;
  for (std::size_t i = 0; i < model.streams.size(); ++i) {
    if (table[model.streams[i].name].errors()) continue;
    total.transfers += replay.tallies()[i].transfers;
    total.stalls += replay.tallies()[i].stalls;
  }
  return std::to_string(replay.cycles()) + " cycles, " + std::to_string(model.streams.size()) + " streams, " +
         std::to_string(replay.values()) + " values compared, " + std::to_string(total.transfers) + " transfers, " +
         std::to_string(total.stalls) + " stalls, " + std::to_string(replay.header_errors()) +
         " expected header errors, " + std::to_string(report.failures()) + " mismatches";
}

// Adds the times of the messages as properties.
void add_times(const Times& times, Report& report) {
  if (times.measured()) {
    report.property("longest_under_way", times.under_way.cycles);
    report.property("longest_under_way_source", times.under_way.node);
    report.property("longest_under_way_from", times.under_way.from);
    report.property("most_injections_under_way", times.overtaken);
    report.property("undelivered", times.undelivered);
  }
  report.property("equal_messages", times.equal);
  report.property("longest_wait", times.wait.cycles);
  report.property("longest_wait_node", times.wait.node);
  report.property("longest_wait_from", times.wait.from);
}

void print_broadcasts(const Scoreboard& board, const Replay& replay, const Report& report) {
  if (board.injections() > 0 && board.deliveries() > 0) {
    std::printf(
        "latency: %lld cycles from the first injection (cycle %llu) to the last delivery (cycle %llu), "
        "%llu injections\n",
        static_cast<long long>(board.last_delivery()) - static_cast<long long>(board.first_injection()),
        llu(board.first_injection()), llu(board.last_delivery()), llu(board.injections()));
  }
  if (report.failures() == 0) {
    std::printf("exactly once: %llu messages, %llu deliveries, network empty %llu cycles after the trace\n",
                llu(board.offers()), llu(board.deliveries()), llu(replay.drain_cycles()));
  }
}

// A network of programmable routers is configured once more, under load.
void check_reload(const Options& options, Model& model, const StreamTable& table, ReadBack& read_back, Report& report) {
  const Reload got = reload(model, table, options.seed, read_back);
  if (!got.after.empty()) report.fail(0, "after it was configured again under load: " + got.after);
  if (got.taken > 0 && got.deliveries == got.wanted && got.wrong.empty()) {
    std::printf("configured again under load: %llu messages taken, %llu deliveries before the routers open again\n",
                llu(got.taken), llu(got.deliveries));
    return;
  }
  report.fail(0, "configured again under load: " + std::to_string(got.taken) + " messages taken, expected " +
                     std::to_string(got.wanted) + " deliveries before the routers open again, got " +
                     std::to_string(got.deliveries) + (got.wrong.empty() ? "" : "; " + got.wrong));
}

// Prints the cost of a long run.
void print_speed(const Model& model, const Replay& replay, const Pool& pool, double seconds) {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const double routers = static_cast<double>(replay.all_cycles()) * model.streams.nodes();
  std::printf(
      "speed: %llu cycles of %u routers in %.1f s on %u threads, %.2f million router cycles per second; "
      "%.0f million stream cycles compared; %ld MB\n",
      llu(replay.all_cycles()), model.streams.nodes(), seconds, pool.threads(), routers / seconds / 1e6,
      static_cast<double>(replay.cycles()) * static_cast<double>(model.streams.size()) / 1e6, usage.ru_maxrss / 1024);
}

// Options that only some of the benches have.
void check_options(const Options& options, const std::string& top) {
  if (top == "array" && !options.waves.empty()) {
    throw OptionError("+trace=" + options.waves + ": the array writes no waves; the other benches do");
  }
  if (top != "array" && options.threads > 0) {
    throw OptionError("+threads=" + std::to_string(options.threads) + ": only the array has threads");
  }
  if (top == "router" && options.free_run > 0) {
    throw OptionError("+free-run=" + std::to_string(options.free_run) + ": a router alone has no load; a network has");
  }
}

int run_free(const Options& options, const std::string& top, VerilatedContext& context, const StreamTable& table,
             Pool& pool, const ModelMaker& make) {
  const std::unique_ptr<Model> model = make(context, table, 0, pool);
  Report report(kMachine + ("_" + top) + ".free_run", options.max_mismatch);
  const FreeRun free = free_run(*model, table, options, report);
  model->finish();
  const double routers = static_cast<double>(options.free_run) * model->streams.nodes();
  char text[200];
  std::snprintf(text, sizeof text,
                "%llu cycles of %u routers, %llu injections, %llu deliveries, %.3f per node and cycle, %llu mismatches",
                llu(options.free_run), model->streams.nodes(), llu(free.injections), llu(free.deliveries),
                static_cast<double>(free.deliveries) / routers, llu(report.failures()));
  const bool equal = report.failures() == 0;
  const std::string times = describe(free.times, "load") + ", " + std::to_string(free.times.passed) +
                            " injections of other nodes during a wait, of at most " + std::to_string(free.wait_bound);
  print_verdict(report, text);
  if (equal) std::printf("%s\n", times.c_str());
  std::printf("speed: %.2f s of processor time, %.2f million router cycles per second\n", free.seconds,
              routers / free.seconds / 1e6);
  if (!options.junit.empty()) {
    report.property("config", kConfigHash);
    report.property("verilator", Verilated::productVersion());
    report.property("cycles", options.free_run);
    report.property("injections", free.injections);
    report.property("deliveries", free.deliveries);
    if (equal) {
      add_times(free.times, report);
      report.property("longest_wait_injections", free.times.passed);
      report.property("longest_wait_injections_bound", free.wait_bound);
    }
    report.write_junit(options.junit);
  }
  if (!options.result.empty()) report.append_result(options.result, text + (equal ? "; " + times : ""));
  return equal ? kEqual : kDiffers;
}

int run(const Options& options, int argc, char** argv, const std::string& top, const ModelMaker& make) {
  const auto start = std::chrono::steady_clock::now();
  const bool network = top != "router";
  const StreamTable table(!network);
  const unsigned wanted = options.threads > 0 ? options.threads : std::thread::hardware_concurrency();
  Pool pool(top == "array" ? std::max(1U, wanted) : 1);
  VerilatedContext context;
  prepare(context, options, argc, argv);
  if (options.free_run > 0) return run_free(options, top, context, table, pool, make);

  TraceReader trace(options.golden, table);
  const std::uint32_t node = trace.more() && !network ? trace.line().node : 0;
  const std::unique_ptr<Model> model = make(context, table, node, pool);
  if (!options.waves.empty()) model->open_waves(options.waves);

  Report report(kMachine + ("_" + top) + "." + trace.traffic(), options.max_mismatch);
  Replay replay(*model, table, trace, options, report, pool);
  replay.run();
  if (options.require_stalls && report.failures() == 0) require_stalls(*model, table, replay, report);
  if ((network || kProgrammable) && report.failures() == 0) replay.drain();
  if (kProgrammable && report.failures() == 0) replay.check_counters();
  if (kProgrammable && network && report.failures() == 0) {
    check_reload(options, *model, table, replay.read_back(), report);
  }
  model->finish();
  if (replay.cycles() == 0) print_waves_hint(options);

  if (kProgrammable && report.failures() == 0) {
    std::printf("read over the bus: %llu registers, as the plan and the ports say\n",
                llu(replay.read_back().registers()));
  }
  const bool equal = report.failures() == 0;
  const std::string text = summary(*model, table, replay, report);
  // After a difference, deliveries may be missing or wrong.
  const std::string times = network && equal ? describe(replay.times(), "trace") : "";
  print_verdict(report, text);
  if (network) print_broadcasts(replay.scoreboard(), replay, report);
  if (!times.empty()) std::printf("%s\n", times.c_str());
  if (top == "array") {
    print_speed(*model, replay, pool, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  if (!options.junit.empty()) {
    add_statistics(*model, table, trace, replay, report);
    if (!times.empty()) add_times(replay.times(), report);
    report.write_junit(options.junit);
  }
  if (!options.result.empty()) report.append_result(options.result, text + (times.empty() ? "" : "; " + times));
  return equal ? kEqual : kDiffers;
}

}  // namespace

int bench_main(int argc, char** argv, const char* top, const ModelMaker& make) {
  return bench_program(argc, argv, std::string(kMachine) + "_" + top, [&](const Options& options) {
    check_options(options, top);
    return run(options, argc, argv, top, make);
  });
}

}  // namespace hc
