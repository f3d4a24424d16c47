#include "imr/service/workers.h"

#include <exception>
#include <utility>

namespace takt::imr {

void Workers::run(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  jobs_.push_back(std::move(job));
  if (jobs_.size() > idle_ && threads_.size() < most_) add_thread();
  changed_.notify_one();
}

// Call with the lock. If there is no thread or no memory left, the jobs wait for the others, or for the next
// job.
void Workers::add_thread() {
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::exception&) {
  }
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [&] { return stopped_ || !jobs_.empty(); });
    --idle_;
    if (stopped_) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    try {
      job();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it says itself what then follows
    }
    lock.lock();
  }
}

void Workers::stop() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    jobs_.clear();
    threads.swap(threads_);
    changed_.notify_all();
  }
  for (std::thread& each : threads) each.join();
}

}  // namespace takt::imr
