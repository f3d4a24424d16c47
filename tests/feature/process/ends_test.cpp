// Calls that are made while a thread, or the process, ends.
#include <gtest/gtest.h>

#include <signal.h>

#include <future>
#include <thread>

#include "../../eventually.h"
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

// An upcall of it lasts until the test releases it.
class Lasting : public EchoServant {
 public:
  void nothing() override {
    begun.set_value();
    end.get_future().wait();
  }
  std::promise<void> begun, end;
};

TEST(EndOfOrb, ItsNameIsFreeWhileItsLastUpcallRuns) {
  const auto init = [] {
    std::string words[] = {"test", "-ORBShutdownTimeout", "1h"};
    char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    int argc = 3;
    return CORBA::ORB_init(argc, argv, "ending");
  };
  const Orb orb = init();
  const auto servant = CORBA::make_reference<Lasting>();
  const Poa root = root_poa(orb);
  const auto echo = IDL::traits<Calls::Echo>::narrow(root->id_to_reference(root->activate_object(servant)));
  root->the_POAManager()->activate();
  std::thread caller([&] { echo->nothing(); });
  servant->begun.get_future().wait();
  std::thread ender([&] { orb->destroy(); });
  Orb next;
  EXPECT_TRUE(takt::test::eventually([&] { return (next = init()) != orb; }));
  if (next != orb) {
    EXPECT_NO_THROW((void)next->list_initial_services());
    next->destroy();
  }
  servant->end.set_value();
  caller.join();
  ender.join();
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
