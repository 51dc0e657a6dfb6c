// SPDX-License-Identifier: Apache-2.0
//
// Random traffic at the nodes of a design whose nodes have several clocks, and the checks of it: each message is delivered
// once to each node of its destination and to no other, messages of one source to the same destination stay in order,
// streams obey AXI4-Stream, and no node leaves the barrier before all have arrived.
//
// A bench calls observe() for the nodes of a clock before its edge, and drive() after it. Times are those of the bench, of any
// unit. After a reset a node has another *life*: it neither gets messages of an earlier life nor leaves a barrier of one.

#ifndef HC_TRAFFIC_H
#define HC_TRAFFIC_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench_config.h"
#include "checks.h"
#include "model.h"

namespace hc {

/// Bits of a number.
constexpr unsigned bits_of(std::uint32_t largest) { return largest == 0 ? 0 : 1 + bits_of(largest / 2); }

/// What a node sends.
enum class Load {
  none,
  random,  // a message now and then, at rates that change
  full     // broadcasts without a pause
};

class Traffic {
 public:
  using Fail = std::function<void(std::uint32_t node, const std::string& what)>;

  Traffic(Random& random, Fail fail) : random_(random), fail_(std::move(fail)), nodes_(kNodes) {
    for (std::uint32_t n = 0; n < kNodes; ++n) change(n);
  }

  /// Takes the streams of count nodes from a design, which packs them; number(i) is the number of the i-th node.
  template <class Top, class Number>
  void bind(Top& t, std::uint32_t count, Number number) {
    const std::size_t outputs = std::size_t{count} * kDeliveries;
    for (std::uint32_t i = 0; i < count; ++i) {
      Node& node = nodes_[number(i)];
      Ends& s = node.in;
      s.valid = Field(Wires(t.s_axis_tvalid, count, "s_axis_tvalid"), i, 1);
      s.ready = Field(Wires(t.s_axis_tready, count, "s_axis_tready"), i, 1);
      s.data = Field(Wires(t.s_axis_tdata, count * std::size_t{kPayloadBits}, "s_axis_tdata"),
                     i * std::size_t{kPayloadBits}, kPayloadBits);
      if constexpr (kLast) s.last = Field(Wires(t.s_axis_tlast, count, "s_axis_tlast"), i, 1);
      if constexpr (kDestination) {
        s.destination = Field(Wires(t.s_axis_tdest, count * std::size_t{kTdestBits}, "s_axis_tdest"),
                              i * std::size_t{kTdestBits}, kTdestBits);
      }
      if constexpr (kBarrier) {
        node.arrive = Field(Wires(t.barrier_arrive, count, "barrier_arrive"), i, 1);
        node.release = Field(Wires(t.barrier_release, count, "barrier_release"), i, 1);
      }
      node.out.resize(kDeliveries);
      for (std::size_t p = 0; p < kDeliveries; ++p) bind_output(t, node.out[p], outputs, i * kDeliveries + p);
    }
  }

  /// A node is in reset, and lives its next life after it. Messages of an earlier life will not reach it.
  void restart(std::uint32_t n, std::uint64_t life) {
    Node& node = nodes_[n];
    node.life = life;
    node.left = 0;
    node.taken = false;
    node.offer = nullptr;
    auto& list = node.expected;
    list.erase(std::remove_if(list.begin(), list.end(), [&](const auto& m) { return m->life < life; }), list.end());
    still(n);
  }
  std::uint64_t life(std::uint32_t n) const { return nodes_[n].life; }

  /// The inputs of a node in reset.
  void still(std::uint32_t n) {
    Node& node = nodes_[n];
    node.in.valid.bit(false);
    for (Ends& s : node.out) s.ready.bit(false), s.waits = false;
    if (kBarrier) node.arrive.bit(false);
  }

  /// What the edge of its clock sees of a node.
  void observe(std::uint32_t n, std::uint64_t now) {
    Node& node = nodes_[n];
    Ends& in = node.in;
    if (in.valid.bit()) {
      node.taken = in.ready.bit();
      ++(node.taken ? in.transfers : in.stalls);
    }
    if (node.taken) {
      ++sent_;
      node.offer->taken = now;
      longest_wait_ = std::max(longest_wait_, now - node.offer->offered);
    }
    for (Ends& s : node.out) deliver(n, s, now);
    if (kBarrier && node.release.bit()) leave(n);
  }

  /// After the edge: what a node offers and accepts next. If it is eager, it accepts everything and stays away from barriers.
  void drive(std::uint32_t n, std::uint64_t now, Load load, bool eager) {
    Node& node = nodes_[n];
    if (random_.word() % 1024 == 0) change(n);
    Ends& in = node.in;
    if (node.taken || !in.valid.bit()) {
      node.taken = false;
      in.valid.bit(false);
      in.data.randomize(random_);
      if (load == Load::full || (load == Load::random && random_.word() % 100 < node.sends)) offer(n, now, load);
    }
    for (Ends& s : node.out) s.ready.bit(eager || random_.word() % 100 < node.accepts);
    if (kBarrier && load == Load::random && !eager && !node.arrive.bit() && random_.word() % 100 < node.arrives) {
      node.arrive.bit(true);
      Barrier& b = barrier(node.life);
      ++b.arrived[n];
      b.last = now;
    }
  }

  /// Reports a message that is not taken, or under way, and a node that waits at the barrier, for longer than patience, all
  /// counted from since at the earliest.
  void judge(std::uint32_t n, std::uint64_t now, std::uint64_t since, std::uint64_t patience,
             const std::string& limit) {
    Node& node = nodes_[n];
    const auto late = [&](std::uint64_t from) { return now > std::max(from, since) + patience; };
    if (node.in.valid.bit() && node.offer && late(node.offer->offered))
      fail_(n, "a message of node " + std::to_string(n) + " has waited for " + limit);
    for (const auto& m : node.expected) {
      if (m->life != node.life) continue;
      if (m->taken > 0 && late(m->taken))
        fail_(n, "a message of node " + std::to_string(m->source) + " for node " + std::to_string(n) +
                     " has been under way for " + limit);
      break;
    }
    if (!kBarrier) return;
    const Barrier& b = barrier(node.life);
    if (node.left == b.arrived[n] || b.all() < b.arrived[n] || !late(b.last)) return;
    fail_(n, "node " + std::to_string(n) + " does not leave the barrier, to which all have come, for " + limit);
  }

  /// Whether a node of this life misses a message.
  bool misses(std::uint32_t n) const {
    const Node& node = nodes_[n];
    return std::any_of(node.expected.begin(), node.expected.end(), [&](const auto& m) { return m->life == node.life; });
  }

  /// A stream that has not both transferred and stalled; "": none.
  std::string unused() const {
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      const Node& node = nodes_[n];
      const auto idle = [](const Ends& s) { return s.transfers == 0 || s.stalls == 0; };
      if (idle(node.in) || std::any_of(node.out.begin(), node.out.end(), idle))
        return "a stream of node " + std::to_string(n) + " has not both transferred and stalled";
    }
    return kBarrier && releases_ < kNodes ? "no node has left the barrier" : "";
  }

  std::uint64_t sent_by(std::uint32_t n) const { return nodes_[n].in.transfers; }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t releases() const { return releases_; }
  /// The longest times from the offer of a message until it was taken, and from then to a delivery.
  std::uint64_t longest_wait() const { return longest_wait_; }
  std::uint64_t longest_way() const { return longest_way_; }
  void forget_longest() { longest_wait_ = longest_way_ = 0; }

 private:
  // A payload has the source in its low bits, and above it a number, if there is room for both.
  static constexpr unsigned kSequenceBits = 12;
  static constexpr unsigned kNodeBits = bits_of(kNodes - 1);
  static constexpr bool kUnique = kPayloadBits >= kNodeBits + kSequenceBits;

  struct Message {
    std::uint32_t source = 0;
    std::uint64_t destination = 0;  // tdest
    bool last = false;
    std::vector<std::uint32_t> payload;
    std::uint64_t life = 0;
    std::uint64_t offered = 0, taken = 0;  // times; 0: not taken
  };

  // A stream, with what the bench has seen of it.
  struct Ends {
    Field valid, ready, data, last, id, destination;
    bool waits = false;  // valid without ready in the cycle before
    Message held;        // of that cycle
    std::uint64_t transfers = 0, stalls = 0;
  };

  struct Node {
    Ends in;
    std::vector<Ends> out;
    Field arrive, release;
    std::uint64_t life = 0, left = 0;  // left: barriers of this life
    std::shared_ptr<Message> offer;
    bool taken = false;                             // the offer, at the last edge
    std::deque<std::shared_ptr<Message>> expected;  // oldest first
    unsigned sends = 0, accepts = 0, arrives = 0;   // rates, in per cent
    std::uint32_t number = 0;                       // of its next message
  };

  // What the nodes of a life have done at barriers.
  struct Barrier {
    std::vector<std::uint64_t> arrived = std::vector<std::uint64_t>(kNodes);
    std::uint64_t last = 0;  // time of the last arrival
    std::uint64_t all() const { return *std::min_element(arrived.begin(), arrived.end()); }
  };
  Barrier& barrier(std::uint64_t life) { return barriers_[life]; }

  template <class Top>
  static void bind_output(Top& t, Ends& s, std::size_t count, std::size_t i) {
    s.valid = Field(Wires(t.m_axis_tvalid, count, "m_axis_tvalid"), i, 1);
    s.ready = Field(Wires(t.m_axis_tready, count, "m_axis_tready"), i, 1);
    s.data = Field(Wires(t.m_axis_tdata, count * kPayloadBits, "m_axis_tdata"), i * kPayloadBits, kPayloadBits);
    if constexpr (kLast) s.last = Field(Wires(t.m_axis_tlast, count, "m_axis_tlast"), i, 1);
    if constexpr (kSourceBits > 0)
      s.id = Field(Wires(t.m_axis_tid, count * kSourceBits, "m_axis_tid"), i * kSourceBits, kSourceBits);
    if constexpr (kScopeBits > 0)
      s.destination = Field(Wires(t.m_axis_tdest, count * kScopeBits, "m_axis_tdest"), i * kScopeBits, kScopeBits);
  }

  void change(std::uint32_t n) {
    Node& node = nodes_[n];
    node.sends = random_.coin() ? 100 : random_.word() % 60;
    node.accepts = random_.coin() ? 100 : 20 + random_.word() % 80;
    node.arrives = 1 + random_.word() % 20;
  }

  void offer(std::uint32_t n, std::uint64_t now, Load load) {
    Node& node = nodes_[n];
    Ends& in = node.in;
    Message m;
    m.source = n;
    m.life = node.life;
    m.offered = now;
    if (kDestination) {
      m.destination = broadcast_destination();
      if (load == Load::random && random_.word() % 4 != 0) {
        do {
          m.destination = (random_.word() | static_cast<std::uint64_t>(random_.word()) << 32) &
                          (UINT64_MAX >> (64 - std::max(1U, kTdestBits)));
        } while (!legal_destination(n, m.destination));
      }
      const std::uint32_t words[2] = {static_cast<std::uint32_t>(m.destination),
                                      static_cast<std::uint32_t>(m.destination >> 32)};
      in.destination.set(words);
    }
    if (kLast) {
      m.last = random_.coin();
      in.last.bit(m.last);
    }
    m.payload.resize(in.data.words());
    in.data.get(m.payload.data());
    if (kUnique) {
      const std::uint32_t low = (node.number++ & ((1U << kSequenceBits) - 1)) << kNodeBits | n;
      m.payload[0] = (m.payload[0] & ~((1U << (kNodeBits + kSequenceBits)) - 1)) | low;
      in.data.set(m.payload.data());
    }
    in.valid.bit(true);
    node.offer = std::make_shared<Message>(std::move(m));
    const std::uint64_t to = node.offer->destination;
    for (std::uint32_t other = 0; other < kNodes; ++other) {
      if (kDestination && to != broadcast_destination() ? !is_for(n, to, other) : other == n) continue;
      if (nodes_[other].life <= node.life) nodes_[other].expected.push_back(node.offer);
    }
  }

  void deliver(std::uint32_t n, Ends& s, std::uint64_t now) {
    if (!s.valid.bit()) {
      if (s.waits) fail_(n, "m_axis_tvalid of node " + std::to_string(n) + " falls before the handshake");
      s.waits = false;
      return;
    }
    const Message m = message(s);
    if (s.waits && !(m.payload == s.held.payload && m.source == s.held.source && m.last == s.held.last &&
                     m.destination == s.held.destination)) {
      fail_(n, "m_axis of node " + std::to_string(n) + " changes before the handshake");
    }
    s.waits = !s.ready.bit();
    s.held = m;
    if (s.waits) {
      ++s.stalls;
      return;
    }
    ++s.transfers;
    ++delivered_;
    Node& node = nodes_[n];
    auto& list = node.expected;
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& e) {
      return e->life == node.life && e->payload == m.payload && (!kLast || e->last == m.last) &&
             (kSourceBits == 0 || e->source == m.source) &&
             (kScopeBits == 0 || scope_of(e->destination) == m.destination);
    });
    if (found == list.end()) {
      return fail_(n, "node " + std::to_string(n) +
                          " gets a message that is not for it, or again: " + hex(m.payload.data(), kPayloadBits));
    }
    if (kUnique) {
      const Message& f = **found;
      if (std::any_of(list.begin(), found, [&](const auto& e) {
            return e->life == f.life && e->source == f.source && e->destination == f.destination;
          })) {
        fail_(n,
              "node " + std::to_string(n) + " gets messages of node " + std::to_string(f.source) + " in another order");
      }
    }
    if ((*found)->taken > 0) longest_way_ = std::max(longest_way_, now - (*found)->taken);
    list.erase(found);
  }

  static Message message(const Ends& s) {
    Message m;
    m.payload.resize(s.data.words());
    s.data.get(m.payload.data());
    std::uint32_t words[2] = {0, 0};
    if (kLast) m.last = s.last.bit();
    if (s.id.width() > 0) s.id.get(&m.source);
    if (s.destination.width() > 0) s.destination.get(words);
    m.destination = words[0] | static_cast<std::uint64_t>(words[1]) << 32;
    return m;
  }

  void leave(std::uint32_t n) {
    Node& node = nodes_[n];
    ++node.left;
    ++releases_;
    if (barrier(node.life).all() < node.left)
      fail_(n, "node " + std::to_string(n) + " leaves the barrier before all have arrived");
    node.arrive.bit(false);
  }

  Random& random_;
  Fail fail_;
  std::vector<Node> nodes_;
  std::map<std::uint64_t, Barrier> barriers_;  // by life
  std::uint64_t sent_ = 0, delivered_ = 0, releases_ = 0, longest_wait_ = 0, longest_way_ = 0;
};

}  // namespace hc

#endif
