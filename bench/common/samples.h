// Latency samples and their percentiles.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

inline double seconds_of(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

// Memory for the samples is allocated and touched in advance, so that recording neither allocates nor causes
// page faults.
class Samples {
 public:
  explicit Samples(std::size_t capacity);

  void clear() { ns_.clear(); }
  std::size_t size() const { return ns_.size(); }
  bool full() const { return ns_.size() == ns_.capacity(); }
  void add(Clock::duration d) {
    ns_.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(d).count());
  }
  void append(const Samples& other);

  double mean_ns() const;
  double stddev_ns() const;

  void sort();
  // Whether there are enough samples for the percentile: at least ten beyond it.
  bool carry(double p) const;
  // Nearest rank; the samples must be sorted.
  std::int64_t percentile_ns(double p) const;
  const std::vector<std::int64_t>& ns() const { return ns_; }

 private:
  std::vector<std::int64_t> ns_;
};

}  // namespace bench
