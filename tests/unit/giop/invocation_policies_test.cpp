#include "giop/contexts/invocation_policies.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace takt::giop {
namespace {

using Octets = std::vector<std::uint8_t>;

Octets written(const InvocationPolicies& policies) {
  const InvocationPoliciesData data(policies);
  return {data.octets().begin(), data.octets().end()};
}
std::optional<PriorityRange> range_in(const Octets& data) {
  const auto read = read_invocation_policies(data);
  return read ? read->request_priority : std::nullopt;
}

constexpr InvocationPolicies all{.request_priority = PriorityRange{3, 700},
                                 .request_start = 0x0123456789abcdef,
                                 .request_end = 1,
                                 .reply_end = 0xffffffffffffffff};

TEST(InvocationPolicies, WhatIsWrittenIsRead) {
  for (int which = 0; which < 16; ++which) {
    InvocationPolicies some;
    if (which & 1) some.request_priority = all.request_priority;
    if (which & 2) some.request_start = all.request_start;
    if (which & 4) some.request_end = all.request_end;
    if (which & 8) some.reply_end = all.reply_end;
    EXPECT_EQ(read_invocation_policies(written(some)), some) << which;
    EXPECT_EQ(some.any(), which != 0);
    EXPECT_EQ(some.has_times(), which > 1);
  }
  for (const PriorityRange range : {PriorityRange{0, 0}, PriorityRange{32767, 32767}})
    EXPECT_EQ(range_in(written({.request_priority = range})), range);
}

TEST(InvocationPolicies, AreReadInEitherByteOrderAndAmongOthers) {
  const Octets big{0, 0, 0, 0, 0, 0, 0,  2, 0, 0, 0, 28, 0, 0, 0, 1, 9,
                   0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 6, 0,  0, 0, 3, 2, 188};
  EXPECT_EQ(range_in(big), (PriorityRange{3, 700}));
  EXPECT_FALSE(read_invocation_policies(big)->request_end) << "a time of one octet";
  const Octets time{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 30, 0, 0, 0, 24,  // in JacORB's encoding
                    0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4,  5, 6, 7, 8,  0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(read_invocation_policies(time)->reply_end, 0x0102030405060708);
}

TEST(InvocationPolicies, TheFirstOfEachTypeCounts) {
  Octets twice = written({.request_priority = PriorityRange{1, 2}});
  const Octets second = written({.request_priority = PriorityRange{5, 6}});
  twice.insert(twice.end(), {0, 0});
  twice.insert(twice.end(), second.begin() + 8, second.end());
  twice[cdr::native_order == cdr::ByteOrder::big ? 7 : 4] = 2;
  EXPECT_EQ(range_in(twice), (PriorityRange{1, 2}));
}

TEST(InvocationPolicies, CutShortAnywhereNoneOfThemCounts) {
  const Octets whole = written(all);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(read_invocation_policies(ByteView(whole).first(size))) << size;
}

TEST(InvocationPolicies, HostileOctetsAreNone) {
  EXPECT_FALSE(range_in(written({.request_priority = PriorityRange{-1, 3}})));
  EXPECT_FALSE(range_in(written({.request_priority = PriorityRange{4, 3}})));
  Octets count = written(all);
  std::memset(&count[4], 0xff, 4);
  EXPECT_FALSE(read_invocation_policies(count)) << "more policies than octets";
  Octets length = written({.request_end = 1});
  std::memset(&length[12], 0xff, 4);
  EXPECT_FALSE(read_invocation_policies(length)) << "a value that is longer than the context";
  Octets order = written({.request_end = 1});
  order[16] = 7;
  ASSERT_TRUE(read_invocation_policies(order));
  EXPECT_FALSE(read_invocation_policies(order)->any()) << "a value of no byte order";
  order[0] = 7;
  EXPECT_FALSE(read_invocation_policies(order));
}

}  // namespace
}  // namespace takt::giop
