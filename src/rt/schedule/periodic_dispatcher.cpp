#include <takt/rt/periodic.h>

#include "rt/schedule/operation_schedule.h"

namespace takt::rt {

PeriodicDispatcher::PeriodicDispatcher(std::shared_ptr<OperationSchedule> schedule)
    : schedule_(std::move(schedule)) {}
PeriodicDispatcher::~PeriodicDispatcher() = default;

void PeriodicDispatcher::add(PeriodicCall call) {
  auto operation = schedule_->operation(call.operation);
  schedule_->periodic().add(std::move(call), std::move(operation));
}

os::TimePoint PeriodicDispatcher::start(const PeriodicOptions& options) {
  return schedule_->periodic().start({.host = schedule_->release_host(),
                                      .alive = schedule_,
                                      .reserves = options.reserve,
                                      .before_serving = schedule_->before_serving()},
                                     options);
}

bool PeriodicDispatcher::stop(std::chrono::nanoseconds bound) { return schedule_->periodic().stop(bound); }

}  // namespace takt::rt
