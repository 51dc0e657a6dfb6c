// SPDX-License-Identifier: Apache-2.0
//
// Carries out operations on a collective network and compares it with the definition of the operation: which words
// it requests, in which cycles, what it delivers and which results it has. Words are random, and an operation starts
// in the first cycle that is possible, or after a pause. Sometimes a word is late, and sometimes a reset ends all
// operations under way. If a start chooses among operations, the number on the input is random in every cycle, and each operation
// follows each. It knows the cycles of the steps and how many operations take turns, but neither what the schedule
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

constexpr int NUMBERS = sizeof OPERATIONS / sizeof *OPERATIONS;  // of operations

// What an operation of the network is defined to do, and its number.
struct Definition {
  int number;

  const Timing& timing() const { return OPERATIONS[number]; }
  int kind() const { return timing().kind; }
  bool reduces() const { return kind() == REDUCE_SCATTER || kind() == ALL_REDUCE || kind() == ONE_WORD; }
  bool has_own(int node) const { return reduces() || (kind() == BROADCAST && node == ROOT); }
  bool sends(int node, int to) const {
    switch (kind()) {
      case BROADCAST:
      case ONE_WORD: return false;
      case ALL_GATHER: return to == node;
      case GATHER: return to == node && node != ROOT;
      case SCATTER: return to != node && node == ROOT;
      default: return to != node;
    }
  }
  bool gets(int node, int from) const {
    if (from == node) return false;
    switch (kind()) {
      case BROADCAST:
      case SCATTER: return from == ROOT;
      case GATHER: return node == ROOT;
      case REDUCE_SCATTER:
      case ONE_WORD: return false;
      default: return true;
    }
  }

  // In this cycle it keeps ready at 0.
  bool refuses(long cycle) const {
    if (TURNS > 1) return cycle > 0 && cycle % TURNS == 0 && cycle / TURNS < timing().steps;
    return cycle > 0 && cycle < timing().period;
  }
  // A step begins, which is not the first, or one ends.
  bool begins(long cycle) const { return within(cycle, timing().steps - 1); }
  bool ended(long cycle) const { return within(cycle - 1, timing().steps); }
  // It is the end of one of the first steps.
  bool within(long cycle, int steps) const {
    const int* first = timing().times + 1;
    return std::find(first, first + steps, cycle) != first + steps;
  }
  // The first cycle in which another operation can begin in its turn.
  long next() const { return TURNS > 1 ? long{timing().steps} * TURNS : timing().period; }
};

// An operation that is under way.
struct Operation : Definition {
  long start;
  int after;                                        // the number of the one that it follows at once, or -1
  bool undefined = false;                           // a word was late
  std::vector<std::vector<Word>> words;             // of a node for a node; of its own for itself
  std::vector<std::set<int>> requested, delivered;  // by node: other nodes
  std::vector<bool> own;                            // the result of the node was delivered

  Operation(Definition of, long at, int before)
      : Definition(of), start(at), after(before), words(N), requested(N), delivered(N), own(N) {
    for (auto& list : words)
      for (int i = 0; i < N; ++i) list.push_back(word());
  }
  // The word for a node in a request with this index.
  Word given(int node, int to) const {
    return kind() == ALL_GATHER || kind() == GATHER ? words[node][node] : words[node][to];
  }
  Word result(int node) const {
    bool one = kind() == ONE_WORD;
    Word sum = words[0][one ? 0 : node];
    for (int from = 1; from < N; ++from) sum = combine(sum, words[from][one ? from : node]);
    return sum;
  }
  Word got(int node, int from) const {
    switch (kind()) {
      case BROADCAST: return words[from][from];
      case ALL_REDUCE: return result(from);
      case ALL_GATHER:
      case GATHER: return words[from][from];
      default: return words[from][node];
    }
  }
};

// What the operations of a number have met.
struct Counts {
  long compared = 0, undefined = 0, aborted = 0;
  long chained[NUMBERS] = {};  // of those compared, by the number of the operation that they follow at once
};

struct Bench {
  VerilatedContext context;
  std::unique_ptr<Vnetwork> top;
  std::deque<std::unique_ptr<Operation>> under_way;  // the oldest first, until its last results are delivered
  Operation* asker = nullptr;            // the operation of the requests of the cycle before, if it has begun
  std::vector<uint64_t> asked;           // by lane: the node that the word is for, plus 1
  std::vector<uint64_t> first[NUMBERS];  // by number: what is asked for step 1
  Counts counts[NUMBERS];
  std::deque<std::vector<bool>> late;  // expected in this cycle and in the next ones, by node
  long finished = 0, lates = 0, lost = 0, paused = 0, chained = 0, refused = 0;
  std::size_t most = 0;  // operations under way

  Bench() : top(std::make_unique<Vnetwork>(&context)), asked(N * D) { on_time(); }

  void on_time() { late.assign(1 + SKEW, std::vector<bool>(N)); }

  // The operation that is in a cycle of which two never are in the same cycle, or nullptr.
  template <typename Is>
  Operation* only(Is is) const {
    Operation* found = nullptr;
    for (auto& one : under_way) {
      if (!is(*one, now - one->start)) continue;
      if (found != nullptr) fail("two operations have the same turn", found->start, one->start);
      found = one.get();
    }
    return found;
  }

  void requests(Operation* from, Definition chosen);
  void deliveries();
  void step(bool rst, bool start, int valid_percent, int number = -1);
  long sum(long Counts::*of) const {
    long sum = 0;
    for (const Counts& c : counts) sum += c.*of;
    return sum;
  }
  // Each operation has met something.
  bool each(long Counts::*of) const {
    return std::all_of(counts, counts + NUMBERS, [&](const Counts& c) { return c.*of > 0; });
  }
  // Each operation has followed each at once.
  bool pairs() const {
    return std::all_of(counts, counts + NUMBERS, [](const Counts& c) {
      return std::find(c.chained, c.chained + NUMBERS, 0) == c.chained + NUMBERS;
    });
  }
  void complete(const Operation& o);
};

#ifdef REQUESTS
// The requests are of an operation under way, or those of the first step of the chosen operation, which are also shown if none begins.
void Bench::requests(Operation* from, Definition chosen) {
  bool expected = top->ready != 0 || only([](const Operation& o, long cycle) { return o.begins(cycle); }) != nullptr;
  const Definition of = top->ready != 0 ? chosen : *from;
  asker = from;
  asked.assign(N * D, 0);
  for (int lane = 0; lane < N * D; ++lane) {
    if (get(top->s_request, lane, 1) == 0) continue;
    int node = lane / D;
    if (!expected) fail("a request in a cycle that no step begins with", lane);
    int to = plus(node, get(top->s_index, lane * A, A));
    if (to < 0) fail("a request with an index that has too large a digit", lane);
    if (!of.sends(node, to)) fail("a request that the operation does not have", node, to);
    asked[lane] = to + 1;
    if (from != nullptr && !from->requested[node].insert(to).second && of.kind() != ALL_GATHER)
      fail("a second request", node, to);
  }
  if (top->ready != 0) {
    if (first[of.number].empty()) first[of.number] = asked;
    if (asked != first[of.number]) fail("other requests of the first step", of.number);
  }
  if (from == nullptr) asked.assign(N * D, 0);
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
    if (o.reduces() && !o.own[node]) fail("no result", node);
#endif
  }
  ++finished;
  Counts& count = counts[o.number];
  if (o.undefined) {
    ++count.undefined;
  } else {
    ++count.compared;
    if (o.after >= 0) ++count.chained[o.after];
  }
}

void Bench::deliveries() {
  // Two operations never deliver in the same cycle.
  Operation* o = only([](const Operation& one, long cycle) { return one.ended(cycle - SKEW); });
  Operation* last = only([](const Operation& one, long cycle) { return cycle - SKEW == one.timing().period + 1; });
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
    if (valid != (last != nullptr && last->reduces())) fail("m_own_valid", node, valid);
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

// One cycle: inputs, then outputs, then the edge. The number of an operation is random if it is negative.
void Bench::step(bool rst, bool start, int valid_percent, int number) {
  std::vector<bool> late_next(N);
  top->rst = rst;
  top->start = start;
#ifdef OPERATION_BITS
  if (number < 0) number = static_cast<int>(random_bits() % (1u << OPERATION_BITS));
  put(top->operation, 0, OPERATION_BITS, number);
#else
  number = 0;
#endif
  const Definition chosen{std::min(number, NUMBERS - 1)};  // the last one has the numbers that no operation has
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
  Operation* begun = only([](const Operation&, long cycle) { return cycle == 1; });
  for (int node = 0; node < N; ++node) {
    bool needed = begun != nullptr && begun->has_own(node);
    put_word(top->s_own_data, node, needed ? begun->words[node][node] : word());
    put(top->s_own_valid, node, 1, needed ? valid(begun, node) : chance(50));
  }
#endif
  top->eval();
  Operation* busy = only([](const Operation& o, long cycle) { return o.refuses(cycle); });
  bool ready = busy == nullptr;
  if ((top->ready != 0) != ready) fail("ready", top->ready);
  for (int node = 0; node < N; ++node) {
    bool is = get(top->late, node, 1) != 0;
    if (is != late.front()[node]) fail("late", node, is);
    lates += is ? 1 : 0;
  }
  const Operation* before = only([](const Operation& o, long cycle) { return cycle == o.next(); });
  const int after = before == nullptr ? -1 : before->number;
  deliveries();
  bool accepted = ready && start && !rst;
  refused += start && !ready ? 1 : 0;
  if (accepted) {
    (after >= 0 ? chained : paused) += 1;
    under_way.push_back(std::make_unique<Operation>(chosen, now, after));
    busy = under_way.back().get();
    most = std::max(most, under_way.size());
  }
#ifdef REQUESTS
  requests(busy, chosen);
#endif
  late.pop_front();
  late.push_back(late_next);
  if (rst) {
    for (auto& one : under_way) (now - one->start <= one->timing().period ? counts[one->number].aborted : lost) += 1;
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
  int longest = 0, shortest = 0;  // operations
  for (int number = 1; number < NUMBERS; ++number) {
    if (OPERATIONS[number].period > OPERATIONS[longest].period) longest = number;
    if (OPERATIONS[number].period < OPERATIONS[shortest].period) shortest = number;
  }
  // Cycles of the longest operation, of as many as there are, until the last results are there, and between resets.
  const long period = OPERATIONS[longest].period, round = NUMBERS * (period + 2), rest = SKEW,
             between = 3 * period + 4 + SKEW;
  // One after another, until each has followed each.
  for (long cycle = 0; cycle < 12 * round + rest || (!bench.pairs() && cycle < 300 * NUMBERS * round); ++cycle)
    bench.step(false, true, 100);
  for (long cycles = 40 * round + rest; cycles > 0; --cycles) bench.step(false, chance(20), 100);
  // Until resets have met what they shall meet.
  const auto aborted = [&] { return bench.sum(&Counts::aborted); };
  const auto meets = [&] { return aborted() > 2 && bench.each(&Counts::aborted) && (bench.lost > 2 || SKEW == 0); };
  for (long cycle = 1; cycle <= 40 * round || (!meets() && cycle <= 300 * NUMBERS * between); ++cycle)
    bench.step(cycle % between == 0, chance(70), 100);
  for (long cycles = 40 * round + rest; cycles > 0; --cycles) bench.step(false, chance(70), chance(80) ? 100 : 60);
  for (long cycles = 4 * (period + 2) + rest; cycles > 0; --cycles) bench.step(false, true, 100, shortest);
  const long compared = bench.sum(&Counts::compared);
  std::printf(
      "%ld operations, %ld compared, %ld chained, %ld after a pause, %ld aborted, %ld with results on their way, %ld "
      "late, %ld starts refused, "
      "up to %zu under way\n",
      bench.finished, compared, bench.chained, bench.paused, aborted(), bench.lost, bench.lates, bench.refused,
      bench.most);
  const Timing& least = OPERATIONS[shortest];
  bool all = compared > 10 && bench.pairs() && bench.chained > 5 && bench.paused > 5 && meets() && bench.lates > 0 &&
             bench.each(&Counts::undefined) && (bench.refused > 5 || period == 1 || (TURNS > 1 && least.steps == 1)) &&
             bench.most == static_cast<std::size_t>(TURNS > 1 ? TURNS + 1 + least.period - least.steps * TURNS
                                                              : (least.period + SKEW) / least.period + 1);
  if (!all) fail("the run lacks some case");
  return 0;
}
