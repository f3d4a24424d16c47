#include "os/net/local_addresses.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace takt::os {

TEST(LocalAddresses, AreThoseThatOthersCanUse) {
  const AddressList addresses = local_addresses();
  for (const Address& address : addresses) {
    EXPECT_FALSE(address.is_loopback() || address.is_link_local() || address.is_wildcard()) << address.text();
    EXPECT_EQ(std::ranges::count(addresses, address), 1) << address.text();
  }
  EXPECT_TRUE(std::ranges::is_sorted(addresses, {}, &Address::family)) << "IPv4 comes first";
}

}  // namespace takt::os
