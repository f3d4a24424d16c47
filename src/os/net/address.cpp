#include "os/net/address.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <sys/socket.h>

#include <charconv>
#include <cstring>

namespace takt::os {
namespace {

std::uint32_t scope_of(std::string_view name) {
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error == std::errc() && end == name.data() + name.size()) return index;
  return ::if_nametoindex(std::string(name).c_str());
}

template <int (*ask)(int, sockaddr*, socklen_t*)>
std::optional<Address> end_of(int fd) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (ask(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return std::nullopt;
  return Address::from_system(reinterpret_cast<const sockaddr*>(&storage));
}

int local_name(int fd, sockaddr* into, socklen_t* size) { return ::getsockname(fd, into, size); }
int peer_name(int fd, sockaddr* into, socklen_t* size) { return ::getpeername(fd, into, size); }

}  // namespace

Address::Address() {
  std::memset(&v6_, 0, sizeof v6_);
  v4_.sin_family = AF_INET;
}

Address Address::wildcard(Family family, std::uint16_t port) {
  Address address;
  address.any_.sa_family = family == Family::v6 ? AF_INET6 : AF_INET;
  address.set_port(port);
  return address;
}

Address Address::loopback(Family family, std::uint16_t port) {
  Address address = wildcard(family, port);
  if (family == Family::v6)
    address.v6_.sin6_addr = in6addr_loopback;
  else
    address.v4_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

std::optional<Address> Address::parse(std::string_view host, std::uint16_t port) {
  const std::size_t percent = host.find('%');
  const std::string number(host.substr(0, percent));
  if (number.size() != std::strlen(number.c_str())) return std::nullopt;  // an embedded zero octet
  Address address;
  if (percent == host.npos && ::inet_pton(AF_INET, number.c_str(), &address.v4_.sin_addr) == 1) {
    address.set_port(port);
    return address;
  }
  address = wildcard(Family::v6, port);
  if (::inet_pton(AF_INET6, number.c_str(), &address.v6_.sin6_addr) != 1) return std::nullopt;
  if (percent != host.npos) {
    address.v6_.sin6_scope_id = scope_of(host.substr(percent + 1));
    if (address.v6_.sin6_scope_id == 0) return std::nullopt;
  }
  return address;
}

std::optional<Address> Address::from_system(const sockaddr* from) {
  Address address;
  if (from->sa_family == AF_INET)
    std::memcpy(&address.v4_, from, sizeof address.v4_);
  else if (from->sa_family == AF_INET6)
    std::memcpy(&address.v6_, from, sizeof address.v6_);
  else
    return std::nullopt;
  return address;
}

std::optional<Address> Address::local_of(int fd) { return end_of<local_name>(fd); }
std::optional<Address> Address::peer_of(int fd) { return end_of<peer_name>(fd); }

std::uint16_t Address::port() const { return ntohs(family() == Family::v6 ? v6_.sin6_port : v4_.sin_port); }

void Address::set_port(std::uint16_t port) {
  (family() == Family::v6 ? v6_.sin6_port : v4_.sin_port) = htons(port);
}

bool Address::is_wildcard() const {
  if (family() == Family::v4) return v4_.sin_addr.s_addr == htonl(INADDR_ANY);
  return IN6_IS_ADDR_UNSPECIFIED(&v6_.sin6_addr);
}

bool Address::is_loopback() const {
  if (family() == Family::v4) return ntohl(v4_.sin_addr.s_addr) >> 24 == 127;
  return IN6_IS_ADDR_LOOPBACK(&v6_.sin6_addr) ||
         (IN6_IS_ADDR_V4MAPPED(&v6_.sin6_addr) && v6_.sin6_addr.s6_addr[12] == 127);
}

bool Address::is_link_local() const {
  if (family() == Family::v4) return ntohl(v4_.sin_addr.s_addr) >> 16 == 0xA9FE;  // 169.254.0.0/16
  return IN6_IS_ADDR_LINKLOCAL(&v6_.sin6_addr);
}

[[gnu::cold]] std::string Address::host_text() const {
  char text[INET6_ADDRSTRLEN] = "";
  if (family() == Family::v4) return ::inet_ntop(AF_INET, &v4_.sin_addr, text, sizeof text);
  if (IN6_IS_ADDR_V4MAPPED(&v6_.sin6_addr))
    return ::inet_ntop(AF_INET, &v6_.sin6_addr.s6_addr[12], text, sizeof text);
  std::string host = ::inet_ntop(AF_INET6, &v6_.sin6_addr, text, sizeof text);
  if (v6_.sin6_scope_id == 0) return host;
  char name[IF_NAMESIZE] = "";
  host += '%';
  return ::if_indextoname(v6_.sin6_scope_id, name) ? host + name : host + std::to_string(v6_.sin6_scope_id);
}

std::string Address::network_text() const {
  constexpr std::size_t network_octets = 8;
  if (family() == Family::v4 || IN6_IS_ADDR_V4MAPPED(&v6_.sin6_addr)) return host_text();
  in6_addr network = v6_.sin6_addr;
  std::memset(&network.s6_addr[network_octets], 0, sizeof network - network_octets);
  char text[INET6_ADDRSTRLEN] = "";
  return std::string(::inet_ntop(AF_INET6, &network, text, sizeof text)) + "/64";
}

std::string Address::text() const { return host_and_port(host_text(), port()); }

bool operator==(const Address& left, const Address& right) {
  if (left.family() != right.family() || left.port() != right.port()) return false;
  if (left.family() == Address::Family::v4) return left.v4_.sin_addr.s_addr == right.v4_.sin_addr.s_addr;
  return IN6_ARE_ADDR_EQUAL(&left.v6_.sin6_addr, &right.v6_.sin6_addr) &&
         left.v6_.sin6_scope_id == right.v6_.sin6_scope_id;
}

std::string host_and_port(std::string_view host, std::uint16_t port) {
  const bool brackets = host.find(':') != host.npos;
  std::string text(brackets ? "[" : "");
  text += host;
  text += brackets ? "]:" : ":";
  return text += std::to_string(port);
}

}  // namespace takt::os
