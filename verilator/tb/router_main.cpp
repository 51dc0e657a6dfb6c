// SPDX-License-Identifier: Apache-2.0
//
// Bench of <machine>_router: replays a trace of one node at all its ports.

#include "Vrouter.h"
#include "bench_config.h"
#include "checks.h"
#include "configured.h"
#include "machine.h"

namespace hc {

namespace {

const unsigned kLink = kHeaderBits + kPayloadBits;
constexpr unsigned kStray = kPorts - kDegree;  // number of ports that the machine does not have

class RouterModel : public ConfiguredModel<Vrouter> {
 public:
  RouterModel(VerilatedContext& context, const StreamTable& table, std::uint32_t node) : ConfiguredModel(context) {
    Vrouter& t = top();
    const Wires s_valid(t.s_axis_link_tvalid, kPorts, "s_axis_link_tvalid");
    const Wires s_ready(t.s_axis_link_tready, kPorts, "s_axis_link_tready");
    const Wires s_data(t.s_axis_link_tdata, kPorts * kLink, "s_axis_link_tdata");
    const Wires m_valid(t.m_axis_link_tvalid, kPorts, "m_axis_link_tvalid");
    const Wires m_ready(t.m_axis_link_tready, kPorts, "m_axis_link_tready");
    const Wires m_data(t.m_axis_link_tdata, kPorts * kLink, "m_axis_link_tdata");
    const Wires error(t.header_error, kPorts, "header_error");
    const Wires paces(t.link_pace, kPaceBits * kPorts, "link_pace");
    clocks.push_back({Kind::pace, Kind::link_pace, "pace", Field(Wires(t.pace, kPaceBits, "pace"), 0, kPaceBits),
                      Field(paces, 0, kPaceBits * kDegree)});
    bind_barrier(t);
    name_node(t, node);
    const auto link = [](Stream& s, Role role, unsigned p, Wires valid, Wires ready, Wires data) {
      s.role = role;
      s.valid = Field(valid, p, 1);
      s.ready = Field(ready, p, 1);
      s.payload = Field(data, p * kLink, kPayloadBits);
      s.header = Header(Field(data, p * kLink + kPayloadBits, kHeaderBits));
    };
    stray_inputs_[0] = Field(s_valid, kDegree, kStray);
    stray_inputs_[1] = Field(s_data, kDegree * kLink, kStray * kLink);
    stray_inputs_[2] = Field(m_ready, kDegree, kStray);
    stray_inputs_[3] = Field(paces, kPaceBits * kDegree, kPaceBits * kStray);
    stray_outputs_[0] = Field(m_valid, kDegree, kStray);
    stray_outputs_[1] = Field(s_ready, kDegree, kStray);
    stray_outputs_[2] = Field(error, kDegree, kStray);
    streams = bind_streams(table, node, 1, [&](Stream& s, const StreamName& name) {
      const auto p = static_cast<unsigned>(name.port);
      switch (name.kind) {
        case Kind::header_error:
          s.role = Role::pulse;
          s.valid = Field(error, p, 1);
          break;
        case Kind::m_link: link(s, Role::output, p, m_valid, m_ready, m_data); break;
        case Kind::s_link: link(s, Role::input, p, s_valid, s_ready, s_data); break;
        case Kind::m_local:
          s.role = Role::output;
          s.valid = Field(Wires(t.m_axis_local_tvalid, kDeliveries, "m_axis_local_tvalid"), name.lane(), 1);
          s.ready = Field(Wires(t.m_axis_local_tready, kDeliveries, "m_axis_local_tready"), name.lane(), 1);
          s.payload = Field(Wires(t.m_axis_local_tdata, kDeliveries * kPayloadBits, "m_axis_local_tdata"),
                            name.lane() * kPayloadBits, kPayloadBits);
          s.header = delivery_header(t, name.lane());
          break;
        case Kind::s_local:
          s.role = Role::input;
          s.valid = Field(Wires(t.s_axis_local_tvalid, 1, "s_axis_local_tvalid"), 0, 1);
          s.ready = Field(Wires(t.s_axis_local_tready, 1, "s_axis_local_tready"), 0, 1);
          s.payload = Field(Wires(t.s_axis_local_tdata, kPayloadBits, "s_axis_local_tdata"), 0, kPayloadBits);
          s.header = offer_header(t);
          break;
        case Kind::destination_error:
          s.role = Role::pulse;
          s.valid = destination_error(t);
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

  // The ports that the machine does not have stay silent, whatever their inputs.
  void settle() override {
    for (Field& input : stray_inputs_) input.randomize(random_);
    drain(top());
    ConfiguredModel::settle();
  }
  std::string stray() const override {
    static constexpr const char* kNames[] = {"valid", "ready", "header_error"};
    constexpr std::uint32_t kSilent[1] = {0};
    for (std::size_t i = 0; kStray > 0 && i < 3; ++i) {
      if (!stray_outputs_[i].equals(kSilent)) {
        return std::string("a port that the machine does not have: ") + kNames[i] + ": expected 0, got 1";
      }
    }
    return "";
  }

 private:
  // A single router has drained when it is idle. A template, because these ports exist only
  // in a programmable router.
  template <class Top>
  static void drain(Top& t) {
    if constexpr (kProgrammable) t.drained = t.idle;
  }

  // Templates, because these ports exist only with a source id, a destination, tlast and a barrier.
  template <class Top>
  static void name_node(Top& t, std::uint32_t node) {
    if constexpr (kSourceBits > 0) Field(Wires(t.node_id, kSourceBits, "node_id"), 0, kSourceBits).set(&node);
    if constexpr (kDestination) {
      Header(Field(Wires(t.node_digits, kDigitsBits, "node_digits"), 0, kDigitsBits)).set(node_digits(node));
    }
  }
  template <class Top>
  static Header delivery_header(Top& t, unsigned lane) {
    Field source, last, scope;
    if constexpr (kSourceBits > 0) {
      source = Field(Wires(t.m_axis_local_tid, kDeliveries * kSourceBits, "m_axis_local_tid"), lane * kSourceBits,
                     kSourceBits);
    }
    if constexpr (kLast) last = Field(Wires(t.m_axis_local_tlast, kDeliveries, "m_axis_local_tlast"), lane, 1);
    if constexpr (kScopeBits > 0) {
      scope = Field(Wires(t.m_axis_local_tdest, kDeliveries * kScopeBits, "m_axis_local_tdest"), lane * kScopeBits,
                    kScopeBits);
    }
    return Header(source, last, scope);
  }
  template <class Top>
  static Header offer_header(Top& t) {
    Field destination, last;
    if constexpr (kDestination)
      destination = Field(Wires(t.s_axis_local_tdest, kTdestBits, "s_axis_local_tdest"), 0, kTdestBits);
    if constexpr (kLast) last = Field(Wires(t.s_axis_local_tlast, 1, "s_axis_local_tlast"), 0, 1);
    return Header(destination, last);
  }
  template <class Top>
  static Field destination_error(Top& t) {
    if constexpr (kDestination) return Field(Wires(t.destination_error, 1, "destination_error"), 0, 1);
    return Field();
  }
  template <class Top>
  static void bind_arrival(Top& t, Stream& s) {
    if constexpr (kBarrier) {
      s.valid = Field(Wires(t.barrier_arrive, 1, "barrier_arrive"), 0, 1);
      s.ready = Field(Wires(t.barrier_release, 1, "barrier_release"), 0, 1);
    }
  }
  template <class Top>
  void bind_barrier(Top& t) {
    if constexpr (kBarrier) {
      clocks.push_back({Kind::barrier_pace, Kind::link_barrier_pace, "barrier_pace",
                        Field(Wires(t.barrier_pace, 2, "barrier_pace"), 0, 2),
                        Field(Wires(t.link_barrier_pace, 2 * kPorts, "link_barrier_pace"), 0, 2 * kDegree)});
    }
  }

  Random random_{2};
  Field stray_inputs_[4], stray_outputs_[3];
};

}  // namespace

}  // namespace hc

int main(int argc, char** argv) {
  return hc::bench_main(argc, argv, "router",
                        [](VerilatedContext& context, const hc::StreamTable& table, std::uint32_t node, hc::Pool&) {
                          return std::make_unique<hc::RouterModel>(context, table, node);
                        });
}
