// Latency samples and their percentiles.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

inline double seconds_of(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

// Room for the samples is set aside, and touched, up front: recording neither allocates nor faults.
class Samples {
 public:
  explicit Samples(std::size_t capacity) {
    ns_.resize(capacity);
    ns_.clear();
  }

  void clear() { ns_.clear(); }
  std::size_t size() const { return ns_.size(); }
  bool full() const { return ns_.size() == ns_.capacity(); }
  void add(Clock::duration d) {
    ns_.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(d).count());
  }
  void append(const Samples& other) { ns_.insert(ns_.end(), other.ns_.begin(), other.ns_.end()); }

  double mean_ns() const {
    double sum = 0;
    for (auto ns : ns_) sum += static_cast<double>(ns);
    return ns_.empty() ? 0 : sum / static_cast<double>(ns_.size());
  }
  double stddev_ns() const {
    const double centre = mean_ns();
    double sum = 0;
    for (auto ns : ns_) sum += (static_cast<double>(ns) - centre) * (static_cast<double>(ns) - centre);
    return ns_.empty() ? 0 : std::sqrt(sum / static_cast<double>(ns_.size()));
  }

  void sort() { std::sort(ns_.begin(), ns_.end()); }
  // Nearest rank; the samples must be sorted.
  std::int64_t percentile_ns(double p) const {
    if (ns_.empty()) return 0;
    const auto rank = static_cast<std::size_t>(std::ceil(p / 100 * static_cast<double>(ns_.size())));
    return ns_[std::clamp<std::size_t>(rank, 1, ns_.size()) - 1];
  }
  const std::vector<std::int64_t>& ns() const { return ns_; }

 private:
  std::vector<std::int64_t> ns_;
};

}  // namespace bench
