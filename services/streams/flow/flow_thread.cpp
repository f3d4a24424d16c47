#include "streams/flow/flow_thread.h"

#include <cerrno>
#include <ctime>
#include <future>
#include <system_error>

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

namespace takt::streams {
namespace {

constexpr auto longest_sleep = std::chrono::milliseconds(50);  // until it notices that it is given up

}  // namespace

FlowThread::FlowThread(int priority, std::function<void()> body) {
  std::promise<bool> may_run;
  thread_ = std::thread([may = may_run.get_future(), body = std::move(body)]() mutable {
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // nanoseconds; 0 would mean the default
    if (may.get()) body();
  });
  int error = 0;
  if (priority > 0) {
    const sched_param parameters{.sched_priority = priority};
    error = pthread_setschedparam(thread_.native_handle(), SCHED_FIFO, &parameters);
  }
  may_run.set_value(error == 0);
  if (error == 0) return;
  thread_.join();
  throw std::system_error(error, std::generic_category(),
                          "the system refuses priority " + std::to_string(priority) + " to a flow's thread");
}

void sleep_until(os::TimePoint time, const std::atomic<bool>& given_up) {
  using std::chrono::duration_cast, std::chrono::nanoseconds, std::chrono::seconds;
  while (!given_up.load(std::memory_order_relaxed)) {
    const auto now = os::Clock::now();
    if (now >= time) return;
    const nanoseconds until = std::min<os::TimePoint>(time, now + longest_sleep).time_since_epoch();
    const auto whole = duration_cast<seconds>(until);
    const timespec at{whole.count(), (until - whole).count()};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);  // steady_clock is CLOCK_MONOTONIC
  }
}

}  // namespace takt::streams
