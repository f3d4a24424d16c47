// Connections that several threads, or all of a reference's callers, use together.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "connection/client/shared_channel.h"
#include "connection/mux/mux.h"
#include "connection/orb_core.h"
#include "connection/probes/probed_channel.h"
#include "os/threads/priority_mutex.h"

namespace takt::connection {

// One connection for each key, for as long as some thread has a channel on it. Connecting may take long, so
// it happens outside the lock; of two that connect at once, one is kept. What the connections are, PerServer
// below knows.
class KeptConnections : public Mux {
 public:
  std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> open(
      OrbCore& core, const Route::Address& address, const ConnectionKey& key,
      std::chrono::steady_clock::time_point deadline) final;

 protected:
  using Kept = std::shared_ptr<void>;

  virtual std::expected<Kept, transport::ConnectError> begin(OrbCore& core, const Route::Address& address,
                                                             std::unique_ptr<transport::Stream> stream) = 0;

 private:
  virtual std::unique_ptr<ClientChannel> channel(OrbCore& core, const Route::Address& address,
                                                 Kept connection) = 0;
  virtual bool is_broken(const Kept& connection) const = 0;
  Kept find(const ConnectionKey& key);

  os::PriorityMutex mutex_;
  std::map<ConnectionKey, std::weak_ptr<void>> connections_;
};

// begin() makes a Connection.
template <class Connection, class Channel = SharedChannel<Connection>>
class PerServer : public KeptConnections {
  std::unique_ptr<ClientChannel> channel(OrbCore& core, const Route::Address& address,
                                         Kept connection) final {
    return make_channel<Channel>(core.probes, std::static_pointer_cast<Connection>(std::move(connection)),
                                 core.options, address.messaging);
  }
  bool is_broken(const Kept& connection) const final {
    return static_cast<const Connection*>(connection.get())->broken();
  }
};

}  // namespace takt::connection
