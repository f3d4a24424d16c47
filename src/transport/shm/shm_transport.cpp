#include "transport/shm/shm_transport.h"

#include "transport/shm/connection_memory.h"
#include "transport/shm/shm_stream.h"
#include "transport/uds/unix_acceptor.h"
#include "transport/uds/unix_names.h"

namespace takt::transport {

namespace {

std::unique_ptr<Stream> serve(os::Socket socket, const std::string& name, const StreamOptions& options) {
  const auto peer = os::peer_of_unix_socket(socket);
  return std::make_unique<ShmStream>(std::move(socket), unix_names::server_ends("shm", name, peer), options);
}

}  // namespace

EndpointResult ShmTransport::parse(std::string_view address) const {
  return unix_names::parse(name(), address);
}

Endpoint ShmTransport::beside(const Endpoint& configured) const { return unix_names::beside(configured); }

[[gnu::cold]] ListenResult ShmTransport::listen(const Endpoint& on, const ListenOptions& options) {
  auto listener = unix_names::listen(on, options);
  if (!listener) return std::unexpected(listener.error());
  return std::make_unique<UnixAcceptor>(std::move(*listener), on.protocol, options.stream, serve);
}

// The client sends its memory first, so that the server never waits for it.
[[gnu::cold]] ConnectResult ShmTransport::connect(const Endpoint& to, os::TimePoint deadline,
                                                  const StreamOptions& options) {
  auto own = make_connection_memory(options);
  if (!own) return std::unexpected(unix_names::refusal(to, own.error()));
  auto socket = unix_names::connect(to, deadline, 0, 0);
  if (!socket) return std::unexpected(socket.error());
  if (const int error = os::send_with_descriptor(*socket, own->hello.encode(), own->descriptor.fd()))
    return std::unexpected(unix_names::refusal(to, error));
  return std::make_unique<ShmStream>(std::move(*socket), std::move(own->memory),
                                     unix_names::client_ends("shm", to.host), options);
}

}  // namespace takt::transport
