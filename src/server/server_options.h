// Options for all connections to one server.
#pragma once

#include <chrono>
#include <cstddef>

#include <takt/base/live_setting.h>

namespace takt::server {

// All may change while the ORB runs, by assigning the whole struct.
struct ServerOptions {
  // Limits for clients that do not read, and for connections without a request; 0: no limit.
  LiveSetting<std::chrono::nanoseconds> send_timeout{std::chrono::seconds(30)};
  LiveSetting<std::chrono::nanoseconds> idle_timeout{std::chrono::minutes(2)};
  // How long a reply may wait for those to requests that were read together with its own; 0: not at all.
  LiveSetting<std::chrono::nanoseconds> reply_hold{std::chrono::microseconds(100)};
  // How long a request may wait for a POA manager that holds requests, or for its start time.
  LiveSetting<std::chrono::nanoseconds> hold_timeout{std::chrono::seconds(10)};
  // Open connections per concurrency strategy; further ones are refused.
  LiveSetting<std::size_t> connections = 20000;
  const char* connections_limit = "-ORBMaxConnections";  // the name of that limit in texts
  // The longest reply, with its header, to a request of another process. Fixed when the server starts.
  static constexpr std::size_t least_longest_reply = 8 * 1024,
                               no_limit_of_replies = (std::size_t{1} << 31) - 1;
  LiveSetting<std::size_t> longest_reply = no_limit_of_replies;
  LiveSetting<std::size_t> peer_connections = 5000;  // open connections from one address of another machine
};

}  // namespace takt::server
