#include "transport/tcp/tcp_acceptor.h"

#include <cerrno>

#include "os/error_text.h"
#include "os/resolver.h"
#include "transport/tcp/tcp_stream.h"

namespace takt::transport {

std::expected<std::unique_ptr<Stream>, AcceptError> TcpAcceptor::accept() {
  if (closed_.load(std::memory_order_acquire)) return std::unexpected(AcceptError::closed);
  reserve_.take();
  auto accepted = os::accept(listener_);
  if (!accepted && os::is_exhaustion(accepted.error()) && reserve_.held()) accepted = accept_on_reserve();
  if (closed_.load(std::memory_order_acquire)) return std::unexpected(AcceptError::closed);
  if (accepted) {
    const auto local = os::Address::local_of(accepted->socket.fd());
    apply(options_, accepted->socket);
    return std::make_unique<TcpStream>(std::move(accepted->socket), local.value_or(local_), accepted->peer);
  }
  const int error = accepted.error();
  if (error == EAGAIN || error == EWOULDBLOCK) return std::unexpected(AcceptError::would_block);
  return std::unexpected(os::is_exhaustion(error) ? AcceptError::exhausted : AcceptError::failed);
}

// Takes the client that waits longest with the reserve's descriptor, and keeps it if there is one for the
// reserve again. If not, its connection ends: it learns at once, and the listener does not stay ready.
std::expected<os::Accepted, int> TcpAcceptor::accept_on_reserve() {
  reserve_.give_up();
  auto accepted = os::accept(listener_);
  reserve_.take();
  if (!accepted || reserve_.held()) return accepted;
  accepted = std::unexpected(EMFILE);
  reserve_.take();
  return accepted;
}

void TcpAcceptor::close() {
  closed_.store(true, std::memory_order_release);
  listener_.shut_down();  // wakes accept(); the descriptor stays ours, so that no other gets its number
}

namespace {

struct Bound {
  os::Socket socket;
  os::Address local;
};

std::expected<Bound, int> listen_on(const os::Address& address, const ListenOptions& options) {
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

const char* advice(int error) {
  switch (error) {
    case EADDRINUSE:
      return "another process listens there already: stop it, or choose another port (0: any free one)";
    case EACCES:
      return "ports below 1024 need a privilege: choose a higher one";
    case EADDRNOTAVAIL:
      return "that is no address of this machine: bind one that is, and publish the other";
    case EMFILE:
    case ENFILE:
      return "this process is out of descriptors: raise 'ulimit -n'";
    default:
      return "check the address to listen on";
  }
}

std::expected<os::AddressList, ListenError> addresses_of(const Endpoint& on) {
  using Family = os::Address::Family;
  if (on.host.empty())
    return os::AddressList{os::Address::wildcard(Family::v6, on.port),
                           os::Address::wildcard(Family::v4, on.port)};
  os::Resolver resolver;
  auto addresses = resolver.resolve(on.host, on.port, os::Clock::now() + std::chrono::seconds(10));
  if (addresses) return std::move(*addresses);
  return std::unexpected(ListenError{addresses.error().error,
                                     "cannot listen on " + to_text(on) + ": " + addresses.error().text +
                                         "; listen on a numeric address, or on none for all interfaces"});
}

}  // namespace

std::expected<std::unique_ptr<Acceptor>, ListenError> listen(const Endpoint& on,
                                                             const ListenOptions& options) {
  const auto addresses = addresses_of(on);
  if (!addresses) return std::unexpected(addresses.error());
  std::string tried;
  int error = 0;
  for (const os::Address& address : *addresses) {
    auto bound = listen_on(address, options);
    if (bound)
      return std::make_unique<TcpAcceptor>(std::move(bound->socket), bound->local, on.protocol,
                                           options.stream);
    error = bound.error();
    tried += (tried.empty() ? "" : ", ") + address.text() + ": " + os::error_text(error);
    if (error == EADDRINUSE && on.host.empty()) break;  // half of the families would be a surprise
  }
  return std::unexpected(
      ListenError{error, "cannot listen on " + to_text(on) + " (" + tried + "); " + advice(error)});
}

}  // namespace takt::transport
