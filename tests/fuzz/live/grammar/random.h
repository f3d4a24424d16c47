// Random numbers from a seed, the same on every machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace takt::fuzz::live {

// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) { next(); }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  std::uint8_t octet() { return static_cast<std::uint8_t>(next()); }
  // 0 to count - 1.
  std::uint32_t below(std::uint64_t count) { return static_cast<std::uint32_t>(next() % count); }
  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + below(most - least + 1ULL);
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  bool one_in(unsigned count) { return below(count) == 0; }
  // 1 to `most`; each order of magnitude is equally likely.
  std::uint32_t skewed(std::uint32_t most) {
    const std::uint64_t bound = std::uint64_t{1} << below(std::bit_width(most) + 1ULL);
    const std::uint64_t number = bound + below(bound);
    return number > most ? between(1, most) : static_cast<std::uint32_t>(number);
  }
  template <class T, std::size_t N>
  const T& pick(const T (&choices)[N]) {
    return choices[below(N)];
  }
  template <class Container>
  const auto& any_of(const Container& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace takt::fuzz::live
