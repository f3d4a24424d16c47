// Calls that are made while a thread, or the process, ends.
#include <gtest/gtest.h>

#include <signal.h>

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

// By the program's globals, for example.
TEST(EndOfProcess, SignalsEndItOnceTheOrbIsDestroyedThoughTheOrbIsStillReferred) {
  const int status = status_of([] {
    const Orb orb = make_orb({"-ORBSignals", "TERM"}, "signalled");
    orb->destroy();
    ::raise(SIGTERM);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
}

struct End : testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, End, testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"));

// The status of a process whose static object makes calls in its destructor.
int status_with_farewell(const std::string& connections, const std::string& endpoint) {
  return status_of([&] {
    auto* const orbs = new OrbPair({}, {"-ORBClientConnections", connections}, endpoint);
    const auto echo = orbs->publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
    echo->nothing();
    farewell = [echo] {
      echo->nothing();
      echo->nothing();
      make_orb({}, "late")->destroy();
      ::_exit(said_farewell);
    };
  });
}

// The main thread's variables are destroyed before static objects.
TEST_P(End, StaticObjectsCallInTheirDestructors) {
  const int status = status_with_farewell(GetParam(), OrbPair::loopback);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), said_farewell);
}

// A server by UDP admits clients by codes of OpenSSL, which would otherwise have ended before.
TEST(EndOfProcess, ServersByUdpAcceptConnectionsUntilTheProcessHasEnded) {
  const int status = status_with_farewell("exclusive", "udp://127.0.0.1:0");
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
