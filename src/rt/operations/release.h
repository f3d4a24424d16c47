// An operation of a schedule from its release to its end: at its priority, within its budget, by its
// deadline.
#pragma once

#include <chrono>
#include <optional>

#include "os/threads/running_thread.h"
#include "rt/operations/budget_watch.h"
#include "rt/operations/operation.h"
#include "rt/operations/reporter.h"
#include "rt/real_time.h"

namespace takt::rt {

// What it needs, which outlives it.
struct ReleaseHost {
  RealTime* real_time = nullptr;
  BudgetWatch* watch = nullptr;  // null: nothing is done about overruns while they last
  Reporter* reporter = nullptr;  // null: nobody wants to know

  void report(ScheduleReport::Kind kind, const Operation& operation, std::chrono::nanoseconds took,
              std::chrono::nanoseconds allowed) const noexcept;
};

// On the stack of the thread that runs it. Neither locks nor allocates.
class Release {
 public:
  // `call`: the request; null: it is not one, but was released by the clock. `demoted`: it runs at the lowest
  // real-time priority, if at any.
  Release(const ReleaseHost& host, Operation& operation, const server::ServerCall* call,
          Clock::time_point arrived, Clock::time_point now, bool demoted = false);
  ~Release();
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

 private:
  std::chrono::nanoseconds end_budget();
  void demote();
  void give_back_priority(const os::Scheduling& ran_at);

  const ReleaseHost host_;
  Operation& operation_;
  const Clock::time_point arrived_, began_, due_;
  const ThreadPriority::State before_;
  const server::ServerCall* const outer_;
  os::RunningThread thread_;
  std::chrono::nanoseconds used_before_{};
  BudgetWatch::Watched watched_;
  std::optional<os::Scheduling> demoted_from_;
};

}  // namespace takt::rt
