// One execution of a scheduled operation: at its priority, within its budget, by its deadline.
#pragma once

#include <chrono>
#include <optional>

#include "rt/operations/budget_watch.h"
#include "rt/operations/operation.h"
#include "rt/operations/reporter.h"
#include "rt/thread_priorities.h"
#include "threads/scheduling/running_thread.h"

namespace takt::rt {

// Objects that a release uses; they must outlive it.
struct ReleaseHost {
  ThreadPriorities* priorities = nullptr;
  BudgetWatch* watch = nullptr;  // null: overruns are only checked at the end
  Reporter* reporter = nullptr;  // null: nothing is reported

  void report(ScheduleReport::Kind kind, const Operation& operation, std::chrono::nanoseconds took,
              std::chrono::nanoseconds allowed) const noexcept;
};

// Lives on the stack of the thread that runs the operation. Neither locks nor allocates.
class Release final : private ThreadPriority::Demotable {
 public:
  // `call`: the request, or null for a periodic release. The priority holds until the call's answer has been
  // sent. `demoted`: runs at the lowest real-time priority, if it has a real-time priority.
  Release(const ReleaseHost& host, Operation& operation, server::ServerCall* call, Clock::time_point arrived,
          Clock::time_point now, bool demoted = false);
  ~Release();
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

 private:
  std::chrono::nanoseconds end_budget();
  void demote();
  bool is_demoted() const noexcept override;

  const ReleaseHost host_;
  Operation& operation_;
  const Clock::time_point arrived_, began_, due_;
  const ThreadPriority::State before_;
  server::ServerCall* const call_;
  const server::ServerCall* const outer_;
  os::RunningThread thread_;
  std::chrono::nanoseconds used_before_{};
  BudgetWatch::Watched watched_;
  bool began_demoted_ = false;
};

}  // namespace takt::rt
