// One operation of a schedule.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include <takt/rt/schedule.h>

#include "queued/request_timing.h"
#include "rt/operations/operation_record.h"

namespace takt::rt {

class ScheduleTable;
using Clock = std::chrono::steady_clock;

// Any thread; the declaration is immutable.
class alignas(64) Operation final : public server::RequestTiming {
 public:
  // `record`: shared by all operations of that name; null: makes a new one.
  explicit Operation(ScheduledOperation declared, std::shared_ptr<OperationRecord> record = nullptr)
      : declared_(std::move(declared)),
        record_(record ? std::move(record) : std::make_shared<OperationRecord>(declared_.name)) {
    priority = declared_.priority;
    sub_priority = declared_.sub_priority;
    deadline = declared_.deadline;
    execution = declared_.execution;
    critical = declared_.critical;
    ahead_ns_ = (declared_.jitter + (declared_.burst - 1) * declared_.period).count();
  }

  const ScheduledOperation& declared() const { return declared_; }
  bool has_budget() const { return execution.count() > 0; }
  bool acts_on_overrun() const { return declared_.on_overrun != OnOverrun::count; }
  OperationRecord& record() const { return *record_; }
  // The table that contains it; null: none.
  const ScheduleTable* table = nullptr;

  // By how much a request came early; zero if it conforms, or there is no rate.
  std::chrono::nanoseconds early_by(Clock::time_point arrived) {
    if (declared_.period.count() == 0) return {};
    return std::chrono::nanoseconds(
        record_->early_by(arrived.time_since_epoch().count(), declared_.period.count(), ahead_ns_));
  }
  // The same, by the client's own declared period, if any (`client` 0: unknown). A conforming request still
  // counts towards the rate of all clients.
  std::chrono::nanoseconds early_by(Clock::time_point arrived, std::uint64_t client,
                                    std::chrono::nanoseconds client_period) {
    if (declared_.period.count() == 0 || client_period.count() == 0 || client == 0) return early_by(arrived);
    return record_->clients().early_by(client,
                                       {.client_period = client_period,
                                        .operation_period = declared_.period,
                                        .ahead = std::chrono::nanoseconds(ahead_ns_)},
                                       arrived, [&] { return early_by(arrived); });
  }
  OnEarly on_early() const { return declared_.on_early.value_or(declared_.on_overrun); }

  // Whether releases are refused now. Counts refusals.
  bool refuses(Clock::time_point now) {
    if (!is_suspended(now)) return false;
    record_->count(OperationRecord::refusals);
    return true;
  }
  // The same, not counted.
  bool is_suspended(Clock::time_point now) const {
    return declared_.on_overrun == OnOverrun::refuse &&
           (record_->overrunning.load(std::memory_order_relaxed) != 0 ||
            now.time_since_epoch().count() < record_->refused_until());
  }

  // How long they will still be refused once an overrun has ended; during one, at least a period.
  std::chrono::nanoseconds suspended_for(Clock::time_point now) const {
    const std::chrono::nanoseconds rest(record_->refused_until() - now.time_since_epoch().count());
    return rest.count() > 0 ? rest : declared_.period;
  }

  void overrun_begins() { record_->overrunning.fetch_add(1, std::memory_order_relaxed); }
  void overrun_ends() { record_->overrunning.fetch_sub(1, std::memory_order_relaxed); }
  // An upcall that began at `begun` has used `used`. The operation is suspended for as long as that would
  // have taken at its share of the processor, unless an earlier suspension lasts longer.
  void suspend_for(Clock::time_point begun, std::chrono::nanoseconds used) {
    const double periods = static_cast<double>(used.count()) / static_cast<double>(execution.count());
    const double rest = std::min(periods * static_cast<double>(declared_.period.count()), longest_rest_ns);
    record_->refuse_until(begun.time_since_epoch().count() + static_cast<std::int64_t>(rest));
  }

 private:
  static constexpr double longest_rest_ns = 3.6e12;  // an hour, whatever the upcall used

  const ScheduledOperation declared_;
  std::int64_t ahead_ns_ = 0;  // how much earlier than its period a request may come
  const std::shared_ptr<OperationRecord> record_;
};

}  // namespace takt::rt
