// SPDX-License-Identifier: Apache-2.0
//
// Bench of a machine of any size without a network module: one <machine>_router for
// each node, with the links connected here, and a trace of all nodes.

#include <atomic>
#include <cstring>
#include <stdexcept>

#include "Vrouter.h"
#include "bench_config.h"
#include "checks.h"
#include "configured.h"
#include "machine.h"

namespace hc {

namespace {

const std::size_t kLink = kHeaderBits + kPayloadBits;
constexpr std::size_t kCheckEvery = 4;  // cycles between two checks that links follow from registers

/// A vector of wires of every node. Each node has whole bytes, so that threads
/// can write the wires of different nodes.
class Bus {
 public:
  explicit Bus(std::size_t bits)
      : bits_(bits), stride_(storage_bytes(bits)), bytes_(kNodes * stride_ + sizeof(std::uint64_t)) {}

  /// Wires of a node, only for reading: a Wires writes whole words.
  const Wires of(std::size_t node) { return Wires(&bytes_[node * stride_], bytes_.size() - node * stride_); }
  /// A field of all nodes, for the thread that drives and compares.
  Field field(std::size_t lsb, std::size_t width) {
    return Field(Wires(bytes_.data(), bytes_.size()), lsb, width, 8 * stride_);
  }

  /// All bits of a bus of at most 32.
  std::uint32_t get(std::size_t node) const {
    std::uint32_t value = 0;
    std::memcpy(&value, &bytes_[node * stride_], stride_);
    return value;
  }
  void set(std::size_t node, std::uint32_t value) { std::memcpy(&bytes_[node * stride_], &value, stride_); }
  template <class Port>
  void to(std::size_t node, Port& port) const {
    std::memcpy(&port, &bytes_[node * stride_], sizeof port);
  }
  template <class Port>
  void from(std::size_t node, const Port& port) {
    std::memcpy(&bytes_[node * stride_], &port, sizeof port);
  }
  template <class Port>
  bool equals(std::size_t node, const Port& port) const {
    return std::memcmp(&bytes_[node * stride_], &port, sizeof port) == 0;
  }
  /// Throws std::logic_error if a port of the router has another width.
  template <class Port>
  void check(Port& port, const char* name) const {
    Wires(port, bits_, name);
  }

 private:
  std::size_t bits_;
  std::size_t stride_;
  std::vector<unsigned char> bytes_;
};

/// All routers, and the wires of the links between them. The values of a trace
/// are read from these wires, which is faster than from the routers.
///
/// All outputs of a router on links, including tready and pace, and its deliveries depend only on
/// registers. They are therefore valid after the edge of the clock, and evaluating each router
/// once, in any order, is enough. Every few cycles the bench checks that these outputs do not
/// change when a router sees its inputs.
class ArrayModel : public Model {
 public:
  ArrayModel(VerilatedContext& context, const StreamTable& table, Pool& pool)
      : pool_(pool), topology_({std::begin(kRings), std::end(kRings)}) {
    if (topology_.nodes() != kNodes || topology_.degree() != kDegree) {
      throw std::logic_error("kRings of bench_config.h makes " + std::to_string(topology_.nodes()) +
                             " nodes of degree " + std::to_string(topology_.degree()) + ", not " +
                             std::to_string(kNodes) + " of degree " + std::to_string(kDegree));
    }
    if (kLead > 1) throw OptionError("links have registers, and this bench has no links: use the bench of the network");
    routers_.reserve(kNodes);
    neighbors_.reserve(std::size_t{kNodes} * kDegree);
    for (std::uint32_t node = 0; node < kNodes; ++node) {
      routers_.push_back(std::make_unique<Vrouter>(&context, "top"));
      name_node(*routers_.back(), node);
      for (std::uint32_t p = 0; p < kDegree; ++p) neighbors_.push_back(topology_.neighbor(node, p));
    }
    check_widths(*routers_.front());
    bind(table);
    any_errors.push_back({Kind::header_error, "header_error", Field(Wires(any_error_, 1, "header_error"), 0, 1)});
    clocks.push_back({Kind::pace, Kind::link_pace, "pace", pace_.field(0, kPaceBits), Field()});
    if (kDestination) {
      any_errors.push_back({Kind::destination_error, "destination_error",
                            Field(Wires(any_destination_error_, 1, "destination_error"), 0, 1)});
    }
    if (kBarrier) {
      clocks.push_back(
          {Kind::barrier_pace, Kind::link_barrier_pace, "barrier_pace", barrier_pace_.field(0, 2), Field()});
    }
    // the first settle() needs the outputs of registers before any clock edge
    each_router([this](Vrouter& t, std::uint32_t node) {
      t.clk = 0;
      t.eval();
      publish(t, node);
    });
    count();
  }

  void reset(bool active) override { reset_ = active; }

  void settle() override {
    const bool check = cycles_++ % kCheckEvery == 0;
    each_router([this, check](Vrouter& t, std::uint32_t node) {
      connect(t, node);
      wires_.drive(t);
      set_drained(t, drained_);
      t.rst = reset_;
      t.clk = 0;
      t.eval();
      offer_ready_.from(node, t.s_axis_local_tready);
      if (check) check_published(t, node);
    });
    wires_.listen(*routers_.front());
  }

  void configure(Step on_settle, Step on_edge) override {
    wires_.configure(on_settle, on_edge, [this] { return all_configured(*routers_.front()); });
  }
  bool read(Step on_settle, Step on_edge, std::uint32_t address, std::uint32_t* value) override {
    return wires_.read(on_settle, on_edge, address, value);
  }

  void edge() override {
    each_router([this](Vrouter& t, std::uint32_t node) {
      t.clk = 1;
      t.eval();
      publish(t, node);
    });
    count();
    drained_ = all_idle(*routers_.front());
  }

  std::size_t valid_outputs() const override { return valid_outputs_; }
  void open_waves(const std::string&) override {}  // bench_main() has refused
  void record(std::uint64_t, bool) override {}
  void finish() override {
    for (const auto& router : routers_) router->final();
  }

 private:
  std::uint32_t neighbor(std::uint32_t node, std::uint32_t port) const {
    return neighbors_[std::size_t{node} * kDegree + port];
  }

  template <class Visit>
  void each_router(Visit visit) {
    pool_.each(kNodes, [this, &visit](std::size_t begin, std::size_t end) {
      for (std::size_t node = begin; node < end; ++node) visit(*routers_[node], static_cast<std::uint32_t>(node));
    });
  }

  // Drives the inputs of a router from the neighbours and the bench.
  void connect(Vrouter& t, std::uint32_t node) {
    Wires data(t.s_axis_link_tdata, kPorts * kLink, "s_axis_link_tdata");
    std::uint32_t valid = 0, ready = 0;
    Wires paces(t.link_pace, kPaceBits * kPorts, "link_pace");
    for (std::uint32_t p = 0; p < kDegree; ++p) {
      const std::uint32_t from = neighbor(node, p);
      const std::uint32_t q = topology_.opposite(p);
      ready |= (in_ready_.get(from) >> q & 1) << p;
      paces.set(kPaceBits * p, kPaceBits, pace_.get(from));
      if ((link_valid_.get(from) >> q & 1) == 0) continue;
      valid |= 1U << p;
      const Wires sent = link_data_.of(from);
      for (std::size_t bit = 0; bit < kLink; bit += 32) {
        const unsigned width = kLink - bit < 32 ? kLink - bit : 32;
        data.set(p * kLink + bit, width, sent.get(q * kLink + bit, width));
      }
    }
    Wires(t.s_axis_link_tvalid, kPorts, "s_axis_link_tvalid").set(0, kPorts, valid);
    link_ready_.set(node, ready);
    link_ready_.to(node, t.m_axis_link_tready);
    offer_valid_.to(node, t.s_axis_local_tvalid);
    offer_data_.to(node, t.s_axis_local_tdata);
    local_ready_.to(node, t.m_axis_local_tready);
    connect_options(t, node);
  }

  // Copies the registered outputs of a router to the wires.
  void publish(const Vrouter& t, std::uint32_t node) {
    link_valid_.from(node, t.m_axis_link_tvalid);
    link_data_.from(node, t.m_axis_link_tdata);
    local_valid_.from(node, t.m_axis_local_tvalid);
    local_data_.from(node, t.m_axis_local_tdata);
    with_source(t, [&](const auto& id) { local_source_.from(node, id); });
    publish_options(t, node);
    error_.from(node, t.header_error);
    in_ready_.from(node, t.s_axis_link_tready);
    pace_.from(node, t.pace);
  }

  // Counts the valid outputs.
  void count() {
    std::atomic<std::size_t> valid{0};
    std::atomic<bool> error{false}, destination_error{false};
    pool_.each(kNodes, [&](std::size_t begin, std::size_t end) {
      std::size_t some = 0;
      std::uint32_t errors = 0, destination_errors = 0;
      for (std::size_t node = begin; node < end; ++node) {
        some += bits(link_valid_.get(node)) + bits(error_.get(node)) + bits(local_valid_.get(node));
        errors |= error_.get(node);
        if (kDestination) {
          some += destination_error_.get(node);
          destination_errors |= destination_error_.get(node);
        }
      }
      valid += some;
      if (errors != 0) error = true;
      if (destination_errors != 0) destination_error = true;
    });
    valid_outputs_ = valid;
    any_error_ = error;
    any_destination_error_ = destination_error;
  }

  static std::size_t bits(std::uint32_t mask) {
    std::size_t n = 0;
    for (; mask != 0; mask &= mask - 1) ++n;
    return n;
  }

  // The registered outputs of a router do not change when it sees its inputs.
  void check_published(const Vrouter& t, std::uint32_t node) const {
    bool same = in_ready_.equals(node, t.s_axis_link_tready) && link_valid_.equals(node, t.m_axis_link_tvalid) &&
                link_data_.equals(node, t.m_axis_link_tdata) && local_valid_.equals(node, t.m_axis_local_tvalid) &&
                local_data_.equals(node, t.m_axis_local_tdata) && error_.equals(node, t.header_error) &&
                pace_.equals(node, t.pace);
    with_source(t, [&](const auto& id) { same = same && local_source_.equals(node, id); });
    same = same && same_options(t, node);
    if (!same) {
      throw std::logic_error("node " + std::to_string(node) +
                             ": an output that must follow from registers changes with the inputs of the router, so "
                             "routers cannot be evaluated one by one; use the network bench");
    }
  }

  // Templates, because these ports exist only with a source id.
  template <class Top, class Visit>
  static void with_source(Top& t, Visit visit) {
    if constexpr (kSourceBits > 0) visit(t.m_axis_local_tid);
  }
  template <class Top>
  static void name_node(Top& t, std::uint32_t node) {
    if constexpr (kSourceBits > 0) Field(Wires(t.node_id, kSourceBits, "node_id"), 0, kSourceBits).set(&node);
    if constexpr (kDestination) {
      Header(Field(Wires(t.node_digits, kDigitsBits, "node_digits"), 0, kDigitsBits)).set(node_digits(node));
    }
  }

  // Templates, because these ports exist only with a destination, tlast or a barrier.
  template <class Top>
  void connect_options(Top& t, std::uint32_t node) const {
    if constexpr (kDestination) offer_destination_.to(node, t.s_axis_local_tdest);
    if constexpr (kLast) offer_last_.to(node, t.s_axis_local_tlast);
    if constexpr (kBarrier) {
      arrive_.to(node, t.barrier_arrive);
      Wires paces(t.link_barrier_pace, 2 * kPorts, "link_barrier_pace");
      for (std::uint32_t p = 0; p < kDegree; ++p) paces.set(2 * p, 2, barrier_pace_.get(neighbor(node, p)));
    }
  }
  template <class Top>
  void publish_options(const Top& t, std::uint32_t node) {
    if constexpr (kDestination) destination_error_.from(node, t.destination_error);
    if constexpr (kLast) local_last_.from(node, t.m_axis_local_tlast);
    if constexpr (kScopeBits > 0) local_scope_.from(node, t.m_axis_local_tdest);
    if constexpr (kBarrier) {
      release_.from(node, t.barrier_release);
      barrier_pace_.from(node, t.barrier_pace);
    }
  }
  template <class Top>
  bool same_options(const Top& t, std::uint32_t node) const {
    bool same = true;
    if constexpr (kDestination) same = same && destination_error_.equals(node, t.destination_error);
    if constexpr (kLast) same = same && local_last_.equals(node, t.m_axis_local_tlast);
    if constexpr (kScopeBits > 0) same = same && local_scope_.equals(node, t.m_axis_local_tdest);
    if constexpr (kBarrier) {
      same = same && release_.equals(node, t.barrier_release) && barrier_pace_.equals(node, t.barrier_pace);
    }
    return same;
  }

  // Templates, because these ports exist only in a programmable router. All routers are on
  // the bus, and the first one answers.
  template <class Top>
  static void set_drained(Top& t, bool drained) {
    if constexpr (kProgrammable) t.drained = drained;
  }
  template <class Top>
  bool all_idle(const Top&) const {
    bool all = true;
    if constexpr (kProgrammable) {
      for (const std::unique_ptr<Top>& t : routers_) all = all && t->idle;
    }
    return all;
  }
  template <class Top>
  bool all_configured(const Top&) const {
    bool all = true;
    if constexpr (kProgrammable) {
      for (const std::unique_ptr<Top>& t : routers_) all = all && t->configured;
    }
    return all;
  }

  void check_widths(Vrouter& t) {
    link_valid_.check(t.m_axis_link_tvalid, "m_axis_link_tvalid");
    link_ready_.check(t.m_axis_link_tready, "m_axis_link_tready");
    link_data_.check(t.m_axis_link_tdata, "m_axis_link_tdata");
    in_ready_.check(t.s_axis_link_tready, "s_axis_link_tready");
    local_valid_.check(t.m_axis_local_tvalid, "m_axis_local_tvalid");
    local_ready_.check(t.m_axis_local_tready, "m_axis_local_tready");
    local_data_.check(t.m_axis_local_tdata, "m_axis_local_tdata");
    offer_valid_.check(t.s_axis_local_tvalid, "s_axis_local_tvalid");
    offer_ready_.check(t.s_axis_local_tready, "s_axis_local_tready");
    offer_data_.check(t.s_axis_local_tdata, "s_axis_local_tdata");
    error_.check(t.header_error, "header_error");
    pace_.check(t.pace, "pace");
    with_source(t, [&](auto& id) { local_source_.check(id, "m_axis_local_tid"); });
  }

  void bind(const StreamTable& table) {
    streams = bind_streams(table, 0, kNodes, [this](Stream& s, const StreamName& name) {
      const auto p = static_cast<unsigned>(name.port);  // unless local
      switch (name.kind) {
        case Kind::header_error:
          s.role = Role::pulse;
          s.valid = error_.field(p, 1);
          break;
        case Kind::m_link:
          s.role = Role::internal;
          s.valid = link_valid_.field(p, 1);
          s.ready = link_ready_.field(p, 1);
          s.payload = link_data_.field(p * kLink, kPayloadBits);
          s.header = Header(link_data_.field(p * kLink + kPayloadBits, kHeaderBits));
          break;
        case Kind::m_local:
          s.role = Role::output;
          s.valid = local_valid_.field(name.lane(), 1);
          s.ready = local_ready_.field(name.lane(), 1);
          s.payload = local_data_.field(name.lane() * kPayloadBits, kPayloadBits);
          s.header = Header(kSourceBits > 0 ? local_source_.field(name.lane() * kSourceBits, kSourceBits) : Field(),
                            kLast ? local_last_.field(name.lane(), 1) : Field(),
                            kScopeBits > 0 ? local_scope_.field(name.lane() * kScopeBits, kScopeBits) : Field());
          break;
        case Kind::destination_error:
          s.role = Role::pulse;
          s.valid = destination_error_.field(0, 1);
          break;
        case Kind::barrier:
          s.role = Role::input;
          s.valid = arrive_.field(0, 1);
          s.ready = release_.field(0, 1);
          break;
        case Kind::s_local:
          s.role = Role::input;
          s.valid = offer_valid_.field(0, 1);
          s.ready = offer_ready_.field(0, 1);
          s.payload = offer_data_.field(0, kPayloadBits);
          s.header = Header(kDestination ? offer_destination_.field(0, kTdestBits) : Field(),
                            kLast ? offer_last_.field(0, 1) : Field());
          break;
        case Kind::s_link:  // the m_link at its other end
        case Kind::pace:    // no streams
        case Kind::link_pace:
        case Kind::barrier_pace:
        case Kind::link_barrier_pace: break;
      }
    });
  }

  Pool& pool_;
  const Topology topology_;
  std::vector<std::uint32_t> neighbors_;  // by node and port: faster than computing them
  std::vector<std::unique_ptr<Vrouter>> routers_;
  bool reset_ = false;
  BusWires wires_;
  bool drained_ = false;  // all routers are idle, after the last edge
  std::uint64_t cycles_ = 0;

  // outputs of the routers, by node
  Bus link_valid_{kPorts}, link_data_{kPorts * kLink}, in_ready_{kPorts}, error_{kPorts}, pace_{kPaceBits};
  Bus local_valid_{kDeliveries}, local_data_{kDeliveries * kPayloadBits};
  Bus local_source_{kSourceBits == 0 ? 1 : kDeliveries * kSourceBits};
  Bus offer_ready_{1};
  Bus destination_error_{1}, local_last_{kDeliveries}, local_scope_{kDeliveries * kScopeBits}, release_{1},
      barrier_pace_{2};
  // inputs of the routers: ready of the links, and the signals that the bench drives
  Bus link_ready_{kPorts};
  Bus local_ready_{kDeliveries}, offer_valid_{1}, offer_data_{kPayloadBits};
  Bus offer_destination_{kDestination ? kTdestBits : 1}, offer_last_{1}, arrive_{1};

  std::size_t valid_outputs_ = 0;
  CData any_error_ = 0, any_destination_error_ = 0;
};

}  // namespace

}  // namespace hc

int main(int argc, char** argv) {
  return hc::bench_main(argc, argv, "array",
                        [](VerilatedContext& context, const hc::StreamTable& table, std::uint32_t, hc::Pool& pool) {
                          return std::make_unique<hc::ArrayModel>(context, table, pool);
                        });
}
