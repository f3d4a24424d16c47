// Processes that are forked by one with ORBs.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "child.h"
#include "orbs.h"

namespace feature {
namespace {

struct Fork : testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, Fork, testing::Values("iiop", "udp", "unix", "shm"),
                         [](const auto& transport) { return std::string(transport.param); });

TEST_P(Fork, AChildThatExitsLeavesTheConnectionsOfItsParent) {
  const std::string transport = GetParam();
  const int status = status_of([&] {
    const OrbPair orbs(
        {}, {"-ORBLocalRoads", "off"},
        transport == "unix" || transport == "shm" ? transport + ":" : transport + "://127.0.0.1:0");
    const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
    echo->nothing();
    std::atomic<bool> over = false;
    std::thread others([&] {  // open and end connections, so that their locks are often taken
      while (!over) std::thread([&] { echo->nothing(); }).join();
    });
    int bad = 0;
    for (int i = 0; i < 20; ++i) {
      if (status_of([] {}, 3) != 0) ++bad;
      echo->nothing();  // by the same connection
    }
    over = true;
    others.join();
    if (bad != 0) ::_exit(1);
  });
  EXPECT_EQ(status, 0);
}

// As a static object may when the child exits.
TEST_P(Fork, AChildThatDestroysItsParentsOrbsLeavesThemAsTheyAre) {
  const std::string transport = GetParam();
  const int status = status_of([&] {
    const OrbPair orbs(
        {"-ORBShutdownTimeout", "10ms"}, {"-ORBLocalRoads", "off"},
        transport == "unix" || transport == "shm" ? transport + ":" : transport + "://127.0.0.1:0");
    const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
    echo->nothing();
    const int ended = status_of([&] {
      orbs.server->shutdown(true);
      orbs.server->destroy();
      orbs.client->destroy();
    });
    if (ended != 0) ::_exit(1);
    echo->nothing();                               // by the same connection
    std::thread([&] { echo->nothing(); }).join();  // by a new one
  });
  EXPECT_EQ(status, 0);
}

struct ForkOf : testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, ForkOf,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"));

TEST_P(ForkOf, AChildCallsByAnOrbOfItsOwnThatMayHaveTheNameOfItsParents) {
  const int status = status_of([&] {
    const Options connections{"-ORBClientConnections", GetParam()};
    const ServerAndClient orbs({}, connections);
    orbs.echo->nothing();
    const int ended = status_of([&] {
      const bool shares = GetParam() != std::string("exclusive");
      try {
        orbs.echo->nothing();
        if (shares) ::_exit(1);
      } catch (const CORBA::BAD_INV_ORDER&) {
        if (!shares) ::_exit(3);
      }
      const Orb own = make_orb(connections, "client");
      if (own == orbs.client) ::_exit(2);
      const auto echo = IDL::traits<Calls::Echo>::narrow(own->string_to_object(orbs.ior));
      echo->nothing();
      std::thread([&] { echo->nothing(); }).join();
      own->destroy();
    });
    if (ended != 0) ::_exit(1);
    orbs.echo->nothing();
  });
  EXPECT_EQ(status, 0);
}

// The threads that watch reads and sleepers are the parent's, which has called by shared memory before.
TEST(ForkOfWatched, AChildNoticesThatACallTakesTooLong) {
  const int status = status_of([] {
    const Options options{"-ORBRoundTripTimeout", "1s"};
    const OrbPair orbs({}, options, "shm:");
    const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
    echo->sleep_ms(1);
    const std::string reference = orbs.client->object_to_string(echo);
    const int ended = status_of([&] {
      const Orb own = make_orb(options, "client");
      try {
        IDL::traits<Calls::Echo>::unchecked_narrow(own->string_to_object(reference))->sleep_ms(5000);
      } catch (const CORBA::TIMEOUT&) {
        ::_exit(0);
      }
      ::_exit(1);
    });
    ::_exit(ended == 0 ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
}

TEST(ForkBeforeUse, AChildUsesAnOrbThatItsParentHasNotUsed) {
  const int status = status_of([] {
    const ServerAndClient orbs;
    const Orb unused = make_orb({}, "unused");
    const auto echo = IDL::traits<Calls::Echo>::unchecked_narrow(unused->string_to_object(orbs.ior));
    const int ended = status_of([&] {
      echo->nothing();
      unused->destroy();
    });
    if (ended != 0) ::_exit(1);
    unused->destroy();
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace feature
