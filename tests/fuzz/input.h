// Shared by all fuzz targets: assertions, and the input as a source of choices and octets, which gives zeros
// and empty data at its end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <takt/base/bytes.h>

namespace takt::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}
  bool empty() const { return rest_.empty(); }
  std::uint8_t octet() { return static_cast<std::uint8_t>(number(1)); }
  std::uint32_t number(int width = 4) {
    std::uint32_t value = 0;
    for (; width > 0; --width) {
      const ByteView next = octets(1);
      value = value << 8 | (next.empty() ? 0U : next.front());
    }
    return value;
  }
  ByteView octets(std::size_t count) {
    const ByteView some = rest_.first(std::min(count, rest_.size()));
    rest_ = rest_.subspan(some.size());
    return some;
  }

 private:
  ByteView rest_;
};

}  // namespace takt::fuzz
