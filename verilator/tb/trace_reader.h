// SPDX-License-Identifier: Apache-2.0
//
// Reads a golden trace line by line, with constant memory and without seeking, so that it
// may come from a pipe; rejects everything that its format does not allow.

#ifndef HC_TRACE_READER_H
#define HC_TRACE_READER_H

#include <cstdint>
#include <string>
#include <vector>

#include "streams.h"
#include "trace_lines.h"

namespace hc {

/// One valid stream in one cycle, or paces.
struct TraceLine {
  std::uint64_t cycle = 0;
  std::uint32_t node = 0;
  std::uint32_t stream = 0;  // number of its name in the StreamTable
  bool ready = false;
  std::uint64_t header = 0;
  std::vector<std::uint32_t> payload;  // StreamTable::words() words, lowest first
  std::uint64_t number = 0;            // of the line in the file, from 1
};

class TraceReader {
 public:
  /// Opens the file and reads its header and first line. "-" is standard input;
  /// a name that ends in .gz is read through gzip. Throws TraceError; in
  /// particular if machine or config are not those of bench_config.h.
  TraceReader(const std::string& path, const StreamTable& streams);

  /// Name of the file, for messages.
  const std::string& path() const { return text_.path(); }
  const std::string& traffic() const { return traffic_; }
  std::uint64_t cycles() const { return cycles_; }
  /// Lines read so far, without the header.
  std::uint64_t lines() const { return lines_; }

  /// Whether there is a current line.
  bool more() const { return more_; }
  const TraceLine& line() const { return line_; }
  /// Reads the next line; more() reports whether there was one.
  void next();

  /// An error that points at a line of this trace.
  TraceError error(std::uint64_t number, const std::string& reason) const { return text_.error(number, reason); }

 private:
  void read_header();
  void parse();

  TraceLines text_;
  const StreamTable& streams_;
  std::string traffic_;
  std::uint64_t cycles_ = 0;
  std::uint64_t lines_ = 0;
  bool more_ = false;
  TraceLine line_;
};

}  // namespace hc

#endif
