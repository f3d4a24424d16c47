#include "rt/schedule/operation_schedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "connection/server/queued/present_arrival.h"
#include "rt/schedule/release.h"

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

std::shared_ptr<Operation> OperationSchedule::operation(std::string_view name) const {
  std::lock_guard lock(mutex_);
  if (!table_) throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "the ORB has no schedule: install one");
  const auto name_of = [](const auto& each) -> std::string_view { return each->declared().name; };
  const auto found = std::ranges::find(table_->operations(), name, name_of);
  if (found == table_->operations().end())
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "operation '" + std::string(name) + "' is not in the schedule");
  return *found;
}

std::vector<OperationStatistics> OperationSchedule::statistics() const {
  std::lock_guard lock(mutex_);
  std::vector<OperationStatistics> all;
  if (table_)
    for (const auto& operation : table_->operations()) all.push_back(operation->record().statistics());
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
  const Release release(release_host(), *operation, &call, arrival ? arrival->at() : now, now);
  next_->dispatch(call);
}

std::optional<os::Scheduling> OperationSchedule::on_overrun(Operation& operation,
                                                            const os::RunningThread& thread,
                                                            nanoseconds used) noexcept {
  operation.record().count(OperationRecord::overruns);
  operation.overrun_begins();
  std::optional<os::Scheduling> changed;
  if (operation.declared().on_overrun == OnOverrun::demote) {
    const os::Scheduling before = thread.scheduling();
    const os::Scheduling lowest{before.scheduling_class,
                                os::native_priorities(before.scheduling_class).lowest};
    if (before.scheduling_class != os::SchedulingClass::other && thread.set_scheduling(lowest) == 0) {
      operation.record().count(OperationRecord::demotions);
      changed = before;
    }
  }
  release_host().report(ScheduleReport::Kind::overrun, operation, used, operation.execution);
  return changed;
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
