// SPDX-License-Identifier: Apache-2.0

#include "free_run.h"

#include <ctime>
#include <vector>

#include "random.h"

namespace hc {

FreeRun free_run(Model& model, const StreamTable& table, std::uint64_t cycles, std::uint32_t seed) {
  constexpr unsigned kReset = 4;                        // cycles in reset
  constexpr std::uint32_t kStall = UINT32_MAX / 10;     // a receiver is not ready below this
  std::vector<Stream> offers;
  std::vector<Stream> deliveries;
  for (std::uint32_t node = 0; node < model.streams.nodes(); ++node) {
    for (const Stream& stream : model.streams.first()) {
      const Kind kind = table[stream.name].kind;
      if (kind == Kind::s_local) offers.push_back(model.streams.at(node, stream.name));
      if (kind == Kind::m_local) deliveries.push_back(model.streams.at(node, stream.name));
    }
  }
  Random random(seed);

  model.reset(true);
  for (Stream& offer : offers) offer.valid.bit(false);
  for (unsigned cycle = 0; cycle < kReset; ++cycle) {
    model.settle();
    model.edge();
  }
  model.reset(false);
  model.configure([&model] { model.settle(); }, [&model] { model.edge(); });
  for (Stream& offer : offers) {
    offer.valid.bit(true);
    offer.payload.randomize(random);
  }

  FreeRun run;
  std::vector<char> taken(offers.size());
  const std::clock_t start = std::clock();
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    for (Stream& delivery : deliveries) delivery.ready.bit(random.word() >= kStall);
    model.settle();
    for (const Stream& delivery : deliveries) run.deliveries += delivery.valid.bit() && delivery.ready.bit();
    for (std::size_t i = 0; i < offers.size(); ++i) taken[i] = offers[i].ready.bit();
    model.edge();
    for (std::size_t i = 0; i < offers.size(); ++i) {
      if (taken[i]) offers[i].payload.randomize(random);
    }
  }
  run.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return run;
}

}  // namespace hc
