// SPDX-License-Identifier: Apache-2.0
//
// Measures the simulation speed of <machine>_network, which <machine>_load instantiates. Compares nothing.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include "Vload.h"
#include "bench.h"
#include "bench_config.h"
#include "verilated.h"

namespace hc {

namespace {

constexpr unsigned kReset = 4;  // cycles in reset

void cycle(Vload& top) {
  top.clk = 0;
  top.eval();
  top.clk = 1;
  top.eval();
}

/// The number of ones in a port of any width.
template <class Port>
unsigned ones(const Port& port) {
  unsigned count = 0;
  for (std::size_t at = 0; at < sizeof port; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const unsigned char*>(&port) + at, std::min(sizeof word, sizeof port - at));
    count += static_cast<unsigned>(__builtin_popcountll(word));
  }
  return count;
}

int run(const Options& options) {
  if (!options.golden.empty() || !options.waves.empty() || !options.junit.empty() || !options.result.empty() ||
      options.require_stalls || options.threads > 0) {
    throw OptionError("a run for speed has +free-run=CYCLES and +seed=N only");
  }
  VerilatedContext context;
  Vload top(&context);

  top.seed = options.seed;
  top.rst = 1;
  for (unsigned i = 0; i < kReset; ++i) cycle(top);
  top.rst = 0;
  std::uint64_t deliveries = 0;
  const std::clock_t start = std::clock();
  for (std::uint64_t i = 0; i < options.free_run; ++i) {
    cycle(top);
    deliveries += ones(top.delivered);
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  top.final();

  const double routers = static_cast<double>(options.free_run) * kNodes;
  std::printf(
      "free run: %llu cycles of %u routers in %.2f s of processor time, %.2f million router cycles per second, "
      "%.3f deliveries per node and cycle, nothing compared\n",
      static_cast<unsigned long long>(options.free_run), static_cast<unsigned>(kNodes), seconds,
      routers / seconds / 1e6, static_cast<double>(deliveries) / routers);
  return 0;
}

}  // namespace

}  // namespace hc

int main(int argc, char** argv) {
  try {
    const hc::Options options = hc::parse_options(argc, argv);
    if (options.help) {
      std::printf("usage: %s +free-run=CYCLES [+seed=N]\n", argv[0]);
      return 0;
    }
    return hc::run(options);
  } catch (const hc::OptionError& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  }
}
