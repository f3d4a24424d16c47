#include "os/poll/wait.h"

#include <poll.h>

#include <cerrno>
#include <ctime>

#include "os/poll/interruption.h"

namespace takt::os {

WaitResult wait_ready(int fd, Interest interest, TimePoint deadline) {
  short events = 0;
  if (has(interest, Interest::read)) events |= POLLIN;
  if (has(interest, Interest::write)) events |= POLLOUT;
  pollfd entry{fd, events, 0};
  for (;;) {
    const TimePoint until = Interruption::next_look(deadline);
    timespec left{};
    if (until != no_deadline) {
      const auto rest = remaining(until, Clock::now());
      const auto whole = std::chrono::floor<std::chrono::seconds>(rest);
      left = {static_cast<time_t>(whole.count()), static_cast<long>((rest - whole).count())};
    }
    const int count = ::ppoll(&entry, 1, until == no_deadline ? nullptr : &left, nullptr);
    if (count > 0) return (entry.revents & POLLNVAL) ? WaitResult::failed : WaitResult::ready;
    if (count == 0 && (until == deadline || Interruption::is_due())) return WaitResult::timed_out;
    if (count < 0 && errno != EINTR) return WaitResult::failed;
  }
}

bool has_hung_up(int fd) {
  pollfd entry{fd, POLLRDHUP, 0};
  const timespec at_once{};
  return ::ppoll(&entry, 1, &at_once, nullptr) > 0;
}

}  // namespace takt::os
