// SPDX-License-Identifier: Apache-2.0
//
// Bit access to the ports of a Verilated model, whatever type Verilator chose
// for them (CData, SData, IData, QData or VlWide of any length).
//
// On a little-endian host all these types are little-endian arrays of bytes. So a
// pointer and a width describe each of them, and the rest of the bench needs no
// templates.

#ifndef HC_WIRES_H
#define HC_WIRES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "random.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "wires.h reads Verilated values as little-endian bytes");

namespace hc {

/// Bytes that Verilator uses for a value of this number of bits.
constexpr std::size_t storage_bytes(std::size_t bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : bits <= 64 ? 8 : (bits + 31) / 32 * 4;
}

/// A vector of wires: a port or a public signal of the model.
class Wires {
 public:
  Wires() = default;

  /// Refers to a port, which must outlive this. Throws std::logic_error if the
  /// port cannot have this width: then bench_config.h belongs to other RTL.
  template <class Port>
  Wires(Port& port, std::size_t bits, const char* name)
      : bytes_(reinterpret_cast<unsigned char*>(&port)), size_(sizeof(Port)) {
    if (size_ != storage_bytes(bits)) {
      throw std::logic_error(std::string("port ") + name + " does not have the " + std::to_string(bits) +
                             " bits that bench_config.h implies");
    }
  }

  /// Refers to any bytes, which must outlive this.
  Wires(unsigned char* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  /// Bits lsb .. lsb+width-1; width is 1 to 32.
  std::uint32_t get(std::size_t lsb, unsigned width) const {
    return static_cast<std::uint32_t>(load(lsb >> 3) >> (lsb & 7)) & mask(width);
  }

  /// Sets bits lsb .. lsb+width-1 to the low bits of value; width is 1 to 32.
  void set(std::size_t lsb, unsigned width, std::uint32_t value) {
    const std::size_t byte = lsb >> 3;
    const unsigned shift = lsb & 7;
    const std::uint64_t field = static_cast<std::uint64_t>(mask(width)) << shift;
    const std::uint64_t bits = (static_cast<std::uint64_t>(value) << shift) & field;
    store(byte, (load(byte) & ~field) | bits);
  }

 private:
  static std::uint32_t mask(unsigned width) { return width >= 32 ? 0xffffffffU : (std::uint32_t{1} << width) - 1; }

  std::uint64_t load(std::size_t byte) const {
    std::uint64_t word = 0;
    if (byte + sizeof word <= size_) {
      std::memcpy(&word, bytes_ + byte, sizeof word);  // constant length: one instruction
    } else {
      std::memcpy(&word, bytes_ + byte, size_ - byte);
    }
    return word;
  }

  void store(std::size_t byte, std::uint64_t word) {
    if (byte + sizeof word <= size_) {
      std::memcpy(bytes_ + byte, &word, sizeof word);
    } else {
      std::memcpy(bytes_ + byte, &word, size_ - byte);
    }
  }

  unsigned char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// A field of a vector of wires; width 0 is a field that does not exist. Values
/// are arrays of 32-bit words, lowest first, with 0 above the width.
class Field {
 public:
  Field() = default;
  /// stride is the distance in bits to the same field of the next node.
  Field(Wires wires, std::size_t lsb, std::size_t width, std::size_t stride = 0)
      : wires_(wires), lsb_(lsb), width_(width), stride_(stride) {}

  /// The same field, n nodes later.
  Field after(std::size_t n) const { return Field(wires_, lsb_ + n * stride_, width_, stride_); }

  std::size_t width() const { return width_; }
  std::size_t words() const { return (width_ + 31) / 32; }

  void get(std::uint32_t* value) const {
    for (std::size_t w = 0; w < words(); ++w) value[w] = word(w);
  }
  void set(const std::uint32_t* value) {
    for (std::size_t w = 0; w < words(); ++w) wires_.set(lsb_ + 32 * w, bits(w), value[w]);
  }
  bool equals(const std::uint32_t* value) const {
    for (std::size_t w = 0; w < words(); ++w) {
      if (word(w) != value[w]) return false;
    }
    return true;
  }
  void randomize(Random& random) {
    for (std::size_t w = 0; w < words(); ++w) wires_.set(lsb_ + 32 * w, bits(w), random.word());
  }

  /// The only bit of a field of one bit.
  bool bit() const { return wires_.get(lsb_, 1) != 0; }
  void bit(bool value) { wires_.set(lsb_, 1, value ? 1 : 0); }

 private:
  unsigned bits(std::size_t w) const { return static_cast<unsigned>(std::min<std::size_t>(32, width_ - 32 * w)); }
  std::uint32_t word(std::size_t w) const { return wires_.get(lsb_ + 32 * w, bits(w)); }

  Wires wires_;
  std::size_t lsb_ = 0;
  std::size_t width_ = 0;
  std::size_t stride_ = 0;
};

/// A header of at most 64 bits: a field, and above it others that may lie in other vectors.
class Header {
 public:
  Header() = default;
  explicit Header(Field low, Field high = Field(), Field top = Field()) : low_(low), high_(high), top_(top) {}

  Header after(std::size_t n) const { return Header(low_.after(n), high_.after(n), top_.after(n)); }
  std::size_t width() const { return below_top() + top_.width(); }

  std::uint64_t get() const {
    return get(low_) | (high_.width() > 0 ? get(high_) << low_.width() : 0) |
           (top_.width() > 0 ? get(top_) << below_top() : 0);
  }
  void set(std::uint64_t value) {
    set(low_, value);
    if (high_.width() > 0) set(high_, value >> low_.width());
    if (top_.width() > 0) set(top_, value >> below_top());
  }
  void randomize(Random& random) {
    low_.randomize(random);
    high_.randomize(random);
    top_.randomize(random);
  }

 private:
  static std::uint64_t get(const Field& field) {
    std::uint32_t words[2] = {0, 0};
    field.get(words);
    return words[0] | static_cast<std::uint64_t>(words[1]) << 32;
  }
  static void set(Field& field, std::uint64_t value) {
    const std::uint32_t words[2] = {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
    field.set(words);
  }

  std::size_t below_top() const { return low_.width() + high_.width(); }

  Field low_, high_, top_;
};

}  // namespace hc

#endif
