// How much times deviate: counts by size.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace takt::streams {

// One thread adds, any thread reads. Does not allocate or lock. A deviation is counted within an eighth of
// its size.
class Spread {
 public:
  void add(std::chrono::nanoseconds deviation) {
    const auto size =
        static_cast<std::uint64_t>(deviation.count() < 0 ? -deviation.count() : deviation.count());
    auto& count = counts_[place_of(size)];
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (size > worst_.load(std::memory_order_relaxed)) worst_.store(size, std::memory_order_relaxed);
  }
  // The size that the share of the deviations does not exceed; 0 if there are none.
  std::chrono::nanoseconds at(double share) const {
    std::uint64_t all = 0;
    for (const auto& count : counts_) all += count.load(std::memory_order_relaxed);
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(all));
    std::uint64_t passed = 0;
    for (std::size_t place = 0; place < counts_.size() && all != 0; ++place) {
      passed += counts_[place].load(std::memory_order_relaxed);
      if (passed > wanted || passed == all) return std::min(largest_in(place), worst());
    }
    return std::chrono::nanoseconds::zero();
  }
  std::chrono::nanoseconds worst() const {
    return std::chrono::nanoseconds(worst_.load(std::memory_order_relaxed));
  }

 private:
  static constexpr std::size_t parts = 8;  // into which each power of two is divided

  static std::size_t place_of(std::uint64_t size) {
    if (size < parts) return static_cast<std::size_t>(size);
    const auto shift = static_cast<std::size_t>(std::bit_width(size)) - 4;
    return (shift + 1) * parts + (static_cast<std::size_t>(size >> shift) - parts);
  }
  static std::chrono::nanoseconds largest_in(std::size_t place) {
    if (place < parts) return std::chrono::nanoseconds(place);
    const std::size_t shift = place / parts - 1;
    const std::uint64_t largest = ((std::uint64_t{place % parts} + parts + 1) << shift) - 1;
    return std::chrono::nanoseconds(largest & ~(std::uint64_t{1} << 63));
  }

  std::array<std::atomic<std::uint64_t>, 62 * parts> counts_{};
  std::atomic<std::uint64_t> worst_{0};
};

}  // namespace takt::streams
