#include "transport/tcp/tcp_transport.h"

#include <cerrno>

#include "os/net/stream_sockets.h"
#include "os/poll/wait.h"
#include "transport/internet_endpoints.h"
#include "transport/published_endpoints.h"
#include "transport/tcp/inherited_listener.h"
#include "transport/tcp/tcp_acceptor.h"

namespace takt::transport {
namespace {

std::expected<std::unique_ptr<Stream>, int> try_address(const os::Address& address, os::TimePoint deadline,
                                                        const StreamOptions& options) {
  auto socket = os::open_stream_socket(address.family());
  if (!socket) return std::unexpected(socket.error());
  apply_before_handshake(options, *socket);
  int error = os::start_connect(*socket, address);
  if (error == EINPROGRESS) {
    const auto result = os::wait_ready(socket->fd(), os::Interest::write, deadline);
    error = result == os::WaitResult::ready ? socket->take_error() : ETIMEDOUT;
  }
  if (error != 0) return std::unexpected(error);
  const auto local = os::Address::local_of(socket->fd());
  if (!local) return std::unexpected(ENOTCONN);
  // A connection to an unused port in the ephemeral range can connect to itself.
  if (*local == address) return std::unexpected(ECONNREFUSED);
  apply(options, *socket);
  if (!socket->set_blocking(true)) return std::unexpected(errno);
  return tcp_stream(std::move(*socket), *local, address, options);
}

}  // namespace

ConnectResult TcpTransport::connect(const Endpoint& to, os::TimePoint deadline,
                                    const StreamOptions& options) {
  const auto addresses = resolver_.resolve(to.host, to.port, deadline);
  if (!addresses) return std::unexpected(internet_endpoints::not_resolved(to, addresses.error()));
  return connect(to, *addresses, deadline, options);
}

ConnectResult TcpTransport::connect(const Endpoint& to, std::span<const os::Address> addresses,
                                    os::TimePoint deadline, const StreamOptions& options) const {
  return internet_endpoints::connect_in_turn(
      to, addresses, deadline,
      [&](const os::Address& address, os::TimePoint until) { return try_address(address, until, options); });
}

namespace {

struct Bound {
  os::Socket socket;
  os::Address local;
  TcpAcceptor::Owner owner = TcpAcceptor::Owner::process;
};

std::expected<Bound, int> listen_on(const os::Address& address, const ListenOptions& options) {
  if (auto inherited = inherited_listener(address, options.backlog)) {
    apply_before_handshake(options.stream, *inherited);
    return Bound{std::move(*inherited), address, TcpAcceptor::Owner::service_manager};
  }
  auto socket = os::open_stream_socket(address.family());
  if (!socket) return std::unexpected(socket.error());
  socket->set_reuse_address(true);
  if (address.family() == os::Address::Family::v6) socket->set_ipv6_only(!address.is_wildcard());
  apply_before_handshake(options.stream, *socket);
  if (const int error = os::bind(*socket, address)) return std::unexpected(error);
  if (const int error = os::listen(*socket, options.backlog)) return std::unexpected(error);
  const auto local = os::Address::local_of(socket->fd());
  return Bound{std::move(*socket), local.value_or(address)};
}

}  // namespace

ListenResult TcpTransport::listen(const Endpoint& on, const ListenOptions& options) {
  using Result = std::expected<std::unique_ptr<Acceptor>, int>;
  return internet_endpoints::listen_in_turn(on, resolver_, [&](const os::Address& address) -> Result {
    auto bound = listen_on(address, options);
    if (!bound) return std::unexpected(bound.error());
    return std::make_unique<TcpAcceptor>(std::move(bound->socket), bound->local, on.protocol, options.stream,
                                         bound->owner);
  });
}

EndpointResult TcpTransport::parse(std::string_view address) const {
  return internet_endpoints::parse(name(), address);
}

bool TcpTransport::is_definite(const Endpoint& endpoint) const {
  return internet_endpoints::is_definite(endpoint);
}

std::vector<Endpoint> TcpTransport::published(const Endpoint& bound) const {
  return published_endpoints(bound);
}

}  // namespace takt::transport
