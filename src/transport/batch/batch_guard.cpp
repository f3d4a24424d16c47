#include "transport/batch/batch_guard.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "threads/thread.h"
#include "transport/batch/write_batch.h"

namespace takt::transport {

namespace {
constexpr int idle_looks = 10;                // after which the thread sleeps
constexpr std::chrono::seconds idle_time{1};  // after which it ends
}  // namespace

void BatchGuard::watch(std::shared_ptr<WriteBatch> batch) {
  const std::lock_guard lock(mutex_);
  std::erase_if(batches_, [](const auto& one) { return one->is_over(); });
  batches_.push_back(std::move(batch));
}

bool BatchGuard::wake() noexcept {
  const std::lock_guard lock(mutex_);
  if (running_) {
    changed_.notify_one();
    return true;
  }
  auto thread = os::Thread::start({.name = "takt-replies"}, [self = shared_from_this()] { self->run(); });
  if (!thread) return false;
  thread->detach();
  running_ = true;
  sleeps_.store(false);
  return true;
}

void BatchGuard::run() noexcept {
  os::PriorityCondition::Lock lock(mutex_);
  for (;;) {
    for (int idle = 0; idle < idle_looks; idle = look_at_all() ? 0 : idle + 1)
      changed_.wait_until(lock, os::PriorityCondition::Clock::now() + interval);
    sleeps_.store(true);  // before is_used() is looked at
    if (!changed_.wait_for(lock, idle_time, [this] { return any_used(); })) break;
    sleeps_.store(false);
  }
  running_ = false;
}

// Whether any batch is or was in use. Call with mutex_ held, as the next.
bool BatchGuard::look_at_all() {
  bool used = false;
  for (const auto& batch : batches_) used |= batch->look();
  if (!used) std::erase_if(batches_, [](const auto& one) { return one->is_over(); });
  return used;
}

bool BatchGuard::any_used() const {
  return std::ranges::any_of(batches_, [](const auto& one) { return !one->is_over() && one->is_used(); });
}

}  // namespace takt::transport
