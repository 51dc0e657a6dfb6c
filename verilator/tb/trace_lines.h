// SPDX-License-Identifier: Apache-2.0
//
// The lines and columns of a text file such as a golden trace. It is read with constant memory and without
// going back, so that it may come from a pipe.

#ifndef HC_TRACE_LINES_H
#define HC_TRACE_LINES_H

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hc {

/// A trace that cannot be replayed; the message begins with file:line.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether a name is one that a description can give: it becomes part of messages and reports.
bool is_name(const std::string& text);

/// Takes "key=value" and the space behind it (or the end) off the front of text, and returns the value.
std::string take(std::string* text, const std::string& key);

/// A number as traces have it: hex of fixed width.
std::string hex(const std::uint32_t* words, std::size_t bits);
std::string hex(std::uint64_t value, std::size_t bits);

class TraceLines {
 public:
  /// Opens the file. "-" is standard input; a name that ends in .gz is read through gzip. wanted names the
  /// columns of a line, for messages, and longest bounds its bytes. Throws TraceError.
  TraceLines(const std::string& path, const char* wanted, std::size_t longest);
  ~TraceLines();
  TraceLines(const TraceLines&) = delete;
  TraceLines& operator=(const TraceLines&) = delete;

  /// Name of the file, for messages.
  const std::string& path() const { return path_; }
  /// Number of the line, from 1.
  std::uint64_t number() const { return number_; }

  /// Begins the next line. False at the end of the file.
  bool fetch();
  /// The whole line.
  std::string_view text() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }

  /// The next column; what names it in messages. Columns are separated by one space, and the last one ends
  /// with the line.
  std::string_view column(const char* what);
  /// The next column as a decimal number of at most limit.
  std::uint64_t decimal(const char* what, std::uint64_t limit);
  /// Text as such a number.
  std::uint64_t decimal(const char* what, std::string_view text, std::uint64_t limit) const;
  /// The next column as a hex number of fixed width, lowest word first, or "-" if bits is 0.
  void hex(const char* what, std::size_t bits, std::uint32_t* words);
  /// Text as such a number.
  void hex(const char* what, std::string_view text, std::size_t bits, std::uint32_t* words) const;
  /// Fails unless the line has ended; last names its last column.
  void end(const char* last) const;

  /// An error that points at a line of this file.
  TraceError error(std::uint64_t number, const std::string& reason) const;
  /// Throws an error that points at this line.
  [[noreturn]] void fail(const std::string& reason) const { throw error(number_, reason); }

 private:
  void open();
  void close();

  std::string path_;
  const std::string wanted_;
  std::FILE* file_ = nullptr;
  bool piped_ = false;  // file_ is the output of gzip
  std::vector<char> buffer_;
  std::size_t next_ = 0;    // in buffer_: first byte not yet in a line
  std::size_t filled_ = 0;  // bytes in buffer_
  bool end_of_file_ = false;
  std::uint64_t number_ = 0;

  const char* begin_ = nullptr;  // the line
  const char* end_ = nullptr;
  const char* at_ = nullptr;  // of the next column
};

}  // namespace hc

#endif
