// epoll_wait() and epoll_pwait2() as direct system calls.
#pragma once

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace takt::os {

// The functions of the C library are cancellation points, which cost the same as in system_receive()
// (os/net/socket.h). Sanitizers only know the library's functions.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline int system_epoll_wait(int epoll_fd, epoll_event* events, int most, int milliseconds) {
  return ::epoll_wait(epoll_fd, events, most, milliseconds);
}
inline int system_epoll_wait(int epoll_fd, epoll_event* events, int most, const timespec& limit) {
  return ::epoll_pwait2(epoll_fd, events, most, &limit, nullptr);
}
#else
inline int system_epoll_wait(int epoll_fd, epoll_event* events, int most, int milliseconds) {
  return static_cast<int>(::syscall(SYS_epoll_pwait, epoll_fd, events, most, milliseconds, nullptr, 0));
}
inline int system_epoll_wait(int epoll_fd, epoll_event* events, int most, const timespec& limit) {
  return static_cast<int>(::syscall(SYS_epoll_pwait2, epoll_fd, events, most, &limit, nullptr, 0));
}
#endif

}  // namespace takt::os
