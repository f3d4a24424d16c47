// Applies the schedule of an ORB: finds each request's operation and enforces its declaration.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "adapter/upcalls/object_adapter.h"
#include "queued/filter_chain.h"
#include "queued/request_timing.h"
#include "rt/operations/budget_watch.h"
#include "rt/operations/release.h"
#include "rt/operations/reporter.h"
#include "rt/operations/tables_in_use.h"
#include "rt/periodic/periodic_calls.h"
#include "rt/thread_priorities.h"
#include "server/server.h"
#include "threads/locks/priority_mutex.h"

namespace takt::rt {

// Statistics of an operation with the distribution of its responses: from arrival to the end of the upcall,
// or from release to the end of the job. Percentiles are never too low, and too high by at most 1/64.
struct OperationRun {
  OperationStatistics counts;
  std::int64_t responses = 0;
  std::chrono::nanoseconds shortest{}, median{}, p99{}, longest{};
};

struct OperationRuns {
  std::vector<OperationRun> all;  // sorted by name
  std::int64_t left_out = 0;      // operations whose responses were not kept
};

// Becomes a stage before the object adapter once a schedule is installed; until then the ORB does not use it.
// Any thread. It is large because what the schedule limits, counts and reports stands together.
class OperationSchedule final : public server::Stage,
                                public server::RequestSchedule,
                                private BudgetWatch::Host {
 public:
  // `server` and `adapter` must outlive it. `refusal_delay`: the longest time for which a connection is not
  // read after a request was refused for its rate. `keep_responses`: for runs().
  OperationSchedule(server::Server& server, adapter::ObjectAdapter& adapter,
                    std::chrono::nanoseconds refusal_delay, std::shared_ptr<ThreadPriorities> priorities,
                    bool keep_responses);
  ~OperationSchedule() override;

  // Filters that assign requests to queues. Set them, if at all, before install().
  void set_filters(std::shared_ptr<server::FilterChain> filters) { filters_ = std::move(filters); }
  // Like RunTimeScheduler::install().
  void install(std::vector<ScheduledOperation> operations, ScheduleOptions options);
  // Like RunTimeScheduler::change().
  ScheduleChange change(std::vector<ScheduledOperation> operations, std::chrono::nanoseconds bound);
  // The ORB begins to listen: install() fails from now on.
  void close();
  // Stops all periodic calls.
  void stop_periodic(std::chrono::nanoseconds bound) { periodic_.stop(bound); }
  // Refuses further changes, and ends reporting once the waiting reports have been delivered.
  void stop(std::chrono::nanoseconds bound);

  // The operation of that name. Throws BAD_INV_ORDER without a schedule, BAD_PARAM if there is none.
  std::shared_ptr<Operation> operation(std::string_view name) const;
  PeriodicCalls& periodic() { return periodic_; }
  // Empty before install().
  std::vector<OperationStatistics> statistics() const;
  std::uint64_t reports_lost() const;
  // Operations of the present and of former schedules that have run, or should have. Only useful if responses
  // are kept.
  OperationRuns runs() const;

  std::uint64_t changes() const { return changes_.load(std::memory_order_relaxed); }

  const server::RequestTiming* timing_of(ByteView object_key, std::string_view operation) noexcept override {
    return find(object_key, operation);
  }
  void done_with(const server::RequestTiming& timing) noexcept override;
  std::optional<std::chrono::nanoseconds> early_by(const server::RequestTiming& timing,
                                                   Clock::time_point arrived, std::uint64_t client,
                                                   std::chrono::nanoseconds period) noexcept override;
  std::optional<os::Scheduling> reader_scheduling() const noexcept override;
  // Run once by each thread that calls its operations; may be empty.
  const std::function<void()>& before_serving() const { return server_.before_serving; }
  // The objects that a release of an operation uses.
  ReleaseHost release_host() { return {priorities_.get(), watching_.load(), reporter_.get()}; }
  void dispatch(server::ServerCall& call) noexcept override;

 private:
  void require_schedule() const;
  std::shared_ptr<ScheduleTable> table_of(std::vector<ScheduledOperation> operations);
  void raise_readers_above(const ScheduleTable& table);
  void watch_over(const ScheduleTable& table);
  void add_queues(const ScheduleTable& table, const ScheduleOptions& options);
  void assign_queues(const ScheduleTable& table) const;
  // The caller must return the result with done_with(), unless it is null.
  Operation* find(ByteView object_key, std::string_view operation) noexcept;
  void serve(server::ServerCall& call) noexcept;
  void delay_reads(const Operation& operation, std::chrono::nanoseconds until_admitted,
                   Clock::time_point now) const noexcept;
  bool admit_early(Operation& operation, std::chrono::nanoseconds early_by) noexcept;
  std::optional<os::Scheduling> on_overrun(Operation& operation, const os::RunningThread& thread,
                                           std::chrono::nanoseconds used) noexcept override;
  server::Server& server_;
  adapter::ObjectAdapter& adapter_;
  const std::chrono::nanoseconds refusal_delay_;
  const std::shared_ptr<ThreadPriorities> priorities_;
  std::shared_ptr<server::FilterChain> filters_;
  const std::shared_ptr<OperationRecords> records_;
  InterfaceRows rows_;
  TablesInUse tables_;
  std::atomic<std::uint64_t> changes_{0};
  os::PriorityMutex changing_;       // held by install and change, which may wait for jobs to end
  mutable os::PriorityMutex mutex_;  // guards the following two, and what takes effect; never held for long
  bool closed_ = false, stopped_ = false;
  std::unique_ptr<BudgetWatch> watch_;
  std::atomic<BudgetWatch*> watching_{nullptr};     // null: overruns are only checked at the end
  std::atomic<std::int16_t> highest_priority_{-1};  // in all schedules so far; -1: none
  // Set before the first request, then constant:
  std::unique_ptr<Reporter> reporter_;             // null: nothing is reported
  std::map<std::int32_t, RequestQueueId> queues_;  // queues of threading-framework, by number in the schedule
  PeriodicCalls periodic_;
};

}  // namespace takt::rt
