#include "orb/thread_setup.h"

#include "orb/warnings.h"
#include "os/error_text.h"
#include "os/memory.h"

namespace takt::orb {

std::function<void()> ThreadSetup::for_pool() {
  if (settings_.stack_prefault_bytes == 0) return [] {};
  return [self = shared_from_this()] { self->back_stack(); };
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
