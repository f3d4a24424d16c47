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

namespace takt::connection {

// One connection for each key, for as long as some thread has a channel on it. Connecting may take long, so
// it happens outside the lock; of two that connect at once, one is kept.
template <class Connection, class Channel = SharedChannel<Connection>>
class PerServer : public Mux {
 public:
  std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> open(
      OrbCore& core, const Route::Address& address, const ConnectionKey& key,
      std::chrono::steady_clock::time_point deadline) final {
    {
      std::lock_guard lock(mutex_);
      if (auto connection = find(key)) return channel(core, address, std::move(connection));
    }
    auto stream = core.connect(address.endpoint, deadline, address.streams);
    if (!stream) return std::unexpected(std::move(stream.error()));
    std::lock_guard lock(mutex_);
    auto connection = find(key);
    if (!connection) {
      auto begun = begin(core, address, std::move(*stream));
      if (!begun) return std::unexpected(std::move(begun.error()));
      connection = std::move(*begun);
      std::erase_if(connections_, [](const auto& entry) { return entry.second.expired(); });
      connections_[key] = connection;
    }
    return channel(core, address, std::move(connection));
  }

 protected:
  virtual std::expected<std::shared_ptr<Connection>, transport::ConnectError> begin(
      OrbCore& core, const Route::Address& address, std::unique_ptr<transport::Stream> stream) = 0;

 private:
  std::unique_ptr<ClientChannel> channel(OrbCore& core, const Route::Address& address,
                                         std::shared_ptr<Connection> connection) {
    return make_channel<Channel>(core.probes, std::move(connection), core.options, address.messaging);
  }
  std::shared_ptr<Connection> find(const ConnectionKey& key) {
    const auto found = connections_.find(key);
    auto connection = found == connections_.end() ? nullptr : found->second.lock();
    return connection && !connection->broken() ? connection : nullptr;
  }

  std::mutex mutex_;
  std::map<ConnectionKey, std::weak_ptr<Connection>> connections_;
};

}  // namespace takt::connection
