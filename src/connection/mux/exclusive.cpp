#include "connection/mux/exclusive.h"

#include "connection/client/exclusive_channel.h"
#include "connection/client/failure.h"
#include "connection/orb_core.h"
#include "connection/probes/probed_channel.h"

namespace takt::connection {

std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> ExclusiveMux::open(
    OrbCore& core, const Route::Address& address, const ConnectionKey&,
    std::chrono::steady_clock::time_point deadline) {
  auto stream = core.connect(address.endpoint, deadline, address.streams);
  if (!stream) return std::unexpected(std::move(stream.error()));
  return make_channel<ExclusiveChannel>(core.probes, std::move(*stream), core.options, address.messaging,
                                        core.channels());
}

}  // namespace takt::connection
