#include "client/strategy/exclusive.h"

#include "client/channel/probed_channel.h"
#include "client/client.h"
#include "client/strategy/exclusive_channel.h"

namespace takt::client {

std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> ExclusiveStrategy::open(
    Client& client, const reference::Route::Address& address, const reference::ConnectionKey&,
    std::chrono::steady_clock::time_point deadline) {
  auto stream = client.connect(address, deadline);
  if (!stream) return std::unexpected(std::move(stream.error()));
  return make_channel<ExclusiveChannel>(client.steps, std::move(*stream), client, address.messaging,
                                        client.channels());
}

std::unique_ptr<ClientChannel> ExclusiveStrategy::leave_tcp(Client& client,
                                                            const reference::Route::Address& address,
                                                            const reference::ConnectionKey&) {
  auto stream = client.take_prepared(address);
  if (!stream) return nullptr;
  return make_channel<ExclusiveChannel>(client.steps, std::move(stream), client, address.messaging,
                                        client.channels());
}

}  // namespace takt::client
