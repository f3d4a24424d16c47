#include "async/deferred/deferred_calls.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include <takt/cdr/exception.h>

#include "async/deferred/program_context.h"
#include "os/error_text.h"

namespace takt::async {

namespace {
constexpr std::chrono::seconds idle_time(10);
}  // namespace

os::Scheduling scheduling_of(os::Urgency urgency) {
  if (urgency == 0 || urgency == os::urgency_of_reservations) return {};  // a reservation is one thread's
  return {os::SchedulingClass::fifo, urgency};
}

DeferredCalls& DeferredCalls::of_process() {
  static DeferredCalls& calls = *new DeferredCalls;
  return calls;
}

DeferredCalls& DeferredCalls::of_programs() {
  static DeferredCalls& calls = *new DeferredCalls;
  return calls;
}

void DeferredCalls::add(std::function<void()> call, os::Urgency urgency) {
  urgency = scheduling_of(urgency).priority;
  const std::lock_guard lock(mutex_);
  const auto place =
      waiting_.insert(std::ranges::upper_bound(waiting_, urgency, std::greater(), &Waiting::urgency),
                      {std::move(call), urgency});
  if (!idle_.empty()) return call_idle(urgency);
  if (servers_.size() >= (urgency > 0 ? most_threads : usual_threads)) return begin_watching();
  const int error = begin_thread(urgency);
  if (error == 0) return;
  if (!servers_.empty()) return begin_watching();
  waiting_.erase(place);
  throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                            "no thread can be begun for a deferred request: " + os::error_text(error));
}

// Call with mutex_ held, as the next one. The thread that was idle last takes the first call that waits.
void DeferredCalls::call_idle(os::Urgency urgency) {
  Server& server = *idle_.back();
  idle_.pop_back();
  server.is_called = true;
  if (urgency > 0 && os::set_scheduling_of(server.thread.handle(), scheduling_of(urgency)) == 0)
    server.at = urgency;
  server.changed.notify_one();
}

// Returns an errno value, or 0.
int DeferredCalls::begin_thread(os::Urgency urgency) noexcept {
  try {
    idle_.reserve(servers_.size() + 1);
    Servers begun(1);
    const auto self = begun.begin();
    self->at = urgency;
    // It serves later calls too, so it inherits nothing from the thread of this one.
    auto thread = os::Thread::start({.name = "takt-deferred", .scheduling = scheduling_of(urgency)},
                                    [this, self] { serve(self); });
    if (!thread) return thread.error();
    self->thread = std::move(*thread);
    servers_.splice(servers_.end(), begun);
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

// Without a thread for that, the next call tries again.
void DeferredCalls::begin_watching() noexcept {
  if (watched_) return;
  try {
    auto thread =
        os::Thread::start({.name = "takt-deferred", .scheduling = scheduling_of(0)}, [this] { watch(); });
    if (!thread) return;
    thread->detach();
    watched_ = true;
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): as without a thread
  }
}

// While calls wait.
void DeferredCalls::watch() {
  os::PriorityCondition::Lock lock(mutex_);
  while (!waiting_.empty()) {
    const std::uint64_t before = taken_;
    never_.wait_for(lock, patience, [] { return false; });
    if (taken_ == before && !waiting_.empty() && servers_.size() < most_threads)
      begin_thread(waiting_.front().urgency);
  }
  watched_ = false;
}

// In the server's thread, with mutex_ held. Without permission it stays as it is.
void DeferredCalls::run_at(Server& self, os::Urgency urgency) {
  if (self.at == urgency) return;
  self.at = urgency;
  static_cast<void>(os::set_scheduling(scheduling_of(urgency)));
}

void DeferredCalls::serve(Servers::iterator self) {
  Servers before;  // joined without the lock, which what a thread destroys at its end may wait for
  std::unique_lock lock(mutex_);
  for (;;) {
    while (!waiting_.empty()) {
      Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      ++taken_;
      // With the lock, since the thread that was called for it may wait for that.
      run_at(*self, next.urgency);
      lock.unlock();
      next.call();
      next.call = nullptr;
      forget_slots_and_policies();
      lock.lock();
    }
    run_at(*self, 0);
    self->is_called = false;
    idle_.push_back(self);
    if (!self->changed.wait_for(lock, idle_time, [&] { return self->is_called; })) break;
  }
  std::erase(idle_, self);
  before.swap(ended_);
  ended_.splice(ended_.end(), servers_, self);
}

}  // namespace takt::async
