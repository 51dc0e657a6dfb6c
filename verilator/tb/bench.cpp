// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

#include <sys/resource.h>

#include "bench_config.h"
#include "configured.h"
#include "free_run.h"
#include "options.h"
#include "pool.h"
#include "program.h"
#include "reload.h"
#include "replay.h"
#include "report.h"
#include "trace_reader.h"
#include "under_way.h"

namespace hc {

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
