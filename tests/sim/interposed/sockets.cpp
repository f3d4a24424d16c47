// Socket functions; all sockets of the program are simulated.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <vector>

#include "interposed/answer.h"
#include "machine/machine.h"
#include "machine/system_calls.h"

using takt::sim::answer;
using takt::sim::Datagram;
using takt::sim::DatagramSocket;
using takt::sim::Descriptors;
using takt::sim::machine;
using takt::sim::real;
using takt::sim::simulated;
using takt::sim::SocketFile;

namespace {

std::uint16_t port_of(const sockaddr* address) {
  return ntohs(reinterpret_cast<const sockaddr_in*>(address)->sin_port);
}

void put_address(std::uint16_t port, sockaddr* into, socklen_t* size) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::memcpy(into, &address, std::min<std::size_t>(*size, sizeof address));
  *size = sizeof address;
}

std::span<std::uint8_t> space(void* into, std::size_t size) {
  return {static_cast<std::uint8_t*>(into), size};
}
std::span<const std::uint8_t> octets(const void* from, std::size_t size) {
  return {static_cast<const std::uint8_t*>(from), size};
}

// Calls the function for the socket's kind.
template <class OfStreams, class OfDatagrams>
auto by_kind(int fd, OfStreams of_streams, OfDatagrams of_datagrams) {
  const auto socket = machine().socket(fd);
  if (const auto datagrams = std::dynamic_pointer_cast<DatagramSocket>(socket))
    return of_datagrams(*datagrams);
  return of_streams(std::static_pointer_cast<SocketFile>(socket));
}

void put(std::span<const std::uint8_t> octets, msghdr& message) {
  for (std::size_t i = 0; i < message.msg_iovlen && !octets.empty(); ++i) {
    const iovec& piece = message.msg_iov[i];
    const std::size_t count = std::min(piece.iov_len, octets.size());
    std::memcpy(piece.iov_base, octets.data(), count);
    octets = octets.subspan(count);
  }
}

std::vector<std::uint8_t> octets(const msghdr& message) {
  std::vector<std::uint8_t> all;
  for (std::size_t i = 0; i < message.msg_iovlen; ++i) {
    const auto piece = octets(message.msg_iov[i].iov_base, message.msg_iov[i].iov_len);
    all.insert(all.end(), piece.begin(), piece.end());
  }
  return all;
}

// The length of each datagram except the last (UDP_SEGMENT).
std::size_t length_in_bundle(const msghdr& message, std::size_t whole) {
  const cmsghdr* const note = CMSG_FIRSTHDR(&message);
  if (!note || note->cmsg_level != IPPROTO_UDP || note->cmsg_type != UDP_SEGMENT) return whole;
  std::uint16_t each = 0;
  std::memcpy(&each, CMSG_DATA(note), sizeof each);
  return each;
}

long receive(DatagramSocket& socket, msghdr& message, int flags) {
  Datagram datagram;
  const bool wait = socket.blocking && !(flags & MSG_DONTWAIT);
  const long count = machine().datagrams.receive(socket, wait, (flags & MSG_PEEK) != 0, datagram);
  if (count < 0) return count;
  put(datagram.octets, message);
  if (message.msg_name && datagram.from != 0)
    put_address(datagram.from, static_cast<sockaddr*>(message.msg_name), &message.msg_namelen);
  std::size_t room = 0;
  for (std::size_t i = 0; i < message.msg_iovlen; ++i) room += message.msg_iov[i].iov_len;
  return flags & MSG_TRUNC ? count : std::min(count, static_cast<long>(room));
}

}  // namespace

extern "C" {

int socket(int domain, int type, int protocol) noexcept {
  if (!simulated()) return real<int(int, int, int)>("socket")(domain, type, protocol);
  std::shared_ptr<takt::sim::Socket> made;
  if ((type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_DGRAM)
    made = machine().datagrams.make_socket();
  else
    made = std::make_shared<SocketFile>();
  made->blocking = !(type & SOCK_NONBLOCK);
  return answer(machine().open(std::move(made)));
}

int bind(int fd, const sockaddr* address, socklen_t) noexcept {
  return answer(by_kind(
      fd, [&](const auto& stream) { return machine().network.bind(*stream, port_of(address)); },
      [&](auto& datagrams) { return machine().datagrams.bind(datagrams, port_of(address)); }));
}

int listen(int fd, int backlog) noexcept {
  return answer(by_kind(
      fd, [&](const auto& stream) { return machine().network.listen(stream, backlog); },
      [](auto&) { return long{-EOPNOTSUPP}; }));
}

int connect(int fd, const sockaddr* address, socklen_t size) {
  if (!simulated()) return real<int(int, const sockaddr*, socklen_t)>("connect")(fd, address, size);
  return answer(by_kind(
      fd, [&](const auto& stream) { return machine().network.connect(*stream, port_of(address)); },
      [&](auto& datagrams) { return machine().datagrams.connect(datagrams, port_of(address)); }));
}

int accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
  const auto listener = std::dynamic_pointer_cast<SocketFile>(machine().socket(fd));
  if (!listener) return answer(-EOPNOTSUPP);
  std::shared_ptr<SocketFile> accepted;
  if (const long error = machine().network.accept(*listener, accepted); error < 0) return answer(error);
  accepted->blocking = !(flags & SOCK_NONBLOCK);
  const long made = machine().open(accepted);
  if (made < 0)
    machine().network.put_back(*listener, *accepted);
  else if (address)
    put_address(accepted->peer_port, address, size);
  return answer(made);
}

int accept(int fd, sockaddr* address, socklen_t* size) { return accept4(fd, address, size, 0); }

int getsockname(int fd, sockaddr* address, socklen_t* size) noexcept {
  put_address(machine().socket(fd)->port, address, size);
  return 0;
}

int getpeername(int fd, sockaddr* address, socklen_t* size) noexcept {
  put_address(machine().socket(fd)->peer_port, address, size);
  return 0;
}

int setsockopt(int fd, int level, int name, const void* value, socklen_t) noexcept {
  const auto socket = machine().socket(fd);
  if (const auto datagrams = std::dynamic_pointer_cast<DatagramSocket>(socket);
      datagrams && level == SOL_SOCKET && name == SO_REUSEPORT)
    datagrams->shares_port = *static_cast<const int*>(value) != 0;
  if (level != SOL_SOCKET || (name != SO_RCVTIMEO && name != SO_SNDTIMEO)) return 0;
  const auto& time = *static_cast<const timeval*>(value);
  (name == SO_RCVTIMEO ? socket->receive_timeout : socket->send_timeout) =
      std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  return 0;
}

int getsockopt(int fd, int level, int name, void* value, socklen_t*) noexcept {
  const auto socket = machine().socket(fd);
  if (level != SOL_SOCKET || name != SO_ERROR) return answer(-ENOPROTOOPT);
  const int error = socket->take_error(machine().scheduler.now());
  std::memcpy(value, &error, sizeof error);
  return 0;
}

int shutdown(int fd, int how) noexcept {
  const bool receiving = how != SHUT_WR, sending = how != SHUT_RD;
  return answer(by_kind(
      fd, [&](const auto& stream) { return machine().network.shut_down(*stream, receiving, sending); },
      [&](auto& datagrams) { return machine().datagrams.shut_down(datagrams, receiving, sending); }));
}

ssize_t recv(int fd, void* into, std::size_t size, int flags) {
  iovec piece{into, size};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  return recvmsg(fd, &message, flags);
}

ssize_t send(int fd, const void* from, std::size_t size, int) {
  return answer(by_kind(
      fd, [&](const auto& stream) { return machine().network.send(*stream, octets(from, size)); },
      [&](auto& datagrams) {
        return machine().datagrams.send(datagrams, octets(from, size), datagrams.peer_port);
      }));
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
  message->msg_controllen = 0;
  const auto first = space(message->msg_iov[0].iov_base, message->msg_iov[0].iov_len);
  return answer(by_kind(
      fd, [&](const auto& stream) { return machine().network.receive(*stream, first); },
      [&](auto& datagrams) { return receive(datagrams, *message, flags); }));
}

ssize_t sendmsg(int fd, const msghdr* message, int) {
  const auto all = octets(*message);
  const std::size_t each = length_in_bundle(*message, all.size());
  return answer(by_kind(
      fd, [&](const auto& stream) { return machine().network.send(*stream, all); },
      [&](auto& datagrams) {
        const auto* const to = static_cast<const sockaddr*>(message->msg_name);
        const std::uint16_t port = to ? port_of(to) : datagrams.peer_port;
        std::span<const std::uint8_t> left = all;
        do {
          const auto one = left.first(std::min(each, left.size()));
          if (const long sent = machine().datagrams.send(datagrams, one, port); sent < 0) return sent;
          left = left.subspan(one.size());
        } while (!left.empty());
        return static_cast<long>(all.size());
      }));
}

int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  if (!simulated() || !Descriptors::is_virtual(fd))
    return real<int(int, int, ...)>("fcntl")(fd, command, argument);
  const auto file = machine().file(fd);
  if (command == F_GETFL) return O_RDWR | (file->blocking ? 0 : O_NONBLOCK);
  if (command == F_SETFL) file->blocking = !(argument & O_NONBLOCK);
  return 0;
}

}  // extern "C"
