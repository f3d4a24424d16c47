#include "rt/schedule/operation_schedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <takt/connection/quality.h>

#include "connection/server/queued/present_arrival.h"

namespace takt::rt {

using std::chrono::nanoseconds;

namespace {

constexpr std::size_t most_reports = 1 << 20;

// Gives each request the queue of its operation.
class QueueOfOperation final : public RequestFilter {
 public:
  QueueOfOperation(OperationSchedule& schedule, std::map<std::int32_t, RequestQueueId> queues)
      : schedule_(schedule), queues_(std::move(queues)) {}
  std::optional<RequestQueueId> choose(const ArrivedRequest& request) override {
    const Operation* const operation = schedule_.find(request.object_key, request.operation);
    if (!operation) return {};
    return queues_.find(operation->declared().queue)->second;
  }

 private:
  OperationSchedule& schedule_;
  const std::map<std::int32_t, RequestQueueId> queues_;
};

}  // namespace

// An upcall from begin to end, on the stack of its thread.
class OperationSchedule::Release {
 public:
  Release(OperationSchedule& schedule, Operation& operation, const connection::ServerCall& call,
          Clock::time_point arrived, Clock::time_point now)
      : schedule_(schedule),
        operation_(operation),
        arrived_(arrived),
        began_(now),
        due_(due(operation, arrived)),
        before_(ThreadPriority::present()),
        outer_(ThreadPriority::set_scheduled(operation.priority >= 0 ? &call : nullptr)) {
    operation.begin();
    if (operation.priority >= 0) schedule.real_time_->run_upcall_at(operation.priority);
    if (!operation.has_budget()) return;
    thread_ = os::RunningThread::mine();
    used_before_ = thread_.processor_time().value_or(nanoseconds::zero());
    if (schedule.watch_ && operation.acts_on_overrun())
      watched_ = schedule.watch_->begin(operation, thread_, used_before_, now);
  }
  ~Release() {
    const auto now = Clock::now();
    const auto used = operation_.has_budget() ? end_budget() : nanoseconds::zero();
    ThreadPriority::restore(before_, schedule_.real_time_->scheduling_class());
    ThreadPriority::set_scheduled(outer_);
    operation_.end(now - arrived_, used);
    if (due_ >= now) return;
    operation_.miss();
    schedule_.report(ScheduleReport::Kind::deadline_missed, operation_, now - arrived_, due_ - arrived_);
  }
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

 private:
  // The client's counts before the table's.
  static Clock::time_point due(const Operation& operation, Clock::time_point arrived) {
    if (const Quality* quality = present_quality(); quality && quality->deadline != Quality::no_deadline)
      return quality->deadline;
    return operation.deadline.count() > 0 ? arrived + operation.deadline : Clock::time_point::max();
  }

  nanoseconds end_budget() {
    const nanoseconds used = thread_.processor_time().value_or(used_before_) - used_before_;
    BudgetWatch::Ended ended;
    if (schedule_.watch_) ended = schedule_.watch_->end(watched_);
    if (ended.ran_at) give_back_priority(*ended.ran_at);
    if (used <= operation_.execution && !ended.told) return used;
    if (!ended.told) {
      operation_.overrun();
      schedule_.report(ScheduleReport::Kind::overrun, operation_, used, operation_.execution);
    }
    if (operation_.declared().on_overrun == OnOverrun::refuse) operation_.pay_back(began_, used);
    if (ended.told) operation_.overrun_ends();
    return used;
  }
  // The thread was demoted behind the back of its ThreadPriority, which knows what it should run at.
  void give_back_priority(const os::Scheduling& ran_at) {
    const auto present = ThreadPriority::present();
    os::set_scheduling(present.native < 0
                           ? ran_at
                           : os::Scheduling{schedule_.real_time_->scheduling_class(), present.native});
  }

  OperationSchedule& schedule_;
  Operation& operation_;
  const Clock::time_point arrived_, began_, due_;
  const ThreadPriority::State before_;
  const connection::ServerCall* const outer_;
  os::RunningThread thread_;
  nanoseconds used_before_{};
  BudgetWatch::Watched watched_;
};

OperationSchedule::OperationSchedule(connection::OrbCore& core, adapter::ObjectAdapter& adapter,
                                     std::shared_ptr<RealTime> real_time)
    : DispatcherStage(adapter), core_(core), real_time_(std::move(real_time)) {}

OperationSchedule::~OperationSchedule() = default;

void OperationSchedule::install(std::vector<ScheduledOperation> operations, ScheduleOptions options) {
  std::lock_guard lock(mutex_);
  if (closed_ || table_)
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                               table_ ? "the ORB has a schedule"
                                      : "the ORB listens: a schedule is for the time before the root POA is "
                                        "first asked for");
  if (options.pending_reports == 0 || options.pending_reports > most_reports)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "schedule: " + std::to_string(options.pending_reports) +
                               " reports may wait: it takes 1 to " + std::to_string(most_reports));
  auto table = std::make_shared<OperationTable>(std::move(operations));
  for (const auto& operation : table->operations())
    if (operation->priority >= 0) real_time_->native_of(operation->priority);
  std::unique_ptr<Reporter> reporter;
  if (options.report)
    reporter = std::make_unique<Reporter>(std::move(options.report), options.pending_reports, table);
  std::unique_ptr<BudgetWatch> watch;
  if (std::ranges::any_of(table->operations(), [](const auto& one) { return one->acts_on_overrun(); }))
    watch =
        std::make_unique<BudgetWatch>(static_cast<BudgetWatch::Host&>(*this), real_time_->scheduling_class());
  table_ = std::move(table);
  if (filters_) try {
      add_queues(options);
    } catch (...) {
      table_ = nullptr;
      throw;
    }
  reporter_ = std::move(reporter);
  watch_ = std::move(watch);
  next_ = std::exchange(core_.dispatcher, this);
  core_.schedule = this;
}

// A queue is as urgent as the most urgent of its operations.
void OperationSchedule::add_queues(const ScheduleOptions& options) {
  std::map<std::int32_t, std::int16_t> priorities;
  for (const auto& operation : table_->operations()) {
    const auto [known, added] = priorities.emplace(operation->declared().queue, operation->priority);
    if (!added) known->second = std::max(known->second, operation->priority);
  }
  const connection::PoolThreads like = filters_->default_queue();
  std::map<std::int32_t, RequestQueueId> queues;
  for (const auto& [number, priority] : priorities) {
    RequestQueueOptions queue{.name = "takt-queue-" + std::to_string(number),
                              .threads = options.threads_per_queue,
                              .max_waiting = like.buffer->requests,
                              .order = like.order,
                              .stack_bytes = like.stack_bytes};
    if (priority >= 0) queue.prepare = [rt = real_time_, at = priority] { rt->run_at(at); };
    queues[number] = filters_->add_queue(queue);
  }
  filters_->add_filter(std::make_shared<QueueOfOperation>(*this, std::move(queues)));
}

void OperationSchedule::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
}

void OperationSchedule::stop(nanoseconds bound) {
  close();
  if (reporter_) reporter_->stop(bound);
}

std::vector<OperationStatistics> OperationSchedule::statistics() const {
  std::lock_guard lock(mutex_);
  std::vector<OperationStatistics> all;
  if (table_)
    for (const auto& operation : table_->operations()) all.push_back(operation->statistics());
  return all;
}

std::uint64_t OperationSchedule::reports_lost() const {
  std::lock_guard lock(mutex_);
  return reporter_ ? reporter_->lost() : 0;
}

Operation* OperationSchedule::find(ByteView object_key, std::string_view operation) noexcept {
  OperationTable::Row row = OperationTable::any_interface;
  if (const adapter::Entered object(adapter(), adapter().enter(object_key)); object) {
    const std::atomic_ref known(object->schedule_row);
    row = known.load(std::memory_order_relaxed);
    if (row == OperationTable::unknown) [[unlikely]] {
      try {
        row = table_->meet(*object->servant);
        known.store(row, std::memory_order_relaxed);
      } catch (...) {  // out of memory, or a servant that does not say what it is
        row = OperationTable::any_interface;
      }
    }
  }
  return table_->find(row, operation);
}

void OperationSchedule::dispatch(connection::ServerCall& call) noexcept {
  const auto now = Clock::now();
  const connection::PresentArrival* const arrival = connection::PresentArrival::take();
  // It was found in our own table.
  Operation* const operation =
      arrival ? static_cast<Operation*>(const_cast<connection::RequestTiming*>(arrival->timing()))
              : find(call.object_key(), call.operation());
  if (!operation) return next_->dispatch(call);
  if (operation->refuses(now))
    return call.system_exception(CORBA::TRANSIENT(
        0, CORBA::COMPLETED_NO,
        std::string("operation ").append(call.operation()) +
            " has used more of the processor than its schedule allows, and rests until that is made up for"));
  const Release release(*this, *operation, call, arrival ? arrival->at() : now, now);
  next_->dispatch(call);
}

std::optional<os::Scheduling> OperationSchedule::on_overrun(Operation& operation,
                                                            const os::RunningThread& thread,
                                                            nanoseconds used) noexcept {
  operation.overrun();
  operation.overrun_begins();
  std::optional<os::Scheduling> changed;
  if (operation.declared().on_overrun == OnOverrun::demote) {
    const os::Scheduling before = thread.scheduling();
    const os::Scheduling lowest{before.scheduling_class,
                                os::native_priorities(before.scheduling_class).lowest};
    if (before.scheduling_class != os::SchedulingClass::other && thread.set_scheduling(lowest) == 0) {
      operation.demoted();
      changed = before;
    }
  }
  report(ScheduleReport::Kind::overrun, operation, used, operation.execution);
  return changed;
}

void OperationSchedule::report(ScheduleReport::Kind kind, const Operation& operation, nanoseconds took,
                               nanoseconds allowed) noexcept {
  if (reporter_)
    reporter_->put({.kind = kind, .operation = operation.declared().name, .took = took, .allowed = allowed});
}

RunTimeScheduler::RunTimeScheduler(std::shared_ptr<OperationSchedule> schedule)
    : schedule_(std::move(schedule)) {}
RunTimeScheduler::~RunTimeScheduler() = default;

void RunTimeScheduler::install(std::vector<ScheduledOperation> operations, ScheduleOptions options) {
  schedule_->install(std::move(operations), std::move(options));
}
std::vector<OperationStatistics> RunTimeScheduler::statistics() const { return schedule_->statistics(); }

OperationStatistics RunTimeScheduler::statistics(std::string_view name) const {
  for (OperationStatistics& one : schedule_->statistics())
    if (one.name == name) return std::move(one);
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                         "operation '" + std::string(name) + "' is not in the schedule");
}

std::uint64_t RunTimeScheduler::reports_lost() const { return schedule_->reports_lost(); }

}  // namespace takt::rt
