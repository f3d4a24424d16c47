#include "connection/mux/shared.h"

#include "connection/orb_core.h"
#include "connection/probes/probed_channel.h"
#include "connection/shared_channel.h"
#include "connection/shared_connection.h"

namespace takt::connection {

std::shared_ptr<SharedConnection> SharedMux::find(std::uint64_t connection_id) {
  auto found = connections_.find(connection_id);
  auto connection = found == connections_.end() ? nullptr : found->second.lock();
  return connection && !connection->broken() ? connection : nullptr;
}

// Connecting may take long, so it happens outside the lock; of two that connect at once, one is kept.
std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> SharedMux::open(
    OrbCore& core, const Route::Address& address, std::chrono::steady_clock::time_point deadline) {
  {
    std::lock_guard lock(mutex_);
    if (auto connection = find(address.connection_id))
      return make_channel<SharedChannel>(core.probes, std::move(connection));
  }
  auto stream = core.connect(address.endpoint, deadline);
  if (!stream) return std::unexpected(std::move(stream.error()));
  std::lock_guard lock(mutex_);
  auto connection = find(address.connection_id);
  if (!connection) {
    connection = std::make_shared<SharedConnection>(std::move(*stream), core.options, core.channels());
    connections_[address.connection_id] = connection;
  }
  return make_channel<SharedChannel>(core.probes, std::move(connection));
}

}  // namespace takt::connection
