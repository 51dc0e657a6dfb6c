// SPDX-License-Identifier: Apache-2.0

#include "trace_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "bench_config.h"

namespace hc {

namespace {

// Above the longest line: a payload of 1024 bits, or half a digit for each node's pace.
constexpr std::size_t kBufferBytes = (std::size_t{1} << 20) + kNodes;

// The values of hex digits; 255 for any other character. Upper case is not
// allowed: a value has one spelling.
struct HexTable {
  unsigned char value[256];
  constexpr HexTable() : value() {
    for (auto& v : value) v = 255;
    for (int i = 0; i < 10; ++i) value['0' + i] = static_cast<unsigned char>(i);
    for (int i = 0; i < 6; ++i) value['a' + i] = static_cast<unsigned char>(10 + i);
  }
};
constexpr HexTable kHex;

// Text from a trace can hold anything: quoted in a message, it must neither control a terminal
// nor fill it.
std::string printable(const std::string& text) {
  constexpr std::size_t kLongest = 400;
  std::string shown;
  for (const char c : text) {
    if (shown.size() >= kLongest) return shown + "..";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      shown += c;
    } else {
      shown += {'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    }
  }
  return shown;
}

// Whether a description can give this name, which becomes part of messages and reports.
bool is_name(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Takes "key=value" and the space behind it (or the end) off the front of text.
std::string take(std::string* text, const std::string& key) {
  if (text->compare(0, key.size() + 1, key + "=") != 0) return "";
  const std::size_t end = std::min(text->find(' '), text->size());
  const std::string value = text->substr(key.size() + 1, end - key.size() - 1);
  text->erase(0, end + 1);
  return value;
}

}  // namespace

TraceReader::TraceReader(const std::string& path, const StreamTable& streams)
    : path_(path), streams_(streams), buffer_(kBufferBytes) {
  line_.payload.resize(streams.words());
  open();
  try {
    read_header();
    next();
  } catch (...) {
    close();
    throw;
  }
}

TraceReader::~TraceReader() { close(); }

void TraceReader::open() {
  if (path_ == "-") {
    path_ = "<stdin>";
    if (isatty(STDIN_FILENO)) throw TraceError(path_ + " is a terminal: pipe a trace into the bench");
    file_ = stdin;
    return;
  }
  file_ = std::fopen(path_.c_str(), "rb");
  if (file_ == nullptr) throw TraceError(path_ + ": cannot be read: " + std::strerror(errno));
  if (path_.size() < 3 || path_.compare(path_.size() - 3, 3, ".gz") != 0) return;
  std::fclose(file_);
  std::string quoted;
  for (const char c : path_) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  file_ = popen(("gzip -dc <'" + quoted + "'").c_str(), "r");
  piped_ = true;
  if (file_ == nullptr) throw TraceError(path_ + ": gzip cannot be started: " + std::strerror(errno));
}

void TraceReader::close() {
  if (file_ != nullptr && file_ != stdin) piped_ ? pclose(file_) : std::fclose(file_);
  file_ = nullptr;
}

TraceError TraceReader::error(std::uint64_t number, const std::string& reason) const {
  return TraceError(path_ + ":" + std::to_string(number) + ": " + printable(reason));
}

void TraceReader::fail(const std::string& reason) const { throw error(line_.number, reason); }

bool TraceReader::fetch() {
  for (;;) {
    const char* start = buffer_.data() + next_;
    if (const void* newline = std::memchr(start, '\n', filled_ - next_)) {
      begin_ = at_ = start;
      end_ = static_cast<const char*>(newline);
      line_.number += 1;
      next_ += static_cast<std::size_t>(end_ - begin_) + 1;
      return true;
    }
    if (end_of_file_) {
      if (next_ == filled_) return false;
      line_.number += 1;
      fail("the last line does not end: the trace is truncated");
    }
    std::memmove(buffer_.data(), start, filled_ - next_);
    filled_ -= next_;
    next_ = 0;
    if (filled_ == buffer_.size()) {
      line_.number += 1;
      fail("the line is too long for a golden trace");
    }
    const std::size_t got = std::fread(buffer_.data() + filled_, 1, buffer_.size() - filled_, file_);
    if (std::ferror(file_)) throw TraceError(path_ + ": cannot be read: " + std::strerror(errno));
    filled_ += got;
    end_of_file_ = got == 0;
    if (end_of_file_ && piped_) {
      const int status = pclose(file_);
      file_ = nullptr;
      if (status != 0) throw TraceError(path_ + ": gzip cannot unpack it: the trace is damaged or truncated");
    }
  }
}

void TraceReader::read_header() {
  const char* const want = "\"# hcgen-trace v1 machine=... config=... traffic=... cycles=...\"";
  if (!fetch()) throw TraceError(path_ + ":1: the trace is empty; wanted " + want);
  std::string text(begin_, end_);
  const std::string magic = "# hcgen-trace v1 ";
  if (text.compare(0, magic.size(), magic) != 0) fail(std::string("not a golden trace; wanted ") + want);
  text.erase(0, magic.size());
  const std::string machine = take(&text, "machine");
  const std::string config = take(&text, "config");
  traffic_ = take(&text, "traffic");
  const std::string cycles = take(&text, "cycles");
  if (machine.empty() || config.empty() || traffic_.empty() || cycles.empty() || !text.empty()) {
    fail(std::string("malformed header; wanted ") + want);
  }
  if (machine != kMachine) {
    fail("the trace is of machine " + machine + ", the design is machine " + kMachine);
  }
  if (config != kConfigHash) {
    fail("stale golden trace: its config is " + config + ", that of the design is " + kConfigHash +
         "; generate both again");
  }
  if (!is_name(traffic_)) fail("traffic=" + traffic_ + " is not a name: letters, digits and underscores");
  begin_ = at_ = cycles.c_str();
  end_ = begin_ + cycles.size();
  cycles_ = decimal("cycles", UINT64_MAX / 2);
  if (cycles_ == 0) fail("cycles is 0: there is nothing to replay");
}

void TraceReader::next() {
  more_ = fetch();
  if (more_) {
    parse();
    ++lines_;
  }
}

// Columns are separated by one space; the last one ends with the line.
const char* TraceReader::token(const char* what, std::size_t* length) {
  const char* const start = at_;
  while (at_ != end_ && *at_ != ' ') ++at_;
  *length = static_cast<std::size_t>(at_ - start);
  if (*length == 0) fail(std::string("no ") + what + "; wanted \"cycle node stream ready header payload\"");
  if (at_ != end_) ++at_;
  return start;
}

std::uint64_t TraceReader::decimal(const char* what, std::uint64_t limit) {
  std::size_t length;
  const char* const start = token(what, &length);
  std::uint64_t value = 0;
  for (const char* c = start; c != start + length; ++c) {
    const unsigned digit = static_cast<unsigned>(*c - '0');
    if (digit > 9) fail(std::string(what) + " \"" + std::string(start, length) + "\" is not a decimal number");
    if (c != start && value == 0) {
      fail(std::string(what) + " \"" + std::string(start, length) + "\" begins with 0: a number has one spelling");
    }
    if (value > (limit - digit) / 10) {
      fail(std::string(what) + " " + std::string(start, length) + " is above " + std::to_string(limit));
    }
    value = 10 * value + digit;
  }
  return value;
}

// Reads a hex number of fixed width into words, or "-" if bits is 0.
void TraceReader::hex(const char* what, unsigned bits, std::uint32_t* words) {
  std::size_t length;
  const char* const start = token(what, &length);
  const std::string_view text(start, length);
  if (bits == 0) {
    if (text != "-") fail(std::string(what) + " \"" + std::string(text) + "\": this stream has none, wanted \"-\"");
    return;
  }
  const std::size_t digits = (bits + 3) / 4;
  if (length != digits) {
    fail(std::string(what) + " \"" + std::string(text) + "\" has " + std::to_string(length) + " digits; wanted " +
         std::to_string(digits) + " (" + std::to_string(bits) + " bits)");
  }
  unsigned highest = 0;
  for (std::size_t d = 0; d < digits; ++d) {  // from the lowest digit
    const unsigned value = kHex.value[static_cast<unsigned char>(start[digits - 1 - d])];
    if (value > 15) fail(std::string(what) + " \"" + std::string(text) + "\" is not lower-case hex");
    if (d % 8 == 0) words[d / 8] = 0;
    words[d / 8] |= value << (4 * (d % 8));
    highest = value;
  }
  if (bits % 4 != 0 && highest >> (bits % 4) != 0) {
    fail(std::string(what) + " \"" + std::string(text) + "\" has more than " + std::to_string(bits) + " bits");
  }
}

void TraceReader::parse() {
  const std::uint64_t cycle = decimal("cycle", UINT64_MAX / 2);
  const auto node = static_cast<std::uint32_t>(decimal("node", UINT32_MAX / 2));
  std::size_t length;
  const char* const name = token("stream", &length);
  const int stream = streams_.find(name, length);
  if (stream < 0) fail("no such stream here: \"" + std::string(name, length) + "\"");
  if (cycle >= cycles_) {
    fail("cycle " + std::to_string(cycle) + " is beyond the " + std::to_string(cycles_) + " cycles of the header");
  }
  if (node >= kNodes) {
    fail("node " + std::to_string(node) + " is beyond the " + std::to_string(kNodes) + " nodes of the machine");
  }
  const auto number = static_cast<std::uint32_t>(stream);
  if (lines_ > 0) {
    const bool after = cycle != line_.cycle ? cycle > line_.cycle
                       : node != line_.node ? node > line_.node
                                            : streams_.before(line_.stream, number);
    if (!after) fail("out of order: lines ascend by cycle, node and stream, each once");
  }
  line_.cycle = cycle;
  line_.node = node;
  line_.stream = number;

  const char* const ready = token("ready", &length);
  if (length != 1 || (*ready != '0' && *ready != '1')) {
    fail("ready \"" + std::string(ready, length) + "\" is neither 0 nor 1");
  }
  line_.ready = *ready == '1';

  const StreamName& what = streams_[number];
  std::uint32_t header[2] = {0, 0};
  hex("header", what.header_bits, header);
  line_.header = header[0] | static_cast<std::uint64_t>(header[1]) << 32;
  hex("payload", what.payload_bits, line_.payload.data());
  if (what.errors() && !line_.ready) fail("ready of " + what.text + " is always 1");
  if (what.paces() && !line_.ready) fail("ready of a pace is always 1");
  if (at_ != end_ || end_[-1] == ' ') fail("text behind the payload: \"" + std::string(at_, end_) + "\"");
}

}  // namespace hc
