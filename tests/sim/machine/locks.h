// Mutexes, conditions, semaphores and similar objects, identified by their addresses.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "machine/faults.h"
#include "machine/random.h"
#include "machine/scheduler.h"

namespace takt::sim {

// All functions return the same as their pthread namesakes. Misuse of a lock is a finding.
class Locks {
 public:
  Locks(Scheduler& scheduler, const Faults& faults, std::uint64_t seed)
      : scheduler_(scheduler), faults_(faults), random_(seed, Random::Stream::faults) {}

  int lock(const void* mutex, Time deadline = never);
  int try_lock(const void* mutex);
  int unlock(const void* mutex);

  int lock_shared(const void* mutex);
  int try_lock_shared(const void* mutex);
  int unlock_any(const void* mutex);

  int wait(const void* condition, const void* mutex, Time deadline = never);
  void wake(const void* condition, bool all);

  void set_count(const void* semaphore, unsigned count) { counts_[semaphore] = count; }
  void forget_count(const void* semaphore) { counts_.erase(semaphore); }
  void release(const void* semaphore);
  int acquire(const void* semaphore, Time deadline = never);
  bool try_acquire(const void* semaphore);

  // Waits while `*word` is `expected`, as futex(2) does.
  int futex_wait(const int* word, int expected, Time deadline);
  long futex_wake(const int* word, long most);

 private:
  struct Held {
    SimThread* owner = nullptr;  // exclusive owner
    unsigned shared = 0;
  };
  struct Waiter {
    const void* on;
    bool woken = false;
  };
  long wake_waiters(const void* on, long most);
  bool sleep_on(const void* on, const char* what, Time deadline, Waiter& waiter);

  Scheduler& scheduler_;
  const Faults& faults_;
  Random random_;
  std::unordered_map<const void*, Held> held_;
  std::unordered_map<const void*, unsigned> counts_;
  std::vector<Waiter*> waiters_;
};

}  // namespace takt::sim
