// The order in which a queue serves operations with a schedule.
#include <algorithm>

#include <takt/orb/linked_plugin.h>
#include <takt/reference/quality.h>

#include "flight.h"

namespace flight {
namespace orders_test {

using Numbers = std::vector<int>;

class ScheduleOrders : public testing::TestWithParam<const char*> {
 protected:
  // The order in which one() to four() are served after all have waited.
  static Numbers served(const char* order, std::vector<ScheduledOperation> operations,
                        std::chrono::milliseconds client_deadline_of_three = {},
                        const std::vector<std::string>& more_options = {}) {
    for (const char* name : {"one", "two", "three", "four", "hold"})  // all of one queue
      if (std::ranges::find(operations, name, &ScheduledOperation::name) == operations.end())
        operations.push_back({.name = name});
    std::vector<std::string> options{"-ORBServerConcurrency", GetParam(), "-ORBServerThreads", "1",
                                     "-ORBQueueOrder",        order};
    options.insert(options.end(), more_options.begin(), more_options.end());
    ScheduledOrbs orbs(std::move(operations), std::move(options));
    const auto servant = CORBA::make_reference<UnitServant>(orbs.server);
    const auto unit = orbs.noticing(servant, orbs.root);
    std::thread held([&] { unit->hold(); });
    EXPECT_TRUE(servant->is_held());
    unit->one();
    unit->two();
    if (client_deadline_of_three > 0ms) {
      const takt::DeadlineScope in_time(client_deadline_of_three);
      unit->three();
    } else {
      unit->three();
    }
    unit->four();
    unit->last();  // ensures that the previous call is queued too
    servant->let_go();
    held.join();
    return servant->noted(4);
  }
};

TEST_P(ScheduleOrders, FixedIsTheTablesPriorityAndThenItsSubPriority) {
  EXPECT_EQ(served("fixed", {{.name = "one", .priority = 5, .sub_priority = 1},
                             {.name = "two", .priority = 5, .sub_priority = 0},
                             {.name = "three", .priority = 9, .sub_priority = 7}}),
            (Numbers{3, 2, 1, 4}));
}

TEST_P(ScheduleOrders, DeadlineIsTheTablesUnlessTheClientSaysIt) {
  EXPECT_EQ(served("deadline", {{.name = "one", .deadline = 30s}, {.name = "two", .deadline = 20s}}),
            (Numbers{2, 1, 3, 4}));
  EXPECT_EQ(served("deadline",
                   {{.name = "one", .deadline = 30s},
                    {.name = "two", .deadline = 5s},
                    {.name = "three", .deadline = 1s}},
                   20s),
            (Numbers{2, 3, 1, 4}));
}

TEST_P(ScheduleOrders, LaxityIsWhatTheDeadlineLeavesOfTheExecution) {
  EXPECT_EQ(served("laxity", {{.name = "one", .deadline = 20s, .execution = 1s},
                              {.name = "two", .deadline = 30s, .execution = 20s},
                              {.name = "four", .deadline = 15s},
                              {.name = "three", .execution = 1s}}),
            (Numbers{2, 4, 1, 3}));
}

TEST_P(ScheduleOrders, UrgencyIsTheCriticalSetFirst) {
  EXPECT_EQ(served("urgency", {{.name = "one", .deadline = 1s},
                               {.name = "two", .deadline = 20s, .critical = true},
                               {.name = "three", .deadline = 30s, .execution = 15s, .critical = true}}),
            (Numbers{3, 2, 1, 4}));
}

TEST_P(ScheduleOrders, APluginsOrderIsTheOneOfEveryQueue) {
  takt::add_plugin("shortest", &takt_plugin);
  EXPECT_EQ(served("shortest",
                   {{.name = "one", .execution = 3s},
                    {.name = "two", .execution = 1s},
                    {.name = "four", .execution = 2s}},
                   {}, {"-ORBPlugin", "shortest"}),
            (Numbers{2, 4, 1, 3}));
}

INSTANTIATE_TEST_SUITE_P(Each, ScheduleOrders, testing::ValuesIn(feature::queued_concurrencies),
                         [](const auto& name) {
                           return name.param == std::string("worker-pool") ? "WorkerPool"
                                                                           : "ThreadingFramework";
                         });

// The buffer of a lane uses the same kind of queue.
TEST(ScheduleOrdersOfLanes, TheBufferOfALaneIsOrderedByTheTable) {
  ScheduledOrbs orbs(
      {{.name = "one", .deadline = 30s}, {.name = "two", .deadline = 20s}, {.name = "four", .deadline = 10s}},
      {"-ORBQueueOrder", "laxity"});
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orbs.server->resolve_initial_references("RTORB"));
  const auto pool = rt->create_threadpool_with_lanes(0, {{10, 1, 0}}, false, true, 100, 0);
  const auto poa =
      orbs.root->create_POA("lane", orbs.root->the_POAManager(),
                            {rt->create_threadpool_policy(pool),
                             rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, 10)});
  const auto servant = CORBA::make_reference<UnitServant>(orbs.server);
  const auto unit = orbs.noticing(servant, poa);
  std::thread held([&] { unit->hold(); });
  ASSERT_TRUE(servant->is_held());
  unit->one();
  unit->two();
  unit->three();
  unit->four();
  unit->last();
  servant->let_go();
  held.join();
  EXPECT_EQ(servant->noted(4), (Numbers{4, 2, 1, 3}));
}

// The second request is served first.
TEST(ScheduledRates, ARequestThatHasArrivedInTimeIsNotEarlyBecauseALaterOneIsServedBefore) {
  ScheduledOrbs orbs(
      {{.name = "one", .period = 100us, .on_early = takt::rt::OnEarly::refuse}, {.name = "hold"}},
      {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1", "-ORBQueueOrder", "importance"});
  const auto servant = CORBA::make_reference<UnitServant>(orbs.server);
  const auto unit = orbs.noticing(servant, orbs.root);
  std::thread held([&] { unit->hold(); });
  EXPECT_TRUE(servant->is_held());
  unit->one();
  std::this_thread::sleep_for(1ms);
  {
    takt::Quality important;
    important.importance = 9;
    const takt::QualityScope scope(important);
    unit->one();
  }
  servant->let_go();
  held.join();
  EXPECT_EQ(servant->noted(2).size(), 2u);
  EXPECT_EQ(orbs.of("one").early, 0u);
}

}  // namespace orders_test
}  // namespace flight
