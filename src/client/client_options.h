// Options for all calls of one ORB.
#pragma once

#include <chrono>
#include <cstddef>

#include <takt/base/changeable.h>

namespace takt::client {

// All may change while the ORB runs, by assigning the whole struct.
struct ClientOptions {
  Changeable<std::chrono::nanoseconds> connect_timeout{std::chrono::seconds(5)};
  // Threads notice a change at the next generation.
  Changeable<std::chrono::nanoseconds> round_trip_timeout{std::chrono::seconds(30)};
  // Limit for requests that wait for a connection's thread.
  Changeable<std::size_t> send_queue_bytes = 4 * 1024 * 1024;
  Changeable<unsigned> max_redirections = 10;  // forwards and reissues, per call
};

}  // namespace takt::client
