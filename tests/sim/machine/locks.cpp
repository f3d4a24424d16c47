#include "machine/locks.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <iterator>

#include "machine/finding.h"

namespace takt::sim {

int Locks::lock(const void* mutex, Time deadline) {
  scheduler_.step("locks");
  SimThread* const self = Scheduler::current();
  if (const auto found = held_.find(mutex); found != held_.end()) {
    if (found->second.owner == self) report_finding("a thread locks a mutex that it holds");
    if (!scheduler_.wait("a mutex", [&] { return !held_.contains(mutex); }, deadline)) return ETIMEDOUT;
  }
  held_[mutex].owner = self;
  return 0;
}

int Locks::try_lock(const void* mutex) {
  scheduler_.step("tries to lock");
  if (held_.contains(mutex)) return EBUSY;
  held_[mutex].owner = Scheduler::current();
  return 0;
}

int Locks::unlock(const void* mutex) {
  const auto found = held_.find(mutex);
  if (found == held_.end() || found->second.owner != Scheduler::current())
    report_finding("a thread unlocks a mutex that it does not hold");
  held_.erase(found);
  scheduler_.step("unlocks");
  return 0;
}

int Locks::lock_shared(const void* mutex) {
  scheduler_.step("locks shared");
  const auto free = [&] {
    const auto found = held_.find(mutex);
    return found == held_.end() || !found->second.owner;
  };
  if (!free()) scheduler_.wait("a shared mutex", free);
  ++held_[mutex].shared;
  return 0;
}

int Locks::try_lock_shared(const void* mutex) {
  scheduler_.step("tries to lock shared");
  const auto found = held_.find(mutex);
  if (found != held_.end() && found->second.owner) return EBUSY;
  ++held_[mutex].shared;
  return 0;
}

int Locks::unlock_any(const void* mutex) {
  const auto found = held_.find(mutex);
  if (found == held_.end()) report_finding("a thread unlocks a shared mutex that nobody holds");
  if (found->second.owner) return unlock(mutex);
  if (--found->second.shared == 0) held_.erase(found);
  scheduler_.step("unlocks shared");
  return 0;
}

bool Locks::sleep_on(const void* on, const char* what, Time deadline, Waiter& waiter) {
  waiter.on = on;
  waiter.woken = random_.one_in(faults_.spurious_wake_up_one_in);
  waiters_.push_back(&waiter);
  const bool woken = scheduler_.wait(what, [&] { return waiter.woken; }, deadline);
  std::erase(waiters_, &waiter);
  return woken;
}

// The system guarantees no order among waiters.
long Locks::wake_waiters(const void* on, long most) {
  long woken = 0;
  for (; woken < most; ++woken) {
    std::vector<Waiter*> asleep;
    std::ranges::copy_if(waiters_, std::back_inserter(asleep),
                         [on](const Waiter* one) { return one->on == on && !one->woken; });
    if (asleep.empty()) break;
    asleep[random_.below(asleep.size())]->woken = true;
  }
  return woken;
}

int Locks::wait(const void* condition, const void* mutex, Time deadline) {
  const auto found = held_.find(mutex);
  if (found == held_.end() || found->second.owner != Scheduler::current())
    report_finding("a thread waits on a condition without its mutex");
  held_.erase(found);
  Waiter waiter{};
  const bool woken = sleep_on(condition, "a condition", deadline, waiter);
  if (held_.contains(mutex))
    scheduler_.wait("the mutex of a condition", [&] { return !held_.contains(mutex); });
  held_[mutex].owner = Scheduler::current();
  return woken ? 0 : ETIMEDOUT;
}

void Locks::wake(const void* condition, bool all) {
  if (faults_.defect == Defect::lost_wake_up && random_.one_in(8)) return;
  wake_waiters(condition, all ? LONG_MAX : 1);
  scheduler_.step(all ? "wakes all" : "wakes one");
}

void Locks::release(const void* semaphore) {
  ++counts_[semaphore];
  scheduler_.step("releases a semaphore");
}

bool Locks::try_acquire(const void* semaphore) {
  scheduler_.step("tries a semaphore");
  unsigned& count = counts_[semaphore];
  if (count == 0) return false;
  --count;
  return true;
}

int Locks::acquire(const void* semaphore, Time deadline) {
  if (random_.one_in(faults_.signal_one_in)) return EINTR;
  if (!scheduler_.wait("a semaphore", [&] { return counts_[semaphore] > 0; }, deadline)) return ETIMEDOUT;
  --counts_[semaphore];
  return 0;
}

int Locks::futex_wait(const int* word, int expected, Time deadline) {
  scheduler_.step("looks at a futex");
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != expected) return EAGAIN;
  Waiter waiter{};
  return sleep_on(word, "a futex", deadline, waiter) ? 0 : ETIMEDOUT;
}

long Locks::futex_wake(const int* word, long most) {
  const long woken = wake_waiters(word, most);
  scheduler_.step("wakes a futex");
  return woken;
}

}  // namespace takt::sim
