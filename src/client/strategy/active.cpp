#include "client/strategy/active.h"

#include "os/error_text.h"

namespace takt::client {

std::expected<SharedConnections::Kept, transport::ConnectError> ActiveStrategy::begin(
    Client& client, const reference::Route::Address& address, std::unique_ptr<transport::Stream> stream) {
  const auto prepare = [run_at = client.run_at, serves = address.serves] {
    if (run_at && serves != giop::all_priorities) run_at(serves.high);
  };
  auto connection =
      ActiveConnection::begin(std::move(stream), client, address.messaging, client.channels(), prepare);
  if (connection) return std::move(*connection);
  return std::unexpected(transport::ConnectError{
      transport::ConnectError::Phase::connect, connection.error(),
      transport::to_text(address.endpoint) +
          ": the system has no thread or descriptor left for the connection (" +
          os::error_text(connection.error()) + "); -ORBClientConnections multiplexed needs none"});
}

}  // namespace takt::client
