#include "notification_parts/model/event.h"

#include <gtest/gtest.h>

#include <string>

#include <takt/standard/TimeBaseC.h>

#include "notification_parts/model/times.h"

namespace takt::notification {
namespace {

class EventTest : public ::testing::Test {
 protected:
  template <class Value>
  static CORBA::Any any(const Value& value) {
    CORBA::Any any;
    any <<= value;
    return any;
  }
  static TimeBase::UtcT utc(Units time) {
    TimeBase::UtcT utc;
    utc.time(time);
    return utc;
  }

  Memory memory{1 << 20};
  std::shared_ptr<HeldEvents> held = std::make_shared<HeldEvents>(0);
};

TEST_F(EventTest, WrapsAnAnyInAStructuredEvent) {
  const Event event(any(std::string("rain")), memory, held);
  EXPECT_EQ(event.type(), "%ANY");
  EXPECT_EQ(event.domain(), "");
  const auto& type = event.as_structured().header().fixed_header().event_type();
  EXPECT_EQ(type.domain_name(), "");
  EXPECT_EQ(type.type_name(), "%ANY");
  EXPECT_EQ(event.as_structured().remainder_of_body(), any(std::string("rain")));
  EXPECT_EQ(event.as_any(), any(std::string("rain")));
}

TEST_F(EventTest, PutsTheWholeOfAStructuredEventIntoAnAny) {
  CosNotification::StructuredEvent given;
  given.header().fixed_header().event_type({"Telecom", "Alarm"});
  given.remainder_of_body(any(std::int32_t{7}));
  const Event event(given, memory, held);
  CosNotification::StructuredEvent inside;
  ASSERT_TRUE(event.as_any() >>= inside);
  EXPECT_EQ(inside, given);
  EXPECT_EQ(event.domain(), "Telecom");
  EXPECT_EQ(event.type(), "Alarm");
}

TEST_F(EventTest, ReadsItsPropertiesAndIgnoresThoseOfWrongTypes) {
  CosNotification::StructuredEvent given;
  given.header().variable_header({{"Priority", any(std::int16_t{-5})},
                                  {"Timeout", any(std::int32_t{3})},
                                  {"StartTime", any(utc(4))},
                                  {"StopTime", any(std::string("soon"))},
                                  {"Colour", any(std::string("red"))}});
  const Event event(given, memory, held);
  EXPECT_EQ(event.qos().priority, -5);
  EXPECT_EQ(event.qos().timeout, std::nullopt);
  EXPECT_EQ(event.qos().start_time, 4u);
  EXPECT_EQ(event.qos().stop_time, std::nullopt);
}

// The octets of a sequence that has the event behind `before` numbers of 4 octets.
template <class Write>
std::vector<std::uint8_t> sequence_with(int before, const Write& write) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  for (int i = 0; i < before; ++i) out.put(std::uint32_t{1});
  write(out);
  EXPECT_TRUE(out.ok());
  return buffer.copy();
}

TEST_F(EventTest, IsInAnySequenceAsItsCodecWritesIt) {
  CosNotification::StructuredEvent given;
  given.header().fixed_header().event_type({"Telecom", "Alarm"});
  given.header().variable_header({{"Priority", any(std::int16_t{-5})}});
  given.filterable_data({{"level", any(1.5)}});
  given.remainder_of_body(any(std::string("rain")));
  const Event event(given, memory, held);
  for (int round = 0; round < 2; ++round)
    for (const int before : {1, 2, 3})
      EXPECT_EQ(sequence_with(before, [&](cdr::Encoder& out) { event.write(out); }),
                sequence_with(before, [&](cdr::Encoder& out) { cdr::write(out, given); }));
}

TEST_F(EventTest, CountsItselfAndItsMemoryWhileItLives) {
  {
    const Event event(any(std::string(1'000, 'x')), memory, held);
    EXPECT_EQ(*held, 1u);
    EXPECT_GT(memory.used_bytes(), 1'000u);
  }
  EXPECT_EQ(*held, 0u);
  EXPECT_EQ(memory.used_bytes(), 0u);
}

// A type can be much longer than the values of it. Batches and replies are bounded by these octets too.
TEST_F(EventTest, CountsTheMemoryOfTypes) {
  CORBA::Any data = any(std::int32_t{1});
  data.type(cdr::make_alias("IDL:A:1.0", std::string(100'000, 'x'), data.type()));
  const Event as_any(data, memory, held);
  EXPECT_GT(as_any.sent_bytes(), 100'000u);
  CosNotification::StructuredEvent structured;
  structured.filterable_data().emplace_back("value", data);
  const Event as_structured(structured, memory, held);
  EXPECT_GT(as_structured.sent_bytes(), 100'000u);
  EXPECT_GT(memory.used_bytes(), 400'000u);
}

TEST(Times, SaturateInsteadOfOverflowing) {
  using namespace std::chrono_literals;
  const Clock::time_point now(1h);
  const std::chrono::system_clock::time_point wall(10s);
  EXPECT_EQ(duration_of(10'000'000), 1s);
  EXPECT_EQ(duration_of(~Units{0}), longest_time);
  EXPECT_EQ(moment_of(unix_epoch + 110'000'000, {now, wall}), now + 1s);
  EXPECT_EQ(moment_of(unix_epoch + 90'000'000, {now, wall}), now - 1s);
  EXPECT_EQ(moment_of(~Units{0}, {now, wall}), now + longest_time);
  EXPECT_EQ(moment_of(0, {now, wall}), now - longest_time);
}

}  // namespace
}  // namespace takt::notification
