#include "async/deferred_calls.h"

#include <cerrno>
#include <chrono>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include <takt/cdr/exception.h>

#include "os/error_text.h"
#include "reference/context/thread_context.h"

namespace takt::async {

namespace {
constexpr std::chrono::seconds idle_time(10);
}

DeferredCalls& DeferredCalls::of_process() {
  static DeferredCalls& calls = *new DeferredCalls;
  return calls;
}

DeferredCalls& DeferredCalls::of_programs() {
  static DeferredCalls& calls = *new DeferredCalls;
  return calls;
}

void DeferredCalls::add(std::function<void()> call) {
  std::unique_lock lock(mutex_);
  waiting_.push_back(std::move(call));
  if (idle_ >= waiting_.size()) {
    lock.unlock();
    changed_.notify_one();
    return;
  }
  if (threads_.size() >= usual_threads) return begin_watching();
  const int error = begin_thread();
  if (error == 0 || !threads_.empty()) return;
  waiting_.pop_back();
  throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                            "no thread can be begun for a deferred request: " + os::error_text(error));
}

// Call with mutex_ held, as the next one. Returns an errno value, or 0.
int DeferredCalls::begin_thread() noexcept {
  try {
    Threads begun(1);
    const auto self = begun.begin();
    // It serves later calls too, so it inherits nothing from the thread of this one.
    auto thread = os::Thread::start({.name = "takt-deferred", .scheduling = os::Scheduling()},
                                    [this, self] { serve(self); });
    if (!thread) return thread.error();
    *self = std::move(*thread);
    threads_.splice(threads_.end(), begun);
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

// Without a thread for that, the next call tries again.
void DeferredCalls::begin_watching() noexcept {
  if (watched_) return;
  try {
    auto thread = os::Thread::start({.name = "takt-deferred"}, [this] { watch(); });
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
    if (taken_ == before && !waiting_.empty() && threads_.size() < most_threads) begin_thread();
  }
  watched_ = false;
}

void DeferredCalls::serve(Threads::iterator self) {
  Threads before;  // joined without the lock, which what a thread destroys at its end may wait for
  std::unique_lock lock(mutex_);
  for (;;) {
    while (!waiting_.empty()) {
      auto call = std::move(waiting_.front());
      waiting_.pop_front();
      ++taken_;
      lock.unlock();
      call();
      call = nullptr;
      reference::ThreadContext::mine().clear_slots();
      lock.lock();
    }
    ++idle_;
    const bool more = changed_.wait_for(lock, idle_time, [this] { return !waiting_.empty(); });
    --idle_;
    if (!more) break;
  }
  before.swap(ended_);
  ended_.splice(ended_.end(), threads_, self);
}

}  // namespace takt::async
