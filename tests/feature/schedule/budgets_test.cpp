// Upcalls that exceed their budgets of processor time.
#include "flight.h"

namespace flight {
namespace budgets_test {

// Microseconds; the budget is 5 ms.
constexpr std::uint32_t over = 20'000, under = 100, long_enough = 5'000'000;

TEST(ScheduleBudgets, AnOverrunIsCountedAndToldAndTimeThatIsNotTheProcessorsIsNone) {
  Reports reports;
  ScheduledOrbs orbs({{.name = "spin", .execution = 5ms}, {.name = "sleep", .execution = 5ms}}, {},
                     reports.options());
  const auto unit = orbs.unit();
  unit->spin(under);
  unit->sleep(30);
  unit->spin(over);
  const auto told = reports.wait_for(1);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].kind, ScheduleReport::Kind::overrun);
  EXPECT_EQ(told[0].operation, "spin");
  EXPECT_EQ(told[0].allowed, 5ms);
  EXPECT_GE(told[0].took, 20ms);
  EXPECT_EQ(orbs.of("spin").begun, 2u);
  EXPECT_EQ(orbs.of("spin").overruns, 1u);
  EXPECT_EQ(orbs.of("spin").demotions, 0u);
  EXPECT_GE(orbs.of("spin").longest_execution, 20ms);
  EXPECT_EQ(orbs.of("sleep").overruns, 0u);
}

TEST(ScheduleBudgets, WhoOverranIsRefusedUntilItsShareOfTheProcessorAllowsTheNext) {
  Reports reports;
  // 20 ms with a budget of 5 ms per 10 s: 40 s of suspension.
  ScheduledOrbs orbs(
      {{.name = "spin", .period = 10s, .burst = 5, .execution = 5ms, .on_overrun = OnOverrun::refuse},
       {.name = "look", .period = 10s, .execution = 5ms, .on_overrun = OnOverrun::refuse}},
      {}, reports.options());
  const auto unit = orbs.unit();
  unit->spin(under);
  unit->spin(over);
  for (int i = 0; i < 3; ++i) {
    try {
      unit->spin(under);
      FAIL();
    } catch (const CORBA::TRANSIENT& refused) {
      EXPECT_EQ(refused.completed(), CORBA::COMPLETED_NO);
    }
  }
  unit->look();  // other operations are not affected
  EXPECT_EQ(orbs.of("spin").overruns, 1u);
  EXPECT_EQ(orbs.of("spin").refusals, 3u);
  EXPECT_EQ(orbs.of("spin").begun, 2u);
  EXPECT_EQ(orbs.of("look").refusals, 0u);
  EXPECT_EQ(reports.wait_for(1).size(), 1u);
}

TEST(ScheduleBudgets, AfterItsRestItIsServedAgain) {
  ScheduledOrbs orbs({{.name = "spin", .period = 10ms, .execution = 5ms, .on_overrun = OnOverrun::refuse}});
  const auto unit = orbs.unit();
  unit->spin(over);
  // 20 ms with a budget of 5 per 10 ms: 40 ms of suspension; the test's timeout bounds the loop.
  for (;;) try {
      unit->spin(under);
      break;
    } catch (const CORBA::TRANSIENT&) {
    }
  EXPECT_EQ(orbs.of("spin").overruns, 1u);
  EXPECT_EQ(orbs.of("spin").begun, 2u);
}

TEST(ScheduleBudgets, RequestsAreRefusedWhileTheOverrunLasts) {
  Reports reports;
  ScheduledOrbs orbs({{.name = "churn", .period = 1ms, .execution = 5ms, .on_overrun = OnOverrun::refuse}},
                     {}, reports.options());
  const auto servant = CORBA::make_reference<UnitServant>(orbs.server);
  const auto unit = orbs.publish<Flight::Unit>(servant);
  std::thread runaway([&] { unit->churn(); });
  EXPECT_EQ(reports.wait_for(1).size(), 1u) << "while it runs";
  EXPECT_THROW(unit->churn(), CORBA::TRANSIENT);
  EXPECT_EQ(orbs.of("churn").begun, 1u);
  servant->let_go();
  runaway.join();
  EXPECT_EQ(orbs.of("churn").overruns, 1u);
}

class ScheduleDemotion : public testing::Test {
 protected:
  void SetUp() override { REQUIRE_REAL_TIME(); }
};

TEST_F(ScheduleDemotion, AnOverrunningUpcallGoesOnAtTheLowestPriorityAndItsThreadGetsItsOwnBack) {
  ScheduledOrbs orbs({{.name = "resist", .priority = 20, .execution = 5ms, .on_overrun = OnOverrun::demote},
                      {.name = "look", .priority = 20}},
                     {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1"});
  const auto unit = orbs.unit();
  for (int i = 1; i <= 5; ++i) {
    EXPECT_EQ(unit->resist(under).native_priority(), 20);
    EXPECT_EQ(unit->resist(long_enough).native_priority(), 1) << "of its round " << i;
    EXPECT_EQ(unit->look().native_priority(), 20);
    EXPECT_EQ(orbs.of("resist").demotions, static_cast<std::uint64_t>(i));
  }
  EXPECT_EQ(orbs.of("resist").overruns, 5u);
}

TEST_F(ScheduleDemotion, ALanesThreadIsAtItsLanesPriorityAgain) {
  ScheduledOrbs orbs({{.name = "resist", .execution = 5ms, .on_overrun = OnOverrun::demote}});
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orbs.server->resolve_initial_references("RTORB"));
  const auto pool = rt->create_threadpool_with_lanes(0, {{10, 1, 0}, {40, 1, 0}}, false, false, 0, 0);
  const auto poa =
      orbs.root->create_POA("lanes", orbs.root->the_POAManager(),
                            {rt->create_threadpool_policy(pool),
                             rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, 40)});
  const auto unit = orbs.publish<Flight::Unit>(CORBA::make_reference<UnitServant>(orbs.server), poa);
  EXPECT_EQ(unit->look().native_priority(), 40);
  EXPECT_EQ(unit->resist(long_enough).native_priority(), 1);
  EXPECT_EQ(unit->look().native_priority(), 40);
  EXPECT_EQ(unit->look().thread(), "takt-lane-40");
}

TEST_F(ScheduleDemotion, ManyAtOnceAreEachHeldToTheirOwn) {
  ScheduledOrbs orbs({{.name = "resist", .priority = 10, .execution = 5ms, .on_overrun = OnOverrun::demote}},
                     {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "6"});
  const auto unit = orbs.unit();
  std::atomic<int> right{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller)
    callers.emplace_back([&, runs_over = caller % 2 == 0] {
      for (int i = 0; i < 10; ++i)
        right +=
            unit->resist(runs_over ? long_enough : under).native_priority() == (runs_over ? 1 : 10) ? 1 : 0;
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(right, 60);
  EXPECT_EQ(orbs.of("resist").demotions, 30u);
}

// Calls another servant of its process.
class Calling final : public UnitServant {
 public:
  Calling(const Orb& orb, UnitRef inner) : UnitServant(orb), inner_(std::move(inner)) {}
  // Overruns, calls, and looks.
  Flight::Seen resist(std::uint32_t microseconds) override {
    UnitServant::resist(microseconds);
    inner_seen = inner_->look().native_priority();
    return look();
  }
  // Overruns during the call, and looks.
  Flight::Seen spin(std::uint32_t microseconds) override {
    inner_seen = inner_->resist(microseconds).native_priority();
    return look();
  }
  std::atomic<int> inner_seen{0};

 private:
  const UnitRef inner_;
};

struct ScheduleDemotionAround : ScheduleDemotion {
  void SetUp() override {
    ScheduleDemotion::SetUp();
    if (IsSkipped()) return;
    orbs = std::make_unique<ScheduledOrbs>(
        std::vector<ScheduledOperation>{
            {.name = "resist", .priority = 40, .execution = 5ms, .on_overrun = OnOverrun::demote},
            {.name = "spin",
             .priority = 40,
             .period = 1h,
             .execution = 5ms,
             .on_overrun = OnOverrun::demote,
             .on_early = takt::rt::OnEarly::demote},
            {.name = "look", .priority = 40}},
        Options{"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1"});
    const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orbs->server->resolve_initial_references("RTORB"));
    const auto poa =
        orbs->make_poa({rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, 20)});
    const auto inner = IDL::traits<Flight::Unit>::narrow(
        poa->id_to_reference(poa->activate_object(CORBA::make_reference<UnitServant>(orbs->server))));
    servant = CORBA::make_reference<Calling>(orbs->server, inner);
    unit = orbs->publish<Flight::Unit>(servant);
  }
  std::unique_ptr<ScheduledOrbs> orbs;
  CORBA::servant_reference<Calling> servant;
  UnitRef unit;
};

TEST_F(ScheduleDemotionAround, CallsWithinTheProcessKeepsTheThreadAtTheLowestPriority) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(unit->resist(long_enough).native_priority(), 1) << "after the call";
    EXPECT_EQ(servant->inner_seen, 1) << "during the call";
    EXPECT_EQ(unit->look().native_priority(), 40);
  }
}

TEST_F(ScheduleDemotionAround, ACallThatUsesUpTheBudgetLastsBeyondIt) {
  EXPECT_EQ(unit->spin(long_enough).native_priority(), 1) << "after the call";
  EXPECT_EQ(servant->inner_seen, 1) << "during the call";
  EXPECT_EQ(unit->look().native_priority(), 40);
}

TEST_F(ScheduleDemotionAround, CallsOfAnEarlyRequestKeepsTheThreadAtTheLowestPriority) {
  unit->spin(under);
  EXPECT_EQ(servant->inner_seen, 20);
  EXPECT_EQ(unit->spin(under).native_priority(), 1) << "after the call";
  EXPECT_EQ(servant->inner_seen, 1) << "during the call";
  EXPECT_EQ(unit->look().native_priority(), 40);
}

TEST(ScheduleBudgets, WithoutRealTimeADemotionIsAnOverrunAndNothingElse) {
  ScheduledOrbs orbs({{.name = "resist", .execution = 5ms, .on_overrun = OnOverrun::demote}},
                     {"-ORBSchedulingClass", "other", "-ORBPriorityMapping", "linear"});
  const auto unit = orbs.unit();
  unit->resist(over);
  EXPECT_EQ(orbs.of("resist").overruns, 1u);
  EXPECT_EQ(orbs.of("resist").demotions, 0u);
}

}  // namespace budgets_test
}  // namespace flight
