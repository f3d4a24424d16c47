// Descriptors of every kind, waiting for descriptors, and system calls by number.
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "interposed/answer.h"
#include "interposed/times.h"
#include "machine/finding.h"
#include "machine/machine.h"
#include "machine/system_calls.h"

using takt::sim::answer;
using takt::sim::Descriptors;
using takt::sim::EventFile;
using takt::sim::machine;
using takt::sim::never;
using takt::sim::real;
using takt::sim::simulated;
using takt::sim::Time;

namespace {

bool ours(int fd) { return simulated() && Descriptors::is_virtual(fd); }

Time from_milliseconds(int timeout) { return timeout < 0 ? never : Time(std::chrono::milliseconds(timeout)); }

long futex(const long* arguments) {
  const auto* word = reinterpret_cast<const int*>(arguments[0]);
  const auto* timeout = reinterpret_cast<const timespec*>(arguments[3]);
  switch (arguments[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAKE:
      return machine().locks.futex_wake(word, arguments[2]);
    case FUTEX_WAIT:
      return -machine().locks.futex_wait(
          word, static_cast<int>(arguments[2]),
          timeout ? machine().scheduler.now() + takt::sim::duration_of(*timeout) : never);
    default:
      takt::sim::report_finding("a futex operation that the simulation does not have");
  }
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int mode = va_arg(arguments, int);
  va_end(arguments);
  if (simulated() && std::strcmp(path, "/dev/null") == 0)
    return answer(machine().open(std::make_shared<takt::sim::NullFile>()));
  return real<int(const char*, int, ...)>("open")(path, flags, mode);
}

int close(int fd) {
  if (!ours(fd)) return real<int(int)>("close")(fd);
  return answer(machine().close(fd));
}

ssize_t read(int fd, void* into, std::size_t size) {
  if (!ours(fd)) return real<ssize_t(int, void*, std::size_t)>("read")(fd, into, size);
  const auto event = std::dynamic_pointer_cast<EventFile>(machine().file(fd));
  if (!event) return recv(fd, into, size, 0);
  const std::uint64_t taken = event->take();
  if (taken == 0) return answer(-EAGAIN);
  std::memcpy(into, &taken, sizeof taken);
  return sizeof taken;
}

ssize_t write(int fd, const void* from, std::size_t size) {
  if (!ours(fd)) return real<ssize_t(int, const void*, std::size_t)>("write")(fd, from, size);
  const auto event = std::dynamic_pointer_cast<EventFile>(machine().file(fd));
  if (!event) return send(fd, from, size, 0);
  machine().scheduler.step("writes to eventfd", static_cast<std::uint64_t>(fd));
  std::uint64_t value;
  std::memcpy(&value, from, sizeof value);
  event->add(value);
  return sizeof value;
}

int eventfd(unsigned count, int flags) noexcept {
  if (!simulated()) return real<int(unsigned, int)>("eventfd")(count, flags);
  auto made = std::make_shared<EventFile>(count);
  made->blocking = !(flags & EFD_NONBLOCK);
  return answer(machine().open(std::move(made)));
}

// Always fails, as a real system may: connections are then read without delay.
int timerfd_create(clockid_t clock, int flags) noexcept {
  if (!simulated()) return real<int(clockid_t, int)>("timerfd_create")(clock, flags);
  errno = EMFILE;
  return -1;
}

int epoll_create1(int flags) noexcept {
  if (!simulated()) return real<int(int)>("epoll_create1")(flags);
  return answer(machine().open(std::make_shared<takt::sim::PollerFile>()));
}

int epoll_ctl(int epoll_fd, int operation, int fd, epoll_event* event) noexcept {
  if (!ours(epoll_fd))
    return real<int(int, int, int, epoll_event*)>("epoll_ctl")(epoll_fd, operation, fd, event);
  return answer(machine().epoll_control(epoll_fd, operation, fd, event));
}

int epoll_wait(int epoll_fd, epoll_event* events, int most, int timeout) {
  if (!ours(epoll_fd))
    return real<int(int, epoll_event*, int, int)>("epoll_wait")(epoll_fd, events, most, timeout);
  return answer(machine().epoll_wait(epoll_fd, events, most, from_milliseconds(timeout)));
}

int epoll_pwait2(int epoll_fd, epoll_event* events, int most, const timespec* timeout, const sigset_t* mask) {
  if (!ours(epoll_fd))
    return real<int(int, epoll_event*, int, const timespec*, const sigset_t*)>("epoll_pwait2")(
        epoll_fd, events, most, timeout, mask);
  return answer(
      machine().epoll_wait(epoll_fd, events, most, timeout ? takt::sim::duration_of(*timeout) : never));
}

// The system's header declares the array as only written, which is true for `revents` only.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
int ppoll(pollfd* entries, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  if (count != 1 || !ours(entries->fd))
    return real<int(pollfd*, nfds_t, const timespec*, const sigset_t*)>("ppoll")(entries, count, timeout,
                                                                                 mask);
  std::uint32_t ready = 0;
  const long result = machine().poll(entries->fd, static_cast<std::uint32_t>(entries->events),
                                     timeout ? takt::sim::duration_of(*timeout) : never, ready);
  entries->revents = static_cast<short>(ready);
  return answer(result);
}

#pragma GCC diagnostic pop

int poll(pollfd* entries, nfds_t count, int timeout) {
  const timespec time = takt::sim::to_timespec(std::chrono::milliseconds(std::max(timeout, 0)));
  return ppoll(entries, count, timeout < 0 ? nullptr : &time, nullptr);
}

long syscall(long number, ...) noexcept {
  va_list given;
  va_start(given, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(given, long);
  va_end(given);
  if (simulated()) {
    const int fd = static_cast<int>(arguments[0]);
    const auto size = static_cast<std::size_t>(arguments[2]);
    switch (number) {
      case SYS_recvfrom:
        return recv(fd, reinterpret_cast<void*>(arguments[1]), size, 0);
      case SYS_sendto:
        return send(fd, reinterpret_cast<const void*>(arguments[1]), size, 0);
      case SYS_connect:
        return connect(fd, reinterpret_cast<const sockaddr*>(arguments[1]),
                       static_cast<socklen_t>(arguments[2]));
      case SYS_epoll_pwait:
        return epoll_wait(fd, reinterpret_cast<epoll_event*>(arguments[1]), static_cast<int>(size),
                          static_cast<int>(arguments[3]));
      case SYS_epoll_pwait2:
        return epoll_pwait2(fd, reinterpret_cast<epoll_event*>(arguments[1]), static_cast<int>(size),
                            reinterpret_cast<const timespec*>(arguments[3]), nullptr);
      case SYS_futex:
        return answer(futex(arguments));
      case SYS_membarrier:
        return 0;
      default:
        break;
    }
  }
  static auto* const call = real<long(long, ...)>("syscall");
  return call(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

}  // extern "C"
