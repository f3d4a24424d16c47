#include "imr/process/wake_up.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace takt::imr {

WakeUp::WakeUp() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (event_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

WakeUp::~WakeUp() { close(event_); }

void WakeUp::wake() const {
  constexpr std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(event_, &one, sizeof one);
}

std::vector<int> WakeUp::wait(const std::vector<int>& descriptors, std::chrono::nanoseconds time) const {
  constexpr std::chrono::nanoseconds none(0), longest = std::chrono::hours(1);
  std::vector<pollfd> polled{{event_, POLLIN, 0}};
  for (const int each : descriptors) polled.push_back({each, POLLIN, 0});
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(std::clamp(time, none, longest));
  std::vector<int> readable;
  if (poll(polled.data(), polled.size(), static_cast<int>(milliseconds.count())) <= 0) return readable;
  std::uint64_t count = 0;
  [[maybe_unused]] const auto taken = read(event_, &count, sizeof count);
  for (std::size_t i = 1; i < polled.size(); ++i)
    if (polled[i].revents != 0) readable.push_back(polled[i].fd);
  return readable;
}

}  // namespace takt::imr
