#include "client/strategy/shared.h"

namespace takt::client {

std::expected<SharedConnections::Kept, transport::ConnectError> SharedStrategy::begin(
    Client& client, const reference::Route::Address& address, std::unique_ptr<transport::Stream> stream) {
  return std::make_shared<SharedConnection>(std::move(stream), client, address.messaging, client.channels());
}

}  // namespace takt::client
