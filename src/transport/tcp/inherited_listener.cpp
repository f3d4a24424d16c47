#include "transport/tcp/inherited_listener.h"

#include "os/net/stream_sockets.h"
#include "os/process/service_manager.h"

namespace takt::transport {

[[gnu::cold]] std::optional<os::Socket> inherited_listener(const os::Address& address, int backlog) {
  const int end = os::first_passed_descriptor + os::passed_descriptors();
  for (int each = os::first_passed_descriptor; each < end; ++each) {
    if (os::Address::local_of(each) != address) continue;
    auto socket = os::duplicate(each);
    // Sockets of datagrams and connections cannot listen.
    if (socket && os::listen(*socket, backlog) == 0) return std::move(*socket);
  }
  return std::nullopt;
}

}  // namespace takt::transport
