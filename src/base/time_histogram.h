// Counts durations by their length.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include <takt/base/atomic_maximum.h>

namespace takt {

// Has buckets by powers of two of nanoseconds, each in 64 parts: percentiles are never too low, and too high
// by at most 1/64. Takes 30 KiB. Any thread; neither locks nor allocates.
class TimeHistogram {
 public:
  using Time = std::chrono::nanoseconds;

  // Negative durations count as 0.
  void add(Time time) noexcept {
    const std::int64_t ns = std::max<std::int64_t>(time.count(), 0);
    const auto place = std::min(place_of(static_cast<std::uint64_t>(ns)), counts_.size() - 1);
    counts_[place].fetch_add(1, std::memory_order_relaxed);
    raise_to(longest_, ns);
    raise_to(longest_remainder_, most_ns - ns);
  }

  std::int64_t count() const {
    std::int64_t sum = 0;
    for (const auto& each : counts_) sum += each.load(std::memory_order_relaxed);
    return sum;
  }
  // The duration with that rank, the shortest first, from 0. At most `longest()`.
  Time at(std::int64_t rank) const {
    std::size_t place = 0;
    for (; place + 1 < counts_.size(); ++place) {
      const std::int64_t here = counts_[place].load(std::memory_order_relaxed);
      if (rank < here) break;
      rank -= here;
    }
    return std::min(longest(), Time(static_cast<std::int64_t>(highest_in(place))));
  }
  // Exact; 0 if nothing was added.
  Time longest() const { return Time(longest_.load(std::memory_order_relaxed)); }
  Time shortest() const {
    const std::int64_t remainder = longest_remainder_.load(std::memory_order_relaxed);
    return Time(remainder < 0 ? 0 : most_ns - remainder);
  }

 private:
  static constexpr int part_bits = 6;
  static constexpr std::uint64_t parts = std::uint64_t{1} << part_bits;
  static constexpr std::int64_t most_ns = INT64_MAX;

  static std::size_t place_of(std::uint64_t value) {
    if (value < parts) return static_cast<std::size_t>(value);
    const int shift = std::bit_width(value) - part_bits - 1;
    return static_cast<std::size_t>(shift + 1) * parts + (value >> shift & (parts - 1));
  }
  static std::uint64_t highest_in(std::size_t place) {
    if (place < parts) return place;
    const std::size_t shift = place / parts - 1;
    return ((parts + place % parts + 1) << shift) - 1;
  }

  std::array<std::atomic<std::int64_t>, 3712> counts_{};
  std::atomic<std::int64_t> longest_{0};
  std::atomic<std::int64_t> longest_remainder_{-1};  // most_ns less the shortest; -1: nothing was added
};

}  // namespace takt
