// SPDX-License-Identifier: Apache-2.0
//
// Carries out operations on vectors and compares what nodes read with the definition of the operation, in the cycles of
// docs/vectors.md. Vectors, their lengths, pauses, resets, and what is read when are random. While an operation is under way, nodes
// overwrite words that it has read or has not begun to read, and read words of the last operation. It knows the cycles of the
// steps, but not what the schedule does in them.
//
// config.h defines the machine, the network and the vectors.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "Vnetwork.h"
#include "verilated.h"
#include "words.h"

namespace {

constexpr int KIND = OPERATIONS[0].kind, STEPS = OPERATIONS[0].steps, PERIOD = OPERATIONS[0].period;
constexpr const int* TIMES = OPERATIONS[0].times;

// Vectors are numbered by what a node names them by: the other node, or the node itself for a vector without an index.
struct Bench {
  VerilatedContext context;
  std::unique_ptr<Vnetwork> top;

  // What a word of a vector that a node reads can be: a value, or anything.
  struct Read {
    bool known = false;
    Word value;
  };
  std::vector<Word> sent;      // by node, vector and number
  std::vector<Read> received;  // by node, vector and number, at the end of the operations so far
  std::vector<Word> coming;    // by node, vector and number: what the operation that is under way brings

  bool running = false;
  long began = 0;           // the cycle of the start
  int length = 0;           // of its vectors
  std::vector<Read> asked;  // what nodes read in the cycle before
  long finished = 0, compared = 0, old = 0, early = 0, aborted = 0, at_once = 0, refused = 0, longest = 0, ahead = 0;

  Bench() : top(std::make_unique<Vnetwork>(&context)), sent(size()), received(size()), coming(size()), asked(N) {}

  static size_t size() { return size_t{N} * N * V; }
  static size_t at(int node, int vector, int number) { return (size_t{unsigned(node)} * N + vector) * V + number; }
  long cycle() const { return now - began; }
  long end() const { return long{length} * PERIOD + SKEW + 2; }  // the cycle of done

  static bool writes(int node, int vector) {
    switch (KIND) {
      case BROADCAST: return node == ROOT && vector == node;
      case ALL_GATHER:
      case ONE_WORD: return vector == node;
      case GATHER: return node != ROOT && vector == node;
      case SCATTER: return node == ROOT && vector != node;
      case TOTAL_EXCHANGE: return vector != node;
      default: return true;
    }
  }
  static bool reads(int node, int vector) {
    switch (KIND) {
      case BROADCAST:
      case SCATTER: return node != ROOT && vector == node;
      case GATHER: return node == ROOT && vector != node;
      case REDUCE_SCATTER:
      case ONE_WORD: return vector == node;
      case ALL_REDUCE: return true;
      default: return vector != node;
    }
  }
  Word brought(int node, int vector, int k) const {
    switch (KIND) {
      case BROADCAST: return sent[at(ROOT, ROOT, k)];
      case SCATTER: return sent[at(ROOT, node, k)];
      case ALL_GATHER:
      case GATHER: return sent[at(vector, vector, k)];
      case TOTAL_EXCHANGE: return sent[at(vector, node, k)];
      default: break;
    }
    bool one = KIND == ONE_WORD;
    Word sum = sent[at(0, one ? 0 : vector, k)];
    for (int from = 1; from < N; ++from) sum = combine(sum, sent[at(from, one ? from : vector, k)]);
    return sum;
  }

  // The number of a word may be written in this cycle: no read of it begins in this cycle, or is under way.
  bool writable(int number) const {
    if (!running || number >= length) return true;
    long from = long{number} * PERIOD;
    return cycle() < from || cycle() > from + TIMES[STEPS - 1];
  }
  // What a node reads that names a vector and a number in this cycle.
  Read answer(int node, int vector, int number) {
    const Read& before = received[at(node, vector, number)];
    if (running && number < length) {
      long first = long{number} * PERIOD + TIMES[1] + 1 + SKEW, last = long{number} * PERIOD + PERIOD + 1 + SKEW;
      if (cycle() > last) {
        ++early;
        return {true, coming[at(node, vector, number)]};
      }
      if (cycle() >= first) return {false, {}};
      old += before.known ? 1 : 0;
    }
    return {before.known, before.value};
  }

  void step(bool rst, bool start, int count, int write_percent);
  void drive_writes(int percent);
  void drive_reads(std::vector<Read>& asking);
  void finish(bool cut);
  void fill();
};

// The operation has ended, or a reset cuts it short in this cycle.
void Bench::finish(bool cut) {
  for (int node = 0; node < N; ++node)
    for (int vector = 0; vector < N; ++vector)
      for (int k = 0; reads(node, vector) && k < length; ++k) {
        Read& known = received[at(node, vector, k)];
        long first = long{k} * PERIOD + TIMES[1] + 1 + SKEW, last = long{k} * PERIOD + PERIOD + 1 + SKEW;
        if (!cut || cycle() > last)
          known = {true, coming[at(node, vector, k)]};
        else if (cycle() >= first)
          known.known = false;  // perhaps it has been delivered
      }
  running = false;
}

// Words that nobody has written are undefined, so all are written before the first start.
void Bench::fill() {
  top->rst = 0;
  top->start = 0;
  for (uint64_t index = 0; index < 1ull << A; ++index)
    for (int number = 0; number < V; ++number) {
      for (int node = 0; node < N; ++node) {
        int vector = node;
#ifdef W_INDEX
        vector = plus(node, index);
        put(top->w_index, node * A, A, index);
#endif
        Word data = word();
        put(top->w_valid, node, 1, 1);
        put(top->w_number, node * B, B, number);
        put_word(top->w_data, node, data);
        if (vector >= 0) sent[at(node, vector, number)] = data;
      }
      top->eval();
      top->clk = 1;
      top->eval();
      top->clk = 0;
      top->eval();
    }
}

void Bench::drive_writes(int percent) {
  for (int node = 0; node < N; ++node) {
    bool valid = chance(percent);
    int number = static_cast<int>(random_bits() % V), vector = node;
    Word data = word();
#ifdef W_INDEX
    uint64_t index = random_bits() & ((1ull << A) - 1);
    vector = plus(node, index);
    put(top->w_index, node * A, A, index);
#endif
    bool theirs = vector >= 0 && writes(node, vector);
    if (theirs && !writable(number)) valid = false;
    put(top->w_valid, node, 1, valid);
    put(top->w_number, node * B, B, number);
    put_word(top->w_data, node, data);
    if (valid && theirs) {
      sent[at(node, vector, number)] = data;
      ahead += running && number < length ? 1 : 0;
    }
  }
}

void Bench::drive_reads(std::vector<Read>& asking) {
  for (int node = 0; node < N; ++node) {
    int number = static_cast<int>(random_bits() % V), vector = node;
#ifdef R_INDEX
    uint64_t index = random_bits() & ((1ull << A) - 1);
    vector = plus(node, index);
    put(top->r_index, node * A, A, index);
#endif
    put(top->r_number, node * B, B, number);
    if (vector >= 0 && reads(node, vector)) asking[node] = answer(node, vector, number);
  }
}

// One cycle: inputs, then outputs, then the edge.
void Bench::step(bool rst, bool start, int count, int write_percent) {
  bool ready = !running || cycle() == end();
  bool done = running && cycle() == end();
  if (done) {
    finish(false);
    ++finished;
  }
  top->rst = rst;
  top->start = start;
  top->count = count;
  if (start && !rst && ready) {
    running = true;
    began = now;
    length = count;
    longest = length > longest ? length : longest;
    at_once += done ? 1 : 0;
  } else if (start && !ready) {
    ++refused;
  }
  for (int k = 0; running && k < length; ++k)
    if (cycle() == long{k} * PERIOD)
      for (int node = 0; node < N; ++node)
        for (int vector = 0; vector < N; ++vector)
          if (reads(node, vector)) coming[at(node, vector, k)] = brought(node, vector, k);
  drive_writes(write_percent);
  std::vector<Read> asking(N);
  drive_reads(asking);
  top->eval();
  if ((top->ready != 0) != ready) fail("ready", top->ready, cycle());
  if ((top->done != 0) != done) fail("done", top->done, cycle());
  for (int node = 0; node < N; ++node) {
    if (!asked[node].known) continue;
    ++compared;
    if (get_word(top->r_data, node) != asked[node].value) fail("a wrong word", node, cycle());
  }
  asked = asking;
  if (rst && running) {
    ++aborted;
    finish(true);
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
  auto some = [] { return 1 + static_cast<int>(random_bits() % V); };
  bench.fill();
  for (long cycles = 10 * (V * PERIOD + 9); cycles > 0; --cycles) bench.step(false, true, V, 70);  // one after another
  for (long cycles = 20 * (V * PERIOD + 9); cycles > 0; --cycles) bench.step(false, true, some(), 50);
  for (long cycles = 20 * (V * PERIOD + 9); cycles > 0; --cycles) bench.step(false, chance(20), some(), 50);
  for (long cycles = 20 * (V * PERIOD + 9); cycles > 0; --cycles)
    bench.step(cycles % (V * PERIOD + 3) == 0, chance(70), some(), 50);
  for (long cycles = 4 * (V * PERIOD + 9); cycles > 0; --cycles) bench.step(false, true, some(), 50);
  std::printf(
      "%ld operations, the longest of %ld words, %ld words compared, %ld of the last operation and %ld early, %ld "
      "written "
      "ahead, %ld aborted, %ld begun at once, %ld starts refused\n",
      bench.finished, bench.longest, bench.compared, bench.old, bench.early, bench.ahead, bench.aborted, bench.at_once,
      bench.refused);
  bool all = bench.finished > 20 && bench.longest == V && bench.compared > 100 && bench.old > 0 && bench.aborted > 2 &&
             bench.at_once > 5 && bench.refused > 5 && (V == 1 || (bench.early > 0 && bench.ahead > 0));
  if (!all) fail("the run lacks some case");
  return 0;
}
