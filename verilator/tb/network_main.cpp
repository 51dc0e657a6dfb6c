// SPDX-License-Identifier: Apache-2.0
//
// Bench of <machine>_network: replays a trace of all nodes and compares the
// inner links, header errors and paces too, which network.vlt makes readable.

#include "Vnetwork.h"
#include "Vnetwork___024root.h"
#include "bench.h"
#include "bench_config.h"
#include "configured.h"

namespace hc {

namespace {

constexpr std::size_t kHeader = kWdBits + kWcBits + kSourceBits;
constexpr std::size_t kLink = kHeader + kPayloadBits;
constexpr std::size_t kLinks = std::size_t{kNodes} * kDegree;
constexpr std::size_t kLocals = std::size_t{kNodes} * kDeliveries;

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
    const Wires link_valid(t.rootp->bench__DOT__link_tvalid, kLinks, "link_tvalid");
    const Wires link_ready(t.rootp->bench__DOT__link_tready, kLinks, "link_tready");
    const Wires link_data(t.rootp->bench__DOT__link_tdata, kLinks * kLink, "link_tdata");
    const Wires link_error(t.rootp->bench__DOT__link_error, kLinks, "link_error");
    pace = Field(Wires(t.rootp->bench__DOT__pace, 2 * std::size_t{kNodes}, "pace"), 0, 2, 2);
    any_error = Field(Wires(t.header_error, 1, "header_error"), 0, 1);

    // of a node with so many lanes
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
          s.header = Field(link_data, p * kLink + kPayloadBits, kHeader, kDegree * kLink);
          break;
        case Kind::m_local:
          local(s, Role::output, name.lane(), kDeliveries, m_valid, m_ready, m_data);
          bind_source(t, s, name.lane());
          break;
        case Kind::s_local:
          local(s, Role::input, 0, 1, s_valid, s_ready, s_data);
          break;
        case Kind::s_link:  // the m_link at its other end
        case Kind::pace:    // no streams
        case Kind::link_pace:
          break;
      }
    });
  }

 private:
  // A template, because this port exists only with a source id.
  template <class Top>
  static void bind_source(Top& t, Stream& s, unsigned lane) {
    if constexpr (kSourceBits > 0) {
      const Wires id(t.m_axis_tid, kLocals * kSourceBits, "m_axis_tid");
      s.header = Field(id, lane * kSourceBits, kSourceBits, kDeliveries * kSourceBits);
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
