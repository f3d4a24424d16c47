// Options for all calls of one ORB.
#pragma once

#include <chrono>
#include <cstddef>

#include <takt/base/live_setting.h>

namespace takt::client {

// All may change while the ORB runs, by assigning the whole struct.
struct ClientOptions {
  LiveSetting<std::chrono::nanoseconds> connect_timeout{std::chrono::seconds(5)};
  // Threads notice a change at the next generation.
  LiveSetting<std::chrono::nanoseconds> round_trip_timeout{std::chrono::seconds(30)};
  // Limit for requests that wait for a connection's thread.
  LiveSetting<std::size_t> send_queue_bytes = 4 * 1024 * 1024;
  LiveSetting<unsigned> max_redirections = 10;  // forwards and reissues, per call
};

}  // namespace takt::client
