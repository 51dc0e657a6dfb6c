// SPDX-License-Identifier: Apache-2.0
//
// Carries out operations on a collective network and compares it with the definition of the operation: which words
// it requests, in which cycles, what it delivers and which results it has. Words are random, and an operation starts
// in the first cycle that is possible, or after a pause. Sometimes a word is late, and sometimes a reset ends all
// operations under way. It knows the cycles of the steps and how many operations take turns, but neither what the schedule
// does in the steps nor the chunks of words, of which the ports show the skew alone.
//
// config.h defines the machine and the network.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "Vnetwork.h"
#include "verilated.h"
#include "words.h"

namespace {

// An operation that is under way.
struct Operation {
  long start;
  bool undefined = false;                           // a word was late
  std::vector<std::vector<Word>> words;             // of a node for a node; of its own for itself
  std::vector<std::set<int>> requested, delivered;  // by node: other nodes
  std::vector<bool> own;                            // the result of the node was delivered

  explicit Operation(long at) : start(at), words(N), requested(N), delivered(N), own(N) {
    for (auto& list : words)
      for (int i = 0; i < N; ++i) list.push_back(word());
  }
  // The word for a node in a request with this index.
  Word given(int node, int to) const {
    return KIND == ALL_GATHER || KIND == GATHER ? words[node][node] : words[node][to];
  }
  Word result(int node) const {
    bool one = KIND == ONE_WORD;
    Word sum = words[0][one ? 0 : node];
    for (int from = 1; from < N; ++from) sum = combine(sum, words[from][one ? from : node]);
    return sum;
  }
  bool sends(int node, int to) const {
    switch (KIND) {
      case ALL_GATHER: return to == node;
      case GATHER: return to == node && node != ROOT;
      case SCATTER: return to != node && node == ROOT;
      default: return to != node;
    }
  }
  bool gets(int node, int from) const {
    if (from == node) return false;
    switch (KIND) {
      case BROADCAST:
      case SCATTER: return from == ROOT;
      case GATHER: return node == ROOT;
      case REDUCE_SCATTER:
      case ONE_WORD: return false;
      default: return true;
    }
  }
  Word got(int node, int from) const {
    switch (KIND) {
      case BROADCAST: return words[from][from];
      case ALL_REDUCE: return result(from);
      case ALL_GATHER:
      case GATHER: return words[from][from];
      default: return words[from][node];
    }
  }
};

struct Bench {
  VerilatedContext context;
  std::unique_ptr<Vnetwork> top;
  std::deque<std::unique_ptr<Operation>> under_way;  // the oldest first, until its last results are delivered
  Operation* asker = nullptr;          // the operation of the requests of the cycle before, if it has begun
  std::vector<uint64_t> asked;         // by lane: the node that the word is for, plus 1
  std::deque<std::vector<bool>> late;  // expected in this cycle and in the next ones, by node
  long finished = 0, compared = 0, lates = 0, aborted = 0, lost = 0, paused = 0, chained = 0, refused = 0;
  std::size_t most = 0;  // operations under way

  Bench() : top(std::make_unique<Vnetwork>(&context)), asked(N * D) { on_time(); }

  void on_time() { late.assign(1 + SKEW, std::vector<bool>(N)); }

  // The operation that is in a cycle of which two never are in the same cycle, or nullptr.
  template <typename Is>
  Operation* only(Is is) const {
    Operation* found = nullptr;
    for (auto& one : under_way) {
      if (!is(now - one->start)) continue;
      if (found != nullptr) fail("two operations have the same turn", found->start, one->start);
      found = one.get();
    }
    return found;
  }

  void requests(Operation* from);
  void deliveries();
  void step(bool rst, bool start, int valid_percent);
  void complete(const Operation& o);
};

// An operation in this cycle keeps ready at 0.
bool refuses(long cycle) {
  if (TURNS > 1) return cycle > 0 && cycle % TURNS == 0 && cycle / TURNS < STEPS;
  return cycle > 0 && cycle < PERIOD;
}
// A step of an operation begins, which is not the first, or one ends.
bool begins(long cycle) { return std::find(TIMES + 1, TIMES + STEPS, cycle) != TIMES + STEPS; }
bool ended(long cycle) { return std::find(TIMES + 1, TIMES + STEPS + 1, cycle - 1) != TIMES + STEPS + 1; }

#ifdef REQUESTS
// The requests are of an operation under way, or those of the first step, which are also shown if no operation begins.
void Bench::requests(Operation* from) {
  bool expected = top->ready != 0 || only(begins) != nullptr;
  asker = from;
  asked.assign(N * D, 0);
  for (int lane = 0; lane < N * D; ++lane) {
    if (get(top->s_request, lane, 1) == 0) continue;
    int node = lane / D;
    if (!expected) fail("a request in a cycle that no step begins with", lane);
    int to = plus(node, get(top->s_index, lane * A, A));
    if (to < 0) fail("a request with an index that has too large a digit", lane);
    if (from == nullptr) continue;
    if (!from->sends(node, to)) fail("a request that the operation does not have", node, to);
    if (!from->requested[node].insert(to).second && KIND != ALL_GATHER) fail("a second request", node, to);
    asked[lane] = to + 1;
  }
}
#endif

void Bench::complete(const Operation& o) {
  for (int node = 0; node < N; ++node) {
    int gets = 0, sends = 0;
    for (int other = 0; other < N; ++other) {
      gets += o.gets(node, other) ? 1 : 0;
      sends += o.sends(node, other) ? 1 : 0;
    }
    if (static_cast<int>(o.delivered[node].size()) != gets) fail("deliveries", node, o.delivered[node].size(), gets);
#ifdef REQUESTS
    if (static_cast<int>(o.requested[node].size()) != sends) fail("requests", node, o.requested[node].size(), sends);
#endif
#ifdef RESULT
    if (!o.own[node]) fail("no result", node);
#endif
  }
  ++finished;
  compared += o.undefined ? 0 : 1;
}

void Bench::deliveries() {
  // Two operations never deliver in the same cycle.
  Operation* o = only([](long cycle) { return ended(cycle - SKEW); });
  Operation* last = only([](long cycle) { return cycle - SKEW == PERIOD + 1; });
  if ((top->done != 0) != (last != nullptr)) fail("done", top->done);
  (void)o;
#ifdef DELIVERS
  for (int lane = 0; lane < N * D; ++lane) {
    if (get(top->m_valid, lane, 1) == 0) continue;
    int node = lane / D;
    if (o == nullptr) fail("a delivery in a cycle that ends no step", lane);
    int from = plus(node, get(top->m_index, lane * A, A));
    if (from < 0 || !o->gets(node, from)) fail("a delivery that the operation does not have", node, from);
    if (!o->delivered[node].insert(from).second) fail("a second delivery", node, from);
    if (!o->undefined && get_word(top->m_data, lane) != o->got(node, from))
      fail("a wrong word", node, from, now - o->start);
  }
#endif
#ifdef RESULT
  for (int node = 0; node < N; ++node) {
    bool valid = get(top->m_own_valid, node, 1) != 0;
    if (valid != (last != nullptr)) fail("m_own_valid", node, valid);
    if (!valid) continue;
    last->own[node] = true;
    if (!last->undefined && get_word(top->m_own_data, node) != last->result(node)) fail("a wrong result", node);
  }
#endif
  if (last != nullptr) {
    if (last != under_way.front().get()) fail("an operation is done before an older one");
    complete(*last);
    under_way.pop_front();
  }
}

// One cycle: inputs, then outputs, then the edge.
void Bench::step(bool rst, bool start, int valid_percent) {
  std::vector<bool> late_next(N);
  top->rst = rst;
  top->start = start;
  auto valid = [&](Operation* o, int node) {
    bool there = chance(valid_percent);
    if (!there) late_next[node] = o->undefined = true;
    return there;
  };
  (void)valid;
#ifdef REQUESTS
  for (int lane = 0; lane < N * D; ++lane) {
    int node = lane / D;
    bool needed = asked[lane] != 0;
    put_word(top->s_data, lane, needed ? asker->given(node, asked[lane] - 1) : word());
    put(top->s_valid, lane, 1, needed ? valid(asker, node) : chance(50));
  }
#endif
#ifdef OWN
  Operation* begun = only([](long cycle) { return cycle == 1; });
  for (int node = 0; node < N; ++node) {
    bool needed = begun != nullptr && (KIND != BROADCAST || node == ROOT);
    put_word(top->s_own_data, node, needed ? begun->words[node][node] : word());
    put(top->s_own_valid, node, 1, needed ? valid(begun, node) : chance(50));
  }
#endif
  top->eval();
  Operation* busy = only(refuses);
  bool ready = busy == nullptr;
  if ((top->ready != 0) != ready) fail("ready", top->ready);
  for (int node = 0; node < N; ++node) {
    bool is = get(top->late, node, 1) != 0;
    if (is != late.front()[node]) fail("late", node, is);
    lates += is ? 1 : 0;
  }
  bool next = only([](long cycle) { return cycle == (TURNS > 1 ? STEPS * TURNS : PERIOD); }) != nullptr;
  deliveries();
  bool accepted = ready && start && !rst;
  refused += start && !ready ? 1 : 0;
  if (accepted) {
    (next ? chained : paused) += 1;
    under_way.push_back(std::make_unique<Operation>(now));
    busy = under_way.back().get();
    most = std::max(most, under_way.size());
  }
#ifdef REQUESTS
  requests(busy);
#endif
  late.pop_front();
  late.push_back(late_next);
  if (rst) {
    for (auto& one : under_way) (now - one->start <= PERIOD ? aborted : lost) += 1;
    under_way.clear();
    asker = nullptr;
    asked.assign(N * D, 0);
    on_time();
  }
  top->clk = 1;
  top->eval();
  top->clk = 0;
  top->eval();
  ++now;
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench;
  bench.context.commandArgs(argc, argv);
  bench.context.randReset(2);
  bench.top->clk = 0;
  bench.top->rst = 1;
  bench.top->start = 1;
  bench.top->eval();
  bench.top->clk = 1;
  bench.top->eval();
  bench.top->clk = 0;
  const long rest = SKEW,
             between = 3 * PERIOD + 4 + SKEW;  // cycles until the last results are there, and between resets
  for (long cycles = 12 * (PERIOD + 2) + rest; cycles > 0; --cycles) bench.step(false, true, 100);  // one after another
  for (long cycles = 40 * (PERIOD + 2) + rest; cycles > 0; --cycles) bench.step(false, chance(20), 100);
  // Until resets have met what they shall meet.
  const auto meets = [&] { return bench.aborted > 2 && (bench.lost > 2 || SKEW == 0); };
  for (long cycle = 1; cycle <= 40 * (PERIOD + 2) || (!meets() && cycle <= 300 * between); ++cycle)
    bench.step(cycle % between == 0, chance(70), 100);
  for (long cycles = 40 * (PERIOD + 2) + rest; cycles > 0; --cycles)
    bench.step(false, chance(70), chance(80) ? 100 : 60);
  for (long cycles = 4 * (PERIOD + 2) + rest; cycles > 0; --cycles) bench.step(false, true, 100);
  std::printf(
      "%ld operations, %ld compared, %ld chained, %ld after a pause, %ld aborted, %ld with results on their way, %ld "
      "late, %ld starts refused, "
      "up to %zu under way\n",
      bench.finished, bench.compared, bench.chained, bench.paused, bench.aborted, bench.lost, bench.lates,
      bench.refused, bench.most);
  bool all = bench.compared > 10 && bench.chained > 5 && bench.paused > 5 && meets() && bench.lates > 0 &&
             (bench.refused > 5 || PERIOD == 1 || (TURNS > 1 && STEPS == 1)) &&
             bench.most == static_cast<std::size_t>(TURNS > 1 ? TURNS + 1 + PERIOD - STEPS * TURNS
                                                              : (PERIOD + SKEW) / PERIOD + 1);
  if (!all) fail("the run lacks some case");
  return 0;
}
