// SPDX-License-Identifier: Apache-2.0
//
// The streams of a node: their names in golden traces and their fields.

#ifndef HC_STREAMS_H
#define HC_STREAMS_H

#include <cstddef>
#include <string>
#include <vector>

namespace hc {

/// Bits of the header on a link: {wd, wc} or {wd, wc, source}.
extern const unsigned kHeaderBits;
/// Words of 32 bits that hold a payload.
extern const std::size_t kPayloadWords;

enum class Kind { header_error, m_link, m_local, s_link, s_local };

/// One stream of every node, as golden traces know it.
struct StreamName {
  Kind kind;
  int port;              // -1 for s_local, and for m_local if it is one stream
  std::string text;      // such as "m_link03"
  unsigned header_bits;  // 0: the trace has "-" instead of a header
  bool payload;          // false: the trace has "-" instead of a payload

  /// Where the stream stands among those of its kind.
  unsigned lane() const { return port < 0 ? 0 : static_cast<unsigned>(port); }
};

/// The streams of one node in the order of their names, which is the order of
/// a trace within a node.
class StreamTable {
 public:
  /// The streams of a router's trace, or, without link inputs, of a network's.
  explicit StreamTable(bool link_inputs);

  std::size_t size() const { return names_.size(); }
  const StreamName& operator[](std::size_t i) const { return names_[i]; }

  /// Number of the stream with this name, or -1.
  int find(const char* text, std::size_t length) const;

 private:
  std::vector<StreamName> names_;
  std::vector<std::size_t> starts_;  // number of the first stream of each kind
};

}  // namespace hc

#endif
