// Every kind and form of proxies: each passes events, and each client's own disconnect operation is called
// once.
#include <gtest/gtest.h>

#include <algorithm>

#include "served.h"

namespace feature {
namespace {

using admin::ClientType;

// Clients that are only told to disconnect. Each is a skeleton with one such operation.
#define TAKT_TEST_CLIENT(NAME, INTERFACE, DISCONNECT, CHANGE)                                   \
  class NAME final : public virtual CORBA::servant_traits<CosNotifyComm::INTERFACE>::base_type, \
                     public Received {                                                          \
   public:                                                                                      \
    NAME() : Received({}) {}                                                                    \
    void DISCONNECT() override { disconnect(); }                                                \
    void CHANGE(const Types& added, const Types& removed) override { change(added, removed); }  \
  }

TAKT_TEST_CLIENT(AnyPushSupplier, PushSupplier, disconnect_push_supplier, subscription_change);
TAKT_TEST_CLIENT(SequencePushSupplier, SequencePushSupplier, disconnect_sequence_push_supplier,
                 subscription_change);
TAKT_TEST_CLIENT(AnyPullConsumer, PullConsumer, disconnect_pull_consumer, offer_change);
TAKT_TEST_CLIENT(StructuredPullConsumer, StructuredPullConsumer, disconnect_structured_pull_consumer,
                 offer_change);
TAKT_TEST_CLIENT(SequencePullConsumer, SequencePullConsumer, disconnect_sequence_pull_consumer, offer_change);
#undef TAKT_TEST_CLIENT

// Has the events of the numbers up to 5.
class AnyPullSupplier final : public virtual CORBA::servant_traits<CosNotifyComm::PullSupplier>::base_type,
                              public Received {
 public:
  AnyPullSupplier() : Received({}) {}
  CORBA::Any pull() override { throw CORBA::NO_IMPLEMENT(); }
  CORBA::Any try_pull(bool& has_event) override {
    has_event = ++asked <= 5;
    return has_event ? any_of(std::int32_t{asked}) : CORBA::Any();
  }
  void disconnect_pull_supplier() override { disconnect(); }
  void subscription_change(const Types&, const Types&) override {}
  std::atomic<std::int32_t> asked{0};
};

class SequencePullSupplier final
    : public virtual CORBA::servant_traits<CosNotifyComm::SequencePullSupplier>::base_type,
      public Received {
 public:
  SequencePullSupplier() : Received({}) {}
  CosNotification::EventBatch pull_structured_events(std::int32_t) override { throw CORBA::NO_IMPLEMENT(); }
  CosNotification::EventBatch try_pull_structured_events(std::int32_t most, bool& has_event) override {
    CosNotification::EventBatch batch;
    for (; given < 5 && most > 0; --most) batch.push_back(alarm(++given));
    has_event = !batch.empty();
    if (has_event) add_batch(batch.size());
    return batch;
  }
  void disconnect_sequence_pull_supplier() override { disconnect(); }
  void subscription_change(const Types&, const Types&) override {}
  std::atomic<std::int32_t> given{0};
};

template <class Proxy>
Ref<Proxy> pull_consumer(const NotifyServer& server, ClientType type) {
  admin::ProxyID id = 0;
  return IDL::traits<Proxy>::narrow(
      server.channel->default_supplier_admin()->obtain_notification_pull_consumer(type, id));
}

takt::notification::Limits eager() {
  takt::notification::Limits limits;
  limits.pull_period = 1ms;
  return limits;
}

TEST(NotificationProxies, PullAnysAndSequencesFromSuppliers) {
  NotifyServer server(eager());
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  server.connect(consumer);
  const auto any = CORBA::make_reference<AnyPullSupplier>();
  pull_consumer<admin::ProxyPullConsumer>(server, ClientType::ANY_EVENT)
      ->connect_any_pull_supplier(server.activate<CosNotifyComm::PullSupplier>(any));
  ASSERT_TRUE(consumer->has(5));
  EXPECT_EQ(consumer->numbers(), (Numbers{1, 2, 3, 4, 5}));
  const auto sequence = CORBA::make_reference<SequencePullSupplier>();
  const auto proxy = pull_consumer<admin::SequenceProxyPullConsumer>(server, ClientType::SEQUENCE_EVENT);
  proxy->set_qos({property("MaximumBatchSize", std::int32_t{2})});
  proxy->connect_sequence_pull_supplier(server.activate<CosNotifyComm::SequencePullSupplier>(sequence));
  ASSERT_TRUE(consumer->has(10));
  EXPECT_EQ(sequence->batches(), (std::vector<std::size_t>{2, 2, 1}));
}

TEST(NotificationProxies, PullNothingWhileTheChannelIsFull) {
  NotifyServer server(eager(), {},
                      {property("MaxQueueLength", std::int32_t{2}), property("RejectNewEvents", true)});
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  const auto suspended = server.connect(consumer);
  suspended->suspend_connection();
  const auto any = CORBA::make_reference<AnyPullSupplier>();
  pull_consumer<admin::ProxyPullConsumer>(server, ClientType::ANY_EVENT)
      ->connect_any_pull_supplier(server.activate<CosNotifyComm::PullSupplier>(any));
  EXPECT_TRUE(eventually([&] { return server.state().held() == 2; }));
  EXPECT_EQ(any->asked, 2);
  suspended->resume_connection();
  ASSERT_TRUE(consumer->has(5));
  EXPECT_EQ(server.state().rejected(), 0u);
}

TEST(NotificationProxies, DisconnectTheirClientsOnceWhenTheChannelIsDestroyed) {
  NotifyServer server(eager());
  const auto push_consumer = CORBA::make_reference<AnyConsumer>();
  const auto push_sequence = CORBA::make_reference<SequenceConsumer>();
  server.connect_any(push_consumer);
  server.sequence_proxy()->connect_sequence_push_consumer(
      server.activate<CosNotifyComm::SequencePushConsumer>(push_sequence));

  const auto pull_any = CORBA::make_reference<AnyPullConsumer>();
  const auto pull_structured = CORBA::make_reference<StructuredPullConsumer>();
  const auto pull_sequence = CORBA::make_reference<SequencePullConsumer>();
  server.pull_supplier<admin::ProxyPullSupplier>(ClientType::ANY_EVENT)
      ->connect_any_pull_consumer(server.activate<CosNotifyComm::PullConsumer>(pull_any));
  server.pull_supplier<admin::StructuredProxyPullSupplier>(ClientType::STRUCTURED_EVENT)
      ->connect_structured_pull_consumer(
          server.activate<CosNotifyComm::StructuredPullConsumer>(pull_structured));
  server.pull_supplier<admin::SequenceProxyPullSupplier>(ClientType::SEQUENCE_EVENT)
      ->connect_sequence_pull_consumer(server.activate<CosNotifyComm::SequencePullConsumer>(pull_sequence));

  const auto supplier = CORBA::make_reference<AnyPushSupplier>();
  const auto sequence_supplier = CORBA::make_reference<SequencePushSupplier>();
  server.push_consumer<admin::ProxyPushConsumer>(ClientType::ANY_EVENT)
      ->connect_any_push_supplier(server.activate<CosNotifyComm::PushSupplier>(supplier));
  server.push_consumer<admin::SequenceProxyPushConsumer>(ClientType::SEQUENCE_EVENT)
      ->connect_sequence_push_supplier(
          server.activate<CosNotifyComm::SequencePushSupplier>(sequence_supplier));

  const auto pulled = CORBA::make_reference<AnyPullSupplier>();
  const auto pulled_sequence = CORBA::make_reference<SequencePullSupplier>();
  pull_consumer<admin::ProxyPullConsumer>(server, ClientType::ANY_EVENT)
      ->connect_any_pull_supplier(server.activate<CosNotifyComm::PullSupplier>(pulled));
  pull_consumer<admin::SequenceProxyPullConsumer>(server, ClientType::SEQUENCE_EVENT)
      ->connect_sequence_pull_supplier(server.activate<CosNotifyComm::SequencePullSupplier>(pulled_sequence));

  server.channel->destroy();
  const std::vector<const Received*> clients{&*push_consumer,     &*push_sequence, &*pull_any,
                                             &*pull_structured,   &*pull_sequence, &*supplier,
                                             &*sequence_supplier, &*pulled,        &*pulled_sequence};
  EXPECT_TRUE(eventually([&] {
    return std::ranges::all_of(clients, [](const Received* each) { return each->disconnects() == 1; });
  }));
}

TEST(NotificationProxies, OfEveryKindAndFormHaveTheirType) {
  NotifyServer server;
  const auto consumers = server.channel->default_consumer_admin();
  const auto suppliers = server.channel->default_supplier_admin();
  admin::ProxyID id = 0;
  using admin::ProxyType;
  const std::vector<std::tuple<ClientType, ProxyType, ProxyType>> forms{
      {ClientType::ANY_EVENT, ProxyType::PUSH_ANY, ProxyType::PULL_ANY},
      {ClientType::STRUCTURED_EVENT, ProxyType::PUSH_STRUCTURED, ProxyType::PULL_STRUCTURED},
      {ClientType::SEQUENCE_EVENT, ProxyType::PUSH_SEQUENCE, ProxyType::PULL_SEQUENCE}};
  for (const auto& [form, push, pull] : forms) {
    EXPECT_EQ(consumers->obtain_notification_push_supplier(form, id)->MyType(), push);
    EXPECT_EQ(consumers->obtain_notification_pull_supplier(form, id)->MyType(), pull);
    EXPECT_EQ(suppliers->obtain_notification_push_consumer(form, id)->MyType(), push);
    EXPECT_EQ(suppliers->obtain_notification_pull_consumer(form, id)->MyType(), pull);
  }
  EXPECT_EQ(consumers->push_suppliers().size(), 3u);
  EXPECT_EQ(consumers->pull_suppliers().size(), 3u);
  EXPECT_EQ(suppliers->push_consumers().size(), 3u);
  EXPECT_EQ(suppliers->pull_consumers().size(), 3u);
}

TEST(NotificationProxies, OfOneChannelAreNotConnectedToEachOther) {
  NotifyServer server;
  const auto event_consumers = server.channel->for_consumers();
  const auto event_suppliers = server.channel->for_suppliers();
  const auto any = server.any_supplier();
  EXPECT_EQ(raised_by([&] {
              server
                  .push_supplier<admin::ProxyPushSupplier>(server.channel->default_consumer_admin(),
                                                           ClientType::ANY_EVENT)
                  ->connect_any_push_consumer(any);
            }),
            "TypeError");
  EXPECT_EQ(raised_by([&] { event_consumers->obtain_push_supplier()->connect_push_consumer(any); }),
            "TypeError");
  EXPECT_EQ(
      raised_by([&] { server.structured_proxy()->connect_structured_push_consumer(server.supplier()); }),
      "TypeError");
  EXPECT_EQ(
      raised_by([&] { server.sequence_proxy()->connect_sequence_push_consumer(server.sequence_supplier()); }),
      "TypeError");
  EXPECT_EQ(raised_by([&] {
              event_suppliers->obtain_pull_consumer()->connect_pull_supplier(
                  event_consumers->obtain_pull_supplier());
            }),
            "TypeError");
}

}  // namespace
}  // namespace feature
