// Matching addresses against a list.
#include "reference/endpoint_filter.h"

#include <gtest/gtest.h>

namespace takt::reference {
namespace {

bool has(const transport::Endpoint& place, const transport::Endpoint& endpoint) {
  return EndpointFilter{place}.has(endpoint);
}

TEST(ListedPlaces, AreHostsWithOneOrEveryPort) {
  EXPECT_TRUE(has({"iiop", "db", 4000}, {"iiop", "db", 4000}));
  EXPECT_FALSE(has({"iiop", "db", 4000}, {"iiop", "db", 4001}));
  EXPECT_TRUE(has({"iiop", "db", 0}, {"iiop", "db", 4001}));
  EXPECT_FALSE(has({"iiop", "db", 0}, {"iiop", "db2", 4001}));
  EXPECT_FALSE(has({"iiop", "db", 0}, {"ssliop", "db", 4001}));
  EXPECT_TRUE(has({"unix", "/run/app", 0}, {"unix", "/run/app", 0}));
  EXPECT_FALSE(has({"unix", "/run/app", 0}, {"unix", "/run/app2", 0}));
}

TEST(ListedPlaces, MayBePatterns) {
  const transport::Endpoint network{"iiop", "10.1.*", 0}, domain{"iiop", "*.example.com", 0};
  EXPECT_TRUE(has(network, {"iiop", "10.1.2.3", 1}));
  EXPECT_FALSE(has(network, {"iiop", "10.12.2.3", 1}));
  EXPECT_FALSE(has(network, {"iiop", "10.1.", 1}));
  EXPECT_FALSE(has(network, {"iiop", "10.1.evil.example", 1}));
  EXPECT_TRUE(has(domain, {"iiop", "a.b.example.com", 1}));
  EXPECT_FALSE(has(domain, {"iiop", "example.com", 1}));
  EXPECT_FALSE(has(domain, {"iiop", "evilexample.com", 1}));
  EXPECT_TRUE(has({"iiop", "*", 9}, {"iiop", "anything", 9}));
}

TEST(ListedPlaces, AreNoneAtFirst) {
  EndpointFilter places;
  EXPECT_FALSE(places.has({"iiop", "", 0}));
  places.add({"iiop", "db", 1});
  EXPECT_TRUE(places.has({"iiop", "db", 1}));
}

}  // namespace
}  // namespace takt::reference
