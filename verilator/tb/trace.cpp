// SPDX-License-Identifier: Apache-2.0

#include "trace.h"

#include <algorithm>
#include <cstring>

#include "bench_config.h"

namespace hc {

constexpr unsigned kLastBits = kLast ? 1 : 0;
const unsigned kHeaderBits = kWdBits + kWcBits + kSpreadBits + kRouteBits + kScopeBits + kLastBits + kSourceBits;
const unsigned kOfferBits = kLastBits + kTdestBits;
const unsigned kDeliveryBits = kScopeBits + kLastBits + kSourceBits;
constexpr unsigned kBarrierPaceBits = 2;
const std::size_t kPayloadWords = (kPayloadBits + 31) / 32;

StreamTable::StreamTable(bool router) {
  const auto port = [this](Kind kind, const char* name, unsigned p, unsigned header_bits, unsigned payload_bits) {
    if (names_.empty() || names_.back().kind != kind || names_.back().port + 1 != static_cast<int>(p)) {
      starts_.push_back({names_.size(), p});
    }
    const std::string digits = {static_cast<char>('0' + p / 10), static_cast<char>('0' + p % 10)};
    names_.push_back({kind, static_cast<int>(p), name + digits, header_bits, payload_bits});
  };
  const auto ports = [&port](Kind kind, const char* name, unsigned header_bits, unsigned payload_bits) {
    for (unsigned p = 0; p < kDegree; ++p) port(kind, name, p, header_bits, payload_bits);
  };
  const auto one = [this](Kind kind, const char* name, unsigned header_bits, unsigned payload_bits) {
    starts_.push_back({names_.size(), 0});
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
  for (unsigned p = 0; p < kDegree; ++p) {
    if (router || kLinkRegisters[p] > 0) port(Kind::s_link, "s_link", p, kHeaderBits, kPayloadBits);
  }
  one(Kind::s_local, "s_local", kOfferBits, kPayloadBits);
  streams_ = names_.size();
  one(Kind::pace, "pace", 0, kPaceBits * (router ? 1 : kNodes));
  if (router) one(Kind::link_pace, "link_pace", 0, kPaceBits * kDegree);
  if (kBarrier) one(Kind::barrier_pace, "barrier_pace", 0, kBarrierPaceBits * (router ? 1 : kNodes));
  if (kBarrier && router) one(Kind::link_barrier_pace, "link_barrier_pace", 0, kBarrierPaceBits * kDegree);
  unsigned widest = 0;
  for (const StreamName& name : names_) widest = std::max(widest, name.payload_bits);
  words_ = (widest + 31) / 32;
}

// The digits at the end of a name give its place in its kind; only the kind has to be
// searched for.
int StreamTable::find(const char* text, std::size_t length) const {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t port = 0;
  if (length >= 2 && digit(text[length - 2]) && digit(text[length - 1])) {
    port = static_cast<std::size_t>(10 * (text[length - 2] - '0') + text[length - 1] - '0');
  }
  for (const Start& start : starts_) {
    const std::size_t i = start.number + port - start.port;
    if (port < start.port || i >= names_.size()) continue;
    const std::string& name = names_[i].text;
    if (name.size() == length && std::memcmp(name.data(), text, length) == 0) return static_cast<int>(i);
  }
  return -1;
}

namespace {

// Above the longest line: a payload of 1024 bits, or two digits for each node's pace.
constexpr std::size_t kBufferBytes = (std::size_t{1} << 20) + 2 * std::size_t{kNodes};

}  // namespace

TraceReader::TraceReader(const std::string& path, const StreamTable& streams)
    : text_(path, "cycle node stream ready header payload", kBufferBytes), streams_(streams) {
  line_.payload.resize(streams.words());
  read_header();
  next();
}

void TraceReader::read_header() {
  const char* const want = "\"# hcgen-trace v1 machine=... config=... traffic=... cycles=...\"";
  if (!text_.fetch()) throw TraceError(path() + ":1: the trace is empty; wanted " + want);
  std::string text(text_.text());
  const std::string magic = "# hcgen-trace v1 ";
  if (text.compare(0, magic.size(), magic) != 0) text_.fail(std::string("not a golden trace; wanted ") + want);
  text.erase(0, magic.size());
  const std::string machine = take(&text, "machine");
  const std::string config = take(&text, "config");
  traffic_ = take(&text, "traffic");
  const std::string cycles = take(&text, "cycles");
  if (machine.empty() || config.empty() || traffic_.empty() || cycles.empty() || !text.empty()) {
    text_.fail(std::string("malformed header; wanted ") + want);
  }
  if (machine != kMachine) {
    text_.fail("the trace is of machine " + machine + ", the design is machine " + kMachine);
  }
  if (config != kConfigHash) {
    text_.fail("stale golden trace: its config is " + config + ", that of the design is " + kConfigHash +
               "; generate both again");
  }
  if (!is_name(traffic_)) text_.fail("traffic=" + traffic_ + " is not a name: letters, digits and underscores");
  cycles_ = text_.decimal("cycles", cycles, UINT64_MAX / 2);
  if (cycles_ == 0) text_.fail("cycles is 0: there is nothing to replay");
}

void TraceReader::next() {
  more_ = text_.fetch();
  if (more_) {
    parse();
    ++lines_;
  }
}

void TraceReader::parse() {
  const std::uint64_t cycle = text_.decimal("cycle", UINT64_MAX / 2);
  const auto node = static_cast<std::uint32_t>(text_.decimal("node", UINT32_MAX / 2));
  const std::string_view name = text_.column("stream");
  const int stream = streams_.find(name.data(), name.size());
  if (stream < 0) text_.fail("no such stream here: \"" + std::string(name) + "\"");
  if (cycle >= cycles_) {
    text_.fail("cycle " + std::to_string(cycle) + " is beyond the " + std::to_string(cycles_) +
               " cycles of the header");
  }
  if (node >= kNodes) {
    text_.fail("node " + std::to_string(node) + " is beyond the " + std::to_string(kNodes) + " nodes of the machine");
  }
  const auto number = static_cast<std::uint32_t>(stream);
  if (lines_ > 0) {
    const bool after = cycle != line_.cycle ? cycle > line_.cycle
                       : node != line_.node ? node > line_.node
                                            : streams_.before(line_.stream, number);
    if (!after) text_.fail("out of order: lines ascend by cycle, node and stream, each once");
  }
  line_.number = text_.number();
  line_.cycle = cycle;
  line_.node = node;
  line_.stream = number;

  const std::string_view ready = text_.column("ready");
  if (ready != "0" && ready != "1") text_.fail("ready \"" + std::string(ready) + "\" is neither 0 nor 1");
  line_.ready = ready == "1";

  const StreamName& what = streams_[number];
  std::uint32_t header[2] = {0, 0};
  text_.hex("header", what.header_bits, header);
  line_.header = header[0] | static_cast<std::uint64_t>(header[1]) << 32;
  text_.hex("payload", what.payload_bits, line_.payload.data());
  if (what.errors() && !line_.ready) text_.fail("ready of " + what.text + " is always 1");
  if (what.paces() && !line_.ready) text_.fail("ready of a pace is always 1");
  text_.end("payload");
}

}  // namespace hc
