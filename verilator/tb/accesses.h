// SPDX-License-Identifier: Apache-2.0
//
// What accesses at the buses of endpoints mean, and which rules their effects obey, from docs/endpoints.md. A bench reports
// accesses, answers, interrupts and what the memory ports do. The rules say nothing about cycles: each write of a memory port
// must be the effect of an access, once, and in the order that the page promises; each word that is read must be one that the
// port read at a permitted time; and registers must have values that are possible.

#ifndef HC_ACCESSES_H
#define HC_ACCESSES_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "system.h"

namespace hc {

enum class Does { own_read, own_write, own_add, own_doorbell, put, add, get, register_read, register_write, error };

/// An access, decoded.
struct Meaning {
  Does does = Does::error;
  std::uint32_t errors = 0;          // bits of ERRORS, of a bus error
  bool set = false;                  // its destination is a set
  std::uint64_t destination = 0;     // `all`, and the digits that are not ignored: what is ordered
  std::vector<std::uint32_t> nodes;  // at which it takes effect, or whose memory it reads

  /// Whether it uses or changes registers of its node.
  bool of_registers() const {
    return does == Does::register_read || does == Does::register_write || does == Does::own_doorbell;
  }
};

constexpr std::uint32_t kOutside = 1, kUnsupported = 2;  // bits of ERRORS

inline bool is_register(std::uint32_t offset) {
  return offset <= kWaitingAt || (offset >= kDimensionAt && offset < kDimensionAt + 4 * kDimensions);
}
inline bool is_written_register(std::uint32_t offset) {
  return offset == kBarrierAt || offset == kEventsAt || offset == kEnableAt || offset == kErrorsAt;
}

inline Meaning meaning(std::uint32_t node, const Access& access) {
  const Address at(access.address);
  Meaning m;
  const auto refuse = [&m](std::uint32_t bit) {
    m.does = Does::error;
    m.errors = bit;
    return m;
  };
  if (at.region == kOwn || at.region == kRegisters) {
    if (at.digits != 0 || at.all != 0) return refuse(kOutside);
    m.nodes = {node};
    if (at.region == kOwn) {
      m.does = access.write ? Does::own_write : Does::own_read;
      m.destination = node_digits(node);
      return m;
    }
    const std::uint32_t offset = at.offset & ~3U;
    if (!is_register(offset)) return refuse(kUnsupported);
    if (access.write && (!is_written_register(offset) || access.strobes != 15)) return refuse(kUnsupported);
    m.does = access.write ? Does::register_write : Does::register_read;
    return m;
  }

  bool outside = false;
  std::vector<std::uint32_t> in = {0};  // nodes of the destination
  std::uint32_t stride = 1, low = 0, digits = at.digits;
  for (unsigned i = 0; i < kDimensions; ++i) {
    const std::uint32_t m_i = kRings[i].m, digit = digits & low_bits(kDigitBits[i]);
    const bool all = (at.all >> i & 1) != 0;
    outside = outside || (!all && digit >= m_i);
    if (!all) m.destination |= static_cast<std::uint64_t>(digit) << low;
    low += kDigitBits[i];
    std::vector<std::uint32_t> more;
    for (const std::uint32_t n : in) {
      for (std::uint32_t d = 0; d < m_i; ++d) {
        if (all || d == digit) more.push_back(n + d * stride);
      }
    }
    in = std::move(more);
    stride *= m_i;
    digits >>= kDigitBits[i];
  }
  if (outside) return refuse(kOutside);
  m.set = at.all != 0;
  m.destination |= static_cast<std::uint64_t>(at.all) << 32;
  const bool own = !m.set && in[0] == node;
  if (m.set) in.erase(std::remove(in.begin(), in.end(), node), in.end());
  m.nodes = std::move(in);
  if (at.region == kAdd) {
    if (!access.write || !kAdds || access.strobes != 15) return refuse(kUnsupported);
    m.does = own ? Does::own_add : Does::add;
  } else if (access.write) {
    m.does = !own ? Does::put : at.word() == kDoorbell ? Does::own_doorbell : Does::own_write;
  } else {
    if (m.set || (!own && !kGets)) return refuse(kUnsupported);
    m.does = own ? Does::own_read : Does::get;
  }
  return m;
}

class Rules {
 public:
  using Fail = std::function<void(std::uint32_t node, const std::string& what)>;

  Rules(const System& system, Fail fail) : system_(system), fail_(std::move(fail)), nodes_(kNodes) {}

  /// After a reset: no access has been made, and registers are 0.
  void reset() { nodes_ = std::vector<State>(kNodes); }

  /// A node begins to offer an access.
  void offer(std::uint32_t n, unsigned lane, const Access& access, std::uint64_t now) {
    State& s = nodes_[n];
    Pending& p = s.pending[lane];
    p.access = access;
    p.meaning = meaning(n, access);
    p.number = ++count_;
    p.after = s.answered_write;
    p.offered = now;
    p.must = s.must;
    p.seen.clear();
    p.active = true;
    const Meaning& m = p.meaning;
    switch (m.does) {
      case Does::own_write:
      case Does::own_add:
      case Does::own_doorbell:
      case Does::put:
      case Does::add:
        for (const std::uint32_t t : m.nodes) effect(n, t, p);
        break;
      case Does::get: ++nodes_[m.nodes[0]].gets; break;
      case Does::register_write: begin_write(n, p); break;
      default: break;
    }
  }

  /// What the memory port of a node does in a cycle, before the memory does it.
  void port(std::uint32_t n, const Turn& turn, std::uint64_t now) {
    State& s = nodes_[n];
    if (s.sum_due == now && !(turn.enable && turn.strobes == 15 && turn.word == s.read_word))
      fail_(n, "the memory port has read word " + hex(s.read_word, kWordBits) +
                   " for an add 2 cycles ago, expected the sum, found " + show(turn));
    if (!turn.enable) return;
    if (turn.strobes == 0) {
      read(n, turn.word, now);
      s.read_at = now;
      s.read_word = turn.word;
    } else {
      written(n, turn, now);
    }
    s.turn_at = now;
  }

  /// The access of a lane was answered.
  void answer(std::uint32_t n, unsigned lane, const Answer& a, std::uint64_t now) {
    State& s = nodes_[n];
    Pending& p = s.pending[lane];
    const Meaning& m = p.meaning;
    p.active = false;
    if (m.does == Does::get) {
      State& t = nodes_[m.nodes[0]];
      --t.gets;
      t.got_at = now;
    }
    if (a.error != (m.does == Does::error)) {
      fail_(n, hc::show(p.access) + ": expected " + (a.error ? "ok" : "a bus error") + ", found " +
                   hc::show(a, p.access.write));
      return;
    }
    switch (m.does) {
      case Does::own_read:
      case Does::get: check_word(n, p, a); break;
      case Does::own_write: check_written(n, p); break;
      case Does::own_doorbell: past(n, n, m.destination, p.number); break;
      case Does::register_read: check_register(n, p, a.data, now); break;
      case Does::register_write: end_write(n, p, now); break;
      case Does::error: s.errors |= m.errors; break;
      default: break;
    }
    if (p.access.write) s.answered_write = p.number;
  }

  void interrupt(std::uint32_t n, bool is) {
    const State& s = nodes_[n];
    if (is && (s.may & (s.enable | s.next_enable)) == 0)
      fail_(n, "irq is 1, expected 0: no event that is enabled can have happened");
    if (!is && (s.must & s.enable & s.next_enable) != 0)
      fail_(n, "irq is 0, expected 1: bits " + hex(s.must & s.enable & s.next_enable, 9) +
                   " are 1 in ENABLE and in EVENTS");
  }

  /// All messages have arrived, and no access is under way.
  void quiet() {
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      State& s = nodes_[n];
      for (auto& [from, queue] : s.queues) {
        for (const Effect& e : queue) {
          if (e.visible())
            fail_(n, "nothing is under way, but " + show(e) + " of node " + std::to_string(from.first) +
                         " has not reached the memory");
          ring(n, e);
        }
      }
      s.queues.clear();
    }
  }

  /// Whether the node waits at the barrier, as far as it knows.
  bool waits(std::uint32_t n) const { return nodes_[n].waiting; }
  /// Whether the node waits for another node, which has not arrived.
  bool waits_for_others(std::uint32_t n) const { return waits(n) && all_arrived() < nodes_[n].arrived; }
  std::uint64_t releases() const { return releases_; }
  std::uint64_t bells() const { return bells_; }

 private:
  // What an access does at a node.
  struct Effect {
    enum What { put, add, doorbell, nothing } what = nothing;
    std::uint64_t number = 0;  // of the access
    std::uint64_t offered = 0;
    std::uint32_t word = 0, strobes = 0, data = 0;
    bool visible() const { return what == put || what == add; }
  };
  using From = std::pair<std::uint32_t, std::uint64_t>;  // source and destination

  struct Pending {
    bool active = false;
    Access access;
    Meaning meaning;
    std::uint64_t number = 0;
    std::uint64_t after = 0;  // number of the last write of this node that was answered before
    std::uint64_t offered = 0;
    std::uint32_t must = 0;           // when it was offered
    std::vector<std::uint32_t> seen;  // words that it can have read
  };

  struct State {
    std::map<From, std::deque<Effect>> queues;  // that have not taken effect here, as far as is known; oldest first
    Pending pending[Master::kLanes];
    std::uint64_t answered_write = 0;
    // the memory port
    std::uint64_t turn_at = kNever, read_at = kNever, sum_due = kNever;
    std::uint32_t read_word = 0;
    // registers
    std::uint32_t must = 0, may = 0;  // bits of EVENTS that are 1 for certain, and that can be 1
    std::uint32_t enable = 0, next_enable = 0, errors = 0;
    std::uint64_t cleared[9] = {};  // cycle in which the last clear of an event was answered
    unsigned bells[8] = {};         // doorbells that may be under way
    // the barrier
    bool waiting = false;
    std::uint64_t arrived = 0, landed = 0;  // arrivals that were offered and answered
    std::uint64_t released = 0;             // seen
    std::uint64_t all_at = 0;               // cycle in which the last of all nodes had arrived
    // gets of others of words of this node
    unsigned gets = 0;
    std::uint64_t got_at = 0;
  };
  static constexpr std::uint64_t kNever = UINT64_MAX - 8;

  static std::string show(const Turn& t) {
    if (!t.enable) return "nothing";
    return t.strobes == 0
               ? "a read of word " + hex(t.word, kWordBits)
               : "a write of word " + hex(t.word, kWordBits) + " with " + hex(t.strobes, 4) + " " + hex(t.data, 32);
  }
  static std::string show(const Effect& e) {
    return std::string(e.what == Effect::add ? "an add to" : "a write of") + " word " + hex(e.word, kWordBits) +
           " with " + (e.what == Effect::add ? "" : hex(e.strobes, 4) + " ") + hex(e.data, 32);
  }

  // A write of node n will take effect at node t.
  void effect(std::uint32_t n, std::uint32_t t, const Pending& p) {
    const Address at(p.access.address);
    Effect e;
    e.number = p.number;
    e.offered = p.offered;
    e.word = at.word();
    e.strobes = p.access.strobes;
    e.data = p.access.data;
    if (at.region == kAdd) {
      e.what = Effect::add;
    } else if (at.region == kMessages && at.word() == kDoorbell) {
      e.data = (e.strobes & 1) != 0 ? e.data & 255 : 0;
      e.what = e.data != 0 ? Effect::doorbell : Effect::nothing;
    } else if (e.strobes != 0) {
      e.what = Effect::put;
    }
    State& s = nodes_[t];
    if (e.what == Effect::doorbell) {
      ++bells_;
      s.may |= e.data;
      for (unsigned b = 0; b < 8; ++b) s.bells[b] += e.data >> b & 1;
    }
    s.queues[{n, p.meaning.destination}].push_back(e);
  }

  // The effect is known to have happened. A doorbell rings for certain unless its bit was cleared since it was offered.
  void ring(std::uint32_t n, const Effect& e) {
    if (e.what != Effect::doorbell) return;
    State& s = nodes_[n];
    for (unsigned b = 0; b < 8; ++b) {
      if ((e.data >> b & 1) == 0) continue;
      --s.bells[b];
      if (s.cleared[b] <= e.offered) s.must |= 1U << b;
    }
  }

  // All effects of accesses of node n up to a number, for a destination, have happened at node t.
  void past(std::uint32_t n, std::uint32_t t, std::uint64_t destination, std::uint64_t number) {
    auto& queues = nodes_[t].queues;
    const auto at = queues.find({n, destination});
    if (at == queues.end()) return;
    auto& queue = at->second;
    for (; !queue.empty() && queue.front().number <= number; queue.pop_front()) ring(t, queue.front());
    if (queue.empty()) queues.erase(at);
  }

  // The port reads a word.
  void read(std::uint32_t n, std::uint32_t word, std::uint64_t now) {
    State& s = nodes_[n];
    bool explained = false, adds = false;
    std::string early;
    const std::uint32_t is = system_.nodes[n].memory.read(word);
    for (std::uint32_t q = 0; q < kNodes; ++q) {
      for (Pending& p : nodes_[q].pending) {
        const Does does = p.meaning.does;
        if (!p.active || (does != Does::own_read && does != Does::get) || p.meaning.nodes[0] != n ||
            Address(p.access.address).word() != word)
          continue;
        if (const Effect* before = first(n, {q, p.meaning.destination});
            before != nullptr && before->number <= p.after) {
          early =
              "for " + hc::show(p.access) + " of node " + std::to_string(q) + ", expected before it " + show(*before);
          continue;
        }
        explained = true;
        p.seen.push_back(is);
      }
    }
    for (const auto& [from, queue] : s.queues) {
      for (const Effect& e : queue) {
        explained = explained || (e.what == Effect::nothing && e.word == word);
        if (!e.visible()) continue;
        adds = adds || (e.what == Effect::add && e.word == word);
        break;
      }
    }
    if (!explained && adds) s.sum_due = now + 2;
    if (!explained && !adds)
      fail_(n, "the memory port reads word " + hex(word, kWordBits) +
                   (early.empty() ? ", but no access reads it" : " " + early));
  }

  // The first effect of a queue that the port must show.
  const Effect* first(std::uint32_t n, const From& from) const {
    const auto at = nodes_[n].queues.find(from);
    if (at == nodes_[n].queues.end()) return nullptr;
    for (const Effect& e : at->second) {
      if (e.visible()) return &e;
    }
    return nullptr;
  }

  // The port writes a word.
  void written(std::uint32_t n, const Turn& turn, std::uint64_t now) {
    State& s = nodes_[n];
    const std::uint32_t before = system_.nodes[n].memory.read(turn.word), mask = Memory::mask(turn.strobes);
    const bool held = s.read_at + 2 == now && s.turn_at == s.read_at && s.read_word == turn.word;
    // Bytes without a strobe tell equal writes apart, if the port has them.
    const auto is = [&](const Effect& e, std::uint32_t bits) {
      if (e.word != turn.word) return false;
      if (e.what == Effect::add) return held && turn.strobes == 15 && turn.data == before + e.data;
      return e.what == Effect::put && e.strobes == turn.strobes && (e.data & bits) == (turn.data & bits);
    };
    for (const std::uint32_t bits : {UINT32_MAX, mask}) {
      for (const auto& [from, queue] : s.queues) {
        const Effect* const e = first(n, from);
        if (e == nullptr || !is(*e, bits)) continue;
        const From source = from;
        return past(source.first, n, source.second, e->number);
      }
    }
    std::string why = ", which no access does, or none now";
    for (const auto& [from, queue] : s.queues) {
      for (const Effect& e : queue) {
        if (e.visible() && is(e, mask))
          why = " of node " + std::to_string(from.first) + ", expected before it " + show(*first(n, from));
        if (e.what == Effect::add && e.word == turn.word && turn.strobes == 15 && turn.data == before + e.data && !held)
          why = ", the sum of an add of node " + std::to_string(from.first) +
                ", expected a read of the word 2 cycles before and nothing else since";
      }
    }
    fail_(n, "the memory port does " + show(turn) + why);
  }

  void check_word(std::uint32_t n, const Pending& p, const Answer& a) {
    if (p.seen.empty()) return fail_(n, hc::show(p.access) + " is answered, but the word was not read");
    if (std::find(p.seen.begin(), p.seen.end(), a.data) == p.seen.end())
      fail_(n, hc::show(p.access) + ": expected " + hex(p.seen.back(), 32) + ", found " + hex(a.data, 32));
    past(n, p.meaning.nodes[0], p.meaning.destination, p.after);
  }

  void check_written(std::uint32_t n, const Pending& p) {
    if (const Effect* e = first(n, {n, p.meaning.destination}); e != nullptr && e->number == p.number)
      fail_(n, hc::show(p.access) + " is answered, but has not been written");
    past(n, n, p.meaning.destination, p.number);
  }

  // Registers

  std::uint64_t all_arrived() const {
    std::uint64_t least = UINT64_MAX;
    for (const State& s : nodes_) least = std::min(least, s.arrived);
    return least;
  }
  std::uint64_t all_landed() const {
    std::uint64_t least = UINT64_MAX;
    for (const State& s : nodes_) least = std::min(least, s.landed);
    return least;
  }

  void begin_write(std::uint32_t n, const Pending& p) {
    State& s = nodes_[n];
    switch (Address(p.access.address).offset & ~3U) {
      case kBarrierAt:
        if (s.waiting) break;
        s.waiting = true;
        ++s.arrived;
        for (State& t : nodes_) {
          if (t.waiting && t.arrived <= all_arrived()) t.may |= 0x100;
        }
        break;
      case kEventsAt:
        for (unsigned b = 0; b < 9; ++b) {
          if ((p.access.data >> b & 1) != 0) s.cleared[b] = kNever;
        }
        s.must &= ~p.access.data;
        break;
      case kEnableAt: s.next_enable = p.access.data & 0x1ff; break;
      default: break;
    }
  }

  void end_write(std::uint32_t n, const Pending& p, std::uint64_t now) {
    State& s = nodes_[n];
    switch (Address(p.access.address).offset & ~3U) {
      case kBarrierAt:
        s.landed = s.arrived;
        for (State& t : nodes_) {
          if (t.all_at == 0 && t.waiting && t.arrived <= all_landed()) t.all_at = now;
        }
        break;
      case kEventsAt:
        for (unsigned b = 0; b < 9; ++b) {
          if ((p.access.data >> b & 1) == 0) continue;
          s.cleared[b] = now;
          const bool again = b < 8 ? s.bells[b] > 0 : s.waiting && s.arrived <= all_arrived();
          if (!again) s.may &= ~(1U << b);
        }
        break;
      case kEnableAt: s.enable = s.next_enable; break;
      case kErrorsAt: s.errors &= ~p.access.data; break;
      default: break;
    }
  }

  void check_register(std::uint32_t n, const Pending& p, std::uint32_t found, std::uint64_t now) {
    State& s = nodes_[n];
    const std::uint32_t offset = Address(p.access.address).offset & ~3U;
    const auto expect = [&](std::uint32_t value) {
      if (found != value) fail_(n, hc::show(p.access) + ": expected " + hex(value, 32) + ", found " + hex(found, 32));
    };
    const auto wrong = [&](const std::string& why) {
      fail_(n, hc::show(p.access) + ": found " + hex(found, 32) + ", " + why);
    };
    switch (offset) {
      case kIdAt:
        return expect(kDimensions | kMemoryBits << 8 | (kGets ? 1U << 16 : 0) | (kAdds ? 1U << 17 : 0) |
                      (kTimeout > 0 ? 1U << 18 : 0) | 1U << 24);
      case kNodeAt: return expect(n);
      case kDigitsAt: return expect(static_cast<std::uint32_t>(node_digits(n)));
      case kNodesAt: return expect(kNodes);
      case kBarrierAt: {
        if (!s.waiting || found > 1) return expect(s.waiting ? 1 : 0);
        const bool all = s.arrived <= all_arrived();
        if (found == 1) {
          if (s.all_at != 0 && p.offered > s.all_at + 2 * crossing() + 8)
            wrong("expected 0: all nodes have arrived at the barrier " + std::to_string(p.offered - s.all_at) +
                  " cycles ago");
          return;
        }
        if (!all) return wrong("expected 1: not all nodes have arrived at the barrier");
        s.waiting = false;
        ++s.released;
        ++releases_;
        if (s.cleared[8] <= s.all_at) s.must |= 0x100;
        s.all_at = 0;
        return;
      }
      case kEventsAt:
        if ((p.must & ~found) != 0) wrong("expected 1 in bits " + hex(p.must & ~found, 9));
        if ((found & ~s.may) != 0) wrong("expected 0 in bits " + hex(found & ~s.may, 32));
        s.must |= found & s.may;
        return;
      case kEnableAt: return expect(s.enable);
      case kErrorsAt: return expect(s.errors);
      case kWaitingAt:
        if (kTimeout > 0) found &= ~(1U << 19);  // the cables come up some time after a reset
        if (s.gets == 0 && s.got_at < p.offered) return expect(0);
        if (found >> 17 != 0 || (found & 0xffff) > kNodes - 1) wrong("expected at most one get of each other node");
        return;
      default: {
        const Ring& ring = kRings[(offset - kDimensionAt) / 4];
        return expect(ring.m | ring.rho << 16);
      }
    }
  }

  const System& system_;
  Fail fail_;
  std::vector<State> nodes_;
  std::uint64_t count_ = 0, releases_ = 0, bells_ = 0;
};

}  // namespace hc

#endif
