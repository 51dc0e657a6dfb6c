// SPDX-License-Identifier: Apache-2.0
//
// Bench of board_top: a person at a serial line, who sees no more than the pins. What is
// sent and received is made of and taken apart into bits here, by the clock of another
// computer, up to 1 % slower or faster than that of the board.
//
//   Vboard_top +clock=HZ +baud=BAUD +queue=BYTES +messages=N +seed=N
//   Vboard_top +clock=HZ +baud=BAUD +queue=BYTES +messages=0 +seed=N +say=TEXT
//
// The second one only sends the text and prints the answers.
//
// Exit codes: 0 fine, 2 bad usage, 3 a check failed.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "Vboard_top.h"
#include "verilated.h"

namespace {

constexpr unsigned kNodes = 8;
constexpr unsigned kLine = 8;  // characters of a line, its end included

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "FAIL: board_top: %s\n", what.c_str());
  std::exit(3);
}

void check(bool ok, const std::string& what) {
  if (!ok) fail(what);
}

unsigned long option(VerilatedContext& context, const std::string& name) {
  const std::string found = context.commandArgsPlusMatch((name + "=").c_str());
  const std::string digits = found.empty() ? found : found.substr(name.size() + 2);
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) {
    std::fprintf(stderr, "error: +%s=NUMBER is missing or not a number of up to 9 digits\n", name.c_str());
    std::exit(2);
  }
  return std::stoul(digits);
}

/// What the board was told and what it answered since its last reset.
struct Talk {
  std::vector<std::uint8_t> sent[kNodes];           // by source
  std::vector<std::uint8_t> heard[kNodes][kNodes];  // by node and source
  unsigned sent_bytes = 0;
  unsigned deliveries = 0;
  unsigned losses = 0;  // lines that tell of one
};

class Bench {
 public:
  explicit Bench(VerilatedContext& context)
      : bit_(static_cast<double>(option(context, "clock")) / static_cast<double>(option(context, "baud"))),
        queue_(static_cast<unsigned>(option(context, "queue"))),
        messages_(static_cast<unsigned>(option(context, "messages"))),
        random_(static_cast<std::uint32_t>(option(context, "seed"))),
        top_(&context) {
    skew_ = 0.99 + 0.02 * std::uniform_real_distribution<>()(random_);
    top_.reset_n = 1;
    top_.uart_rx = 1;
  }

  void say(const std::string& text) {
    power_on();
    echo_ = true;
    for (const char c : text) send(static_cast<std::uint8_t>(c));
    wait_until_quiet();
  }

  void run() {
    power_on();
    conversation(messages_);
    noise();
    missing_stop_bit();
    flood();
    button();
    conversation(kNodes);
    std::printf(
        "PASS: board_top: %llu cycles, %u bytes sent, %u deliveries reported, %u of them past a full queue; "
        "bits of %.1f cycles, sent with %.4f times that\n",
        static_cast<unsigned long long>(now_), total_sent_, total_deliveries_, flooded_, bit_, skew_);
  }

 private:
  void power_on() {
    tick();
    check(top_.uart_tx == 1, "the line is not idle after the first clock edge");
    wait_until_quiet();
    check(talk_.deliveries == 0 && talk_.losses == 0, "it talks before anybody has");
    check(top_.leds == 0, "lights are on after power-on");
  }

  /// Random bytes with random pauses; never more under way than the queue holds.
  void conversation(unsigned messages) {
    for (unsigned i = 0; i < messages;) {
      if (to_send_.empty() && talk_.sent_bytes * (kNodes - 1) < talk_.deliveries + queue_ * (kNodes - 1)) {
        send(static_cast<std::uint8_t>(random_()));
        i++;
        if (random_() % 2) run_for(random_() % static_cast<unsigned>(40 * bit_));
      }
      tick();
    }
    wait_until_quiet();
    everything_arrived();
  }

  /// A low line of less than half a bit is no start bit.
  void noise() {
    for (int i = 0; i < 3; i++) {
      hold_low(static_cast<unsigned>(bit_ / 2) - 2);
      run_for(static_cast<unsigned>(3 * bit_));
    }
    wait_until_quiet();
    everything_arrived();
  }

  /// A line that is low too long is one lost byte, however long it is.
  void missing_stop_bit() {
    hold_low(static_cast<unsigned>(25 * bit_));
    wait_until_quiet();
    check(talk_.losses == 1,
          "a byte without a stop bit is not told as one loss, but as " + std::to_string(talk_.losses));
    talk_.losses = 0;
    everything_arrived();
  }

  /// Faster than can be told: what the queue has room for arrives at all, what is lost
  /// arrives at none, and that there is a loss is told.
  void flood() {
    const Talk before = talk_;
    const unsigned bytes = 2 * queue_ + 64;
    std::vector<std::uint8_t> flood[kNodes];
    for (unsigned i = 0; i < bytes; i++) {
      // The upper bits count the bytes of each source.
      const unsigned source = i % kNodes;
      const auto byte = static_cast<std::uint8_t>(flood[source].size() << 3 | source);
      send(byte);
      flood[source].push_back(byte);
    }
    while (!to_send_.empty()) tick();
    wait_until_quiet();

    unsigned kept = 0;
    for (unsigned s = 0; s < kNodes; s++) {
      const auto& all = talk_.heard[(s + 1) % kNodes][s];
      const std::vector<std::uint8_t> these(all.begin() + static_cast<std::ptrdiff_t>(before.sent[s].size()),
                                            all.end());
      std::size_t next = 0;
      for (const std::uint8_t byte : these) {
        while (next < flood[s].size() && flood[s][next] != byte) next++;
        check(next++ < flood[s].size(), "messages of node " + std::to_string(s) + " are not in order");
      }
      for (std::size_t i = 0; i < queue_ / kNodes; i++)
        check(i < these.size() && these[i] == flood[s][i], "a byte is lost although the queue has room");
      kept += static_cast<unsigned>(these.size());
      talk_.sent[s] = before.sent[s];
      talk_.sent[s].insert(talk_.sent[s].end(), these.begin(), these.end());
    }
    check(kept < bytes, "the flood was too small to fill the queue");
    check(talk_.losses >= 1 && talk_.losses <= bytes - kept,
          std::to_string(bytes - kept) + " bytes were lost, and " + std::to_string(talk_.losses) + " lines tell so");
    talk_.losses = 0;
    flooded_ = kept * (kNodes - 1);
    everything_arrived();
  }

  /// Pressed while messages are under way: they are gone, and nothing else.
  void button() {
    for (unsigned i = 0; i < queue_; i++) send(static_cast<std::uint8_t>(random_()));
    run_for(static_cast<unsigned>(bit_ * 10 * (2 + random_() % queue_)));
    to_send_.clear();
    sending_ = false;
    top_.uart_rx = 1;
    top_.reset_n = 0;
    for (unsigned i = 0, n = 4 + random_() % 300; i < n; i++) step();
    check(top_.leds == 0 && top_.uart_tx == 1, "lights are on, or the line is not idle, during reset");
    top_.reset_n = 1;
    talk_ = Talk();
    receiving_ = false;
    line_.clear();
    wait_until_quiet();
    check(talk_.deliveries == 0 && talk_.losses == 0, "a message outlives the reset");
  }

  /// Every node has heard all messages of every other one, in order, and none of its own.
  void everything_arrived() {
    unsigned parity = 0;
    for (unsigned node = 0; node < kNodes; node++) {
      for (unsigned source = 0; source < kNodes; source++) {
        const auto& heard = talk_.heard[node][source];
        if (heard.size() & 1) parity ^= 1U << node;
        check(heard == (node == source ? std::vector<std::uint8_t>() : talk_.sent[source]),
              "node " + std::to_string(node) + " has not heard from node " + std::to_string(source) +
                  " what was sent: " + std::to_string(heard.size()) + " messages instead of " +
                  std::to_string(talk_.sent[source].size()));
      }
    }
    check(top_.leds == parity, "the lights do not count the messages");
    check(talk_.losses == 0, "it tells of a loss where there was none");
  }

  /// Until there was no character for the time of four lines.
  void wait_until_quiet() {
    const auto silence = static_cast<std::uint64_t>(bit_ * 10 * 4 * kLine);
    for (last_ = now_; now_ < last_ + silence;) tick();
    check(line_.empty(), "the last line has no end: " + line_);
  }

  void run_for(unsigned cycles) {
    for (unsigned i = 0; i < cycles; i++) tick();
  }

  void hold_low(unsigned cycles) {
    for (unsigned i = 0; i < cycles; i++) {
      top_.uart_rx = 0;
      step();
      receive();
    }
    top_.uart_rx = 1;
  }

  void send(std::uint8_t byte) {
    to_send_.push_back(byte);
    total_sent_++;
  }

  void step() {
    top_.clk = 0;
    top_.eval();
    top_.clk = 1;
    top_.eval();
    now_++;
  }

  /// A clock cycle with both ends of the serial line.
  void tick() {
    transmit();
    step();
    receive();
  }

  void transmit() {
    const auto now = static_cast<double>(now_);
    if (sending_ && now >= start_ + 10 * bit_ * skew_) {
      sending_ = false;
      to_send_.pop_front();
    }
    if (!sending_ && !to_send_.empty()) {
      sending_ = true;
      start_ = now;
      const std::uint8_t byte = to_send_.front();
      talk_.sent[byte % kNodes].push_back(byte);
      talk_.sent_bytes++;
    }
    if (to_send_.empty()) {
      sending_ = false;
      top_.uart_rx = 1;
      return;
    }
    const unsigned frame = 1U << 9 | static_cast<unsigned>(to_send_.front()) << 1;
    top_.uart_rx = frame >> static_cast<unsigned>((now - start_) / (bit_ * skew_)) & 1;
  }

  void receive() {
    if (!receiving_ && top_.uart_tx == 0) {
      receiving_ = true;
      fall_ = now_;
      bits_ = 0;
      frame_ = 0;
    }
    if (receiving_ && static_cast<double>(now_ - fall_) >= (bits_ + 0.5) * bit_ * skew_) {
      frame_ |= static_cast<unsigned>(top_.uart_tx) << bits_;
      if (++bits_ == 10) {
        receiving_ = false;
        last_ = now_;
        check((frame_ & 1) == 0 && frame_ >> 9 == 1,
              "a character has no start or stop bit, in cycle " + std::to_string(now_));
        character(static_cast<char>(frame_ >> 1 & 0xff));
      }
    }
  }

  void character(char c) {
    line_ += c;
    if (echo_ && c != '\r') std::putchar(c);
    if (line_.size() < kLine) return;
    unsigned node = 0, source = 0, byte = 0;
    int end = 0;
    if (line_ == "!lost!\r\n") {
      talk_.losses++;
    } else if (std::sscanf(line_.c_str(), "%1u<%1u %2x%n", &node, &source, &byte, &end) == 3 && end == 6 &&
               line_.substr(6) == "\r\n" && node < kNodes && source < kNodes) {
      talk_.heard[node][source].push_back(static_cast<std::uint8_t>(byte));
      talk_.deliveries++;
      total_deliveries_++;
    } else {
      fail("this is no line: " + line_);
    }
    line_.clear();
  }

  double bit_;      // cycles
  unsigned queue_;  // bytes
  unsigned messages_;
  double skew_ = 1;  // length of a bit here by that of the board
  std::mt19937 random_;
  Vboard_top top_;
  std::uint64_t now_ = 0;  // cycles
  Talk talk_;

  std::deque<std::uint8_t> to_send_;
  bool sending_ = false;
  double start_ = 0;

  bool receiving_ = false;
  std::uint64_t fall_ = 0;  // of the start bit
  std::uint64_t last_ = 0;  // end of the last character
  unsigned bits_ = 0;
  unsigned frame_ = 0;
  std::string line_;
  bool echo_ = false;  // print what the board answers

  unsigned total_sent_ = 0;
  unsigned total_deliveries_ = 0;
  unsigned flooded_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  const std::string text = context.commandArgsPlusMatch("say=");
  if (text.empty())
    Bench(context).run();
  else
    Bench(context).say(text.substr(sizeof("+say=") - 1));
  return 0;
}
