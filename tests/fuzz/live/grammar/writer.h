// Writes CDR in either byte order, and records the positions of numbers for a mutator to change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/byte_order.h>

namespace takt::fuzz::live {

using Octets = std::vector<std::uint8_t>;

class Writer {
 public:
  // `origin`: the position of the first octet in the surrounding stream, if this is an encapsulation.
  // Indirections count from the start of that stream; alignment counts from the writer's own first octet.
  explicit Writer(cdr::ByteOrder order, std::size_t origin = 0) : order_(order), origin_(origin) {}

  cdr::ByteOrder order() const { return order_; }
  std::size_t size() const { return octets_.size(); }
  std::size_t place() const { return origin_ + octets_.size(); }  // as counted by indirections
  void align(std::size_t boundary) { octets_.resize((octets_.size() + boundary - 1) / boundary * boundary); }

  void u8(std::uint8_t number) { octets_.push_back(number); }
  void u16(std::uint16_t number) { put(number, 2); }
  void u32(std::uint32_t number) { put(number, 4); }
  void u64(std::uint64_t number) { put(number, 8); }
  // Writes a number that says what follows: a length, count, kind, tag or offset.
  void telling(std::uint32_t number) {
    align(4);
    telling_.push_back(octets_.size());
    u32(number);
  }
  void text(std::string_view characters) {
    telling(static_cast<std::uint32_t>(characters.size() + 1));
    octets_.insert(octets_.end(), characters.begin(), characters.end());
    u8(0);
  }
  void octets(ByteView view) { octets_.insert(octets_.end(), view.begin(), view.end()); }
  void sequence(ByteView view) {
    telling(static_cast<std::uint32_t>(view.size()));
    octets(view);
  }
  // Writes the encapsulation in `inner`, which encapsulation() has made.
  Writer encapsulation() const {
    const std::size_t length_at = (place() + 3) / 4 * 4;
    Writer inner(order_, length_at + 4);
    inner.u8(order_ == cdr::ByteOrder::little ? 1 : 0);
    return inner;
  }
  void put_encapsulation(const Writer& inner) {
    telling(static_cast<std::uint32_t>(inner.size()));
    for (const std::size_t at : inner.telling_) telling_.push_back(at + octets_.size());
    octets(inner.octets_);
  }
  void patch(std::size_t at, std::uint32_t number) {
    for (std::size_t i = 0; i < 4; ++i) octets_[at + i] = digit(number, i, 4);
  }

  const Octets& all() const { return octets_; }
  // Positions of the numbers written by telling().
  const std::vector<std::size_t>& telling_at() const { return telling_; }

 private:
  std::uint8_t digit(std::uint64_t number, std::size_t i, std::size_t width) const {
    const std::size_t place = order_ == cdr::ByteOrder::little ? i : width - 1 - i;
    return static_cast<std::uint8_t>(number >> 8 * place);
  }
  void put(std::uint64_t number, std::size_t width) {
    align(width);
    for (std::size_t i = 0; i < width; ++i) octets_.push_back(digit(number, i, width));
  }

  cdr::ByteOrder order_;
  std::size_t origin_;
  Octets octets_;
  std::vector<std::size_t> telling_;
};

}  // namespace takt::fuzz::live
