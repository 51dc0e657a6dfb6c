// SPDX-License-Identifier: Apache-2.0

#include "streams.h"

#include <cstring>

#include "bench_config.h"

namespace hc {

const unsigned kHeaderBits = kWdBits + kWcBits + kSourceBits;
const std::size_t kPayloadWords = (kPayloadBits + 31) / 32;

StreamTable::StreamTable(bool link_inputs) {
  const auto ports = [this](Kind kind, const char* name, unsigned header_bits, bool payload) {
    for (unsigned p = 0; p < kDegree; ++p) {
      const std::string digits = {static_cast<char>('0' + p / 10), static_cast<char>('0' + p % 10)};
      names_.push_back({kind, static_cast<int>(p), name + digits, header_bits, payload});
    }
  };
  ports(Kind::header_error, "header_error", 0, false);
  ports(Kind::m_link, "m_link", kHeaderBits, true);
  names_.push_back({Kind::m_local, -1, "m_local", kSourceBits, true});
  if (link_inputs) ports(Kind::s_link, "s_link", kHeaderBits, true);
  names_.push_back({Kind::s_local, -1, "s_local", 0, true});
}

int StreamTable::find(const char* text, std::size_t length) const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::string& name = names_[i].text;
    if (name.size() == length && std::memcmp(name.data(), text, length) == 0) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace hc
