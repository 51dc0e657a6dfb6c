// SPDX-License-Identifier: Apache-2.0

#include "program.h"

#include <cstdio>
#include <exception>

#include "trace_lines.h"

namespace hc {

int bench_program(int argc, char** argv, const std::string& suite, const std::function<int(const Options&)>& run) {
  const std::string program = argc > 0 ? argv[0] : suite;
  Options options;
  try {
    options = parse_options(argc, argv);
    if (options.help) {
      std::fputs(usage(program).c_str(), stdout);
      return kEqual;
    }
    return run(options);
  } catch (const OptionError& e) {
    std::fprintf(stderr, "error: %s\n%s", e.what(), usage(program).c_str());
    return kBadInput;
  } catch (const TraceError& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    try {
      if (!options.junit.empty()) write_junit_error(options.junit, suite, e.what());
      if (!options.result.empty()) append_result(options.result, "broken", e.what());
    } catch (const std::exception& second) {
      std::fprintf(stderr, "error: %s\n", second.what());
    }
    return kBadInput;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return kFault;
  }
}

void prepare(VerilatedContext& context, const Options& options, int argc, char** argv) {
  context.threads(1);                                    // of a model; the default is one for each processor
  context.randReset(2);                                  // registers start at random, as --x-initial unique allows
  context.randSeed(static_cast<int>(options.seed) + 1);  // 0 would be a new seed in each run
  context.commandArgs(argc, argv);
  context.traceEverOn(!options.waves.empty());
}

void print_verdict(const Report& report, const std::string& summary) {
  const bool equal = report.failures() == 0;
  if (report.full()) {
    std::fprintf(stderr, "stopped after %llu mismatches (+max-mismatch=)\n",
                 static_cast<unsigned long long>(report.failures()));
  }
  std::printf("%s: %s: %s\n", equal ? "PASS" : "FAIL", report.suite().c_str(), summary.c_str());
}

}  // namespace hc
