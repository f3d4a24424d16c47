#include <takt/transport/endpoint.h>

#include <gtest/gtest.h>

#include <algorithm>

#include "os/net/address.h"
#include "os/net/local_addresses.h"
#include "transport/published_endpoints.h"

namespace takt::transport {

TEST(Endpoint, InWords) {
  EXPECT_EQ(to_text({"iiop", "example.org", 2809}), "iiop example.org:2809");
  EXPECT_EQ(to_text({"iiop", "::1", 1}), "iiop [::1]:1");
  EXPECT_EQ(to_text({"iiop", "", 2809}), "iiop *:2809");
  EXPECT_EQ(to_text({"ssliop", "", 0}), "ssliop *");
}

TEST(PublishedEndpoints, OfAnAddressIsThatAddress) {
  const Endpoint bound{"iiop", "192.0.2.9", 7};
  EXPECT_EQ(published_endpoints(bound), std::vector{bound});
  const Endpoint named{"iiop", "example.org", 7};
  EXPECT_EQ(published_endpoints(named), std::vector{named});
}

TEST(PublishedEndpoints, OfAWildcardAreRealAddresses) {
  for (const char* host : {"", "::", "0.0.0.0", "::0"}) {
    SCOPED_TRACE(host);
    const auto published = published_endpoints({"iiop", host, 7});
    ASSERT_FALSE(published.empty());
    for (const Endpoint& endpoint : published) {
      EXPECT_EQ(endpoint.port, 7);
      const auto address = os::Address::parse(endpoint.host, endpoint.port);
      ASSERT_TRUE(address) << endpoint.host;
      EXPECT_FALSE(address->is_wildcard());
    }
  }
}

TEST(PublishedEndpoints, OfTheIPv4WildcardHaveNoIPv6) {
  for (const Endpoint& endpoint : published_endpoints({"iiop", "0.0.0.0", 7}))
    EXPECT_EQ(endpoint.host.find(':'), std::string::npos) << endpoint.host;
}

TEST(PublishedEndpoints, OfAWildcardNameEveryAddressOfThisMachine) {
  const auto published = published_endpoints({"iiop", "", 7});
  for (const os::Address& local : os::local_addresses()) {
    const Endpoint wanted{"iiop", local.host_text(), 7};
    EXPECT_NE(std::ranges::find(published, wanted), published.end()) << wanted.host;
  }
}

TEST(PublishedEndpoints, OfAWildcardAreOfTheFamiliesThatItCovers) {
  const os::AddressList local{*os::Address::parse("192.0.2.9", 0), *os::Address::parse("2001:db8::9", 0)};
  const Endpoint v4{"iiop", "192.0.2.9", 7}, v6{"iiop", "2001:db8::9", 7};
  EXPECT_EQ(published_endpoints({"iiop", "::", 7}, local), (std::vector{v4, v6}));
  EXPECT_EQ(published_endpoints({"iiop", "0.0.0.0", 7}, local), std::vector{v4});
}

TEST(PublishedEndpoints, OfAWildcardAreTheLoopbackAddressWhereThereIsNoOther) {
  const std::vector loopback{Endpoint{"iiop", "127.0.0.1", 7}};
  EXPECT_EQ(published_endpoints({"iiop", "", 7}, {}), loopback);
  EXPECT_EQ(published_endpoints({"iiop", "0.0.0.0", 7}, {*os::Address::parse("2001:db8::9", 0)}), loopback);
}

}  // namespace takt::transport
