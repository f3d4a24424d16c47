// Processes that are forked while the parent calls, and exit as when exec has failed.
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

}  // namespace
}  // namespace feature
