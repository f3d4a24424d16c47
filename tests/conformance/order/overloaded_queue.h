// A queue with one thread and more work than time, in virtual time.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>

#include "queued/request_queue.h"
#include "waiting.h"

namespace takt::server {

// Critical tasks use 0.3 of a processor, and other tasks the rest of the load. All are released together, and
// shorter periods have higher priorities. A job's deadline is the next release of its task.
class OverloadedQueue {
 public:
  struct Seen {
    int critical_jobs = 0, critical_misses = 0;
    int other_jobs = 0, other_misses = 0;
  };

  // `load`: fraction of the processor, at least 0.3.
  OverloadedQueue(QueueOrder order, double load)
      : queue_(std::make_shared<BufferBounds>(1'000'000), request_order(order)) {
    using namespace std::chrono_literals;
    const std::chrono::nanoseconds each(std::llround((load - 0.3) / 4 * 20e6));
    tasks_ = {Task{40ms, 12ms, 1, true}, Task{20ms, each, 2}, Task{20ms, each, 2}, Task{20ms, each, 2},
              Task{20ms, each, 2}};
  }

  Seen run(std::chrono::nanoseconds length) {
    std::chrono::nanoseconds now{};
    while (now < length) {
      release_until(now);
      if (auto task = queue_.pop(nullptr, {})) {
        const auto& [job, of] = jobs_[task.request->context().request_id];
        now += tasks_[of].execution;
        count(job, of, now);
      } else {
        now = *std::ranges::min_element(next_);
      }
    }
    while (auto task = queue_.pop(nullptr, {})) {  // jobs that were never started
      const auto& [job, of] = jobs_[task.request->context().request_id];
      if (now > job.arrived + tasks_[of].period) count(job, of, now);
    }
    return seen_;
  }

 private:
  struct Task {
    std::chrono::nanoseconds period{}, execution{};
    std::int16_t priority = 0;
    bool critical = false;
  };
  struct Job {
    Arriving arriving;
    std::size_t of;
  };

  void release_until(std::chrono::nanoseconds now) {
    for (std::size_t of = 0; of < tasks_.size(); ++of)
      for (; next_[of] <= now; next_[of] += tasks_[of].period) {
        const auto id = static_cast<std::uint32_t>(jobs_.size());
        jobs_.push_back({{.arrived = next_[of],
                          .timing = RequestTiming{.priority = tasks_[of].priority,
                                                  .deadline = tasks_[of].period,
                                                  .execution = tasks_[of].execution,
                                                  .critical = tasks_[of].critical}},
                         of});
        if (queue_.push(make_waiting(jobs_.back().arriving, id))) std::abort();
      }
  }
  void count(const Arriving& job, std::size_t of, std::chrono::nanoseconds now) {
    const bool missed = now > job.arrived + tasks_[of].period;
    ++(tasks_[of].critical ? seen_.critical_jobs : seen_.other_jobs);
    if (missed) ++(tasks_[of].critical ? seen_.critical_misses : seen_.other_misses);
  }

  RequestQueue queue_;
  std::array<Task, 5> tasks_;
  std::array<std::chrono::nanoseconds, 5> next_{};
  std::deque<Job> jobs_;  // addresses must stay valid
  Seen seen_;
};

}  // namespace takt::server
