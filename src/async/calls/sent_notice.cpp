// Calls that tell when their requests have left.
#include <chrono>
#include <mutex>
#include <utility>

#include <takt/async/sent_scope.h>

#include "async/calls/call.h"
#include "async/calls/call_scopes.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt {

SentScope::SentScope(std::shared_ptr<SentListener> listener)
    : listener_(std::move(listener)), outer_(std::exchange(async::CallScopes::mine().sent, this)) {}

SentScope::~SentScope() { async::CallScopes::mine().sent = outer_; }

const SentScope* SentScope::present() noexcept { return async::CallScopes::mine().sent; }

SentListener::~SentListener() = default;

struct SentNotice::Waits {
  mutable os::PriorityMutex mutex;
  os::PriorityCondition changed;
  std::size_t left = 0;  // calls that are not settled
  State state = State::waits;
  State worst = State::sent;  // outcome of the calls so far
};

SentNotice::SentNotice(std::size_t calls) : waits_(std::make_unique<Waits>()) {
  waits_->left = calls;
  if (calls == 0) waits_->state = State::sent;
}

SentNotice::~SentNotice() = default;

SentNotice::State SentNotice::state() const {
  const std::lock_guard lock(waits_->mutex);
  return waits_->state;
}

SentNotice::State SentNotice::wait_for(std::chrono::nanoseconds timeout) const {
  using Clock = os::PriorityCondition::Clock;
  const auto now = Clock::now();
  const auto until = timeout < Clock::time_point::max() - now ? now + timeout : Clock::time_point::max();
  os::PriorityCondition::Lock lock(waits_->mutex);
  waits_->changed.wait_until(lock, until, [this] { return waits_->state != State::waits; });
  return waits_->state;
}

void SentNotice::settle(State how) noexcept {
  {
    const std::lock_guard lock(waits_->mutex);
    if (waits_->left == 0) return;  // more calls than the program has said
    if (how != State::sent) waits_->worst = how;
    if (--waits_->left != 0) return;
    waits_->state = waits_->worst;
    waits_->changed.notify_all();
  }
  void* const waiting = waiting_.exchange(this);
  if (waiting) std::coroutine_handle<>::from_address(waiting).resume();
}

}  // namespace takt

namespace takt::async {

void Call::take_sent_listener() {
  const SentScope* const scope = SentScope::present();
  if (!scope) [[likely]]
    return;
  sent_listener = scope->listener();
  has_extras = true;
}

// The waiter stays until `left` has been handed on.
bool Call::begin_sent_report() {
  tells_left = sent_listener && !in_queue && !reported.load(std::memory_order_relaxed);
  if (!tells_left) return false;
  in_queue = true;
  keep();
  return true;
}

void Call::cancel_sent_report() {
  in_queue = false;
  tells_left = false;
  release();
}

void Call::end_sent_report() noexcept {
  if (left_whole)
    report_sent();
  else
    in_queue = false;
  release();
}

void Call::report_sent() noexcept {
  if (!reported.exchange(true)) sent_listener->sent();
}

void Call::report_not_sent() noexcept {
  if (!reported.exchange(true)) sent_listener->not_sent();
}

void Call::drop_sent_listener() noexcept {
  sent_listener = nullptr;
  reported.store(false, std::memory_order_relaxed);
  in_queue.store(false, std::memory_order_relaxed);
  tells_left = left_whole = false;
}

}  // namespace takt::async
