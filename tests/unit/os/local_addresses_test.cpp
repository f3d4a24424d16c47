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

namespace {

InterfaceAddress at(const char* host, bool has_carrier = true, bool leads_out = false) {
  return {*Address::parse(host, 0), has_carrier, leads_out};
}

AddressList addresses_of(std::initializer_list<const char*> hosts) {
  AddressList addresses;
  for (const char* const host : hosts) addresses.push_back(*Address::parse(host, 0));
  return addresses;
}

}  // namespace

TEST(LocalAddresses, TheOneThatLeadsToOtherNetworksComesFirst) {
  EXPECT_EQ(in_order_of_reach(std::vector{at("172.17.0.1"), at("2001:db8::7"), at("192.0.2.7", true, true),
                                          at("2001:db8::8", true, true)}),
            addresses_of({"192.0.2.7", "172.17.0.1", "2001:db8::8", "2001:db8::7"}));
}

TEST(LocalAddresses, InterfacesWithoutACarrierComeLast) {
  EXPECT_EQ(in_order_of_reach(std::vector{at("172.17.0.1", false), at("192.0.2.7"), at("192.0.2.8")}),
            addresses_of({"192.0.2.7", "192.0.2.8", "172.17.0.1"}));
}

TEST(LocalAddresses, NeitherLoopbackNorLinkLocalOnesNorRepetitionsAreAmongThem) {
  EXPECT_EQ(in_order_of_reach(std::vector{at("127.0.0.1"), at("::1"), at("169.254.1.1", true, true),
                                          at("fe80::1"), at("192.0.2.7"), at("192.0.2.7", false)}),
            addresses_of({"192.0.2.7"}));
}

}  // namespace takt::os
