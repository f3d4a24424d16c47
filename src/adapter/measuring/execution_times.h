// How long operations run, of the processor's time: what an analysis of schedules is told.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/threads/priority_mutex.h"

namespace takt::adapter {

// Any thread. Recording takes a lock, outside of what is measured.
class ExecutionTimes {
 public:
  using Time = std::chrono::nanoseconds;
  static constexpr std::size_t most_operations = 1024;

  // `clock`: the calling thread's time on a processor, which stands still while others run.
  explicit ExecutionTimes(Time (*clock)()) : clock_(clock) {}

  // The figures of one operation. The percentiles are never too small, and by a sixty-fourth at most too
  // large.
  struct Figures {
    std::string operation;
    std::int64_t runs = 0;
    Time median{0}, p99{0}, longest{0};
  };
  std::vector<Figures> figures() const;  // by name
  // Runs of what is no operation's name, and of more operations than are kept.
  std::int64_t left_out() const { return left_out_.load(std::memory_order_relaxed); }

  // One run, on the stack of the thread that it is in, around it. What the thread runs in another one of
  // these meanwhile is that one's and not this one's.
  class Run {
   public:
    // `interface`: a repository id, empty where nobody knows it. Both stay valid as long as the run.
    Run(ExecutionTimes& times, std::string_view interface, std::string_view operation);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

   private:
    ExecutionTimes& times_;
    const std::string_view interface_, operation_;
    Run* const outer_;
    Time inner_{0};  // of runs inside, and of recording them
    Time begin_;
  };

 private:
  // By powers of two, in 64 parts each; 30 KiB.
  struct Histogram {
    std::array<std::int64_t, 3712> counts{};
    std::int64_t runs = 0;
    Time longest{0};

    void add(Time time);
    Time at(std::int64_t run) const;  // in the order of their times, from 0
  };

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
  std::map<Name, Histogram, ByName> histograms_;
  static thread_local Run* innermost_;
};

}  // namespace takt::adapter
