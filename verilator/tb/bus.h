// SPDX-License-Identifier: Apache-2.0
//
// Master of the configuration bus of a programmable router: Wishbone if WISHBONE is
// defined, AXI4-Lite if AXI4LITE is. It waits a random number of cycles wherever the
// protocol permits it.

#ifndef HC_BUS_H
#define HC_BUS_H

#include <cstdint>
#include <stdexcept>

#include "bench.h"

namespace hc {

/// Drives the clock of a Verilated top while it accesses the bus.
template <class Top>
class ConfigurationBus {
 public:
  ConfigurationBus(Top& top, std::uint64_t seed) : top_(top), random_(seed) { release(); }

  /// One cycle; inputs are those that the caller has set.
  void tick() {
    top_.clk = 0;
    top_.eval();
    top_.clk = 1;
    top_.eval();
  }

  /// Whether the write was not refused.
  bool write(std::uint32_t address, std::uint32_t data, std::uint32_t lanes = 15) {
    return access(true, address, data, lanes, nullptr);
  }
  bool read(std::uint32_t address, std::uint32_t* data) { return access(false, address, 0, 15, data); }

 private:
  static constexpr unsigned kPatience = 100;  // cycles within which a response must come

  unsigned wait() { return random_.word() % 3; }
  static void stuck() { throw std::runtime_error("the configuration bus does not answer"); }

#if defined(WISHBONE)
  void release() {
    top_.wb_cyc_i = top_.wb_stb_i = top_.wb_we_i = 0;
    top_.wb_adr_i = random_.word() & 255;
    top_.wb_dat_i = random_.word();
    top_.wb_sel_i = random_.word() & 15;
  }

  bool access(bool write, std::uint32_t address, std::uint32_t data, std::uint32_t lanes, std::uint32_t* result) {
    for (unsigned n = wait(); n > 0; --n) tick();
    top_.wb_cyc_i = top_.wb_stb_i = 1;
    top_.wb_we_i = write;
    top_.wb_adr_i = address;
    if (write) top_.wb_dat_i = data;
    top_.wb_sel_i = lanes;
    for (unsigned n = 0;; ++n) {
      if (n == kPatience) stuck();
      top_.clk = 0;
      top_.eval();
      const bool ack = top_.wb_ack_o, err = top_.wb_err_o;
      if (ack && err) throw std::runtime_error("Wishbone: ack and err in one cycle");
      if (ack && result != nullptr) *result = top_.wb_dat_o;
      top_.clk = 1;
      top_.eval();
      if (!ack && !err) continue;
      release();
      return ack;
    }
  }
#elif defined(AXI4LITE)
  void release() {
    top_.s_axi_awvalid = top_.s_axi_wvalid = top_.s_axi_arvalid = 0;
    top_.s_axi_bready = top_.s_axi_rready = 0;
    top_.s_axi_awaddr = random_.word() & 255;
    top_.s_axi_araddr = random_.word() & 255;
    top_.s_axi_wdata = random_.word();
    top_.s_axi_wstrb = random_.word() & 15;
    top_.s_axi_awprot = random_.word() & 7;
    top_.s_axi_arprot = random_.word() & 7;
  }

  bool access(bool write, std::uint32_t address, std::uint32_t data, std::uint32_t lanes, std::uint32_t* result) {
    unsigned address_in = wait(), data_in = wait(), ready_in = wait();
    bool address_left = true, data_left = write;
    for (unsigned n = 0;; ++n) {
      if (n == kPatience) stuck();
      if (n == address_in) {
        (write ? top_.s_axi_awaddr : top_.s_axi_araddr) = address;
        (write ? top_.s_axi_awvalid : top_.s_axi_arvalid) = 1;
      }
      if (write && n == data_in) {
        top_.s_axi_wdata = data;
        top_.s_axi_wstrb = lanes;
        top_.s_axi_wvalid = 1;
      }
      if (n >= ready_in) (write ? top_.s_axi_bready : top_.s_axi_rready) = 1;
      top_.clk = 0;
      top_.eval();
      const bool address_taken =
          write ? top_.s_axi_awvalid && top_.s_axi_awready : top_.s_axi_arvalid && top_.s_axi_arready;
      const bool data_taken = top_.s_axi_wvalid && top_.s_axi_wready;
      const bool valid = write ? top_.s_axi_bvalid : top_.s_axi_rvalid;
      const bool answered = valid && (write ? top_.s_axi_bready : top_.s_axi_rready);
      if (valid && (address_left || data_left)) throw std::runtime_error("AXI4-Lite: a response before its request");
      const unsigned response = write ? top_.s_axi_bresp : top_.s_axi_rresp;
      if (answered && result != nullptr) *result = top_.s_axi_rdata;
      top_.clk = 1;
      top_.eval();
      if (address_taken) {
        address_left = false;
        top_.s_axi_awvalid = top_.s_axi_arvalid = 0;
      }
      if (data_taken) {
        data_left = false;
        top_.s_axi_wvalid = 0;
      }
      if (!answered) continue;
      release();
      return response == 0;
    }
  }
#else
#error "define WISHBONE or AXI4LITE"
#endif

  Top& top_;
  Random random_;
};

}  // namespace hc

#endif
