// One connection per server for all threads that call it.
#pragma once

#include <mutex>
#include <unordered_map>

#include "connection/mux/mux.h"

namespace takt::connection {

class SharedConnection;

// Few sockets, at the price of a lock per send and per wait. Among the waiting callers one, the leader,
// reads the socket and hands the others their replies; when it has its own, another takes the lead
// (paper 000, section 3.1: multiplexed connections).
class SharedMux final : public Mux {
 public:
  std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> open(
      OrbCore& core, const Route::Address& address, std::chrono::steady_clock::time_point deadline) override;

 private:
  std::shared_ptr<SharedConnection> find(std::uint64_t connection_id);

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::weak_ptr<SharedConnection>> connections_;
};

}  // namespace takt::connection
