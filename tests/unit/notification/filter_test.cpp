#include "notification_parts/filter/filter.h"

#include <gtest/gtest.h>

#include "notification_parts/model/event.h"

namespace takt::notification {
namespace {

using Ids = ConstraintTable::Ids;

CosNotifyFilter::ConstraintExp expression(const std::string& text,
                                          const CosNotification::EventTypeSeq& types = {}) {
  return {types, text};
}

class FilterTest : public ::testing::Test {
 protected:
  // Whether the filter matches an alarm of that severity.
  bool matches(const Filter& filter, std::int16_t severity, std::size_t steps = 1'000) {
    CORBA::Any value;
    value <<= severity;
    CosNotification::StructuredEvent event;
    event.header().fixed_header().event_type({"Telecom", "Alarm"});
    event.filterable_data({{"severity", value}});
    const Event whole(event, memory, held);
    Candidate candidate(
        whole.domain(), whole.type(), [&]() -> const CORBA::Any& { return whole.as_any(); },
        decoding_steps(event));
    return filter.matches(candidate, steps);
  }
  std::int32_t add(const std::string& text, const CosNotification::EventTypeSeq& types = {}) {
    return filter.constraints.add({{expression(text, types)}})->at(0)->id;
  }

  Limits limits;
  Memory memory{1 << 20};
  std::shared_ptr<HeldEvents> held = std::make_shared<HeldEvents>(0);
  Filter filter{1, "EXTENDED_TCL", limits};
};

TEST_F(FilterTest, MatchesNothingWithoutConstraints) { EXPECT_FALSE(matches(filter, 3)); }

TEST_F(FilterTest, MatchesIfOneOfItsConstraintsDoes) {
  add("$severity > 5");
  EXPECT_FALSE(matches(filter, 3));
  add("$severity == 3");
  EXPECT_TRUE(matches(filter, 3));
  EXPECT_TRUE(matches(filter, 6));
  EXPECT_FALSE(matches(filter, 4));
}

TEST_F(FilterTest, LooksAtTheTypesOfAConstraint) {
  const auto id = add("", {{"Finance", "*"}});
  EXPECT_FALSE(matches(filter, 3));
  ASSERT_TRUE(
      filter.constraints.modify({}, {{id, {expression("", {{"Finance", "*"}, {"Tele*", "Alarm"}})}}}));
  EXPECT_TRUE(matches(filter, 3));
}

TEST_F(FilterTest, MatchesNothingAfterItsEndOrItsSteps) {
  add("$severity == 3 and $severity == 3");
  EXPECT_TRUE(matches(filter, 3));
  EXPECT_FALSE(matches(filter, 3, 3));
  filter.end();
  EXPECT_FALSE(matches(filter, 3));
}

TEST_F(FilterTest, SharesItsStepsAmongItsConstraints) {
  for (int i = 0; i < 20; ++i) add("$severity > 100");
  add("$severity == 3");
  EXPECT_TRUE(matches(filter, 3));
  EXPECT_FALSE(matches(filter, 3, 60));
}

TEST_F(FilterTest, ChangesItsConstraintsAsAWholeOrNotAtAll) {
  const auto first = add("TRUE"), second = add("FALSE");
  const auto added = filter.constraints.add({{expression("TRUE")}, {expression("1 +")}});
  ASSERT_FALSE(added);
  EXPECT_EQ(std::get<ConstraintTable::Invalid>(added.error()).expression.constraint_expr(), "1 +");
  EXPECT_FALSE(filter.constraints.modify({first, 77}, {}));
  EXPECT_FALSE(filter.constraints.modify({first}, {{first, {expression("TRUE")}}}));
  EXPECT_FALSE(filter.constraints.modify({first}, {{second, {expression("(")}}}));
  EXPECT_EQ(filter.constraints.all().size(), 2u);
  ASSERT_TRUE(filter.constraints.modify({first}, {{second, {expression("$severity == 1")}}}));
  EXPECT_EQ(filter.constraints.all().size(), 1u);
  EXPECT_TRUE(matches(filter, 1));
  EXPECT_FALSE(filter.constraints.get({first}));
  EXPECT_EQ(filter.constraints.get({second})->at(0)->text.expression.constraint_expr(), "$severity == 1");
  filter.constraints.clear();
  EXPECT_TRUE(filter.constraints.all().empty());
}

TEST_F(FilterTest, HasBounds) {
  limits.constraints = 3;
  limits.constraint_bytes = 20;
  limits.event_types = 2;
  limits.attached_filters = 1;
  limits.callbacks = 1;
  EXPECT_FALSE(filter.constraints.add({{expression(std::string(30, ' ') + "TRUE")}}));
  EXPECT_FALSE(filter.constraints.add({{expression("", {{"a", "b"}, {"c", "d"}, {"e", "f"}})}}));
  for (int i = 0; i < 3; ++i) add("");
  EXPECT_FALSE(filter.constraints.add({{expression("")}}));
  EXPECT_TRUE(filter.constraints.get({1, 1, 1}));
  EXPECT_FALSE(filter.constraints.get({1, 1, 1, 1}));
  FilterList list(limits);
  const auto other = std::make_shared<Filter>(2, "TCL", limits);
  EXPECT_TRUE(list.add(other));
  EXPECT_FALSE(list.add(other));
  EXPECT_TRUE(filter.attach(nullptr));
  EXPECT_FALSE(filter.attach(nullptr));
}

TEST_F(FilterTest, TellsCallbacksWhichTypesHaveChanged) {
  ASSERT_TRUE(filter.attach(nullptr));
  add("", {{"a", "b"}});
  const auto ready = filter.types_changed();
  EXPECT_EQ(ready.size(), 1u);
  filter.constraints.clear();
  EXPECT_TRUE(filter.types_changed().empty()) << "the callback is ready, and learns of both changes at once";
  ready.front()->run();  // makes no call, because nothing has changed for this client
  EXPECT_FALSE(ready.front()->run());
  add("TRUE", {{"a", "b"}});
  EXPECT_EQ(filter.types_changed().size(), 1u);
  add("FALSE", {{"a", "b"}});
  EXPECT_TRUE(filter.types_changed().empty());
}

TEST_F(FilterTest, TellsEndedCallbacksNothing) {
  const auto id = filter.attach(nullptr);
  add("", {{"a", "b"}});
  const auto ready = filter.types_changed();
  EXPECT_TRUE(filter.detach(*id));
  EXPECT_FALSE(ready.at(0)->run());
  EXPECT_FALSE(filter.detach(*id));
}

TEST_F(FilterTest, EndedCallbacksKeepNoTypes) {
  const auto id = filter.attach(nullptr);
  add("", {{"a", "b"}});
  const auto ready = filter.types_changed();
  std::set<FilterCallback::Types> kept;
  ready.at(0)->add_to(kept);
  EXPECT_EQ(kept.size(), 2u);
  const std::vector<std::weak_ptr<const TypesOfFilter>> lists(kept.begin(), kept.end());
  kept.clear();
  EXPECT_TRUE(filter.detach(*id));
  for (const auto& each : lists) EXPECT_TRUE(each.expired()) << "the dispatcher still has the callback";
  EXPECT_FALSE(ready.at(0)->note(std::make_shared<const TypesOfFilter>(std::set<TypeName>{})));
}

TEST_F(FilterTest, CountsTheTypesThatItsCallbacksHaveYetToBeTold) {
  const std::uint64_t list = bytes_of(std::set<TypeName>{{"a", std::string(1'000, 'x')}});
  const auto change_types = [&](char letter) {
    filter.constraints.clear();
    add("", {{"a", std::string(1'000, letter)}});
  };
  change_types('0');
  EXPECT_EQ(filter.bytes(), filter.constraints.bytes());
  for (char letter = '1'; letter <= '9'; ++letter) {
    const auto kept = static_cast<std::uint64_t>(letter - '0');
    ASSERT_TRUE(filter.attach(nullptr));
    EXPECT_EQ(filter.bytes(), filter.constraints.bytes() + kept * list);
    change_types(letter);
    EXPECT_EQ(filter.bytes(), filter.constraints.bytes() + (kept + 1) * list) << "before it is kept";
    filter.types_changed();
    EXPECT_EQ(filter.bytes(), filter.constraints.bytes() + (kept + 1) * list);
  }
  filter.end();
  EXPECT_EQ(filter.bytes(), 0u);
}

TEST_F(FilterTest, BoundsTheMemoryOfItsConstraints) {
  limits.filter_bytes = 100'000;
  std::string terms = "$a";
  for (int i = 0; i < 200; ++i) terms += " or $a";
  const auto id = add(terms);
  const std::uint64_t one = filter.constraints.bytes();
  EXPECT_GT(one, 20 * terms.size());
  const auto all = filter.constraints.add(std::vector<ConstraintText>(20, ConstraintText{expression(terms)}));
  ASSERT_FALSE(all);
  EXPECT_TRUE(std::holds_alternative<ConstraintTable::TooLarge>(all.error()));
  EXPECT_EQ(filter.constraints.bytes(), one);
  CORBA::Any value;
  value <<= std::string(200'000, 'x');
  EXPECT_FALSE(filter.constraints.modify({}, {{id, {expression("TRUE"), value}}}));
  EXPECT_TRUE(filter.constraints.modify({}, {{id, {expression("TRUE")}}}));
  EXPECT_LT(filter.constraints.bytes(), 1'000u);
}

TEST_F(FilterTest, MatchesNoEventWhoseDecodingTakesMoreThanItsSteps) {
  limits.filter_steps = 1'000;
  const auto matches_list = [&](std::size_t length) {
    CORBA::Any list;
    list <<= CosNotifyFilter::ConstraintIDSeq(length);
    Candidate candidate("", any_type, [&]() -> const CORBA::Any& { return list; }, decoding_steps(list));
    std::size_t steps = limits.filter_steps;
    return filter.matches(candidate, steps);
  };
  add("$._length > 0");
  EXPECT_TRUE(matches_list(1'000));
  EXPECT_FALSE(matches_list(100'000));
  add("");  // looks at no part of the event
  EXPECT_TRUE(matches_list(100'000));
}

}  // namespace
}  // namespace takt::notification
