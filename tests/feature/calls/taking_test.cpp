// Servants that keep their arguments.
#include <gtest/gtest.h>

#include "../../parameter_name.h"
#include "orbs.h"

namespace feature {

// Keeps the last received argument.
class Taker final : public EchoServant {
 public:
  ::Calls::Octets echo_octets(const ::Calls::Octets& values) override {
    if (before) before->echo_octets(values);
    arrived_in = values.data();
    kept = takt::take_argument(values);
    left = values;
    return {};
  }
  ::Calls::Points echo_points(const ::Calls::Points& values) override {
    label = takt::take_argument(values.front().label());
    return values;
  }

  const uint8_t* arrived_in = nullptr;
  ::Calls::Octets kept, left;
  std::string label;
  EchoRef before;  // also gets the argument, before
};

class Taking : public testing::TestWithParam<const char*> {
 protected:
  ServerAndClient orbs{{"-ORBServerConcurrency", GetParam()}};
  CORBA::servant_reference<Taker> keeper = CORBA::make_reference<Taker>();
  EchoRef remote = orbs.publish<::Calls::Echo>(keeper);
  const ::Calls::Octets octets = ::Calls::Octets(100'000, 7);
};

TEST_P(Taking, AnArgumentFromTheWireIsMoved) {
  for (int round = 0; round < 3; ++round) {
    remote->echo_octets(octets);
    EXPECT_EQ(keeper->kept, octets);
    EXPECT_EQ(keeper->kept.data(), keeper->arrived_in);
    EXPECT_TRUE(keeper->left.empty());
  }
}

TEST_P(Taking, ALocalCallersArgumentIsCopied) {
  const EchoRef local = keeper->_this();
  local->echo_octets(octets);
  EXPECT_EQ(keeper->arrived_in, octets.data());
  EXPECT_EQ(keeper->kept, octets);
  EXPECT_EQ(keeper->left, octets);
}

TEST_P(Taking, NobodyTakesWhatAnotherUpcallHasPassedOn) {
  const auto first = CORBA::make_reference<Taker>();
  orbs.publish<::Calls::Echo>(first);
  keeper->before = first->_this();
  remote->echo_octets(octets);
  EXPECT_EQ(first->kept, octets);
  EXPECT_EQ(first->left, octets);
  EXPECT_EQ(keeper->kept, octets);
  EXPECT_EQ(keeper->kept.data(), keeper->arrived_in) << "its own it may take afterwards";
  keeper->before = nullptr;
}

TEST_P(Taking, WhatIsNoArgumentIsCopied) {
  const auto back = remote->echo_points({{1, 2, "a label"}});
  EXPECT_EQ(keeper->label, "a label");
  EXPECT_EQ(back.front().label(), "a label");
  EXPECT_EQ(takt::take_argument(keeper->label), "a label");
  EXPECT_EQ(keeper->label, "a label");
}

INSTANTIATE_TEST_SUITE_P(Each, Taking, testing::Values("thread-per-connection", "reactive", "worker-pool"),
                         takt::test::without_hyphens);

}  // namespace feature
