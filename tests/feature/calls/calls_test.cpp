// Calls between two ORBs over loopback, with every pair of strategies.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "orbs.h"

namespace feature {

struct Strategies {
  const char* client;
  const char* server;
};

class Calls : public testing::TestWithParam<Strategies> {
 protected:
  ServerAndClient orbs{{"-ORBServerConcurrency", GetParam().server},
                       {"-ORBClientConnections", GetParam().client}};
  EchoRef& echo = orbs.echo;
};

TEST_P(Calls, ValuesGoAndComeBack) {
  ASSERT_TRUE(echo);
  EXPECT_EQ(echo->cube(3), 27);
  echo->nothing();
  EXPECT_EQ(echo->name(), "echo");
  EXPECT_EQ(echo->next_colour(::Calls::Colour::blue), ::Calls::Colour::red);
  std::string b = "b", c;
  EXPECT_EQ(echo->join("a", b, c), "<ab>");
  EXPECT_EQ(b, "b!");
  EXPECT_EQ(c, "ab");
  echo->level(7);
  EXPECT_EQ(echo->level(), 7);
}

TEST_P(Calls, SequencesOfEverySizeComeBackWhole) {
  for (const std::size_t size : {0u, 1u, 1000u, 5000u, 65536u, 1048576u}) {
    std::vector<uint8_t> octets(size);
    for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<uint8_t>(i * 31);
    EXPECT_EQ(echo->echo_octets(octets), octets) << size;
  }
  ::Calls::Points points;
  for (int i = 0; i < 20000; ++i) points.emplace_back(i, i * 0.5, "point " + std::to_string(i));
  const auto back = echo->echo_points(points);
  ASSERT_EQ(back.size(), points.size());
  EXPECT_EQ(back.back().label(), points.back().label());
  EXPECT_EQ(back[777].y(), 388.5);
}

TEST_P(Calls, UserExceptionsArriveTyped) {
  try {
    echo->refuse("because");
    FAIL() << "nothing was thrown";
  } catch (const ::Calls::Refused& refused) {
    EXPECT_EQ(refused.why(), "because");
    EXPECT_EQ(refused.code(), 42);
  }
}

TEST_P(Calls, SystemExceptionsKeepMinorAndCompletion) {
  try {
    echo->fail_with_system_exception();
    FAIL() << "nothing was thrown";
  } catch (const CORBA::NO_RESOURCES& failure) {
    EXPECT_EQ(failure.minor(), 7u);
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_YES);
  }
  EXPECT_EQ(echo->cube(2), 8) << "the connection serves on";
}

TEST_P(Calls, OnewaysOvertakeNothing) {
  if (std::string_view(GetParam().server) == "worker-pool")
    GTEST_SKIP() << "requests of one connection overlap in a pool";
  for (int i = 1; i <= 100; ++i) echo->note(i);
  EXPECT_EQ(echo->noted(), 100);
}

TEST_P(Calls, ReferencesTravelAndCallBack) {
  auto again = echo->itself();
  EXPECT_EQ(again->cube(5), 125);
  EXPECT_TRUE(again->_is_equivalent(echo));
  EXPECT_TRUE(again->_is_a("IDL:Calls/Base:1.0"));
  EXPECT_FALSE(again->_is_a("IDL:Calls/Other:1.0"));
  EXPECT_FALSE(again->_non_existent());
  EXPECT_EQ(again->_repository_id(), "IDL:Calls/Echo:1.0");
}

TEST_P(Calls, ManyThreadsAtOnce) {
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 200; ++i) {
          const auto x = static_cast<uint8_t>(t + i);
          wrong += echo->cube(x) != static_cast<uint8_t>(x * x * x);
        }
      });
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(Calls, AnUnknownObjectDoesNotExist) {
  auto poa = IDL::traits<PortableServer::POA>::narrow(orbs.server->resolve_initial_references("RootPOA"));
  poa->deactivate_object(poa->servant_to_id(orbs.servant));
  EXPECT_THROW(echo->cube(1), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(echo->_non_existent());
}

INSTANTIATE_TEST_SUITE_P(
    EveryPair, Calls,
    testing::Values(Strategies{"exclusive", "thread-per-connection"}, Strategies{"exclusive", "reactive"},
                    Strategies{"multiplexed", "thread-per-connection"}, Strategies{"multiplexed", "reactive"},
                    Strategies{"exclusive", "leader-followers"},
                    Strategies{"multiplexed", "leader-followers"}, Strategies{"exclusive", "worker-pool"},
                    Strategies{"multiplexed", "worker-pool"}, Strategies{"cached", "thread-per-connection"},
                    Strategies{"cached", "reactive"}, Strategies{"cached", "leader-followers"},
                    Strategies{"cached", "worker-pool"},
                    Strategies{"multiplexed-active", "thread-per-connection"},
                    Strategies{"multiplexed-active", "reactive"},
                    Strategies{"multiplexed-active", "leader-followers"},
                    Strategies{"multiplexed-active", "worker-pool"}),
    [](const auto& given) {
      std::string name = std::string(given.param.client) + "_" + given.param.server;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(Collocation, CallsTheServantWithoutTheWire) {
  ServerAndClient orbs;
  auto local = IDL::traits<::Calls::Echo>::narrow(orbs.server->string_to_object(orbs.ior));
  EXPECT_EQ(local->cube(4), 64);
  EXPECT_THROW(local->refuse("here"), ::Calls::Refused);
  std::string b = "b", c;
  EXPECT_EQ(local->join("a", b, c), "<ab>");
  EXPECT_EQ(c, "ab");
}

}  // namespace feature
