// The service manager that started this process: systemd, or another one with its protocol (sd_notify(3)).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace takt::os {

// Any thread; no call blocks.
class ServiceManager {
 public:
  // Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from the environment. Empty if no manager asked for
  // notifications.
  static std::optional<ServiceManager> of_process();
  // `socket`: path of the manager's socket, or "@name" in the abstract namespace.
  ServiceManager(std::string socket, std::chrono::nanoseconds watchdog)
      : socket_(std::move(socket)), watchdog_(watchdog) {}

  // Sends "READY=1" and similar states. Returns 0 or an errno value. While the manager's queue is full, it
  // waits for `most`; then EAGAIN.
  int tell(std::string_view state, std::chrono::microseconds most = {}) const;
  // The interval within which "WATCHDOG=1" must be sent repeatedly; 0: not expected.
  std::chrono::nanoseconds watchdog() const { return watchdog_; }

 private:
  std::string socket_;
  std::chrono::nanoseconds watchdog_;
};

// How many listening sockets the manager has passed to this process, as the descriptors from
// first_passed_descriptor on (sd_listen_fds(3)). Reads LISTEN_PID and LISTEN_FDS once, because a program may
// change its environment while it runs.
inline constexpr int first_passed_descriptor = 3;
inline constexpr int most_passed_descriptors = 1024;  // further ones are not looked at
int passed_descriptors();

}  // namespace takt::os
