// Threads for calls that may have to wait for a server.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace takt::imr {

// Has as many threads as there were jobs under way at once, up to `most`; more jobs wait. Thread-safe.
class Workers {
 public:
  explicit Workers(std::size_t most) : most_(most) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() { stop(); }

  // The job must not throw. After stop() it is dropped.
  void run(std::function<void()> job);
  // Drops the jobs that wait, and waits for those under way.
  void stop();

 private:
  void add_thread();
  void work();

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stopped_ = false;
};

}  // namespace takt::imr
