#include "os/net/stream_sockets.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>

namespace takt::os {
namespace {

// Errors of accept() that concern one pending connection and not the listener; see accept(2).
bool concerns_one_connection(int error) {
  switch (error) {
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case ENOPROTOOPT:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENONET:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::expected<Socket, int> open_stream_socket(Address::Family family) {
  const int domain = family == Address::Family::v6 ? AF_INET6 : AF_INET;
  const int fd = ::socket(domain, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return std::unexpected(errno);
  return Socket(fd, false);
}

bool may_set_priority(int priority) {
  auto socket = open_stream_socket(Address::Family::v4);
  if (!socket) socket = open_stream_socket(Address::Family::v6);
  return socket && socket->set_priority(priority);
}

int start_connect(Socket& socket, const Address& to) {
  if (::connect(socket.fd(), to.data(), to.size()) == 0) return 0;
  return errno == EINTR ? EINPROGRESS : errno;  // an interrupted attempt continues
}

int bind(Socket& socket, const Address& to) {
  return ::bind(socket.fd(), to.data(), to.size()) == 0 ? 0 : errno;
}

int listen(Socket& socket, int backlog) { return ::listen(socket.fd(), backlog) == 0 ? 0 : errno; }

bool listens(int fd) {
  int accepts = 0;
  socklen_t size = sizeof accepts;
  return ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &size) == 0 && accepts != 0;
}

std::expected<Socket, int> duplicate(int fd) {
  Socket socket(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!socket.is_open() || ::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || !socket.set_blocking(false))
    return std::unexpected(errno);
  return socket;
}

std::expected<Accepted, int> accept(Socket& listener) {
  for (;;) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    const int fd = ::accept4(listener.fd(), reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC);
    if (fd >= 0) {
      const auto address = Address::from_system(reinterpret_cast<const sockaddr*>(&peer));
      return Accepted{Socket(fd), address.value_or(Address())};
    }
    if (!concerns_one_connection(errno)) return std::unexpected(errno);
  }
}

bool is_exhaustion(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

IoResult peek(int fd, MutableBytes into) {
  const ssize_t count = ::recv(fd, into.data(), into.size(), MSG_PEEK | MSG_DONTWAIT);
  if (count > 0) return {static_cast<std::size_t>(count), IoStatus::ok, 0};
  if (count == 0) return {0, IoStatus::end_of_stream, 0};
  const bool later = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  return {0, later ? IoStatus::would_block : IoStatus::failed, later ? 0 : errno};
}

}  // namespace takt::os
