// Qualities of service and administrative properties of a notification channel, row by row.
#include <gtest/gtest.h>

#include <map>

#include "served.h"

namespace feature {
namespace {

using CosNotification::QoSError_code;
using Qos = CosNotification::QoSProperties;

constexpr std::uint64_t second = 10'000'000, hour = 3'600 * second;  // in 100 ns

std::int16_t priority_in(const Qos& qos) {
  std::int16_t priority = -1;
  for (const auto& each : qos)
    if (each.name() == "Priority") each.value() >>= priority;
  return priority;
}

// A time of the calendar, from now on.
TimeBase::UtcT utc_in(std::int64_t units) {
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  TimeBase::UtcT time;
  time.time(0x01B21DD213814000 + static_cast<std::uint64_t>(now.count() / 100 + units));
  return time;
}

// Consumers that are suspended while events are pushed.
class NotificationQos : public ::testing::Test {
 protected:
  Ref<admin::StructuredProxyPushSupplier> suspended(const Qos& qos = {}) {
    auto proxy = server.connect(consumer);
    proxy->set_qos(qos);
    proxy->suspend_connection();
    return proxy;
  }
  void push(std::int32_t number, const Qos& header = {}) {
    supplier->push_structured_event(alarm(number, header));
  }
  Numbers numbers_after_resuming(const Ref<admin::StructuredProxyPushSupplier>& proxy, std::size_t count) {
    proxy->resume_connection();
    EXPECT_TRUE(consumer->has(count));
    return consumer->numbers();
  }

  NotifyServer server;
  CORBA::servant_reference<StructuredConsumer> consumer = CORBA::make_reference<StructuredConsumer>();
  Ref<admin::StructuredProxyPushConsumer> supplier = server.supplier();
};

TEST_F(NotificationQos, IsInheritedWhenAnObjectIsMade) {
  const auto before = server.structured_proxy();
  server.channel->set_qos({property("Priority", std::int16_t{7})});
  admin::AdminID id = 0;
  const auto consumers = server.channel->new_for_consumers(admin::InterFilterGroupOperator::AND_OP, id);
  EXPECT_EQ(priority_in(consumers->get_qos()), 7);
  EXPECT_EQ(priority_in(server.channel->default_consumer_admin()->get_qos()), 0);
  EXPECT_EQ(priority_in(server.structured_proxy(consumers)->get_qos()), 7);
  consumers->set_qos({property("Priority", std::int16_t{8})});
  const auto proxy = server.structured_proxy(consumers);
  EXPECT_EQ(priority_in(proxy->get_qos()), 8);
  consumers->set_qos({property("Priority", std::int16_t{9})});
  EXPECT_EQ(priority_in(proxy->get_qos()), 8);
  EXPECT_EQ(priority_in(before->get_qos()), 0);
  EXPECT_EQ(priority_in(server.channel->get_qos()), 7);
}

TEST_F(NotificationQos, IsRefusedWithTheReason) {
  const Qos wrong{property("Priority", std::int16_t{1}), property("Colour", true),
                  property("OrderPolicy", std::string("fifo")),
                  property("EventReliability", std::int16_t{1})};
  try {
    server.channel->set_qos(wrong);
    FAIL();
  } catch (const CosNotification::UnsupportedQoS& refused) {
    ASSERT_EQ(refused.qos_err().size(), 3u);
    EXPECT_EQ(refused.qos_err()[0].code(), QoSError_code::BAD_PROPERTY);
    EXPECT_EQ(refused.qos_err()[1].code(), QoSError_code::BAD_TYPE);
    EXPECT_EQ(refused.qos_err()[2].code(), QoSError_code::UNSUPPORTED_VALUE);
  }
  EXPECT_EQ(priority_in(server.channel->get_qos()), 0);
  admin::ChannelID id = 0;
  EXPECT_EQ(raised_by([&] { server.factory->create_channel(wrong, {}, id); }), "UnsupportedQoS");
  EXPECT_EQ(raised_by([&] { server.factory->create_channel({}, wrong, id); }), "UnsupportedAdmin");
  EXPECT_EQ(raised_by([&] { server.channel->set_admin({property("MaxConsumers", true)}); }),
            "UnsupportedAdmin");
  EXPECT_EQ(raised_by([&] { server.channel->default_consumer_admin()->set_qos(wrong); }), "UnsupportedQoS");
  EXPECT_EQ(raised_by([&] { supplier->set_qos(wrong); }), "UnsupportedQoS");
}

TEST_F(NotificationQos, IsValidated) {
  CosNotification::NamedPropertyRangeSeq ranges;
  server.channel->validate_qos({property("Priority", std::int16_t{1})}, ranges);
  EXPECT_EQ(ranges.size(), 10u);
  EXPECT_EQ(raised_by([&] { server.channel->validate_qos({property("Priority", true)}, ranges); }),
            "UnsupportedQoS");
  supplier->validate_event_qos({property("StartTime", utc_in(0))}, ranges);
  EXPECT_EQ(ranges.size(), 4u);
  EXPECT_EQ(raised_by([&] { supplier->validate_event_qos({property("PacingInterval", second)}, ranges); }),
            "UnsupportedQoS");
  supplier->validate_qos({}, ranges);
  server.channel->default_supplier_admin()->validate_qos({}, ranges);
}

TEST_F(NotificationQos, DeliversByPriorityUnlessTheOrderIsAnother) {
  const auto by_priority = suspended();
  const auto fifo_consumer = CORBA::make_reference<StructuredConsumer>();
  const auto fifo = server.connect(fifo_consumer);
  fifo->set_qos({property("OrderPolicy", CosNotification::FifoOrder)});
  push(1, {property("Priority", std::int16_t{-3})});
  push(2);
  push(3, {property("Priority", std::int16_t{4})});
  EXPECT_EQ(numbers_after_resuming(by_priority, 3), (Numbers{3, 2, 1}));
  ASSERT_TRUE(fifo_consumer->has(3));
  EXPECT_EQ(fifo_consumer->numbers(), (Numbers{1, 2, 3}));
}

TEST_F(NotificationQos, TakesThePriorityOfTheEventThenOfTheConsumerThenOfTheSupplier) {
  const auto proxy = suspended();
  const auto urgent = server.supplier();
  urgent->set_qos({property("Priority", std::int16_t{5})});
  push(1);
  urgent->push_structured_event(alarm(2));
  urgent->push_structured_event(alarm(3, {property("Priority", std::int16_t{-1})}));
  proxy->set_qos({property("Priority", std::int16_t{3})});
  push(4);
  urgent->push_structured_event(alarm(5));
  EXPECT_EQ(numbers_after_resuming(proxy, 5), (Numbers{2, 4, 5, 1, 3}));
}

TEST_F(NotificationQos, DeliversByDeadline) {
  const auto proxy = suspended({property("OrderPolicy", CosNotification::DeadlineOrder)});
  push(1);
  push(2, {property("Timeout", 2 * hour)});
  push(3, {property("StopTime", utc_in(hour))});
  push(4, {property("Timeout", 3 * hour)});
  EXPECT_EQ(numbers_after_resuming(proxy, 4), (Numbers{3, 2, 4, 1}));
}

TEST_F(NotificationQos, DropsEventsWhoseTimeIsOver) {
  const auto proxy = suspended();
  push(1, {property("Timeout", std::uint64_t{1})});
  push(2, {property("StopTime", utc_in(-1))});
  push(3);
  EXPECT_EQ(numbers_after_resuming(proxy, 1), Numbers{3});
  EXPECT_EQ(server.state().expired(), 2u);
  const auto patient = CORBA::make_reference<StructuredConsumer>();
  server.connect(patient)->set_qos({property("StopTimeSupported", false)});
  push(4, {property("StopTime", utc_in(-1))});
  ASSERT_TRUE(patient->has(1));
}

TEST_F(NotificationQos, GivesEventsTheTimeoutOfTheConsumer) {
  const auto proxy = suspended({property("Timeout", std::uint64_t{1})});
  push(1);
  push(2, {property("Timeout", hour)});
  EXPECT_EQ(numbers_after_resuming(proxy, 1), Numbers{2});
}

TEST_F(NotificationQos, HoldsEventsUntilTheirStartTime) {
  const auto impatient = CORBA::make_reference<StructuredConsumer>();
  server.connect(impatient)->set_qos({property("StartTimeSupported", false)});
  server.connect(consumer);
  push(1, {property("StartTime", utc_in(second / 5))});
  push(2, {property("StartTime", utc_in(hour))});
  push(3);
  ASSERT_TRUE(consumer->has(2));
  EXPECT_EQ(consumer->numbers(), (Numbers{3, 1}));
  ASSERT_TRUE(impatient->has(3));
  EXPECT_EQ(server.state().pending(), 1u);
}

TEST_F(NotificationQos, BoundsTheEventsOfAConsumer) {
  const auto proxy = suspended({property("MaxEventsPerConsumer", std::int32_t{2}),
                                property("DiscardPolicy", CosNotification::LifoOrder)});
  for (int i = 1; i <= 5; ++i) push(i);
  EXPECT_EQ(numbers_after_resuming(proxy, 2), (Numbers{1, 2}));
  EXPECT_EQ(server.state().discarded(), 3u);
}

TEST_F(NotificationQos, SendsBatchesOfTheirSize) {
  const auto sequence = CORBA::make_reference<SequenceConsumer>();
  const auto proxy = server.sequence_proxy();
  proxy->set_qos({property("MaximumBatchSize", std::int32_t{3}), property("PacingInterval", hour)});
  proxy->connect_sequence_push_consumer(server.activate<CosNotifyComm::SequencePushConsumer>(sequence));
  for (int i = 1; i <= 8; ++i) push(i);
  ASSERT_TRUE(sequence->has(6));
  EXPECT_EQ(sequence->batches(), (std::vector<std::size_t>{3, 3}));
  EXPECT_EQ(server.state().pending(), 2u);
  proxy->set_qos({property("PacingInterval", std::uint64_t{0})});
  ASSERT_TRUE(sequence->has(8));
  EXPECT_EQ(sequence->numbers(), (Numbers{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(NotificationQos, SendsAPartOfABatchAfterThePacingInterval) {
  const auto sequence = CORBA::make_reference<SequenceConsumer>();
  const auto proxy = server.sequence_proxy();
  proxy->set_qos({property("MaximumBatchSize", std::int32_t{100}), property("PacingInterval", second / 20)});
  proxy->connect_sequence_push_consumer(server.activate<CosNotifyComm::SequencePushConsumer>(sequence));
  push(1);
  ASSERT_TRUE(sequence->has(1));
  EXPECT_EQ(sequence->batches(), std::vector<std::size_t>{1});
}

TEST_F(NotificationQos, LimitsConsumersAndSuppliers) {
  server.channel->set_admin(
      {property("MaxConsumers", std::int32_t{1}), property("MaxSuppliers", std::int32_t{2})});
  EXPECT_EQ(server.channel->get_admin().size(), 4u);
  const auto first = server.structured_proxy();
  try {
    server.structured_proxy();
    FAIL();
  } catch (const admin::AdminLimitExceeded& limit) {
    EXPECT_EQ(limit.admin_property_err().name(), "MaxConsumers");
    EXPECT_EQ(limit.admin_property_err().value(), any_of(std::int32_t{1}));
  }
  EXPECT_EQ(raised_by([&] { server.channel->for_consumers()->obtain_push_supplier(); }), "IMP_LIMIT");
  server.supplier();
  EXPECT_EQ(raised_by([&] { server.supplier(); }), "AdminLimitExceeded");
  first->disconnect_structured_push_supplier();
  server.structured_proxy();
}

TEST_F(NotificationQos, RejectsEventsOfAFullChannel) {
  server.channel->set_admin({property("MaxQueueLength", std::int32_t{3}), property("RejectNewEvents", true)});
  const auto proxy = suspended();
  push(1);
  push(2);
  EXPECT_EQ(raised_by([&] { server.sequence_supplier()->push_structured_events({alarm(3), alarm(4)}); }),
            "IMP_LIMIT");
  push(3);
  EXPECT_EQ(raised_by([&] { push(4); }), "IMP_LIMIT");
  EXPECT_EQ(server.state().rejected(), 3u);
  EXPECT_EQ(numbers_after_resuming(proxy, 3), (Numbers{1, 2, 3}));
  EXPECT_TRUE(eventually([&] { return server.state().held() == 0; }));
  push(5);
  ASSERT_TRUE(consumer->has(4));
}

TEST_F(NotificationQos, DiscardsEventsOfAFullChannelThatRejectsNone) {
  server.channel->set_admin({property("MaxQueueLength", std::int32_t{2})});
  const auto proxy = suspended();
  for (int i = 1; i <= 4; ++i) push(i);
  EXPECT_EQ(numbers_after_resuming(proxy, 2), (Numbers{3, 4}));
  EXPECT_EQ(server.state().discarded(), 2u);
}

TEST_F(NotificationQos, TheLongestQueueOfAFullChannelGivesUpEvents) {
  server.channel->set_admin({property("MaxQueueLength", std::int32_t{6})});
  const auto proxy = suspended();
  for (int i = 1; i <= 9; ++i) push(i);
  const auto other =
      server.pull_supplier<admin::SequenceProxyPullSupplier>(admin::ClientType::SEQUENCE_EVENT);
  other->connect_sequence_pull_consumer(nullptr);
  for (int i = 10; i <= 12; ++i) push(i);
  bool has_event = false;
  const auto pulled = other->try_pull_structured_events(10, has_event);
  ASSERT_EQ(pulled.size(), 3u);
  EXPECT_EQ(number_in(pulled.front()), 10);
  EXPECT_EQ(numbers_after_resuming(proxy, 6), (Numbers{7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(server.state().discarded(), 6u);
}

}  // namespace
}  // namespace feature
