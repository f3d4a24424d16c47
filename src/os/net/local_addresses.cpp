#include "os/net/local_addresses.h"

#include <ifaddrs.h>
#include <net/if.h>

#include <algorithm>

namespace takt::os {

AddressList local_addresses() {
  AddressList addresses, of_ipv6;
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return addresses;
  for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || !(each->ifa_flags & IFF_UP)) continue;
    const auto address = Address::from_system(each->ifa_addr);
    if (!address || address->is_loopback() || address->is_link_local()) continue;
    AddressList& list = address->family() == Address::Family::v4 ? addresses : of_ipv6;
    if (std::ranges::find(list, *address) == list.end()) list.push_back(*address);
  }
  ::freeifaddrs(first);
  addresses.insert(addresses.end(), of_ipv6.begin(), of_ipv6.end());
  return addresses;
}

}  // namespace takt::os
