#include "orb/server/thread_setup.h"

#include <optional>
#include <utility>

#include "config/lane_options.h"
#include "os/error_text.h"
#include "os/memory/memory.h"

namespace takt::orb {

ThreadSetup::ThreadSetup(const Settings& settings)
    : warnings_(settings.warnings),
      stack_prefault_bytes_(settings.threads.stack_prefault_bytes),
      lane_processors_(orb::lane_processors(settings.threads.lane_processors)),
      reservations_(settings, lane_processors_) {}

std::function<void()> ThreadSetup::for_pool() {
  if (stack_prefault_bytes_ == 0) return {};
  return [self = shared_from_this()] { self->back_stack(); };
}

std::function<void()> ThreadSetup::for_lane(std::int16_t priority,
                                            std::shared_ptr<LaneReservations::Lane> lane,
                                            std::shared_ptr<LaneStart> start) {
  const auto bound = lane_processors_.find(priority);
  if (!lane && bound == lane_processors_.end()) return for_pool();
  const auto processors = bound == lane_processors_.end() ? std::nullopt : std::optional(bound->second);
  return [self = shared_from_this(), processors, lane = std::move(lane), start = std::move(start)] {
    if (processors) self->run_on(*processors);
    self->back_stack();
    if (lane) self->reservations_.begin_thread(*lane, *start);
  };
}

void ThreadSetup::run_on(const os::Processors& processors) {
  const int error = os::run_on(processors);
  if (error == 0 || told_of_processors_.exchange(true)) return;
  warnings_.say("a lane's threads cannot run on processors " + os::to_text(processors) + ": " +
                os::error_text(error));
}

void ThreadSetup::back_stack() {
  if (stack_prefault_bytes_ == 0) return;
  const int error = os::back_stack(stack_prefault_bytes_);
  if (error == 0 || told_of_stack_.exchange(true)) return;
  warnings_.say("stacks are not prefaulted: " + os::error_text(error) +
                "; -ORBStackPrefault needs Linux 5.14");
}

void lock_memory(const Settings& settings) {
  if (!settings.threads.lock_memory) return;
  if (const int error = os::lock_memory())
    settings.warnings.say("memory is not locked: " + os::error_text(error) +
                          "; -ORBLockMemory needs CAP_IPC_LOCK or an unlimited RLIMIT_MEMLOCK");
}

}  // namespace takt::orb
