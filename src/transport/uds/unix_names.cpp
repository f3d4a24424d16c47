#include "transport/uds/unix_names.h"

#include <atomic>
#include <cerrno>

#include "os/error_text.h"

namespace takt::transport::unix_names {

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
      return "a file that is not a socket is there: remove it, or choose another path";
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

[[gnu::cold]] ListenError listen_refusal(const Endpoint& on, int error) {
  return {error, "cannot listen on " + to_text(on) + " (" + os::error_text(error) + "); " +
                     advice_for_listening(error)};
}

}  // namespace

[[gnu::cold]] ConnectError refusal(const Endpoint& to, int error) {
  return {ConnectError::Phase::connect, error,
          "cannot connect to " + to_text(to) + ": " + os::error_text(error) + "; " + advice(error)};
}

[[gnu::cold]] EndpointResult parse(std::string_view protocol, std::string_view address) {
  if (address.starts_with("//")) address.remove_prefix(2);
  Endpoint endpoint{std::string(protocol), std::string(address), 0};
  if (address.empty()) return endpoint;
  if (address.front() != '/' && address.front() != '@') {
    const std::string name(protocol);
    return std::unexpected("write " + name + ":/PATH, " + name + ":@NAME or " + name + ":");
  }
  if (!os::UnixAddress::parse(address)) return std::unexpected(too_long());
  return endpoint;
}

// In the same directory, so that the same users have access.
Endpoint beside(const Endpoint& configured) {
  static std::atomic<unsigned> count{0};
  if (configured.host.empty()) return configured;
  return {
      configured.protocol,
      configured.host + '.' + std::to_string(os::own_process()) + '.' + std::to_string(count.fetch_add(1)),
      0};
}

std::expected<os::UnixListener, ListenError> listen(const Endpoint& on, const ListenOptions& options) {
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
  return std::move(*listener);
}

std::expected<os::Socket, ConnectError> connect(const Endpoint& to, os::TimePoint deadline,
                                                int send_buffer_bytes, int receive_buffer_bytes) {
  const auto address = os::UnixAddress::parse(to.host);
  if (!address)
    return std::unexpected(ConnectError{ConnectError::Phase::resolve, EINVAL,
                                        "cannot connect to " + to_text(to) + ": " + too_long()});
  auto socket = os::connect_unix(*address, deadline, send_buffer_bytes, receive_buffer_bytes);
  if (!socket) return std::unexpected(refusal(to, socket.error()));
  return std::move(*socket);
}

StreamEnds client_ends(std::string_view protocol, const std::string& server) {
  return {protocol, "process " + std::to_string(os::own_process()), server};
}

[[gnu::cold]] StreamEnds server_ends(std::string_view protocol, const std::string& server,
                                     const std::optional<os::ProcessIdentity>& peer) {
  return {protocol, server, peer ? "process " + std::to_string(peer->process) : "unknown"};
}

}  // namespace takt::transport::unix_names
