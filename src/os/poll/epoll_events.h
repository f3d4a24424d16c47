// Converts between Interest and epoll's event bits.
#pragma once

#include <sys/epoll.h>

#include "os/poll/interest.h"

namespace takt::os {

constexpr std::uint32_t to_epoll(Interest interest) {
  return (has(interest, Interest::read) ? EPOLLIN : 0u) | (has(interest, Interest::write) ? EPOLLOUT : 0u);
}

}  // namespace takt::os
