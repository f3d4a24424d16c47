// Calls that are made while a thread, or the process, ends.
#include <gtest/gtest.h>

#include <thread>

#include "child.h"
#include "orbs.h"

namespace feature {
namespace {

constexpr int said_farewell = 7;

// Called by the destructor of a static object that was made before any ORB.
std::function<void()> farewell;
struct Last {
  ~Last() {
    if (farewell) farewell();
  }
} last;

struct End : testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, End, testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"));

// The main thread's variables are destroyed before static objects.
TEST_P(End, StaticObjectsCallInTheirDestructors) {
  const int status = status_of([] {
    auto* const orbs = new ServerAndClient({}, {"-ORBClientConnections", GetParam()});
    orbs->echo->nothing();
    farewell = [orbs] {
      orbs->echo->nothing();
      orbs->echo->nothing();
      make_orb({}, "late")->destroy();
      ::_exit(said_farewell);
    };
  });
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), said_farewell);
}

TEST_P(End, VariablesOfAThreadCallInTheirDestructors) {
  const int status = status_of([] {
    const ServerAndClient orbs({}, {"-ORBClientConnections", GetParam()});
    static int calls = 0;
    std::thread([&] {
      struct Caller {
        const EchoRef& echo;
        ~Caller() {
          for (int i = 0; i < 2; ++i, ++calls) echo->nothing();
        }
      };
      thread_local const Caller caller{orbs.echo};
      (void)&caller;  // made before the thread's connections, so destroyed after them
      orbs.echo->nothing();
    }).join();
    if (calls != 2) ::_exit(1);
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace feature
