// SPDX-License-Identifier: Apache-2.0

#include "read_back.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "configured.h"

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

}  // namespace hc
