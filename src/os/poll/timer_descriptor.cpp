#include "os/poll/timer_descriptor.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>

namespace takt::os {

using namespace std::chrono_literals;

TimerDescriptor::TimerDescriptor() : fd_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {}

TimerDescriptor::~TimerDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

void TimerDescriptor::set(std::chrono::steady_clock::time_point when) {
  const auto since_start =
      std::max<std::chrono::nanoseconds>(when.time_since_epoch(), 1ns);  // 0 would disarm the timer
  itimerspec once{};
  once.it_value.tv_sec = since_start / 1s;
  once.it_value.tv_nsec = (since_start % 1s).count();
  ::timerfd_settime(fd_, TFD_TIMER_ABSTIME, &once, nullptr);
}

void TimerDescriptor::clear() {
  const itimerspec none{};
  ::timerfd_settime(fd_, 0, &none, nullptr);
}

}  // namespace takt::os
