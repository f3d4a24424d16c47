// Events that are longer together than a message may be arrive all the same, in several messages.
#include <gtest/gtest.h>

#include "../folder.h"
#include "served.h"

namespace feature {
namespace {

using takt::notification::Limits;
using takt::notification::NotificationService;

constexpr std::int32_t event_count = 12;
// Four of them fill a message of the greatest length that an ORB accepts by default.
constexpr std::size_t long_text = 1'000'000;

const CosNotification::QoSProperties persistent{
    property("ConnectionReliability", CosNotification::Persistent),
    property("EventReliability", CosNotification::Persistent)};

StructuredEvent long_alarm(std::int32_t number, std::size_t length = long_text) {
  auto event = alarm(number);
  event.filterable_data().push_back(property("text", std::string(length, 'x')));
  return event;
}

Numbers numbers_to(std::int32_t last) {
  Numbers numbers;
  for (std::int32_t i = 1; i <= last; ++i) numbers.push_back(i);
  return numbers;
}

class NotifyLength : public ::testing::Test {
 protected:
  // A service whose events and connections are persistent, or not.
  void start(bool keeps) {
    NotificationService::Options options;
    options.limits.queued_bytes = std::uint64_t{1} << 30;
    if (keeps) options.store = folder_ / "notify.db";
    server = std::make_unique<NotifyServer>(options, "0", keeps ? persistent : decltype(persistent){});
  }
  void push(std::size_t length = long_text) const {
    const auto supplier = server->supplier();
    for (std::int32_t i = 1; i <= event_count; ++i) supplier->push_structured_event(long_alarm(i, length));
  }
  // A proxy that has all the events when it resumes.
  Ref<admin::SequenceProxyPushSupplier> suspended(const Ref<CosNotifyComm::SequencePushConsumer>& consumer,
                                                  std::size_t length = long_text) const {
    const auto proxy = server->sequence_proxy();
    proxy->set_qos({property("MaximumBatchSize", std::int32_t{1'000})});
    proxy->connect_sequence_push_consumer(consumer);
    proxy->suspend_connection();
    push(length);
    return proxy;
  }
  Ref<admin::SequenceProxyPullSupplier> pulled() const {
    const auto proxy =
        server->pull_supplier<admin::SequenceProxyPullSupplier>(admin::ClientType::SEQUENCE_EVENT);
    proxy->connect_sequence_pull_consumer(nullptr);
    push();
    return proxy;
  }
  static Numbers pull_all(const Ref<admin::SequenceProxyPullSupplier>& proxy) {
    Numbers numbers;
    for (bool has_event = true; has_event;)
      for (const auto& each : proxy->try_pull_structured_events(1'000, has_event))
        numbers.push_back(number_in(each));
    return numbers;
  }
  void expect_all_pushed(bool keeps) {
    start(keeps);
    const auto consumer = CORBA::make_reference<SequenceConsumer>();
    suspended(server->activate<CosNotifyComm::SequencePushConsumer>(consumer))->resume_connection();
    ASSERT_TRUE(consumer->has(event_count));
    EXPECT_EQ(consumer->numbers(), numbers_to(event_count));
    EXPECT_GT(consumer->batches().size(), 3u);
    EXPECT_EQ(server->state().failures(), 0u);
  }

  std::unique_ptr<NotifyServer> server;

 private:
  const Folder folder_;
};

TEST_F(NotifyLength, BatchesHaveBoundedOctets) { expect_all_pushed(false); }
TEST_F(NotifyLength, PersistentBatchesHaveBoundedOctets) { expect_all_pushed(true); }

TEST_F(NotifyLength, PulledListsHaveBoundedOctets) {
  start(false);
  EXPECT_EQ(pull_all(pulled()), numbers_to(event_count));
}

TEST_F(NotifyLength, PulledPersistentListsHaveBoundedOctets) {
  start(true);
  EXPECT_EQ(pull_all(pulled()), numbers_to(event_count));
}

TEST_F(NotifyLength, ShortEventsGoTogether) {
  start(false);
  const auto consumer = CORBA::make_reference<SequenceConsumer>();
  suspended(server->activate<CosNotifyComm::SequencePushConsumer>(consumer), 10)->resume_connection();
  ASSERT_TRUE(consumer->has(event_count));
  EXPECT_EQ(consumer->batches(), std::vector<std::size_t>{event_count});
}

TEST_F(NotifyLength, PersistentBatchesShrinkForAConsumerThatTakesOnlyShortMessages) {
  start(true);
  const Orb narrow =
      make_orb({"-ORBListenEndpoints", OrbPair::loopback, "-ORBMaxMessageSize", "256KiB"}, "narrow");
  const auto root = root_poa(narrow);
  root->the_POAManager()->activate();
  const auto consumer = CORBA::make_reference<SequenceConsumer>();
  const auto object = root->id_to_reference(root->activate_object(consumer));
  suspended(IDL::traits<CosNotifyComm::SequencePushConsumer>::unchecked_narrow(
                server->pair->client->string_to_object(narrow->object_to_string(object))),
            60'000)
      ->resume_connection();
  ASSERT_TRUE(consumer->has(event_count));
  EXPECT_EQ(consumer->numbers(), numbers_to(event_count));
  EXPECT_GT(consumer->batches().size(), 2u);
  narrow->destroy();
}

// The reply to the last pull may have been lost.
TEST_F(NotifyLength, PullConsumerThatConnectsAgainGetsTheLastPersistentEventsAgain) {
  const Folder folder;
  NotificationService::Options options{.store = folder / "notify.db"};
  options.limits.reconnects = true;
  server = std::make_unique<NotifyServer>(options, "0", persistent);
  const auto proxy =
      server->pull_supplier<admin::SequenceProxyPullSupplier>(admin::ClientType::SEQUENCE_EVENT);
  proxy->connect_sequence_pull_consumer(nullptr);
  push(10);
  bool has_event = false;
  EXPECT_EQ(proxy->try_pull_structured_events(2, has_event).size(), 2u);
  EXPECT_EQ(proxy->try_pull_structured_events(3, has_event).size(), 3u);
  proxy->connect_sequence_pull_consumer(nullptr);
  EXPECT_EQ(number_in(proxy->try_pull_structured_events(1, has_event).at(0)), 3);
  EXPECT_EQ(server->whole_state().repeatable_deliveries(), 3u);
  server.reset();
}

class PullConsumerThatHangs final
    : public virtual CORBA::servant_traits<CosNotifyComm::SequencePullConsumer>::base_type {
 public:
  explicit PullConsumerThatHangs(Gate& gate) : gate_(gate) {}
  void disconnect_sequence_pull_consumer() override {}
  void offer_change(const Types&, const Types&) override { gate_.pass(); }

 private:
  Gate& gate_;
};

TEST_F(NotifyLength, PullConsumerThatConnectsAgainDoesNotWaitForACallToTheEarlierOne) {
  const Folder folder;
  NotificationService::Options options{.store = folder / "notify.db"};
  options.limits.reconnects = true;
  server = std::make_unique<NotifyServer>(options, "0", persistent);
  Gate gate;
  const auto consumer = CORBA::make_reference<PullConsumerThatHangs>(gate);
  const auto proxy =
      server->pull_supplier<admin::SequenceProxyPullSupplier>(admin::ClientType::SEQUENCE_EVENT);
  proxy->connect_sequence_pull_consumer(server->activate<CosNotifyComm::SequencePullConsumer>(consumer));
  push(5);
  bool has_event = false;
  EXPECT_EQ(proxy->try_pull_structured_events(2, has_event).size(), 2u);
  server->supplier()->offer_change({{"Telecom", "Other"}}, {});
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  proxy->connect_sequence_pull_consumer(nullptr);
  EXPECT_EQ(number_in(proxy->try_pull_structured_events(5, has_event).at(0)), 1);
  gate.open();
  server.reset();
}

}  // namespace
}  // namespace feature
