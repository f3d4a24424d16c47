#include "config/settings.h"

#include <algorithm>
#include <limits>

#include "os/reserve_descriptor.h"

namespace takt::orb {

namespace {

// Clients that open connections until the descriptors are used up would keep the program from its files and
// from its own servers. A quarter is left for these.
std::size_t descriptors_for_connections() {
  const long most = os::most_descriptors();
  return most > 0 ? std::max<std::size_t>(1, static_cast<std::size_t>(most) / 4 * 3)
                  : std::numeric_limits<std::size_t>::max();
}

}  // namespace

Settings::Settings() : log(std::make_shared<logs::Log>()), warnings(log) {}
Settings::Settings(const Settings&) = default;
Settings::Settings(Settings&&) noexcept = default;
Settings& Settings::operator=(const Settings&) = default;
Settings& Settings::operator=(Settings&&) noexcept = default;
Settings::~Settings() = default;

std::size_t Settings::most_connections() const {
  constexpr std::size_t with_threads = 2000;
  if (serving.max_connections != automatic_count) return serving.max_connections;
  const std::size_t usual = serving.concurrency == Concurrency::thread_per_connection
                                ? with_threads
                                : server::ServerOptions().connections.get();
  return std::min(usual, descriptors_for_connections());
}

std::size_t Settings::most_connections_per_peer() const {
  if (serving.max_connections_per_peer != automatic_count) return serving.max_connections_per_peer;
  return std::max<std::size_t>(1, most_connections() / 4);
}

std::size_t Settings::most_queued_requests(std::size_t threads) const {
  constexpr std::size_t for_each_thread = 4;
  return serving.max_queued_requests == automatic_count ? for_each_thread * threads
                                                        : serving.max_queued_requests;
}

}  // namespace takt::orb
