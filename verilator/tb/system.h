// SPDX-License-Identifier: Apache-2.0
//
// The network with its endpoints, <machine>_system, as its bench sees it: addresses and accesses from docs/endpoints.md, a
// master at each bus, a memory at each memory port, and the interrupts. Nothing here knows when an access ends.
//
// In addition to the constants in machine.h, bench_config.h defines for machines with endpoints one of the macros
// HC_WISHBONE and HC_AXI4LITE, the macro HC_IDLE_INPUTS(INPUT), which is INPUT(port) for each input of a collective network
// in the system, and
//
//   inline constexpr unsigned kMemoryBits;    bits of a byte address in the memory of a node
//   inline constexpr bool kGets, kAdds;       nodes get words from others, and add to them
//   inline constexpr unsigned kSystemClocks;  clocks of the system: 1, or one for each chip
//   inline constexpr std::uint64_t kTimeout;  cycles after which an access ends late; 0: on one chip none does

#ifndef HC_SYSTEM_H
#define HC_SYSTEM_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "Vsystem.h"
#include "bench_config.h"
#include "checks.h"
#include "model.h"

namespace hc {

// Addresses

constexpr unsigned kDimensions = std::size(kRings);
constexpr unsigned kWordBits = kMemoryBits - 2;
constexpr unsigned kRegionBits = 2;
constexpr unsigned kBusBits = kMemoryBits + kDigitsBits + kDimensions + kRegionBits;

constexpr std::uint32_t low_bits(unsigned bits) { return bits >= 32 ? UINT32_MAX : (1U << bits) - 1; }

enum Region : std::uint32_t { kOwn, kRegisters, kMessages, kAdd };

/// The fields of an address on the bus.
struct Address {
  std::uint32_t offset = 0, digits = 0, all = 0, region = kOwn;

  Address() = default;
  explicit Address(std::uint32_t address)
      : offset(address & low_bits(kMemoryBits)),
        digits(address >> kMemoryBits & low_bits(kDigitsBits)),
        all(address >> (kMemoryBits + kDigitsBits) & low_bits(kDimensions)),
        region(address >> (kBusBits - kRegionBits)) {}

  std::uint32_t packed() const {
    return offset | digits << kMemoryBits | all << (kMemoryBits + kDigitsBits) | region << (kBusBits - kRegionBits);
  }
  std::uint32_t word() const { return offset >> 2; }
};

/// The word of the doorbells of a node.
constexpr std::uint32_t kDoorbell = low_bits(kWordBits);

struct Access {
  bool write = false;
  std::uint32_t address = 0, strobes = 0, data = 0;
};

struct Answer {
  bool error = false;
  std::uint32_t data = 0;  // of a read
};

/// An access in messages.
inline std::string show(const Access& a) {
  const std::string from = "access " + hex(a.address, kBusBits);
  return a.write ? from + " w " + hex(a.strobes, 4) + " " + hex(a.data, 32) : from + " r";
}
inline std::string show(const Answer& a, bool write) {
  return a.error ? "a bus error" : write ? "ok" : "ok with " + hex(a.data, 32);
}

// Fields of at most 32 bits

inline std::uint32_t value(const Field& field) {
  std::uint32_t word = 0;
  field.get(&word);
  return word;
}
inline void drive(Field& field, std::uint32_t word) { field.set(&word); }

/// How a master uses its freedom.
struct Manner {
  bool eager = true;     // all valid signals come together, and it takes responses at once
  bool takes = true;     // it takes responses at all
  unsigned patient = 0;  // per cent of cycles in which it does not take a response, if it is not eager
};

// The master of a bus. Wishbone has one access at a time, and AXI4-Lite a write and a read: its lanes.
// A bench calls drive() before the wires settle, and observe() when they have. Inputs that do not matter are random.

/// An access that a master has begun to offer.
struct Lane {
  bool busy = false;
  Access access;
  std::uint64_t offered = 0;   // cycle
  std::uint64_t complete = 0;  // the first cycle in which all its valid signals are, or were, 1
  bool answered = false;       // in this cycle
  bool responding = false;     // the response is valid, in this cycle
  Answer answer;
  // AXI4-Lite: the valid signals of the next access are 1, although the response waits. It begins when that is taken.
  bool ahead = false;
  Access next;
};

#if defined(HC_WISHBONE)

class Master {
 public:
  static constexpr unsigned kLanes = 1;
  using Fail = std::function<void(const std::string&)>;

  template <class Top>
  void bind(Top& t, std::size_t n, Fail fail) {
    fail_ = std::move(fail);
    const auto field = [n](auto& port, std::size_t bits, const char* name) {
      return Field(Wires(port, kNodes * bits, name), n * bits, bits);
    };
    cyc_ = field(t.wb_cyc_i, 1, "wb_cyc_i");
    stb_ = field(t.wb_stb_i, 1, "wb_stb_i");
    we_ = field(t.wb_we_i, 1, "wb_we_i");
    adr_ = field(t.wb_adr_i, kBusBits, "wb_adr_i");
    to_ = field(t.wb_dat_i, 32, "wb_dat_i");
    sel_ = field(t.wb_sel_i, 4, "wb_sel_i");
    from_ = field(t.wb_dat_o, 32, "wb_dat_o");
    ack_ = field(t.wb_ack_o, 1, "wb_ack_o");
    err_ = field(t.wb_err_o, 1, "wb_err_o");
  }

  Lane lanes[kLanes];
  static unsigned lane_of(bool) { return 0; }

  void offer(const Access& access, std::uint64_t now) {
    Lane& l = lanes[0];
    l.busy = true;
    l.access = access;
    l.offered = l.complete = now;
  }
  void abort() { lanes[0] = Lane(); }

  void drive(std::uint64_t, const Manner&, Random& random) {
    for (Field* f : {&cyc_, &we_, &adr_, &to_, &sel_}) f->randomize(random);
    stb_.bit(!cyc_.bit() && random.coin());  // only together they are an access
    const Lane& l = lanes[0];
    if (!l.busy) return;
    cyc_.bit(true);
    stb_.bit(true);
    we_.bit(l.access.write);
    hc::drive(adr_, l.access.address);
    hc::drive(sel_, l.access.strobes);
    if (l.access.write) hc::drive(to_, l.access.data);
  }

  /// The cycle that has settled. The lane is no longer busy if it was answered.
  void observe() {
    Lane& l = lanes[0];
    l.answered = l.responding = ack_.bit() || err_.bit();
    if (!l.answered) return;
    if (ack_.bit() && err_.bit()) fail_("ack and err are 1 in one cycle");
    if (!l.busy) fail_(std::string(err_.bit() ? "err" : "ack") + " is 1, but there is no access");
    l.answer = {err_.bit(), value(from_)};
    l.busy = false;
  }

 private:
  Fail fail_;
  Field cyc_, stb_, we_, adr_, to_, sel_, from_, ack_, err_;
};

#elif defined(HC_AXI4LITE)

class Master {
 public:
  static constexpr unsigned kLanes = 2;  // writes, reads
  using Fail = std::function<void(const std::string&)>;

  template <class Top>
  void bind(Top& t, std::size_t n, Fail fail) {
    fail_ = std::move(fail);
    const auto field = [n](auto& port, std::size_t bits, const char* name) {
      return Field(Wires(port, kNodes * bits, name), n * bits, bits);
    };
    Channels& w = channels_[0];
    w.valid = field(t.s_axi_awvalid, 1, "s_axi_awvalid");
    w.ready = field(t.s_axi_awready, 1, "s_axi_awready");
    w.address = field(t.s_axi_awaddr, kBusBits, "s_axi_awaddr");
    w.protection = field(t.s_axi_awprot, 3, "s_axi_awprot");
    w.response_valid = field(t.s_axi_bvalid, 1, "s_axi_bvalid");
    w.response_ready = field(t.s_axi_bready, 1, "s_axi_bready");
    w.response = field(t.s_axi_bresp, 2, "s_axi_bresp");
    data_valid_ = field(t.s_axi_wvalid, 1, "s_axi_wvalid");
    data_ready_ = field(t.s_axi_wready, 1, "s_axi_wready");
    data_ = field(t.s_axi_wdata, 32, "s_axi_wdata");
    strobes_ = field(t.s_axi_wstrb, 4, "s_axi_wstrb");
    Channels& r = channels_[1];
    r.valid = field(t.s_axi_arvalid, 1, "s_axi_arvalid");
    r.ready = field(t.s_axi_arready, 1, "s_axi_arready");
    r.address = field(t.s_axi_araddr, kBusBits, "s_axi_araddr");
    r.protection = field(t.s_axi_arprot, 3, "s_axi_arprot");
    r.response_valid = field(t.s_axi_rvalid, 1, "s_axi_rvalid");
    r.response_ready = field(t.s_axi_rready, 1, "s_axi_rready");
    r.response = field(t.s_axi_rresp, 2, "s_axi_rresp");
    read_ = field(t.s_axi_rdata, 32, "s_axi_rdata");
  }

  Lane lanes[kLanes];
  static unsigned lane_of(bool write) { return write ? 0 : 1; }

  void offer(const Access& access, std::uint64_t now) {
    Lane& l = lanes[lane_of(access.write)];
    Channels& c = channels_[lane_of(access.write)];
    l.busy = true;
    l.access = access;
    l.offered = now;
    l.complete = UINT64_MAX;
    c.left = true;
    c.starts = l.ahead;
    if (access.write) data_left_ = true, data_starts_ = l.ahead;
    l.ahead = false;
  }
  void abort() {
    for (unsigned i = 0; i < kLanes; ++i) {
      lanes[i] = Lane();
      channels_[i].left = channels_[i].waits = false;
    }
    data_left_ = false;
  }

  void drive(std::uint64_t now, const Manner& manner, Random& random) {
    for (unsigned i = 0; i < kLanes; ++i) {
      Channels& c = channels_[i];
      Lane& l = lanes[i];
      c.protection.randomize(random);
      c.address.randomize(random);
      c.starts = l.busy && c.left && (c.starts || manner.eager || random.word() % 3 == 0);
      c.valid.bit(c.starts || l.ahead);
      if (c.starts || l.ahead) hc::drive(c.address, c.starts ? l.access.address : l.next.address);
      c.response_ready.bit(manner.eager || (manner.takes && random.word() % 100 >= manner.patient));
    }
    data_.randomize(random);
    strobes_.randomize(random);
    data_starts_ = lanes[0].busy && data_left_ && (data_starts_ || manner.eager || random.word() % 3 == 0);
    const Access& write = data_starts_ ? lanes[0].access : lanes[0].next;
    data_valid_.bit(data_starts_ || lanes[0].ahead);
    if (data_valid_.bit()) {
      hc::drive(data_, write.data);
      hc::drive(strobes_, write.strobes);
    }
    for (unsigned i = 0; i < kLanes; ++i) {
      Lane& l = lanes[i];
      if (l.busy && l.complete > now && channels_[i].starts && (i == 1 || data_starts_)) l.complete = now;
    }
  }

  void observe() {
    const bool data = data_valid_.bit() && data_ready_.bit();
    for (unsigned i = 0; i < kLanes; ++i) {
      Channels& c = channels_[i];
      Lane& l = lanes[i];
      const char* const kind = i == 0 ? "write" : "read";
      l.responding = c.response_valid.bit();
      l.answered = l.responding && c.response_ready.bit();
      if (l.responding) {
        const std::uint32_t resp = value(c.response);
        if (resp != kOkay && resp != kSlaveError)
          fail_("the response of a " + std::string(kind) + " is " + std::to_string(resp) + ", expected 0 or 2");
        const Answer answer = {resp != kOkay, i == 1 ? value(read_) : 0};
        if (!l.busy || c.left || (i == 0 && data_left_))
          fail_("a response of a " + std::string(kind) + " is valid, but no " + kind + " was accepted");
        if (c.waits && (answer.error != l.answer.error || answer.data != l.answer.data))
          fail_("the response of a " + std::string(kind) + " changes before it is taken");
        l.answer = answer;
        if (l.answered) l.busy = false;
      } else if (c.waits) {
        fail_("the response of a " + std::string(kind) + " is no longer valid before it is taken");
      }
      c.waits = l.responding && !l.answered;
      const bool taken = c.valid.bit() && c.ready.bit();
      if (i == 0 && taken != data) fail_("awready and wready accept a write in different cycles");
      if (taken && l.ahead) fail_("a " + std::string(kind) + " is accepted while the response of the one before waits");
      if (taken) c.left = false;
    }
    if (data) data_left_ = false;
  }

 private:
  static constexpr std::uint32_t kOkay = 0, kSlaveError = 2;

  struct Channels {
    Field valid, ready, address, protection, response_valid, response_ready, response;
    bool left = false;    // the address is not accepted yet
    bool starts = false;  // its valid is 1
    bool waits = false;   // the response was valid, and not taken, in the cycle before
  };

  Fail fail_;
  Channels channels_[kLanes];
  Field data_valid_, data_ready_, data_, strobes_, read_;
  bool data_left_ = false, data_starts_ = false;
};

#else
#error "bench_config.h is of a machine without endpoints"
#endif

// Memories

/// The memory of a node. Words that were never written have a value that follows from the seed, or are 0.
class Memory {
 public:
  Memory() = default;
  explicit Memory(std::uint64_t seed) : seed_(seed) {}

  std::uint32_t read(std::uint32_t word) const {
    const auto at = words_.find(word);
    if (at != words_.end()) return at->second;
    return seed_ == 0 ? 0 : static_cast<std::uint32_t>(Random::mix(seed_ + word));
  }
  void write(std::uint32_t word, std::uint32_t strobes, std::uint32_t data) {
    words_[word] = (read(word) & ~mask(strobes)) | (data & mask(strobes));
  }
  /// The words that were written.
  const std::unordered_map<std::uint32_t, std::uint32_t>& written() const { return words_; }

  /// The bits of the bytes with a strobe.
  static std::uint32_t mask(std::uint32_t strobes) {
    std::uint32_t bits = 0;
    for (unsigned b = 0; b < 4; ++b) bits |= (strobes >> b & 1) != 0 ? 0xffU << 8 * b : 0;
    return bits;
  }

 private:
  std::uint64_t seed_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> words_;
};

/// What a memory port does in a cycle.
struct Turn {
  bool enable = false;
  std::uint32_t strobes = 0, word = 0, data = 0;
};

struct MemoryPort {
  Field enable, strobes, word, data, result;
  bool reads = false;            // it has read in the cycle before,
  std::uint32_t result_was = 0;  // and this word

  Turn turn() const { return {enable.bit(), value(strobes), value(word), value(data)}; }
};

/// A node outside of the design.
struct Node {
  Master master;
  MemoryPort port;
  Memory memory;
  Field irq;
};

class System : public VerilatedModel<Vsystem, kSystemClocks> {
 public:
  using Fail = std::function<void(std::uint32_t node, const std::string& what)>;

  System(VerilatedContext& context, const Fail& fail) : VerilatedModel<Vsystem, kSystemClocks>(context), nodes(kNodes) {
    Vsystem& t = top();
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      const auto field = [n](auto& port, std::size_t bits, const char* name) {
        return Field(Wires(port, kNodes * bits, name), n * bits, bits);
      };
      nodes[n].master.bind(t, n, [fail, n](const std::string& what) { fail(n, what); });
      nodes[n].irq = field(t.irq, 1, "irq");
      MemoryPort& p = nodes[n].port;
      p.enable = field(t.mem_en, 1, "mem_en");
      p.strobes = field(t.mem_we, 4, "mem_we");
      p.word = field(t.mem_addr, kWordBits, "mem_addr");
      p.data = field(t.mem_wdata, 32, "mem_wdata");
      p.result = field(t.mem_rdata, 32, "mem_rdata");
    }
#define INPUT(port) std::memset(&t.port, 0, sizeof t.port);
    HC_IDLE_INPUTS(INPUT)
#undef INPUT
    bind_chips(t);
  }

  /// Cycles with the reset, in which the masters offer nothing. Accesses under way end without an answer.
  void restart(unsigned cycles, Random& random) {
    for (Node& node : nodes) node.master.abort();
    reset(true);
    for (unsigned i = 0; i < cycles; ++i) {
      for (Node& node : nodes) {
        node.port.reads = false;
        node.master.drive(0, Manner(), random);
        drive_memory(node, random);
      }
      settle();
      edge();
    }
    reset(false);
  }

  /// A word that was read is there in the next cycle, and only there.
  static void drive_memory(Node& node, Random& random) {
    node.port.result.randomize(random);
    if (node.port.reads) drive(node.port.result, node.port.result_was);
  }

  /// What a memory does at the end of a cycle.
  static void serve(Node& node, const Turn& turn) {
    node.port.reads = turn.enable && turn.strobes == 0;
    if (node.port.reads) node.port.result_was = node.memory.read(turn.word);
    if (turn.enable && turn.strobes != 0) node.memory.write(turn.word, turn.strobes, turn.data);
  }

  std::vector<Node> nodes;

  // Of a system of several chips: inputs and outputs with a bit for each.
  Wires rst, cut, restart_of, in_reset, up;

 private:
  // A template, because other systems lack these ports.
  template <class Top>
  void bind_chips(Top& t) {
    if constexpr (kTimeout > 0) {
      rst = Wires(t.rst, kSystemClocks, "rst");
      cut = Wires(t.cut, kSystemClocks, "cut");
      restart_of = Wires(t.restart, kSystemClocks, "restart");
      in_reset = Wires(t.reset, kSystemClocks, "reset");
      up = Wires(t.up, kSystemClocks, "up");
      for (unsigned c = 0; c < kSystemClocks; ++c) {
        cut.set(c, 1, 0);
        restart_of.set(c, 1, 0);
      }
    }
  }
};

/// Offsets of the registers in their region.
enum RegisterAt : std::uint32_t {
  kIdAt = 0x00,
  kNodeAt = 0x04,
  kDigitsAt = 0x08,
  kNodesAt = 0x0c,
  kBarrierAt = 0x10,
  kEventsAt = 0x14,
  kEnableAt = 0x18,
  kErrorsAt = 0x1c,
  kWaitingAt = 0x20,
  kDimensionAt = 0x40
};

/// Longest time in cycles that a message is under way alone, with the registers on links. A cable speaks of one of its links in
/// a frame.
inline std::uint64_t crossing() {
  std::uint64_t registers = 0, hops = 0;
  for (const unsigned r : kLinkRegisters) registers = std::max<std::uint64_t>(registers, r);
  for (const Ring& ring : kRings) hops += (ring.m / 2 + ring.rho - 1) / ring.rho;
  if (kTimeout > 0) registers *= 1 + kNodes / kSystemClocks;
  return hops * (2 + registers) + 2;
}

}  // namespace hc

#endif
