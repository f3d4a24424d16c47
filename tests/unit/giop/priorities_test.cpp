#include "giop/contexts/priorities.h"

#include <gtest/gtest.h>

#include "giop/known_contexts.h"

namespace takt::giop {
namespace {

std::vector<std::uint8_t> context_octets(std::vector<std::uint8_t> data) {
  std::vector<std::uint8_t> octets{10, 0, 0, 0, static_cast<std::uint8_t>(data.size()), 0, 0, 0};
  octets.insert(octets.end(), data.begin(), data.end());
  return octets;
}
std::optional<Priority> priority_in(std::vector<std::uint8_t> data) {
  const auto octets = context_octets(std::move(data));
  return known_contexts(ServiceContexts(1, octets, cdr::ByteOrder::little)).rt_priority;
}

TEST(PriorityContext, IsReadInEitherByteOrder) {
  EXPECT_EQ(priority_in({1, 0, 0x39, 0x30}), 12345);
  EXPECT_EQ(priority_in({0, 0, 0x30, 0x39}), 12345);
}

TEST(PriorityContext, WhatIsWrittenIsRead) {
  for (const Priority priority : {0, 1, 255, 256, 32767}) {
    const auto data = write_priority_context(priority);
    EXPECT_EQ(priority_in({data.begin(), data.end()}), priority);
  }
}

TEST(PriorityContext, WhatIsNoneIsPassedOver) {
  EXPECT_FALSE(known_contexts(ServiceContexts()).rt_priority);
  EXPECT_FALSE(priority_in({}));
  EXPECT_FALSE(priority_in({1, 0, 5}));
  EXPECT_FALSE(priority_in({2, 0, 5, 0}));
  EXPECT_FALSE(priority_in({1, 0, 0xff, 0xff})) << "negative";
}

TEST(PoliciesComponent, WhatIsWrittenIsRead) {
  PriorityPolicies declared{PriorityPolicies::Model::server_declared, 77, {}};
  EXPECT_EQ(read_policies_component(make_policies_component(declared)), declared);
  const PriorityPolicies banded{PriorityPolicies::Model::client_propagated, 3, {{0, 10}, {11, 32767}}};
  EXPECT_EQ(read_policies_component(make_policies_component(banded)), banded);
}

TEST(PoliciesComponent, CutShortAnywhereItIsNoneOrStillSound) {
  const auto whole =
      make_policies_component({PriorityPolicies::Model::client_propagated, 3, {{0, 10}, {11, 32767}}});
  for (std::size_t size = 0; size < whole.data.size(); ++size) {
    const TaggedComponent cut{whole.tag, {whole.data.begin(), whole.data.begin() + static_cast<long>(size)}};
    const auto read = read_policies_component(cut);
    EXPECT_TRUE(!read || read->server_priority == 3) << size;
  }
  EXPECT_FALSE(read_policies_component({whole.tag + 1, whole.data}));
}

// A model that RT-CORBA does not define, and a negative priority.
TEST(PoliciesComponent, OutOfRangeItIsNone) {
  auto component = make_policies_component({PriorityPolicies::Model::server_declared, 3, {}});
  auto model = component;
  model.data[16] = 9;
  EXPECT_NE(model.data, component.data);
  EXPECT_FALSE(read_policies_component(model));
  const auto negative = make_policies_component({PriorityPolicies::Model::server_declared, -1, {}});
  EXPECT_FALSE(read_policies_component(negative));
}

TEST(PriorityEndpoints, WhatIsWrittenIsRead) {
  const std::vector<PriorityEndpoint> endpoints{{{"10.0.0.1", 4711}, 10}, {{"host.example", 65535}, 32767}};
  EXPECT_EQ(read_priority_endpoints(make_priority_endpoints_component(endpoints)), endpoints);
}

TEST(PriorityEndpoints, CutShortThereAreNone) {
  const auto whole = make_priority_endpoints_component({{{"10.0.0.1", 4711}, 10}, {{"10.0.0.2", 4712}, 20}});
  for (std::size_t size = 0; size < whole.data.size(); ++size)
    EXPECT_TRUE(read_priority_endpoints(
                    {whole.tag, {whole.data.begin(), whole.data.begin() + static_cast<long>(size)}})
                    .empty())
        << size;
}

}  // namespace
}  // namespace takt::giop
