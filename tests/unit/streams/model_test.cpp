// Quality of service, properties and deviations.
#include <gtest/gtest.h>

#include <cmath>

#include "streams/model/property_table.h"
#include "streams/model/quality.h"
#include "streams/model/spread.h"

namespace takt::streams {
namespace {

using namespace std::chrono_literals;
using Reason = PropertyTable::Reason;

template <class T>
CosPropertyService::Property parameter(const std::string& name, const T& value) {
  CORBA::Any any;
  any <<= value;
  return {name, any};
}

TEST(Quality, IsLoweredToWhatTheDeviceCanDo) {
  AVStreams::streamQoS quality{{"other", {parameter("frame_rate", 5.0)}},
                               {"video",
                                {parameter("frame_rate", std::int32_t{60}),
                                 parameter("frame_rate_min", 20.0F), parameter("mine", true)}}};
  const auto negotiated = negotiate(quality, "video", {.frame_rate = 30});
  ASSERT_TRUE(negotiated) << negotiated.error();
  EXPECT_EQ(negotiated->granted.frame_rate, 30);
  EXPECT_FALSE(negotiated->met);
  const auto again = negotiate(quality, "video", {.frame_rate = 30});
  EXPECT_TRUE(again->met) << "it was lowered in place";
  EXPECT_EQ(again->granted.frame_rate, 30);
  EXPECT_EQ(quality[1].QoSParams()[2].property_name(), "mine");
}

TEST(Quality, OfAllFlowsHasNoName) {
  AVStreams::streamQoS quality{
      {"",
       {parameter("frame_rate", 10.0), parameter("late_frames", std::string("give")),
        parameter("delay_ms", std::uint16_t{40}), parameter("dscp", std::uint32_t{46}),
        parameter("priority", std::int16_t{3})}}};
  const auto granted = negotiate(quality, "any", {.priority = 10})->granted;
  EXPECT_EQ(granted.frame_rate, 10);
  EXPECT_EQ(granted.late, LateFrames::give);
  EXPECT_EQ(granted.delay, 40ms);
  EXPECT_EQ(granted.dscp, 46);
  EXPECT_EQ(granted.priority, 3);
  AVStreams::streamQoS none;
  EXPECT_TRUE(negotiate(none, "any", {})->met);
}

TEST(Quality, HasNoPriorityThatTheDeviceDoesNotAllow) {
  AVStreams::streamQoS quality{{"v", {parameter("priority", std::int16_t{99})}}};
  const auto none = negotiate(quality, "v", {});
  EXPECT_EQ(none->granted.priority, 0);
  EXPECT_FALSE(none->met);
  const auto some = negotiate(quality, "v", {.priority = 20});
  EXPECT_EQ(some->granted.priority, 20) << "the other end point is asked for as much as before";
  EXPECT_FALSE(some->met);
}

TEST(Quality, StaysWhereItIsLeftOut) {
  const FlowQuality before{10, 1000, 200ms, LateFrames::give, 46, 3};
  AVStreams::streamQoS quality{{"v", {parameter("frame_rate", 25.0)}}};
  FlowQuality expected = before;
  expected.frame_rate = 25;
  EXPECT_TRUE(negotiate(quality, "v", {.priority = 10}, {.quality = before})->granted == expected);
  quality = {{"v", {parameter("delay_ms", std::int32_t{0})}}};
  expected = before;
  expected.delay = 0ms;
  EXPECT_TRUE(negotiate(quality, "v", {.priority = 10}, {.quality = before})->granted == expected);
}

TEST(Quality, OfAFurtherConsumerIsThatOfTheProducer) {
  const PresentQuality present{.quality = {.frame_rate = 10, .priority = 3}, .is_produced = true};
  AVStreams::streamQoS quality{{"v", {parameter("frame_rate", 100.0), parameter("dscp", std::int16_t{46})}}};
  const auto lowered = negotiate(quality, "v", {}, present);
  EXPECT_FALSE(lowered->met);
  EXPECT_EQ(lowered->granted.frame_rate, 10);
  EXPECT_EQ(lowered->granted.priority, 3);
  EXPECT_EQ(lowered->granted.dscp, 46) << "packets are each consumer's own";
  EXPECT_TRUE(negotiate(quality, "v", {}, present)->met) << "it was changed in place";
  quality = {{"v", {parameter("frame_rate", 100.0), parameter("frame_rate_min", 20.0)}}};
  EXPECT_EQ(negotiate(quality, "v", {}, present).error(),
            "flow v: 20 frames a second are needed, and 10 can be granted");
  quality = {{"v", {parameter("priority", std::int16_t{50})}}};
  EXPECT_FALSE(negotiate(quality, "v", {}, present)->met);
}

TEST(Quality, ThatCannotBeGrantedIsRefusedWithTheReason) {
  const auto refusal = [](CosPropertyService::Properties parameters) {
    AVStreams::streamQoS quality{{"v", std::move(parameters)}};
    const auto negotiated = negotiate(quality, "v", {.frame_rate = 30, .frame_octets = 1000});
    return negotiated ? std::string("nothing") : negotiated.error();
  };
  EXPECT_EQ(refusal({parameter("frame_rate", 60.0), parameter("frame_rate_min", 50.5)}),
            "flow v: 50.5 frames a second are needed, and 30 can be granted");
  EXPECT_EQ(refusal({parameter("frame_octets", std::uint32_t{1001})}),
            "flow v: frames of 1001 octets; the limit is 1000");
  EXPECT_EQ(refusal({parameter("frame_rate", -1.0)}),
            "flow v: frame_rate must be a number from 0 to 1000000");
  EXPECT_EQ(refusal({parameter("frame_rate", std::nan(""))}),
            "flow v: frame_rate must be a number from 0 to 1000000");
  EXPECT_EQ(refusal({parameter("dscp", std::string("EF"))}), "flow v: dscp must be a number from 0 to 63");
  EXPECT_EQ(refusal({parameter("late_frames", std::string("keep"))}),
            "flow v: late_frames must be \"drop\" or \"give\"");
}

TEST(Properties, KeepTheirTypesAndTheirLimits) {
  PropertyTable table({.properties = 3, .property_bytes = 100});
  table.fix("Flows", parameter("", std::int32_t{1}).property_value());
  const auto define = [&table](const std::string& name, const auto& value) {
    return table.define(name, parameter("", value).property_value());
  };
  EXPECT_EQ(define("", 1.0), Reason::invalid_property_name);
  EXPECT_EQ(define("Flows", std::int32_t{2}), Reason::read_only_property);
  EXPECT_EQ(define("a", std::int32_t{2}), std::nullopt);
  EXPECT_EQ(define("a", 2.0), Reason::conflicting_property);
  EXPECT_EQ(define("a", std::int32_t{3}), std::nullopt);
  EXPECT_THROW(define("b", std::string(200, 'x')), CORBA::IMP_LIMIT);
  EXPECT_EQ(define("b", std::string(60, 'x')), std::nullopt);
  EXPECT_THROW(define("c", true), CORBA::IMP_LIMIT);
  EXPECT_EQ(table.remove("Flows"), Reason::fixed_property);
  EXPECT_EQ(table.remove("b"), std::nullopt);
  EXPECT_EQ(table.remove("b"), Reason::property_not_found);
  EXPECT_EQ(define("c", std::string(60, 'x')), std::nullopt) << "the octets are free again";
  EXPECT_EQ(table.size(), 3u);
}

TEST(Properties, OneAnswerIsLimitedHoweverOftenANameStandsInIt) {
  PropertyTable table({.properties = 3, .property_bytes = 100, .answer_bytes = 1000});
  table.fix("Flows", parameter("", std::string(60, 'x')).property_value());
  ASSERT_EQ(table.define("a", parameter("", std::string(60, 'x')).property_value()), std::nullopt);
  using Names = CosPropertyService::PropertyNames;
  bool all = true;
  EXPECT_EQ(table.named(Names{"a", "none", "a"}, all).size(), 3u);
  EXPECT_FALSE(all);
  EXPECT_THROW(table.named(Names(20, "a"), all), CORBA::IMP_LIMIT);
  EXPECT_THROW(table.named(Names(20, "Flows"), all), CORBA::IMP_LIMIT);
  EXPECT_EQ(table.named(Names(1000, "none"), all).size(), 1000u);
}

TEST(Spread, CountsWithinAnEighth) {
  Spread spread;
  EXPECT_EQ(spread.at(0.5), 0ns);
  for (int i = 1; i <= 1000; ++i) spread.add((i % 2 == 0 ? 1us : -1us) * i);
  EXPECT_EQ(spread.worst(), 1ms);
  EXPECT_GE(spread.at(0.5), 500us);
  EXPECT_LE(spread.at(0.5), 563us);
  EXPECT_GE(spread.at(0.99), 990us);
  EXPECT_LE(spread.at(0.99), 1ms);
  EXPECT_EQ(spread.at(1), 1ms);
  Spread extremes;
  for (const auto each : {std::chrono::nanoseconds::max(), -std::chrono::nanoseconds::max(), 0ns, 7ns, 8ns})
    extremes.add(each);
  EXPECT_EQ(extremes.worst(), std::chrono::nanoseconds::max());
  EXPECT_EQ(extremes.at(0), 0ns);
}

}  // namespace
}  // namespace takt::streams
