// Servers to which no local road is tried for a while.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include <takt/os/clock.h>

#include "threads/locks/priority_mutex.h"

namespace takt::roads {

// A failed attempt can cost -ORBLocalRoadTimeout. After it the server's roads are closed for a time that
// doubles with each failure in turn, from `first` to `longest`, so that of a thousand connections few pay.
// Remembers `most` servers; then it forgets all. Any thread; locks briefly.
class ClosedRoads {
 public:
  // The TCP address of a server, and what its offer says, which decides the names of its sockets.
  struct Server {
    std::string host;
    std::uint16_t port = 0;
    bool any_host = false;
    friend auto operator<=>(const Server&, const Server&) = default;
  };
  static constexpr std::chrono::milliseconds first{100}, longest{1'000};
  static constexpr std::size_t most = 256;

  bool is_closed(const Server& server, os::TimePoint now) const;
  void close(const Server& server, os::TimePoint now);
  void open(const Server& server);

 private:
  struct Closed {
    os::TimePoint until{};
    std::chrono::nanoseconds time{};
  };
  mutable os::PriorityMutex mutex_;
  std::map<Server, Closed> closed_;
};

}  // namespace takt::roads
