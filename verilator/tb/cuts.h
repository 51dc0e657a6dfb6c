// SPDX-License-Identifier: Apache-2.0
//
// What programs see of dead cables (docs/endpoints.md, "Several chips"): all nodes make accesses to each other while the cables of
// a chip are cut and come back, while a chip is reset alone, and after a restart of the machine.
//
// Each memory has words that nobody writes, which differ from those of all other nodes, so a get with the word of another get
// shows. A word of each memory counts adds of 1.

#ifndef HC_CUTS_H
#define HC_CUTS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "accesses.h"
#include "bench.h"
#include "system.h"

namespace hc {

class Cuts {
 public:
  using Fail = std::function<void(std::uint32_t node, const std::string& what)>;

  Cuts(System& system, Random& random, Fail fail)
      : system_(system), random_(random), fail_(std::move(fail)), masters_(kNodes), added_(kNodes), maybe_(kNodes) {
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      system.nodes[n].memory = Memory();
      for (std::uint32_t w = 0; w < kConstants; ++w) system.nodes[n].memory.write(w, 15, constant(n, w));
    }
  }

  /// Whether no fault has been found.
  bool run() {
    system_.restart(4, random_);
    waits_for_cables();
    good("after the reset");

    // A cut, in the middle of everything. No access across it ends well. What it holds up goes on when the cables are back.
    const std::uint32_t c = random_.word() % kSystemClocks;
    doing_ = "a cut";
    dead_ = static_cast<int>(c);
    system_.cut.set(c, 1, 1);
    runs(3 * kTimeout, true);
    expect_late();
    doing_ = "after the cut";
    dead_ = -1;
    system_.cut.set(c, 1, 0);
    for (Next& x : masters_) x.puts = false;  // gets wait for the replies that are owed
    runs(kTimeout / 2, true);
    ends();
    settles();
    good("when cables are back");

    // A chip that is reset alone: its nodes send nothing, and nobody reaches them.
    const std::uint32_t z = random_.word() % kSystemClocks;
    doing_ = "the reset of a chip alone";
    runs(200, true);
    dead_ = alone_ = static_cast<int>(z);
    system_.rst.set(z, 1, 1);
    runs(8, true);
    system_.rst.set(z, 1, 0);
    runs(2 * kTimeout, true);
    expect_late();

    // A restart resets all chips, and all is well again.
    doing_ = "a restart";
    const std::uint32_t other = (z + 1) % kSystemClocks;
    system_.restart_of.set(other, 1, 1);
    runs(1, false);
    system_.restart_of.set(other, 1, 0);
    runs(kTimeout / 2, false);
    dead_ = alone_ = -1;
    lost_ = true;
    waits_for_cables();
    good("after a restart");
    return !failed_;
  }

  std::string summary() const {
    return std::to_string(well_) + " accesses to others ended well, and while cables were dead " +
           std::to_string(late_gets_) + " gets and " + std::to_string(late_ - late_gets_) + " puts and adds late";
  }

 private:
  static constexpr std::uint32_t kConstants = 8;          // the first words of a memory
  static constexpr std::uint32_t kCount = 16, kPut = 17;  // words
  static constexpr std::uint32_t kLate = 8;               // bit of ERRORS
  static constexpr std::uint64_t kOwnCycles = 64;         // cycles that an access of the own node may take

  struct Next {
    bool busy = false;
    Access access;
    std::uint32_t to = 0;     // node
    bool others = false;      // it is one to another node
    std::uint32_t want = 0;   // word of a read
    std::uint32_t mask = 0;   // bits of it that are known
    std::uint64_t since = 0;  // cycle
    bool checks = false;      // an access has ended late: ERRORS says so
    bool clears = false;      // and is cleared
    bool puts = false;        // the last late access was a get: no more gets before a put or an add is late, too
  };

  static std::uint32_t constant(std::uint32_t n, std::uint32_t word) {
    return static_cast<std::uint32_t>(Random::mix(1 + n * std::uint64_t{kConstants} + word));
  }

  // The chip of a node: its digits in the dimensions between chips.
  static std::uint32_t chip_of(std::uint32_t node) {
    std::uint32_t chip = 0, chips = 1;
    for (std::size_t i = 0; i < std::size(kRings); ++i) {
      const std::uint32_t m = kRings[i].m;
      if (kChipLinks[i].word_bits > 0) {
        chip += chips * (node % m);
        chips *= m;
      }
      node /= m;
    }
    return chip;
  }

  void fail(std::uint32_t n, const std::string& what) {
    failed_ = true;
    fail_(n, doing_ + ": " + what);
  }

  bool in_reset(std::uint32_t n) const { return system_.in_reset.get(chip_of(n), 1) != 0; }

  // Whether an access cannot end well.
  bool across(std::uint32_t n, std::uint32_t to) const {
    const int from = static_cast<int>(chip_of(n)), there = static_cast<int>(chip_of(to));
    return dead_ >= 0 && ((from == dead_) != (there == dead_) || from == alone_);
  }

  Access own(Region region, std::uint32_t offset, bool write, std::uint32_t data) {
    Address address;
    address.region = region;
    address.offset = offset;
    return {write, address.packed(), 15, data};
  }

  void begin(std::uint32_t n) {
    Next& x = masters_[n];
    x = {true, {}, n, false, 0, 0, now_, x.checks, x.clears, x.puts};
    if (std::exchange(x.checks, false)) {
      x.access = own(kRegisters, kErrorsAt, false, 0);
      x.want = x.mask = kLate;
      x.clears = true;
    } else if (std::exchange(x.clears, false)) {
      x.access = own(kRegisters, kErrorsAt, true, UINT32_MAX);
    } else if (random_.word() % 4 == 0) {
      const std::uint32_t word = random_.word() % kConstants;
      x.access = own(kOwn, 4 * word, false, 0);
      x.want = constant(n, word);
      x.mask = UINT32_MAX;
    } else {
      x.others = true;
      x.to = (n + 1 + random_.word() % (kNodes - 1)) % kNodes;
      const std::uint32_t what = random_.word() % 4;
      const std::uint32_t word = random_.word() % kConstants;
      Address address;
      address.region = kMessages;
      address.digits = static_cast<std::uint32_t>(node_digits(x.to));
      if (kGets && !x.puts && what < 2) {
        address.offset = 4 * word;
        x.access = {false, address.packed(), 15, 0};
        x.want = constant(x.to, word);
        x.mask = UINT32_MAX;
      } else if (kAdds && what < 3) {
        address.region = kAdd;
        address.offset = 4 * kCount;
        x.access = {true, address.packed(), 15, 1};
      } else {
        address.offset = 4 * kPut;
        x.access = {true, address.packed(), 15, random_.word()};
      }
    }
    system_.nodes[n].master.offer(x.access, now_);
  }

  void ended(std::uint32_t n, const Answer& a) {
    Next& x = masters_[n];
    x.busy = false;
    const bool adds = x.others && x.access.write && Address(x.access.address).region == kAdd;
    if (a.error) {
      if (!x.others) return fail(n, show(x.access) + ": a bus error in the own node");
      if (now_ - x.since < kTimeout)
        return fail(n, show(x.access) + ": a bus error after " + std::to_string(now_ - x.since) + " cycles");
      if (well_only_) return fail(n, show(x.access) + ": a bus error, expected none");
      ++late_;
      late_gets_ += x.access.write ? 0 : 1;
      maybe_[x.to] += adds ? 1 : 0;
      x.checks = true;
      x.puts = !x.access.write;
      return;
    }
    if (x.others) {
      ++well_;
      added_[x.to] += adds ? 1 : 0;
      // The network may accept a message that cannot arrive, but a chip that was reset alone offers none.
      const bool sends = x.access.write && static_cast<int>(chip_of(n)) != alone_;
      if (!sends && dead_ >= 0 && x.since > dead_since_ && across(n, x.to))
        return fail(n, show(x.access) + ": ended well across a dead cable");
    }
    if (!x.access.write && ((a.data ^ x.want) & x.mask) != 0)
      fail(n, show(x.access) + ": expected " + hex(x.want, 32) + ", found " + hex(a.data, 32));
  }

  // Runs some cycles. The nodes begin accesses, or make none.
  void runs(std::uint64_t cycles, bool begins) {
    for (; cycles > 0 && !failed_; --cycles) step(begins);
  }

  void step(bool begins) {
    if (dead_ != dead_was_) dead_since_ = now_;
    dead_was_ = dead_;
    std::vector<bool> resets(kNodes);
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      Node& node = system_.nodes[n];
      resets[n] = in_reset(n);
      if (resets[n]) {
        node.master.abort();
        node.port.reads = false;
        if (masters_[n].busy && masters_[n].others && Address(masters_[n].access.address).region == kAdd)
          ++maybe_[masters_[n].to];
        masters_[n] = Next();
      } else if (begins && !masters_[n].busy) {
        begin(n);
      }
      node.master.drive(now_, Manner(), random_);
      System::drive_memory(node, random_);
    }
    system_.settle();
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      Node& node = system_.nodes[n];
      const Turn turn = node.port.turn();
      if (!resets[n]) {
        node.master.observe();
        for (const Lane& lane : node.master.lanes) {
          if (lane.answered) ended(n, lane.answer);
        }
        const Next& x = masters_[n];
        if (x.busy && now_ - x.since > (x.others ? kTimeout + 4 : kOwnCycles))
          fail(n, show(x.access) + " has waited for " + std::to_string(now_ - x.since) + " cycles");
      }
      System::serve(node, turn);
    }
    system_.edge();
    ++now_;
  }

  void waits_for_cables() {
    for (std::uint64_t i = 0; i < kTimeout; ++i) {
      bool all = true;
      for (std::uint32_t c = 0; c < kSystemClocks; ++c) all = all && system_.up.get(c, 1) != 0;
      if (all) return;
      step(false);
    }
    fail(0, "the cables do not come up");
  }

  // All accesses end.
  void ends() {
    for (std::uint64_t i = 0; i < kTimeout + 8 && !failed_; ++i) step(false);
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      if (masters_[n].busy) fail(n, show(masters_[n].access) + " does not end");
    }
  }

  // The answer of a node to a read of a register.
  std::uint32_t reads(std::uint32_t n, std::uint32_t offset) {
    Next& x = masters_[n];
    x = {true, own(kRegisters, offset, false, 0), n, false, 0, 0, now_, false, false, false};
    system_.nodes[n].master.offer(x.access, now_);
    while (x.busy && !failed_) step(false);
    return system_.nodes[n].master.lanes[Master::lane_of(false)].answer.data;
  }

  // Nothing is left of what ended late, and all adds have arrived.
  void settles() {
    for (std::uint64_t i = 0; i < 100 && !failed_; ++i) {
      std::uint32_t waiting = 0;
      for (std::uint32_t n = 0; n < kNodes; ++n) waiting |= reads(n, kWaitingAt);
      if (waiting == 0) return;
      runs(kTimeout / 100, false);
    }
    fail(0, "a message or a reply of an access that ended late is still left");
  }

  // Accesses end well, for some time, and the sums are right.
  void good(const std::string& when) {
    doing_ = when;
    well_only_ = true;
    const std::uint64_t before = well_;
    runs(3000, true);
    ends();
    well_only_ = false;
    for (Next& x : masters_) x.checks = x.clears = x.puts = false;
    if (well_ < before + 4 * kNodes)
      fail(0, "the nodes have made " + std::to_string(well_ - before) + " accesses to others");
    if (lost_) return;  // messages of which nobody knows
    for (std::uint32_t n = 0; n < kNodes; ++n) {
      const std::uint32_t sum = system_.nodes[n].memory.read(kCount);
      if (sum < added_[n] || sum > added_[n] + maybe_[n])
        fail(n, "the sum of adds is " + std::to_string(sum) + ", expected " + std::to_string(added_[n]) + " to " +
                    std::to_string(added_[n] + maybe_[n]));
    }
  }

  void expect_late() {
    if (late_ == late_before_) fail(0, "no access has ended late");
    if (kGets && late_gets_ == gets_before_) fail(0, "no get has ended late");
    late_before_ = late_;
    gets_before_ = late_gets_;
  }

  System& system_;
  Random& random_;
  Fail fail_;
  std::vector<Next> masters_;
  std::vector<std::uint64_t> added_, maybe_;  // by node: adds that ended well, and others that may have arrived
  std::string doing_ = "the reset";
  bool failed_ = false, well_only_ = false, lost_ = false;
  int dead_ = -1, dead_was_ = -1, alone_ = -1;  // the chip that cannot be reached, and that was reset alone; -1: none
  std::uint64_t now_ = 1, dead_since_ = 0, well_ = 0, late_ = 0, late_gets_ = 0, late_before_ = 0, gets_before_ = 0;
};

}  // namespace hc

#endif
