// SPDX-License-Identifier: Apache-2.0
//
// Reads the registers and counters of a programmable design over the bus.

#ifndef HC_READ_BACK_H
#define HC_READ_BACK_H

#include <cstdint>
#include <string>
#include <vector>

#include "model.h"
#include "report.h"
#include "streams.h"

namespace hc {

/// Compares the registers with the plan, from bench_config.h, and the counters with the
/// handshakes at the ports of the router that answers on the bus, the first router of the
/// model. A design that is not programmable has nothing to read.
class ReadBack {
 public:
  ReadBack(Model& model, const StreamTable& table, Report& report) : model_(model), table_(table), report_(report) {}

  /// The design was configured: its counters restart.
  void clear();
  /// Called in every cycle from then on, before the rising edge of the clock.
  void count();
  /// Handshakes and header errors since then.
  std::uint64_t moves() const;

  /// Reads with these halves of a cycle. when is the first word of messages. While counters are
  /// read, and in the two cycles before, no handshake may take place.
  void check_machine(const Step& settle, const Step& edge, const std::string& when);
  void check_counters(const Step& settle, const Step& edge, const std::string& when);

  std::uint64_t registers() const { return registers_; }  // number of registers compared

 private:
  static constexpr std::size_t kCounted = 4;  // in the order of kCounters

  void check(const Step& settle, const Step& edge, const std::string& when, const char* name, std::uint32_t address,
             std::uint32_t expected);

  Model& model_;
  const StreamTable& table_;
  Report& report_;
  std::uint32_t counts_[kCounted] = {};
  std::uint64_t registers_ = 0;
};

}  // namespace hc

#endif
