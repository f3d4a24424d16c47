// Clients of a notification channel that are slow, dead or hostile, and the limits of the service.
#include <gtest/gtest.h>

#include "../silent_port.h"
#include "served.h"

namespace feature {
namespace {

using admin::ClientType;
using takt::notification::Limits;

Limits impatient() {
  Limits limits;
  limits.threads = 2;
  limits.slow_after = 5ms;
  limits.call_timeout = 500ms;
  limits.give_up_after = 400ms;
  return limits;
}

TEST(HostileNotification, ConsumersThatHangCostOthersNothing) {
  NotifyServer server(impatient());
  Gate gate;
  std::vector<CORBA::servant_reference<StructuredConsumer>> hanging;
  for (int i = 0; i < 4; ++i) {
    hanging.push_back(CORBA::make_reference<StructuredConsumer>([&] { gate.pass(); }));
    server.connect(hanging.back());
  }
  const auto prompt = CORBA::make_reference<StructuredConsumer>();
  server.connect(prompt);
  const auto supplier = server.supplier();
  for (int i = 1; i <= 50; ++i) supplier->push_structured_event(alarm(i));
  ASSERT_TRUE(prompt->has(50));
  EXPECT_TRUE(hanging[0]->numbers().empty());
  EXPECT_GT(server.whole_state().threads_replaced(), 0u);
  gate.open();
}

// Few threads tell clients that they are disconnected, although none of these clients answers.
TEST(HostileNotification, ClientsThatLeaveAndHangCostOthersNothing) {
  Limits limits = impatient();
  limits.max_threads = 32;
  limits.call_timeout = limits.farewell_timeout = 30s;
  NotifyServer server(limits);
  const SilentPort silent;
  for (int i = 0; i < 30; ++i) {
    const auto proxy = server.structured_proxy();
    proxy->connect_structured_push_consumer(
        IDL::traits<CosNotifyComm::StructuredPushConsumer>::unchecked_narrow(
            server.pair->client->string_to_object(silent.object(i))));
    proxy->disconnect_structured_push_supplier();
  }
  EXPECT_TRUE(eventually([&] { return server.whole_state().blocked_threads() >= 2; }));
  const auto prompt = CORBA::make_reference<StructuredConsumer>();
  server.connect(prompt);
  const auto supplier = server.supplier();
  for (int i = 1; i <= 50; ++i) supplier->push_structured_event(alarm(i));
  ASSERT_TRUE(prompt->has(50));
  EXPECT_LE(server.whole_state().blocked_threads(), 4u);
}

TEST(HostileNotification, DeadClientsAreDisconnected) {
  NotifyServer server(impatient());
  const auto proxy = server.structured_proxy();
  proxy->connect_structured_push_consumer(
      IDL::traits<CosNotifyComm::StructuredPushConsumer>::unchecked_narrow(
          server.pair->client->string_to_object("corbaloc::127.0.0.1:9/nobody")));
  server.supplier()->push_structured_event(alarm(1));
  EXPECT_TRUE(eventually([&] { return server.state().dead() == 1; }));
  EXPECT_TRUE(proxy->_non_existent());
  EXPECT_TRUE(eventually([&] { return server.state().held() == 0; }));
}

TEST(HostileNotification, ConsumersThatThrowLoseOnlyTheirEvent) {
  NotifyServer server;
  int calls = 0;
  const auto consumer = CORBA::make_reference<StructuredConsumer>([&] {
    if (++calls == 1) throw CORBA::UNKNOWN();
  });
  server.connect(consumer);
  const auto supplier = server.supplier();
  supplier->push_structured_event(alarm(1));
  supplier->push_structured_event(alarm(2));
  ASSERT_TRUE(consumer->has(1));
  EXPECT_EQ(consumer->numbers(), Numbers{2});
  EXPECT_TRUE(eventually([&] { return server.state().failures() == 1; }));
}

// Without offer_change(), which it therefore refuses.
class EventConsumer final : public virtual CORBA::servant_traits<CosEventComm::PushConsumer>::base_type {
 public:
  void push(const CORBA::Any&) override { ++events; }
  void disconnect_push_consumer() override {}
  std::atomic<int> events{0};
};

TEST(HostileNotification, ClientsThatTakeNoUpdatesGetNoMore) {
  NotifyServer server;
  const auto consumer = CORBA::make_reference<EventConsumer>();
  server
      .push_supplier<admin::ProxyPushSupplier>(server.channel->default_consumer_admin(),
                                               ClientType::ANY_EVENT)
      ->connect_any_push_consumer(server.activate<CosEventComm::PushConsumer>(consumer));
  const auto supplier = server.supplier();
  for (int i = 0; i < 20; ++i) supplier->offer_change({{"Telecom", std::to_string(i)}}, {});
  supplier->push_structured_event(alarm(1));
  EXPECT_TRUE(eventually([&] { return consumer->events == 1; }));
  EXPECT_EQ(server.state().dead(), 0u);
}

TEST(HostileNotification, HasBoundsForAllThatClientsMake) {
  Limits limits;
  limits.channels = 2;
  limits.admins = 5;  // two of them are those of the channel
  limits.proxies = 2;
  limits.filters = 3;
  limits.constraints = 10;
  limits.attached_filters = 2;
  limits.event_types = 10;
  limits.reference_bytes = 1'000;
  NotifyServer server(limits);
  admin::ChannelID id = 0;
  const auto second = server.factory->create_channel({}, {}, id);
  EXPECT_EQ(raised_by([&] { server.factory->create_channel({}, {}, id); }), "IMP_LIMIT");
  EXPECT_EQ(raised_by([&] { server.factory->create_named_channel({}, {}, id, std::string(5'000, 'x')); }),
            "IMP_LIMIT");
  second->new_for_consumers(admin::InterFilterGroupOperator::AND_OP, id);
  EXPECT_EQ(raised_by([&] { second->new_for_consumers(admin::InterFilterGroupOperator::AND_OP, id); }),
            "IMP_LIMIT");
  const auto proxy = server.structured_proxy();
  const auto connect_key_of = [&](std::size_t octets) {
    proxy->connect_structured_push_consumer(
        IDL::traits<CosNotifyComm::StructuredPushConsumer>::unchecked_narrow(
            server.pair->client->string_to_object("corbaloc::127.0.0.1:9/" + std::string(octets, 'x'))));
  };
  EXPECT_EQ(raised_by([&] { connect_key_of(1'000); }), "IMP_LIMIT");
  connect_key_of(800);
  server.supplier();
  EXPECT_EQ(raised_by([&] { server.structured_proxy(); }), "IMP_LIMIT");
  const auto filter = server.filter({"TRUE"});
  EXPECT_EQ(raised_by([&] { filter->add_constraints(CosNotifyFilter::ConstraintExpSeq(10)); }), "IMP_LIMIT");
  EXPECT_EQ(raised_by([&] { filter->add_constraints({{Types(11), ""}}); }), "IMP_LIMIT");
  EXPECT_EQ(raised_by([&] { proxy->subscription_change(Types(11), {}); }), "IMP_LIMIT");
  proxy->add_filter(filter);
  proxy->add_filter(filter);
  EXPECT_EQ(raised_by([&] { proxy->add_filter(filter); }), "IMP_LIMIT");
  server.filter({"TRUE"});
  server.filter({"TRUE"});
  EXPECT_EQ(raised_by([&] { server.filter({"TRUE"}); }), "IMP_LIMIT");
}

TEST(HostileNotification, CostlyFiltersEndAtTheirSteps) {
  Limits limits;
  limits.filter_steps = 1'000;
  NotifyServer server(limits);
  const auto greedy = CORBA::make_reference<StructuredConsumer>(),
             other = CORBA::make_reference<StructuredConsumer>();
  std::string costly = "$number == 0";
  for (int i = 0; i < 500; ++i) costly += " or $number == 0";
  server.connect(greedy)->add_filter(server.filter({costly, "TRUE"}));
  server.connect(other);
  server.supplier()->push_structured_event(alarm(1));
  ASSERT_TRUE(other->has(1));
  EXPECT_EQ(server.state().filtered(), 1u);
  EXPECT_TRUE(greedy->numbers().empty());
}

TEST(HostileNotification, TimesOfAnyValueAreTaken) {
  NotifyServer server;
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  server.connect(consumer);
  const auto supplier = server.supplier();
  TimeBase::UtcT last;
  last.time(~std::uint64_t{0});
  supplier->push_structured_event(
      alarm(1, {property("Timeout", ~std::uint64_t{0}), property("StopTime", last)}));
  supplier->push_structured_event(alarm(2, {property("StartTime", TimeBase::UtcT())}));
  supplier->push_structured_event(alarm(3, {property("StartTime", last)}));
  supplier->push_structured_event(alarm(4));
  ASSERT_TRUE(consumer->has(3));
  EXPECT_EQ(consumer->numbers(), (Numbers{1, 2, 4}));
}

TEST(HostileNotification, ProxiesThatNothingConnectsToAreRemoved) {
  Limits limits;
  limits.connect_within = 50ms;
  limits.ping_after = 50ms;
  NotifyServer server(limits);
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  const auto connected = server.connect(consumer), unused = server.structured_proxy();
  EXPECT_TRUE(eventually([&] { return unused->_non_existent(); }));
  EXPECT_FALSE(connected->_non_existent());
}

TEST(HostileNotification, SuspendedConsumersDoNotFillAChannelWithEventsWhoseTimeIsOver) {
  Limits limits;
  limits.ping_after = 50ms;
  NotifyServer server(limits, {},
                      {property("MaxQueueLength", std::int32_t{1}), property("RejectNewEvents", true)});
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  server.connect(consumer)->suspend_connection();
  const auto supplier = server.supplier();
  supplier->push_structured_event(alarm(1, {property("Timeout", std::uint64_t{1})}));
  EXPECT_TRUE(eventually([&] { return server.state().held() == 0; }));
  supplier->push_structured_event(alarm(2));
  EXPECT_EQ(server.state().expired(), 1u);
}

TEST(HostileNotification, AnswersAreNotLongerThanTheirQuestionsAllow) {
  NotifyServer server;
  const auto filter = server.filter({"'" + std::string(10'000, 'x') + "' == 'y'"});
  EXPECT_EQ(raised_by([&] { filter->get_constraints(CosNotifyFilter::ConstraintIDSeq(1'001, 1)); }),
            "IMP_LIMIT");
}

TEST(HostileNotification, ProxiesThatAreMadeWhileTheirAdministratorEndsLeaveNothingBehind) {
  NotifyServer server;
  for (int round = 0; round < 10; ++round) {
    admin::AdminID id = 0;
    const auto consumers = server.channel->new_for_consumers(admin::InterFilterGroupOperator::AND_OP, id);
    std::atomic<int> made{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 3; ++i)
      clients.emplace_back([&] {
        admin::ProxyID proxy = 0;
        while (raised_by([&] {
                 consumers->obtain_notification_push_supplier(ClientType::ANY_EVENT, proxy);
               }) == "nothing")
          ++made;
      });
    EXPECT_TRUE(eventually([&] { return made > 10; }));
    consumers->destroy();
    for (std::thread& each : clients) each.join();
  }
  EXPECT_EQ(server.whole_state().proxies(), 0u);
  server.channel->set_admin({property("MaxConsumers", std::int32_t{1})});
  server.structured_proxy();
  EXPECT_EQ(raised_by([&] { server.structured_proxy(); }), "AdminLimitExceeded");
}

TEST(HostileNotification, ClientsComeAndGoWhileEventsPass) {
  NotifyServer server;
  const auto supplier = server.supplier();
  std::atomic<bool> stops{false};
  std::thread pushing([&] {
    for (int i = 0; !stops; ++i) supplier->push_structured_event(alarm(i));
  });
  for (int round = 0; round < 30; ++round) {
    admin::AdminID id = 0;
    const auto consumers = server.channel->new_for_consumers(admin::InterFilterGroupOperator::OR_OP, id);
    const auto consumer = CORBA::make_reference<StructuredConsumer>();
    const auto proxy = server.connect(consumer, consumers);
    proxy->add_filter(server.filter({"$number >= 0"}));
    proxy->subscription_change({{"Telecom", "*"}}, {});
    EXPECT_TRUE(consumer->has(1));
    if (round % 2)
      proxy->disconnect_structured_push_supplier();
    else
      consumers->destroy();
    EXPECT_TRUE(eventually([&] { return consumer->disconnects() == 1; }));
  }
  stops = true;
  pushing.join();
  EXPECT_EQ(server.state().consumer_admins(), 16u);
  EXPECT_TRUE(eventually([&] { return server.state().held() == 0; }));
}

}  // namespace
}  // namespace feature
