#include "rt/schedule/operation_schedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <takt/reference/quality.h>

#include "adapter/resolver/known_servant.h"
#include "concurrency/strategy/read_delay.h"
#include "queued/present_arrival.h"
#include "rt/operations/release.h"
#include "server/intake/request_quality.h"

namespace takt::rt {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

constexpr std::size_t most_reports = 1 << 20;

[[gnu::cold]] void refuse_early(server::ServerCall& call, nanoseconds period, nanoseconds early_by) {
  const auto us = [](nanoseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(time).count()) + " us";
  };
  call.system_exception(CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                                         std::string("operation ").append(call.operation()) + " was called " +
                                             us(early_by) + " before its schedule allows: one call every " +
                                             us(period)));
}

// The result is valid as long as the table.
std::vector<PriorityUse> priorities_of(const ScheduleTable& table) {
  std::vector<PriorityUse> uses;
  for (const auto& operation : table.operations())
    if (operation->priority >= 0) uses.push_back({operation->priority, operation->declared().name});
  return uses;
}

}  // namespace

OperationSchedule::OperationSchedule(server::Server& server, adapter::ObjectAdapter& adapter,
                                     nanoseconds refusal_delay, std::shared_ptr<ThreadPriorities> priorities,
                                     bool keep_responses)
    : server_(server),
      adapter_(adapter),
      refusal_delay_(refusal_delay),
      priorities_(std::move(priorities)),
      records_(std::make_shared<OperationRecords>(keep_responses)) {}

OperationSchedule::~OperationSchedule() = default;

void OperationSchedule::install(std::vector<ScheduledOperation> operations, ScheduleOptions options) {
  std::scoped_lock lock(changing_, mutex_);
  if (closed_ || server_.schedule)
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                               server_.schedule
                                   ? "the ORB has a schedule"
                                   : "the ORB listens: a schedule is for the time before the root POA is "
                                     "first asked for");
  if (options.pending_reports == 0 || options.pending_reports > most_reports)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "schedule: " + std::to_string(options.pending_reports) +
                               " reports may wait: it takes 1 to " + std::to_string(most_reports));
  const auto table = table_of(std::move(operations));
  priorities_->choose_mapping_for(priorities_of(*table));
  std::unique_ptr<Reporter> reporter;
  if (options.report)
    reporter = std::make_unique<Reporter>(std::move(options.report), options.pending_reports, records_);
  watch_over(*table);
  if (filters_) add_queues(*table, options);
  raise_readers_above(*table);
  tables_.put(table);
  reporter_ = std::move(reporter);
  server_.pipeline.put(server::Pipeline::Place::schedule, this);
  server_.schedule = this;
}

ScheduleChange OperationSchedule::change(std::vector<ScheduledOperation> operations, nanoseconds bound) {
  periodic_.refuse_in_job();
  std::lock_guard one_at_a_time(changing_);
  {
    std::lock_guard lock(mutex_);
    require_schedule();
  }
  const auto table = table_of(std::move(operations));
  priorities_->require_distinct(priorities_of(*table));
  assign_queues(*table);
  watch_over(*table);
  raise_readers_above(*table);
  const auto asked = Clock::now();
  const auto at = periodic_.change({.operation = [&](std::string_view name) { return table->named(name); },
                                    .take_effect =
                                        [&] {
                                          std::lock_guard lock(mutex_);
                                          require_schedule();
                                          if (tables_.put(table)) return;
                                          throw CORBA::TRANSIENT(
                                              0, CORBA::COMPLETED_NO,
                                              "requests under way hold " + std::to_string(TablesInUse::most) +
                                                  " former schedules: change it when some have ended");
                                        },
                                    .host = release_host(),
                                    .bound = asked + bound});
  changes_.fetch_add(1, std::memory_order_relaxed);
  return {.at = at, .waited = at - asked};
}

// Call with mutex_ held.
void OperationSchedule::require_schedule() const {
  if (server_.schedule && !stopped_) return;
  throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                             stopped_ ? "the ORB has been shut down" : "the ORB has no schedule to change");
}

std::shared_ptr<ScheduleTable> OperationSchedule::table_of(std::vector<ScheduledOperation> operations) {
  return std::make_shared<ScheduleTable>(std::move(operations), *records_, rows_);
}

// Call with mutex_ or changing_ held.
void OperationSchedule::raise_readers_above(const ScheduleTable& table) {
  for (const auto& operation : table.operations())
    if (operation->priority > highest_priority_) highest_priority_ = operation->priority;
}

void OperationSchedule::watch_over(const ScheduleTable& table) {
  if (watch_ ||
      std::ranges::none_of(table.operations(), [](const auto& one) { return one->acts_on_overrun(); }))
    return;
  watch_ =
      std::make_unique<BudgetWatch>(static_cast<BudgetWatch::Host&>(*this), priorities_->scheduling_class());
  watching_ = watch_.get();
}

// The priority of a queue is the highest of its operations.
void OperationSchedule::add_queues(const ScheduleTable& table, const ScheduleOptions& options) {
  std::map<std::int32_t, std::int16_t> priorities;
  for (const auto& operation : table.operations()) {
    const auto [known, added] = priorities.emplace(operation->declared().queue, operation->priority);
    if (!added) known->second = std::max(known->second, operation->priority);
  }
  const server::PoolThreads like = filters_->default_queue();
  for (const auto& [number, priority] : priorities) {
    RequestQueueOptions queue{.name = "takt-queue-" + std::to_string(number),
                              .threads = options.threads_per_queue,
                              .max_waiting = like.buffer->requests,
                              .own_order = like.order,
                              .stack_bytes = like.stack_bytes};
    if (priority >= 0) queue.prepare = [priorities = priorities_, at = priority] { priorities->run_at(at); };
    queues_[number] = filters_->add_queue(queue);
  }
  filters_->add_schedule();
  assign_queues(table);
}

void OperationSchedule::assign_queues(const ScheduleTable& table) const {
  if (!filters_) return;
  for (const auto& operation : table.operations()) {
    const auto found = queues_.find(operation->declared().queue);
    if (found == queues_.end())
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "schedule: operation '" + operation->declared().name + "' is of queue " +
                                 std::to_string(operation->declared().queue) +
                                 ", which the schedule that was installed does not have");
    operation->RequestTiming::queue = found->second;
  }
}

void OperationSchedule::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
}

void OperationSchedule::stop(nanoseconds bound) {
  {
    std::lock_guard lock(mutex_);
    closed_ = stopped_ = true;
  }
  if (reporter_) reporter_->stop(bound);
}

std::shared_ptr<Operation> OperationSchedule::operation(std::string_view name) const {
  const ScheduleTable* const table = tables_.enter();
  if (!table) throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "the ORB has no schedule: install one");
  auto found = table->named(name);
  TablesInUse::leave(*table);
  if (!found)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "operation '" + std::string(name) + "' is not in the schedule");
  return found;
}

std::vector<OperationStatistics> OperationSchedule::statistics() const {
  std::vector<OperationStatistics> all;
  const ScheduleTable* const table = tables_.enter();
  if (!table) return all;
  for (const auto& operation : table->operations()) all.push_back(operation->record().statistics());
  TablesInUse::leave(*table);
  return all;
}

[[gnu::cold]] OperationRuns OperationSchedule::runs() const {
  OperationRuns runs;
  for (const auto& record : records_->all()) {
    const OperationStatistics counts = record->statistics();
    if (counts.begun + counts.refusals + counts.releases_left_out == 0) continue;
    if (const TimeHistogram* const responses = record->responses()) {
      const std::int64_t count = responses->count();
      runs.all.push_back({counts, count, responses->shortest(), responses->at(count / 2),
                          responses->at(count * 99 / 100), responses->longest()});
    } else {
      ++runs.left_out;
    }
  }
  return runs;
}

std::uint64_t OperationSchedule::reports_lost() const {
  std::lock_guard lock(mutex_);
  return reporter_ ? reporter_->lost() : 0;
}

Operation* OperationSchedule::find(ByteView object_key, std::string_view operation) noexcept {
  ScheduleTable* const table = tables_.enter();
  if (!table) return nullptr;
  ScheduleTable::Row row = InterfaceRows::any_interface;
  try {
    if (const adapter::KnownServant servant(adapter_.resolver, object_key); servant) {
      const std::atomic_ref known(servant.schedule_row());
      ScheduleTable::Row its = known.load(std::memory_order_relaxed);
      if (!table->knows(its)) [[unlikely]] {
        its = table->meet(*servant);
        known.store(its, std::memory_order_relaxed);
      }
      row = its;
    }
  } catch (...) {  // out of memory, or the servant does not know its type
  }
  Operation* const found = table->find(row, operation);
  if (!found) TablesInUse::leave(*table);
  return found;
}

void OperationSchedule::done_with(const server::RequestTiming& timing) noexcept {
  TablesInUse::leave(*static_cast<const Operation&>(timing).table);
}

std::optional<nanoseconds> OperationSchedule::early_by(const server::RequestTiming& timing,
                                                       Clock::time_point arrived, std::uint64_t client,
                                                       nanoseconds period) noexcept {
  auto& operation = const_cast<Operation&>(static_cast<const Operation&>(timing));
  if (operation.is_suspended(Clock::now())) return std::nullopt;
  return period.count() > 0 ? operation.early_by(arrived, client, period) : operation.early_by(arrived);
}

std::optional<os::Scheduling> OperationSchedule::reader_scheduling() const noexcept {
  const std::int16_t highest = highest_priority_.load(std::memory_order_relaxed);
  if (highest < 0 || priorities_->scheduling_class() == os::SchedulingClass::other) return std::nullopt;
  return priorities_->upcall_scheduling_at(highest);
}

void OperationSchedule::dispatch(server::ServerCall& call) noexcept {
  const auto now = Clock::now();
  const server::PresentArrival* const arrival = server::PresentArrival::take();
  server::HeldTiming held;  // used if it did not come through a queue
  if (!arrival) held = server::HeldTiming(this, call.object_key(), call.operation());
  // It comes from one of this schedule's tables.
  Operation* const operation =
      static_cast<Operation*>(const_cast<server::RequestTiming*>(arrival ? arrival->timing() : held.get()));
  if (!operation) return serve(call);
  if (operation->refuses(now)) {
    delay_reads(*operation, operation->suspended_for(now), now);
    return call.system_exception(CORBA::TRANSIENT(
        0, CORBA::COMPLETED_NO,
        std::string("operation ").append(call.operation()) +
            " has used more of the processor than its schedule allows, and rests until that is made up for"));
  }
  const auto arrived = arrival ? arrival->at() : now;
  const Quality* const quality = present_quality();
  // A queued request was compared with its rate when it was read.
  const std::optional<nanoseconds> compared = arrival ? arrival->early_by() : std::nullopt;
  const nanoseconds early_by =
      compared ? *compared
               : this->early_by(*operation, arrived, server::ReceivedQuality::present_client(),
                                quality ? quality->period : 0ns)
                     .value_or(0ns);
  if (early_by.count() != 0 && !admit_early(*operation, early_by)) {
    delay_reads(*operation, early_by, now);
    return refuse_early(call, std::max(operation->declared().period, quality ? quality->period : 0ns),
                        early_by);
  }
  const bool demoted = early_by.count() != 0 && operation->on_early() == OnEarly::demote;
  const Release release(release_host(), *operation, &call, arrived, now, demoted);
  serve(call);
}

// Withdraws a read delay that an earlier refusal, or one within the call, has requested.
void OperationSchedule::serve(server::ServerCall& call) noexcept {
  next().dispatch(call);
  server::ReadDelay::withdraw();
}

// Otherwise a flooding client would cost a read and a refusal per request.
[[gnu::cold]] void OperationSchedule::delay_reads(const Operation& operation, nanoseconds until_admitted,
                                                  Clock::time_point now) const noexcept {
  if (refusal_delay_.count() != 0)
    server::ReadDelay::ask(now, until_admitted, refusal_delay_, operation.record().refusal_turns);
}

// Counts and reports an early request; returns false if it must be refused.
[[gnu::cold]] bool OperationSchedule::admit_early(Operation& operation, nanoseconds early_by) noexcept {
  operation.record().count(OperationRecord::early);
  release_host().report(ScheduleReport::Kind::early, operation, early_by, operation.declared().period);
  if (operation.on_early() != OnEarly::refuse) return true;
  operation.record().count(OperationRecord::refusals);
  return false;
}

std::optional<os::Scheduling> OperationSchedule::on_overrun(Operation& operation,
                                                            const os::RunningThread& thread,
                                                            nanoseconds used) noexcept {
  operation.record().count(OperationRecord::overruns);
  operation.overrun_begins();
  std::optional<os::Scheduling> changed;
  if (operation.declared().on_overrun == OnOverrun::demote) changed = thread.demote();
  if (changed) operation.record().count(OperationRecord::demotions);
  release_host().report(ScheduleReport::Kind::overrun, operation, used, operation.execution);
  return changed;
}

RunTimeScheduler::RunTimeScheduler(std::shared_ptr<OperationSchedule> schedule)
    : schedule_(std::move(schedule)) {}
RunTimeScheduler::~RunTimeScheduler() = default;

void RunTimeScheduler::install(std::vector<ScheduledOperation> operations, ScheduleOptions options) {
  schedule_->install(std::move(operations), std::move(options));
}
ScheduleChange RunTimeScheduler::change(std::vector<ScheduledOperation> operations, nanoseconds bound) {
  return schedule_->change(std::move(operations), bound);
}
std::uint64_t RunTimeScheduler::changes() const { return schedule_->changes(); }
std::vector<OperationStatistics> RunTimeScheduler::statistics() const { return schedule_->statistics(); }

OperationStatistics RunTimeScheduler::statistics(std::string_view name) const {
  for (OperationStatistics& one : schedule_->statistics())
    if (one.name == name) return std::move(one);
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                         "operation '" + std::string(name) + "' is not in the schedule");
}

std::uint64_t RunTimeScheduler::reports_lost() const { return schedule_->reports_lost(); }

}  // namespace takt::rt
