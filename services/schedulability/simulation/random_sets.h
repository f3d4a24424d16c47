// Random task sets; equal seeds give equal sets on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace takt::scheduling {

class RandomSets {
 public:
  explicit RandomSets(std::uint64_t seed) : engine_(seed) {}

  double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most - least + 1));
  }
  template <class T>
  T one_of(std::span<const T> choices) {
    return choices[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(choices.size()) - 1))];
  }

  // UUniFast: utilisations that add up to `total`, uniformly distributed over all such sets (Bini and
  // Buttazzo 2005).
  std::vector<double> utilisations(std::size_t count, double total) {
    std::vector<double> result;
    result.reserve(count);
    for (std::size_t left = count; left > 1; --left) {
      const double next = total * std::pow(fraction(), 1.0 / static_cast<double>(left - 1));
      result.push_back(total - next);
      total = next;
    }
    result.push_back(total);
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace takt::scheduling
