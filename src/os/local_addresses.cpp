#include "os/local_addresses.h"

#include <ifaddrs.h>
#include <net/if.h>

#include <algorithm>

namespace takt::os {

AddressList local_addresses() {
  AddressList addresses;
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return addresses;
  for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || !(each->ifa_flags & IFF_UP)) continue;
    const auto address = Address::from_system(each->ifa_addr);
    if (!address || address->is_loopback() || address->is_link_local()) continue;
    if (std::ranges::find(addresses, *address) == addresses.end()) addresses.push_back(*address);
  }
  ::freeifaddrs(first);
  std::ranges::stable_partition(addresses,
                                [](const Address& a) { return a.family() == Address::Family::v4; });
  return addresses;
}

}  // namespace takt::os
