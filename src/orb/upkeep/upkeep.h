// What an ORB does by itself while it runs, where options ask for it: it ends in good order at a signal,
// reads its files anew, and tells the service manager how it fares.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "orb/startup/read_settings.h"
#include "orb/upkeep/reload.h"
#include "os/process/service_manager.h"
#include "os/process/signal_wait.h"
#include "os/threads/thread.h"

namespace takt::orb {

class Runtime;

// Has a thread of its own. The runtime outlives it.
class Upkeep {
 public:
  // Null where no option asks for it. INITIALIZE for signals that there are not, and where the system gives
  // no thread.
  static std::unique_ptr<Upkeep> begin(Runtime& runtime, const EffectiveSettings& effective);
  // Once what the thread does at that moment is done.
  ~Upkeep();

 private:
  using Times = std::chrono::nanoseconds;

  Upkeep(Runtime& runtime, const EffectiveSettings& effective, std::unique_ptr<os::SignalWait> signals,
         std::optional<os::ServiceManager> manager);
  void keep();
  void end();

  Runtime& runtime_;
  Reload reload_;
  const Times reload_interval_;  // 0: none
  const std::unique_ptr<os::SignalWait> signals_;
  const std::optional<os::ServiceManager> manager_;
  const Times watchdog_interval_;  // 0: none
  std::atomic<bool> over_{false};
  os::Thread thread_;
};

}  // namespace takt::orb
