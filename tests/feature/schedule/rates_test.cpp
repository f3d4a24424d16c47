// Requests that arrive more often than the schedule allows.
#include <functional>
#include <optional>
#include <ostream>

#include <takt/orb/ior_table.h>
#include <takt/reference/quality.h>

#include "flight.h"
#include "raw_peer.h"

namespace flight {
namespace rates_test {

using takt::rt::OnEarly;

constexpr std::uint32_t work = 1'000;  // microseconds

// Calls `spin` back to back; returns how many calls were refused.
int refused_of(const UnitRef& unit, int calls) {
  int refused = 0;
  for (int call = 0; call < calls; ++call) try {
      unit->spin(work);
    } catch (const CORBA::TRANSIENT& early) {
      EXPECT_EQ(early.completed(), CORBA::COMPLETED_NO);
      ++refused;
    }
  return refused;
}

TEST(ScheduleRates, ACallThatComesBeforeItsPeriodIsRefusedLikeAnOverrun) {
  Reports reports;
  ScheduledOrbs orbs({{.name = "spin", .period = 1h, .execution = 5ms, .on_overrun = OnOverrun::refuse},
                      {.name = "look", .period = 1h, .execution = 5ms, .on_overrun = OnOverrun::refuse}},
                     {}, reports.options());
  const auto unit = orbs.unit();
  EXPECT_EQ(refused_of(unit, 50), 49);
  unit->look();
  EXPECT_EQ(orbs.of("spin").begun, 1u);
  EXPECT_EQ(orbs.of("spin").early, 49u);
  EXPECT_EQ(orbs.of("spin").refusals, 49u);
  EXPECT_EQ(orbs.of("spin").overruns, 0u);
  EXPECT_EQ(orbs.of("look").early, 0u) << "each operation has its own rate";
  const auto told = reports.wait_for(49);
  ASSERT_EQ(told.size(), 49u);
  EXPECT_EQ(told[0].kind, ScheduleReport::Kind::early);
  EXPECT_EQ(told[0].operation, "spin");
  EXPECT_EQ(told[0].allowed, 1h);
  EXPECT_GT(told[0].took, 50min);
}

// No client can cause more upcalls than the periods allow: over any time t, t / period rounded up.
TEST(ScheduleRates, AFloodGetsNoMoreUpcallsThanItsPeriodsAllow) {
  ScheduledOrbs orbs({{.name = "spin", .period = 20ms, .execution = 5ms, .on_overrun = OnOverrun::refuse}});
  const auto unit = orbs.unit();
  const auto begin = std::chrono::steady_clock::now();
  int calls = 0, refused = 0;
  while (std::chrono::steady_clock::now() - begin < 400ms) {
    refused += refused_of(unit, 10);
    calls += 10;
  }
  const auto took = std::chrono::steady_clock::now() - begin;
  const auto allowed = static_cast<std::uint64_t>(took / 20ms) + 1;
  EXPECT_LE(orbs.of("spin").begun, allowed);
  EXPECT_GT(orbs.of("spin").begun, 0u);
  EXPECT_EQ(orbs.of("spin").begun + static_cast<std::uint64_t>(refused), static_cast<std::uint64_t>(calls));
}

TEST(ScheduleRates, ADeclaredBurstMayComeAtOnce) {
  ScheduledOrbs orbs(
      {{.name = "spin", .period = 1h, .burst = 4, .execution = 5ms, .on_overrun = OnOverrun::refuse}});
  EXPECT_EQ(refused_of(orbs.unit(), 10), 6);
  EXPECT_EQ(orbs.of("spin").begun, 4u);
}

TEST(ScheduleRates, ACallMayComeEarlierByTheDeclaredJitter) {
  ScheduledOrbs orbs(
      {{.name = "spin", .period = 1h, .jitter = 1h, .execution = 5ms, .on_overrun = OnOverrun::refuse}});
  EXPECT_EQ(refused_of(orbs.unit(), 10), 8) << "the second has come an hour early; later ones, two hours";
}

TEST(ScheduleRates, EarlyCallsAreCountedWhereNothingElseIsSaid) {
  ScheduledOrbs orbs({{.name = "spin", .period = 1h}});
  EXPECT_EQ(refused_of(orbs.unit(), 10), 0);
  EXPECT_EQ(orbs.of("spin").begun, 10u);
  EXPECT_EQ(orbs.of("spin").early, 9u);
  EXPECT_EQ(orbs.of("spin").refusals, 0u);
}

TEST(ScheduleRates, WhatBecomesOfEarlyCallsMayDifferFromWhatBecomesOfOverruns) {
  ScheduledOrbs orbs({{.name = "spin", .period = 1h, .on_early = OnEarly::refuse},
                      {.name = "look",
                       .period = 1h,
                       .execution = 5ms,
                       .on_overrun = OnOverrun::refuse,
                       .on_early = OnEarly::count}});
  const auto unit = orbs.unit();
  EXPECT_EQ(refused_of(unit, 3), 2);
  for (int call = 0; call < 3; ++call) unit->look();
  EXPECT_EQ(orbs.of("look").early, 2u);
  EXPECT_EQ(orbs.of("look").refusals, 0u);
}

TEST(ScheduleRates, EveryArchitectureHoldsRequestsToTheirRates) {
  for (const char* concurrency : feature::server_concurrencies) {
    SCOPED_TRACE(concurrency);
    ScheduledOrbs orbs({{.name = "spin", .period = 1h, .on_early = OnEarly::refuse}},
                       {"-ORBServerConcurrency", concurrency});
    std::thread runner;
    if (concurrency == std::string_view("reactive")) runner = std::thread([&] { orbs.server->run(); });
    EXPECT_EQ(refused_of(orbs.unit(), 5), 4);
    if (runner.joinable()) {
      orbs.server->shutdown(false);
      runner.join();
    }
  }
}

// A client may have its reference since before the object was active, for example from an earlier run of the
// server, or name the object by a URL.
TEST(ScheduleRates, HoldHoweverARequestNamesItsObject) {
  using namespace PortableServer;
  ScheduledOrbs orbs({{.name = "Flight::Unit::spin", .period = 1h, .burst = 2, .on_early = OnEarly::refuse}});
  const auto poa = orbs.make_poa({orbs.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)});
  const auto early = orbs.seen_by_client<Flight::Unit>(
      poa->create_reference_with_id(string_to_ObjectId("early"), "IDL:Flight/Unit:1.0"));
  const auto servant = CORBA::make_reference<UnitServant>(orbs.server);
  poa->activate_object_with_id(string_to_ObjectId("early"), servant);
  EXPECT_EQ(refused_of(early, 5), 3) << "a reference that is older than its object";
  poa->deactivate_object(string_to_ObjectId("early"));
  poa->activate_object_with_id(string_to_ObjectId("early"), servant);
  EXPECT_EQ(refused_of(early, 5), 5) << "an object that has been activated again";

  const auto reference = orbs.server->object_to_string(
      poa->create_reference_with_id(string_to_ObjectId("early"), "IDL:Flight/Unit:1.0"));
  IDL::traits<IORTable::Table>::narrow(orbs.server->resolve_initial_references("IORTable"))
      ->bind("Unit", reference);
  const std::string endpoint = orbs.server->_published_endpoints().front();
  const auto named = IDL::traits<Flight::Unit>::narrow(
      orbs.client->string_to_object("corbaloc::" + endpoint.substr(endpoint.find(' ') + 1) + "/Unit"));
  EXPECT_EQ(refused_of(named, 5), 5) << "a plain name";
}

class UnitActivator final : public virtual PortableServer::ServantActivator {
 public:
  explicit UnitActivator(const Orb& orb) : orb_(orb) {}
  CORBA::servant_reference<PortableServer::Servant> incarnate(
      const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>) override {
    return CORBA::make_reference<UnitServant>(orb_);
  }
  void etherealize(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                   CORBA::servant_reference<PortableServer::Servant>, bool, bool) override {}

 private:
  const Orb orb_;
};

TEST(ScheduleRates, HoldForObjectsOfServantActivatorsAndForDefaultServants) {
  using namespace PortableServer;
  ScheduledOrbs orbs({{.name = "Flight::Unit::spin", .period = 1h, .on_early = OnEarly::refuse}});
  const auto object_of = [&](RequestProcessingPolicyValue processing, const auto& begin) {
    const auto poa =
        orbs.make_poa({orbs.root->create_request_processing_policy(processing),
                       orbs.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID),
                       orbs.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)});
    begin(*poa);
    return orbs.seen_by_client<Flight::Unit>(
        poa->create_reference_with_id(string_to_ObjectId("any"), "IDL:Flight/Unit:1.0"));
  };
  const auto incarnated = object_of(RequestProcessingPolicyValue::USE_SERVANT_MANAGER, [&](POA& poa) {
    poa.set_servant_manager(CORBA::make_reference<UnitActivator>(orbs.server));
  });
  EXPECT_EQ(refused_of(incarnated, 5), 3) << "the request that makes the servant, and the first of the rate";
  const auto of_default = object_of(RequestProcessingPolicyValue::USE_DEFAULT_SERVANT, [&](POA& poa) {
    poa.set_servant(CORBA::make_reference<UnitServant>(orbs.server));
  });
  EXPECT_EQ(refused_of(of_default, 5), 5);
}

struct Architecture {
  const char* name;
  std::vector<std::string> options;
  friend std::ostream& operator<<(std::ostream& to, const Architecture& one) { return to << one.name; }
};

// A client that calls an operation back to back that is allowed once an hour, and other clients.
class ScheduleRateFlood : public testing::TestWithParam<Architecture> {
 protected:
  static constexpr auto delay = 50ms;

  void start(const char* refusal_delay, const std::string& client_connections = "exclusive") {
    std::vector<std::string> options{"-ORBRefusalDelay", refusal_delay};
    options.insert(options.end(), GetParam().options.begin(), GetParam().options.end());
    orbs_.emplace(
        std::vector<ScheduledOperation>{{.name = "spin", .period = 1h, .on_early = OnEarly::refuse}}, options,
        ScheduleOptions{}, client_connections);
    if (std::string_view(GetParam().name) == "reactive") runner_ = std::thread([&] { orbs_->server->run(); });
    unit_ = orbs_->unit();
    refused_of(unit_, 1);
  }
  void TearDown() override {
    if (!runner_.joinable()) return;
    orbs_->server->shutdown(false);
    runner_.join();
  }
  // The number of calls refused while `meanwhile` runs, and the maximum that the server would have read.
  struct Flooded {
    int refused = 0;
    int most = 0;
  };
  Flooded flood_during(const std::function<void()>& meanwhile) {
    std::atomic<bool> over{false};
    Flooded result;
    const auto begin = std::chrono::steady_clock::now();
    std::thread flood([&] {
      while (!over) result.refused += refused_of(unit_, 1);
    });
    meanwhile();
    over = true;
    flood.join();
    result.most = static_cast<int>((std::chrono::steady_clock::now() - begin) / delay) + 2;
    return result;
  }

  std::optional<ScheduledOrbs> orbs_;
  UnitRef unit_;
  std::thread runner_;
};

TEST_P(ScheduleRateFlood, IsReadNoMoreOftenThanTheDelayAllows) {
  start("50ms");
  const auto [refused, most] = flood_during([] { std::this_thread::sleep_for(500ms); });
  EXPECT_LE(refused, most);
  EXPECT_GE(refused, 1) << "and yet it is read";
}

TEST_P(ScheduleRateFlood, IsReadAtOnceWithoutADelay) {
  start("0");
  const auto [refused, most] = flood_during([] { std::this_thread::sleep_for(500ms); });
  EXPECT_GT(refused, most);
}

TEST_P(ScheduleRateFlood, HoldsUpNoOtherConnection) {
  start("50ms");
  constexpr int calls = 300;
  const auto [refused, most] = flood_during([&] {
    std::thread([&] {
      for (int call = 0; call < calls; ++call) unit_->look();  // over this thread's connection
    }).join();
  });
  EXPECT_LE(refused, most);
  EXPECT_LT(refused, calls / 10) << "the other connection's calls were served meanwhile";
}

// As documented, a request over the same connection waits for at most one delay.
TEST_P(ScheduleRateFlood, HoldsUpAnotherOperationOfItsConnectionForOneDelayAtMost) {
  start("50ms", "multiplexed");
  constexpr int calls = 10;
  const auto [refused, most] = flood_during([&] {
    for (int call = 0; call < calls; ++call) unit_->look();
  });
  EXPECT_LE(refused, 2 * calls + 2) << "one in the read that brings each of the calls, and one before it";
}

// A long message enlarges the buffer into which the short messages after it are read.
TEST_P(ScheduleRateFlood, OfShortRequestsBehindALongOneIsRefusedNoFasterForThat) {
  start("50ms");
  const feature::Place place(orbs_->client->object_to_string(unit_));
  feature::RawPeer peer(place.port);
  ASSERT_TRUE(
      peer.send(feature::request(1, place.key, "spin", {}, true).raw(feature::Octets(200'000)).finish()));
  feature::Octets oneway = feature::request(2, place.key, "spin").finish();
  constexpr std::size_t response_flags = 16;
  oneway[response_flags] = 0;
  feature::Octets flood;
  for (int i = 0; i < 40'000; ++i) flood.insert(flood.end(), oneway.begin(), oneway.end());
  const auto before = orbs_->of("spin").refusals;
  std::thread sender([&] { peer.send(flood); });
  std::this_thread::sleep_for(1s);
  const auto refused = orbs_->of("spin").refusals - before;
  EXPECT_GE(refused, 1u);
  EXPECT_LT(refused, 12'000u) << "what one read brings, and a hundred for each delay";
  TearDown();
  unit_.reset();
  orbs_.reset();  // ends the sender's connection
  sender.join();
}

const Architecture architectures[] = {
    {"thread_per_connection", {"-ORBServerConcurrency", "thread-per-connection"}},
    {"reactive", {"-ORBServerConcurrency", "reactive"}},
    {"reactor_thread", {"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "1"}},
    {"leader_followers", {"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "3"}},
    {"lanes", {"-ORBLanes", "10=1"}},
    {"lanes_with_queues", {"-ORBLanes", "10=2", "-ORBLaneQueuedRequests", "10"}},
    {"worker_pool", {"-ORBServerConcurrency", "worker-pool"}},
    {"threading_framework", {"-ORBServerConcurrency", "threading-framework"}},
};
INSTANTIATE_TEST_SUITE_P(Each, ScheduleRateFlood, testing::ValuesIn(architectures),
                         [](const auto& each) { return std::string(each.param.name); });

class ScheduleRateDemotion : public testing::Test {
 protected:
  void SetUp() override { REQUIRE_REAL_TIME(); }
};

TEST_F(ScheduleRateDemotion, AnEarlyCallRunsAtTheLowestPriorityAndItsThreadGetsItsOwnBack) {
  ScheduledOrbs orbs({{.name = "spin", .priority = 20, .period = 1h, .on_early = OnEarly::demote},
                      {.name = "look", .priority = 20}},
                     {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1"});
  const auto unit = orbs.unit();
  EXPECT_EQ(unit->spin(work).native_priority(), 20);
  for (int early = 1; early <= 3; ++early) {
    EXPECT_EQ(unit->spin(work).native_priority(), 1);
    EXPECT_EQ(unit->look().native_priority(), 20);
    EXPECT_EQ(orbs.of("spin").demotions, static_cast<std::uint64_t>(early));
  }
}

TEST(ScheduleRatesInstall, RefusesRatesThatCannotBe) {
  const auto refusal = [](const ScheduledOperation& operation) {
    const Orb orb = make_orb({}, "rates-install");
    std::string text;
    try {
      IDL::traits<RunTimeScheduler>::narrow(orb->resolve_initial_references("RunTimeScheduler"))
          ->install({operation});
    } catch (const CORBA::BAD_PARAM& refused) {
      text = refused.detail();
    }
    orb->destroy();
    return text;
  };
  EXPECT_NE(
      refusal({.name = "a", .on_early = OnEarly::refuse}).find("'a' is to be held to its period, which is 0"),
      std::string::npos);
  EXPECT_NE(refusal({.name = "a", .period = 1ms, .burst = 0}).find("burst of 0"), std::string::npos);
  EXPECT_NE(refusal({.name = "a", .period = 1ms, .burst = 1'000'001}).find("burst of 1000001"),
            std::string::npos);
  EXPECT_NE(refusal({.name = "a", .period = 24h * 365, .burst = 1'000}).find("century"), std::string::npos);
  EXPECT_NE(refusal({.name = "a", .period = 1ms, .jitter = -1ns}).find("jitter of -1 ns"), std::string::npos);
}

// The client's own declaration (RIOP's period).
takt::Quality every(std::chrono::nanoseconds period) {
  takt::Quality quality;
  quality.period = period;
  return quality;
}

TEST(ScheduleRates, AClientIsHeldToThePeriodThatItDeclares) {
  ScheduledOrbs orbs({{.name = "spin",
                       .period = 1ns,
                       .execution = 5ms,
                       .on_overrun = OnOverrun::count,
                       .on_early = OnEarly::refuse}});
  const auto unit = orbs.unit();
  EXPECT_EQ(refused_of(unit, 10), 0) << "the operation's own rate lets it";
  const takt::QualityScope scope(every(1h));
  EXPECT_EQ(refused_of(unit, 10), 9);
  EXPECT_EQ(orbs.of("spin").early, 9u);
}

TEST(ScheduleRates, AClientThatDeclaresAnotherPeriodEachTimeIsHeldToThem) {
  ScheduledOrbs orbs({{.name = "spin", .period = 1ns, .on_early = OnEarly::refuse}});
  const auto unit = orbs.unit();
  int refused = 0;
  for (int call = 0; call < 10; ++call) {
    const takt::QualityScope scope(every(call % 2 == 0 ? 1h : 2h));
    refused += refused_of(unit, 1);
  }
  EXPECT_EQ(refused, 9);
}

TEST(ScheduleRates, AClientThatDeclaresARateThatDoesNotFitIsHeldToItsFormerOne) {
  ScheduledOrbs orbs(
      {{.name = "spin", .period = 1s, .burst = 100, .execution = 5ms, .on_early = OnEarly::refuse}});
  const auto unit = orbs.unit();
  const auto call = [&](std::chrono::nanoseconds period) {
    const takt::QualityScope scope(every(period));
    return refused_of(unit, 1);
  };
  EXPECT_EQ(call(1h), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(call(1ms), 1);
    EXPECT_EQ(call(1h), 1) << "it has not begun anew";
  }
}

// Two clients at once: a client that the operation's rate refuses may call again as soon as the rate allows
// it.
TEST(ScheduleRates, AClientIsNotPutOffByARequestThatTheOperationsRateRefuses) {
  ScheduledOrbs orbs({{.name = "spin", .period = 300ms, .on_early = OnEarly::refuse}});
  const auto unit = orbs.unit();
  EXPECT_EQ(refused_of(unit, 1), 0) << "of another client, as far as the operation knows";
  const takt::QualityScope scope(every(1h));
  EXPECT_EQ(refused_of(unit, 1), 1);
  std::this_thread::sleep_for(310ms);
  EXPECT_EQ(refused_of(unit, 1), 0);
  EXPECT_EQ(refused_of(unit, 1), 1);
}

TEST(ScheduleRates, ClientsAreAdmittedAsLongAsTheirRatesFitTheOperations) {
  ScheduledOrbs orbs({{.name = "spin",
                       .period = 1h,
                       .burst = 100,
                       .execution = 5ms,
                       .on_overrun = OnOverrun::count,
                       .on_early = OnEarly::refuse}});
  const auto unit = orbs.unit();
  const auto call = [&](std::chrono::nanoseconds period) {
    int refused = -1;
    std::thread([&] {  // over a connection of its own
      const takt::QualityScope scope(every(period));
      refused = refused_of(unit, 1);
    })
        .join();
    return refused;
  };
  EXPECT_EQ(call(30min), 1) << "more often than the operation may be called";
  EXPECT_EQ(call(2h), 0);
  EXPECT_EQ(call(2h), 0) << "each half the operation's rate";
  EXPECT_EQ(call(20h), 1) << "there is nothing left";
  EXPECT_EQ(refused_of(unit, 1), 0) << "who declares nothing is held to the operation's rate alone";
}

}  // namespace rates_test
}  // namespace flight
