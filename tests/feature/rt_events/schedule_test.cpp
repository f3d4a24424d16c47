// A real-time event channel with a scheduling service: a configuration run, and a run with the schedule.
#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "event_schedule/channel_schedule.h"
#include "scheduling/service/scheduler_servant.h"
#include "served.h"

namespace feature {
namespace {

using takt::rt_events::ChannelSchedule;
namespace filters = takt::rt_events::filters;
using RT_Scheduler::Dependency_Type;

// A scheduler in an ORB of its own, with operations 1 "sensor", 2 "radar", 3 "steering" and 4 "display".
class SchedulerOrb : public OrbPair {
 public:
  SchedulerOrb() : scheduler(made()) {
    for (const auto& [name, period] :
         {std::pair("sensor", 50ms), {"radar", 200ms}, {"steering", 0ms}, {"display", 0ms}}) {
      const auto handle = scheduler->create(name);
      set(handle, 1ms, period);
    }
  }
  void set(std::int32_t handle, std::chrono::microseconds time, std::chrono::microseconds period) const {
    constexpr int units = 10;  // a microsecond has ten of 100 ns
    scheduler->set(handle, static_cast<std::uint64_t>(time.count() * units), 0, 0,
                   static_cast<std::int32_t>(period.count() * units),
                   RT_Scheduler::Importance::MEDIUM_IMPORTANCE, 0, 0);
  }
  // "caller > callee: times", with >> for a one-way call.
  std::vector<std::string> calls() const {
    const auto all = scheduler->all();
    std::vector<std::string> calls;
    for (const auto& each : all)
      for (const auto& call : each.dependencies_())
        calls.push_back(each.entry_point_() +
                        (call.type() == Dependency_Type::ONE_WAY_CALL ? " >> " : " > ") +
                        all[static_cast<std::size_t>(call.rt_info() - 1)].entry_point_() + ": " +
                        std::to_string(call.number_of_calls()));
    std::ranges::sort(calls);
    return calls;
  }

  const CORBA::object_reference<RT_Scheduler::Scheduler> scheduler;

 private:
  CORBA::object_reference<RT_Scheduler::Scheduler> made() {
    const auto poa = root_poa(server);
    const auto id = poa->activate_object(CORBA::make_reference<takt::scheduling::SchedulerServant>(
        takt::scheduling::Scheduler(takt::scheduling::PriorityOptions{.level_each = true})));
    return seen_by_client<RT_Scheduler::Scheduler>(poa->id_to_reference(id));
  }
};

// Reports of the channel.
class Told {
 public:
  takt::rt_events::Report function() {
    return [this](const std::string& text) {
      const std::lock_guard lock(mutex_);
      all_.push_back(text);
    };
  }
  bool has(const std::string& part) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(all_,
                               [&](const std::string& each) { return each.find(part) != std::string::npos; });
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> all_;
};

struct Options {
  std::shared_ptr<ChannelSchedule> schedule;
  EventChannelServiceOptions service;
};

Options options_for(const SchedulerOrb& orb, Told& told, std::chrono::milliseconds call_timeout = 30s) {
  auto schedule = ChannelSchedule::read(orb.scheduler, "EventService", {}, told.function(), call_timeout);
  if (!schedule) throw std::runtime_error(schedule.error());
  Options options{*schedule, {.report = told.function()}};
  options.service.channel.levels = (*schedule)->levels();
  options.service.level_of = (*schedule)->level_of(options.service.channel.levels);
  options.service.declarations = (*schedule)->declarations();
  return options;
}

admin::SupplierQOS publishes(std::int32_t operation, std::int32_t type, std::int32_t times) {
  admin::SupplierQOS qos = offers({{type, 1}});
  qos.publications()[0].dependency_info().rt_info(operation);
  qos.publications()[0].dependency_info().number_of_calls(times);
  return qos;
}

constexpr std::int32_t sensor = 1, radar = 2, steering = 3, display = 4;

TEST(RtEventSchedule, AConfigurationRunAddsTheCallsOfEventsToTheScheduler) {
  const SchedulerOrb orb;
  Told told;
  Options options = options_for(orb, told);
  EXPECT_FALSE(options.schedule->is_computed());
  ASSERT_EQ(options.service.channel.levels.size(), 1u);
  const RtEventServer server(options.service);
  server.supplier(publishes(sensor, 20, 2));
  server.connect(make_consumer(), wants(filters::event(20), steering));
  server.connect(
      make_consumer(),
      wants(filters::any({filters::event(20), filters::event(21), filters::every(30ms)}), display));
  server.supplier(publishes(radar, 21, 0));
  server.supplier();  // without operations
  const std::vector<std::string> expected{"EventService::timer of 'display' every 30 ms >> display: 1",
                                          "display > EventService::deliver: 1",
                                          "radar > EventService::push: 1",
                                          "radar >> display: 1",
                                          "sensor > EventService::push: 2",
                                          "sensor >> display: 2",
                                          "sensor >> steering: 2",
                                          "steering > EventService::deliver: 1"};
  EXPECT_EQ(orb.calls(), expected);
  // The scheduler cannot raise a number of calls.
  EXPECT_FALSE(told.has("begin with an empty scheduler"));
  server.supplier(publishes(radar, 21, 1));
  EXPECT_EQ(orb.calls(), expected);
  EXPECT_TRUE(told.has("'radar' calls 'display' 2 times through the channel, and the scheduler has 1"));
}

TEST(RtEventSchedule, EachTimerOfAFilterIsCounted) {
  const SchedulerOrb orb;
  Told told;
  const RtEventServer server(options_for(orb, told).service);
  server.connect(make_consumer(),
                 wants(filters::any({filters::every(30ms), filters::every(30ms), filters::every(30'000'100ns),
                                     filters::after(1s), filters::after(2s)}),
                       display));
  const std::vector<std::string> expected{"EventService::timer of 'display' >> display: 2",
                                          "EventService::timer of 'display' every 30 ms >> display: 2",
                                          "EventService::timer of 'display' every 30000100 ns >> display: 1",
                                          "display > EventService::deliver: 1"};
  EXPECT_EQ(orb.calls(), expected);
}

TEST(RtEventSchedule, ATimerThatLacksItsPeriodGetsIt) {
  const SchedulerOrb orb;
  const auto timer = orb.scheduler->create("EventService::timer of 'display' every 30 ms");
  orb.set(timer, 7us, 0us);
  Told told;
  const RtEventServer server(options_for(orb, told).service);
  server.connect(make_consumer(), wants(filters::every(30ms), display));
  const auto info = orb.scheduler->get(timer);
  EXPECT_EQ(info.period_(), 300'000);
  EXPECT_EQ(info.worstcase_execution_time_(), 70u);
}

TEST(RtEventSchedule, CallsWithoutABoundAreReported) {
  const SchedulerOrb orb;
  orb.scheduler->add_one_way_dependency(sensor, display, 1);  // the application itself makes it
  Told told;
  const RtEventServer server(options_for(orb, told).service);
  server.connect(make_consumer(), wants(filters::event(20), display));
  server.connect(make_consumer(), wants(filters::event(21), radar));
  server.supplier(publishes(sensor, 20, 1));
  EXPECT_TRUE(told.has("the scheduler had calls of 'display' by 'sensor' before this channel started"));
  EXPECT_FALSE(told.has("'radar'"));
  EXPECT_FALSE(told.has("a supplier names no operation"));
  server.supplier(publishes(sensor, 21, 1));
  EXPECT_TRUE(told.has("'radar' consumes events and has a period of its own"));
  server.supplier(publishes(radar, 21, 1));
  EXPECT_TRUE(told.has("'radar' consumes events that it publishes"));
  server.supplier(publishes(0, 20, 1));
  EXPECT_TRUE(told.has("a supplier names no operation for its events"));
}

// A proxy whose declaration fails can be connected again.
TEST(RtEventSchedule, ADeclarationThatThrowsLeavesItsProxyUnconnected) {
  std::atomic<int> declared{0}, ended{0};
  EventChannelServiceOptions options;
  options.declarations.supplier_connects = [&](std::uint64_t, const admin::SupplierQOS&) {
    if (++declared == 1) throw CORBA::NO_MEMORY(0, CORBA::COMPLETED_NO);
    return std::optional<std::string>();
  };
  options.declarations.ended = [&](std::uint64_t) { ++ended; };
  const RtEventServer server(options);
  const auto proxy = server.channel->for_suppliers()->obtain_push_consumer();
  EXPECT_THROW(proxy->connect_push_supplier(nullptr, {}), CORBA::NO_MEMORY);
  EXPECT_EQ(ended, 1);
  proxy->connect_push_supplier(nullptr, {});
  EXPECT_EQ(ended, 1);
}

// The declaration of such a client would stay, because nothing ends it again.
TEST(RtEventSchedule, AClientCannotConnectOnceItsDeclarationHasEnded) {
  std::promise<void> declares, ends;
  std::atomic<bool> first{true};
  std::future<bool> connected;
  EventChannelServiceOptions options;
  options.declarations.supplier_connects = [&](std::uint64_t, const admin::SupplierQOS&) {
    declares.set_value();
    ends.get_future().wait_for(5s);
    return std::optional<std::string>();
  };
  options.declarations.ended = [&](std::uint64_t) {
    if (!first.exchange(false)) return;
    ends.set_value();
    connected.wait_for(5s);
  };
  const RtEventServer server(options);
  const auto proxy = server.channel->for_suppliers()->obtain_push_consumer();
  connected = std::async(std::launch::async, [&] {
    try {
      proxy->connect_push_supplier(nullptr, {});
      return true;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      return false;
    }
  });
  declares.get_future().wait_for(5s);
  proxy->disconnect_push_consumer();
  EXPECT_FALSE(connected.get());
}

TEST(RtEventSchedule, AClientThatComesAgainIsCountedOnce) {
  const SchedulerOrb orb;
  Told told;
  const RtEventServer server(options_for(orb, told).service);
  server.connect(make_consumer(), wants(filters::event(20), steering));
  for (int i = 0; i < 3; ++i) server.supplier(publishes(sensor, 20, 1))->disconnect_push_consumer();
  EXPECT_FALSE(told.has("which cannot be changed"));
}

TEST(RtEventSchedule, OperationsThatTheSchedulerLacksAreRefused) {
  const SchedulerOrb orb;
  Told told;
  const RtEventServer server(options_for(orb, told).service);
  EXPECT_THROW(server.connect(make_consumer(), wants(filters::event(20), 99)), admin::TypeError);
  EXPECT_THROW(server.supplier(publishes(-1, 20, 1)), CORBA::BAD_PARAM);
  EXPECT_TRUE(told.has("the scheduler has no operation with the handle 99"));
  const auto later = orb.scheduler->create("later");  // it is asked for
  server.connect(make_consumer(), wants(filters::event(20), later));
}

TEST(RtEventSchedule, AConfigurationRunGoesOnWithoutItsScheduler) {
  Told told;
  auto orb = std::make_unique<SchedulerOrb>();
  const RtEventServer server(options_for(*orb, told).service);
  server.connect(make_consumer(), wants(filters::event(20), steering));
  orb->stop_server();
  server.supplier(publishes(sensor, 20, 1));
  EXPECT_TRUE(told.has("calls of events are not in the scheduler"));
}

TEST(RtEventSchedule, AClientThatNamesNoOperationDoesNotWaitForTheScheduler) {
  Told told;
  const SchedulerOrb orb;
  const RtEventServer server(options_for(orb, told).service);
  orb.root->the_POAManager()->hold_requests(false);  // the scheduler answers none
  std::jthread waits([&] { server.supplier(publishes(sensor, 20, 1)); });
  ASSERT_TRUE(eventually([&] { return server.state().proxies() == 1; }));
  for (int i = 0; i < 20; ++i) {
    server.supplier()->disconnect_push_consumer();
    server.connect(make_consumer(), wants(filters::event(20)))->disconnect_push_supplier();
  }
  EXPECT_FALSE(told.has("calls of events are not in the scheduler"));
  orb.root->the_POAManager()->activate();
  waits.join();
}

TEST(RtEventSchedule, TheScheduleGivesConsumersTheirLevels) {
  const SchedulerOrb orb;
  Told told;
  {
    const RtEventServer server(options_for(orb, told).service);
    server.supplier(publishes(sensor, 20, 1));
    server.supplier(publishes(radar, 21, 1));
    server.connect(make_consumer(), wants(filters::event(20), steering));
    server.connect(make_consumer(), wants(filters::event(21), display));
  }
  RT_Scheduler::RT_Info_Set infos;
  orb.scheduler->compute_scheduling(1, 20'000, infos);
  Options options = options_for(orb, told);
  EXPECT_TRUE(options.schedule->is_computed());
  const auto levels = options.service.channel.levels;
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].priority, infos[steering - 1].priority_());
  EXPECT_EQ(levels[1].priority, infos[display - 1].priority_());
  EXPECT_EQ(levels[2].priority, -1);
  EXPECT_GT(levels[0].priority, levels[1].priority);
  for (const auto& [operation, level] : {std::pair(steering, 0u), {display, 1u}, {0, 2u}})
    EXPECT_EQ(options.service.level_of(operation), level);
  EXPECT_FALSE(options.service.level_of(99));
  // The channel's threads need no priorities for the rest.
  for (auto& level : options.service.channel.levels) level.priority = -1;
  const auto before = orb.calls();
  const RtEventServer server(options.service);
  server.connect(make_consumer(), wants(filters::event(20), steering));
  server.supplier(publishes(sensor, 20, 1));
  EXPECT_EQ(server.client_state().level(), 0u);
  EXPECT_FALSE(told.has("its bounds do not hold"));
  server.supplier(publishes(radar, 20, 1));
  EXPECT_TRUE(
      told.has("'radar' calls 'steering' 1 times through the channel, and its schedule has 0: its bounds do "
               "not hold"));
  EXPECT_EQ(orb.calls(), before);
}

}  // namespace
}  // namespace feature
