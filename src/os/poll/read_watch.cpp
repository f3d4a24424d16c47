#include "os/poll/read_watch.h"

#include <linux/membarrier.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/owning_process.h"
#include "threads/watching_thread.h"

namespace takt::os {

// Never destroyed, because sockets may close until the process ends.
class ReadWatchThread {
 public:
  static ReadWatchThread& instance() {
    static ReadWatchThread* thread = [] {
      call_in_forked_children([] {
        if (thread->is_used()) thread = new ReadWatchThread;
      });
      return new ReadWatchThread;
    }();
    return *thread;
  }

  bool watch(ReadWatch& watch, int fd, std::chrono::nanoseconds timeout) {
    const auto before = watch.timeout_.exchange(timeout);
    if (before.count() != 0 && timeout / parts >= interval_.load()) return true;
    const std::lock_guard lock(mutex_);
    watch.fd_ = fd;
    watch.since_ = Clock::now();
    if (timeout.count() == 0) {
      watched_.erase(&watch);
      return true;
    }
    if (!can_order_ || !(thread_.runs() || start())) {
      watch.timeout_ = std::chrono::nanoseconds(0);
      return false;
    }
    watched_.insert(&watch);
    if (timeout / parts < interval_.load()) {
      interval_ = timeout / parts;
      changed_.notify_one();
    }
    return true;
  }

  void forget(ReadWatch& watch) {
    const std::lock_guard lock(mutex_);
    if (watched_.erase(&watch) != 0 && watched_.empty()) changed_.notify_one();
  }

  // In a forked child: whether the parent has a thread, which is not here, or another one of its threads has
  // the lock, which is never released here.
  bool is_used() {
    if (!mutex_.try_lock()) return true;
    mutex_.unlock();
    return thread_.runs();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int parts = 8;
  static constexpr std::chrono::nanoseconds longest = std::chrono::minutes(5);

  bool start() {
    return thread_.start({.name = "takt-watch", .stack_bytes = 128 * 1024}, [this] { run(); });
  }

  void run() {
    std::unique_lock lock(mutex_);
    while (!watched_.empty()) {
      const auto interval = interval_.load();
      changed_.wait_for(lock, interval, [&] { return watched_.empty() || interval_.load() < interval; });
      interval_ = longest;
      const auto now = Clock::now();
      for (ReadWatch* watch : watched_) look_at(*watch, now);
    }
    thread_.ended();
    interval_ = longest;
  }

  void look_at(ReadWatch& watch, Clock::time_point now) {
    const std::chrono::nanoseconds timeout = watch.timeout_;
    if (timeout.count() == 0) return;
    interval_ = std::min(interval_.load(), timeout / parts);
    const std::uint64_t reads = watch.reads_.load(std::memory_order_acquire);
    if (reads % 2 == 0 || reads != watch.seen_) {
      watch.seen_ = reads;
      watch.since_ = now;
    } else if (now - watch.since_ >= timeout) {
      end(watch, reads);
    }
  }

  // Either the reader sees that its time is over, or this thread sees that the read has ended.
  static void end(ReadWatch& watch, std::uint64_t read) {
    watch.over_.store(true, std::memory_order_relaxed);
    order_all_threads();
    if (watch.reads_.load(std::memory_order_acquire) == read)
      ::shutdown(watch.fd_, SHUT_RD);
    else
      watch.over_.store(false, std::memory_order_relaxed);
  }

  static bool order_all_threads() {
    return ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
  }

  PriorityMutex mutex_;
  const bool can_order_ =
      ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 && order_all_threads();
  PriorityCondition changed_;
  std::unordered_set<ReadWatch*> watched_;
  std::atomic<std::chrono::nanoseconds> interval_{longest};
  WatchingThread thread_;
};

ReadWatch::~ReadWatch() {
  if (fd_ >= 0) ReadWatchThread::instance().forget(*this);
}

bool ReadWatch::set_timeout(int fd, std::chrono::nanoseconds timeout) {
  return ReadWatchThread::instance().watch(*this, fd, timeout);
}

}  // namespace takt::os
