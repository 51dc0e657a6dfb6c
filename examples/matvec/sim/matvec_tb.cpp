// SPDX-License-Identifier: Apache-2.0
//
// Bench of matvec_top: computes products of random matrices and vectors by their definition, and compares every
// result at every node, and the cycles of every row. If the counter starts the network before a node has its partial
// result, late must be 1 in the cycle in which it is due, and in no other.
//
//   Vmatvec_top +barrier=0 +row_cycles=19 +products=N +seed=N
//
// barrier and row_cycles are the parameters BARRIER and ROW_CYCLES of the design. Exit codes: 0 fine, 2 bad usage, 3 a check failed.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "Vmatvec_top.h"
#include "verilated.h"

namespace {

constexpr unsigned kNodes = 16, kRows = 16, kPart = 16;  // columns of a node
constexpr unsigned kColumns = kNodes * kPart;
constexpr unsigned kSum = 5;        // cycles from the start of the network to its results
constexpr unsigned kRelease = 5;    // cycles from the last arrival at the barrier to the release
constexpr unsigned kPipeline = 4;   // cycles of a row, from a start to the next arrival, besides its entries
constexpr unsigned kRegisters = 3;  // of a row, besides its entries
constexpr unsigned kLate = 2;       // cycles from the start of the network to late
constexpr unsigned kIdle = 76;      // cycles in which no result may come

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "FAIL: matvec_top: %s\n", what.c_str());
  std::exit(3);
}

unsigned option(VerilatedContext& context, const std::string& name) {
  const std::string found = context.commandArgsPlusMatch((name + "=").c_str());
  const std::string digits = found.empty() ? found : found.substr(name.size() + 2);
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) {
    std::fprintf(stderr, "error: +%s=NUMBER is missing or not a number of up to 9 digits\n", name.c_str());
    std::exit(2);
  }
  return static_cast<unsigned>(std::stoul(digits));
}

struct Product {
  std::array<std::array<int, kColumns>, kRows> a{};
  std::array<int, kColumns> x{};
  std::array<int, kRows> y{};
  std::array<unsigned, kRows> entries{};  // the most that a node has in a row, at least 1
};

class Bench {
 public:
  explicit Bench(VerilatedContext& context)
      : barrier_(option(context, "barrier") != 0),
        row_cycles_(option(context, "row_cycles")),
        count_(option(context, "products")),
        random_(option(context, "seed")),
        top_(&context) {}

  void run() {
    reset();
    if (!barrier_ && row_cycles_ < kPart + kRegisters) return too_early();
    const double dense = average(100), sparse = average(10);
    for (unsigned i = 0; i < count_; i++) compute(random_() % 101);
    // A reset while a product is under way.
    load(make(50));
    go();
    for (unsigned i = 0, n = 1 + random_() % 100; i < n; i++) cycle();
    reset();
    compute(50);
    std::printf(
        "PASS: matvec_top, %s: %llu cycles, %u products; cycles of a row: %.1f if all elements are nonzero, %.1f if a "
        "tenth are\n",
        barrier_ ? "started by the barrier" : "started by a counter", static_cast<unsigned long long>(now_), products_,
        dense, sparse);
  }

 private:
  /// The counter does not wait for long rows: the first of a product is late, and everything before is right.
  void too_early() {
    unsigned late = 0;
    for (unsigned i = 0; i < count_; i++) {
      if (compute(random_() % 101) > 0) continue;
      late++;
      reset();
    }
    if (late == 0 || late == products_) fail("all products are alike: late is not tested");
    std::printf("PASS: matvec_top, started every %u cycles: %llu cycles, %u products, %u of them late\n", row_cycles_,
                static_cast<unsigned long long>(now_), products_, late);
  }

  void reset() {
    top_.go = 0;
    top_.write_valid = 0;
    top_.rst = 1;
    for (int i = 0; i < 3; i++) step();
    top_.rst = 0;
    for (unsigned i = 0; i < kIdle; i++) {
      cycle();
      if (top_.y_valid != 0) fail("there is a result after a reset");
    }
  }

  int number() { return static_cast<int>(random_() % 16) - 8; }

  /// A product in which the given per cent of the matrix are not 0.
  Product make(unsigned percent) {
    Product p;
    const bool extreme = percent == 100;  // the largest sum that there is, 256 * 64
    for (int& x : p.x) x = extreme ? -8 : number();
    for (unsigned r = 0; r < kRows; r++) {
      for (unsigned c = 0; c < kColumns; c++)
        if (random_() % 100 < percent) {
          while (p.a[r][c] == 0) p.a[r][c] = extreme && r == 0 ? -8 : number();
        }
      for (unsigned c = 0; c < kColumns; c++) p.y[r] += p.a[r][c] * p.x[c];
      for (unsigned n = 0; n < kNodes; n++) {
        const auto* first = &p.a[r][n * kPart];
        const auto nonzero = static_cast<unsigned>(kPart - std::count(first, first + kPart, 0));
        p.entries[r] = std::max({p.entries[r], nonzero, 1U});
      }
    }
    return p;
  }

  void write(bool vector, unsigned node, unsigned address, unsigned data) {
    top_.write_valid = 1;
    top_.write_vector = vector;
    top_.write_node = static_cast<CData>(node);
    top_.write_address = static_cast<CData>(address);
    top_.write_data = static_cast<SData>(data);
    cycle();
    top_.write_valid = 0;
  }

  void load(const Product& p) {
    for (unsigned n = 0; n < kNodes; n++) {
      for (unsigned c = 0; c < kPart; c++) write(true, n, c, static_cast<unsigned>(p.x[n * kPart + c]) & 15);
      for (unsigned r = 0; r < kRows; r++) {
        unsigned number = 0, entry = 0;
        for (unsigned c = 0; c < kPart; c++) {
          const int value = p.a[r][n * kPart + c];
          if (value == 0) continue;
          if (number > 0) write(false, n, r * kPart + number - 1, entry);
          entry = c << 4 | (static_cast<unsigned>(value) & 15);
          number++;
        }
        write(false, n, r * kPart + std::max(number, 1U) - 1, 1U << 8 | entry);
      }
    }
  }

  void go() {
    top_.go = 1;
    cycle();
    top_.go = 0;
  }

  /// Whether a row takes longer than the counter waits. The first begins with go, the others a cycle after a start.
  bool late(const Product& p, unsigned row) const {
    return !barrier_ && p.entries[row] + kRegisters + (row == 0 ? 0 : 1) > row_cycles_ + 1;
  }

  /// One product; returns the cycles of its rows, from start to start of the network, or 0 after a late row.
  unsigned compute(unsigned percent) {
    const Product p = make(percent);
    load(p);
    products_++;
    const std::uint64_t first = now_;
    go();
    const std::uint64_t before = barrier_ ? first - 1 : first;  // as if the network had started for a row
    std::uint64_t start = before;
    for (unsigned r = 0; r < kRows; r++) {
      start += barrier_ ? p.entries[r] + kPipeline + kRelease : row_cycles_;
      if (late(p, r)) {
        late_at_ = start + kLate;
        while (now_ < late_at_) cycle();
        return 0;
      }
      const std::string where = "row " + std::to_string(r) + ", ";
      while (top_.y_valid == 0) {
        cycle();
        if (now_ > start + 1000) fail(where + "there is no result");
      }
      if (top_.y_valid != 0xffff) fail(where + "not all nodes have their results in one cycle");
      for (unsigned n = 0; n < kNodes; n++) {
        const auto y = static_cast<std::int16_t>(top_.y_data[n / 2] >> n % 2 * 16);
        if (y != p.y[r])
          fail(where + "node " + std::to_string(n) + ": " + std::to_string(y) + ", not " + std::to_string(p.y[r]));
      }
      if (now_ != start + kSum)
        fail(where + "the result is in cycle " + std::to_string(now_ - first) + " after go, not " +
             std::to_string(start + kSum - first));
      cycle();
    }
    for (unsigned i = 0; i < kIdle; i++) {
      if (top_.y_valid != 0) fail("there is a result too many");
      cycle();
    }
    return static_cast<unsigned>(start - before);
  }

  double average(unsigned percent) {
    unsigned cycles = 0;
    for (unsigned i = 0; i < count_; i++) cycles += compute(percent);
    return static_cast<double>(cycles) / count_ / kRows;
  }

  /// The outputs are registers: afterwards they are those of cycle now_.
  void cycle() {
    step();
    if (top_.late != 0 && now_ != late_at_) fail("a node has no partial result when the network starts");
    if (top_.late == 0 && now_ == late_at_) fail("late does not report that a node has no partial result");
    if (top_.header_error != 0) fail("a header is malformed");
  }

  void step() {
    top_.clk = 0;
    top_.eval();
    top_.clk = 1;
    top_.eval();
    now_++;
  }

  bool barrier_;
  unsigned row_cycles_;
  unsigned count_;
  std::mt19937 random_;
  Vmatvec_top top_;
  std::uint64_t now_ = 0;      // cycles
  std::uint64_t late_at_ = 0;  // the cycle in which late is 1; 0: none
  unsigned products_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Bench(context).run();
  return 0;
}
