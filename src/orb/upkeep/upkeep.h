// Background work of an ORB, if options ask for it: orderly shutdown on signals, reloading of files, and
// reports to the service manager.
#pragma once

#include <memory>
#include <utility>

#include "orb/startup/read_settings.h"
#include "threads/thread.h"

namespace takt::orb {

class Runtime;

// Has its own thread. The runtime must outlive it.
class Upkeep {
 public:
  // Null if no option asks for it. Throws INITIALIZE for unknown signals, and if no thread can be started.
  static std::unique_ptr<Upkeep> begin(Runtime& runtime, const EffectiveSettings& effective);
  // Waits for the thread's current task, and gives the signals back. If the task itself destroys the ORB, the
  // thread ends behind it.
  ~Upkeep();

 private:
  class Work;

  explicit Upkeep(std::shared_ptr<Work> work) : work_(std::move(work)) {}

  std::shared_ptr<Work> work_;  // the thread has it too
  os::Thread thread_;
};

}  // namespace takt::orb
