#include "transport/uds/uds_transport.h"

#include <atomic>
#include <cerrno>

#include "os/error_text.h"
#include "os/unix_socket.h"
#include "transport/socket_stream.h"
#include "transport/uds/uds_acceptor.h"

namespace takt::transport {

namespace {

const char* advice(int error) {
  switch (error) {
    case ECONNREFUSED:
    case ENOENT:
      return "is the server running, and listening at that path?";
    case ETIMEDOUT:
      return "the server takes no connections: is it stopped, or busy?";
    case EACCES:
    case EPERM:
      return "this user may not write to the socket: see the server's -ORBUnixPermissions and its folder's";
    case EMFILE:
    case ENFILE:
      return "this process is out of descriptors: raise 'ulimit -n', or close connections";
    default:
      return "check the path in the object reference";
  }
}

const char* advice_for_listening(int error) {
  switch (error) {
    case EADDRINUSE:
      return "another process listens there already: stop it, or choose another path";
    case EEXIST:
      return "a file is there that is no socket: remove it, or choose another path";
    case EACCES:
    case EPERM:
    case EROFS:
      return "this user may not make files in that folder";
    case ENOENT:
    case ENOTDIR:
      return "make the folder first";
    case EMFILE:
    case ENFILE:
      return "this process is out of descriptors: raise 'ulimit -n'";
    default:
      return "check the path to listen on";
  }
}

std::string too_long() {
  return "a path or @name has 1 to " + std::to_string(os::UnixAddress::longest) + " octets";
}

ConnectError refusal(const Endpoint& to, int error) {
  return {ConnectError::Phase::connect, error,
          "cannot connect to " + to_text(to) + ": " + os::error_text(error) + "; " + advice(error)};
}

ListenError listen_refusal(const Endpoint& on, int error) {
  return {error, "cannot listen on " + to_text(on) + " (" + os::error_text(error) + "); " +
                     advice_for_listening(error)};
}

}  // namespace

EndpointResult UdsTransport::parse(std::string_view address) const {
  if (address.starts_with("//")) address.remove_prefix(2);
  Endpoint endpoint{std::string(name()), std::string(address), 0};
  if (address.empty()) return endpoint;
  if (address.front() != '/' && address.front() != '@')
    return std::unexpected("write unix:/PATH, unix:@NAME or unix:");
  if (!os::UnixAddress::parse(address)) return std::unexpected(too_long());
  return endpoint;
}

// In the same folder, so that the same users get there.
Endpoint UdsTransport::beside(const Endpoint& configured) const {
  static std::atomic<unsigned> count{0};
  if (configured.host.empty()) return configured;
  return {
      configured.protocol,
      configured.host + '.' + std::to_string(os::own_process()) + '.' + std::to_string(count.fetch_add(1)),
      0};
}

ListenResult UdsTransport::listen(const Endpoint& on, const ListenOptions& options) {
  std::expected<os::UnixAddress, int> address = std::unexpected(EINVAL);
  if (on.host.empty())
    address = os::UnixListener::free_address();
  else if (const auto parsed = os::UnixAddress::parse(on.host))
    address = *parsed;
  else
    return std::unexpected(ListenError{EINVAL, "cannot listen on " + to_text(on) + ": " + too_long()});
  if (!address) return std::unexpected(listen_refusal(on, address.error()));
  auto listener = os::UnixListener::listen(*address, options.backlog, options.file_mode);
  if (!listener) return std::unexpected(listen_refusal(on, listener.error()));
  return std::make_unique<UdsAcceptor>(std::move(*listener), on.protocol, options.stream);
}

ConnectResult UdsTransport::connect(const Endpoint& to, os::TimePoint deadline,
                                    const StreamOptions& options) {
  const auto address = os::UnixAddress::parse(to.host);
  if (!address)
    return std::unexpected(ConnectError{ConnectError::Phase::resolve, EINVAL,
                                        "cannot connect to " + to_text(to) + ": " + too_long()});
  auto socket = os::connect_unix(*address, deadline, options.send_buffer_bytes, options.receive_buffer_bytes);
  if (!socket) return std::unexpected(refusal(to, socket.error()));
  const auto peer = os::peer_of_unix_socket(*socket);
  return std::make_unique<SocketStream>(
      std::move(*socket), "unix process " + std::to_string(os::own_process()) + " -> " + to.host, peer);
}

}  // namespace takt::transport
