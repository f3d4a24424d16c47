#include "os/reactor/epoll_reactor.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>
#include <utility>

#include "os/poll/epoll_events.h"
#include "os/poll/epoll_wait.h"

namespace takt::os {
namespace {

constexpr std::uint64_t wake_up = ~std::uint64_t{0};

std::expected<void, ReactorError> to_result(int error) {
  switch (error) {
    case 0:
      return {};
    case EEXIST:
      return std::unexpected(ReactorError::already_added);
    case ENOENT:
      return std::unexpected(ReactorError::not_added);
    case ENOMEM:
    case ENOSPC:
      return std::unexpected(ReactorError::exhausted);
    default:
      return std::unexpected(ReactorError::unsupported);
  }
}

}  // namespace

std::expected<std::unique_ptr<EpollReactor>, int> EpollReactor::create() {
  const int epoll_fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0) return std::unexpected(errno);
  const int wake_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::unique_ptr<EpollReactor> reactor(new EpollReactor(epoll_fd, wake_fd));
  if (wake_fd < 0) return std::unexpected(errno);
  // Edge-triggered: every write is one event, and it need not be read.
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = wake_up;
  if (::epoll_ctl(epoll_fd, EPOLL_CTL_ADD, wake_fd, &event) != 0) return std::unexpected(errno);
  return reactor;
}

EpollReactor::~EpollReactor() {
  if (wake_fd_ >= 0) ::close(wake_fd_);
  ::close(epoll_fd_);
}

EpollReactor::Watch* EpollReactor::find(int fd) {
  if (fd < 0 || static_cast<std::size_t>(fd) >= watches_.size()) return nullptr;
  Watch& watch = watches_[static_cast<std::size_t>(fd)];
  return watch.handler != nullptr ? &watch : nullptr;
}

int EpollReactor::control(int operation, int fd, const Watch& watch) {
  epoll_event event{};
  event.events = to_epoll(watch.interest);
  event.data.u64 = std::uint64_t{watch.generation} << 32 | static_cast<std::uint32_t>(fd);
  return ::epoll_ctl(epoll_fd_, operation, fd, &event) == 0 ? 0 : errno;
}

std::expected<void, ReactorError> EpollReactor::add(int fd, Interest interest, EventHandler* handler) {
  if (fd < 0) return std::unexpected(ReactorError::unsupported);
  if (find(fd) != nullptr) return std::unexpected(ReactorError::already_added);
  const auto index = static_cast<std::size_t>(fd);
  if (index >= watches_.size()) watches_.resize(std::max(index + 1, 2 * watches_.size()));
  Watch& watch = watches_[index];
  ++watch.generation;
  watch.interest = interest;
  // epoll reports failures even for an empty interest, so a descriptor without interest is not registered.
  if (interest != Interest::none)
    if (const int error = control(EPOLL_CTL_ADD, fd, watch)) return to_result(error);
  watch.handler = handler;
  return {};
}

std::expected<void, ReactorError> EpollReactor::modify(int fd, Interest interest) {
  Watch* watch = find(fd);
  if (watch == nullptr) return std::unexpected(ReactorError::not_added);
  if (watch->interest == interest) return {};
  const bool was_known = watch->interest != Interest::none;
  const Interest before = std::exchange(watch->interest, interest);
  const int operation = !was_known                   ? EPOLL_CTL_ADD
                        : interest == Interest::none ? EPOLL_CTL_DEL
                                                     : EPOLL_CTL_MOD;
  const int error = control(operation, fd, *watch);
  if (error != 0) watch->interest = before;
  return to_result(error);
}

std::expected<void, ReactorError> EpollReactor::remove(int fd) {
  Watch* watch = find(fd);
  if (watch == nullptr) return std::unexpected(ReactorError::not_added);
  watch->handler = nullptr;
  if (watch->interest != Interest::none) control(EPOLL_CTL_DEL, fd, *watch);
  return {};
}

int EpollReactor::wait(epoll_event* events, std::chrono::nanoseconds timeout) {
  using namespace std::chrono_literals;
  if (timeout <= 0ns) return system_epoll_wait(epoll_fd_, events, events_per_round, timeout < 0ns ? -1 : 0);
  const auto whole = std::chrono::floor<std::chrono::seconds>(timeout);
  const timespec limit{static_cast<time_t>(whole.count()), static_cast<long>((timeout - whole).count())};
  const int count = system_epoll_wait(epoll_fd_, events, events_per_round, limit);
  if (count >= 0 || errno != ENOSYS) return count;
  // Before Linux 5.11 timeouts are in milliseconds. Rounded up, so that it is never early.
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
  return system_epoll_wait(epoll_fd_, events, events_per_round,
                           static_cast<int>(std::min<long>(milliseconds, INT_MAX)));
}

bool EpollReactor::dispatch(const epoll_event& event) {
  Watch* watch = find(static_cast<int>(static_cast<std::uint32_t>(event.data.u64)));
  if (watch == nullptr || watch->generation != event.data.u64 >> 32) return false;
  const Interest ready = from_epoll(event.events) & watch->interest;
  if (ready == Interest::none) return false;
  watch->handler->on_ready(ready);  // `watch` may be invalid from here on
  return true;
}

std::size_t EpollReactor::run_once(std::chrono::nanoseconds timeout) {
  using namespace std::chrono_literals;
  if (const auto next = timers_.next()) {
    const auto until_timer = remaining(*next, Clock::now());
    if (timeout < 0ns || until_timer < timeout) timeout = until_timer;
  }
  epoll_event events[events_per_round];
  const int count = wait(events, notified_.load(std::memory_order_relaxed) ? 0ns : timeout);
  if (notified_.load(std::memory_order_relaxed)) notified_.exchange(false);
  std::size_t called = 0;
  for (int i = 0; i < count; ++i)
    if (events[i].data.u64 != wake_up) called += dispatch(events[i]);
  if (!timers_.empty()) called += timers_.run_due(Clock::now());
  return called;
}

// A wake-up that is taken here has set notified_.
bool EpollReactor::has_others(int fd) {
  epoll_event events[2];
  for (int i = system_epoll_wait(epoll_fd_, events, 2, 0); i-- > 0;)
    if (static_cast<std::uint32_t>(events[i].data.u64) != static_cast<std::uint32_t>(fd)) return true;
  return false;
}

void EpollReactor::notify() noexcept {
  if (notified_.exchange(true)) return;
  const int before = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_fd_, &one, sizeof one);
  errno = before;
}

}  // namespace takt::os
