// Background work of an ORB, if options ask for it: orderly shutdown on signals, reloading of files, and
// reports to the service manager.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "orb/startup/read_settings.h"
#include "orb/upkeep/reload.h"
#include "os/process/service_manager.h"
#include "os/process/signal_wait.h"
#include "threads/thread.h"

namespace takt::orb {

class Runtime;

// Has its own thread. The runtime must outlive it.
class Upkeep {
 public:
  // Null if no option asks for it. Throws INITIALIZE for unknown signals, and if no thread can be started.
  static std::unique_ptr<Upkeep> begin(Runtime& runtime, const EffectiveSettings& effective);
  // Waits for the thread's current task.
  ~Upkeep();

 private:
  using Times = std::chrono::nanoseconds;

  Upkeep(Runtime& runtime, const EffectiveSettings& effective, std::unique_ptr<os::SignalWait> signals,
         std::optional<os::ServiceManager> manager);
  void keep();
  void end();

  Runtime& runtime_;
  Reload reload_;
  const Times reload_interval_;  // 0: never
  const std::unique_ptr<os::SignalWait> signals_;
  const std::optional<os::ServiceManager> manager_;
  const Times watchdog_interval_;  // 0: never
  std::atomic<bool> over_{false};
  os::Thread thread_;
};

}  // namespace takt::orb
