// The schedule of an ORB at work: each request finds its operation, and is held to what that has declared.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "adapter/upcalls/object_adapter.h"
#include "os/threads/priority_mutex.h"
#include "rt/operations/budget_watch.h"
#include "rt/operations/release.h"
#include "rt/operations/reporter.h"
#include "rt/operations/tables_in_use.h"
#include "rt/periodic/periodic_calls.h"
#include "rt/real_time.h"
#include "server/queued/filter_chain.h"
#include "server/queued/order/request_timing.h"
#include "server/server.h"

namespace takt::rt {

// Stands before the object adapter once it has been installed; until then the ORB knows nothing of it. Any
// thread.
class OperationSchedule final : public server::Stage,
                                public server::RequestSchedule,
                                private BudgetWatch::Host {
 public:
  // `server` and `adapter` outlive it. `refusal_delay`: how long at most a connection is not read whose
  // request was refused for its rate.
  OperationSchedule(server::Server& server, adapter::ObjectAdapter& adapter,
                    std::chrono::nanoseconds refusal_delay, std::shared_ptr<RealTime> real_time);
  ~OperationSchedule() override;

  // Where requests are given to queues by filters; before install(), if ever.
  void set_filters(std::shared_ptr<server::FilterChain> filters) { filters_ = std::move(filters); }
  // As RunTimeScheduler::install().
  void install(std::vector<ScheduledOperation> operations, ScheduleOptions options);
  // As RunTimeScheduler::change().
  ScheduleChange change(std::vector<ScheduledOperation> operations, std::chrono::nanoseconds bound);
  // The ORB begins to listen: nothing is installed any more.
  void close();
  // Nothing is called at its rate any more.
  void stop_periodic(std::chrono::nanoseconds bound) { periodic_.stop(bound); }
  // No further reports, once those that wait have been told.
  void stop(std::chrono::nanoseconds bound);

  // Of that name. BAD_INV_ORDER without a schedule, BAD_PARAM where there is none.
  std::shared_ptr<Operation> operation(std::string_view name) const;
  PeriodicCalls& periodic() { return periodic_; }
  // Empty until it is installed.
  std::vector<OperationStatistics> statistics() const;
  std::uint64_t reports_lost() const;

  std::uint64_t changes() const { return changes_.load(std::memory_order_relaxed); }

  const server::RequestTiming* timing_of(ByteView object_key, std::string_view operation) noexcept override {
    return find(object_key, operation);
  }
  void done_with(const server::RequestTiming& timing) noexcept override;
  // What threads do that call its operations, once; may be empty.
  const std::function<void()>& before_serving() const { return server_.before_serving; }
  // What a release of its operations needs.
  ReleaseHost release_host() { return {real_time_.get(), watching_.load(), reporter_.get()}; }
  void dispatch(server::ServerCall& call) noexcept override;

 private:
  std::shared_ptr<OperationTable> table_of(std::vector<ScheduledOperation> operations);
  void watch_over(const OperationTable& table);
  void add_queues(const OperationTable& table, const ScheduleOptions& options);
  void assign_queues(const OperationTable& table) const;
  // To be given back by done_with(), unless it is null.
  Operation* find(ByteView object_key, std::string_view operation) noexcept;
  void serve(server::ServerCall& call) noexcept;
  void delay_reads(std::chrono::nanoseconds until_admitted, Clock::time_point now) const noexcept;
  bool admit_early(Operation& operation, std::chrono::nanoseconds early_by) noexcept;
  std::optional<os::Scheduling> on_overrun(Operation& operation, const os::RunningThread& thread,
                                           std::chrono::nanoseconds used) noexcept override;
  server::Server& server_;
  adapter::ObjectAdapter& adapter_;
  const std::chrono::nanoseconds refusal_delay_;
  const std::shared_ptr<RealTime> real_time_;
  std::shared_ptr<server::FilterChain> filters_;
  const std::shared_ptr<OperationRecords> records_ = std::make_shared<OperationRecords>();
  InterfaceRows rows_;
  TablesInUse tables_;
  std::atomic<std::uint64_t> changes_{0};
  mutable os::PriorityMutex mutex_;  // for installing, changing, closing and stopping
  bool closed_ = false, stopped_ = false;
  std::unique_ptr<BudgetWatch> watch_;
  std::atomic<BudgetWatch*> watching_{nullptr};  // null: nothing is done about upcalls that run
  // Set before the first request, and then as they are:
  std::unique_ptr<Reporter> reporter_;             // null: nobody wants to know
  std::map<std::int32_t, RequestQueueId> queues_;  // of threading-framework, by the schedule's numbers
  PeriodicCalls periodic_;
};

}  // namespace takt::rt
