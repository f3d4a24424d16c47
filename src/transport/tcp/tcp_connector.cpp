#include "transport/tcp/tcp_connector.h"

#include <algorithm>
#include <cerrno>

#include "os/error_text.h"
#include "os/stream_sockets.h"
#include "os/wait.h"
#include "transport/tcp/tcp_stream.h"

namespace takt::transport {
namespace {

const char* advice(int error) {
  switch (error) {
    case ECONNREFUSED:
      return "is the server running, and listening on that port?";
    case ETIMEDOUT:
      return "is the host up, and does a firewall drop the packets? A longer connect timeout helps only if "
             "it is slow";
    case ENETUNREACH:
    case EHOSTUNREACH:
      return "check the network, and that the reference names an address that can be reached from here";
    case EMFILE:
    case ENFILE:
      return "this process is out of descriptors: raise 'ulimit -n', or close connections";
    case EADDRNOTAVAIL:
      return "this host has no address or no free local port for it";
    case EACCES:
    case EPERM:
      return "a local firewall or sandbox forbids it";
    default:
      return "check the host and port in the object reference";
  }
}

ConnectError not_resolved(const Endpoint& to, const os::ResolveError& error) {
  return {ConnectError::Phase::resolve, error.error,
          "cannot connect to " + to_text(to) + ": " + error.text +
              "; check the host name in the object reference, or publish a numeric address at the server"};
}

// An even share of the time left, so that one address that does not answer leaves time for the others.
os::TimePoint share(os::TimePoint deadline, os::TimePoint now, std::size_t addresses_left) {
  if (deadline == os::no_deadline || addresses_left == 1) return deadline;
  return now + os::remaining(deadline, now) / static_cast<long>(addresses_left);
}

}  // namespace

std::expected<std::unique_ptr<Stream>, ConnectError> TcpConnector::connect(const Endpoint& to,
                                                                           os::TimePoint deadline) {
  const auto addresses = resolver_.resolve(to.host, to.port, deadline);
  if (!addresses) return std::unexpected(not_resolved(to, addresses.error()));
  return connect(to, *addresses, deadline);
}

std::expected<std::unique_ptr<Stream>, ConnectError> TcpConnector::connect(
    const Endpoint& to, std::span<const os::Address> addresses, os::TimePoint deadline) const {
  std::string tried;
  int error = 0;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const os::Address& address = addresses[i];
    auto stream = try_address(address, share(deadline, os::Clock::now(), addresses.size() - i));
    if (stream) return std::move(*stream);
    error = stream.error();
    tried += (i == 0 ? "" : ", ") + address.text() + ": " + os::error_text(error);
  }
  return std::unexpected(
      ConnectError{ConnectError::Phase::connect, error,
                   "cannot connect to " + to_text(to) + " (tried " + tried + "); " + advice(error)});
}

std::expected<std::unique_ptr<Stream>, int> TcpConnector::try_address(const os::Address& address,
                                                                      os::TimePoint deadline) const {
  auto socket = os::open_stream_socket(address.family());
  if (!socket) return std::unexpected(socket.error());
  apply_before_handshake(options_, *socket);
  int error = os::start_connect(*socket, address);
  if (error == EINPROGRESS) {
    const auto result = os::wait_ready(socket->fd(), os::Interest::write, deadline);
    error = result == os::WaitResult::ready ? socket->take_error() : ETIMEDOUT;
  }
  if (error != 0) return std::unexpected(error);
  const auto local = os::Address::local_of(socket->fd());
  if (!local) return std::unexpected(ENOTCONN);
  // A port that nobody listens to, in the range from which the system takes local ports, can meet itself.
  if (*local == address) return std::unexpected(ECONNREFUSED);
  apply(options_, *socket);
  if (!socket->set_blocking(true)) return std::unexpected(errno);
  return std::make_unique<TcpStream>(std::move(*socket), *local, address);
}

}  // namespace takt::transport
