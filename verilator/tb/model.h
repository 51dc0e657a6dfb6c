// SPDX-License-Identifier: Apache-2.0
//
// The interface of a design for the replay: two clock phases, a reset, the streams of its nodes
// and their paces.

#ifndef HC_MODEL_H
#define HC_MODEL_H

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <verilated.h>
#if VM_TRACE
#include <verilated_vcd_c.h>
#endif

#include "streams.h"
#include "wires.h"

namespace hc {

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
  Field pace;       // pace of the first node
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
  virtual void dump_waves(std::uint64_t time) = 0;
  virtual void finish() = 0;

  Streams streams;
  /// The errors of a network; a router has no entries here.
  std::vector<AnyError> any_errors;
  /// The clock that limits injection, then the clock of the barrier.
  std::vector<Clock> clocks;
};

/// The part that is the same for every Verilated class.
template <class Top>
class VerilatedModel : public Model {
 public:
  explicit VerilatedModel(VerilatedContext& context) : top_(new Top(&context, "top")) {}

  void reset(bool active) override { top_->rst = active; }
  void settle() override {
    top_->clk = 0;
    top_->eval();
  }
  void edge() override {
    top_->clk = 1;
    top_->eval();
  }
#if VM_TRACE
  void open_waves(const std::string& path) override {
    waves_.reset(new VerilatedVcdC);
    top_->trace(waves_.get(), 99);
    waves_->open(path.c_str());
    if (!waves_->isOpen()) throw std::runtime_error(path + ": cannot be written");
  }
  void dump_waves(std::uint64_t time) override {
    if (waves_) waves_->dump(time);
  }
  void finish() override {
    top_->final();
    if (waves_) waves_->close();
  }
#else
  void open_waves(const std::string& path) override {
    throw std::runtime_error(path + ": this bench was built without waves (--trace)");
  }
  void dump_waves(std::uint64_t) override {}
  void finish() override { top_->final(); }
#endif

 protected:
  Top& top() { return *top_; }

 private:
  std::unique_ptr<Top> top_;
#if VM_TRACE
  std::unique_ptr<VerilatedVcdC> waves_;
#endif
};

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
