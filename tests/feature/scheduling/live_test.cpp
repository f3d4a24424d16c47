// Admitting clients to a schedule and changing modes, if every deadline is met.
#include "scheduling/live/live_schedule.h"

#include <gtest/gtest.h>

#include "scheduling/live/steady_priorities.h"

#include <future>
#include <set>

namespace takt::scheduling {
namespace live_test {

using namespace std::chrono_literals;
using rt::ScheduledOperation;

Declaration operation(const std::string& name, Time wcet, Time period, Time deadline = {}) {
  Declaration made;
  made.name = name;
  made.needs.worstcase_execution_time = wcet;
  made.needs.period = period;
  made.needs.deadline = deadline;
  made.note("wcet");
  if (period > Time(0)) made.note("period");
  if (deadline > Time(0)) made.note("deadline");
  return made;
}

// Records what an ORB would be told.
struct Orb {
  std::vector<ScheduledOperation> present;
  int installed = 0, changed = 0;
  bool refuses = false;
  LiveTarget target() {
    return {.install =
                [this](std::vector<ScheduledOperation> all) {
                  ++installed;
                  present = std::move(all);
                },
            .change =
                [this](std::vector<ScheduledOperation> all) {
                  if (refuses) throw CORBA::TIMEOUT(0, CORBA::COMPLETED_NO, "a job has not ended");
                  ++changed;
                  present = std::move(all);
                }};
  }
  std::int16_t priority_of(const std::string& name) const {
    for (const ScheduledOperation& each : present)
      if (each.name == name) return each.priority;
    return -1;
  }
};

const std::vector<Declaration> flight = {operation("fast", 2ms, 10ms), operation("slow", 10ms, 50ms)};

TEST(LiveSchedule, AdmitsAClientThatLeavesEverybodysDeadlinesMet) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40});
  ASSERT_TRUE(schedule.begin(flight));
  EXPECT_EQ(orb.installed, 1);
  EXPECT_EQ(orb.priority_of("fast"), 28);
  EXPECT_EQ(orb.priority_of("slow"), 14) << "with room for others around it";
  const auto admitted = schedule.admit("camera", {operation("frame", 5ms, 20ms)});
  ASSERT_TRUE(admitted) << admitted.error().text;
  ASSERT_EQ(admitted->priorities.size(), 1u);
  EXPECT_EQ(admitted->priorities[0].first, "frame");
  EXPECT_EQ(admitted->priorities[0].second.priority, 21);
  EXPECT_EQ(orb.priority_of("frame"), 21);
  EXPECT_EQ(orb.priority_of("fast"), 28);
  EXPECT_EQ(orb.priority_of("slow"), 14);
  EXPECT_EQ(schedule.statistics().clients, 1u);
  EXPECT_NEAR(schedule.statistics().utilisation, 0.65, 1e-9);
  ASSERT_TRUE(schedule.release(admitted->id));
  EXPECT_EQ(orb.present.size(), 2u);
  EXPECT_EQ(schedule.statistics().clients, 0u);
  EXPECT_EQ(schedule.release(admitted->id).error().kind, LiveError::unknown_client);
}

// Without that, clients that come and go at once could leave any amount of work above 'slow', although each
// change alone leaves at most 24 ms.
TEST(LiveSchedule, AChangeWaitsUntilWhatTheOneBeforeHasEndedIsDone) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40});
  ASSERT_TRUE(schedule.begin({operation("slow", 10ms, 100ms, 40ms)}));
  const auto admit = [&](const std::string& name) {
    const auto admitted = schedule.admit(name, {operation(name, 12ms, 50ms)});
    EXPECT_TRUE(admitted) << admitted.error().text;
    return admitted ? admitted->id : 0;
  };
  const auto one = admit("one"), two = admit("two");
  ASSERT_TRUE(schedule.release(one));
  const auto released = LiveSchedule::Clock::now();
  ASSERT_TRUE(schedule.release(two));
  EXPECT_GE(LiveSchedule::Clock::now() - released, 33ms) << "34 ms of work may be pending";
}

TEST(LiveSchedule, RefusesAClientAndSaysWhoWouldMissAndByHowMuch) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40});
  ASSERT_TRUE(schedule.begin({operation("fast", 2ms, 10ms), operation("slow", 10ms, 50ms, 20ms)}));
  const auto refused = schedule.admit("camera", {operation("frame", 6ms, 15ms)});
  ASSERT_FALSE(refused);
  // 10 + 2 * 6 + 3 * 2
  EXPECT_EQ(refused.error().kind, LiveError::not_feasible);
  EXPECT_EQ(refused.error().operation, "slow");
  EXPECT_EQ(refused.error().number, Time(8ms).count());
  EXPECT_NE(refused.error().text.find("takes up to 28 ms"), std::string::npos) << refused.error().text;
  EXPECT_EQ(orb.changed, 0);
  EXPECT_EQ(schedule.statistics().refused, 1u);
  EXPECT_EQ(schedule.statistics().operations, 2u);
}

TEST(LiveSchedule, AClientMayHaveTheApplicationsOperationsCalledAtItsRate) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40});
  auto own = flight;
  own.push_back(operation("sensor", 1ms, 0ms));
  own[1].calls.push_back({.operation = "sensor", .where = {}});
  own[1].note("calls");
  ASSERT_TRUE(schedule.begin(own));
  EXPECT_EQ(orb.priority_of("sensor"), 14) << "its caller's";
  Declaration poll = operation("camera.poll", 0ms, 5ms);
  poll.calls.push_back({.operation = "sensor", .where = {}});
  poll.note("calls");
  const auto admitted = schedule.admit("camera", {poll});
  ASSERT_TRUE(admitted) << admitted.error().text;
  EXPECT_EQ(orb.priority_of("sensor"), 35) << "the client's";
  ASSERT_TRUE(schedule.release(admitted->id));
  EXPECT_EQ(orb.priority_of("sensor"), 14);
}

TEST(LiveSchedule, WhatCannotBeIsRefusedAndChangesNothing) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40, .most_clients = 2, .most_operations = 5});
  EXPECT_EQ(schedule.admit("early", {}).error().kind, LiveError::out_of_order);
  EXPECT_EQ(schedule.change_mode(flight).error().kind, LiveError::out_of_order);
  EXPECT_EQ(schedule.begin({operation("a", 20ms, 10ms)}).error().kind, LiveError::not_feasible);
  ASSERT_TRUE(schedule.begin(flight));
  EXPECT_EQ(schedule.begin(flight).error().kind, LiveError::out_of_order);
  const auto kind = [&](std::vector<Declaration> operations) {
    const auto refused = schedule.admit("client", std::move(operations));
    EXPECT_FALSE(refused);
    return refused ? LiveError() : refused.error().kind;
  };
  EXPECT_EQ(kind({operation("fast", 1ms, 10ms)}), LiveError::bad_operations) << "it is somebody else's";
  EXPECT_EQ(kind({operation("new", 1ms, 10ms), operation("new", 1ms, 10ms)}), LiveError::bad_operations);
  EXPECT_EQ(kind({operation("new", 1ms, 0ms)}), LiveError::bad_operations) << "it has no rate";
  EXPECT_EQ(kind({operation("new", -1ms, 10ms)}), LiveError::bad_operations);
  Declaration cycle = operation("new", 1ms, 10ms);
  cycle.calls.push_back({.operation = "nobody", .where = {}});
  EXPECT_EQ(kind({cycle}), LiveError::bad_operations);
  std::vector<Declaration> many;
  for (int i = 0; i < 4; ++i) many.push_back(operation(std::to_string(i), 1us, 1s));
  EXPECT_EQ(kind(many), LiveError::too_many);
  orb.refuses = true;
  EXPECT_EQ(kind({operation("new", 1ms, 10ms)}), LiveError::not_taken);
  orb.refuses = false;
  ASSERT_TRUE(schedule.admit("one", {operation("1", 1us, 1s)}));
  ASSERT_TRUE(schedule.admit("two", {operation("2", 1us, 1s)}));
  EXPECT_EQ(kind({operation("3", 1us, 1s)}), LiveError::too_many);
  EXPECT_EQ(orb.changed, 2);
  EXPECT_EQ(schedule.statistics().operations, 4u);
}

TEST(LiveSchedule, AModeChangesIfBothModesFitWhileOneTakesOver) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40});
  const auto steady = operation("steady", 5ms, 30ms, 15ms);
  ASSERT_TRUE(schedule.begin({operation("cruise", 4ms, 10ms), steady}));
  // Each of the two alone meets its deadline, in 9 and 10 ms.
  const auto landing = operation("land", 5ms, 10ms);
  {
    Orb alone;
    LiveSchedule other(alone.target(), {});
    EXPECT_TRUE(other.begin({landing, steady}));
  }
  const auto refused = schedule.change_mode({landing, steady});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, LiveError::not_feasible);
  EXPECT_EQ(refused.error().operation, "steady");
  EXPECT_EQ(refused.error().number, Time(4ms).count());
  EXPECT_NE(refused.error().text.find("while the schedule changes"), std::string::npos)
      << refused.error().text;
  EXPECT_EQ(orb.changed, 0);
  // Through a mode with neither of them, the change is feasible.
  ASSERT_TRUE(schedule.change_mode({steady}));
  ASSERT_TRUE(schedule.change_mode({landing, steady}));
  EXPECT_EQ(schedule.statistics().mode_changes, 2u);
  EXPECT_GT(orb.priority_of("land"), orb.priority_of("steady"));
}

TEST(LiveSchedule, ClientsStayWhenTheModeChanges) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40});
  ASSERT_TRUE(schedule.begin(flight));
  ASSERT_TRUE(schedule.admit("camera", {operation("frame", 1ms, 20ms)}));
  ASSERT_TRUE(schedule.change_mode({operation("fast", 2ms, 10ms)}));
  EXPECT_EQ(orb.present.size(), 2u);
  EXPECT_NE(orb.priority_of("frame"), -1);
  EXPECT_EQ(schedule.change_mode({operation("frame", 2ms, 10ms)}).error().kind, LiveError::bad_operations);
}

TEST(SteadyPriorities, LevelsKeepWhatTheyHaveHadWhereThereIsRoom) {
  using Had = std::vector<std::optional<std::int32_t>>;
  using Numbers = std::vector<std::int32_t>;
  const auto of = [](const Had& had, std::int32_t minimum, std::int32_t maximum) {
    return steady_priorities(had, minimum, maximum);
  };
  const auto none = std::nullopt;
  EXPECT_EQ(of({none}, 7, 7), (Numbers{7}));
  EXPECT_EQ(of({none, none, none}, 1, 3), (Numbers{3, 2, 1}));
  EXPECT_EQ(of({none, none, none}, 3, 1), (Numbers{1, 2, 3})) << "where less is more urgent";
  EXPECT_EQ(of({none, none}, 1, 40), (Numbers{28, 14}));
  EXPECT_EQ(of({27, none, 14}, 1, 40), (Numbers{27, 21, 14}));
  EXPECT_EQ(of({27, 14, none}, 1, 40), (Numbers{27, 14, 7}));
  EXPECT_EQ(of({14, none, 13}, 1, 40), (Numbers{14, 10, 5})) << "there is no number between 14 and 13";
  EXPECT_EQ(of({none, 40}, 1, 40).size(), 2u);
  EXPECT_EQ(of({10, 20}, 1, 40), (Numbers{10, 5})) << "an order of before is not one";
  EXPECT_EQ(of({3, 2, none}, 1, 3), (Numbers{3, 2, 1}));
  EXPECT_EQ(of({1, none}, 1, 3), (Numbers{3, 2})) << "there would be no room behind it";
}

TEST(LiveSchedule, SoManyClientsThatTheyHaveToMoveMoveInOrder) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 12});
  ASSERT_TRUE(schedule.begin({operation("base", 1ms, 100ms)}));
  for (int i = 0; i < 11; ++i)
    ASSERT_TRUE(schedule.admit("client", {operation(std::to_string(i), 10us, Time(50ms) - i * Time(1ms))}));
  std::set<std::int16_t> priorities;
  for (const ScheduledOperation& each : orb.present) priorities.insert(each.priority);
  EXPECT_EQ(priorities.size(), 12u);
  for (int i = 1; i < 11; ++i)
    EXPECT_GT(orb.priority_of(std::to_string(i)), orb.priority_of(std::to_string(i - 1)));
  const auto full = schedule.admit("client", {operation("more", 10us, 200ms)});
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().kind, LiveError::too_many) << full.error().text;
}

// For any sequence of clients: admitted schedules are feasible, and released clients are removed from the ORB
// at once.
TEST(LiveSchedule, ReleasingNeverFails) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 99});
  ASSERT_TRUE(schedule.begin({operation("base", 300us, 1200us, 1100us)}));
  std::vector<std::pair<LiveSchedule::ClientId, std::string>> clients;
  std::uint64_t random = 7;
  const auto below = [&](std::uint64_t limit) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return (random >> 33) % limit;
  };
  int admitted = 0, refused = 0;
  for (int i = 0; i < 400; ++i) {
    if (below(3) != 0) {
      const std::string name = "op" + std::to_string(i);
      const Time period = std::chrono::microseconds(100 * (5 + below(60)));
      const auto done = schedule.admit(name, {operation(name, period / (3 + below(20)), period)});
      if (done) clients.emplace_back(done->id, name);
      ++(done ? admitted : refused);
      EXPECT_TRUE(done || done.error().kind == LiveError::not_feasible) << done.error().text;
    } else if (!clients.empty()) {
      const auto gone = clients.begin() + static_cast<std::ptrdiff_t>(below(clients.size()));
      const auto done = schedule.release(gone->first);
      ASSERT_TRUE(done) << done.error().text;
      EXPECT_EQ(orb.priority_of(gone->second), -1);
      clients.erase(gone);
    }
    EXPECT_EQ(schedule.statistics().clients, clients.size());
    EXPECT_EQ(orb.present.size(), clients.size() + 1);
    EXPECT_LE(schedule.statistics().utilisation, 1.0);
  }
  EXPECT_GT(admitted, 50);
  EXPECT_GT(refused, 20);
}

TEST(LiveSchedule, AClientThatIsNotRenewedIsReleasedAfterItsLease) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40, .lease = 10s});
  const auto start = LiveSchedule::Clock::now();
  ASSERT_TRUE(schedule.begin(flight));
  EXPECT_EQ(schedule.release_expired(start), std::nullopt) << "there is nobody";
  const auto silent = schedule.admit("silent", {operation("a", 1ms, 100ms)}, start);
  const auto alive = schedule.admit("alive", {operation("b", 1ms, 100ms)}, start + 2s);
  ASSERT_TRUE(silent && alive);
  EXPECT_EQ(schedule.release_expired(start + 9s), start + 10s);
  ASSERT_TRUE(schedule.renew(alive->id, start + 9s));
  EXPECT_EQ(schedule.release_expired(start + 13s), start + 19s);
  EXPECT_EQ(orb.priority_of("a"), -1);
  EXPECT_GT(orb.priority_of("b"), 0);
  EXPECT_EQ(schedule.statistics().clients, 1u);
  EXPECT_EQ(schedule.statistics().released, 1u);
  EXPECT_EQ(schedule.statistics().expired, 1u);
  const auto late = schedule.renew(silent->id, start + 14s);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, LiveError::unknown_client);
  EXPECT_NE(late.error().text.find("its lease of 10 s has run out"), std::string::npos) << late.error().text;
}

// The ORB takes a while here, which stands for a long analysis.
TEST(LiveSchedule, ALeaseIsRenewedWhileAnotherClientIsAdmitted) {
  Orb orb;
  LiveTarget target = orb.target();
  std::promise<void> admitting, renewed;
  bool waits = false, in_time = true;
  LiveSchedule::Clock::time_point taken;
  target.change = [&](auto) {
    if (!waits) return;
    admitting.set_value();
    in_time = renewed.get_future().wait_for(20s) == std::future_status::ready;
    taken = LiveSchedule::Clock::now();
  };
  LiveSchedule schedule(target, {.maximum_priority = 40, .lease = 10s});
  ASSERT_TRUE(schedule.begin(flight));
  const auto start = LiveSchedule::Clock::now();
  const auto first = schedule.admit("first", {operation("a", 1ms, 100ms)}, start + 1h);
  ASSERT_TRUE(first);
  waits = true;
  auto second = std::async(
      std::launch::async, [&] { return schedule.admit("second", {operation("b", 1ms, 100ms)}).has_value(); });
  admitting.get_future().wait();
  EXPECT_TRUE(schedule.renew(first->id, start + 2h));
  renewed.set_value();
  EXPECT_TRUE(second.get());
  EXPECT_TRUE(in_time);
  waits = false;
  const auto first_end = schedule.release_expired(start);
  ASSERT_TRUE(first_end);
  EXPECT_GE(*first_end, taken + 10s) << "the second one's lease begins when it is admitted";
  EXPECT_EQ(schedule.release_expired(start + 1h), start + 2h + 10s) << "the second one's is over";
}

TEST(LiveSchedule, WithoutLeasesClientsStay) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40});
  const auto start = LiveSchedule::Clock::now();
  ASSERT_TRUE(schedule.begin(flight));
  const auto client = schedule.admit("client", {operation("a", 1ms, 100ms)}, start);
  ASSERT_TRUE(client);
  EXPECT_TRUE(schedule.renew(client->id, start + 1s));
  EXPECT_EQ(schedule.release_expired(start + std::chrono::hours(9'000)), std::nullopt);
  EXPECT_EQ(schedule.statistics().clients, 1u);
}

TEST(LiveSchedule, AnExpiredClientsTimeIsThereForTheNext) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40, .most_clients = 1, .lease = 10s});
  const auto start = LiveSchedule::Clock::now();
  ASSERT_TRUE(schedule.begin(flight));
  ASSERT_TRUE(schedule.admit("first", {operation("a", 10ms, 50ms)}, start));
  EXPECT_FALSE(schedule.admit("second", {operation("b", 10ms, 50ms)}, start + 9s));
  const auto second = schedule.admit("second", {operation("b", 10ms, 50ms)}, start + 10s);
  EXPECT_TRUE(second) << second.error().text;
  EXPECT_EQ(schedule.statistics().expired, 1u);
}

TEST(LiveSchedule, AnExpiredClientWhomALivingOneCallsHasAnotherLease) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40, .lease = 10s});
  const auto start = LiveSchedule::Clock::now();
  ASSERT_TRUE(schedule.begin(flight));
  const auto calls_it = [](const std::string& name) {
    Declaration made = operation(name, 1ms, 100ms);
    made.calls.push_back({.operation = "callee", .times = 1, .type = DependencyType::two_way, .where = ""});
    return made;
  };
  ASSERT_TRUE(schedule.admit("callee", {operation("callee", 1ms, 0ms), calls_it("own")}, start));
  const auto calling = schedule.admit("caller", {calls_it("caller")}, start);
  ASSERT_TRUE(calling);
  ASSERT_TRUE(schedule.renew(calling->id, start + 9s));
  EXPECT_EQ(schedule.release_expired(start + 10s), start + 19s);
  EXPECT_EQ(schedule.statistics().clients, 2u);
  EXPECT_EQ(schedule.release_expired(start + 20s), std::nullopt) << "both are gone, whoever calls whom";
  EXPECT_EQ(schedule.statistics().expired, 2u);
  EXPECT_EQ(orb.priority_of("callee"), -1);
}

TEST(LiveSchedule, WhatTheOrbDoesNotTakeIsReleasedALeaseLater) {
  Orb orb;
  LiveSchedule schedule(orb.target(), {.maximum_priority = 40, .lease = 10s});
  const auto start = LiveSchedule::Clock::now();
  ASSERT_TRUE(schedule.begin(flight));
  ASSERT_TRUE(schedule.admit("client", {operation("a", 1ms, 100ms)}, start));
  orb.refuses = true;
  EXPECT_EQ(schedule.release_expired(start + 11s), start + 21s);
  EXPECT_EQ(schedule.statistics().clients, 1u);
  orb.refuses = false;
  EXPECT_EQ(schedule.release_expired(start + 21s), std::nullopt);
  EXPECT_EQ(orb.priority_of("a"), -1);
}

}  // namespace live_test
}  // namespace takt::scheduling
