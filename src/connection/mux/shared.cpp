#include "connection/mux/shared.h"

namespace takt::connection {

std::expected<KeptConnections::Kept, transport::ConnectError> SharedMux::begin(
    OrbCore& core, const Route::Address& address, std::unique_ptr<transport::Stream> stream) {
  return std::make_shared<SharedConnection>(std::move(stream), core.options, address.messaging,
                                            core.channels());
}

}  // namespace takt::connection
