#include "client/strategy/per_server.h"

namespace takt::client {

std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> SharedConnections::open(
    Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
    std::chrono::steady_clock::time_point deadline) {
  Kept broken, also_broken;
  {
    std::lock_guard lock(mutex_);
    if (auto connection = find(key, broken)) return channel(client, address, std::move(connection));
  }
  auto stream = client.connect(address, deadline);
  if (!stream) return std::unexpected(std::move(stream.error()));
  std::lock_guard lock(mutex_);
  Kept connection = find(key, also_broken);
  if (!connection) {
    auto begun = begin(client, address, std::move(*stream));
    if (!begun) return std::unexpected(std::move(begun.error()));
    connection = std::move(*begun);
    std::erase_if(connections_, [](const auto& entry) { return entry.second.expired(); });
    connections_[key] = connection;
  }
  return channel(client, address, std::move(connection));
}

std::unique_ptr<ClientChannel> SharedConnections::leave_tcp(Client& client,
                                                            const reference::Route::Address& address,
                                                            const reference::ConnectionKey& key) {
  Kept broken, replaced;
  std::lock_guard lock(mutex_);
  Kept connection = find(key, broken);
  if (connection && connection->is_replaceable()) {
    auto stream = client.take_prepared(address);
    if (!stream || !retire(connection)) return nullptr;
    auto begun = begin(client, address, std::move(stream));
    if (!begun) return nullptr;
    connections_[key] = *begun;
    replaced = std::exchange(connection, std::move(*begun));
    client.references.begin_generation();
  }
  return connection ? channel(client, address, std::move(connection)) : nullptr;
}

SharedConnections::Kept SharedConnections::find(const reference::ConnectionKey& key, Kept& broken) {
  const auto found = connections_.find(key);
  Kept connection = found == connections_.end() ? nullptr : found->second.lock();
  if (connection && connection->broken()) broken = std::move(connection);
  return connection;
}

}  // namespace takt::client
