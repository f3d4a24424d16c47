#include "os/poll/shared_poll.h"

#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/poll/epoll_events.h"
#include "os/poll/epoll_wait.h"

namespace takt::os {
namespace {

using namespace std::chrono_literals;

int epoll_control(int epoll_fd, int operation, int fd, epoll_event* event) {
#if defined(__SANITIZE_THREAD__)
  // ThreadSanitizer treats the descriptor as in use until this call returns. Before that, another thread may
  // get it from wait() and close it, which is safe because the system orders these calls.
  if (operation == EPOLL_CTL_MOD)
    return static_cast<int>(::syscall(SYS_epoll_ctl, epoll_fd, operation, fd, event));
#endif
  return ::epoll_ctl(epoll_fd, operation, fd, event);
}

bool control(int epoll_fd, int operation, int fd, Interest interest, void* token,
             SharedPoll::Watching watching) {
  epoll_event event{};
  event.events = to_epoll(interest) | (watching == SharedPoll::Watching::once ? EPOLLONESHOT : 0u);
  event.data.ptr = token;
  return epoll_control(epoll_fd, operation, fd, &event) == 0;
}

int wait_once(int epoll_fd, epoll_event& event, std::chrono::nanoseconds timeout) {
  const auto bounded = std::clamp<std::chrono::nanoseconds>(timeout, 0ns, 1h);
  return system_epoll_wait(epoll_fd, &event, 1,
                           static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(bounded).count()));
}

[[gnu::always_inline]] inline SharedPoll::Ready ready_of(const epoll_event& event) {
  Interest ready = Interest::none;
  if (event.events & (EPOLLIN | EPOLLERR | EPOLLHUP)) ready = Interest::read;
  if (event.events & EPOLLOUT) ready = ready | Interest::write;
  return {event.data.ptr, ready};
}

}  // namespace

std::expected<std::unique_ptr<SharedPoll>, int> SharedPoll::create() {
  std::unique_ptr<SharedPoll> poll(new SharedPoll());
  if (const int error = poll->open()) return std::unexpected(error);
  return poll;
}

int SharedPoll::open() {
  epoll_fd_ = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd_ < 0) return errno;
  wake_fd_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const bool opened =
      wake_fd_ >= 0 && control(epoll_fd_, EPOLL_CTL_ADD, wake_fd_, Interest::read, nullptr, Watching::always);
  return opened ? 0 : errno;
}

SharedPoll::~SharedPoll() {
  if (wake_fd_ >= 0) ::close(wake_fd_);
  if (epoll_fd_ >= 0) ::close(epoll_fd_);
}

bool SharedPoll::add(int fd, Interest interest, void* token, Watching watching) {
  return control(epoll_fd_, EPOLL_CTL_ADD, fd, interest, token, watching);
}

bool SharedPoll::again(int fd, Interest interest, void* token, Watching watching) {
  return control(epoll_fd_, EPOLL_CTL_MOD, fd, interest, token, watching);
}

void SharedPoll::remove(int fd) {
  epoll_event unused{};
  ::epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, fd, &unused);
}

std::optional<SharedPoll::Ready> SharedPoll::wait(std::chrono::nanoseconds timeout) {
  epoll_event event;
  if (wait_once(epoll_fd_, event, timeout) <= 0) return std::nullopt;
  return ready_of(event);
}

std::size_t SharedPoll::take_ready(std::span<Ready> into) {
  constexpr std::size_t at_once = 64;
  epoll_event events[at_once];
  const std::size_t wanted = std::min(at_once, into.size());
  if (wanted == 0) return 0;
  const int found = system_epoll_wait(epoll_fd_, events, static_cast<int>(wanted), 0);
  for (int i = 0; i < found; ++i) into[static_cast<std::size_t>(i)] = ready_of(events[i]);
  return static_cast<std::size_t>(std::max(0, found));
}

void SharedPoll::wake_permanently() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_fd_, &one, sizeof one);
}

}  // namespace takt::os
