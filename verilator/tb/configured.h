// SPDX-License-Identifier: Apache-2.0
//
// Designs that are configured over a bus: the wires of the bus, reading registers back, and configuring a network
// while messages are under way. Any other design has an empty interface.

#ifndef HC_CONFIGURED_H
#define HC_CONFIGURED_H

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench_config.h"
#include "model.h"
#if defined(WISHBONE) || defined(AXI4LITE)
#include "bus.h"
#endif

namespace hc {

#if defined(WISHBONE) || defined(AXI4LITE)
inline constexpr bool kProgrammable = true;
#else
inline constexpr bool kProgrammable = false;
#endif

/// The wires of the configuration bus, and a clock for its master.
struct BusWires {
  std::uint8_t clk = 0;
#if defined(WISHBONE)
  std::uint8_t wb_cyc_i = 0, wb_stb_i = 0, wb_we_i = 0, wb_adr_i = 0, wb_sel_i = 0, wb_ack_o = 0, wb_err_o = 0;
  std::uint32_t wb_dat_i = 0, wb_dat_o = 0;

  template <class Top>
  void drive(Top& t) const {
    t.wb_cyc_i = wb_cyc_i;
    t.wb_stb_i = wb_stb_i;
    t.wb_we_i = wb_we_i;
    t.wb_adr_i = wb_adr_i;
    t.wb_dat_i = wb_dat_i;
    t.wb_sel_i = wb_sel_i;
  }
  template <class Top>
  void listen(const Top& t) {
    wb_dat_o = t.wb_dat_o;
    wb_ack_o = t.wb_ack_o;
    wb_err_o = t.wb_err_o;
  }
#elif defined(AXI4LITE)
  std::uint8_t s_axi_awvalid = 0, s_axi_awready = 0, s_axi_awaddr = 0, s_axi_awprot = 0;
  std::uint8_t s_axi_wvalid = 0, s_axi_wready = 0, s_axi_wstrb = 0, s_axi_bvalid = 0, s_axi_bready = 0, s_axi_bresp = 0;
  std::uint8_t s_axi_arvalid = 0, s_axi_arready = 0, s_axi_araddr = 0, s_axi_arprot = 0;
  std::uint8_t s_axi_rvalid = 0, s_axi_rready = 0, s_axi_rresp = 0;
  std::uint32_t s_axi_wdata = 0, s_axi_rdata = 0;

  template <class Top>
  void drive(Top& t) const {
    t.s_axi_awvalid = s_axi_awvalid;
    t.s_axi_awaddr = s_axi_awaddr;
    t.s_axi_awprot = s_axi_awprot;
    t.s_axi_wvalid = s_axi_wvalid;
    t.s_axi_wdata = s_axi_wdata;
    t.s_axi_wstrb = s_axi_wstrb;
    t.s_axi_bready = s_axi_bready;
    t.s_axi_arvalid = s_axi_arvalid;
    t.s_axi_araddr = s_axi_araddr;
    t.s_axi_arprot = s_axi_arprot;
    t.s_axi_rready = s_axi_rready;
  }
  template <class Top>
  void listen(const Top& t) {
    s_axi_awready = t.s_axi_awready;
    s_axi_wready = t.s_axi_wready;
    s_axi_bvalid = t.s_axi_bvalid;
    s_axi_bresp = t.s_axi_bresp;
    s_axi_arready = t.s_axi_arready;
    s_axi_rvalid = t.s_axi_rvalid;
    s_axi_rdata = t.s_axi_rdata;
    s_axi_rresp = t.s_axi_rresp;
  }
#else
  template <class Top>
  void drive(Top&) const {}
  template <class Top>
  void listen(const Top&) {}
#endif

  Step settle, edge;
  void eval() { clk ? edge() : settle(); }

  /// Writes the machine. Returns after the edge at which configured() becomes true: the
  /// design accepts messages from the next cycle on.
  template <class Configured>
  void configure(Step on_settle, Step on_edge, Configured configured) {
    settle = std::move(on_settle);
    edge = std::move(on_edge);
    write_if_programmable(*this, configured);
  }

  /// Reads a register. False if the bus answers with an error.
  bool read(Step on_settle, Step on_edge, std::uint32_t address, std::uint32_t* value) {
    settle = std::move(on_settle);
    edge = std::move(on_edge);
    return read_if_programmable(*this, address, value);
  }

 private:
  std::uint64_t reads_ = 0;

  // Templates, because the master does not exist without a bus.
  template <class Wires, class Configured>
  static void write_if_programmable(Wires& wires, Configured configured) {
    if constexpr (kProgrammable) write_machine(wires, configured);
  }
  template <class Wires>
  static bool read_if_programmable(Wires& wires, std::uint32_t address, std::uint32_t* value) {
    if constexpr (kProgrammable) return read_register(wires, address, value);
    return false;
  }
#if defined(WISHBONE) || defined(AXI4LITE)
  template <class Wires>
  static bool read_register(Wires& wires, std::uint32_t address, std::uint32_t* value) {
    ConfigurationBus<Wires> bus(wires, ++wires.reads_);  // with other waits than in the previous call
    return bus.read(address, value);
  }
  template <class Wires, class Configured>
  static void write_machine(Wires& wires, Configured configured) {
    constexpr unsigned kClosing = 4;                    // cycles until the effect of a start is visible
    constexpr unsigned kPatience = 4096 + 64 * kNodes;  // cycles within which the design must be configured
    ConfigurationBus<Wires> bus(wires, 1);
    for (const Write& write : kWrites) {
      if (!bus.write(write.address, write.value)) {
        throw std::runtime_error("the configuration bus refuses a write to address " + std::to_string(write.address));
      }
    }
    for (unsigned cycle = 0; cycle < kClosing || !configured(); ++cycle) {
      if (cycle == kPatience) throw std::runtime_error("the design is not configured in time");
      bus.tick();
    }
  }
#endif
};

/// A design with one slave of the configuration bus, if any.
template <class Top>
class ConfiguredModel : public VerilatedModel<Top> {
 public:
  using VerilatedModel<Top>::VerilatedModel;

  void settle() override {
    wires_.drive(this->top());
    VerilatedModel<Top>::settle();
    wires_.listen(this->top());
  }
  void configure(Step on_settle, Step on_edge) override {
    wires_.configure(on_settle, on_edge, [this] { return is_configured(this->top()); });
  }
  bool read(Step on_settle, Step on_edge, std::uint32_t address, std::uint32_t* value) override {
    return wires_.read(on_settle, on_edge, address, value);
  }

 private:
  template <class T>
  static bool is_configured(const T& t) {
    if constexpr (kProgrammable) return t.configured != 0;
    return true;
  }

  BusWires wires_;
};

/// Compares the registers with the plan, from bench_config.h, and the counters with the
/// handshakes at the ports of the router that answers on the bus, the first router of the
/// model. A design that is not programmable has nothing to read.
class ReadBack {
 public:
  ReadBack(Model& model, const StreamTable& table, Report& report) : model_(model), table_(table), report_(report) {}

  /// The design was configured: its counters restart.
  void clear();
  /// Called in every cycle from then on, before the rising edge of the clock.
  void count();
  /// Handshakes and header errors since then.
  std::uint64_t moves() const;

  /// Reads with these halves of a cycle. when is the first word of messages. While counters are
  /// read, and in the two cycles before, no handshake may take place.
  void check_machine(const Step& settle, const Step& edge, const std::string& when);
  void check_counters(const Step& settle, const Step& edge, const std::string& when);

  std::uint64_t registers() const { return registers_; }  // number of registers compared

 private:
  static constexpr std::size_t kCounted = 4;  // in the order of kCounters

  void check(const Step& settle, const Step& edge, const std::string& when, const char* name, std::uint32_t address,
             std::uint32_t expected);

  Model& model_;
  const StreamTable& table_;
  Report& report_;
  std::uint32_t counts_[kCounted] = {};
  std::uint64_t registers_ = 0;
};

struct Reload {
  std::uint64_t taken = 0;       // messages taken before the routers closed
  std::uint64_t wanted = 0;      // deliveries of these messages
  std::uint64_t deliveries = 0;  // deliveries until the routers were open again
  std::string wrong;             // a fault in the deliveries of a node; "": none
  std::string after;             // a fault with messages taken after the configuration; "": none
};

/// Loads the network, which must be empty, and configures it again. When the routers open
/// again, every message that was taken must have been delivered to all its nodes, once and
/// unchanged. The routers are loaded while their registers are read, and empty while their
/// counters are read.
Reload reload(Model& model, const StreamTable& table, std::uint32_t seed, ReadBack& read_back);

}  // namespace hc

#endif
