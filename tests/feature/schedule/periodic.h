// Helpers for tests of the periodic dispatcher.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include <takt/rt/periodic.h>

#include "flight.h"

namespace flight {

inline CORBA::object_reference<takt::rt::PeriodicDispatcher> dispatcher_of(const Orb& orb) {
  return IDL::traits<takt::rt::PeriodicDispatcher>::narrow(
      orb->resolve_initial_references("PeriodicDispatcher"));
}

// Records the releases that a call has seen.
class Jobs {
 public:
  using Job = takt::rt::PeriodicJob;
  void note(const Job& job) {
    std::lock_guard lock(mutex_);
    all_.push_back(job);
    changed_.notify_all();
  }
  std::vector<Job> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return all_.size() >= count; });
    return all_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Job> all_;
};

}  // namespace flight
