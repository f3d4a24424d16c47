// One allocation fails, or all from there on, while an asynchronous call begins or ends.
#include <new>

#include <takt/async/pending.h>
#include <takt/async/run_loop.h>
#include <takt/reference/quality.h>

#include "greeter.h"
#include "process/no_memory.h"
#include "raw_giop_server.h"

namespace feature {
namespace {

using GreeterRef = IDL::traits<Async::Greeter>::ref_type;
using In = FailingAllocation::In;

constexpr int most = 300;

// Allocates nothing.
class Counting final : public Async::AMI_GreeterHandler {
 public:
  void twice(std::int32_t) override { ++results; }
  void twice_excep(Holder) override { ++exceptions; }
  int ended() const { return results + exceptions; }
  std::atomic<int> results{0}, exceptions{0};
};

template <class Done>
bool in_time(const Done& done) {
  const auto until = std::chrono::steady_clock::now() + 20s;
  while (!done() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
  return done();
}

// Whether the call was begun, or has thrown a system exception. Another one fails the test.
template <class Begin>
bool begins(int number, Fails fails, const Begin& begin) {
  const FailingAllocation failing(number, fails);
  try {
    begin();
    return true;
  } catch (const CORBA::SystemException&) {
    return false;
  }
}

struct Orbs {
  explicit Orbs(const Options& client = {"-ORBLocalRoads", "off"})
      : pair({"-ORBLocalRoads", "off"}, client) {}
  CORBA::servant_reference<GreeterServant> servant = CORBA::make_reference<GreeterServant>();
  OrbPair pair;
  GreeterRef greeter = pair.publish<Async::Greeter>(servant);
  bool none_under_way() const {
    return in_time([&] { return takt::async_calls_under_way(pair.client) == 0; });
  }
};

// The more calls are under way, the more memory their deadlines need.
TEST(AsynchronousWithoutMemory, C1_CallsWithDeadlinesThatThrowAreNotDelivered) {
  const Peer silent([](Peer& peer, int fd, int) {
    while (!peer.receive(fd).empty()) {
    }
  });
  const Orb client = make_orb({}, "client");
  const auto greeter =
      takt::reference::make_stub<Async::Greeter>(client->string_to_object(silent.url())->_ref());
  const auto counting = CORBA::make_reference<Counting>();
  int begun = 0;
  for (int calls = 0; calls < 40; ++calls)
    for (int number = 0;; ++number) {
      ASSERT_LT(number, most);
      const takt::DeadlineScope later(60s);
      begun += begins(number, Fails::one, [&] { greeter->sendc_twice(counting, 1); });
      if (!FailingAllocation::has_failed()) break;
    }
  client->shutdown(false);
  EXPECT_TRUE(in_time([&] { return counting->ended() >= begun; }));
  EXPECT_TRUE(in_time([&] { return takt::async_calls_under_way(client) == 0; }));
  EXPECT_EQ(counting->ended(), begun);
  client->destroy();
}

struct Model {
  const char* name;
  bool local;
  // Makes a call. Returns the number of outcomes that are still to come.
  std::function<int(const GreeterRef& greeter, const HandlerRef& counting)> make;
};

struct ModelsWithoutMemory : testing::TestWithParam<Model> {};

TEST_P(ModelsWithoutMemory, C1_BeginCallsOrThrow) {
  for (const Fails fails : {Fails::one, Fails::all_from_there_on})
    for (int number = 0;; ++number) {
      ASSERT_LT(number, most);
      Orbs orbs;
      GreeterRef greeter = orbs.greeter;
      if (GetParam().local) {
        const auto root = root_poa(orbs.pair.client);
        root->the_POAManager()->activate();
        greeter = IDL::traits<Async::Greeter>::narrow(
            root->id_to_reference(root->activate_object(CORBA::make_reference<GreeterServant>())));
      }
      const auto counting = CORBA::make_reference<Counting>();
      int outcomes = 0;
      begins(number, fails, [&] { outcomes = GetParam().make(greeter, counting); });
      const bool failed = FailingAllocation::has_failed();
      EXPECT_TRUE(orbs.none_under_way()) << number;
      EXPECT_TRUE(in_time([&] { return counting->ended() >= outcomes; })) << number;
      EXPECT_EQ(counting->ended(), outcomes) << number;
      outcomes += GetParam().make(greeter, counting);  // a later call can be made
      EXPECT_TRUE(in_time([&] { return counting->ended() >= outcomes; })) << number;
      if (!failed) break;
    }
}

int by_handler(const GreeterRef& greeter, const HandlerRef& counting) {
  greeter->sendc_twice(counting, 1);
  return 1;
}
int by_handler_in_time(const GreeterRef& greeter, const HandlerRef& counting) {
  const takt::DeadlineScope later(60s);
  greeter->sendc_twice(counting, 1);
  return 1;
}
int by_thread(const GreeterRef& greeter, const HandlerRef&) {
  static_cast<void>(greeter->async_twice(1).get_outcome());
  return 0;
}
int by_poller(const GreeterRef& greeter, const HandlerRef&) {
  std::int32_t n = 0;
  greeter->sendp_twice(1)->twice(20'000, n);
  return 0;
}

INSTANTIATE_TEST_SUITE_P(All, ModelsWithoutMemory,
                         testing::Values(Model{"handler", false, &by_handler},
                                         Model{"handler_in_time", false, &by_handler_in_time},
                                         Model{"handler_within_the_process", true, &by_handler},
                                         Model{"thread", false, &by_thread},
                                         Model{"poller", false, &by_poller}),
                         [](const auto& which) { return which.param.name; });

// Server and client lack the memory.
TEST(AsynchronousWithoutMemory, C1_CallsEndOnce) {
  for (const Fails fails : {Fails::one, Fails::all_from_there_on})
    for (int number = 0;; ++number) {
      ASSERT_LT(number, most);
      const Orbs orbs({"-ORBLocalRoads", "off", "-ORBRoundTripTimeout", "500ms"});
      const auto counting = CORBA::make_reference<Counting>();
      bool begun = false;
      {
        const FailingAllocation failing(number, fails, In::other_threads);
        try {
          orbs.greeter->sendc_twice(counting, 1);
          begun = true;
        } catch (const CORBA::SystemException&) {
        }
        EXPECT_TRUE(in_time([&] { return counting->ended() == begun; })) << number;
      }
      const bool failed = FailingAllocation::has_failed();
      EXPECT_TRUE(orbs.none_under_way()) << number;
      EXPECT_EQ(counting->ended(), begun) << number;
      if (!failed) break;
    }
}

TEST(AsynchronousWithoutMemory, AnOutcomeThatCannotGoToAHandlerStaysWithItsPoller) {
  const Orbs orbs;
  const auto counting = CORBA::make_reference<Counting>();
  int refused = 0;
  for (int number = 0;; ++number) {
    ASSERT_LT(number, most);
    const auto poller = orbs.greeter->sendp_twice(1);
    ASSERT_TRUE(poller->is_ready(20'000));
    bool given = false;
    {
      const FailingAllocation failing(number, Fails::one);
      try {
        poller->associated_handler(counting);
        given = true;
      } catch (const std::bad_alloc&) {
      } catch (const CORBA::SystemException&) {
      }
    }
    if (given) break;
    std::int32_t n = 0;
    poller->twice(0, n);
    EXPECT_EQ(n, 2);
    ++refused;
  }
  EXPECT_GT(refused, 0);
  EXPECT_TRUE(in_time([&] { return counting->results == 1; }));
}

takt::Task<> ended(int& runs) {
  ++runs;
  co_return;
}

TEST(AsynchronousWithoutMemory, ALoopRunsTheTasksThatItHasTaken) {
  takt::RunLoop loop;
  int spawned = 0, runs = 0;
  for (int number = 0;; ++number) {
    ASSERT_LT(number, most);
    for (int tasks = 0; tasks < 20; ++tasks) {
      const FailingAllocation failing(number, Fails::one);
      try {
        loop.spawn(ended(runs));
        ++spawned;
      } catch (const std::bad_alloc&) {
      }
    }
    loop.run();
    EXPECT_EQ(runs, spawned);
    if (!FailingAllocation::has_failed()) break;
  }
}

}  // namespace
}  // namespace feature
