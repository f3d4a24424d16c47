// How often each client of an operation calls it, of those that say so (RIOP's period).
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "os/threads/priority_mutex.h"

namespace takt::rt {

// Any thread. A client is a connection. Does not allocate.
class ClientRates {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // Takes a request of a client that declares to call once in `period`, of an operation that may be called
  // once in `operation_period`; `ahead`: how much earlier a request may come. Gives by how much it came
  // before its client's own time; the whole of `operation_period` where the client is not admitted, because
  // its rate and those of the clients that were admitted before come to more than the operation's. 0: it
  // conforms. One that has not called for eight of its periods, and for a second, has left.
  Nanoseconds early_by(std::uint64_t client, Nanoseconds period, Nanoseconds operation_period,
                       Nanoseconds ahead, std::chrono::steady_clock::time_point at);

 private:
  // As many may be admitted at once.
  static constexpr std::size_t most_clients = 64;
  struct Client {
    std::uint64_t number = 0;  // 0: the place is free
    std::int64_t period_ns = 0;
    std::int64_t expected_ns = 0;  // its next request
    std::int64_t leaves_ns = 0;
  };

  Client* admit(std::uint64_t client, Nanoseconds period, Nanoseconds operation_period, std::int64_t now_ns);

  os::PriorityMutex mutex_;
  std::array<Client, most_clients> clients_;
};

}  // namespace takt::rt
