#include "constraint/constraint.h"

#include <malloc.h>

#include <limits>

#include <gtest/gtest.h>

#include "readingsC.h"

namespace takt::constraint {
namespace {

Match match(const CORBA::Any& event, std::string_view text, std::size_t steps = 10'000) {
  const auto constraint = Constraint::parse(text);
  if (!constraint) {
    ADD_FAILURE() << text << ": " << constraint.error().text << " at " << constraint.error().octet;
    return Match::failed;
  }
  return constraint->match(event, steps);
}

CORBA::Any reading() {
  Readings::Reading reading;
  reading.name("north 'mast'");
  reading.level(-7);
  reading.huge(18446744073709551615u);
  reading.value(2.5);
  reading.valid(true);
  reading.grade('b');
  reading.state(Readings::Mode::running);
  reading.levels({3, 1, 4});
  reading.pair({1.5, 2.5});
  reading.detail().code(9);
  reading.by_state().speed(12.0);
  CORBA::Any inner;
  inner <<= std::string("inside");
  reading.more() <<= inner;
  reading.in(5);
  CORBA::Any event;
  event <<= reading;
  return event;
}

CosNotification::Property property(const std::string& name, const CORBA::Any& value) {
  CosNotification::Property made;
  made.name(name);
  made.value(value);
  return made;
}

template <class T>
CORBA::Any any_of(const T& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

CORBA::Any alarm() {
  CosNotification::StructuredEvent event;
  event.header().fixed_header().event_type().domain_name("Telecom");
  event.header().fixed_header().event_type().type_name("Alarm");
  event.header().fixed_header().event_name("link down");
  event.header().variable_header({property("Priority", any_of(std::int16_t{4}))});
  event.filterable_data(
      {property("severity", any_of(std::int32_t{3})), property("site", any_of(std::string("Bern")))});
  event.remainder_of_body() <<= std::string("rest");
  return any_of(event);
}

TEST(Constraint, AnEmptyTextMatchesEverything) {
  EXPECT_EQ(match(any_of(std::int32_t{1}), ""), Match::yes);
  EXPECT_EQ(match(any_of(std::int32_t{1}), " \n"), Match::yes);
}

TEST(Constraint, IsTrueOfAReading) {
  const CORBA::Any event = reading();
  for (const char* text : {
           "TRUE",
           "not FALSE",
           "$.level == -7",
           "level == -7",
           "$level < 0 and $value > 2",
           "$.level == 1 or $.valid",
           "$huge == 18446744073709551615 and $huge + 1 > $huge",
           "$value * 2 == 5",
           "$value - 0.5 == 2",
           "7 / 2 == 3.5 and 8 / 2 == 4",
           "2 + 3 * 4 == 14 and (2 + 3) * 4 == 20 and 10 - 3 - 2 == 5",
           "- 3 + 5 == 2 and +3 == 3 and 1e1 == 10 and .5 < 1",
           "'mast' ~ $name and not ('south' ~ $name)",
           R"($name == 'north \'mast\'')",
           "'abc' < 'abd' and 'a' < 'b'",
           "$grade == 'b'",
           "$state == 'running' and $state == 2 and $state > 1 and 'running' == $state",
           "4 in $levels and not (5 in $levels) and 2.5 in $.pair",
           "$levels._length == 3 and $.pair._length == 2",
           "$levels[2] == 4 and $.7[0] == 3 and $.1 == -7 and $ . 3 == 2.5",
           "exist $.level and not exist $.absent and not exist $levels[3]",
           "$detail._d == 2 and $detail.code == 9 and $detail.(2) == 9 and $detail.(+2) == 9",
           "not exist $detail.(1) and not exist $detail.text and not exist $detail.()",
           "not default $detail",
           "$by_state.('running') == 12 and not exist $by_state.('off')",
           "$more == 'inside'",
           "$._type_id == 'Reading' and $._repos_id == 'IDL:Readings/Reading:1.0'",
           R"($.\in == 5 and $\in == 5)",
           "TRUE == TRUE and FALSE < TRUE and FALSE != TRUE",
       })
    EXPECT_EQ(match(event, text), Match::yes) << text;
}

// A supplier that writes 0.1 and a consumer that asks for 0.1 mean the same number, however wide it is.
TEST(Constraint, ReadsNumbersAsTheyAreWritten) {
  for (const CORBA::Any& tenth : {any_of(0.1f), any_of(0.1), any_of(0.1L)})
    for (const char* text : {"$ == 0.1", "$ <= 0.1", "$ >= 0.1", "not ($ < 0.1)", "not ($ != 0.1)",
                             "$ > 0.0999999", "$ < 0.1000001", "$ == 1e-1"})
      EXPECT_EQ(match(tenth, text), Match::yes) << text;
  EXPECT_EQ(match(any_of(-9.99), "$ == -9.99"), Match::yes);
  EXPECT_EQ(match(any_of(1152921504606846976.0), "$ == 1152921504606846976"), Match::yes);
  EXPECT_EQ(match(any_of(1e23), "$ == 1e23"), Match::yes);
  EXPECT_EQ(match(any_of(5e-324), "$ == 5e-324 and $ > 0"), Match::yes);
  EXPECT_EQ(match(any_of(16777216.0f), "$ == 16777216 and $ < 16777217"), Match::yes);
  EXPECT_EQ(match(any_of(std::numeric_limits<double>::infinity()), "$ > 1e308"), Match::yes);
  EXPECT_EQ(match(any_of(0.1 + 0.2), "$ == 0.3"), Match::no) << "a program shows 0.30000000000000004";
}

TEST(Constraint, WhatAKindOfTypeLacksDoesNotExist) {
  const CORBA::Any number = any_of(std::int32_t{1});
  for (const char* text :
       {"not exist $._type_id", "not exist $._repos_id", "not exist $.(1)", "exist $._type_id or $ == 1"})
    EXPECT_EQ(match(number, text), Match::yes) << text;
  EXPECT_EQ(match(number, "$._type_id == 'long'"), Match::failed);
}

TEST(Constraint, NotBindsTighterThanComparisons) {
  EXPECT_EQ(match(reading(), "not $valid == FALSE"), Match::yes);
  EXPECT_EQ(match(reading(), "not $level == 3"), Match::failed) << "not of a number";
}

TEST(Constraint, FailsIfAPartIsAbsentOrTypesDoNotFit) {
  const CORBA::Any event = reading();
  for (const char* text : {"$absent == 1",
                           "$.level.x == 1",
                           "$levels[9] == 1",
                           "$.99 == 1",
                           "$name > 3",
                           "$levels == 3",
                           "'a' + 'b' == 'ab'",
                           "1 / 0 == 1",
                           "1 / 0.0 > 1",
                           "not 3",
                           "-'a' == 1",
                           "$level",
                           "3",
                           "1 in $level",
                           "'x' ~ 3",
                           "$valid and 3",
                           "default $level",
                           "$(level) == 1",
                           "$level._length == 0",
                           "$levels._d == 0",
                           "$levels._repos_id == ''",
                           "$levels._length.x == 3",
                           "$detail.text == 'x'"})
    EXPECT_EQ(match(event, text), Match::failed) << text;
}

TEST(Constraint, EndsAtTheOperandThatDecides) {
  EXPECT_EQ(match(reading(), "$valid or $absent"), Match::yes);
  EXPECT_EQ(match(reading(), "not $valid and $absent"), Match::no);
  EXPECT_EQ(match(reading(), "$absent or $valid"), Match::failed);
}

TEST(Constraint, ADefaultMemberIsFound) {
  Readings::Reading reading;
  reading.detail().bare(true);
  EXPECT_EQ(match(any_of(reading), "default $detail and $detail.() and $detail.bare"), Match::yes);
}

TEST(Constraint, VariablesOfAStructuredEvent) {
  for (const char* text :
       {"$type_name == 'Alarm' and $severity >= 3 and not exist $cleared", "$domain_name == 'Telecom'",
        "$event_name == 'link down'", "$site == 'Bern'", "$variable_header(Priority) == 4",
        "$filterable_data('severity') == 3", "$.header.fixed_header.event_type.type_name == 'Alarm'",
        "$header.fixed_header.event_name == 'link down'", "$fixed_header.event_type.domain_name == 'Telecom'",
        "$event_type.type_name == 'Alarm'", "$remainder_of_body == 'rest'", "$filterable_data._length == 2",
        "$.1(site) == 'Bern'", "$.0.0.1 == 'link down'"})
    EXPECT_EQ(match(alarm(), text), Match::yes) << text;
  EXPECT_EQ(match(alarm(), "$Priority == 4"), Match::failed) << "only filterable_data is searched";
}

TEST(Constraint, VariablesOfAListOfNamesAndValues) {
  const CORBA::Any event =
      any_of(CosNotification::PropertySeq{property("a", any_of(true)), property("b", any_of(1.5))});
  EXPECT_EQ(match(event, "$a and $(b) == 1.5 and not exist $c"), Match::yes);
}

TEST(Constraint, SaysWhatIsWrongWithAText) {
  for (const auto& [text, octet, fault] :
       std::initializer_list<std::tuple<std::string, std::size_t, std::string>>{
           {"$a ==", 5, "expected a value, found the end"},
           {"$a = 3", 3, "expected an operator or the end of the constraint, found '='"},
           {"$a == 3 $b", 8, "expected an operator or the end of the constraint, found '$'"},
           {"(1 == 2", 7, "expected an operator or ')', found the end"},
           {"$a < 2 < 3", 7, "expected an operator or the end of the constraint, found '<'"},
           {"$a.", 3, "expected a member's name or number, found the end"},
           {"$a[x]", 3, "expected a number below 2^62, found 'x'"},
           {"$a[99999999999999999999]", 3, "expected a number below 2^62, found '99999999999999999999'"},
           {"$a(3)", 3, "expected a name, found '3'"},
           {"$a == 'open", 6, "expected a value, found '''"},
           {"and", 0, "expected a value, found 'and'"},
           {"$a.(x)", 4, "expected a number below 2^62, found 'x'"}}) {
    const auto constraint = Constraint::parse(text);
    ASSERT_FALSE(constraint) << text;
    EXPECT_EQ(constraint.error().octet, octet) << text;
    EXPECT_EQ(constraint.error().text, fault) << text;
  }
}

std::string repeated(const std::string& part, int times, std::string whole = {}) {
  while (times-- > 0) whole += part;
  return whole;
}

TEST(Constraint, IsBounded) {
  const auto fault = [](const std::string& text) {
    const auto constraint = Constraint::parse(text);
    return constraint ? "" : constraint.error().text;
  };
  EXPECT_EQ(fault(repeated("(", 30'000)), "nested deeper than 100");
  EXPECT_EQ(fault(repeated("not ", 10'000)), "nested deeper than 100");
  EXPECT_EQ(fault(repeated("- ", 30'000)), "nested deeper than 100");
  EXPECT_EQ(fault(repeated("1 + ", 200) + "1 == 1"), "nested deeper than 100");
  EXPECT_EQ(fault(repeated("TRUE or ", 5'000) + "TRUE"), "more than 4096 operators and operands");
  EXPECT_EQ(fault("$a" + repeated(".b", 5'000) + " == 1"), "more than 4096 parts of components");
  EXPECT_EQ(fault(std::string(70'000, ' ') + "1"), "longer than 65536 octets");
  EXPECT_EQ(match(any_of(true), repeated("FALSE or ", 2'000) + "TRUE"), Match::yes)
      << "long lists of operands are not deep";
  EXPECT_EQ(match(any_of(true), "TRUE" + repeated(" and TRUE", 2'000)), Match::yes);
}

TEST(Constraint, TakesAtMostItsSteps) {
  const CORBA::Any event = any_of(std::vector<std::int32_t>(100'000));
  EXPECT_EQ(match(event, "1 in $"), Match::failed);
  EXPECT_EQ(match(event, "1 in $", 200'000), Match::no);
  EXPECT_EQ(match(event, "exist $.x", 3), Match::no);
  EXPECT_EQ(match(event, "exist $[1]", 1), Match::failed);
}

TEST(Constraint, PaysForTheOctetsThatItReads) {
  const CORBA::Any text = any_of(std::string(64'000, 'x'));
  EXPECT_EQ(match(text, "$ == 'a'"), Match::no);
  EXPECT_EQ(match(text, "$ == 'a'", 900), Match::failed);
  EXPECT_EQ(match(text, repeated("$ == 'a' or ", 8) + "$ == 'a'"), Match::no);
  EXPECT_EQ(match(text, repeated("$ == 'a' or ", 12) + "$ == 'a'"), Match::failed);
  const CORBA::Any texts = any_of(std::vector<std::string>(20, std::string(64'000, 'x')));
  EXPECT_EQ(match(texts, "'a' in $"), Match::failed);
  EXPECT_EQ(match(texts, "'a' in $", 100'000), Match::no);
  const CORBA::Any named = any_of(CosNotification::PropertySeq{
      property(std::string(64'000, 'n'), any_of(true)), property("b", any_of(true))});
  EXPECT_EQ(match(named, "$b"), Match::yes);
  EXPECT_EQ(match(named, "$b", 900), Match::failed);
}

TEST(Constraint, PaysForTheOctetsThatItDecodes) {
  const CORBA::Any inner = any_of(std::vector<std::int32_t>(16'000));
  EXPECT_EQ(match(any_of(inner), "$._length == 16000"), Match::yes);
  EXPECT_EQ(match(any_of(inner), "$._length == 16000", 900), Match::failed);
}

// A DynAny of each element would take hundreds of octets.
TEST(Constraint, ReadsNumbersInALongSequenceWhereTheyAre) {
  const CORBA::Any octets = any_of(std::vector<std::uint8_t>(900'000, 7)),
                   numbers = any_of(std::vector<double>(100'000, 2.5));
  const std::size_t before = ::mallinfo2().uordblks;
  DecodedEvent image(octets), samples(numbers);
  std::size_t steps = 100;
  for (const char* const text :
       {"$._length == 900000", "$[899999] == 7", "not exist $[900000]", "7 in $", "not exist $[0]._length"})
    EXPECT_EQ(Constraint::parse(text)->match(image, steps), Match::yes) << text;
  for (const char* const text : {"$._length == 100000", "$[99999] == 2.5", "2.5 in $"})
    EXPECT_EQ(Constraint::parse(text)->match(samples, steps), Match::yes) << text;
  EXPECT_LT(::mallinfo2().uordblks - before, std::size_t{1} << 20);
  EXPECT_EQ(match(octets, "8 in $"), Match::failed) << "more elements than steps";
}

TEST(Constraint, PaysForTheElementsOfAListThatIsTakenApart) {
  const CORBA::Any texts = any_of(std::vector<std::string>(500, "a"));
  EXPECT_EQ(match(texts, "$[3] == 'a'", 600), Match::yes);
  EXPECT_EQ(match(texts, "$[3] == 'a'", 400), Match::failed);
  EXPECT_EQ(match(texts, "$._length == 500", 400), Match::yes);
  EXPECT_EQ(match(texts, "'b' in $", 400), Match::failed);
}

TEST(Constraint, TellsItsMemory) {
  const auto bytes = [](const std::string& text) { return Constraint::parse(text)->bytes(); };
  EXPECT_EQ(bytes(""), 0u);
  EXPECT_GT(bytes("$a == 1"), 100u);
  EXPECT_GT(bytes(repeated("$a or ", 1'000) + "$a"), 100'000u);
  EXPECT_GT(bytes("$a == '" + std::string(10'000, 'x') + "'"), 10'000u);
}

}  // namespace
}  // namespace takt::constraint
