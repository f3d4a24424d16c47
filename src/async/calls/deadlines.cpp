#include "async/calls/deadlines.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "async/deferred/ends_elsewhere.h"
#include "threads/owning_process.h"

namespace takt::async {

Deadlines& Deadlines::of_process() {
  static Deadlines* all = [] {
    os::call_in_forked_children([] {
      if (all->is_used()) all = new Deadlines;
    });
    return new Deadlines;
  }();
  return *all;
}

// A lock that another thread of the parent holds is never released here.
bool Deadlines::is_used() {
  if (!mutex_.try_lock()) return true;
  mutex_.unlock();
  return thread_.runs();
}

void Deadlines::add(Call& call, std::uint32_t attempt) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (call.attempt != attempt || call.place != 0) return;
    call.posted = true;
    if (call.cancelled)
      give_up(call);
    else if (add_deadline(call))
      return;
    else
      end(call, Status::no_memory);
  }
  client::hand_on_ended();
}

// Call with mutex_ held, as start(), end(), give_up() and end_late(). False: there is no memory for it.
bool Deadlines::add_deadline(Call& call) noexcept {
  if (call.deadline == Call::Clock::time_point::max()) return true;
  try {
    heap_.push_back(&call);
  } catch (const std::bad_alloc&) {
    return false;
  }
  call.place = heap_.size();
  rise(heap_.size() - 1);
  if (start() && call.deadline < wakes_at_) {
    wakes_at_ = call.deadline;
    changed_.notify_one();
  }
  return true;
}

// False: the thread was not running; if it cannot be started, the next call tries again.
bool Deadlines::start() {
  if (thread_.runs()) return true;
  thread_.start({.name = "takt-deadlines"}, [this] { run(); });
  return false;
}

void Deadlines::watch(std::weak_ptr<client::ActiveConnection> connection, std::chrono::nanoseconds timeout) {
  constexpr int looks = 8;
  const std::lock_guard lock(mutex_);
  const std::chrono::nanoseconds interval = timeout / looks;
  std::erase_if(connections_, [](const Watched& one) { return one.connection.expired(); });
  connections_.push_back({std::move(connection), interval, Call::Clock::now() + interval});
  if (start()) changed_.notify_one();
}

// Holds no lock while it looks at a connection, which may end meanwhile (ends_elsewhere()).
void Deadlines::look_at_connections(Call::Clock::time_point now) noexcept {
  for (std::size_t i = 0;; ++i) {
    std::shared_ptr<client::ActiveConnection> connection;
    {
      const std::lock_guard lock(mutex_);
      while (i < connections_.size() && connections_[i].next > now) ++i;
      if (i >= connections_.size()) return;
      connections_[i].next = now + connections_[i].interval;
      connection = connections_[i].connection.lock();
    }
    if (connection) connection->give_up_late(now);
    client::hand_on_ended();
  }
}

// The connection decides whether the reply or this came first.
void Deadlines::end(Call& call, Status how) {
  call.posted = false;
  if (call.place != 0) take_out(call);
  call.connection->give_up_posted(call.request_id, call, how);
}

void Deadlines::give_up(Call& call) {
  call.given_up.store(true, std::memory_order_relaxed);
  end(call, Status::timeout);
}

void Deadlines::cancel(Call& call) noexcept {
  {
    const std::lock_guard lock(mutex_);
    call.cancelled = true;
    if (!call.posted) return;
    give_up(call);
  }
  client::hand_on_ended();
}

void Deadlines::remove(Call& call) {
  const std::lock_guard lock(mutex_);
  ++call.attempt;
  call.posted = false;
  if (call.place != 0) take_out(call);
}

void Deadlines::run() noexcept {
  PromptThread::mark();
  for (;;) {
    {
      os::PriorityCondition::Lock lock(mutex_);
      std::erase_if(connections_, [](const Watched& one) { return one.connection.expired(); });
      wakes_at_ = heap_.empty() ? Call::Clock::time_point::max() : heap_.front()->deadline;
      for (const Watched& one : connections_) wakes_at_ = std::min(wakes_at_, one.next);
      if (wakes_at_ == Call::Clock::time_point::max())
        changed_.wait(lock);
      else if (wakes_at_ > Call::Clock::now())
        changed_.wait_until(lock, wakes_at_);
      end_late(Call::Clock::now());
    }
    client::hand_on_ended();
    look_at_connections(Call::Clock::now());
  }
}

void Deadlines::end_late(Call::Clock::time_point now) {
  while (!heap_.empty() && heap_.front()->deadline <= now) end(*heap_.front(), Status::timeout);
}

void Deadlines::put(std::size_t place, Call* call) {
  heap_[place] = call;
  call->place = place + 1;
}

void Deadlines::rise(std::size_t place) {
  Call* const call = heap_[place];
  while (place != 0) {
    const std::size_t above = (place - 1) / 2;
    if (heap_[above]->deadline <= call->deadline) break;
    put(std::exchange(place, above), heap_[above]);
  }
  put(place, call);
}

void Deadlines::sink(std::size_t place) {
  Call* const call = heap_[place];
  for (;;) {
    std::size_t below = 2 * place + 1;
    if (below >= heap_.size()) break;
    if (below + 1 < heap_.size() && heap_[below + 1]->deadline < heap_[below]->deadline) ++below;
    if (call->deadline <= heap_[below]->deadline) break;
    put(std::exchange(place, below), heap_[below]);
  }
  put(place, call);
}

void Deadlines::take_out(Call& call) {
  const std::size_t place = std::exchange(call.place, 0) - 1;
  Call* const last = heap_.back();
  heap_.pop_back();
  if (last == &call) return;
  put(place, last);
  rise(place);
  sink(last->place - 1);
}

}  // namespace takt::async
