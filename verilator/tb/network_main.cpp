// SPDX-License-Identifier: Apache-2.0
//
// Bench of <machine>_network: replays a trace of all nodes and compares the
// inner links, header errors and paces too, which network.vlt makes readable.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "Vnetwork.h"
#include "Vnetwork___024root.h"
#include "bench_config.h"
#include "configured.h"
#include "machine.h"

namespace hc {

namespace {

const std::size_t kLink = kHeaderBits + kPayloadBits;
constexpr std::size_t kLinks = std::size_t{kNodes} * kDegree;
/// The number of links with registers among the first ports of a node.
constexpr unsigned far_ports(unsigned ports) {
  unsigned n = 0;
  for (unsigned p = 0; p < ports; ++p) n += kLinkRegisters[p] > 0 ? 1 : 0;
  return n;
}
constexpr std::size_t kFarLinks = std::size_t{kNodes} * far_ports(kDegree);  // far ends of links with registers
constexpr std::size_t kLocals = std::size_t{kNodes} * kDeliveries;

/// A copy of wires of the same width, of all nodes or links, side by side.
class Copies {
 public:
  Copies(std::size_t count, std::size_t bits) : bits_(bits), bytes_(storage_bytes(count * bits)) {}

  /// Adds the next wire.
  template <class Wire>
  __attribute__((noinline)) void add(Wire& wire, const char* name) {
    of_.emplace_back(wire, bits_, name);
  }
  Wires wires() { return Wires(bytes_.data(), bytes_.size()); }
  void copy() {
    Wires to = wires();
    for (std::size_t i = 0; i < of_.size(); ++i) {
      for (std::size_t low = 0; low < bits_; low += 32) {
        const auto width = static_cast<unsigned>(std::min<std::size_t>(32, bits_ - low));
        to.set(i * bits_ + low, width, of_[i].get(low, width));
      }
    }
  }

 private:
  std::size_t bits_;
  std::vector<unsigned char> bytes_;
  std::vector<Wires> of_;
};

class NetworkModel : public ConfiguredModel<Vnetwork> {
 public:
  NetworkModel(VerilatedContext& context, const StreamTable& table) : ConfiguredModel(context) {
    Vnetwork& t = top();
    const Wires s_valid(t.s_axis_tvalid, kNodes, "s_axis_tvalid");
    const Wires s_ready(t.s_axis_tready, kNodes, "s_axis_tready");
    const Wires s_data(t.s_axis_tdata, std::size_t{kNodes} * kPayloadBits, "s_axis_tdata");
    const Wires m_valid(t.m_axis_tvalid, kLocals, "m_axis_tvalid");
    const Wires m_ready(t.m_axis_tready, kLocals, "m_axis_tready");
    const Wires m_data(t.m_axis_tdata, kLocals * kPayloadBits, "m_axis_tdata");
#define WIRE(n, p)                                                                      \
  link_valid_.add(t.rootp->bench__DOT__n##n##_p##p##_tvalid, "n" #n "_p" #p "_tvalid"); \
  link_ready_.add(t.rootp->bench__DOT__n##n##_p##p##_tready, "n" #n "_p" #p "_tready"); \
  link_data_.add(t.rootp->bench__DOT__n##n##_p##p##_tdata, "n" #n "_p" #p "_tdata");
    HC_LINKS(WIRE)
#undef WIRE
    bind_far_links(*t.rootp);
#define WIRE(n) paces_.add(t.rootp->bench__DOT__n##n##_pace, "n" #n "_pace");
    HC_NODES(WIRE)
#undef WIRE
    const Wires link_valid = link_valid_.wires();
    const Wires link_ready = link_ready_.wires();
    const Wires link_data = link_data_.wires();
    const Wires far_valid = far_valid_.wires();
    const Wires far_ready = far_ready_.wires();
    const Wires far_data = far_data_.wires();
    const Wires link_error(t.rootp->bench__DOT__link_error, kLinks, "link_error");
    clocks.push_back({Kind::pace, Kind::link_pace, "pace", Field(paces_.wires(), 0, kPaceBits, kPaceBits), Field()});
    any_errors.push_back({Kind::header_error, "header_error", Field(Wires(t.header_error, 1, "header_error"), 0, 1),
                          node_header_error(t)});
    bind_options(t, *t.rootp);

    // of a node with the given number of lanes
    const auto local = [](Stream& s, Role role, unsigned lane, unsigned lanes, Wires valid, Wires ready, Wires data) {
      s.role = role;
      s.valid = Field(valid, lane, 1, lanes);
      s.ready = Field(ready, lane, 1, lanes);
      s.payload = Field(data, lane * kPayloadBits, kPayloadBits, lanes * kPayloadBits);
    };
    streams = bind_streams(table, 0, kNodes, [&](Stream& s, const StreamName& name) {
      const auto p = static_cast<unsigned>(name.port);  // unless local
      switch (name.kind) {
        case Kind::header_error:
          s.role = Role::pulse;
          s.valid = Field(link_error, p, 1, kDegree);
          break;
        case Kind::m_link:
          s.role = Role::internal;
          s.valid = Field(link_valid, p, 1, kDegree);
          s.ready = Field(link_ready, p, 1, kDegree);
          s.payload = Field(link_data, p * kLink, kPayloadBits, kDegree * kLink);
          s.header = Header(Field(link_data, p * kLink + kPayloadBits, kHeaderBits, kDegree * kLink));
          break;
        case Kind::s_link: {
          constexpr std::size_t kPorts = far_ports(kDegree);
          const unsigned lane = far_ports(p);
          s.role = Role::internal;
          s.valid = Field(far_valid, lane, 1, kPorts);
          s.ready = Field(far_ready, lane, 1, kPorts);
          s.payload = Field(far_data, lane * kLink, kPayloadBits, kPorts * kLink);
          s.header = Header(Field(far_data, lane * kLink + kPayloadBits, kHeaderBits, kPorts * kLink));
          break;
        }
        case Kind::m_local:
          local(s, Role::output, name.lane(), kDeliveries, m_valid, m_ready, m_data);
          s.header = delivery_header(t, name.lane());
          break;
        case Kind::s_local:
          local(s, Role::input, 0, 1, s_valid, s_ready, s_data);
          s.header = offer_header(t);
          break;
        case Kind::destination_error:
          s.role = Role::pulse;
          s.valid = destination_errors(*t.rootp);
          break;
        case Kind::barrier:
          s.role = Role::input;
          bind_arrival(t, s);
          break;
        case Kind::pace:  // no streams
        case Kind::link_pace:
        case Kind::barrier_pace:
        case Kind::link_barrier_pace: break;
      }
    });
  }

  void settle() override {
    ConfiguredModel<Vnetwork>::settle();
    for (Copies* c :
         {&link_valid_, &link_ready_, &link_data_, &far_valid_, &far_ready_, &far_data_, &paces_, &barrier_paces_}) {
      c->copy();
    }
  }

 private:
  // The wires have names of their own, and the streams of all nodes lie side by side.
  Copies link_valid_{kLinks, 1}, link_ready_{kLinks, 1}, link_data_{kLinks, kLink};
  Copies far_valid_{kFarLinks, 1}, far_ready_{kFarLinks, 1},
      far_data_{kFarLinks, kLink};  // by node and port of arrival
  Copies paces_{kNodes, kPaceBits}, barrier_paces_{kNodes, 2};

  // Templates, because these ports and wires exist only with an option, or with links with registers.
  template <class Root>
  void bind_far_links([[maybe_unused]] Root& root) {
#define WIRE(n, p)                                                                         \
  far_valid_.add(root.bench__DOT__n##n##_p##p##_far_tvalid, "n" #n "_p" #p "_far_tvalid"); \
  far_ready_.add(root.bench__DOT__n##n##_p##p##_far_tready, "n" #n "_p" #p "_far_tready"); \
  far_data_.add(root.bench__DOT__n##n##_p##p##_far_tdata, "n" #n "_p" #p "_far_tdata");
    HC_FAR_LINKS(WIRE)
#undef WIRE
  }
  template <class Top>
  static Header delivery_header(Top& t, unsigned lane) {
    Field source, last, scope;
    if constexpr (kSourceBits > 0) {
      const Wires id(t.m_axis_tid, kLocals * kSourceBits, "m_axis_tid");
      source = Field(id, lane * kSourceBits, kSourceBits, kDeliveries * kSourceBits);
    }
    if constexpr (kLast) last = Field(Wires(t.m_axis_tlast, kLocals, "m_axis_tlast"), lane, 1, kDeliveries);
    if constexpr (kScopeBits > 0) {
      const Wires to(t.m_axis_tdest, kLocals * kScopeBits, "m_axis_tdest");
      scope = Field(to, lane * kScopeBits, kScopeBits, kDeliveries * kScopeBits);
    }
    return Header(source, last, scope);
  }
  template <class Top>
  static Header offer_header(Top& t) {
    Field destination, last;
    if constexpr (kDestination) {
      const Wires to(t.s_axis_tdest, std::size_t{kNodes} * kTdestBits, "s_axis_tdest");
      destination = Field(to, 0, kTdestBits, kTdestBits);
    }
    if constexpr (kLast) last = Field(Wires(t.s_axis_tlast, kNodes, "s_axis_tlast"), 0, 1, 1);
    return Header(destination, last);
  }
  template <class Root>
  static Field destination_errors(Root& root) {
    if constexpr (kDestination) {
      return Field(Wires(root.bench__DOT__destination_errors, kNodes, "destination_errors"), 0, 1, 1);
    }
    return Field();
  }
  template <class Top>
  static Field node_header_error(Top& t) {
    if constexpr (kNodeErrors) return Field(Wires(t.node_header_error, kNodes, "node_header_error"), 0, 1, 1);
    return Field();
  }
  template <class Top>
  static Field node_destination_error(Top& t) {
    if constexpr (kNodeErrors) {
      return Field(Wires(t.node_destination_error, kNodes, "node_destination_error"), 0, 1, 1);
    }
    return Field();
  }
  template <class Top>
  static void bind_arrival(Top& t, Stream& s) {
    if constexpr (kBarrier) {
      s.valid = Field(Wires(t.barrier_arrive, kNodes, "barrier_arrive"), 0, 1, 1);
      s.ready = Field(Wires(t.barrier_release, kNodes, "barrier_release"), 0, 1, 1);
    }
  }
  template <class Top, class Root>
  void bind_options(Top& t, Root& root) {
    if constexpr (kDestination) {
      any_errors.push_back({Kind::destination_error, "destination_error",
                            Field(Wires(t.destination_error, 1, "destination_error"), 0, 1),
                            node_destination_error(t)});
    }
    if constexpr (kBarrier) {
#define WIRE(n) barrier_paces_.add(root.bench__DOT__n##n##_barrier_pace, "n" #n "_barrier_pace");
      HC_NODES(WIRE)
#undef WIRE
      clocks.push_back({Kind::barrier_pace, Kind::link_barrier_pace, "barrier_pace",
                        Field(barrier_paces_.wires(), 0, 2, 2), Field()});
    }
  }
};

}  // namespace

}  // namespace hc

int main(int argc, char** argv) {
  return hc::bench_main(argc, argv, "network",
                        [](VerilatedContext& context, const hc::StreamTable& table, std::uint32_t, hc::Pool&) {
                          return std::make_unique<hc::NetworkModel>(context, table);
                        });
}
