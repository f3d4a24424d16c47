// Converts between Interest and epoll's event bits.
#pragma once

#include <sys/epoll.h>

#include "os/poll/interest.h"

namespace takt::os {

constexpr std::uint32_t to_epoll(Interest interest) {
  return (has(interest, Interest::read) ? EPOLLIN : 0u) | (has(interest, Interest::write) ? EPOLLOUT : 0u);
}

// A failure or hang-up is reported as both.
constexpr Interest from_epoll(std::uint32_t events) {
  if (events & (EPOLLERR | EPOLLHUP)) return Interest::read_write;
  return ((events & EPOLLIN) ? Interest::read : Interest::none) |
         ((events & EPOLLOUT) ? Interest::write : Interest::none);
}

}  // namespace takt::os
