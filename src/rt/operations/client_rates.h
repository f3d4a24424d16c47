// How often each client of an operation calls it, of those that say so (RIOP's period).
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "os/threads/priority_mutex.h"

namespace takt::rt {

// Any thread. A client is a connection. Does not allocate.
class ClientRates {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // Takes a request of a client that declares to call once in `period`, of an operation that may be called
  // once in `operation_period`; `ahead`: how much earlier a request may come. Gives by how much it came
  // before its client's own time; the whole of `operation_period` where the client is not admitted, because
  // its rate and those of the clients that were admitted before come to more than the operation's; else what
  // `of_all()` says of the operation's own rate. 0: it conforms. Only requests that conform put off the
  // client's next. A client that has not called for eight of its periods, and for a second, has left; one
  // that declares another period is held to that from its last request on, or refused where that does not
  // fit.
  template <class OfAll>
  Nanoseconds early_by(std::uint64_t client, Nanoseconds period, Nanoseconds operation_period,
                       Nanoseconds ahead, std::chrono::steady_clock::time_point at, OfAll of_all) {
    const std::int64_t now_ns = Nanoseconds(at.time_since_epoch()).count();
    std::lock_guard lock(mutex_);
    Client* const admitted = admit(client, period, operation_period, now_ns);
    if (!admitted) return operation_period;
    const std::int64_t conforms_from = admitted->expected_ns - ahead.count();
    if (conforms_from > now_ns) return Nanoseconds(conforms_from - now_ns);
    const Nanoseconds early = of_all();
    if (early.count() == 0) put_off(*admitted, now_ns);
    return early;
  }

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
  static void put_off(Client& client, std::int64_t now_ns);

  os::PriorityMutex mutex_;
  std::array<Client, most_clients> clients_;
};

}  // namespace takt::rt
