#include "os/process/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "os/environment.h"

namespace takt::os {

namespace {

// 0 if it is not a number.
std::int64_t number_in(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

}  // namespace

[[gnu::cold]] std::optional<ServiceManager> ServiceManager::of_process() {
  const auto sockets = environment_with("NOTIFY_SOCKET");
  const auto socket = sockets.find("NOTIFY_SOCKET");
  if (socket == sockets.end() || socket->second.empty()) return std::nullopt;
  auto watchdog = environment_with("WATCHDOG_");
  const bool is_ours =
      !watchdog.contains("WATCHDOG_PID") || number_in(watchdog["WATCHDOG_PID"]) == ::getpid();
  constexpr std::int64_t longest_us = std::int64_t{1'000'000} * 3600 * 24 * 365;
  const std::int64_t us = is_ours ? number_in(watchdog["WATCHDOG_USEC"]) : 0;
  return ServiceManager(socket->second, std::chrono::microseconds(us > 0 && us <= longest_us ? us : 0));
}

[[gnu::cold]] int passed_descriptors() {
  struct Passed {
    std::int64_t process, descriptors;
  };
  static const Passed once = [] {
    auto variables = environment_with("LISTEN_");
    return Passed{number_in(variables["LISTEN_PID"]), number_in(variables["LISTEN_FDS"])};
  }();
  constexpr std::int64_t most_meant = std::numeric_limits<int>::max();
  if (once.process != ::getpid() || once.descriptors < 0 || once.descriptors > most_meant) return 0;
  return static_cast<int>(std::min<std::int64_t>(once.descriptors, most_passed_descriptors));
}

int ServiceManager::tell(std::string_view state, std::chrono::microseconds most) const {
  struct sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return EINVAL;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  const bool is_abstract = socket_.front() == '@';
  if (is_abstract) address.sun_path[0] = '\0';
  const auto bytes = offsetof(struct sockaddr_un, sun_path) + socket_.size() + (is_abstract ? 0 : 1);
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return errno;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(most);
  const struct timeval limit = {seconds.count(), (most - seconds).count()};
  const bool waits =
      most.count() > 0 && ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0;
  const auto sent =
      ::sendto(descriptor, state.data(), state.size(), MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT),
               reinterpret_cast<const struct sockaddr*>(&address), static_cast<socklen_t>(bytes));
  const int error = sent < 0 ? errno : 0;
  ::close(descriptor);
  return error;
}

}  // namespace takt::os
