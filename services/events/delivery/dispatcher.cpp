#include "events/delivery/dispatcher.h"

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

namespace takt::events {

Dispatcher::Dispatcher(const Limits& limits) : limits_(limits), watcher_([this] { watch(); }) {}

Dispatcher::~Dispatcher() { stop(); }

void Dispatcher::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ready_.clear();
    suspects_.clear();
    later_ = {};
  }
  work_to_do_.notify_all();
  watcher_wakes_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  for (Worker& worker : workers_)
    if (worker.thread.joinable()) worker.thread.join();
}

void Dispatcher::add(TaskPtr task) { (task->is_suspect() ? suspects_ : ready_).push_back(std::move(task)); }

void Dispatcher::ready(std::span<const TaskPtr> tasks) {
  std::size_t wakes = 0;
  bool wakes_watcher = false;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || tasks.empty()) return;
    for (const TaskPtr& task : tasks) add(task);
    wakes = std::min<std::size_t>(tasks.size(), idle_);
    // Threads that work look for the next task themselves; the watcher replaces them if they do not come to
    // it.
    const bool lacks_threads = idle_ < ready_.size() + suspects_.size() &&
                               live_ - blocked_ < limits_.threads && live_ < limits_.max_threads;
    wakes_watcher = std::exchange(watcher_sleeps_, false) || lacks_threads;
  }
  for (; wakes > 0; --wakes) work_to_do_.notify_one();
  if (wakes_watcher) watcher_wakes_.notify_one();
}

void Dispatcher::ready_at(Clock::time_point time, TaskPtr task) {
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    wakes = later_.empty() || time < later_.top().time;
    later_.push({time, std::move(task)});
    if (wakes) watcher_sleeps_ = false;
  }
  if (wakes) watcher_wakes_.notify_one();
}

Dispatcher::TaskPtr Dispatcher::next_task(bool& suspect) {
  suspect = !suspects_.empty() && suspects_running_ < std::max(1u, limits_.max_threads / 4);
  // A suspect waits for prompt clients, unless they leave it no turn.
  if (suspect && !ready_.empty() && suspects_running_ > 0) suspect = false;
  std::deque<TaskPtr>& from = suspect ? suspects_ : ready_;
  if (from.empty()) return nullptr;
  TaskPtr task = std::move(from.front());
  from.pop_front();
  return task;
}

void Dispatcher::work(Worker& worker) {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (live_ - blocked_ > limits_.threads) break;  // the replacement works
    bool suspect = false;
    TaskPtr task = next_task(suspect);
    if (!task) {
      ++idle_;
      work_to_do_.wait(lock);
      --idle_;
      continue;
    }
    worker.since = Clock::now();
    suspects_running_ += suspect;
    lock.unlock();
    const auto again = task->run();
    lock.lock();
    suspects_running_ -= suspect;
    worker.since = Clock::time_point::max();
    if (std::exchange(worker.blocked, false)) --blocked_;
    if (again && !stopping_) {
      if (*again <= Clock::now()) {
        add(std::move(task));
      } else {
        if (later_.empty() || *again < later_.top().time) {
          watcher_sleeps_ = false;
          watcher_wakes_.notify_one();
        }
        later_.push({*again, std::move(task)});
      }
    }
    if (task) {  // the destructor may take locks
      lock.unlock();
      task.reset();
      lock.lock();
    }
  }
  --live_;
  worker.ended = true;
  // The task that this thread has made ready again must not wait for it.
  if (!ready_.empty() || !suspects_.empty()) work_to_do_.notify_one();
}

bool Dispatcher::has_work() const {
  return !ready_.empty() || !suspects_.empty() || idle_ + blocked_ < live_;
}

void Dispatcher::start_worker() {
  Worker& worker = workers_.emplace_back();
  try {
    worker.thread = std::thread([this, &worker] { work(worker); });
    ++live_;
  } catch (const std::system_error&) {  // no thread can be had now; the watcher tries again
    workers_.pop_back();
  }
}

void Dispatcher::look_after_workers(Clock::time_point now) {
  for (Worker& worker : workers_) {
    if (worker.ended || worker.blocked || worker.since == Clock::time_point::max()) continue;
    if (now - worker.since < limits_.slow_after) continue;
    worker.blocked = true;
    ++blocked_;
    ++replaced_;
  }
  while (live_ - blocked_ < limits_.threads && live_ < limits_.max_threads &&
         idle_ < ready_.size() + suspects_.size()) {
    const auto before = live_;
    start_worker();
    if (live_ == before) break;
  }
}

void Dispatcher::join_ended() {
  for (auto worker = workers_.begin(); worker != workers_.end();) {
    if (worker->ended) {
      worker->thread.join();  // it has released the mutex, or is about to
      worker = workers_.erase(worker);
    } else {
      ++worker;
    }
  }
}

void Dispatcher::watch() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto now = Clock::now();
    for (; !later_.empty() && later_.top().time <= now; later_.pop()) add(later_.top().task);
    join_ended();
    look_after_workers(now);
    for (auto wakes = std::min<std::size_t>(ready_.size() + suspects_.size(), idle_); wakes > 0; --wakes)
      work_to_do_.notify_one();
    watcher_sleeps_ = !has_work();
    const auto next = later_.empty() ? now + std::chrono::hours(1) : later_.top().time;
    const auto until = watcher_sleeps_ ? next : std::min(next, now + limits_.slow_after);
    watcher_wakes_.wait_until(lock, until);
  }
}

Dispatcher::Counts Dispatcher::counts() const {
  const std::lock_guard lock(mutex_);
  return {.threads = live_,
          .blocked = blocked_,
          .replaced = replaced_,
          .ready = ready_.size() + suspects_.size()};
}

}  // namespace takt::events
