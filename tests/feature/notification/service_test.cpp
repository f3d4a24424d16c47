// The interfaces of a notification channel, row by row: forms of events, proxies, administrators, factory.
#include <gtest/gtest.h>

#include <algorithm>

#include "served.h"

namespace feature {
namespace {

using admin::ClientType;

TEST(NotificationService, PassesStructuredEvents) {
  NotifyServer server;
  const auto first = CORBA::make_reference<StructuredConsumer>(),
             second = CORBA::make_reference<StructuredConsumer>();
  server.connect(first);
  server.connect(second);
  const auto supplier = server.supplier();
  Numbers sent;
  for (int i = 1; i <= 100; ++i) {
    supplier->push_structured_event(alarm(i));
    sent.push_back(i);
  }
  ASSERT_TRUE(first->has(100) && second->has(100));
  EXPECT_EQ(first->numbers(), sent);
  EXPECT_EQ(second->numbers(), sent);
  EXPECT_EQ(first->events().at(41), alarm(42));
  EXPECT_EQ(server.state().received(), 100u);
  EXPECT_TRUE(eventually([&] { return server.state().delivered() == 200 && server.state().held() == 0; }));
}

TEST(NotificationService, ConvertsBetweenTheFormsOfEvents) {
  NotifyServer server;
  const auto any = CORBA::make_reference<AnyConsumer>();
  const auto structured = CORBA::make_reference<StructuredConsumer>();
  const auto sequence = CORBA::make_reference<SequenceConsumer>();
  server.connect_any(any);
  server.connect(structured);
  server.sequence_proxy()->connect_sequence_push_consumer(
      server.activate<CosNotifyComm::SequencePushConsumer>(sequence));
  server.any_supplier()->push(any_of(std::int32_t{1}));
  ASSERT_TRUE(any->has(1) && structured->has(1) && sequence->has(1));
  server.supplier()->push_structured_event(alarm(2));
  ASSERT_TRUE(any->has(2) && structured->has(2) && sequence->has(2));
  server.sequence_supplier()->push_structured_events({alarm(3), alarm(4)});
  ASSERT_TRUE(any->has(4) && structured->has(4) && sequence->has(4));
  EXPECT_EQ(any->numbers(), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(structured->numbers(), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(sequence->numbers(), (Numbers{1, 2, 3, 4}));
  StructuredEvent wrapped;
  wrapped.header().fixed_header().event_type({"", "%ANY"});
  wrapped.remainder_of_body(any_of(std::int32_t{1}));
  EXPECT_EQ(structured->events().at(0), wrapped);
  EXPECT_EQ(sequence->events().at(0), wrapped);
  EXPECT_EQ(any->events().at(2), alarm(3));
}

TEST(NotificationService, LetsConsumersPullInEveryForm) {
  NotifyServer server;
  const auto any = server.pull_supplier<admin::ProxyPullSupplier>(ClientType::ANY_EVENT);
  const auto structured =
      server.pull_supplier<admin::StructuredProxyPullSupplier>(ClientType::STRUCTURED_EVENT);
  const auto sequence = server.pull_supplier<admin::SequenceProxyPullSupplier>(ClientType::SEQUENCE_EVENT);
  bool has_event = true;
  EXPECT_EQ(raised_by([&] { any->try_pull(has_event); }), "Disconnected");
  any->connect_any_pull_consumer(nullptr);
  structured->connect_structured_pull_consumer(nullptr);
  sequence->connect_sequence_pull_consumer(nullptr);
  structured->try_pull_structured_event(has_event);
  EXPECT_FALSE(has_event);
  const auto supplier = server.supplier();
  for (int i = 1; i <= 5; ++i) supplier->push_structured_event(alarm(i));
  StructuredEvent inside;
  EXPECT_TRUE(any->pull() >>= inside);
  EXPECT_EQ(inside, alarm(1));
  EXPECT_TRUE(any->try_pull(has_event) >>= inside);
  EXPECT_EQ(inside, alarm(2));
  EXPECT_EQ(structured->pull_structured_event(), alarm(1));
  EXPECT_EQ(structured->try_pull_structured_event(has_event), alarm(2));
  EXPECT_TRUE(has_event);
  EXPECT_EQ(sequence->pull_structured_events(2).size(), 2u);
  EXPECT_EQ(sequence->try_pull_structured_events(10, has_event).size(), 3u);
  EXPECT_TRUE(sequence->try_pull_structured_events(10, has_event).empty());
  EXPECT_FALSE(has_event);
  EXPECT_EQ(raised_by([&] { sequence->pull_structured_events(0); }), "BAD_PARAM");
}

TEST(NotificationService, WaitsInPullUntilThereIsAnEvent) {
  takt::notification::Limits limits;
  NotifyServer server(limits);
  const auto pulled = server.pull_supplier<admin::StructuredProxyPullSupplier>(ClientType::STRUCTURED_EVENT);
  pulled->connect_structured_pull_consumer(nullptr);
  StructuredEvent got;
  std::thread consumer([&] { got = pulled->pull_structured_event(); });
  EXPECT_TRUE(eventually([&] { return server.whole_state().waiting_pulls() == 1; }));
  server.supplier()->push_structured_event(alarm(7));
  consumer.join();
  EXPECT_EQ(got, alarm(7));
}

TEST(NotificationService, PullOfAnEarlierConnectionTakesNoEvent) {
  takt::notification::Limits limits;
  limits.reconnects = true;
  NotifyServer server(limits);
  const auto pulled = server.pull_supplier<admin::StructuredProxyPullSupplier>(ClientType::STRUCTURED_EVENT);
  pulled->connect_structured_pull_consumer(nullptr);
  std::string ended;
  std::thread earlier([&] { ended = raised_by([&] { pulled->pull_structured_event(); }); });
  EXPECT_TRUE(eventually([&] { return server.whole_state().waiting_pulls() == 1; }));
  pulled->connect_structured_pull_consumer(nullptr);
  server.supplier()->push_structured_event(alarm(1));
  earlier.join();
  EXPECT_EQ(ended, "TRANSIENT");
  bool has_event = false;
  EXPECT_EQ(pulled->try_pull_structured_event(has_event), alarm(1));
  EXPECT_TRUE(has_event);
}

// Gives its events one by one.
class PulledSupplier final
    : public virtual CORBA::servant_traits<CosNotifyComm::StructuredPullSupplier>::base_type {
 public:
  StructuredEvent pull_structured_event() override { throw CORBA::NO_IMPLEMENT(); }
  StructuredEvent try_pull_structured_event(bool& has_event) override {
    const int next = ++asked_;
    has_event = next <= 3;
    return has_event ? alarm(next) : StructuredEvent();
  }
  void disconnect_structured_pull_supplier() override { ++disconnects_; }
  void subscription_change(const Types&, const Types&) override {}
  std::atomic<int> asked_{0}, disconnects_{0};
};

TEST(NotificationService, PullsFromSuppliersUntilTheyAreSuspended) {
  takt::notification::Limits limits;
  limits.pull_period = 1ms;
  NotifyServer server(limits);
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  server.connect(consumer);
  const auto pulled = CORBA::make_reference<PulledSupplier>();
  admin::ProxyID id = 0;
  const auto proxy = IDL::traits<admin::StructuredProxyPullConsumer>::narrow(
      server.channel->default_supplier_admin()->obtain_notification_pull_consumer(
          ClientType::STRUCTURED_EVENT, id));
  EXPECT_EQ(raised_by([&] { proxy->suspend_connection(); }), "NotConnected");
  EXPECT_EQ(raised_by([&] { proxy->connect_structured_pull_supplier(nullptr); }), "BAD_PARAM");
  proxy->connect_structured_pull_supplier(server.activate<CosNotifyComm::StructuredPullSupplier>(pulled));
  ASSERT_TRUE(consumer->has(3));
  EXPECT_EQ(consumer->numbers(), (Numbers{1, 2, 3}));
  EXPECT_TRUE(eventually([&] { return pulled->asked_ > 6; }));
  proxy->suspend_connection();
  EXPECT_EQ(raised_by([&] { proxy->suspend_connection(); }), "ConnectionAlreadyInactive");
  proxy->resume_connection();
  const int before = pulled->asked_;
  EXPECT_TRUE(eventually([&] { return pulled->asked_ > before + 2; }));
  proxy->disconnect_structured_pull_consumer();
  EXPECT_TRUE(eventually([&] { return pulled->disconnects_ == 1; }));
}

TEST(NotificationService, IsAnEventChannelForClientsOfTheEventService) {
  NotifyServer server;
  const auto channel = IDL::traits<CosEventChannelAdmin::EventChannel>::narrow(server.at_key("test"));
  const auto consumer = CORBA::make_reference<AnyConsumer>();
  const auto structured = CORBA::make_reference<StructuredConsumer>();
  server.connect(structured);
  const auto push = channel->for_consumers()->obtain_push_supplier();
  push->connect_push_consumer(server.activate<CosNotifyComm::PushConsumer>(consumer));
  const auto pull = channel->for_consumers()->obtain_pull_supplier();
  pull->connect_pull_consumer(nullptr);
  const auto supplier = channel->for_suppliers()->obtain_push_consumer();
  supplier->push(any_of(std::int32_t{5}));
  server.supplier()->push_structured_event(alarm(6));
  ASSERT_TRUE(consumer->has(2) && structured->has(2));
  EXPECT_EQ(consumer->numbers(), (Numbers{5, 6}));
  EXPECT_EQ(pull->pull(), any_of(std::int32_t{5}));
  EXPECT_EQ(raised_by([&] { push->connect_push_consumer(nullptr); }), "BAD_PARAM");
  EXPECT_EQ(raised_by([&] { pull->connect_pull_consumer(nullptr); }), "AlreadyConnected");
  push->disconnect_push_supplier();
  EXPECT_TRUE(eventually([&] { return consumer->disconnects() == 1; }));
  supplier->disconnect_push_consumer();
  EXPECT_EQ(raised_by([&] { supplier->push(any_of(std::int32_t{5})); }), "Disconnected");
  EXPECT_EQ(server.channel->default_consumer_admin()->push_suppliers().size(), 1u);
}

TEST(NotificationService, LetsAClientTakeThePlaceOfAnEarlierOneIfItMayReconnect) {
  takt::notification::Limits limits;
  limits.reconnects = true;
  NotifyServer server(limits);
  const auto first = CORBA::make_reference<StructuredConsumer>(),
             second = CORBA::make_reference<StructuredConsumer>();
  const auto batches = CORBA::make_reference<SequenceConsumer>(),
             later = CORBA::make_reference<SequenceConsumer>();
  const auto proxy = server.connect(first);
  const auto sequences = server.sequence_proxy();
  sequences->connect_sequence_push_consumer(server.activate<CosNotifyComm::SequencePushConsumer>(batches));
  const auto supplier = server.supplier();
  supplier->push_structured_event(alarm(1));
  ASSERT_TRUE(first->has(1) && batches->has(1));
  proxy->connect_structured_push_consumer(server.activate<CosNotifyComm::StructuredPushConsumer>(second));
  sequences->connect_sequence_push_consumer(server.activate<CosNotifyComm::SequencePushConsumer>(later));
  supplier->connect_structured_push_supplier(nullptr);
  supplier->push_structured_event(alarm(2));
  ASSERT_TRUE(second->has(1) && later->has(1));
  EXPECT_EQ(second->numbers(), Numbers{2});
  EXPECT_EQ(later->numbers(), Numbers{2});
  EXPECT_EQ(first->numbers(), Numbers{1});
  EXPECT_EQ(batches->numbers(), Numbers{1});
  EXPECT_EQ(server.channel->default_consumer_admin()->push_suppliers().size(), 2u);
}

TEST(NotificationService, ConnectsEachProxyOnce) {
  NotifyServer server;
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  const auto proxy = server.connect(consumer);
  EXPECT_EQ(raised_by([&] { proxy->connect_structured_push_consumer(nullptr); }), "BAD_PARAM");
  EXPECT_EQ(raised_by([&] {
              proxy->connect_structured_push_consumer(server.activate<CosNotifyComm::StructuredPushConsumer>(
                  CORBA::make_reference<StructuredConsumer>()));
            }),
            "AlreadyConnected");
  const auto unconnected =
      server.push_consumer<admin::StructuredProxyPushConsumer>(ClientType::STRUCTURED_EVENT);
  EXPECT_EQ(raised_by([&] { unconnected->push_structured_event(alarm(1)); }), "Disconnected");
  const auto supplier = server.supplier();
  EXPECT_EQ(raised_by([&] { supplier->connect_structured_push_supplier(nullptr); }), "AlreadyConnected");
  supplier->disconnect_structured_push_consumer();
  EXPECT_EQ(raised_by([&] { supplier->push_structured_event(alarm(1)); }), "Disconnected");
  EXPECT_EQ(raised_by([&] { supplier->disconnect_structured_push_consumer(); }), "OBJECT_NOT_EXIST");
  EXPECT_TRUE(supplier->_non_existent());
  EXPECT_FALSE(proxy->_non_existent());
}

TEST(NotificationService, SuspendsAndResumesAConsumer) {
  NotifyServer server;
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  EXPECT_EQ(raised_by([&] { server.structured_proxy()->suspend_connection(); }), "NotConnected");
  const auto proxy = server.connect(consumer);
  EXPECT_EQ(raised_by([&] { proxy->resume_connection(); }), "ConnectionAlreadyActive");
  const auto other = CORBA::make_reference<StructuredConsumer>();
  server.connect(other);
  proxy->suspend_connection();
  EXPECT_EQ(raised_by([&] { proxy->suspend_connection(); }), "ConnectionAlreadyInactive");
  const auto supplier = server.supplier();
  for (int i = 1; i <= 3; ++i) supplier->push_structured_event(alarm(i));
  ASSERT_TRUE(other->has(3));
  EXPECT_TRUE(consumer->numbers().empty());
  EXPECT_EQ(server.state().pending(), 3u);
  proxy->resume_connection();
  ASSERT_TRUE(consumer->has(3));
  EXPECT_EQ(consumer->numbers(), (Numbers{1, 2, 3}));
}

TEST(NotificationService, FindsItsObjectsByTheirIds) {
  NotifyServer server;
  admin::ChannelID id = 0;
  const auto other = server.factory->create_channel({}, {}, id);
  EXPECT_EQ(server.factory->get_all_channels(), (admin::ChannelIDSeq{1, id}));
  EXPECT_TRUE(server.factory->get_event_channel(id)->_is_equivalent(other));
  EXPECT_EQ(raised_by([&] { server.factory->get_event_channel(99); }), "ChannelNotFound");
  EXPECT_TRUE(other->MyFactory()->_is_equivalent(server.factory));

  admin::AdminID admin_id = 0;
  const auto consumers = other->new_for_consumers(admin::InterFilterGroupOperator::OR_OP, admin_id);
  EXPECT_EQ(consumers->MyID(), admin_id);
  EXPECT_EQ(consumers->MyOperator(), admin::InterFilterGroupOperator::OR_OP);
  EXPECT_TRUE(consumers->MyChannel()->_is_equivalent(other));
  EXPECT_EQ(other->get_all_consumeradmins(), (admin::AdminIDSeq{0, admin_id}));
  EXPECT_EQ(other->get_all_supplieradmins(), (admin::AdminIDSeq{0}));
  EXPECT_TRUE(other->get_consumeradmin(admin_id)->_is_equivalent(consumers));
  EXPECT_EQ(raised_by([&] { other->get_supplieradmin(admin_id); }), "AdminNotFound");
  EXPECT_TRUE(other->get_consumeradmin(0)->_is_equivalent(other->default_consumer_admin()));

  admin::ProxyID push = 0, pull = 0;
  const auto pushed = consumers->obtain_notification_push_supplier(ClientType::SEQUENCE_EVENT, push);
  consumers->obtain_notification_pull_supplier(ClientType::ANY_EVENT, pull);
  EXPECT_EQ(consumers->push_suppliers(), (admin::ProxyIDSeq{push}));
  EXPECT_EQ(consumers->pull_suppliers(), (admin::ProxyIDSeq{pull}));
  EXPECT_TRUE(consumers->get_proxy_supplier(push)->_is_equivalent(pushed));
  EXPECT_EQ(consumers->get_proxy_supplier(pull)->MyType(), admin::ProxyType::PULL_ANY);
  EXPECT_EQ(pushed->MyType(), admin::ProxyType::PUSH_SEQUENCE);
  EXPECT_TRUE(pushed->MyAdmin()->_is_equivalent(consumers));
  EXPECT_EQ(raised_by([&] { consumers->get_proxy_supplier(99); }), "ProxyNotFound");
  const auto supplier =
      other->default_supplier_admin()->obtain_notification_push_consumer(ClientType::STRUCTURED_EVENT, push);
  EXPECT_EQ(supplier->MyType(), admin::ProxyType::PUSH_STRUCTURED);
  EXPECT_TRUE(other->default_supplier_admin()->get_proxy_consumer(push)->_is_equivalent(supplier));
}

TEST(NotificationService, HasNamedChannels) {
  NotifyServer server;
  admin::ChannelID id = 0;
  EXPECT_EQ(raised_by([&] { server.factory->create_named_channel({}, {}, id, "test"); }), "NameAlreadyUsed");
  EXPECT_EQ(raised_by([&] { server.factory->create_named_channel({}, {}, id, "TaktNotification"); }),
            "NameAlreadyUsed");
  EXPECT_TRUE(server.state_object->find_channel("test")->_is_equivalent(server.channel));
  EXPECT_FALSE(server.state_object->find_channel("other"));
  EXPECT_EQ(IDL::traits<admin::EventChannel>::narrow(server.at_key("test"))->get_all_consumeradmins().size(),
            1u);
  server.channel->destroy();
  EXPECT_EQ(raised_by([&] { server.channel->get_qos(); }), "OBJECT_NOT_EXIST");
  EXPECT_TRUE(server.factory->create_named_channel({}, {}, id, "test"));
}

TEST(NotificationService, DisconnectsTheClientsOfWhatIsDestroyed) {
  NotifyServer server;
  admin::AdminID id = 0;
  const auto consumers = server.channel->new_for_consumers(admin::InterFilterGroupOperator::AND_OP, id);
  const auto of_admin = CORBA::make_reference<StructuredConsumer>(),
             of_channel = CORBA::make_reference<StructuredConsumer>();
  const auto proxy = server.connect(of_admin, consumers);
  server.connect(of_channel);
  const auto supplier = CORBA::make_reference<StructuredSupplier>();
  server.push_consumer<admin::StructuredProxyPushConsumer>(ClientType::STRUCTURED_EVENT)
      ->connect_structured_push_supplier(server.activate<CosNotifyComm::StructuredPushSupplier>(supplier));
  EXPECT_EQ(raised_by([&] { server.channel->default_consumer_admin()->destroy(); }), "NO_PERMISSION");
  consumers->destroy();
  EXPECT_TRUE(eventually([&] { return of_admin->disconnects() == 1; }));
  EXPECT_EQ(raised_by([&] { proxy->get_qos(); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(raised_by([&] { consumers->MyID(); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(of_channel->disconnects(), 0);
  server.channel->destroy();
  EXPECT_TRUE(eventually([&] { return of_channel->disconnects() == 1 && supplier->disconnects() == 1; }));
  EXPECT_EQ(of_admin->disconnects(), 1);
  EXPECT_EQ(server.whole_state().proxies(), 0u);
}

TEST(NotificationService, TellsConsumersWhatIsOfferedAndSuppliersWhatIsWanted) {
  NotifyServer server;
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  const auto supplier = CORBA::make_reference<StructuredSupplier>();
  const auto in = server.push_consumer<admin::StructuredProxyPushConsumer>(ClientType::STRUCTURED_EVENT);
  in->connect_structured_push_supplier(server.activate<CosNotifyComm::StructuredPushSupplier>(supplier));
  const auto out = server.connect(consumer);
  EXPECT_TRUE(eventually([&] { return supplier->added() == Types{{"*", "%ALL"}}; }));
  in->offer_change({{"Telecom", "Alarm"}}, {});
  EXPECT_TRUE(eventually([&] { return consumer->added() == Types{{"Telecom", "Alarm"}}; }));
  out->subscription_change({{"Telecom", "Call"}}, {});
  EXPECT_TRUE(eventually([&] { return supplier->removed() == Types{{"*", "%ALL"}}; }));
  EXPECT_EQ(supplier->added().back(), (CosNotification::EventType{"Telecom", "Call"}));

  using admin::ObtainInfoMode;
  EXPECT_EQ(in->obtain_subscription_types(ObtainInfoMode::ALL_NOW_UPDATES_OFF), (Types{{"Telecom", "Call"}}));
  EXPECT_EQ(out->obtain_offered_types(ObtainInfoMode::ALL_NOW_UPDATES_ON), (Types{{"Telecom", "Alarm"}}));
  EXPECT_TRUE(out->obtain_offered_types(ObtainInfoMode::NONE_NOW_UPDATES_ON).empty());
  const auto told = supplier->added().size();
  out->subscription_change({{"Telecom", "Fax"}}, {});
  in->offer_change({}, {{"Telecom", "Alarm"}});
  EXPECT_TRUE(eventually([&] { return consumer->removed() == Types{{"Telecom", "Alarm"}}; }));
  EXPECT_EQ(supplier->added().size(), told);
  EXPECT_EQ(raised_by([&] { in->offer_change({{std::string(2'000, 'x'), "y"}}, {}); }), "InvalidEventType");
}

TEST(NotificationService, ShowsItsState) {
  NotifyServer server;
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  const auto proxy = server.connect(consumer);
  proxy->suspend_connection();
  server.supplier()->push_structured_event(alarm(1));
  const auto state = server.whole_state();
  EXPECT_EQ(state.proxies(), 2u);
  EXPECT_GT(state.queued_octets(), 0u);
  const auto channel = state.channels().at(0);
  EXPECT_EQ(channel.name(), "test");
  EXPECT_EQ(channel.pending(), 1u);
  EXPECT_EQ(channel.held(), 1u);
  ASSERT_EQ(channel.clients().size(), 2u);
  const auto& client = channel.clients().at(0);  // the one with pending events
  EXPECT_EQ(client.kind(), Takt::Notification::ClientKind::push_consumer);
  EXPECT_EQ(client.form(), Takt::Notification::EventForm::structured);
  EXPECT_TRUE(client.suspended() && client.connected() && client.answers());
  EXPECT_EQ(client.pending(), 1u);
  EXPECT_FALSE(client.address().empty());
}

}  // namespace
}  // namespace feature
