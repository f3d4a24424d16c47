// Persistent channels, administrators, proxies, filters, connections and events survive a restart of the
// service.
#include <gtest/gtest.h>

#include "../folder.h"
#include "../kept_port.h"
#include "served.h"

namespace feature {
namespace {

using CosNotification::BestEffort;
using CosNotification::Persistent;
using CosNotification::QoSProperties;
using Names = std::vector<std::string>;

const QoSProperties all_persistent{property("ConnectionReliability", Persistent),
                                   property("EventReliability", Persistent)};

// A service with a store that is stopped and started again at the same address, and a client that stays.
class NotifyRestart : public ::testing::Test {
 protected:
  NotifyRestart() : clients_(make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "clients")) {
    root_poa(clients_)->the_POAManager()->activate();
    start();
  }
  ~NotifyRestart() override {
    server.reset();
    clients_->destroy();
  }
  void start() {
    takt::notification::NotificationService::Options options{.store = folder_ / "notify.db"};
    options.limits.call_timeout = 500ms;
    options.limits.pull_period = 10ms;
    server = std::make_unique<NotifyServer>(options, std::to_string(port_.port()), all_persistent);
    EXPECT_EQ(server->service->damaged(), Names());
  }
  void restart() {
    server.reset();
    start();
  }
  // The same object, as a client of the present service sees it.
  template <class Interface>
  Ref<Interface> again(const std::string& reference) const {
    return IDL::traits<Interface>::unchecked_narrow(server->pair->client->string_to_object(reference));
  }
  std::string text(const Ref<CORBA::Object>& object) const {
    return server->pair->client->object_to_string(object);
  }
  // A client's object in an ORB that outlasts the service.
  template <class Interface, class Servant>
  Ref<Interface> object(const CORBA::servant_reference<Servant>& servant) const {
    const auto root = root_poa(clients_);
    const auto reference = root->id_to_reference(root->activate_object(servant));
    return again<Interface>(clients_->object_to_string(reference));
  }
  // Connects a consumer that stays.
  std::string connect(const CORBA::servant_reference<StructuredConsumer>& consumer,
                      const QoSProperties& qos = {}) const {
    const auto proxy = server->structured_proxy();
    proxy->set_qos(qos);
    proxy->connect_structured_push_consumer(object<CosNotifyComm::StructuredPushConsumer>(consumer));
    return text(proxy);
  }

  std::unique_ptr<NotifyServer> server;
  const Folder folder_;

 private:
  const KeptPort port_;
  const Orb clients_;
};

TEST_F(NotifyRestart, KeepsObjectsWithTheirProperties) {
  const auto channel = text(server->channel);
  server->channel->set_admin({property("MaxQueueLength", std::int32_t{77})});
  admin::AdminID id = 0;
  const auto consumers = server->channel->new_for_consumers(admin::InterFilterGroupOperator::OR_OP, id);
  consumers->set_qos({property("MaxEventsPerConsumer", std::int32_t{5})});
  consumers->subscription_change({{"Telecom", "Alarm"}}, {});
  consumers->add_filter(server->filter({"$number > 3", "$number < 0"}));
  const auto mapping =
      server->channel->default_filter_factory()->create_mapping_filter("ETCL", any_of(std::int16_t{4}));
  mapping->add_mapping_constraints({{{{}, "$number == 9"}, any_of(std::int16_t{6})}});
  consumers->priority_filter(mapping);
  const auto proxy = server->structured_proxy(consumers);
  proxy->set_qos({property("OrderPolicy", CosNotification::FifoOrder)});
  proxy->add_filter(server->filter({"FALSE"}));
  const auto unconnected = text(proxy), administrator = text(consumers), mapping_text = text(mapping);
  const auto lost = text(server->filter({"TRUE"}));  // attached to nothing
  restart();
  const auto same = again<admin::EventChannel>(channel);
  EXPECT_TRUE(same->_is_equivalent(server->channel));
  std::int32_t limit = 0;
  for (const auto& each : same->get_admin())
    if (each.name() == "MaxQueueLength") each.value() >>= limit;
  EXPECT_EQ(limit, 77);
  EXPECT_EQ(same->get_all_consumeradmins(), (admin::AdminIDSeq{0, id}));
  const auto admin_again = again<admin::ConsumerAdmin>(administrator);
  EXPECT_EQ(admin_again->MyOperator(), admin::InterFilterGroupOperator::OR_OP);
  const auto numbers = admin_again->get_all_filters();
  ASSERT_EQ(numbers.size(), 1u);
  const auto constraints = admin_again->get_filter(numbers.front())->get_all_constraints();
  ASSERT_EQ(constraints.size(), 2u);
  EXPECT_EQ(constraints.at(1).constraint_expression().constraint_expr(), "$number < 0");
  EXPECT_TRUE(admin_again->priority_filter()->_is_equivalent(again<CORBA::Object>(mapping_text)));
  CORBA::Any priority;
  EXPECT_TRUE(admin_again->priority_filter()->match_structured(alarm(9), priority));
  const auto proxy_again = again<admin::StructuredProxyPushSupplier>(unconnected);
  std::int32_t queue = 0;
  std::int16_t order = 0, reliability = 0;
  for (const auto& each : proxy_again->get_qos()) {
    if (each.name() == "MaxEventsPerConsumer") each.value() >>= queue;
    if (each.name() == "OrderPolicy") each.value() >>= order;
    if (each.name() == "ConnectionReliability") each.value() >>= reliability;
  }
  EXPECT_EQ(queue, 5);
  EXPECT_EQ(order, CosNotification::FifoOrder);
  EXPECT_EQ(reliability, Persistent);
  EXPECT_TRUE(again<CORBA::Object>(lost)->_non_existent());
  EXPECT_EQ(server->whole_state().filters(), 3u);
  // A new administrator gets a number that no other has.
  admin::AdminID next = 0;
  same->new_for_consumers(admin::InterFilterGroupOperator::AND_OP, next);
  EXPECT_GT(next, id);
  // The filter and the types select as before.
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  proxy_again->connect_structured_push_consumer(object<CosNotifyComm::StructuredPushConsumer>(consumer));
  const auto supplier = server->supplier();
  for (const int number : {1, 4, 2, 5}) supplier->push_structured_event(alarm(number));
  supplier->push_structured_event(alarm(6, {}, "Other"));
  supplier->push_structured_event(alarm(7));
  EXPECT_TRUE(consumer->has(3));
  EXPECT_EQ(consumer->numbers(), (Numbers{4, 5, 7}));
}

TEST_F(NotifyRestart, DeliversWhatWaited) {
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  const auto proxy = connect(consumer);
  again<admin::StructuredProxyPushSupplier>(proxy)->suspend_connection();
  const auto supplier = text(server->supplier());
  const auto push = [&](std::int32_t number, const CosNotification::PropertySeq& header = {}) {
    again<admin::StructuredProxyPushConsumer>(supplier)->push_structured_event(alarm(number, header));
  };
  push(1);
  push(2, {property("EventReliability", BestEffort)});  // is lost
  push(3, {property("Timeout", TimeBase::TimeT{1})});   // expires
  push(4, {property("Priority", std::int16_t{5})});
  push(5);
  EXPECT_EQ(server->whole_state().stored_events(), 4u);
  restart();
  push(6);
  EXPECT_EQ(server->whole_state().stored_events(), 1u);
  EXPECT_GE(server->whole_state().repeatable_deliveries(), 3u);
  EXPECT_EQ(consumer->numbers(), Numbers());  // the connection is still suspended
  again<admin::StructuredProxyPushSupplier>(proxy)->resume_connection();
  EXPECT_TRUE(consumer->has(4));
  EXPECT_EQ(consumer->numbers(), (Numbers{4, 1, 5, 6}));
  restart();  // events that were delivered are not delivered again
  push(7);
  EXPECT_TRUE(consumer->has(5));
  EXPECT_EQ(consumer->numbers(), (Numbers{4, 1, 5, 6, 7}));
  EXPECT_EQ(consumer->disconnects(), 0);
}

TEST_F(NotifyRestart, EachConsumerGetsItsOwn) {
  const auto prompt = CORBA::make_reference<StructuredConsumer>(),
             other = CORBA::make_reference<StructuredConsumer>(),
             fleeting = CORBA::make_reference<StructuredConsumer>();
  connect(prompt);
  const auto suspended = connect(other);
  const auto forgotten = connect(fleeting, {property("ConnectionReliability", BestEffort)});
  again<admin::StructuredProxyPushSupplier>(suspended)->suspend_connection();
  const auto any = text(server->any_supplier());
  again<admin::ProxyPushConsumer>(any)->push(any_of(std::int32_t{1}));
  EXPECT_TRUE(prompt->has(1) && fleeting->has(1));
  std::this_thread::sleep_for(150ms);  // the store learns that one of them has it
  restart();
  EXPECT_TRUE(again<CORBA::Object>(forgotten)->_non_existent());
  again<admin::StructuredProxyPushSupplier>(suspended)->resume_connection();
  again<admin::ProxyPushConsumer>(any)->push(any_of(std::int32_t{2}));
  EXPECT_TRUE(other->has(2));
  EXPECT_EQ(other->numbers(), (Numbers{1, 2}));
  EXPECT_TRUE(prompt->has(2));
  EXPECT_EQ(prompt->numbers(), (Numbers{1, 2}));
  EXPECT_EQ(other->events().front().header().fixed_header().event_type().type_name(), "%ANY");
  EXPECT_EQ(fleeting->numbers(), (Numbers{1}));
}

TEST_F(NotifyRestart, KeepsWhatIsToBePulled) {
  const auto pulls =
      server->pull_supplier<admin::StructuredProxyPullSupplier>(admin::ClientType::STRUCTURED_EVENT);
  pulls->connect_structured_pull_consumer(nullptr);
  const auto supplier = server->sequence_supplier();
  supplier->push_structured_events({alarm(1), alarm(2), alarm(3)});
  EXPECT_EQ(number_in(pulls->pull_structured_event()), 1);
  EXPECT_EQ(number_in(pulls->pull_structured_event()), 2);
  const std::string reference = text(pulls);
  restart();
  const auto same = again<admin::StructuredProxyPullSupplier>(reference);
  EXPECT_EQ(number_in(same->pull_structured_event()), 2) << "nothing has said that the last one arrived";
  EXPECT_EQ(number_in(same->pull_structured_event()), 3);
  EXPECT_THROW(same->connect_structured_pull_consumer(nullptr), CosEventChannelAdmin::AlreadyConnected);
  same->disconnect_structured_pull_supplier();
  restart();
  EXPECT_TRUE(again<CORBA::Object>(reference)->_non_existent());
}

TEST_F(NotifyRestart, KeepsOnlyPersistentChannels) {
  admin::ChannelID kept = 0, lost = 0, destroyed = 0;
  server->factory->create_channel({property("ConnectionReliability", Persistent)}, {}, kept);
  server->factory->create_channel({}, {}, lost);
  server->factory->create_channel(all_persistent, {}, destroyed)->destroy();
  const auto changed = server->factory->get_event_channel(lost);
  changed->set_qos(all_persistent);  // but not its administrators
  EXPECT_EQ(raised_by([&] {
              changed->default_consumer_admin()->set_qos({property("ConnectionReliability", Persistent)});
            }),
            "nothing");
  changed->set_qos({property("EventReliability", BestEffort), property("ConnectionReliability", BestEffort)});
  restart();
  EXPECT_EQ(server->factory->get_all_channels(), (admin::ChannelIDSeq{1, kept}));
  EXPECT_TRUE(server->state().stored());
}

TEST_F(NotifyRestart, KeepsDefaultAdministratorsWithTheirChannel) {
  admin::ChannelID id = 0;
  const QoSProperties kept{property("ConnectionReliability", Persistent)};
  const QoSProperties fleeting{property("ConnectionReliability", BestEffort)};
  const auto late = server->factory->create_channel({}, {}, id);
  late->set_qos(kept);
  server->channel->default_consumer_admin()->set_qos(fleeting);
  const auto suppliers = text(late->default_supplier_admin()),
             consumers = text(server->channel->default_consumer_admin());
  restart();
  const auto again_late = server->factory->get_event_channel(id);
  EXPECT_EQ(again_late->get_all_consumeradmins(), (admin::AdminIDSeq{0}));
  EXPECT_TRUE(again_late->default_supplier_admin()->_is_equivalent(again<CORBA::Object>(suppliers)));
  EXPECT_FALSE(again_late->for_suppliers()->_non_existent());
  const auto of_consumers = server->channel->default_consumer_admin();
  EXPECT_TRUE(of_consumers->_is_equivalent(again<CORBA::Object>(consumers)));
  std::int16_t reliability = Persistent;
  for (const auto& each : of_consumers->get_qos())
    if (each.name() == "ConnectionReliability") each.value() >>= reliability;
  EXPECT_EQ(reliability, BestEffort);
}

class LatePullSupplier final
    : public virtual CORBA::servant_traits<CosNotifyComm::StructuredPullSupplier>::base_type {
 public:
  StructuredEvent pull_structured_event() override { throw CORBA::NO_IMPLEMENT(); }
  StructuredEvent try_pull_structured_event(bool& has_event) override {
    has_event = gives.exchange(false);
    return alarm(number);
  }
  void disconnect_structured_pull_supplier() override {}
  void subscription_change(const Types&, const Types&) override {}
  static constexpr std::int32_t number = 7'000;
  std::atomic<bool> gives{false};
};

// The supplier is asked before all of the 1,000 events are in the queues.
TEST_F(NotifyRestart, WhatIsPulledAtOnceComesAfterWhatWaited) {
  constexpr std::int32_t waiting = 1'000;
  const auto supplier = CORBA::make_reference<LatePullSupplier>();
  Ref<admin::SequenceProxyPullSupplier> pulls;
  for (int i = 0; i < 30; ++i) {
    pulls = server->pull_supplier<admin::SequenceProxyPullSupplier>(admin::ClientType::SEQUENCE_EVENT);
    pulls->connect_sequence_pull_consumer(nullptr);
  }
  admin::ProxyID id = 0;
  IDL::traits<admin::StructuredProxyPullConsumer>::narrow(
      server->channel->default_supplier_admin()->obtain_notification_pull_consumer(
          admin::ClientType::STRUCTURED_EVENT, id))
      ->connect_structured_pull_supplier(object<CosNotifyComm::StructuredPullSupplier>(supplier));
  CosNotification::EventBatch batch;
  for (std::int32_t i = 1; i <= waiting; ++i) batch.push_back(alarm(i));
  server->sequence_supplier()->push_structured_events(batch);
  const std::string reference = text(pulls);
  server.reset();
  supplier->gives = true;
  start();
  ASSERT_TRUE(eventually([&] { return server->state().received() == 1; }));
  bool has_event = false;
  const auto events =
      again<admin::SequenceProxyPullSupplier>(reference)->try_pull_structured_events(2 * waiting, has_event);
  ASSERT_EQ(events.size(), waiting + 1u);
  for (std::int32_t i = 0; i <= waiting; ++i)
    ASSERT_EQ(number_in(events[static_cast<std::size_t>(i)]), i < waiting ? i + 1 : LatePullSupplier::number);
}

// In the process of the service. The name of its first event has a null character, with which no string is
// sent.
class LocalSupplier final
    : public virtual CORBA::servant_traits<CosNotifyComm::StructuredPullSupplier>::base_type {
 public:
  StructuredEvent pull_structured_event() override { throw CORBA::NO_IMPLEMENT(); }
  StructuredEvent try_pull_structured_event(bool& has_event) override {
    has_event = ++asked_ <= 2;
    auto event = alarm(asked_);
    if (asked_ == 1) event.header().fixed_header().event_name(std::string(3, '\0'));
    return event;
  }
  void disconnect_structured_pull_supplier() override {}
  void subscription_change(const Types&, const Types&) override {}

 private:
  std::atomic<int> asked_{0};
};

TEST_F(NotifyRestart, WhatIsPulledAndCannotBeStoredIsLostAlone) {
  const auto pulls =
      server->pull_supplier<admin::StructuredProxyPullSupplier>(admin::ClientType::STRUCTURED_EVENT);
  pulls->connect_structured_pull_consumer(nullptr);
  const auto root = root_poa(server->pair->server);
  const auto reference = root->id_to_reference(root->activate_object(CORBA::make_reference<LocalSupplier>()));
  admin::ProxyID id = 0;
  IDL::traits<admin::StructuredProxyPullConsumer>::narrow(
      server->channel->default_supplier_admin()->obtain_notification_pull_consumer(
          admin::ClientType::STRUCTURED_EVENT, id))
      ->connect_structured_pull_supplier(
          again<CosNotifyComm::StructuredPullSupplier>(server->pair->server->object_to_string(reference)));
  EXPECT_EQ(number_in(pulls->pull_structured_event()), 2);
  EXPECT_EQ(server->state().failures(), 1u);
}

TEST_F(NotifyRestart, ClientsOfTheEventServiceLearnThatTheStoreCannotBeWritten) {
  const auto proxy = server->channel->for_suppliers()->obtain_push_consumer();
  const auto moved = [&](const char* from, const char* to) {
    std::filesystem::rename(folder_ / from, folder_ / to);
  };
  moved("notify.db", "moved.db");
  EXPECT_EQ(raised_by([&] { proxy->disconnect_push_consumer(); }), "PERSIST_STORE");
  moved("moved.db", "notify.db");
  EXPECT_FALSE(proxy->_non_existent());
  EXPECT_EQ(raised_by([&] { proxy->disconnect_push_consumer(); }), "nothing");
}

TEST_F(NotifyRestart, RefusesReliabilityThatCannotBe) {
  admin::ChannelID id = 0;
  const auto error_of = [&](const std::function<void()>& call) {
    try {
      call();
    } catch (const CosNotification::UnsupportedQoS& refused) {
      return refused.qos_err().at(0).name() + ' ' +
             std::to_string(static_cast<int>(refused.qos_err().at(0).code()));
    }
    return std::string("none");
  };
  using CosNotification::QoSError_code;
  const auto unavailable = ' ' + std::to_string(static_cast<int>(QoSError_code::UNAVAILABLE_VALUE));
  EXPECT_EQ(
      error_of([&] { server->factory->create_channel({property("EventReliability", Persistent)}, {}, id); }),
      "EventReliability" + unavailable);
  const auto fleeting = server->factory->create_channel({}, {}, id);
  EXPECT_EQ(error_of([&] {
              fleeting->default_consumer_admin()->set_qos({property("ConnectionReliability", Persistent)});
            }),
            "ConnectionReliability" + unavailable);
  const auto proxy = server->structured_proxy(fleeting->default_consumer_admin());
  EXPECT_EQ(error_of([&] { proxy->set_qos({property("ConnectionReliability", Persistent)}); }),
            "ConnectionReliability" + unavailable);
  CosNotification::NamedPropertyRangeSeq ranges;
  EXPECT_EQ(error_of([&] { proxy->validate_qos({property("ConnectionReliability", Persistent)}, ranges); }),
            "ConnectionReliability" + unavailable);
  EXPECT_EQ(error_of([&] { fleeting->validate_qos({property("EventReliability", Persistent)}, ranges); }),
            "EventReliability" + unavailable);
  EXPECT_EQ(error_of([&] { fleeting->validate_qos(all_persistent, ranges); }), "none");
  EXPECT_EQ(error_of([&] {
              server->channel->validate_qos({property("ConnectionReliability", BestEffort)}, ranges);
            }),
            "EventReliability" + unavailable)
      << "its events are Persistent";
  const NotifyServer without_store;
  EXPECT_EQ(
      error_of([&] { without_store.channel->set_qos({property("ConnectionReliability", Persistent)}); }),
      "ConnectionReliability " + std::to_string(static_cast<int>(QoSError_code::UNSUPPORTED_VALUE)));
}

}  // namespace
}  // namespace feature
