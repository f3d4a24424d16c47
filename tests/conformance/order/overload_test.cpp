// Who loses when there is more work than time: a queue with one thread, in virtual time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>

#include "connection/server/queued/request_queue.h"
#include "waiting.h"

namespace takt::connection {
namespace overload_test {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

struct Task {
  nanoseconds period{}, execution{};
  std::int16_t priority = 0;
  bool critical = false;
};
// 0.3 of a processor that is critical, and 1.0 that is not, released together; shorter periods have higher
// priorities.
constexpr std::array tasks = {Task{40ms, 12ms, 1, true}, Task{20ms, 5ms, 2}, Task{20ms, 5ms, 2},
                              Task{20ms, 5ms, 2}, Task{20ms, 5ms, 2}};

struct Misses {
  int critical = 0;
  int others = 0;
};

// Each job's deadline is its task's next release.
class Overload {
 public:
  explicit Overload(QueueOrder order) : queue_({.requests = 1'000'000}, order) {}

  Misses run(nanoseconds length) {
    nanoseconds now{};
    while (now < length) {
      release_until(now);
      if (auto task = queue_.pop(nullptr, 0ns)) {
        const auto& [job, of] = jobs_[task.request->context().request_id];
        now += tasks[of].execution;
        count(job, of, now);
      } else {
        now = next_release();
      }
    }
    while (auto task = queue_.pop(nullptr, 0ns)) {
      const auto& [job, of] = jobs_[task.request->context().request_id];
      count(job, of, now);
    }
    return misses_;
  }

 private:
  nanoseconds next_release() const { return *std::ranges::min_element(next_); }
  void release_until(nanoseconds now) {
    for (std::size_t of = 0; of < tasks.size(); ++of)
      for (; next_[of] <= now; next_[of] += tasks[of].period) {
        const auto id = static_cast<std::uint32_t>(jobs_.size());
        jobs_.push_back({{.arrived = next_[of],
                          .timing = RequestTiming{.priority = tasks[of].priority,
                                                  .deadline = tasks[of].period,
                                                  .execution = tasks[of].execution,
                                                  .critical = tasks[of].critical}},
                         of});
        ASSERT_EQ(queue_.push(make_waiting(jobs_.back().arriving, id)), nullptr);
      }
  }
  void count(const Arriving& job, std::size_t of, nanoseconds now) {
    if (now > job.arrived + tasks[of].period) ++(tasks[of].critical ? misses_.critical : misses_.others);
  }

  struct Job {
    Arriving arriving;
    std::size_t of;
  };
  RequestQueue queue_;
  std::array<nanoseconds, tasks.size()> next_{};
  std::deque<Job> jobs_;  // which stay where they are
  Misses misses_;
};

TEST(Overload, UrgencyKeepsWhatIsCriticalAtOnePointThreeTimesTheTime) {
  const Misses misses = Overload(QueueOrder::urgency).run(100s);
  EXPECT_EQ(misses.critical, 0);
  EXPECT_GT(misses.others, 1000);
}

TEST(Overload, EveryOtherOrderLosesMostOfIt) {
  for (const auto order :
       {QueueOrder::temporal, QueueOrder::deadline, QueueOrder::fixed, QueueOrder::laxity}) {
    SCOPED_TRACE(static_cast<int>(order));
    EXPECT_GT(Overload(order).run(100s).critical, 1250) << "of 2500";
  }
}

}  // namespace overload_test
}  // namespace takt::connection
