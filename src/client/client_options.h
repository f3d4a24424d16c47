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
  // The longest request that is sent, with its header.
  static constexpr std::size_t least_longest_request = 8 * 1024;
  LiveSetting<std::size_t> longest_request = std::size_t{2} * 1024 * 1024 * 1024 - 1;
};

// Settings of asynchronous calls until the program gives its own takt::AsyncSettings.
struct AsynchronousDefaults {
  std::size_t most_calls = 16384;
  bool refuses_when_full = false;       // does not wait for room
  bool delivers_while_reading = false;  // the reading thread runs handlers
};

}  // namespace takt::client
