// SPDX-License-Identifier: Apache-2.0
//
// Bench of manycore_top, or with BOARD or ULX3S of the top of that board, manycore_board or manycore_ulx3s, which has a serial line.
// Loads one program after the other, and compares every number that it prints with the host's own computation.
//
//   Vmanycore_top +side=N +seed=N +matrix=FILE +heat=FILE +sum=FILE
//   Vmanycore_top +seed=N +program=FILE  runs another program, and prints its text
//   Vmanycore_board +side=N +seed=N +matrix=FILE +heat=FILE +sum=FILE +bit=CYCLES
//   Vmanycore_ulx3s, the same
//
// A row and a column have N nodes. The files are the memories of the programs. CYCLES is the length of a bit of the serial line.
// Exit codes: 0 fine, 2 bad usage, 3 a check failed.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#if defined(BOARD)
#define SERIAL
#include "Vmanycore_board.h"
using Top = Vmanycore_board;
constexpr const char* kName = "manycore_board";
#elif defined(ULX3S)
#define SERIAL
#include "Vmanycore_ulx3s.h"
using Top = Vmanycore_ulx3s;
constexpr const char* kName = "manycore_ulx3s";
#else
#include "Vmanycore_top.h"
using Top = Vmanycore_top;
constexpr const char* kName = "manycore_top";
#endif
#include "verilated.h"

namespace {

constexpr std::uint64_t kLimit = 3000000;  // cycles of a program

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "FAIL: %s: %s\n", kName, what.c_str());
  std::exit(3);
}

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "error: %s\n", what.c_str());
  std::exit(2);
}

std::string option(VerilatedContext& context, const std::string& name) {
  const std::string found = context.commandArgsPlusMatch((name + "=").c_str());
  if (found.size() <= name.size() + 2) refuse("+" + name + "= is missing");
  return found.substr(name.size() + 2);
}

unsigned number(VerilatedContext& context, const std::string& name) {
  const std::string digits = option(context, name);
  if (digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos)
    refuse("+" + name + "=" + digits + " is not a number of up to 9 digits");
  return static_cast<unsigned>(std::stoul(digits));
}

// The computations of the programs, each on one node.

using Matrix = std::vector<std::vector<std::uint32_t>>;

constexpr unsigned kBlock = 2;   // rows and columns of a node
constexpr unsigned kSteps = 10;  // of the equation of heat

std::uint32_t value(std::uint32_t index) {
  std::uint32_t x = index + 0x9e3779b9;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x >> 11 & 0xff;
}

std::string hex(std::uint32_t n, int digits) {
  char text[9];
  std::snprintf(text, sizeof text, "%0*x", digits, n);
  return text;
}

/// What a program prints. A line that ends with a blank goes on with a number of cycles.
using Lines = std::vector<std::string>;

void print(Lines& lines, const Matrix& matrix, int digits) {
  for (const auto& row : matrix) {
    std::string line;
    for (std::uint32_t n : row) line += (line.empty() ? "" : " ") + hex(n, digits);
    lines.push_back(line);
  }
}

Lines matrix(unsigned side) {
  const unsigned size = side * kBlock;
  Matrix c(size, std::vector<std::uint32_t>(size));
  for (unsigned i = 0; i < size; i++)
    for (unsigned j = 0; j < size; j++)
      for (unsigned k = 0; k < size; k++) c[i][j] += value(i * size + k) * value(size * size + k * size + j);
  Lines lines{"matrix: "};
  print(lines, c, 5);
  return lines;
}

Lines heat(unsigned side) {
  const unsigned size = side * kBlock;
  Matrix now(size, std::vector<std::uint32_t>(size));
  for (unsigned i = 0; i < size; i++)
    for (unsigned j = 0; j < size; j++) now[i][j] = value(i * size + j) << 8;
  for (unsigned step = 0; step < kSteps; step++) {
    Matrix next = now;
    for (unsigned i = 0; i < size; i++)
      for (unsigned j = 0; j < size; j++)
        next[i][j] = (now[(i + 1) % size][j] + now[(i + size - 1) % size][j] + now[i][(j + 1) % size] +
                      now[i][(j + size - 1) % size]) /
                     4;
    now = next;
  }
  Lines lines{"heat: "};
  print(lines, now, 4);
  return lines;
}

Lines sum(unsigned side) {
  const unsigned nodes = side * side;
  std::uint32_t total = 0;
  for (unsigned n = 0; n < nodes; n++) total += value(n) << 16 | value(nodes + n);
  Lines lines{"sum by add: ", "sum by the network: "};
  for (unsigned n = 0; n < nodes; n++) lines.push_back(hex(total, 8) + " " + hex(total, 8));
  return lines;
}

class Bench {
 public:
  explicit Bench(VerilatedContext& context)
      : context_(context),
#ifdef SERIAL
        bit_(number(context, "bit")),
        sent_(10 * bit_),
#endif
        top_(&context) {
  }

  void run() {
    reset();
    if (*context_.commandArgsPlusMatch("program=")) return print_program();
    const unsigned side = number(context_, "side");
    program("matrix", matrix(side));
    program("heat", heat(side));
    program("sum", sum(side));
    std::printf("PASS: %s: %u nodes\n", kName, side * side);
  }

 private:
  void load(const std::string& name) {
    const std::string file = option(context_, name);
    std::ifstream in(file, std::ios::binary);
    to_send_.assign(std::istreambuf_iterator<char>(in), {});
    if (!in || to_send_.empty()) refuse("cannot read " + file);
    lines_.clear();
    line_.clear();
  }

  /// Loads a program, and prints its text.
  void print_program() {
    load("program");
    const std::uint64_t begin = now_;
    for (bool ran = false; !ran || running(); ran = ran || running()) {
      tick();
      for (const std::string& line : lines_) std::printf("%s\n", line.c_str());
      lines_.clear();
      if (now_ - begin > kLimit) fail("the program has not ended in " + std::to_string(kLimit) + " cycles");
    }
    if (!line_.empty()) std::printf("%s\n", line_.c_str());
  }

  /// Loads a program, and compares what it prints.
  void program(const std::string& name, const Lines& expected) {
    load(name);
    for (const std::uint64_t begin = now_; lines_.size() < expected.size() || running();) {
      tick();
      if (now_ - begin > kLimit)
        fail(name + " has printed " + std::to_string(lines_.size()) + " of " + std::to_string(expected.size()) +
             " lines in " + std::to_string(kLimit) + " cycles");
    }
    for (int i = 0; i < 2000; i++) tick();  // nothing more may come
    for (std::size_t i = 0; i < lines_.size(); i++) check(name, i, i < expected.size() ? expected[i] : "nothing");
    if (!line_.empty()) fail(name + " has printed more: " + line_);
  }

  void check(const std::string& name, std::size_t i, const std::string& expected) {
    const std::string& line = lines_[i];
    if (expected.back() != ' ') {
      if (line != expected)
        fail(name + ": line " + std::to_string(i + 1) + " is \"" + line + "\", not \"" + expected + "\"");
      return;
    }
    unsigned cycles = 0;
    int end = 0;
    if (line.rfind(expected, 0) != 0 ||
        std::sscanf(line.c_str() + expected.size(), "%u cycles%n", &cycles, &end) != 1 ||
        expected.size() + static_cast<std::size_t>(end) != line.size())
      fail(name + ": line " + std::to_string(i + 1) + " is \"" + line + "\", not \"" + expected + "N cycles\"");
    std::printf("%s\n", line.c_str());
  }

  // The pins of a board have its names.
#ifdef ULX3S
  void clock(bool level) { top_.clk_25mhz = level; }
  void press(bool reset) { top_.fire1 = reset; }
  void send(unsigned level) { top_.ftdi_txd = level; }
  unsigned received() const { return top_.ftdi_rxd; }
  unsigned lights() const { return top_.led; }
#else
  void clock(bool level) { top_.clk = level; }
#endif
#ifdef BOARD
  void press(bool reset) { top_.reset_n = !reset; }
  void send(unsigned level) { top_.uart_rx = level; }
  unsigned received() const { return top_.uart_tx; }
  unsigned lights() const { return top_.leds; }
#endif

  void step() {
    clock(false);
    top_.eval();
    clock(true);
    top_.eval();
    now_++;
  }

  void character(char c) {
    if (c != '\n') {
      line_ += c;
      return;
    }
    lines_.push_back(line_);
    line_.clear();
  }

#ifdef SERIAL
  void reset() {
    press(true);
    send(1);
    for (int i = 0; i < 10; i++) step();
    press(false);
    for (int i = 0; i < 200; i++) step();
  }

  bool running() const { return lights() & 1; }

  /// A clock cycle with both ends of the serial line.
  void tick() {
    if (sent_ == 10 * bit_ && !to_send_.empty()) {
      frame_ = 1U << 9 | static_cast<unsigned>(static_cast<std::uint8_t>(to_send_.front())) << 1;
      to_send_.pop_front();
      sent_ = 0;
    }
    send(sent_ < 10 * bit_ ? frame_ >> sent_ / bit_ & 1 : 1);
    if (sent_ < 10 * bit_) sent_++;

    step();
    if (lights() & ~1U) fail("a light reports a fault: " + hex(lights(), 2));

    if (received_ == 0 && received()) return;
    if (received_ % bit_ == bit_ / 2) text_ |= received() << received_ / bit_;
    if (++received_ < 10 * bit_) return;
    if ((text_ & 1) != 0 || text_ >> 9 != 1) fail("a character has no start or stop bit");
    character(static_cast<char>(text_ >> 1 & 0xff));
    received_ = text_ = 0;
  }
#else
  void reset() {
    top_.rst = 1;
    top_.s_axis_load_tvalid = 0;
    top_.m_axis_text_tready = 1;
    for (int i = 0; i < 3; i++) step();
    top_.rst = 0;
  }

  bool running() const { return top_.running; }

  /// A clock cycle with both streams.
  void tick() {
    top_.s_axis_load_tvalid = !to_send_.empty();
    top_.s_axis_load_tdata = to_send_.empty() ? 0 : static_cast<std::uint8_t>(to_send_.front());
    top_.clk = 0;
    top_.eval();
    if (top_.s_axis_load_tvalid && top_.s_axis_load_tready) to_send_.pop_front();
    if (top_.m_axis_text_tvalid) character(static_cast<char>(top_.m_axis_text_tdata));
    if (top_.late) fail("the network for sums has not found a word");
    step();
  }
#endif

  VerilatedContext& context_;
#ifdef SERIAL
  unsigned bit_;           // cycles
  unsigned frame_ = 0;     // sent, the lowest bit first
  unsigned sent_;          // cycles of the frame
  unsigned text_ = 0;      // received bits
  unsigned received_ = 0;  // cycles of them; 0: none has begun
#endif
  Top top_;
  std::uint64_t now_ = 0;  // cycles
  std::deque<char> to_send_;
  std::string line_;
  Lines lines_;
};

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  context.randReset(2);
  context.randSeed(static_cast<int>(number(context, "seed")));
  Bench(context).run();
  return 0;
}
