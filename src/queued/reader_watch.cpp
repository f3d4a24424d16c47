#include "queued/reader_watch.h"

#include <algorithm>

namespace takt::server {

using namespace std::chrono_literals;

namespace {
// The calling thread's number as a reader, and the time when it began with the filters.
thread_local std::uint64_t my_number = 0;
thread_local ReaderWatch::Clock::time_point began_at;
}  // namespace

// Call with the mutex.
bool ReaderWatch::held_up(Clock::time_point now) const {
  return channel_ && since_ && now - *since_ > budget_.get();
}

bool ReaderWatch::take_place() {
  std::lock_guard lock(mutex_);
  if (reader_ != 0) {
    if (!held_up(Clock::now())) return false;
    held_.emplace(channel_, false);
  }
  my_number = ++reader_;
  channel_ = nullptr;
  since_.reset();
  return true;
}

bool ReaderWatch::in_place() const {
  std::lock_guard lock(mutex_);
  return reader_ == my_number;
}

bool ReaderWatch::enter(QueuedChannel& channel) {
  std::lock_guard lock(mutex_);
  if (const auto held = held_.find(&channel); held != held_.end()) {
    held->second = true;
    return false;
  }
  channel_ = &channel;
  return true;
}

bool ReaderWatch::leave(QueuedChannel& channel) {
  std::lock_guard lock(mutex_);
  if (reader_ == my_number) {
    channel_ = nullptr;
    return false;
  }
  const auto held = held_.extract(&channel);
  return held && held.mapped();
}

bool ReaderWatch::is_held(const QueuedChannel& channel) const {
  std::lock_guard lock(mutex_);
  return held_.contains(&channel);
}

bool ReaderWatch::begin() {
  began_at = Clock::now();
  std::lock_guard lock(mutex_);
  if (held_.size() >= max_held_up) return false;
  if (reader_ == my_number) since_ = began_at;
  if (asleep_) {
    asleep_ = false;
    changed_.notify_all();
  }
  return true;
}

bool ReaderWatch::end() {
  std::lock_guard lock(mutex_);
  if (reader_ == my_number) since_.reset();
  return Clock::now() - began_at > budget_.get();
}

bool ReaderWatch::wait_until_held_up() {
  std::unique_lock lock(mutex_);
  const auto tick = std::max<std::chrono::nanoseconds>(budget_.get() / 2, 1ms);
  if (!since_) {
    asleep_ = true;  // until the next begin()
    changed_.wait_for(lock, 1h, [this] { return !asleep_ || over_; });
  }
  changed_.wait_for(lock, tick, [this] { return over_; });
  return !over_ && held_up(Clock::now());
}

void ReaderWatch::over() {
  std::lock_guard lock(mutex_);
  over_ = true;
  changed_.notify_all();
}

}  // namespace takt::server
