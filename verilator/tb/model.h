// SPDX-License-Identifier: Apache-2.0
//
// What the replay knows of a Verilated top: two clock phases, a reset and the
// streams of its nodes.

#ifndef HC_MODEL_H
#define HC_MODEL_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <verilated.h>
#include <verilated_vcd_c.h>

#include "streams.h"
#include "wires.h"

namespace hc {

/// Who drives a stream.
enum class Role {
  input,     // the bench drives valid and data, the design ready
  output,    // the design drives valid and data, the bench ready
  internal,  // the design drives all of it
  pulse      // the design drives one bit
};

/// A stream of one node and its wires.
struct Stream {
  Role role = Role::pulse;
  std::uint32_t node = 0;
  std::uint32_t name = 0;  // number in the StreamTable
  Field valid, ready, header, payload;
};

/// A Verilated design under test.
class Model {
 public:
  virtual ~Model() = default;
  virtual void eval() = 0;
  virtual void open_waves(const std::string& path) = 0;
  virtual void dump_waves(std::uint64_t time) = 0;
  virtual void finish() = 0;

  Field clk, rst;
  std::vector<Stream> streams;  // of all nodes, ordered as in a trace
  /// header_error of a network, the OR of those of its routers; width 0 in a
  /// router.
  Field any_error;
};

/// The part that is the same for every Verilated class.
template <class Top>
class VerilatedModel : public Model {
 public:
  explicit VerilatedModel(VerilatedContext& context) : top_(new Top(&context, "top")) {
    clk = Field(Wires(top_->clk, 1, "clk"), 0, 1);
    rst = Field(Wires(top_->rst, 1, "rst"), 0, 1);
  }

  void eval() override { top_->eval(); }
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

 protected:
  Top& top() { return *top_; }

 private:
  std::unique_ptr<Top> top_;
  std::unique_ptr<VerilatedVcdC> waves_;
};

/// Makes the streams of nodes from a table of names: bind(stream, name) adds
/// role and wires. count nodes from first on.
template <class Bind>
std::vector<Stream> bind_streams(const StreamTable& table, std::uint32_t first, std::uint32_t count, Bind bind) {
  std::vector<Stream> streams;
  streams.reserve(count * table.size());
  for (std::uint32_t node = first; node < first + count; ++node) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      Stream stream;
      stream.node = node;
      stream.name = static_cast<std::uint32_t>(i);
      bind(stream, table[i]);
      streams.push_back(stream);
    }
  }
  return streams;
}

}  // namespace hc

#endif
