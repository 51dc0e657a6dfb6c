// SPDX-License-Identifier: Apache-2.0

#include "trace_lines.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace hc {

namespace {

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

// Text from a trace can contain anything. The part that a message quotes must neither control a
// terminal nor fill it.
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

}  // namespace

bool is_name(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string take(std::string* text, const std::string& key) {
  if (text->compare(0, key.size() + 1, key + "=") != 0) return "";
  const std::size_t end = std::min(text->find(' '), text->size());
  const std::string value = text->substr(key.size() + 1, end - key.size() - 1);
  text->erase(0, end + 1);
  return value;
}

std::string hex(const std::uint32_t* words, std::size_t bits) {
  std::string text;
  for (std::size_t digit = (bits + 3) / 4; digit-- > 0;) {
    text += "0123456789abcdef"[words[digit / 8] >> (4 * (digit % 8)) & 15];
  }
  return text;
}

std::string hex(std::uint64_t value, std::size_t bits) {
  const std::uint32_t words[2] = {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
  return hex(words, bits);
}

TraceLines::TraceLines(const std::string& path, const char* wanted, std::size_t longest)
    : path_(path), wanted_(wanted), buffer_(longest) {
  open();
}

TraceLines::~TraceLines() { close(); }

void TraceLines::open() {
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

void TraceLines::close() {
  if (file_ != nullptr && file_ != stdin) piped_ ? pclose(file_) : std::fclose(file_);
  file_ = nullptr;
}

TraceError TraceLines::error(std::uint64_t number, const std::string& reason) const {
  return TraceError(path_ + ":" + std::to_string(number) + ": " + printable(reason));
}

bool TraceLines::fetch() {
  for (;;) {
    const char* start = buffer_.data() + next_;
    if (const void* newline = std::memchr(start, '\n', filled_ - next_)) {
      begin_ = at_ = start;
      end_ = static_cast<const char*>(newline);
      number_ += 1;
      next_ += static_cast<std::size_t>(end_ - begin_) + 1;
      return true;
    }
    if (end_of_file_) {
      if (next_ == filled_) return false;
      number_ += 1;
      fail("the last line does not end: the trace is truncated");
    }
    std::memmove(buffer_.data(), start, filled_ - next_);
    filled_ -= next_;
    next_ = 0;
    if (filled_ == buffer_.size()) {
      number_ += 1;
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

std::string_view TraceLines::column(const char* what) {
  const char* const start = at_;
  while (at_ != end_ && *at_ != ' ') ++at_;
  const std::string_view text(start, static_cast<std::size_t>(at_ - start));
  if (text.empty()) fail(std::string("no ") + what + "; wanted \"" + wanted_ + "\"");
  if (at_ != end_) ++at_;
  return text;
}

std::uint64_t TraceLines::decimal(const char* what, std::uint64_t limit) { return decimal(what, column(what), limit); }

std::uint64_t TraceLines::decimal(const char* what, std::string_view text, std::uint64_t limit) const {
  const std::string shown(text);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned digit = static_cast<unsigned>(text[i] - '0');
    if (digit > 9) fail(std::string(what) + " \"" + shown + "\" is not a decimal number");
    if (i > 0 && value == 0) {
      fail(std::string(what) + " \"" + shown + "\" begins with 0: a number has one spelling");
    }
    if (digit > limit || value > (limit - digit) / 10) {
      fail(std::string(what) + " " + shown + " is above " + std::to_string(limit));
    }
    value = 10 * value + digit;
  }
  return value;
}

void TraceLines::hex(const char* what, std::size_t bits, std::uint32_t* words) { hex(what, column(what), bits, words); }

void TraceLines::hex(const char* what, std::string_view text, std::size_t bits, std::uint32_t* words) const {
  if (bits == 0) {
    if (text != "-") fail(std::string(what) + " \"" + std::string(text) + "\": this stream has none, wanted \"-\"");
    return;
  }
  const std::size_t digits = (bits + 3) / 4;
  if (text.size() != digits) {
    fail(std::string(what) + " \"" + std::string(text) + "\" has " + std::to_string(text.size()) + " digits; wanted " +
         std::to_string(digits) + " (" + std::to_string(bits) + " bits)");
  }
  unsigned highest = 0;
  for (std::size_t d = 0; d < digits; ++d) {  // from the lowest digit
    const unsigned value = kHex.value[static_cast<unsigned char>(text[digits - 1 - d])];
    if (value > 15) fail(std::string(what) + " \"" + std::string(text) + "\" is not lower-case hex");
    if (d % 8 == 0) words[d / 8] = 0;
    words[d / 8] |= value << (4 * (d % 8));
    highest = value;
  }
  if (bits % 4 != 0 && highest >> (bits % 4) != 0) {
    fail(std::string(what) + " \"" + std::string(text) + "\" has more than " + std::to_string(bits) + " bits");
  }
}

void TraceLines::end(const char* last) const {
  if (at_ != end_ || end_[-1] == ' ') {
    fail(std::string("text behind the ") + last + ": \"" + std::string(at_, end_) + "\"");
  }
}

}  // namespace hc
