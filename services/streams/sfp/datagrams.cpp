#include "streams/sfp/datagrams.h"

#include <arpa/inet.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <takt/cdr/exception.h>

namespace takt::streams::sfp {
namespace {

constexpr int receive_buffer_bytes = 1024 * 1024;

[[noreturn]] void throw_failure(const std::string& what) {
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, what + ": " + std::generic_category().message(errno));
}

const sockaddr* raw(const Address& address) { return reinterpret_cast<const sockaddr*>(&address.octets); }
int error_of(ssize_t result) { return result < 0 ? errno : 0; }

}  // namespace

bool Address::operator==(const Address& other) const {
  if (octets.ss_family != other.octets.ss_family || port() != other.port()) return false;
  if (octets.ss_family == AF_INET)
    return reinterpret_cast<const sockaddr_in&>(octets).sin_addr.s_addr ==
           reinterpret_cast<const sockaddr_in&>(other.octets).sin_addr.s_addr;
  return std::memcmp(&reinterpret_cast<const sockaddr_in6&>(octets).sin6_addr,
                     &reinterpret_cast<const sockaddr_in6&>(other.octets).sin6_addr, sizeof(in6_addr)) == 0;
}

std::uint16_t Address::port() const {
  return ntohs(octets.ss_family == AF_INET ? reinterpret_cast<const sockaddr_in&>(octets).sin_port
                                           : reinterpret_cast<const sockaddr_in6&>(octets).sin6_port);
}

Address address_of(const std::string& host, std::uint16_t port) {
  Address address;
  auto& v4 = reinterpret_cast<sockaddr_in&>(address.octets);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address.octets);
  if (inet_pton(AF_INET, host.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    address.size = sizeof v4;
  } else if (inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    address.size = sizeof v6;
  } else {
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "SFP takes the number of an address, not '" + host + "'");
  }
  return address;
}

Datagrams::Datagrams(const Address& like)
    : fd_(socket(like.octets.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (fd_ < 0) throw_failure("no socket for SFP");
  setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
}
Datagrams::Datagrams(Datagrams&& from) noexcept : fd_(std::exchange(from.fd_, -1)) {}
Datagrams::~Datagrams() {
  if (fd_ >= 0) close(fd_);
}

Datagrams Datagrams::at(const Address& own) {
  Datagrams made(own);
  if (bind(made.fd_, raw(own), own.size) != 0) throw_failure("cannot receive frames of SFP");
  return made;
}

Datagrams Datagrams::to(const Address& peer, int dscp) {
  Datagrams made(peer);
  if (connect(made.fd_, raw(peer), peer.size) != 0) throw_failure("cannot send frames of SFP");
  const int octet = dscp << 2;  // the lower bits are of congestion control
  const bool is_v4 = peer.octets.ss_family == AF_INET;
  if (dscp >= 0 && setsockopt(made.fd_, is_v4 ? IPPROTO_IP : IPPROTO_IPV6, is_v4 ? IP_TOS : IPV6_TCLASS,
                              &octet, sizeof octet) != 0)
    throw_failure("the code point of frames of SFP");
  return made;
}

Address Datagrams::own() const {
  Address address;
  address.size = sizeof address.octets;
  getsockname(fd_, reinterpret_cast<sockaddr*>(&address.octets), &address.size);
  return address;
}

int Datagrams::send(ByteView datagram) const {
  return error_of(::send(fd_, datagram.data(), datagram.size(), MSG_NOSIGNAL));
}
int Datagrams::send_to(ByteView datagram, const Address& peer) const {
  return error_of(sendto(fd_, datagram.data(), datagram.size(), MSG_NOSIGNAL, raw(peer), peer.size));
}
int Datagrams::receive(std::span<std::uint8_t> into, std::size_t& bytes, Address& from) const {
  from.size = sizeof from.octets;
  const ssize_t came =
      recvfrom(fd_, into.data(), into.size(), 0, reinterpret_cast<sockaddr*>(&from.octets), &from.size);
  bytes = came < 0 ? 0 : static_cast<std::size_t>(came);
  return error_of(came);
}
void Datagrams::wait(int milliseconds) const {
  pollfd one{fd_, POLLIN, 0};
  poll(&one, 1, milliseconds);
}

}  // namespace takt::streams::sfp
