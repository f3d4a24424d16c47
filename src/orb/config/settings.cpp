#include "orb/config/settings.h"

#include <algorithm>

namespace takt::orb {

Settings::Settings() = default;
Settings::Settings(const Settings&) = default;
Settings::Settings(Settings&&) noexcept = default;
Settings& Settings::operator=(const Settings&) = default;
Settings& Settings::operator=(Settings&&) noexcept = default;
Settings::~Settings() = default;

std::size_t Settings::most_connections() const {
  constexpr std::size_t with_threads = 2000, without = 20000;
  if (max_connections != automatic_count) return max_connections;
  return server_concurrency == "thread-per-connection" ? with_threads : without;
}

std::size_t Settings::most_connections_per_peer() const {
  if (max_connections_per_peer != automatic_count) return max_connections_per_peer;
  return std::max<std::size_t>(1, most_connections() / 4);
}

std::size_t Settings::most_queued_requests(std::size_t threads) const {
  constexpr std::size_t for_each_thread = 4;
  return max_queued_requests == automatic_count ? for_each_thread * threads : max_queued_requests;
}

void Settings::apply_log_level() const { warnings.turn(log_level != "off" && log_level != "error"); }

}  // namespace takt::orb
