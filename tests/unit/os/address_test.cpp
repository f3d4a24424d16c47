#include "os/net/address.h"

#include <gtest/gtest.h>

namespace takt::os {

using Family = Address::Family;

TEST(Address, ReadsNumbersOnly) {
  EXPECT_EQ(Address::parse("192.0.2.1", 80)->text(), "192.0.2.1:80");
  EXPECT_EQ(Address::parse("2001:db8::1", 80)->text(), "[2001:db8::1]:80");
  EXPECT_EQ(Address::parse("::", 0)->text(), "[::]:0");
  for (const char* not_numeric : {"", "localhost", "192.0.2", "192.0.2.256", "1.2.3.4.5", "[::1]",
                                  "::1::", "1.2.3.4%lo", "fe80::1%no-such-interface", " 127.0.0.1"})
    EXPECT_FALSE(Address::parse(not_numeric, 1)) << not_numeric;
  EXPECT_FALSE(Address::parse(std::string_view("127.0.0.1\0.example", 18), 1));
}

TEST(Address, KeepsTheScopeOfALinkLocalAddress) {
  const auto address = Address::parse("fe80::1%lo", 7);
  ASSERT_TRUE(address);
  EXPECT_TRUE(address->is_link_local());
  EXPECT_EQ(address->host_text(), "fe80::1%lo");
  EXPECT_EQ(*address, Address::parse("fe80::1%1", 7));
  EXPECT_NE(*address, Address::parse("fe80::1", 7));
}

TEST(Address, KnowsItsKind) {
  EXPECT_TRUE(Address::parse("0.0.0.0", 1)->is_wildcard());
  EXPECT_TRUE(Address::wildcard(Family::v6, 1).is_wildcard());
  EXPECT_FALSE(Address::parse("127.0.0.1", 1)->is_wildcard());
  EXPECT_TRUE(Address::parse("127.8.9.1", 1)->is_loopback());
  EXPECT_TRUE(Address::parse("::1", 1)->is_loopback());
  EXPECT_TRUE(Address::parse("::ffff:127.0.0.1", 1)->is_loopback());
  EXPECT_FALSE(Address::parse("128.0.0.1", 1)->is_loopback());
  EXPECT_TRUE(Address::parse("169.254.3.4", 1)->is_link_local());
  EXPECT_FALSE(Address::parse("169.255.3.4", 1)->is_link_local());
}

TEST(Address, ShowsAMappedAddressAsWhatItIs) {
  EXPECT_EQ(Address::parse("::ffff:192.0.2.7", 9)->text(), "192.0.2.7:9");
}

TEST(Address, ComparesAddressAndPort) {
  Address address = Address::loopback(Family::v4, 5);
  EXPECT_EQ(address, Address::parse("127.0.0.1", 5));
  EXPECT_NE(address, Address::loopback(Family::v6, 5));
  address.set_port(6);
  EXPECT_EQ(address.port(), 6);
  EXPECT_NE(address, Address::parse("127.0.0.1", 5));
}

TEST(Address, HostsWithColonsGetBrackets) {
  EXPECT_EQ(host_and_port("example.org", 1), "example.org:1");
  EXPECT_EQ(host_and_port("::1", 65535), "[::1]:65535");
}

TEST(Address, OfADescriptorWithoutOneIsNone) {
  EXPECT_FALSE(Address::local_of(-1));
  EXPECT_FALSE(Address::peer_of(0));
}

}  // namespace takt::os
