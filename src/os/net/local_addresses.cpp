#include "os/net/local_addresses.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <optional>

#include "os/net/datagram_sockets.h"

namespace takt::os {
namespace {

// Addresses of documentation (RFC 5737, RFC 3849), to which only a default route leads.
constexpr const char* elsewhere_v4 = "192.0.2.1";
constexpr const char* elsewhere_v6 = "2001:db8::1";

// Temporary addresses of IPv6 change while references last (RFC 5014, RFC 8981).
void prefer_lasting_source(const Socket& socket) {
  constexpr int preferences = 72, lasting = 2;  // IPV6_ADDR_PREFERENCES, IPV6_PREFER_SRC_PUBLIC
  ::setsockopt(socket.fd(), IPPROTO_IPV6, preferences, &lasting, sizeof lasting);
}

constexpr int last_rank = 2;
int rank_of(const InterfaceAddress& one) { return one.leads_out ? 0 : one.has_carrier ? 1 : last_rank; }

// The address from which datagrams to other networks would go, with port 0.
[[gnu::cold]] std::optional<Address> source_of(Address::Family family) {
  constexpr std::uint16_t discard_port = 9;
  const bool v6 = family == Address::Family::v6;
  const auto elsewhere = Address::parse(v6 ? elsewhere_v6 : elsewhere_v4, discard_port);
  auto socket = open_datagram_socket(family);
  if (!socket || !elsewhere) return std::nullopt;
  if (v6) prefer_lasting_source(*socket);
  if (connect_datagrams(*socket, *elsewhere) != 0) return std::nullopt;
  auto source = Address::local_of(socket->fd());
  if (source) source->set_port(0);
  return source;
}

}  // namespace

[[gnu::cold]] AddressList in_order_of_reach(std::span<const InterfaceAddress> addresses) {
  AddressList ordered;
  for (const auto family : {Address::Family::v4, Address::Family::v6})
    for (int rank = 0; rank <= last_rank; ++rank)
      for (const InterfaceAddress& one : addresses) {
        const Address& address = one.address;
        if (address.family() != family || rank_of(one) != rank || address.is_loopback() ||
            address.is_link_local())
          continue;
        if (std::ranges::find(ordered, address) == ordered.end()) ordered.push_back(address);
      }
  return ordered;
}

[[gnu::cold]] AddressList local_addresses() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return {};
  const auto v4 = source_of(Address::Family::v4), v6 = source_of(Address::Family::v6);
  std::vector<InterfaceAddress> addresses;
  for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || !(each->ifa_flags & IFF_UP)) continue;
    if (const auto address = Address::from_system(each->ifa_addr))
      addresses.push_back({.address = *address,
                           .has_carrier = (each->ifa_flags & IFF_RUNNING) != 0,
                           .leads_out = address == v4 || address == v6});
  }
  ::freeifaddrs(first);
  return in_order_of_reach(addresses);
}

}  // namespace takt::os
