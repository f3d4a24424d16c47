#include "os/poll/ready_set.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "os/poll/epoll_events.h"
#include "os/poll/epoll_wait.h"

namespace takt::os {
namespace {

bool control(int epoll_fd, int operation, int fd, Interest interest, void* token) {
  epoll_event event{};
  event.events = to_epoll(interest);
  event.data.ptr = token;
  return ::epoll_ctl(epoll_fd, operation, fd, &event) == 0;
}

}  // namespace

std::expected<std::unique_ptr<ReadySet>, int> ReadySet::create() {
  const int epoll_fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0) return std::unexpected(errno);
  std::unique_ptr<ReadySet> set(new ReadySet(epoll_fd));
  if (set->timer_.fd() < 0 || !control(epoll_fd, EPOLL_CTL_ADD, set->timer_.fd(), Interest::read, nullptr))
    return std::unexpected(errno);
  return set;
}

ReadySet::~ReadySet() { ::close(epoll_fd_); }

bool ReadySet::add(int fd, Interest interest, void* token) {
  return control(epoll_fd_, EPOLL_CTL_ADD, fd, interest, token);
}

void ReadySet::change(int fd, Interest interest, void* token) {
  control(epoll_fd_, EPOLL_CTL_MOD, fd, interest, token);
}

void ReadySet::remove(int fd) { control(epoll_fd_, EPOLL_CTL_DEL, fd, Interest::none, nullptr); }

void ReadySet::wake_at(TimePoint when) {
  if (when == no_deadline)
    timer_.clear();
  else
    timer_.set(when);
}

std::size_t ReadySet::ready(std::span<void*> tokens, bool wait) {
  std::array<epoll_event, 16> events;
  const auto most = static_cast<int>(std::min(tokens.size(), events.size()));
  const int count = system_epoll_wait(epoll_fd_, events.data(), most, wait ? -1 : 0);
  std::size_t found = 0;
  for (int i = 0; i < count; ++i)
    if (void* const token = events[static_cast<std::size_t>(i)].data.ptr) tokens[found++] = token;
  return found;
}

}  // namespace takt::os
