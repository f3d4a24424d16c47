// A connection per calling thread and server, used by no other thread.
#pragma once

#include "client/mux.h"

namespace takt::client {

// The calling thread writes its request and reads its reply on a socket of its own: no lock, no queue,
// no hand-over between threads, and no reply of another call in front of its own (paper 000, section 3.1).
class ExclusiveMux final : public Mux {
 public:
  std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> open(
      Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
      std::chrono::steady_clock::time_point deadline) override;
};

}  // namespace takt::client
