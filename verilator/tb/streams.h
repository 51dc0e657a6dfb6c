// SPDX-License-Identifier: Apache-2.0
//
// The streams of a node: their names in golden traces and their fields. The paces of the
// neighbour clocks have lines in a trace, too, but are no streams.

#ifndef HC_STREAMS_H
#define HC_STREAMS_H

#include <cstddef>
#include <string>
#include <vector>

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
  /// The names in a trace of a router, or in a trace of a network, which has no link inputs and
  /// one pace for all nodes.
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
  std::vector<std::size_t> starts_;  // number of the first name of each kind
  std::size_t streams_;
  std::size_t words_;
};

}  // namespace hc

#endif
