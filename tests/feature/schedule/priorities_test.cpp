// The priority and the thread that serve an operation with a schedule.
#include "flight.h"

#include <sched.h>

#include <filesystem>
#include <fstream>
#include <set>

#include <takt/server/threading.h>

#include "../../eventually.h"

namespace flight {
namespace priorities_test {

// The native priorities of this process's threads with that name; 0: ordinary.
std::multiset<int> native_priorities_of(const std::string& name) {
  std::multiset<int> all;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string its_name;
    std::ifstream(task.path() / "comm") >> its_name;
    sched_param parameters{};
    if (its_name == name && ::sched_getparam(std::stoi(task.path().filename()), &parameters) == 0)
      all.insert(parameters.sched_priority);
  }
  return all;
}

class SchedulePriorities : public testing::Test {
 protected:
  void SetUp() override { REQUIRE_REAL_TIME(); }
};

TEST_F(SchedulePriorities, AnUpcallRunsAtTheTablesPriorityAndItsThreadThenAsBefore) {
  ScheduledOrbs orbs({{.name = "look", .priority = 30}, {.name = "spin", .priority = 20}, {.name = "trim"}},
                     {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1"});
  const auto wing = orbs.wing();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(wing->look().native_priority(), 30);
    EXPECT_EQ(wing->look().corba_priority(), 30);
    EXPECT_EQ(wing->spin(1).native_priority(), 20);
    EXPECT_EQ(wing->trim().native_priority(), 0) << "no priority of its own";
  }
}

TEST_F(SchedulePriorities, AScheduleIsServedAtItsNativePrioritiesWithTheMappingOfTheDefaults) {
  ScheduledOrbs orbs({{.name = "look", .priority = 39}, {.name = "spin", .priority = 40}},
                     {"-ORBPriorityMapping", "automatic"});
  const auto unit = orbs.unit();
  EXPECT_EQ(unit->look().native_priority(), 39);
  EXPECT_EQ(unit->spin(1).native_priority(), 40);
}

TEST_F(SchedulePriorities, ItCountsBeforeThePriorityModelWhichHoldsForTheRest) {
  ScheduledOrbs orbs({{.name = "look", .priority = 30}});
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orbs.server->resolve_initial_references("RTORB"));
  const auto current =
      IDL::traits<RTCORBA::Current>::narrow(orbs.client->resolve_initial_references("RTCurrent"));
  for (const auto model :
       {RTCORBA::PriorityModel::SERVER_DECLARED, RTCORBA::PriorityModel::CLIENT_PROPAGATED}) {
    const auto poa =
        orbs.root->create_POA("poa" + std::to_string(static_cast<int>(model)), orbs.root->the_POAManager(),
                              {rt->create_priority_model_policy(model, 12)});
    const auto unit = orbs.publish<Flight::Unit>(CORBA::make_reference<UnitServant>(orbs.server), poa);
    std::thread([&] {
      current->the_priority(12);
      EXPECT_EQ(unit->look().native_priority(), 30);
      EXPECT_EQ(unit->spin(1).native_priority(), 12);
      EXPECT_EQ(unit->look().corba_priority(), 30);
    }).join();
  }
}

TEST_F(SchedulePriorities, EachQueueOfTheThreadingFrameworkHasAThreadAtItsMostUrgentPriority) {
  ScheduledOrbs orbs({{.name = "look", .priority = 30, .queue = 0},
                      {.name = "spin", .priority = 20, .queue = 1},
                      {.name = "hold", .priority = 25, .queue = 1},
                      {.name = "Flight::Wing::look", .queue = 2}},
                     {"-ORBServerConcurrency", "threading-framework"});
  const auto unit = orbs.unit();
  const auto wing = orbs.wing();
  const auto first = unit->look(), second = unit->spin(1), third = wing->look(), none = wing->trim();
  EXPECT_EQ(first.thread(), "takt-queue-0");
  EXPECT_EQ(first.native_priority(), 30);
  EXPECT_EQ(second.thread(), "takt-queue-1");
  EXPECT_EQ(second.native_priority(), 20);
  EXPECT_EQ(third.thread(), "takt-queue-2");
  EXPECT_EQ(third.native_priority(), 0);
  EXPECT_EQ(none.thread(), "takt-pool") << "the first queue has what is not in the schedule";
}

// Otherwise an upcall of a less urgent queue would keep requests of the others from being read.
TEST_F(SchedulePriorities, TheReaderRunsAtThePriorityOfTheMostUrgentQueueAndItsGuardAboveIt) {
  ScheduledOrbs orbs({{.name = "look", .priority = 30}, {.name = "spin", .priority = 20, .queue = 1}},
                     {"-ORBServerConcurrency", "threading-framework", "-ORBServerThreads", "1"});
  orbs.unit()->look();
  EXPECT_EQ(native_priorities_of("takt-pool"), (std::multiset<int>{0, 30, 31}))
      << "the thread of the default queue, the reader, and its guard";
}

TEST_F(SchedulePriorities, TheReaderOfAWorkerPoolRunsAtTheHighestPriority) {
  ScheduledOrbs orbs({{.name = "look", .priority = 30}, {.name = "spin", .priority = 20}},
                     {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1"});
  orbs.unit()->spin(1);
  const auto all = native_priorities_of("takt-pool");
  EXPECT_EQ(all.size(), 2u);
  EXPECT_TRUE(all.contains(30));
}

TEST_F(SchedulePriorities, TheReaderFollowsAScheduleThatHasAHigherPriority) {
  for (const char* concurrency : {"worker-pool", "threading-framework"}) {
    ScheduledOrbs orbs({{.name = "look", .priority = 20}},
                       {"-ORBServerConcurrency", concurrency, "-ORBServerThreads", "1"});
    orbs.unit()->look();
    EXPECT_TRUE(native_priorities_of("takt-pool").contains(20));
    orbs.scheduler->change({{.name = "look", .priority = 30}});
    EXPECT_TRUE(takt::test::eventually([] { return native_priorities_of("takt-pool").contains(30); }));
  }
}

// The thread that reads starts it, and runs above all queues.
TEST_F(SchedulePriorities, AThreadThatIsAddedToAQueueRunsAsItsFirstOne) {
  struct Roomy final : takt::RequestFilter {
    std::optional<takt::RequestQueueId> choose(const takt::ArrivedRequest&) override { return queue; }
    takt::RequestQueueId queue = 0;
  };
  feature::OrbPair orbs(
      {"-ORBServerConcurrency", "threading-framework", "-ORBPriorityMapping", "direct"}, {},
      feature::OrbPair::loopback, feature::OrbPair::Server::serves_by_its_own_threads, [](const Orb& orb) {
        IDL::traits<RunTimeScheduler>::narrow(orb->resolve_initial_references("RunTimeScheduler"))
            ->install({{.name = "look", .priority = 30}});
        const auto threading = IDL::traits<takt::ThreadingFramework>::narrow(
            orb->resolve_initial_references("ThreadingFramework"));
        const auto filter = std::make_shared<Roomy>();
        filter->queue = threading->add_queue({.name = "roomy", .threads = 1, .added_threads = 1});
        threading->add_filter(filter);
      });
  const auto servant = CORBA::make_reference<UnitServant>(orbs.server);
  const auto unit = orbs.publish<Flight::Unit>(servant);
  std::thread first([&] { unit->hold(); }), second([&] { unit->hold(); });
  EXPECT_TRUE(servant->is_held(2));
  EXPECT_EQ(native_priorities_of("roomy"), (std::multiset<int>{0, 0}));
  EXPECT_TRUE(native_priorities_of("takt-pool").contains(30)) << "the thread that reads";
  servant->let_go();
  first.join();
  second.join();
}

// Also without the privilege for real-time priorities.
TEST(ScheduleQueues, ACriticalQueueIsServedWhileAnotherOneIsBusy) {
  ScheduledOrbs orbs({{.name = "hold", .queue = 1}, {.name = "look", .queue = 0}},
                     {"-ORBServerConcurrency", "threading-framework", "-ORBServerThreads", "1"});
  const auto servant = CORBA::make_reference<UnitServant>(orbs.server);
  const auto unit = orbs.publish<Flight::Unit>(servant);
  std::thread holding([&] { unit->hold(); });
  ASSERT_TRUE(servant->is_held());
  EXPECT_EQ(unit->look().thread(), "takt-queue-0");
  servant->let_go();
  holding.join();
}

}  // namespace priorities_test
}  // namespace flight
