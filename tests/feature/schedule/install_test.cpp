// Which schedules are accepted.
#include "flight.h"

namespace flight {
namespace install_test {

CORBA::object_reference<RunTimeScheduler> scheduler_of(const Orb& orb) {
  return IDL::traits<RunTimeScheduler>::narrow(orb->resolve_initial_references("RunTimeScheduler"));
}

// The reason for refusing the schedule; empty if it is accepted.
std::string refusal(std::vector<ScheduledOperation> operations, ScheduleOptions options = {},
                    const std::vector<std::string>& orb_options = {}) {
  const Orb orb = make_orb(orb_options, "install");
  std::string text;
  try {
    scheduler_of(orb)->install(std::move(operations), std::move(options));
  } catch (const CORBA::BAD_PARAM& refused) {
    text = refused.what();
  }
  orb->destroy();
  return text;
}

TEST(ScheduleInstall, RefusesWhatCannotBeAndSaysWhichOperationAndNumber) {
  EXPECT_EQ(refusal({{.name = "A::b", .priority = 3, .deadline = 10ms}}), "");
  const auto refused_for = [](const ScheduledOperation& operation, const char* number) {
    SCOPED_TRACE(operation.name + " " + number);
    const std::string text = refusal({operation});
    EXPECT_NE(text.find(number), std::string::npos) << text;
    EXPECT_NE(text.find("'" + operation.name + "'"), std::string::npos) << text;
  };
  EXPECT_NE(refusal({}).find("no operations"), std::string::npos);
  EXPECT_NE(refusal({{.name = "A::b"}, {.name = "A::b"}}).find("'A::b' comes twice"), std::string::npos);
  for (const char* name : {"", "A::", "::", "::a", "A:b", "A:::b", ":a"})
    refused_for({.name = name}, "no name");
  refused_for({.name = "A::b", .priority = -2}, "-2");
  refused_for({.name = "A::b", .period = -1ns}, "period of -1 ns");
  refused_for({.name = "A::b", .deadline = -5ns}, "deadline of -5 ns");
  refused_for({.name = "A::b", .execution = 24h * 366}, "execution of 31622400000000000 ns");
  refused_for({.name = "A::b", .on_overrun = OnOverrun::demote}, "which is 0");
  refused_for({.name = "A::b", .execution = 1ms, .on_overrun = OnOverrun::refuse}, "period");
  const auto nothing = [](const ScheduleReport&) {};
  EXPECT_NE(refusal({{.name = "a"}}, {.report = nothing, .pending_reports = 0}).find("1 to"),
            std::string::npos);
  EXPECT_NE(refusal({{.name = "a"}}, {.report = nothing, .pending_reports = 1 << 21}).find("2097152"),
            std::string::npos);
}

TEST(ScheduleInstall, IsForTheTimeBeforeTheOrbListensAndOnce) {
  const Orb late = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0"}, "install");
  late->resolve_initial_references("RootPOA");
  EXPECT_THROW(scheduler_of(late)->install({{.name = "a"}}), CORBA::BAD_INV_ORDER);
  EXPECT_TRUE(scheduler_of(late)->statistics().empty());
  late->destroy();

  const Orb twice = make_orb({}, "install");
  EXPECT_THROW(scheduler_of(twice)->install({{.name = "a"}, {.name = "a"}}), CORBA::BAD_PARAM);
  scheduler_of(twice)->install({{.name = "a"}});
  EXPECT_THROW(scheduler_of(twice)->install({{.name = "a"}}), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(scheduler_of(twice)->statistics("b"), CORBA::BAD_PARAM);
  twice->destroy();
}

TEST(ScheduleInstall, APriorityThatTheMappingLacksIsRefused) {
  const Orb orb = make_orb({"-ORBPriorityMapping", "direct"}, "install");
  EXPECT_THROW(scheduler_of(orb)->install({{.name = "a", .priority = 1000}}), CORBA::DATA_CONVERSION);
  orb->destroy();
}

TEST(ScheduleInstall, LevelsThatFallTogetherAreRefusedByBothNamesTheMappingAndTheCure) {
  const std::vector<ScheduledOperation> neighbours{{.name = "A::low", .priority = 39},
                                                   {.name = "A::high", .priority = 40}};
  EXPECT_EQ(refusal(neighbours, {}, {"-ORBPriorityMapping", "linear"}),
            "CORBA::BAD_PARAM (minor 0x0, COMPLETED_NO): "
            "schedule: priorities 39 (A::low) and 40 (A::high) are both native priority 1 by the priority "
            "mapping linear, so that neither precedes the other: give -ORBPriorityMapping direct, and "
            "priorities from 1 to 99");
  EXPECT_EQ(refusal(neighbours), "");
  // Some are not native priorities, so that the default mapping stays linear.
  const std::string mixed =
      refusal({{.name = "a", .priority = 39}, {.name = "b", .priority = 40}, {.name = "c", .priority = 200}});
  EXPECT_NE(mixed.find("39 (a) and 40 (b)"), std::string::npos) << mixed;
  EXPECT_EQ(refusal({{.name = "a", .priority = 1000}, {.name = "b", .priority = 20000}}), "");
  EXPECT_EQ(refusal(neighbours, {}, {"-ORBSchedulingClass", "other"}), "") << "no native priorities at all";
}

TEST(ScheduleInstall, AMappingByWhichAThreadRunsAlreadyStays) {
  const Orb orb = make_orb({}, "install");
  const auto current = IDL::traits<RTCORBA::Current>::narrow(orb->resolve_initial_references("RTCurrent"));
  std::thread([&] { current->the_priority(40); }).join();
  try {
    scheduler_of(orb)->install({{.name = "a", .priority = 39}, {.name = "b", .priority = 40}});
    ADD_FAILURE() << "two priorities are one";
  } catch (const CORBA::BAD_PARAM& refused) {
    const std::string text = refused.what();
    EXPECT_NE(text.find("before a thread or lane gets a priority"), std::string::npos) << text;
  }
  orb->destroy();
}

TEST(ScheduleInstall, AChangedScheduleIsHeldToTheSame) {
  ScheduledOrbs orbs({{.name = "look", .priority = 1000}}, {"-ORBPriorityMapping", "linear"});
  EXPECT_THROW(orbs.scheduler->change({{.name = "look", .priority = 39}, {.name = "spin", .priority = 40}}),
               CORBA::BAD_PARAM);
  EXPECT_EQ(orbs.scheduler->changes(), 0u);
  orbs.scheduler->change({{.name = "look", .priority = 1000}, {.name = "spin", .priority = 2000}});
  EXPECT_EQ(orbs.scheduler->changes(), 1u);
}

TEST(ScheduleInstall, CallsWithinTheProcessAreTheirCallersToAnswerFor) {
  ScheduledOrbs orbs({{.name = "look"}});
  const auto local = IDL::traits<Flight::Unit>::narrow(orbs.root->id_to_reference(
      orbs.root->activate_object(CORBA::make_reference<UnitServant>(orbs.server))));
  local->look();
  EXPECT_EQ(orbs.of("look").begun, 0u);
}

}  // namespace install_test
}  // namespace flight
