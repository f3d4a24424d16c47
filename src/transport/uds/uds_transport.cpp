#include "transport/uds/uds_transport.h"

#include "transport/socket_stream.h"
#include "transport/uds/unix_acceptor.h"
#include "transport/uds/unix_names.h"

namespace takt::transport {

namespace {

std::unique_ptr<Stream> serve(os::Socket socket, const std::string& name, const StreamOptions& options) {
  if (options.send_buffer_bytes > 0) socket.set_send_buffer_bytes(options.send_buffer_bytes);
  if (options.receive_buffer_bytes > 0) socket.set_receive_buffer_bytes(options.receive_buffer_bytes);
  const auto peer = os::peer_of_unix_socket(socket);
  return std::make_unique<SocketStream>(
      std::move(socket),
      SocketStream::Facts{.ends = unix_names::server_ends("unix", name, peer), .peer_process = peer});
}

}  // namespace

EndpointResult UdsTransport::parse(std::string_view address) const {
  return unix_names::parse(name(), address);
}

Endpoint UdsTransport::beside(const Endpoint& configured) const { return unix_names::beside(configured); }

ListenResult UdsTransport::listen(const Endpoint& on, const ListenOptions& options) {
  auto listener = unix_names::listen(on, options);
  if (!listener) return std::unexpected(listener.error());
  return std::make_unique<UnixAcceptor>(std::move(*listener), on.protocol, options.stream, serve);
}

ConnectResult UdsTransport::connect(const Endpoint& to, os::TimePoint deadline,
                                    const StreamOptions& options) {
  auto socket = unix_names::connect(to, deadline, options.send_buffer_bytes, options.receive_buffer_bytes);
  if (!socket) return std::unexpected(socket.error());
  const auto peer = os::peer_of_unix_socket(*socket);
  return std::make_unique<SocketStream>(
      std::move(*socket),
      SocketStream::Facts{.ends = unix_names::client_ends("unix", to.host), .peer_process = peer});
}

}  // namespace takt::transport
