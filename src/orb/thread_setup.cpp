#include "orb/thread_setup.h"

#include "orb/config/lane_options.h"
#include "orb/warnings.h"
#include "os/error_text.h"
#include "os/memory/memory.h"

namespace takt::orb {

ThreadSetup::ThreadSetup(const Settings& settings)
    : settings_(settings), lane_processors_(orb::lane_processors(settings.lane_processors)) {}

std::function<void()> ThreadSetup::for_pool() {
  if (settings_.stack_prefault_bytes == 0) return {};
  return [self = shared_from_this()] { self->back_stack(); };
}

std::function<void()> ThreadSetup::for_lane(std::int16_t priority) {
  const auto found = lane_processors_.find(priority);
  if (found == lane_processors_.end()) return for_pool();
  return [self = shared_from_this(), processors = found->second] {
    self->run_on(processors);
    self->back_stack();
  };
}

void ThreadSetup::run_on(const os::Processors& processors) {
  const int error = os::run_on(processors);
  if (error == 0 || told_of_processors_.exchange(true)) return;
  warn(settings_,
       "a lane's threads cannot run on processors " + os::to_text(processors) + ": " + os::error_text(error));
}

void ThreadSetup::back_stack() {
  if (settings_.stack_prefault_bytes == 0) return;
  const int error = os::back_stack(settings_.stack_prefault_bytes);
  if (error == 0 || told_of_stack_.exchange(true)) return;
  warn(settings_,
       "stacks are not prefaulted: " + os::error_text(error) + "; -ORBStackPrefault needs Linux 5.14");
}

void lock_memory(const Settings& settings) {
  if (settings.lock_memory != "on") return;
  if (const int error = os::lock_memory())
    warn(settings, "memory is not locked: " + os::error_text(error) +
                       "; -ORBLockMemory needs CAP_IPC_LOCK or an unlimited RLIMIT_MEMLOCK");
}

}  // namespace takt::orb
