// SPDX-License-Identifier: Apache-2.0

#include "streams.h"

#include <algorithm>
#include <cstring>

#include "bench_config.h"

namespace hc {

constexpr unsigned kLastBits = kLast ? 1 : 0;
const unsigned kHeaderBits = kWdBits + kWcBits + kSpreadBits + kRouteBits + kScopeBits + kLastBits + kSourceBits;
const unsigned kOfferBits = kLastBits + kTdestBits;
const unsigned kDeliveryBits = kScopeBits + kLastBits + kSourceBits;
const std::size_t kPayloadWords = (kPayloadBits + 31) / 32;

StreamTable::StreamTable(bool router) {
  const auto ports = [this](Kind kind, const char* name, unsigned header_bits, unsigned payload_bits) {
    starts_.push_back(names_.size());
    for (unsigned p = 0; p < kDegree; ++p) {
      const std::string digits = {static_cast<char>('0' + p / 10), static_cast<char>('0' + p % 10)};
      names_.push_back({kind, static_cast<int>(p), name + digits, header_bits, payload_bits});
    }
  };
  const auto one = [this](Kind kind, const char* name, unsigned header_bits, unsigned payload_bits) {
    starts_.push_back(names_.size());
    names_.push_back({kind, -1, name, header_bits, payload_bits});
  };
  if (kBarrier) one(Kind::barrier, "barrier", 0, 0);
  if (kDestination) one(Kind::destination_error, "destination_error", 0, 0);
  ports(Kind::header_error, "header_error", 0, 0);
  ports(Kind::m_link, "m_link", kHeaderBits, kPayloadBits);
  if (kPerPort) {
    ports(Kind::m_local, "m_local", kDeliveryBits, kPayloadBits);
  } else {
    one(Kind::m_local, "m_local", kDeliveryBits, kPayloadBits);
  }
  if (router) ports(Kind::s_link, "s_link", kHeaderBits, kPayloadBits);
  one(Kind::s_local, "s_local", kOfferBits, kPayloadBits);
  streams_ = names_.size();
  one(Kind::pace, "pace", 0, router ? 2 : 2 * kNodes);
  if (router) one(Kind::link_pace, "link_pace", 0, 2 * kDegree);
  if (kBarrier) one(Kind::barrier_pace, "barrier_pace", 0, router ? 2 : 2 * kNodes);
  if (kBarrier && router) one(Kind::link_barrier_pace, "link_barrier_pace", 0, 2 * kDegree);
  unsigned widest = 0;
  for (const StreamName& name : names_) widest = std::max(widest, name.payload_bits);
  words_ = (widest + 31) / 32;
}

// The digits at the end of a name tell where in its kind it stands; only the
// kind has to be searched for.
int StreamTable::find(const char* text, std::size_t length) const {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t port = 0;
  if (length >= 2 && digit(text[length - 2]) && digit(text[length - 1])) {
    port = static_cast<std::size_t>(10 * (text[length - 2] - '0') + text[length - 1] - '0');
  }
  for (const std::size_t start : starts_) {
    if (start + port >= names_.size()) continue;
    const std::string& name = names_[start + port].text;
    if (name.size() == length && std::memcmp(name.data(), text, length) == 0) return static_cast<int>(start + port);
  }
  return -1;
}

}  // namespace hc
