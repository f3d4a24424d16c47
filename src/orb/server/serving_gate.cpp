#include "orb/server/serving_gate.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <mutex>
#include <utility>

#include "concurrency/strategy/own_threads.h"
#include "server/output/graceful_close.h"

namespace takt::orb {

void ServingGate::add(const Concurrency& concurrency, std::unique_ptr<transport::Acceptor> acceptor,
                      giop::Messaging messaging) {
  {
    std::lock_guard lock(mutex_);
    if (!open_ && !closed_) {
      waiting_.push_back({concurrency, std::move(acceptor), messaging});
      return;
    }
    if (closed_) return acceptor->close();
  }
  concurrency->add(std::move(acceptor), messaging);
  if (serving_) serving_();
}

void ServingGate::open() {
  std::vector<Waiting> all;
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    open_ = true;
    all.swap(waiting_);
    changed_.notify_all();
  }
  std::exception_ptr failure;
  for (Waiting& one : all) {
    try {
      one.concurrency->add(std::move(one.acceptor), one.messaging);
      one.concurrency->wake();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (serving_ && !all.empty()) serving_();
}

void ServingGate::call_after(std::chrono::nanoseconds time, std::function<void()> over) {
  std::lock_guard lock(mutex_);
  if (open_ || closed_ || timer_.joinable()) return;
  auto started = os::Thread::start({.name = "takt-gate"}, [this, time, over] {
    std::unique_lock waiting(mutex_);
    const bool decided = changed_.wait_for(waiting, time, [this] { return open_ || closed_; });
    waiting.unlock();
    if (!decided) over();
  });
  if (!started) server::throw_cannot_accept(started.error());
  timer_ = std::move(*started);
}

void ServingGate::drop(const server::ServerConcurrency& concurrency, TimePoint deadline) {
  std::vector<Waiting> dropped;
  {
    std::lock_guard lock(mutex_);
    const auto [from, end] = std::ranges::stable_partition(
        waiting_, [&](const Waiting& one) { return one.concurrency.get() != &concurrency; });
    std::move(from, end, std::back_inserter(dropped));
    waiting_.erase(from, end);
  }
  for (Waiting& one : dropped) server::reject_waiting(*one.acceptor, deadline);
}

void ServingGate::close(TimePoint deadline) {
  std::vector<Waiting> all;
  os::Thread timer;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    all.swap(waiting_);
    timer = std::move(timer_);
    changed_.notify_all();
  }
  for (Waiting& one : all) server::reject_waiting(*one.acceptor, deadline);
}

}  // namespace takt::orb
