// The service manager that started this process: systemd, or whoever speaks its protocol (sd_notify(3)).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace takt::os {

// Any thread; no call blocks.
class ServiceManager {
 public:
  // By NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID in the environment. Nothing where no manager asked to be
  // told.
  static std::optional<ServiceManager> of_process();
  // By the path of its socket; of a name that begins with @, in the abstract name space.
  ServiceManager(std::string socket, std::chrono::nanoseconds watchdog)
      : socket_(std::move(socket)), watchdog_(watchdog) {}

  // "READY=1" and the like. An errno value, or 0.
  int tell(std::string_view state) const;
  // Within which time "WATCHDOG=1" is to be told again and again; 0: it is not expected.
  std::chrono::nanoseconds watchdog() const { return watchdog_; }

 private:
  std::string socket_;
  std::chrono::nanoseconds watchdog_;
};

}  // namespace takt::os
