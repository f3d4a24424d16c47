// Processor times of operations, as input for schedulability analysis.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time_histogram.h"
#include "threads/locks/priority_mutex.h"

namespace takt::rt {

// Any thread. Recording takes a lock, outside of the measured time.
class ExecutionTimes {
 public:
  using Time = std::chrono::nanoseconds;
  static constexpr std::size_t most_operations = 1024;

  // `clock` returns the processor time of the calling thread.
  explicit ExecutionTimes(Time (*clock)()) : clock_(clock) {}

  // The statistics of one operation. Percentiles are never too low, and too high by at most 1/64.
  struct Figures {
    std::string operation;
    std::int64_t runs = 0;
    Time median{0}, p99{0}, longest{0};
  };
  std::vector<Figures> figures() const;  // sorted by name
  // Number of runs that were not recorded: invalid operation names, or too many operations.
  std::int64_t left_out() const { return left_out_.load(std::memory_order_relaxed); }

  // Measures one run; lives on the stack of its thread. Time in a nested Run counts for that one only.
  class Run {
   public:
    // `interface`: a repository id, or empty if unknown. Both arguments must outlive the run.
    Run(ExecutionTimes& times, std::string_view interface, std::string_view operation);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

   private:
    ExecutionTimes& times_;
    const std::string_view interface_, operation_;
    Run* const outer_;
    Time inner_{0};  // time in nested runs and their recording
    Time begin_;
  };

 private:
  struct Name {
    std::string interface, operation;
  };
  struct ByName {
    using is_transparent = void;
    using View = std::pair<std::string_view, std::string_view>;
    static View view(const Name& name) { return {name.interface, name.operation}; }
    static View view(const View& name) { return name; }
    bool operator()(const auto& a, const auto& b) const { return view(a) < view(b); }
  };
  void add(std::string_view interface, std::string_view operation, Time time);

  Time (*const clock_)();
  std::atomic<std::int64_t> left_out_{0};
  mutable os::PriorityMutex mutex_;
  std::map<Name, TimeHistogram, ByName> histograms_;
  static thread_local Run* innermost_;
};

}  // namespace takt::rt
