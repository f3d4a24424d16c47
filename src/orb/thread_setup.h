// What each thread of a pool does before it serves.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "orb/config/settings.h"

namespace takt::orb {

// As the options say. One of an ORB; any thread. What the system refuses is said once, and left out.
class ThreadSetup : public std::enable_shared_from_this<ThreadSetup> {
 public:
  explicit ThreadSetup(const Settings& settings) : settings_(settings) {}

  std::function<void()> for_pool();

 private:
  void back_stack();

  const Settings settings_;
  std::atomic<bool> told_of_stack_{false};
};

// As LockMemory says, for the whole process.
void lock_memory(const Settings& settings);

}  // namespace takt::orb
