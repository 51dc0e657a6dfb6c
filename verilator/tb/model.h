// SPDX-License-Identifier: Apache-2.0
//
// A Verilated design as the benches see it: its wires, whatever type Verilator chose for them, the streams
// of its nodes and their paces, two clock phases, and a reset.

#ifndef HC_MODEL_H
#define HC_MODEL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <verilated.h>
#if VM_TRACE
#include <cerrno>

#include <verilated_vcd_c.h>
#endif

#include "bench.h"
#include "trace.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "model.h reads Verilated values as little-endian bytes");

namespace hc {

// On a little-endian host all types of ports (CData, SData, IData, QData and VlWide of any length) are
// little-endian arrays of bytes. So a pointer and a width describe each of them, and the rest of the bench
// needs no templates.

/// Bytes that Verilator uses for a value of this number of bits.
constexpr std::size_t storage_bytes(std::size_t bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : bits <= 64 ? 8 : (bits + 31) / 32 * 4;
}

/// A vector of wires: a port or a public signal of the model.
class Wires {
 public:
  Wires() = default;

  /// Refers to a port, which must outlive this. Throws std::logic_error if the
  /// port cannot have this width: then bench_config.h belongs to other RTL.
  template <class Port>
  Wires(Port& port, std::size_t bits, const char* name)
      : bytes_(reinterpret_cast<unsigned char*>(&port)), size_(sizeof(Port)) {
    if (size_ != storage_bytes(bits)) {
      throw std::logic_error(std::string("port ") + name + " does not have the " + std::to_string(bits) +
                             " bits that bench_config.h implies");
    }
  }

  /// Refers to any bytes, which must outlive this.
  Wires(unsigned char* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  /// Bits lsb .. lsb+width-1; width is 1 to 32.
  std::uint32_t get(std::size_t lsb, unsigned width) const {
    return static_cast<std::uint32_t>(load(lsb >> 3) >> (lsb & 7)) & mask(width);
  }

  /// Sets bits lsb .. lsb+width-1 to the low bits of value; width is 1 to 32.
  void set(std::size_t lsb, unsigned width, std::uint32_t value) {
    const std::size_t byte = lsb >> 3;
    const unsigned shift = lsb & 7;
    const std::uint64_t field = static_cast<std::uint64_t>(mask(width)) << shift;
    const std::uint64_t bits = (static_cast<std::uint64_t>(value) << shift) & field;
    store(byte, (load(byte) & ~field) | bits);
  }

 private:
  static std::uint32_t mask(unsigned width) { return width >= 32 ? 0xffffffffU : (std::uint32_t{1} << width) - 1; }

  std::uint64_t load(std::size_t byte) const {
    std::uint64_t word = 0;
    if (byte + sizeof word <= size_) {
      std::memcpy(&word, bytes_ + byte, sizeof word);  // constant length: one instruction
    } else {
      std::memcpy(&word, bytes_ + byte, size_ - byte);
    }
    return word;
  }

  void store(std::size_t byte, std::uint64_t word) {
    if (byte + sizeof word <= size_) {
      std::memcpy(bytes_ + byte, &word, sizeof word);
    } else {
      std::memcpy(bytes_ + byte, &word, size_ - byte);
    }
  }

  unsigned char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// A field of a vector of wires; width 0 is a field that does not exist. Values
/// are arrays of 32-bit words, lowest first, with 0 above the width.
class Field {
 public:
  Field() = default;
  /// stride is the distance in bits to the same field of the next node.
  Field(Wires wires, std::size_t lsb, std::size_t width, std::size_t stride = 0)
      : wires_(wires), lsb_(lsb), width_(width), stride_(stride) {}

  /// The same field, n nodes later.
  Field after(std::size_t n) const { return Field(wires_, lsb_ + n * stride_, width_, stride_); }

  std::size_t width() const { return width_; }
  std::size_t words() const { return (width_ + 31) / 32; }

  void get(std::uint32_t* value) const {
    for (std::size_t w = 0; w < words(); ++w) value[w] = word(w);
  }
  void set(const std::uint32_t* value) {
    for (std::size_t w = 0; w < words(); ++w) wires_.set(lsb_ + 32 * w, bits(w), value[w]);
  }
  bool equals(const std::uint32_t* value) const {
    for (std::size_t w = 0; w < words(); ++w) {
      if (word(w) != value[w]) return false;
    }
    return true;
  }
  void randomize(Random& random) {
    for (std::size_t w = 0; w < words(); ++w) wires_.set(lsb_ + 32 * w, bits(w), random.word());
  }

  /// The only bit of a field of one bit.
  bool bit() const { return wires_.get(lsb_, 1) != 0; }
  void bit(bool value) { wires_.set(lsb_, 1, value ? 1 : 0); }

 private:
  unsigned bits(std::size_t w) const { return static_cast<unsigned>(std::min<std::size_t>(32, width_ - 32 * w)); }
  std::uint32_t word(std::size_t w) const { return wires_.get(lsb_ + 32 * w, bits(w)); }

  Wires wires_;
  std::size_t lsb_ = 0;
  std::size_t width_ = 0;
  std::size_t stride_ = 0;
};

/// A header of at most 64 bits: a field, and above it others that may lie in other vectors.
class Header {
 public:
  Header() = default;
  explicit Header(Field low, Field high = Field(), Field top = Field()) : low_(low), high_(high), top_(top) {}

  Header after(std::size_t n) const { return Header(low_.after(n), high_.after(n), top_.after(n)); }
  std::size_t width() const { return below_top() + top_.width(); }

  std::uint64_t get() const {
    return get(low_) | (high_.width() > 0 ? get(high_) << low_.width() : 0) |
           (top_.width() > 0 ? get(top_) << below_top() : 0);
  }
  void set(std::uint64_t value) {
    set(low_, value);
    if (high_.width() > 0) set(high_, value >> low_.width());
    if (top_.width() > 0) set(top_, value >> below_top());
  }
  void randomize(Random& random) {
    low_.randomize(random);
    high_.randomize(random);
    top_.randomize(random);
  }

 private:
  static std::uint64_t get(const Field& field) {
    std::uint32_t words[2] = {0, 0};
    field.get(words);
    return words[0] | static_cast<std::uint64_t>(words[1]) << 32;
  }
  static void set(Field& field, std::uint64_t value) {
    const std::uint32_t words[2] = {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
    field.set(words);
  }

  std::size_t below_top() const { return low_.width() + high_.width(); }

  Field low_, high_, top_;
};

/// The driver of a stream.
enum class Role {
  input,     // the bench drives valid and data, the design ready
  output,    // the design drives valid and data, the bench ready
  internal,  // the design drives all signals
  pulse      // the design drives one bit
};

/// A stream of one node and its wires.
struct Stream {
  Role role = Role::pulse;
  std::uint32_t node = 0;
  std::uint32_t name = 0;  // number in the StreamTable
  Field valid, ready;
  Header header;
  Field payload;
};

/// The streams of all nodes, ordered as in a trace. Only those of the first node
/// are kept: a machine can have a million, and the wires of a stream lie at the
/// same distance from node to node.
class Streams {
 public:
  Streams() = default;
  /// first holds the streams of the first node.
  Streams(std::vector<Stream> first, std::uint32_t nodes) : first_(std::move(first)), nodes_(nodes) {}

  std::size_t size() const { return nodes_ * first_.size(); }
  std::uint32_t nodes() const { return nodes_; }
  const std::vector<Stream>& first() const { return first_; }

  Stream operator[](std::size_t i) const { return at(i / first_.size(), i % first_.size()); }
  /// Stream with this number in the StreamTable, n nodes after the first.
  Stream at(std::size_t n, std::size_t name) const {
    const Stream& s = first_[name];
    return {s.role,
            static_cast<std::uint32_t>(s.node + n),
            s.name,
            s.valid.after(n),
            s.ready.after(n),
            s.header.after(n),
            s.payload.after(n)};
  }

 private:
  std::vector<Stream> first_;
  std::uint32_t nodes_ = 0;
};

/// A wire of a network that is the OR of the wires of its routers.
struct AnyError {
  Kind kind;  // kind of the streams of the routers
  const char* name;
  Field wire;
  Field nodes = Field();  // field of the first node, if the network has the errors of nodes; else width 0
};

/// A neighbour clock.
struct Clock {
  Kind kind, link_kind;  // kinds of the lines in a trace
  const char* name;
  Field pace;       // pace of the first node; its width is that of all paces
  Field link_pace;  // paces of the neighbours of a router, which the bench drives; width 0 in a network
};

/// Half a cycle.
using Step = std::function<void()>;

/// A design under test.
class Model {
 public:
  virtual ~Model() = default;
  virtual void reset(bool active) = 0;
  /// Sets the clock low: the wires take the values that follow from the inputs.
  virtual void settle() = 0;
  /// Raises the clock: registers change.
  virtual void edge() = 0;
  /// After a reset: configures a programmable design, with these halves of a cycle. The next
  /// cycle is then the first in which it accepts messages.
  virtual void configure(Step, Step) {}
  /// Reads a register of a programmable design over its bus, with these halves of a cycle.
  /// False if the bus answers with an error.
  virtual bool read(Step, Step, std::uint32_t /*address*/, std::uint32_t* /*value*/) { return false; }
  /// Describes an output that must be silent and is not; empty if there is none.
  virtual std::string stray() const { return ""; }
  /// The number of valid streams that the design drives.
  virtual std::size_t valid_outputs() const {
    std::size_t valid = 0;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const Stream stream = streams[i];
      if (stream.role != Role::input && stream.valid.bit()) ++valid;
    }
    return valid;
  }
  virtual void open_waves(const std::string& path) = 0;
  /// Records the cycle that has settled, which is the n-th of the waves. From the first counted cycle on, the signal
  /// trace.cycle counts as the golden trace does.
  virtual void record(std::uint64_t n, bool counted) = 0;
  virtual void finish() = 0;

  Streams streams;
  /// The errors of a network; a router has no entries here.
  std::vector<AnyError> any_errors;
  /// The clock that limits injection, then the clock of the barrier.
  std::vector<Clock> clocks;
};

#if VM_TRACE
constexpr std::uint64_t kCycleTime = 10;  // of a cycle in the waves, in ns

/// A VCD file to which the signal trace.cycle is added: Verilator's class for waves knows only the signals of the design.
class CycleFile : public VerilatedVcdFile {
 public:
  /// The n-th cycle of the waves is cycle 0, unless an earlier one is.
  void count_from(std::uint64_t n) { first_ = std::min(first_, n); }

  /// Verilator passes on whole buffers, which may end within a line.
  ssize_t write(const char* bytes, ssize_t length) override {
    std::string text;
    for (ssize_t i = 0; i < length; ++i) {
      line_ += bytes[i];
      if (bytes[i] != '\n') continue;
      if (line_.compare(0, 15, "$enddefinitions") == 0) {
        text += "$scope module trace $end\n$var wire 64 cycle cycle [63:0] $end\n$upscope $end\n";
      }
      text += line_;
      if (line_[0] == '#') text += cycle_at(std::stoull(line_.substr(1)));
      line_.clear();
    }
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = VerilatedVcdFile::write(text.data() + at, static_cast<ssize_t>(text.size() - at));
      if (written >= 0) {
        at += static_cast<std::size_t>(written);
      } else if (errno != EINTR && errno != EAGAIN) {
        return -1;
      }
    }
    return length;
  }

 private:
  // The value of the signal at a time; it is undefined before cycle 0.
  std::string cycle_at(std::uint64_t time) const {
    if (time % kCycleTime != 0 || time / kCycleTime < first_) return "";
    std::string bits;
    for (std::uint64_t cycle = time / kCycleTime - first_; cycle > 0 || bits.empty(); cycle >>= 1) {
      bits.insert(0, 1, (cycle & 1) != 0 ? '1' : '0');
    }
    return "b" + bits + " cycle\n";
  }

  std::string line_;
  std::uint64_t first_ = UINT64_MAX;  // cycle 0 of the trace, as a cycle of the waves
};
#endif

/// The part that is the same for every Verilated class. Its clock and reset have this width.
template <class Top, unsigned Clocks = 1>
class VerilatedModel : public Model {
 public:
  explicit VerilatedModel(VerilatedContext& context) : top_(new Top(&context, "top")) {}

  void reset(bool active) override { all(top_->rst, active); }
  void settle() override {
    all(top_->clk, false);
    top_->eval();
  }
  void edge() override {
    all(top_->clk, true);
    top_->eval();
  }
#if VM_TRACE
  void open_waves(const std::string& path) override {
    top_->contextp()->timeunit(-9);  // ns
    top_->contextp()->timeprecision(-9);
    waves_.reset(new Waves);
    top_->trace(&waves_->vcd, 99);
    waves_->vcd.open(path.c_str());
    if (!waves_->vcd.isOpen()) throw std::runtime_error(path + ": cannot be written");
  }
  void record(std::uint64_t n, bool counted) override {
    if (!waves_) return;
    if (counted) waves_->file.count_from(n);
    // In the waves a cycle begins with the rising edge, so that all wires of a cycle, inputs and outputs, change at
    // one time. The clock is low when they settle.
    all(top_->clk, true);
    waves_->vcd.dump(kCycleTime * n);
    all(top_->clk, false);
    top_->eval();  // nothing changes, but Verilator writes only what may have changed since the last evaluation
    waves_->vcd.dump(kCycleTime * n + kCycleTime / 2);
  }
  void finish() override {
    top_->final();
    if (waves_) waves_->vcd.close();
  }
#else
  void open_waves(const std::string& path) override {
    throw std::runtime_error(path + ": this bench was built without waves (--trace)");
  }
  void record(std::uint64_t, bool) override {}
  void finish() override { top_->final(); }
#endif

 protected:
  Top& top() { return *top_; }

  /// Sets all bits of a clock or reset.
  template <class Port>
  static void all(Port& port, bool high) {
    if constexpr (Clocks == 1) {
      port = high;
    } else {
      Wires wires(port, Clocks, "clk and rst");
      for (unsigned c = 0; c < Clocks; ++c) wires.set(c, 1, high);
    }
  }

 private:
  std::unique_ptr<Top> top_;
#if VM_TRACE
  struct Waves {
    CycleFile file;
    VerilatedVcdC vcd{&file};
  };
  std::unique_ptr<Waves> waves_;
#endif
};

/// Prepares the simulator: registers start at random.
inline void prepare(VerilatedContext& context, const Options& options, int argc, char** argv) {
  context.threads(1);                                    // of a model; the default is one for each processor
  context.randReset(2);                                  // registers start at random, as --x-initial unique allows
  context.randSeed(static_cast<int>(options.seed) + 1);  // 0 would be a new seed in each run
  context.commandArgs(argc, argv);
  context.traceEverOn(!options.waves.empty());
}

/// Makes the streams of count nodes, starting at first: bind(stream, name) adds role and
/// wires to the streams of the first node.
template <class Bind>
Streams bind_streams(const StreamTable& table, std::uint32_t first, std::uint32_t count, Bind bind) {
  std::vector<Stream> streams;
  for (std::size_t i = 0; i < table.size(); ++i) {
    Stream stream;
    stream.node = first;
    stream.name = static_cast<std::uint32_t>(i);
    bind(stream, table[i]);
    streams.push_back(stream);
  }
  return Streams(std::move(streams), count);
}

}  // namespace hc

#endif
