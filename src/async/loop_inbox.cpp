#include "async/loop_inbox.h"

#include <mutex>
#include <utility>

namespace takt::async {

void LoopInbox::join(Call& call) {
  keep();
  call.loop.store(this, std::memory_order_relaxed);
  call.leaves_loop = false;
  under_way_.fetch_add(1, std::memory_order_relaxed);
}

void LoopInbox::leave(Call& call) {
  under_way_.fetch_sub(1, std::memory_order_relaxed);
  forget(call);
}

bool LoopInbox::add(Call& call) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!closed_ && !call.leaves_loop) {
      call.next_ended = nullptr;
      (contents_.calls ? last_->next_ended : contents_.calls) = &call;
      last_ = &call;
      if (std::exchange(waits_, false)) changed_.notify_one();
      return true;
    }
  }
  forget(call);
  return false;
}

void LoopInbox::forget(Call& call) {
  call.loop.store(nullptr, std::memory_order_relaxed);
  release();
}

bool LoopInbox::dismiss(Call& call) {
  {
    const std::lock_guard lock(mutex_);
    under_way_.fetch_sub(1, std::memory_order_relaxed);
    call.leaves_loop = true;
    Call* before = nullptr;
    Call* found = contents_.calls;
    for (; found && found != &call; found = found->next_ended) before = found;
    if (!found) return false;
    (before ? before->next_ended : contents_.calls) = call.next_ended;
    if (last_ == &call) last_ = before;
  }
  forget(call);
  return true;
}

void LoopInbox::add(LoopTask::promise_type& ended) noexcept {
  const std::lock_guard lock(mutex_);
  ended.next_ended = std::exchange(contents_.tasks, &ended);
  if (std::exchange(waits_, false)) changed_.notify_one();
}

LoopInbox::Contents LoopInbox::wait() {
  os::PriorityCondition::Lock lock(mutex_);
  while (!contents_.calls && !contents_.tasks) {
    waits_ = true;
    changed_.wait(lock);
  }
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
