// The thread of a flow.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include <takt/os/clock.h>

namespace takt::streams {

// Runs `body` in a thread until it returns. `priority`: of SCHED_FIFO; 0: as threads usually are. Throws
// std::system_error if the system refuses the thread or its priority, before `body` runs.
class FlowThread {
 public:
  FlowThread(int priority, std::function<void()> body);
  FlowThread(const FlowThread&) = delete;
  FlowThread& operator=(const FlowThread&) = delete;
  ~FlowThread() { join(); }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

// Sleeps until the time, or until a moment after `given_up` is set. The calling thread's timer slack, by
// which Linux lets wake-ups be late, is that which FlowThread has set.
void sleep_until(os::TimePoint time, const std::atomic<bool>& given_up);

}  // namespace takt::streams
