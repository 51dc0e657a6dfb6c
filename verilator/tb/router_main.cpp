// SPDX-License-Identifier: Apache-2.0
//
// Bench of <machine>_router: replays a trace of one node at all its ports.

#include "Vrouter.h"
#include "bench.h"
#include "bench_config.h"

namespace hc {

namespace {

constexpr unsigned kHeader = kWdBits + kWcBits + kSourceBits;
constexpr unsigned kLink = kHeader + kPayloadBits;

class RouterModel : public VerilatedModel<Vrouter> {
 public:
  RouterModel(VerilatedContext& context, const StreamTable& table, std::uint32_t node) : VerilatedModel(context) {
    Vrouter& t = top();
    const Wires s_valid(t.s_axis_link_tvalid, kDegree, "s_axis_link_tvalid");
    const Wires s_ready(t.s_axis_link_tready, kDegree, "s_axis_link_tready");
    const Wires s_data(t.s_axis_link_tdata, kDegree * kLink, "s_axis_link_tdata");
    const Wires m_valid(t.m_axis_link_tvalid, kDegree, "m_axis_link_tvalid");
    const Wires m_ready(t.m_axis_link_tready, kDegree, "m_axis_link_tready");
    const Wires m_data(t.m_axis_link_tdata, kDegree * kLink, "m_axis_link_tdata");
    const Wires error(t.header_error, kDegree, "header_error");
    const auto link = [](Stream& s, Role role, unsigned p, Wires valid, Wires ready, Wires data) {
      s.role = role;
      s.valid = Field(valid, p, 1);
      s.ready = Field(ready, p, 1);
      s.payload = Field(data, p * kLink, kPayloadBits);
      s.header = Field(data, p * kLink + kPayloadBits, kHeader);
    };
    streams = bind_streams(table, node, 1, [&](Stream& s, const StreamName& name) {
      const auto p = static_cast<unsigned>(name.port);
      switch (name.kind) {
        case Kind::header_error:
          s.role = Role::pulse;
          s.valid = Field(error, p, 1);
          break;
        case Kind::m_link:
          link(s, Role::output, p, m_valid, m_ready, m_data);
          break;
        case Kind::s_link:
          link(s, Role::input, p, s_valid, s_ready, s_data);
          break;
        case Kind::m_local:
          s.role = Role::output;
          s.valid = Field(Wires(t.m_axis_local_tvalid, kDeliveries, "m_axis_local_tvalid"), name.lane(), 1);
          s.ready = Field(Wires(t.m_axis_local_tready, kDeliveries, "m_axis_local_tready"), name.lane(), 1);
          s.payload = Field(Wires(t.m_axis_local_tdata, kDeliveries * kPayloadBits, "m_axis_local_tdata"),
                            name.lane() * kPayloadBits, kPayloadBits);
          bind_source(t, s, name.lane(), node);
          break;
        case Kind::s_local:
          s.role = Role::input;
          s.valid = Field(Wires(t.s_axis_local_tvalid, 1, "s_axis_local_tvalid"), 0, 1);
          s.ready = Field(Wires(t.s_axis_local_tready, 1, "s_axis_local_tready"), 0, 1);
          s.payload = Field(Wires(t.s_axis_local_tdata, kPayloadBits, "s_axis_local_tdata"), 0, kPayloadBits);
          break;
      }
    });
  }

 private:
  // A template, because these ports exist only with a source id.
  template <class Top>
  static void bind_source(Top& t, Stream& s, unsigned lane, std::uint32_t node) {
    if constexpr (kSourceBits > 0) {
      s.header = Field(Wires(t.m_axis_local_tid, kDeliveries * kSourceBits, "m_axis_local_tid"), lane * kSourceBits,
                       kSourceBits);
      Field(Wires(t.node_id, kSourceBits, "node_id"), 0, kSourceBits).set(&node);
    }
  }
};

}  // namespace

}  // namespace hc

int main(int argc, char** argv) {
  return hc::bench_main(argc, argv, "router",
                        [](VerilatedContext& context, const hc::StreamTable& table, std::uint32_t node, hc::Pool&) {
                          return std::make_unique<hc::RouterModel>(context, table, node);
                        });
}
