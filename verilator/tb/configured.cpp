// SPDX-License-Identifier: Apache-2.0

#include "configured.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

namespace hc {

namespace {

std::string hex(std::uint32_t value, int digits) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%0*x", digits, static_cast<unsigned>(value));
  return text;
}

// The number of the stream's counter in kCounters; -1 if it has none.
int counter(Kind kind) {
  switch (kind) {
    case Kind::s_local: return 0;
    case Kind::m_link: return 1;
    case Kind::m_local: return 2;
    case Kind::header_error: return 3;
    default: return -1;
  }
}

}  // namespace

void ReadBack::clear() { std::fill(std::begin(counts_), std::end(counts_), 0); }

void ReadBack::count() {
  if (!kProgrammable) return;
  for (const Stream& stream : model_.streams.first()) {
    const int i = counter(table_[stream.name].kind);
    if (i >= 0 && stream.valid.bit() && (stream.role == Role::pulse || stream.ready.bit())) ++counts_[i];
  }
}

std::uint64_t ReadBack::moves() const {
  std::uint64_t sum = 0;
  for (const std::uint32_t n : counts_) sum += n;
  return sum;
}

void ReadBack::check(const Step& settle, const Step& edge, const std::string& when, const char* name,
                     std::uint32_t address, std::uint32_t expected) {
  if (report_.full()) return;
  ++registers_;
  std::uint32_t got = 0;
  const bool answered = model_.read(settle, edge, address, &got);
  if (answered && got == expected) return;
  report_.fail(0, when + ", register " + name + " at " + hex(address, 2) + ": expected " + hex(expected, 8) + ", got " +
                      (answered ? hex(got, 8) : "an error of the bus"));
}

#if defined(WISHBONE) || defined(AXI4LITE)
void ReadBack::check_machine(const Step& settle, const Step& edge, const std::string& when) {
  for (const Register& r : kRegisters) check(settle, edge, when, r.name, r.address, r.value);
}

void ReadBack::check_counters(const Step& settle, const Step& edge, const std::string& when) {
  static_assert(std::size(kCounters) == kCounted, "kCounters of bench_config.h has other counters");
  for (std::size_t i = 0; i < kCounted; ++i) {
    check(settle, edge, when, kCounters[i].name, kCounters[i].address, kCounters[i].value + counts_[i]);
  }
}
#else
void ReadBack::check_machine(const Step&, const Step&, const std::string&) {}
void ReadBack::check_counters(const Step&, const Step&, const std::string&) {}
#endif

namespace {

/// Every node always offers a message.
class Load {
 public:
  Load(Model& model, const StreamTable& table, std::uint32_t seed)
      : model_(model), random_(seed), board_(model.streams.nodes()), payload_(kPayloadWords) {
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
      offer.header.randomize(random_);
    }
  }

  /// No new message is offered, and all receivers are ready.
  void end() { ended_ = true; }

  /// Receivers are ready at random. When the routers close, the first receiver is always ready
  /// and the others rarely: its router is idle long before the machine has drained.
  void settle(bool closing) {
    for (Stream& delivery : deliveries_) {
      const bool seldom = random_.word() % 8 == 0;
      delivery.ready.bit(ended_ || (closing ? delivery.node == 0 || seldom : random_.coin()));
    }
    model_.settle();
  }

  /// After settle(): whether anything is under way or on offer.
  bool busy() const {
    const auto valid = [](const Stream& offer) { return offer.valid.bit(); };
    return model_.valid_outputs() > 0 || std::any_of(offers_.begin(), offers_.end(), valid);
  }

  void edge() {
    std::vector<char> taken;
    for (const Stream& offer : offers_) taken.push_back(offer.valid.bit() && offer.ready.bit());
    for (const Stream& delivery : deliveries_) {
      if (!delivery.valid.bit() || !delivery.ready.bit()) continue;
      const std::uint64_t header = delivery.header.get();
      delivery.payload.get(payload_.data());
      arrivals_.push_back({delivery.node, header, payload_});
      ++count_.deliveries;
    }
    for (std::size_t i = 0; i < offers_.size(); ++i) {
      if (!taken[i]) continue;
      offers_[i].payload.get(payload_.data());
      board_.offered(offers_[i].node, offers_[i].header.get(), payload_.data());
      ++count_.taken;
    }
    model_.edge();
    for (std::size_t i = 0; i < offers_.size(); ++i) {
      if (!taken[i]) continue;
      offers_[i].valid.bit(!ended_);
      offers_[i].payload.randomize(random_);
      offers_[i].header.randomize(random_);
    }
  }

  /// Valid when the network is empty: copies are delivered before their message is taken.
  Reload count() {
    for (const Arrival& a : arrivals_) board_.delivered(a.node, 0, a.header, a.payload.data());
    arrivals_.clear();
    count_.wanted = count_.deliveries + board_.missing();
    for (std::uint32_t node = 0; node < model_.streams.nodes() && count_.wrong.empty(); ++node) {
      const std::string wrong = board_.complete(node);
      if (!wrong.empty()) count_.wrong = "node " + std::to_string(node) + ": " + wrong;
    }
    return count_;
  }

 private:
  Model& model_;
  Random random_;
  std::vector<Stream> offers_, deliveries_;
  Reload count_;
  bool ended_ = false;

  struct Arrival {
    std::uint32_t node;
    std::uint64_t header;
    std::vector<std::uint32_t> payload;
  };
  std::vector<Arrival> arrivals_;
  Scoreboard board_;
  std::vector<std::uint32_t> payload_;
};

}  // namespace

Reload reload(Model& model, const StreamTable& table, std::uint32_t seed, ReadBack& read_back) {
  constexpr unsigned kLoaded = 200;  // cycles
  Load load(model, table, seed);
  for (unsigned cycle = 0; cycle < kLoaded; ++cycle) {
    load.settle(false);
    load.edge();
  }
  model.configure([&load] { load.settle(true); }, [&load] { load.edge(); });
  Reload got = load.count();

  constexpr char kWhen[] = "read when configured again";
  read_back.clear();
  const Step settle = [&load] { load.settle(false); };
  const Step edge = [&load, &read_back] {
    read_back.count();
    load.edge();
  };
  read_back.check_machine(settle, edge, kWhen);
  load.end();
  constexpr unsigned kIdle = 64;  // cycles without a valid: empty
  constexpr unsigned kPatience = 65536 + 64 * kNodes;
  for (unsigned cycle = 0, idle = 0; idle < kIdle; ++cycle) {
    if (cycle == kPatience) {
      got.after = "the network does not get empty";
      return got;
    }
    settle();
    idle = load.busy() ? 0 : idle + 1;
    edge();
  }
  read_back.check_counters(settle, edge, kWhen);
  got.after = load.count().wrong;
  return got;
}

}  // namespace hc
