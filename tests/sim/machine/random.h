// The only source of randomness, which the seed determines.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>

namespace takt::sim {

// SplitMix64. Streams of one seed with different numbers are independent, so that one more number for the
// network does not change the scheduler's decisions.
class Random {
 public:
  enum class Stream : std::uint64_t { plan, schedule, network, faults };

  Random(std::uint64_t seed, Stream stream) : state_(seed * 4 + static_cast<std::uint64_t>(stream)) {
    next();
    state_ ^= next();
  }

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Less than `bound`, which must not be 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  // Both bounds are included.
  std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
  std::chrono::nanoseconds between(std::chrono::nanoseconds least, std::chrono::nanoseconds most) {
    return least + std::chrono::nanoseconds(below(static_cast<std::uint64_t>((most - least).count()) + 1));
  }
  // True once in `times` calls on average; 0: never.
  bool one_in(std::uint64_t times) { return times != 0 && below(times) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace takt::sim
