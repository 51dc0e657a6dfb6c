// SPDX-License-Identifier: Apache-2.0
//
// Replays golden traces of generated machines on programmable routers, and compares every
// stream in every cycle. It configures the routers over their bus before each trace.
// Lines of standard input, decimal:
//
//   router|network NAME TRACE WD_BITS WC_BITS PREFERENCE R M RHO M RHO ..
//
// WD_BITS and WC_BITS are those of the headers in the trace, dimension 1 comes first. A
// trace of a router has one node, which is driven at all its ports; for a network there
// is a router per node. Answers each line with one that begins with "ok" or "FAIL".
//
// Compiled with FAULTS, the argument is the number of the active fault of the library.
//
// Routers are never reset between two traces. The next configuration begins while
// messages are under way, and a network must lose none of them.

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "Vprogrammable.h"
#include "bus.h"
#include "checks.h"
#include "hc_registers.h"
#include "verilated.h"

namespace {

constexpr unsigned kPorts = 16, kWd = 3, kWc = 3, kPayload = 16, kLink = kWd + kWc + kPayload;

#ifdef FAULTS
unsigned fault = 0;  // the active fault of the library; 0: none
#endif

std::uint32_t get(const std::uint32_t* words, unsigned lsb, unsigned bits) {
  std::uint64_t pair = words[lsb / 32];
  if (lsb % 32 + bits > 32) pair |= static_cast<std::uint64_t>(words[lsb / 32 + 1]) << 32;
  return static_cast<std::uint32_t>(pair >> (lsb % 32)) & ((1U << bits) - 1);
}

void set(std::uint32_t* words, unsigned lsb, unsigned bits, std::uint32_t value) {
  for (unsigned b = 0; b < bits; ++b) {
    const unsigned at = lsb + b;
    words[at / 32] = (words[at / 32] & ~(1U << (at % 32))) | ((value >> b & 1U) << (at % 32));
  }
}

/// Routers, the wires between them, and their bus, over which all get the same
/// configuration. Has the interface of a Verilated top.
class Routers {
 public:
  std::uint8_t clk = 0, wb_cyc_i = 0, wb_stb_i = 0, wb_we_i = 0, wb_adr_i = 0, wb_sel_i = 0, wb_ack_o = 0, wb_err_o = 0;
  std::uint32_t wb_dat_i = 0, wb_dat_o = 0;
  std::uint64_t accepted = 0, delivered = 0;  // by all nodes

  Routers(VerilatedContext& context, std::size_t count) {
    taken.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      nodes.push_back(std::make_unique<Vprogrammable>(&context));
      Vprogrammable& t = *nodes.back();
      t.s_axis_link_tvalid = 0;
      t.m_axis_link_tready = 0xffff;
      t.s_axis_local_tvalid = 0;
      t.m_axis_local_tready = 1;
      t.link_pace = 0;
      t.rst = 1;
      t.drained = 0;
#ifdef FAULTS
      t.fault = fault;
#endif
      for (int cycle = 0; cycle < 3; ++cycle) {
        t.clk = 0;
        t.eval();
        t.clk = 1;
        t.eval();
      }
      t.rst = 0;
    }
  }

  /// Wires of a network; without, links are driven from outside.
  void wire(const hc::Topology* topology) { topology_ = topology; }

  void eval() { clk ? edge() : settle(); }

  std::vector<std::unique_ptr<Vprogrammable>> nodes;
  std::vector<char> taken;  // the local message of this node, in the last cycle

 private:
  void settle() {
    bool drained = true;
    for (auto& t : nodes) drained = drained && t->idle;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      Vprogrammable& t = *nodes[n];
      if (topology_ != nullptr) {
        // All signals between routers come from registers.
        unsigned valid = 0, ready = 0;
        std::uint32_t paces = 0;
        for (unsigned p = 0; p < kPorts; ++p) {
          if (p >= topology_->degree()) {  // missing neighbours appear to be behind
            paces |= static_cast<std::uint32_t>((t.pace + 3) & 3) << 2 * p;
            continue;
          }
          const Vprogrammable& from = *nodes[topology_->neighbor(static_cast<std::uint32_t>(n), p)];
          const unsigned q = topology_->opposite(p);
          valid |= (from.m_axis_link_tvalid >> q & 1U) << p;
          ready |= (from.s_axis_link_tready >> q & 1U) << p;
          paces |= static_cast<std::uint32_t>(from.pace) << 2 * p;
          set(t.s_axis_link_tdata.data(), p * kLink, kLink, get(from.m_axis_link_tdata.data(), q * kLink, kLink));
        }
        t.s_axis_link_tvalid = valid;
        t.m_axis_link_tready = ready;
        t.link_pace = paces;
      }
      t.drained = drained;
      t.wb_cyc_i = wb_cyc_i;
      t.wb_stb_i = wb_stb_i;
      t.wb_we_i = wb_we_i;
      t.wb_adr_i = wb_adr_i;
      t.wb_dat_i = wb_dat_i;
      t.wb_sel_i = wb_sel_i;
      t.clk = 0;
      t.eval();
    }
    wb_ack_o = nodes[0]->wb_ack_o;
    wb_err_o = nodes[0]->wb_err_o;
    wb_dat_o = nodes[0]->wb_dat_o;
  }

  void edge() {
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      auto& t = nodes[n];
      taken[n] = t->s_axis_local_tvalid && t->s_axis_local_tready;
      accepted += taken[n];
      delivered += t->m_axis_local_tvalid && t->m_axis_local_tready;
      t->clk = 1;
      t->eval();
    }
  }

  const hc::Topology* topology_ = nullptr;
};

struct Line {
  bool there = false, ready = false;
  std::uint32_t header = 0, payload = 0;
  bool operator==(const Line& o) const {
    return there == o.there && (!there || (ready == o.ready && header == o.header && payload == o.payload));
  }
  std::string text() const {
    if (!there) return "not valid";
    char buffer[80];
    std::snprintf(buffer, sizeof buffer, "ready %d, wd %u, wc %u, payload %04x", ready, header >> kWc, header & 7,
                  payload);
    return buffer;
  }
};

/// The streams of one node in one cycle.
struct Cycle {
  std::array<Line, kPorts> in, out, error;
  Line local_in, local_out, pace, link_pace;
};

struct Run {
  bool network = false;
  std::string name, trace;
  unsigned wd_bits = 0, wc_bits = 0, preference = 0;
  std::vector<hc::Ring> rings;
};

void configure(Routers& routers, const Run& run) {
  hc::ConfigurationBus<Routers> bus(routers, 3);
  const auto write = [&bus](std::uint32_t address, std::uint32_t value) {
    if (!bus.write(address, value)) throw std::runtime_error("the bus refuses a write");
  };
  write(HC_RANK, static_cast<std::uint32_t>(run.rings.size()));
  write(HC_PREFERENCE, run.preference);
  for (std::size_t i = 0; i < run.rings.size(); ++i) {
    write(static_cast<std::uint32_t>(HC_DIMENSION(i)), run.rings[i].rho << HC_DIMENSION_RHO_LSB | run.rings[i].m);
  }
  write(HC_CONTROL, 1);
}

void drive(Vprogrammable& t, const Cycle& want, unsigned degree, bool network, hc::Random& random) {
  unsigned valid = 0, ready = 0;
  for (unsigned p = 0; p < kPorts && !network; ++p) {
    const Line& in = want.in[p];
    valid |= static_cast<unsigned>(in.there) << p;
    set(t.s_axis_link_tdata.data(), p * kLink, kLink,
        in.there ? in.header << kPayload | in.payload : random.word() & ((1U << kLink) - 1));
    ready |= static_cast<unsigned>(want.out[p].there ? want.out[p].ready : random.coin()) << p;
  }
  if (!network) {
    t.s_axis_link_tvalid = valid;
    t.m_axis_link_tready = ready;
    t.link_pace = want.link_pace.payload | (degree < kPorts ? random.word() << 2 * degree : 0);
  }
  t.s_axis_local_tvalid = want.local_in.there;
  t.s_axis_local_tdata = want.local_in.there ? want.local_in.payload : random.word() & 0xffff;
  t.m_axis_local_tready = want.local_out.there ? want.local_out.ready : random.coin();
}

Cycle observe(const Vprogrammable& t, bool network) {
  Cycle got;
  for (unsigned p = 0; p < kPorts; ++p) {
    const auto line = [p](unsigned valid, unsigned ready, const std::uint32_t* data) {
      const std::uint32_t word = get(data, p * kLink, kLink);
      return Line{(valid >> p & 1) != 0, (ready >> p & 1) != 0, word >> kPayload, word & 0xffff};
    };
    got.out[p] = line(t.m_axis_link_tvalid, t.m_axis_link_tready, t.m_axis_link_tdata.data());
    if (!network) got.in[p] = line(t.s_axis_link_tvalid, t.s_axis_link_tready, t.s_axis_link_tdata.data());
    got.error[p] = Line{(t.header_error >> p & 1) != 0, true, 0, 0};
  }
  got.local_out = Line{t.m_axis_local_tvalid != 0, t.m_axis_local_tready != 0, 0, t.m_axis_local_tdata};
  got.local_in = Line{t.s_axis_local_tvalid != 0, t.s_axis_local_tready != 0, 0, t.s_axis_local_tdata};
  got.pace = Line{true, true, 0, t.pace};
  return got;
}

std::string difference(const Cycle& want, const Cycle& got) {
  const auto differs = [](const char* stream, unsigned p, const Line& w, const Line& g) {
    return std::string(stream) + (p < kPorts ? std::to_string(p) : "") + ": expected " + w.text() + ", got " + g.text();
  };
  for (unsigned p = 0; p < kPorts; ++p) {
    if (!(want.out[p] == got.out[p])) return differs("m_link", p, want.out[p], got.out[p]);
    if (!(want.in[p] == got.in[p])) return differs("s_link", p, want.in[p], got.in[p]);
    if (!(want.error[p] == got.error[p])) return differs("header_error", p, want.error[p], got.error[p]);
  }
  if (!(want.local_out == got.local_out)) return differs("m_local", kPorts, want.local_out, got.local_out);
  if (!(want.local_in == got.local_in)) return differs("s_local", kPorts, want.local_in, got.local_in);
  if (!(want.pace == got.pace)) return differs("pace", kPorts, want.pace, got.pace);
  return "";
}

/// Reads the lines of each cycle in turn.
class Trace {
 public:
  Trace(const Run& run) : run_(run), file_(run.trace) {
    std::string header;
    if (!std::getline(file_, header) || header.rfind("# hcgen-trace v1 ", 0) != 0) throw std::runtime_error("no trace");
    cycles = std::stoull(header.substr(header.rfind('=') + 1));
    next();
  }

  void take(std::uint64_t cycle, std::vector<Cycle>& nodes) {
    for (; more_ && cycle_ == cycle; next()) {
      ++lines;
      if (stream_ == "pace") {
        takePaces(nodes);
        continue;
      }
      if (nodes.size() == 1) node_ = 0;
      Cycle& now = nodes.at(node_);
      Line line{true, ready_ == 1, 0, 0};
      const bool pulse = stream_.rfind("header_error", 0) == 0;
      if (!pulse) line.payload = static_cast<std::uint32_t>(std::stoul(payload_, nullptr, 16));
      if (header_ != "-") {
        const std::uint32_t h = static_cast<std::uint32_t>(std::stoul(header_, nullptr, 16));
        line.header = h >> run_.wc_bits << kWc | (h & ((1U << run_.wc_bits) - 1));
      }
      if (stream_ == "m_local") {
        now.local_out = line;
      } else if (stream_ == "s_local") {
        now.local_in = line;
      } else if (stream_ == "link_pace") {
        now.link_pace = line;
      } else {
        const auto port = std::stoul(stream_.substr(stream_.size() - 2));
        (pulse ? now.error : stream_[0] == 'm' ? now.out : now.in).at(port) = line;
      }
    }
  }

  std::uint64_t cycles = 0, lines = 0;

 private:
  /// The paces of all nodes in one line, two bits each, node 0 lowest.
  void takePaces(std::vector<Cycle>& nodes) {
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const auto digit = std::stoul(payload_.substr(payload_.size() - 1 - n / 2, 1), nullptr, 16);
      nodes[n].pace = Line{true, ready_ == 1, 0, static_cast<std::uint32_t>(digit >> (n % 2 * 2) & 3)};
    }
  }

  void next() { more_ = static_cast<bool>(file_ >> cycle_ >> node_ >> stream_ >> ready_ >> header_ >> payload_); }

  const Run& run_;
  std::ifstream file_;
  bool more_ = false;
  std::uint64_t cycle_ = 0;
  std::size_t node_ = 0;
  int ready_ = 0;
  std::string stream_, header_, payload_;
};

/// The next configuration of routers that may be full of messages. Returns when the
/// next cycle is the first of a trace.
void reconfigure(Routers& routers, const Run& run) {
  for (auto& t : routers.nodes) {  // all streams of the machine
    t->m_axis_link_tready = 0xffff;
    t->m_axis_local_tready = 1;
  }
  configure(routers, run);
  for (int cycle = 0; cycle < 4 || !routers.nodes[0]->configured; ++cycle) {  // it takes 2 to close
    if (cycle == 200000) throw std::runtime_error("the router is not configured in time");
    routers.clk = 0;
    routers.eval();
    routers.clk = 1;
    routers.eval();
    for (std::size_t n = 0; n < routers.nodes.size(); ++n) {  // accepted messages are not offered again
      if (routers.taken[n]) routers.nodes[n]->s_axis_local_tvalid = 0;
    }
    if (routers.nodes[0]->illegal) throw std::runtime_error("the router calls the machine illegal");
  }
}

std::string replay(Routers& routers, const Run& run, unsigned degree) {
  Trace trace(run);
  hc::Random random(1);
  for (std::uint64_t cycle = 0; cycle < trace.cycles; ++cycle) {
    std::vector<Cycle> want(routers.nodes.size());
    trace.take(cycle, want);
    for (std::size_t n = 0; n < want.size(); ++n) drive(*routers.nodes[n], want[n], degree, run.network, random);
    routers.clk = 0;
    routers.eval();
    for (std::size_t n = 0; n < want.size(); ++n) {
      const std::string what = difference(want[n], observe(*routers.nodes[n], run.network));
      if (!what.empty()) {
        return "FAIL " + run.name + ": cycle " + std::to_string(cycle) + ", node " + std::to_string(n) + ", " + what;
      }
    }
    routers.clk = 1;
    routers.eval();
  }
  return "ok " + run.name + " " + std::to_string(trace.cycles) + " cycles " + std::to_string(trace.lines) + " lines";
}

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(1);
  context.commandArgs(argc, argv);
#ifdef FAULTS
  fault = static_cast<unsigned>(std::stoul(argv[1]));
#endif
  std::unique_ptr<Routers> router, network;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    Run run;
    std::string kind;
    std::size_t rank = 0;
    words >> kind >> run.name >> run.trace >> run.wd_bits >> run.wc_bits >> run.preference >> rank;
    run.network = kind == "network";
    run.rings.resize(rank);
    for (auto& ring : run.rings) words >> ring.m >> ring.rho;
    if (!words) {
      std::printf("FAIL malformed line: %s\n", line.c_str());
      return 1;
    }
    const hc::Topology topology(run.rings);
    std::string result;
    try {
      if (run.network) {
        if (!network || network->nodes.size() != topology.nodes()) {
          network = std::make_unique<Routers>(context, topology.nodes());
        }
        // Messages that the last machine has not accepted are not offered on the links of this one.
        for (auto& t : network->nodes) t->s_axis_local_tvalid = 0;
        network->wire(&topology);
        reconfigure(*network, run);
        network->accepted = network->delivered = 0;
        result = replay(*network, run, topology.degree());
        // the next configuration of the same machine begins at once and loses nothing
        if (result.rfind("ok", 0) == 0) {
          reconfigure(*network, run);
          if (network->delivered != network->accepted * (topology.nodes() - 1)) {
            result = "FAIL " + run.name + ": " + std::to_string(network->accepted) + " messages were accepted, but " +
                     std::to_string(network->delivered) + " deliveries made before the machine had drained";
          } else {
            result += " " + std::to_string(network->delivered) + " deliveries";
          }
        }
        network->wire(nullptr);
        if (result.rfind("ok", 0) != 0) network.reset();
      } else {
        if (!router) router = std::make_unique<Routers>(context, 1);
        router->nodes[0]->s_axis_link_tvalid = 0;
        router->nodes[0]->s_axis_local_tvalid = 0;
        reconfigure(*router, run);
        result = replay(*router, run, topology.degree());
      }
    } catch (const std::exception& e) {
      result = "FAIL " + run.name + ": " + e.what();
      router.reset();
      network.reset();
    }
    std::puts(result.c_str());
    std::fflush(stdout);
  }
  return 0;
}
