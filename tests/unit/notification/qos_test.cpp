#include "notification_parts/model/qos.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include <takt/standard/TimeBaseC.h>

namespace takt::notification {
namespace {

using CosNotification::QoSError_code;

template <class Value>
CosNotification::Property property(const std::string& name, const Value& value) {
  CORBA::Any any;
  any <<= value;
  return {name, any};
}

QoSError_code code_of(const CosNotification::Property& wrong, Level level = Level::channel) {
  const auto set = changed(Qos(), {property("Priority", std::int16_t{3}), wrong}, level, Limits());
  if (set || set.error().size() != 1 || set.error()[0].name() != wrong.name())
    throw std::logic_error("the property was set, or another one refused");
  return set.error()[0].code();
}

TEST(Qos, SetsPropertiesOfTheRightTypesAndRanges) {
  const auto set =
      changed(Qos(),
              {property("Priority", std::int16_t{3}), property("Timeout", std::uint64_t{50}),
               property("MaxEventsPerConsumer", std::int32_t{7}), property("OrderPolicy", std::int16_t{3}),
               property("DiscardPolicy", std::int16_t{4}), property("MaximumBatchSize", std::int32_t{8}),
               property("PacingInterval", std::uint64_t{9}), property("StartTimeSupported", false)},
              Level::proxy, Limits());
  ASSERT_TRUE(set);
  EXPECT_EQ(set->priority, 3);
  EXPECT_EQ(set->timeout, 50u);
  EXPECT_EQ(set->maximum_batch_size, 8);
  EXPECT_EQ(set->pacing_interval, 9u);
  EXPECT_FALSE(set->start_time_supported);
  EXPECT_TRUE(set->stop_time_supported);
  EXPECT_EQ(set->queue(Limits()), (QueuePolicies{Order::deadline, Discard::lifo, 7}));
}

TEST(Qos, SaysWhyAPropertyCannotBeSet) {
  EXPECT_EQ(code_of(property("Colour", std::int16_t{1})), QoSError_code::BAD_PROPERTY);
  EXPECT_EQ(code_of(property("OrderPolicy", std::int32_t{1})), QoSError_code::BAD_TYPE);
  EXPECT_EQ(code_of(property("Priority", std::string("high"))), QoSError_code::BAD_TYPE);
  EXPECT_EQ(code_of(property("OrderPolicy", std::int16_t{4})), QoSError_code::BAD_VALUE);
  EXPECT_EQ(code_of(property("Priority", std::int16_t{-32768})), QoSError_code::BAD_VALUE);
  EXPECT_EQ(code_of(property("MaxEventsPerConsumer", std::int32_t{-1})), QoSError_code::BAD_VALUE);
  EXPECT_EQ(code_of(property("MaximumBatchSize", std::int32_t{0})), QoSError_code::BAD_VALUE);
  EXPECT_EQ(code_of(property("EventReliability", std::int16_t{1})), QoSError_code::UNSUPPORTED_VALUE);
  EXPECT_EQ(code_of(property("ConnectionReliability", std::int16_t{1}), Level::proxy),
            QoSError_code::UNSUPPORTED_VALUE);
  EXPECT_EQ(code_of(property("StartTime", TimeBase::UtcT())), QoSError_code::UNSUPPORTED_PROPERTY);
  EXPECT_EQ(code_of(property("EventReliability", std::int16_t{0}), Level::proxy),
            QoSError_code::UNSUPPORTED_PROPERTY);
  EXPECT_EQ(code_of(property("OrderPolicy", std::int16_t{1}), Level::message),
            QoSError_code::UNSUPPORTED_PROPERTY);
}

TEST(Qos, SaysWhichValuesAreAvailable) {
  const auto set = changed(Qos(), {property("OrderPolicy", std::int16_t{9})}, Level::channel, Limits());
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error()[0].available_range().low_val(), property("", std::int16_t{0}).value());
  EXPECT_EQ(set.error()[0].available_range().high_val(), property("", std::int16_t{3}).value());
}

TEST(Qos, ReportsEveryPropertyThatCannotBeSet) {
  const auto set =
      changed(Qos(), {property("A", true), property("Priority", true), property("Timeout", true)},
              Level::channel, Limits());
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().size(), 3u);
}

TEST(Qos, ReportsAHundredPropertiesAtMost) {
  const CosNotification::QoSProperties many(100'000, property("Colour", true));
  EXPECT_EQ(changed(Qos(), many, Level::channel, Limits()).error().size(), 100u);
}

TEST(Qos, ListsWhatCanBeSetBesideTheRequired) {
  const auto ranges = available_beside({property("Priority", std::int16_t{1})}, Level::message, Limits());
  ASSERT_TRUE(ranges);
  std::map<std::string, CosNotification::PropertyRange> named;
  for (const auto& each : *ranges) named[each.name()] = each.range();
  EXPECT_EQ(named.size(), 4u);
  EXPECT_TRUE(named.contains("Timeout") && named.contains("StartTime") && named.contains("StopTime") &&
              named.contains("EventReliability"));
  EXPECT_EQ(available_beside({}, Level::channel, Limits())->size(), 11u);
  EXPECT_FALSE(available_beside({property("Priority", true)}, Level::message, Limits()));
}

TEST(Qos, IsListedWithTheValuesThatHold) {
  Qos qos;
  qos.priority = 12;
  const auto properties = properties_of(qos, Level::channel);
  EXPECT_EQ(properties.size(), 11u);
  EXPECT_EQ(changed(Qos(), properties, Level::channel, Limits())->priority, 12);
}

TEST(AdminProperties, AreSetAsAWholeOrNotAtAll) {
  const auto set = changed(AdminProperties(),
                           {property("MaxQueueLength", std::int32_t{5}), property("RejectNewEvents", true)});
  ASSERT_TRUE(set);
  EXPECT_EQ(set->max_queue_length, 5);
  EXPECT_TRUE(set->reject_new_events);
  EXPECT_EQ(properties_of(*set).size(), 4u);
  const auto refused = changed(*set, {property("MaxConsumers", std::int32_t{-1}),
                                      property("MaxSuppliers", std::int16_t{1}), property("Priority", true)});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].code(), QoSError_code::BAD_VALUE);
  EXPECT_EQ(refused.error()[1].code(), QoSError_code::BAD_TYPE);
  EXPECT_EQ(refused.error()[2].code(), QoSError_code::BAD_PROPERTY);
}

}  // namespace
}  // namespace takt::notification
