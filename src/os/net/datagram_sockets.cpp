#include "os/net/datagram_sockets.h"

#include <netinet/udp.h>
#include <sys/uio.h>

#include <array>
#include <cstring>

namespace takt::os {
namespace {

constexpr std::size_t most_pieces = 4;

IoResult outcome(ssize_t count, bool waited) {
  if (count > 0) return {static_cast<std::size_t>(count), IoStatus::ok, 0};
  if (count == 0) return {0, IoStatus::end_of_stream, 0};
  if (errno == EAGAIN || errno == EWOULDBLOCK)
    return {0, waited ? IoStatus::timed_out : IoStatus::would_block, 0};
  return {0, IoStatus::failed, errno};
}

template <class Call>
ssize_t uninterrupted(Call call) {
  ssize_t count;
  do count = call();
  while (count < 0 && errno == EINTR);
  return count;
}

template <class Pieces, std::size_t most>
msghdr message_of(const Pieces& pieces, std::array<iovec, most>& vectors) {
  msghdr message{};
  message.msg_iov = vectors.data();
  for (const auto& piece : pieces)
    if (message.msg_iovlen < most)
      vectors[message.msg_iovlen++] = {const_cast<std::uint8_t*>(piece.data()), piece.size()};
  return message;
}

// The system reports the size of a bundle's datagrams as an int, but is told it as 16 bits.
struct BundleNote {
  alignas(cmsghdr) char octets[CMSG_SPACE(sizeof(int))];
};

// Room for the destination note of either family.
struct Control {
  alignas(cmsghdr) char octets[CMSG_SPACE(sizeof(in6_pktinfo)) + CMSG_SPACE(sizeof(in_pktinfo))];
};

sockaddr_in system_address(const in_pktinfo& info) { return {AF_INET, 0, info.ipi_addr, {}}; }
sockaddr_in6 system_address(const in6_pktinfo& info) {
  return {AF_INET6, 0, 0, info.ipi6_addr, IN6_IS_ADDR_LINKLOCAL(&info.ipi6_addr) ? info.ipi6_ifindex : 0};
}

template <class Info>
std::optional<Address> destination_in(const cmsghdr& note, int level, int type) {
  if (note.cmsg_level != level || note.cmsg_type != type) return std::nullopt;
  Info info{};
  std::memcpy(&info, CMSG_DATA(&note), sizeof info);
  const auto address = system_address(info);
  return Address::from_system(reinterpret_cast<const sockaddr*>(&address));
}

template <class Info>
void put_note(msghdr& message, int level, int type, const Info& info) {
  message.msg_controllen = CMSG_SPACE(sizeof info);
  cmsghdr* const note = CMSG_FIRSTHDR(&message);
  note->cmsg_level = level;
  note->cmsg_type = type;
  note->cmsg_len = CMSG_LEN(sizeof info);
  std::memcpy(CMSG_DATA(note), &info, sizeof info);
}

bool set(int fd, int level, int name, int value) {
  return ::setsockopt(fd, level, name, &value, sizeof value) == 0;
}

}  // namespace

std::expected<Socket, int> open_datagram_socket(Address::Family family) {
  const int domain = family == Address::Family::v6 ? AF_INET6 : AF_INET;
  const int fd = ::socket(domain, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return std::unexpected(errno);
  return Socket(fd);
}

int bind_first(Socket& socket, const Address& to) {
  if (::bind(socket.fd(), to.data(), to.size()) != 0) return errno;
  return set(socket.fd(), SOL_SOCKET, SO_REUSEPORT, 1) ? 0 : errno;
}

std::expected<Socket, int> open_beside(const Address& local, const Address& peer) {
  auto socket = open_datagram_socket(local.family());
  if (!socket) return socket;
  if (!set(socket->fd(), SOL_SOCKET, SO_REUSEPORT, 1) ||
      ::bind(socket->fd(), local.data(), local.size()) != 0)
    return std::unexpected(errno);
  if (const int error = connect_datagrams(*socket, peer)) return std::unexpected(error);
  return socket;
}

int connect_datagrams(Socket& socket, const Address& peer) {
  return ::connect(socket.fd(), peer.data(), peer.size()) == 0 ? 0 : errno;
}

// Connects the socket to itself. A raw system call, because ThreadSanitizer takes the library's connect() for
// the creation of the descriptor, for which no thread could have waited before.
void refuse_datagrams(Socket& socket, const Address& local) {
  ::syscall(SYS_connect, socket.fd(), local.data(), local.size());
  socket.shut_down();
}

bool note_destinations(Socket& socket) {
  const bool v4 = set(socket.fd(), IPPROTO_IP, IP_PKTINFO, 1);
  return set(socket.fd(), IPPROTO_IPV6, IPV6_RECVPKTINFO, 1) || v4;
}

IoResult receive_from(Socket& socket, MutableBytes into, Correspondents& who) {
  const auto bound = Address::local_of(socket.fd());
  sockaddr_storage peer{};
  Control control;
  std::array<iovec, most_pieces> vectors;
  msghdr message = message_of(std::span(&into, 1), vectors);
  message.msg_name = &peer;
  message.msg_namelen = sizeof peer;
  message.msg_control = control.octets;
  message.msg_controllen = sizeof control.octets;
  const auto count =
      uninterrupted([&] { return ::recvmsg(socket.fd(), &message, socket.blocking() ? 0 : MSG_DONTWAIT); });
  const IoResult result = outcome(count, socket.blocking());
  if (result.status != IoStatus::ok) return result;
  who.local = bound.value_or(Address());
  who.peer = Address::from_system(reinterpret_cast<const sockaddr*>(&peer)).value_or(Address());
  // A dual-stack socket gets both notes for IPv4. Only the one of its own family can be bound again.
  for (cmsghdr* note = CMSG_FIRSTHDR(&message); note; note = CMSG_NXTHDR(&message, note)) {
    auto local = who.peer.family() == Address::Family::v6
                     ? destination_in<in6_pktinfo>(*note, IPPROTO_IPV6, IPV6_PKTINFO)
                     : destination_in<in_pktinfo>(*note, IPPROTO_IP, IP_PKTINFO);
    if (!local) continue;
    local->set_port(who.local.port());
    who.local = *local;
  }
  return result;
}

IoResult receive_from(Socket& socket, MutableBytes into, Address& peer) {
  sockaddr_storage from{};
  std::array<iovec, most_pieces> vectors;
  msghdr message = message_of(std::span(&into, 1), vectors);
  message.msg_name = &from;
  message.msg_namelen = sizeof from;
  const auto count =
      uninterrupted([&] { return ::recvmsg(socket.fd(), &message, socket.blocking() ? 0 : MSG_DONTWAIT); });
  const IoResult result = outcome(count, socket.blocking());
  if (result.status == IoStatus::ok)
    peer = Address::from_system(reinterpret_cast<const sockaddr*>(&from)).value_or(Address());
  return result;
}

IoResult send_to(Socket& socket, ByteView datagram, const Correspondents& who) {
  Control control{};
  std::array<iovec, most_pieces> vectors;
  msghdr message = message_of(std::span(&datagram, 1), vectors);
  message.msg_name = const_cast<sockaddr*>(who.peer.data());
  message.msg_namelen = who.peer.size();
  message.msg_control = control.octets;
  message.msg_controllen = sizeof control.octets;
  if (who.local.family() == Address::Family::v6) {
    in6_pktinfo info{};
    info.ipi6_addr = reinterpret_cast<const sockaddr_in6*>(who.local.data())->sin6_addr;
    put_note(message, IPPROTO_IPV6, IPV6_PKTINFO, info);
  } else {
    in_pktinfo info{};
    info.ipi_spec_dst = reinterpret_cast<const sockaddr_in*>(who.local.data())->sin_addr;
    put_note(message, IPPROTO_IP, IP_PKTINFO, info);
  }
  return outcome(uninterrupted([&] { return ::sendmsg(socket.fd(), &message, MSG_NOSIGNAL | MSG_DONTWAIT); }),
                 false);
}

IoResult receive_datagram(Socket& socket, std::span<const MutableBytes> pieces, bool wait) {
  std::array<iovec, most_pieces> vectors;
  msghdr message = message_of(pieces, vectors);
  return outcome(uninterrupted([&] { return ::recvmsg(socket.fd(), &message, wait ? 0 : MSG_DONTWAIT); }),
                 wait);
}

void take_bundles(Socket& socket) { set(socket.fd(), IPPROTO_UDP, UDP_GRO, 1); }

namespace {

// `message` has the memory for the octets.
IoResult receive_bundle_into(Socket& socket, msghdr& message, bool wait, std::size_t& each_bytes) {
  BundleNote length;
  message.msg_control = length.octets;
  message.msg_controllen = sizeof length.octets;
  const IoResult result =
      outcome(uninterrupted([&] { return ::recvmsg(socket.fd(), &message, wait ? 0 : MSG_DONTWAIT); }), wait);
  each_bytes = result.bytes;
  if (result.status != IoStatus::ok) return result;
  const cmsghdr* const note = CMSG_FIRSTHDR(&message);
  if (!note || note->cmsg_level != IPPROTO_UDP || note->cmsg_type != UDP_GRO) return result;
  int each = 0;
  std::memcpy(&each, CMSG_DATA(note), sizeof each);
  if (each > 0) each_bytes = static_cast<std::size_t>(each);
  return result;
}

}  // namespace

IoResult receive_bundle(Socket& socket, MutableBytes into, bool wait, std::size_t& each_bytes) {
  std::array<iovec, 1> vectors;
  msghdr message = message_of(std::span(&into, 1), vectors);
  return receive_bundle_into(socket, message, wait, each_bytes);
}

IoResult receive_bundle_from(Socket& socket, MutableBytes into, bool wait, Address& peer, std::size_t& each) {
  sockaddr_storage from{};
  std::array<iovec, 1> vectors;
  msghdr message = message_of(std::span(&into, 1), vectors);
  message.msg_name = &from;
  message.msg_namelen = sizeof from;
  const IoResult result = receive_bundle_into(socket, message, wait, each);
  if (result.status == IoStatus::ok)
    peer = Address::from_system(reinterpret_cast<const sockaddr*>(&from)).value_or(Address());
  return result;
}

IoResult peek_datagram(Socket& socket, MutableBytes into) {
  return outcome(uninterrupted([&] {
                   return ::recv(socket.fd(), into.data(), into.size(), MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
                 }),
                 false);
}

IoResult send_datagram(Socket& socket, std::span<const ByteView> pieces) {
  std::array<iovec, most_pieces> vectors;
  msghdr message = message_of(pieces, vectors);
  return outcome(uninterrupted([&] { return ::sendmsg(socket.fd(), &message, MSG_NOSIGNAL | MSG_DONTWAIT); }),
                 false);
}

IoResult send_bundle(Socket& socket, std::span<const ByteView> pieces, std::size_t each_bytes) {
  std::array<iovec, most_bundled_pieces> vectors;
  msghdr message = message_of(pieces, vectors);
  BundleNote length{};
  message.msg_control = length.octets;
  put_note(message, IPPROTO_UDP, UDP_SEGMENT, static_cast<std::uint16_t>(each_bytes));
  IoResult sent = outcome(
      uninterrupted([&] { return ::sendmsg(socket.fd(), &message, MSG_NOSIGNAL | MSG_DONTWAIT); }), false);
  // The system lacks UDP_SEGMENT, the interface computes no checksums, or a datagram exceeds the route's MTU.
  if (sent.status == IoStatus::failed &&
      (sent.error == EINVAL || sent.error == EOPNOTSUPP || sent.error == EIO || sent.error == EMSGSIZE))
    sent.error = ENOTSUP;
  return sent;
}

}  // namespace takt::os
