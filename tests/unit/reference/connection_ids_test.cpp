// Ids for descriptions of bound connections; references may name any number of these.
#include "reference/connection_ids.h"

#include <gtest/gtest.h>

#include <set>

namespace takt::reference {
namespace {

TEST(ConnectionIds, AreEqualForEqualDescriptions) {
  ConnectionIds ids;
  const auto first = ids.of("iiop://a:1"), second = ids.of("iiop://a:2");
  EXPECT_NE(first, 0u);
  EXPECT_NE(first, second);
  EXPECT_EQ(ids.of("iiop://a:1"), first);
  EXPECT_NE(ConnectionIds().of("iiop://a:1"), first) << "another ORB's connections are others";
}

TEST(ConnectionIds, ThoseThatAreInUseAreKeptAndOthersForgotten) {
  ConnectionIds ids;
  const auto in_use = ids.of("iiop://in-use:1");
  std::set<std::uint64_t> given{in_use, ids.of("iiop://once:1")};
  for (std::size_t port = 0; port < 3 * ConnectionIds::most; ++port) {
    EXPECT_TRUE(given.insert(ids.of("iiop://ever-new:" + std::to_string(port))).second);
    ASSERT_EQ(ids.of("iiop://in-use:1"), in_use);
    ASSERT_LE(ids.size(), ConnectionIds::most);
  }
  EXPECT_TRUE(given.insert(ids.of("iiop://once:1")).second) << "nobody else's number";
}

TEST(ConnectionIds, WhatNobodyCanConnectToIsNotRemembered) {
  ConnectionIds ids;
  const std::string endless(ConnectionIds::longest_bytes + 1, 'x');
  EXPECT_NE(ids.of(endless), ids.of(endless));
  EXPECT_EQ(ids.size(), 0u);
}

}  // namespace
}  // namespace takt::reference
