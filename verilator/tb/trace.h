// SPDX-License-Identifier: Apache-2.0
//
// Golden traces of a machine: the streams of a node by their names in traces, and the reader, which rejects
// everything that the format does not allow.

#ifndef HC_TRACE_H
#define HC_TRACE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench.h"

namespace hc {

/// Bits of the header on a link, {wd, wc, spread, route, last, source}, at the local input, {last, tdest},
/// and in a delivery, {last, source}. A header has only the parts that the machine has.
extern const unsigned kHeaderBits, kOfferBits, kDeliveryBits;
/// Words of 32 bits that hold a payload.
extern const std::size_t kPayloadWords;

enum class Kind {
  barrier,
  barrier_pace,
  destination_error,
  header_error,
  link_barrier_pace,
  link_pace,
  m_link,
  m_local,
  pace,
  s_link,
  s_local
};

/// A stream of every node, or the paces, as in golden traces.
struct StreamName {
  Kind kind;
  int port;               // -1 for s_local, for m_local if it is one stream, and for paces
  std::string text;       // such as "m_link03"
  unsigned header_bits;   // 0: the trace has "-" instead of a header
  unsigned payload_bits;  // 0: the trace has "-" instead of a payload

  bool paces() const {
    return kind == Kind::pace || kind == Kind::link_pace || kind == Kind::barrier_pace ||
           kind == Kind::link_barrier_pace;
  }
  bool errors() const { return kind == Kind::header_error || kind == Kind::destination_error; }

  /// The place of the stream among those of its kind.
  unsigned lane() const { return port < 0 ? 0 : static_cast<unsigned>(port); }
};

/// The streams of one node in the order of their names, and after them the paces.
class StreamTable {
 public:
  /// The names in a trace of a router, or in a trace of a network, which has one pace for all nodes, and
  /// link inputs only for links with registers.
  explicit StreamTable(bool router);

  /// The number of streams of a node.
  std::size_t size() const { return streams_; }
  /// A stream; from size() upwards, the paces.
  const StreamName& operator[](std::size_t i) const { return names_[i]; }

  /// Number of this name, or -1.
  int find(const char* text, std::size_t length) const;
  /// Whether name a comes before name b in the lines of a node.
  bool before(std::size_t a, std::size_t b) const { return names_[a].text < names_[b].text; }
  /// Words of 32 bits that hold any payload.
  std::size_t words() const { return words_; }

 private:
  std::vector<StreamName> names_;
  /// The first of names of a kind whose ports follow one another.
  struct Start {
    std::size_t number, port;
  };
  std::vector<Start> starts_;
  std::size_t streams_;
  std::size_t words_;
};

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
