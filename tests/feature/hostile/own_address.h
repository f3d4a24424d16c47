// An address of this machine that makes local clients look like remote ones.
#pragma once

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>

#include <cstdint>

namespace feature {

// IPv4 in host byte order; 0 if there are only loopback addresses.
inline std::uint32_t own_address() {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return 0;
  std::uint32_t own = 0;
  for (const ifaddrs* one = all; one && own == 0; one = one->ifa_next) {
    if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET) continue;
    const std::uint32_t number = ntohl(reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr.s_addr);
    if (number >> 24 != 127) own = number;
  }
  ::freeifaddrs(all);
  return own;
}

}  // namespace feature
