// IP addresses that a socket is bound or connected to.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::os {

// An IPv4 or IPv6 address with a port; a value. Only the *_text functions allocate.
class Address {
 public:
  enum class Family : std::uint8_t { v4, v6 };

  // 0.0.0.0, port 0
  Address();
  static Address wildcard(Family family, std::uint16_t port);
  static Address loopback(Family family, std::uint16_t port);
  // Parses "192.0.2.1", "2001:db8::1" or "fe80::1%eth0" (scope by name or number). Empty if `host` is not
  // numeric. Makes no name look-up.
  static std::optional<Address> parse(std::string_view host, std::uint16_t port);
  // Converts a system address; empty for other families.
  static std::optional<Address> from_system(const sockaddr* address);
  // The two ends of the socket `fd`; empty if it has none, or no longer has one.
  static std::optional<Address> local_of(int fd);
  static std::optional<Address> peer_of(int fd);

  Family family() const { return any_.sa_family == AF_INET6 ? Family::v6 : Family::v4; }
  std::uint16_t port() const;
  void set_port(std::uint16_t port);
  bool is_wildcard() const;
  bool is_loopback() const;
  bool is_link_local() const;

  // "192.0.2.1", "2001:db8::1", "fe80::1%eth0"; an IPv4 address mapped into IPv6 is shown as IPv4.
  std::string host_text() const;
  // "192.0.2.1:80", "[2001:db8::1]:80"
  std::string text() const;
  // An IPv4 address as in host_text(); the first 64 bits of an IPv6 address: "2001:db8::/64".
  std::string network_text() const;

  const sockaddr* data() const { return &any_; }
  unsigned size() const { return family() == Family::v6 ? sizeof v6_ : sizeof v4_; }

  // Compares family, address, scope and port.
  friend bool operator==(const Address& left, const Address& right);

 private:
  union {
    sockaddr any_;
    sockaddr_in v4_;
    sockaddr_in6 v6_;
  };
};

using AddressList = std::vector<Address>;

// "host:port", with brackets around a host that contains a colon.
std::string host_and_port(std::string_view host, std::uint16_t port);

}  // namespace takt::os
