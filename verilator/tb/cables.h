// SPDX-License-Identifier: Apache-2.0
//
// Cables between chips: the frames on them, computed from docs/chips.md and the constants of the machine alone, and lanes,
// the directions of a cable, which delay, change, lose and shift words.

#ifndef HC_CABLES_H
#define HC_CABLES_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "bench.h"
#include "bench_config.h"
#include "trace.h"
#include "traffic.h"

namespace hc {

/// A word of a cable.
struct Word {
  std::uint64_t bits = 0;
  bool first = false;  // of a frame
};

/// Sizes of the frames of a cable.
struct Frames {
  unsigned words = 1;                        // K
  unsigned number = 2, freed = 2, turn = 0;  // n, f, t
  unsigned data = 0, hello = 0;              // bits of a content
};

/// The frames of a cable with a link for each of places nodes.
inline Frames frames_of(const ChipLink& link, unsigned places, unsigned chip_bits) {
  const auto bits_for = [](std::uint64_t least) {
    unsigned bits = 2;
    while ((std::uint64_t{1} << bits) - 1 < least) ++bits;
    return bits;
  };
  const auto up = [](std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; };
  for (Frames f;; ++f.words) {
    const std::uint64_t k = f.words, round = 2 * (link.flight + k + 8);
    f.number = bits_for(up(round + k, k) + 1);
    f.freed = bits_for(up(round + places * k, k) + 1);
    f.turn = bits_of(places - 1);
    f.data = 4 + 2 * f.number + 2 * f.turn + f.freed + kPaceBits + (kBarrier ? 2 : 0) + kHeaderBits + kPayloadBits;
    f.hello = 3 + 8 + 32 + 4 + chip_bits;
    if (k * link.word_bits >= std::max(f.data, f.hello) + 32) return f;
  }
}

/// Follows the words that leave an end: they must be frames with a right CRC, one behind the other.
class FrameCheck {
 public:
  struct Hello {
    bool heard = false, lost = false;
    unsigned session = 0, port = 0;
    std::uint32_t hash = 0, chip = 0;
  };

  FrameCheck() = default;
  /// of: chip and port of the end, as data frames have them in the start value of their CRC.
  FrameCheck(const Frames& frames, const ChipLink& link, unsigned chip_bits, std::uint32_t of)
      : frames_(frames), word_bits_(link.word_bits), chip_bits_(chip_bits), of_(of) {}

  /// The words before did not end a frame.
  void restart() { taken_ = 0, begun_ = false; }

  /// Takes a word. Returns "" or what is wrong.
  std::string take(const Word& word) {
    if (!begun_ && !word.first) return "";
    if (begun_ && word.first != (taken_ == 0)) {
      const std::string fault =
          word.first ? "a frame of " + std::to_string(taken_) + " words" : "no mark at the first word of a frame";
      restart();
      return fault + ", expected frames of " + std::to_string(frames_.words);
    }
    begun_ = true;
    if (taken_ == 0) bits_.clear();
    for (unsigned b = 0; b < word_bits_; ++b) bits_.push_back((word.bits >> b & 1) != 0);
    if (++taken_ < frames_.words) return "";
    taken_ = 0;
    return whole();
  }

  std::uint64_t hellos() const { return hellos_; }
  std::uint64_t datas() const { return datas_; }
  /// The last hello.
  const Hello& hello() const { return hello_; }

 private:
  std::string whole() {
    const std::size_t content = bits_.size() - 32;
    const bool data = bits_[0];
    std::uint32_t crc = 0xffffffffU ^ (data ? hello_.hash ^ of_ : 0);
    for (std::size_t b = 0; b < content; ++b) {
      const bool out = ((crc & 1) != 0) != bits_[b];
      crc = crc >> 1 ^ (out ? 0x82f63b78U : 0);  // 0x1EDC6F41, reflected
    }
    if (field(content, 32) != static_cast<std::uint32_t>(~crc))
      return "a frame with the CRC " + hex(field(content, 32), 32) + ", expected " +
             hex(static_cast<std::uint32_t>(~crc), 32);
    for (std::size_t b = data ? frames_.data : frames_.hello; b < content; ++b) {
      if (bits_[b]) return "bit " + std::to_string(b) + " of a frame is 1, expected 0 above its fields";
    }
    if (data) {
      ++datas_;
      return "";
    }
    ++hellos_;
    hello_.heard = bits_[1];
    hello_.lost = bits_[2];
    hello_.session = field(3, 8);
    hello_.hash = field(11, 32);
    hello_.port = field(43, 4);
    hello_.chip = field(47, chip_bits_);
    return "";
  }

  std::uint32_t field(std::size_t low, unsigned width) const {
    std::uint32_t value = 0;
    for (unsigned b = 0; b < width; ++b) value |= static_cast<std::uint32_t>(bits_[low + b]) << b;
    return value;
  }

  Frames frames_;
  unsigned word_bits_ = 1, chip_bits_ = 0;
  std::uint32_t of_ = 0;
  bool begun_ = false;
  unsigned taken_ = 0;
  std::vector<bool> bits_;
  std::uint64_t hellos_ = 0, datas_ = 0;
  Hello hello_;
};

/// A direction of a cable.
class Lane {
 public:
  enum class Cut {
    none,
    silent,   // no words arrive
    stopped,  // nor does rx_clk run
    noise     // random words arrive
  };

  Lane(Random& random, unsigned word_bits) : random_(random), bits_(word_bits) {}

  /// A new lane: words take flight, and the physical layer finds the first word of a frame if it has marks. Without marks
  /// the boundary of words is anywhere.
  void lay(std::uint64_t flight, bool marks) {
    flight_ = flight;
    marks_ = marks;
    words_.clear();
    offset_ = marks ? 0 : random_.word() % bits_;
    slip_in_ = 0;
    cut_ = Cut::none;
    errors(0, 0);
  }
  bool marks() const { return marks_; }

  /// Sets how often errors come: each bit changes with the probability rate, and a burst begins in one of words_of_burst
  /// words. 0 is never.
  void errors(double rate, std::uint32_t words_of_burst) {
    rate_ = rate;
    burst_every_ = words_of_burst;
    burst_left_ = 0;
    next_error_ = gap();
  }
  /// Changes a bit of the next word.
  void flip() { next_error_ = random_.word() % bits_; }

  void cut(Cut kind) {
    cut_ = kind;
    words_.clear();
  }
  Cut cut() const { return cut_; }

  /// The lane loses or repeats a word, or without marks loses some bits.
  void shift() {
    switch (random_.word() % (marks_ ? 2 : 3)) {
      case 0:
        if (!words_.empty()) words_.pop_front();
        break;
      case 1:
        if (!words_.empty()) words_.push_front(words_.front());
        break;
      default:
        for (unsigned n = 1 + random_.word() % bits_; n > 0; --n) move();
    }
  }

  /// A word leaves.
  void push(std::uint64_t now, const Word& word) {
    if (cut_ == Cut::none) words_.push_back({now + flight_, word});
  }

  /// At an edge of rx_clk: whether a word arrives, and which.
  bool pop(std::uint64_t now, Word* word) {
    if (slip_in_ > 0 && --slip_in_ == 0) move();
    word->bits = random_.word() | static_cast<std::uint64_t>(random_.word()) << 32;
    word->first = random_.coin();
    if (cut_ != Cut::none) {
      if (!marks_) word->first = false;
      word->bits &= mask();
      return cut_ == Cut::noise && random_.word() % 8 != 0;
    }
    if (words_.empty() || words_.front().at > now) return false;
    const Word next = damaged(words_.front().word);
    words_.pop_front();
    const std::uint64_t before = before_;
    before_ = next.bits;
    if (skip_) {
      skip_ = false;
      return false;
    }
    *word = next;
    if (offset_ > 0) word->bits = (before >> offset_ | next.bits << (bits_ - offset_)) & mask();
    return true;
  }

  /// The end asks for another boundary of words. A physical layer with marks has the right one.
  void slip() {
    ++slips_;
    if (!marks_ && slip_in_ == 0) slip_in_ = 1 + random_.word() % 16;
  }
  std::uint64_t slips() const { return slips_; }
  std::uint64_t changed() const { return changed_; }

 private:
  struct Flying {
    std::uint64_t at;
    Word word;
  };

  std::uint64_t mask() const { return UINT64_MAX >> (64 - bits_); }

  // The boundary moves by a bit.
  void move() {
    skip_ = offset_ == 0 && bits_ > 1;  // a whole word comes only after the next one
    offset_ = (offset_ + 1) % bits_;
  }

  // Bits until the next error.
  std::uint64_t gap() {
    if (rate_ <= 0) return UINT64_MAX;
    const double uniform = (random_.word() + 1.0) / 4294967297.0;
    return static_cast<std::uint64_t>(std::log(uniform) / std::log1p(-rate_));
  }

  Word damaged(Word word) {
    const Word good = word;
    while (next_error_ < bits_) {
      word.bits ^= std::uint64_t{1} << next_error_;
      const std::uint64_t more = gap();
      next_error_ = more > UINT64_MAX - bits_ - 1 ? more : next_error_ + 1 + more;
    }
    if (next_error_ != UINT64_MAX) next_error_ -= bits_;
    if (burst_every_ > 0 && burst_left_ == 0 && random_.word() % burst_every_ == 0)
      burst_left_ = 1 + random_.word() % 40;
    if (burst_left_ > 0) {
      --burst_left_;
      word.bits ^= (random_.word() | static_cast<std::uint64_t>(random_.word()) << 32) & mask();
    }
    if (word.bits != good.bits) {
      ++changed_;
      if (random_.word() % 16 == 0) word.first = !word.first;
    }
    if (!marks_) word.first = false;
    return word;
  }

  Random& random_;
  unsigned bits_;
  std::uint64_t flight_ = 1;
  bool marks_ = true;
  std::deque<Flying> words_;
  Cut cut_ = Cut::none;
  double rate_ = 0;
  std::uint64_t next_error_ = UINT64_MAX;
  std::uint32_t burst_every_ = 0;
  unsigned burst_left_ = 0;
  unsigned offset_ = 0, slip_in_ = 0;
  bool skip_ = false;
  std::uint64_t before_ = 0;
  std::uint64_t slips_ = 0, changed_ = 0;
};

}  // namespace hc

#endif
