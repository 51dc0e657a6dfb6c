// SPDX-License-Identifier: Apache-2.0

#include "reload.h"

#include <vector>

#include "random.h"

namespace hc {

namespace {

/// Every node offers one message after the other.
class Load {
 public:
  Load(Model& model, const StreamTable& table, std::uint32_t seed) : model_(model), random_(seed) {
    for (std::uint32_t node = 0; node < model.streams.nodes(); ++node) {
      for (const Stream& stream : model.streams.first()) {
        const Kind kind = table[stream.name].kind;
        if (kind == Kind::s_local) offers_.push_back(model.streams.at(node, stream.name));
        if (kind == Kind::m_local) deliveries_.push_back(model.streams.at(node, stream.name));
      }
    }
    for (Stream& offer : offers_) {
      offer.valid.bit(true);
      offer.payload.randomize(random_);
    }
  }

  /// Receivers are ready at random. Once the routers close, the first always is and the
  /// others seldom are: its router is idle long before the machine has drained.
  void settle(bool closing) {
    for (Stream& delivery : deliveries_) {
      const bool seldom = random_.word() % 8 == 0;
      delivery.ready.bit(closing ? delivery.node == 0 || seldom : random_.coin());
    }
    model_.settle();
  }

  void edge() {
    for (const Stream& delivery : deliveries_) count_.deliveries += delivery.valid.bit() && delivery.ready.bit();
    std::vector<char> taken;
    for (const Stream& offer : offers_) taken.push_back(offer.ready.bit());
    model_.edge();
    for (std::size_t i = 0; i < offers_.size(); ++i) {
      if (!taken[i]) continue;
      ++count_.taken;
      offers_[i].payload.randomize(random_);
    }
  }

  const Reload& count() const { return count_; }

 private:
  Model& model_;
  Random random_;
  std::vector<Stream> offers_, deliveries_;
  Reload count_;
};

}  // namespace

Reload reload(Model& model, const StreamTable& table, std::uint32_t seed) {
  constexpr unsigned kLoaded = 200;  // cycles
  Load load(model, table, seed);
  for (unsigned cycle = 0; cycle < kLoaded; ++cycle) {
    load.settle(false);
    load.edge();
  }
  model.configure([&load] { load.settle(true); }, [&load] { load.edge(); });
  return load.count();
}

}  // namespace hc
