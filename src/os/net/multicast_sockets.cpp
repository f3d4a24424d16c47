#include "os/net/multicast_sockets.h"

#include <net/if.h>

#include <cstring>

#include "os/net/datagram_sockets.h"

namespace takt::os {
namespace {

template <class Value>
int set_option(const Socket& socket, int level, int name, const Value& value) {
  return ::setsockopt(socket.fd(), level, name, &value, sizeof value) == 0 ? 0 : errno;
}

int set_sending(const Socket& socket, Address::Family family, const MulticastOptions& options) {
  const int number = static_cast<int>(options.interface), loop = options.loopback ? 1 : 0;
  if (family == Address::Family::v6) {
    if (const int error = set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, options.hops)) return error;
    if (const int error = set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, loop)) return error;
    return number == 0 ? 0 : set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_IF, number);
  }
  ip_mreqn chosen{};
  chosen.imr_ifindex = number;
  if (const int error = set_option(socket, IPPROTO_IP, IP_MULTICAST_TTL, options.hops)) return error;
  if (const int error = set_option(socket, IPPROTO_IP, IP_MULTICAST_LOOP, loop)) return error;
  return number == 0 ? 0 : set_option(socket, IPPROTO_IP, IP_MULTICAST_IF, chosen);
}

int join(const Socket& socket, const Address& group, unsigned interface) {
  group_req request{};
  request.gr_interface = interface;
  std::memcpy(&request.gr_group, group.data(), group.size());
  const bool v6 = group.family() == Address::Family::v6;
  if (const int error = set_option(socket, v6 ? IPPROTO_IPV6 : IPPROTO_IP, MCAST_JOIN_GROUP, request))
    return error;
  // Without this, the socket also receives groups that other sockets of the machine have joined.
  return v6 ? set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_ALL, 0)
            : set_option(socket, IPPROTO_IP, IP_MULTICAST_ALL, 0);
}

// A link-local address must include its interface.
Address with_scope(const Address& group, unsigned interface) {
  if (group.family() != Address::Family::v6 || interface == 0) return group;
  sockaddr_in6 scoped{};
  std::memcpy(&scoped, group.data(), sizeof scoped);
  if (scoped.sin6_scope_id == 0) scoped.sin6_scope_id = interface;
  return Address::from_system(reinterpret_cast<const sockaddr*>(&scoped)).value_or(group);
}

}  // namespace

bool is_multicast(const Address& address) {
  if (address.family() == Address::Family::v6)
    return IN6_IS_ADDR_MULTICAST(&reinterpret_cast<const sockaddr_in6*>(address.data())->sin6_addr);
  return IN_MULTICAST(ntohl(reinterpret_cast<const sockaddr_in*>(address.data())->sin_addr.s_addr));
}

std::expected<unsigned, int> interface_number(const std::string& name) {
  if (name.empty()) return 0;
  const unsigned number = ::if_nametoindex(name.c_str());
  if (number == 0) return std::unexpected(errno);
  return number;
}

std::expected<Socket, int> open_group_sender(const Address& group, const MulticastOptions& options) {
  auto socket = open_datagram_socket(group.family());
  if (!socket) return socket;
  if (const int error = set_sending(*socket, group.family(), options)) return std::unexpected(error);
  if (const int error = connect_datagrams(*socket, with_scope(group, options.interface)))
    return std::unexpected(error);
  return socket;
}

std::expected<Socket, int> open_group_member(const Address& group, unsigned interface) {
  const Address scoped = with_scope(group, interface);
  auto socket = open_datagram_socket(group.family());
  if (!socket) return socket;
  if (!socket->set_reuse_address(true) || ::bind(socket->fd(), scoped.data(), scoped.size()) != 0)
    return std::unexpected(errno);
  if (const int error = join(*socket, scoped, interface)) return std::unexpected(error);
  return socket;
}

}  // namespace takt::os
