#include "async/calls/loop_inbox.h"

#include <mutex>
#include <utility>

namespace takt::async {

void LoopInbox::join(Call& call) {
  keep();
  if (LoopInbox* const before = std::exchange(call.kept_inbox, this)) before->release();
  call.has_extras = true;
  call.loop.store(this, std::memory_order_relaxed);
  call.leaves_loop = false;
  call.ended_in_loop = false;
  under_way_.fetch_add(1, std::memory_order_relaxed);
}

void LoopInbox::leave(Call& call) {
  under_way_.fetch_sub(1, std::memory_order_relaxed);
  call.loop.store(nullptr, std::memory_order_relaxed);
}

bool LoopInbox::add(Call& call) noexcept {
  LoopInbox* to = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!closed_ && !call.leaves_loop) {
      call.ended_in_loop = true;
      call.next_ended = nullptr;
      (contents_.calls ? last_->next_ended : contents_.calls) = &call;
      last_ = &call;
      if (std::exchange(waits_, false)) changed_.notify_one();
      return true;
    }
    to = std::exchange(call.moves_to, nullptr);
  }
  call.loop.store(to, std::memory_order_relaxed);
  if (!to) return false;
  call.leaves_loop = false;
  call.kept_inbox = to;
  release();
  return to->add(call);
}

bool LoopInbox::dismiss(Call& call, LoopInbox* to) {
  {
    const std::lock_guard lock(mutex_);
    under_way_.fetch_sub(1, std::memory_order_relaxed);
    call.leaves_loop = true;
    if (!take_out(call)) {
      if (to) move(call, *to);
      return false;
    }
  }
  call.loop.store(nullptr, std::memory_order_relaxed);
  return true;
}

bool LoopInbox::dismiss_elsewhere(Call& call) {
  const std::lock_guard lock(mutex_);
  if (call.loop.load(std::memory_order_relaxed) != this || call.leaves_loop) return false;
  const bool here = take_out(call);
  if (!here && call.ended_in_loop) return false;
  under_way_.fetch_sub(1, std::memory_order_relaxed);
  call.leaves_loop = true;
  calls_have_left_ = true;
  if (std::exchange(waits_, false)) changed_.notify_one();
  if (here) call.loop.store(nullptr, std::memory_order_relaxed);
  return here;
}

// Call with mutex_ held.
bool LoopInbox::take_out(Call& call) {
  Call* before = nullptr;
  Call* found = contents_.calls;
  for (; found && found != &call; found = found->next_ended) before = found;
  if (!found) return false;
  (before ? before->next_ended : contents_.calls) = call.next_ended;
  if (last_ == &call) last_ = before;
  return true;
}

// Call with mutex_ held. add() completes it, when the call ends.
void LoopInbox::move(Call& call, LoopInbox& to) {
  to.keep();
  to.under_way_.fetch_add(1, std::memory_order_relaxed);
  call.moves_to = &to;
}

void LoopInbox::add(LoopTask::promise_type& ended) noexcept {
  const std::lock_guard lock(mutex_);
  ended.next_ended = std::exchange(contents_.tasks, &ended);
  if (std::exchange(waits_, false)) changed_.notify_one();
}

LoopInbox::Contents LoopInbox::wait() {
  os::PriorityCondition::Lock lock(mutex_);
  while (!contents_.calls && !contents_.tasks && !calls_have_left_) {
    waits_ = true;
    changed_.wait(lock);
  }
  calls_have_left_ = false;
  return take();
}

LoopInbox::Contents LoopInbox::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  return take();
}

// Call with mutex_ held.
LoopInbox::Contents LoopInbox::take() {
  last_ = nullptr;
  return std::exchange(contents_, {});
}

}  // namespace takt::async
