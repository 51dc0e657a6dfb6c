// SPDX-License-Identifier: Apache-2.0
//
// Bench of board_top: four boards in a ring of cables with bit errors, each with an oscillator of its own.
//
// 1. The boards are configured one after the other, and the two plugs of board 1 are swapped. The ends say so.
// 2. The plugs are put right. All cables come up.
// 3. restart at a board resets each board once. The nodes go through rounds.
// 4. A cable is cut for 4000 cycles. Nothing is lost.
// 5. A board is reset alone. It and its neighbours say that a cable is lost.
// 6. restart at a neighbour brings all back.
//
// The nodes check every message, and a round ends only when all messages have come.
//
//   Vboard_top +one_in=N +rounds=N +seed=N     one in N bits of a cable is wrong; rounds after each event
//
// Exit codes: 0 fine, 2 bad usage, 3 a check failed.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "Vboard_top.h"
#include "verilated.h"

namespace {

using Time = std::uint64_t;  // in ps

constexpr unsigned kBoards = 4, kPlugs = 2 * kBoards, kLanes = 4;
constexpr Time kCycle = 40000;                                 // 25 MHz
constexpr Time kHalf[kBoards] = {20000, 20001, 19999, 20002};  // of the oscillators, half a cycle each
constexpr Time kConfigured[kBoards] = {0, 300 * kCycle + 11000, 80 * kCycle + 27000, 305 * kCycle + 5000};
constexpr unsigned kReset = 8;   // cycles of rst
constexpr Time kLength = 25000;  // of a cable

// States of a cable, see docs/chips.md.
constexpr unsigned kSilent = 0, kUp = 2, kLost = 3, kMiswired = 5;

/// The number of a plug of board b. Cables lead from up(b) to down(b + 1).
unsigned up(unsigned b) { return 2 * (b % kBoards); }
unsigned down(unsigned b) { return 2 * (b % kBoards) + 1; }

/// What a plug drives from a time on, as the other end of the cable sees it.
struct Change {
  Time at;
  unsigned lanes;
  bool clock;
};

struct Plug {
  unsigned peer = 0;  // at the other end of the cable
  bool cut = false;   // what this plug drives is lost
  unsigned flip = 0;  // lanes that are wrong
  std::deque<Change> changes;
};

struct Board {
  std::unique_ptr<Vboard_top> top;
  Time edge = 0;        // the next one of its clock
  unsigned cycles = 0;  // since it was configured
  unsigned resets = 0;  // of its nodes
  bool was_reset = false;
};

unsigned option(VerilatedContext& context, const std::string& name) {
  const std::string found = context.commandArgsPlusMatch((name + "=").c_str());
  const std::string digits = found.empty() ? found : found.substr(name.size() + 2);
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) {
    std::fprintf(stderr, "error: +%s=NUMBER is missing or not a number of up to 9 digits\n", name.c_str());
    std::exit(2);
  }
  return static_cast<unsigned>(std::stoul(digits));
}

class Bench {
 public:
  explicit Bench(VerilatedContext& context)
      : one_in_(option(context, "one_in")), rounds_(option(context, "rounds")), random_(option(context, "seed")) {
    if (one_in_ == 0) {
      std::fprintf(stderr, "error: +one_in=0: it must be 1 or more\n");
      std::exit(2);
    }
    for (unsigned b = 0; b < kBoards; ++b) {
      boards_[b].top = std::make_unique<Vboard_top>(&context);
      boards_[b].top->rst = 1;
      boards_[b].top->digits = b;
      boards_[b].edge = kConfigured[b];
      join(up(b), down(b + 1));
    }
  }

  void run() {
    join(up(0), up(1));
    join(down(1), down(2));
    wait("boards 0, 1 and 2 say that plugs are swapped", 12000, [&] {
      return state(up(0)) == kMiswired && state(up(1)) == kMiswired && state(down(1)) == kMiswired &&
             state(down(2)) == kMiswired && state(up(2)) == kUp && state(up(3)) == kUp && state(down(3)) == kUp &&
             state(down(0)) == kUp;
    });
    join(up(0), down(1));
    join(up(1), down(2));
    wait("all cables are up", 12000, [&] { return all_up(); });
    more_rounds("rounds");

    restart(1);
    more_rounds("rounds after the restart");

    plugs_[up(0)].cut = plugs_[down(1)].cut = true;
    const Time end = now_ + 4000 * kCycle;
    while (now_ < end) step();
    if (state(up(0)) != kSilent || state(down(1)) != kSilent) fail("a cable that is cut is not silent");
    plugs_[up(0)].cut = plugs_[down(1)].cut = false;
    more_rounds("rounds after the cut");

    boards_[2].cycles = 0;
    wait("boards 1, 2 and 3 say that cables are lost", 12000, [&] {
      return state(up(1)) == kLost && state(down(2)) == kLost && state(up(2)) == kLost && state(down(3)) == kLost;
    });
    if (state(up(0)) == kLost || state(up(3)) == kLost) fail("a cable between two boards that were not reset is lost");
    restart(1);
    more_rounds("rounds after the second restart");

    for (auto& b : boards_) b.top->final();
    std::printf("PASS: board_top: 16 nodes on four boards, one in %u bits wrong\n", one_in_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "FAIL: board_top: %s (cycle %u)\n", what.c_str(), static_cast<unsigned>(now_ / kCycle));
    for (unsigned b = 0; b < kBoards; ++b)
      std::fprintf(stderr, "board %u: up in state %u, down in state %u, %u rounds\n", b, state(up(b)), state(down(b)),
                   boards_[b].top->rounds);
    std::exit(3);
  }

  void join(unsigned a, unsigned b) {
    plugs_[a].peer = b;
    plugs_[b].peer = a;
  }

  unsigned state(unsigned plug) const {
    const Vboard_top& top = *boards_[plug / 2].top;
    return plug % 2 == 0 ? top.up_state : top.down_state;
  }

  bool all_up() const {
    for (unsigned p = 0; p < kPlugs; ++p)
      if (state(p) != kUp) return false;
    return true;
  }

  void wait(const std::string& what, unsigned cycles, const std::function<bool()>& done) {
    const Time begin = now_;
    while (!done()) {
      step();
      if (now_ - begin > cycles * kCycle) fail("not in " + std::to_string(cycles) + " cycles: " + what);
    }
    std::printf("%s: %u cycles\n", what.c_str(), static_cast<unsigned>((now_ - begin) / kCycle));
  }

  void more_rounds(const std::string& what) {
    unsigned most = 0;
    for (auto& b : boards_) most = std::max(most, static_cast<unsigned>(b.top->rounds));
    wait(std::to_string(rounds_) + " " + what, 20000 * (rounds_ + 1), [&] {
      return std::all_of(boards_, boards_ + kBoards, [&](const Board& b) { return b.top->rounds >= most + rounds_; });
    });
  }

  /// Presses the button of a board. Each board is reset once.
  void restart(unsigned board) {
    for (auto& b : boards_) b.resets = 0;
    boards_[board].top->restart = 1;
    const auto reset = [](const Board& b) { return b.resets == 1 && !b.was_reset; };
    wait("restart resets all boards", 4000, [&] { return std::all_of(boards_, boards_ + kBoards, reset); });
    const Time end = now_ + 500 * kCycle;
    while (now_ < end) step();
    if (!std::all_of(boards_, boards_ + kBoards, reset)) fail("restart resets a board twice");
    boards_[board].top->restart = 0;
  }

  /// The next edge of a clock, or the next change at the end of a cable.
  void step() {
    Board* board = boards_;
    for (auto& b : boards_)
      if (b.edge < board->edge) board = &b;
    Plug* plug = nullptr;
    Time first = board->edge;
    for (auto& p : plugs_)
      if (!p.changes.empty() && p.changes.front().at < first) {
        plug = &p;
        first = p.changes.front().at;
      }
    now_ = first;
    if (plug)
      arrive(*plug);
    else
      tick(*board);
  }

  void tick(Board& b) {
    const auto number = static_cast<unsigned>(&b - boards_);
    Vboard_top& top = *b.top;
    b.edge += kHalf[number];
    top.clk = !top.clk;
    if (top.clk) top.rst = b.cycles++ < kReset;
    top.eval();
    if (b.was_reset && !top.reset) ++b.resets;
    b.was_reset = top.reset;
    if (top.wrong && !top.rst) fail("a node of board " + std::to_string(number) + " has received a wrong message");
    drive(plugs_[up(number)], top.up_tx, top.up_tx_clk);
    drive(plugs_[down(number)], top.down_tx, top.down_tx_clk);
  }

  /// Pins change with the falling edge of their clock.
  void drive(Plug& p, unsigned lanes, bool clock) {
    if (!clock) {
      p.flip = 0;
      for (unsigned lane = 0; lane < kLanes; ++lane)
        if (random_() % one_in_ == 0) p.flip |= 1U << lane;
    }
    p.changes.push_back({now_ + kLength, lanes ^ p.flip, clock});
  }

  /// The pins at the end of a cable that is cut stand still.
  void arrive(Plug& from) {
    const Change c = from.changes.front();
    from.changes.pop_front();
    if (from.cut) return;
    Vboard_top& top = *boards_[from.peer / 2].top;
    if (from.peer % 2 == 0) {
      top.up_rx = c.lanes;
      top.up_rx_clk = c.clock;
    } else {
      top.down_rx = c.lanes;
      top.down_rx_clk = c.clock;
    }
    top.eval();
  }

  const unsigned one_in_, rounds_;
  std::mt19937 random_;
  Board boards_[kBoards];
  Plug plugs_[kPlugs];
  Time now_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Bench(context).run();
  return 0;
}
