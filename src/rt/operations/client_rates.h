// Per-client rates of an operation, for clients that declare one (RIOP's period).
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "threads/locks/priority_mutex.h"

namespace takt::rt {

// Any thread. A client is identified by its connection. Does not allocate.
class ClientRates {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  struct Declared {
    Nanoseconds client_period, operation_period;
    Nanoseconds ahead;  // how much earlier a request may come
  };

  // Checks a request of a client that declares a period. Returns 0 if it conforms, else by how much it came
  // early:
  // - by its client's own rate;
  // - the whole `operation_period` if the client is not admitted, because its rate and those of admitted
  //   clients exceed the operation's;
  // - else the result of `of_all()`, which checks the operation's own rate.
  //
  // Only conforming requests delay the client's next one. A client that has not called for eight of its
  // periods, and for at least a second, is forgotten. A client that changes its period is held to the new one
  // from its last request on, or refused if it does not fit. Beyond 64 clients, a new one takes the place of
  // the one with the longest period, if its own is shorter: clients of no rate must not keep others out.
  template <class OfAll>
  Nanoseconds early_by(std::uint64_t client, const Declared& declared,
                       std::chrono::steady_clock::time_point at, OfAll of_all) {
    const std::int64_t now_ns = Nanoseconds(at.time_since_epoch()).count();
    std::lock_guard lock(mutex_);
    Client* const admitted = admit(client, declared.client_period, declared.operation_period, now_ns);
    if (!admitted) return declared.operation_period;
    const std::int64_t conforms_from = admitted->expected_ns - declared.ahead.count();
    if (conforms_from > now_ns) return Nanoseconds(conforms_from - now_ns);
    const Nanoseconds early = of_all();
    if (early.count() == 0) delay_next(*admitted, now_ns);
    return early;
  }

 private:
  // Maximum number of admitted clients.
  static constexpr std::size_t most_clients = 64;
  struct Client {
    std::uint64_t number = 0;  // 0: free
    std::int64_t period_ns = 0;
    std::int64_t expected_ns = 0;  // when its next request is due
    std::int64_t leaves_ns = 0;
  };

  struct Places {
    Client *own = nullptr, *free = nullptr, *slowest = nullptr;  // slowest: of the others
    double rates_of_others = 0;
  };

  Places find(std::uint64_t client, std::int64_t now_ns);
  Client* admit(std::uint64_t client, Nanoseconds period, Nanoseconds operation_period, std::int64_t now_ns);
  static void delay_next(Client& client, std::int64_t now_ns);

  os::PriorityMutex mutex_;
  std::array<Client, most_clients> clients_;
};

}  // namespace takt::rt
