// Constraints and preferences on offers: the language of the Trading Object Service, annex B.
#include <gtest/gtest.h>

#include "samples.h"

namespace takt::trading {
namespace {

using Strings = std::vector<std::string>;
using Longs = std::vector<std::int32_t>;

const OfferPtr& printer() {
  static const OfferPtr made =
      offer(1, "Printer",
            {property("pages", std::int32_t{20}), property("price", 2.5), property("colour", true),
             property("site", std::string("north wing")), property("trays", Longs{1, 3}),
             property("formats", Strings{"A4", "A3"}), property("big", std::uint64_t{18446744073709551615u}),
             property("letter", 'x')});
  return made;
}

bool matches(const std::string& text) { return trading::matches(text, *printer()); }
bool is_constraint(const std::string& text) { return Criterion::parse(text, {}).has_value(); }

TEST(Constraint, ComparesNumbersTextsAndBooleans) {
  for (const char* text : {"",
                           "  ",
                           "TRUE",
                           "colour",
                           "pages == 20",
                           "pages != 21",
                           "pages < 20.5",
                           "pages <= 20",
                           "price > 2",
                           "price >= 2.5",
                           "site == 'north wing'",
                           "site < 'south'",
                           "colour == TRUE",
                           "letter == 'x'",
                           "big == 18446744073709551615",
                           "big > 18446744073709551614",
                           "20 == pages",
                           "-1 < pages",
                           "pages + 1 == 21",
                           "pages * price == 50",
                           "pages / 8 == price",
                           "pages - 20 == 0",
                           "-pages == -20"})
    EXPECT_TRUE(matches(text)) << text;
  for (const char* text : {"FALSE", "not colour", "pages == 21", "pages > 20", "price < 2.5",
                           "site == 'north'", "big == 18446744073709551614", "pages / 0 == 1"})
    EXPECT_FALSE(matches(text)) << text;
}

TEST(Constraint, JoinsConditions) {
  EXPECT_TRUE(matches("pages == 20 and price < 3 or site == 'x'"));
  EXPECT_TRUE(matches("site == 'x' or pages == 20 and colour"));
  EXPECT_FALSE(matches("(site == 'x' or pages == 20) and not colour"));
}

TEST(Constraint, LooksIntoTextsAndLists) {
  EXPECT_TRUE(matches("'wing' ~ site and 'A3' in formats and 3 in trays"));
  EXPECT_FALSE(matches("'A5' in formats"));
  EXPECT_FALSE(matches("2 in trays"));
  EXPECT_FALSE(matches("20 in pages")) << "no list";
}

TEST(Constraint, AListThatIsNotSearchedToItsEndIsNoMatch) {
  CORBA::Any number;
  number <<= std::int32_t{1};
  const OfferPtr long_list = offer(1, "Printer", {property("list", std::vector<CORBA::Any>(100, number))});
  constexpr std::size_t enough = 1'000, few = 150;  // each of the 100 Anys takes two
  EXPECT_TRUE(matches("not (3 in list)", *long_list, enough));
  EXPECT_FALSE(matches("not (3 in list)", *long_list, few));
  EXPECT_FALSE(matches("3 in list", *long_list, few));
}

TEST(Constraint, AnAbsentPropertyIsNoMatch) {
  EXPECT_FALSE(matches("floor == 3"));
  EXPECT_FALSE(matches("not (floor == 3)"));
  EXPECT_FALSE(matches("floor == 3 or pages == 20"));
  EXPECT_TRUE(matches("pages == 20 or floor == 3")) << "the first operand decides";
  EXPECT_TRUE(matches("not exist floor and exist pages"));
  EXPECT_FALSE(matches("pages == 'twenty'")) << "types that do not compare";
}

TEST(Constraint, IsRefusedWhereTheGrammarEnds) {
  for (const char* text : {"pages ==",
                           "== 3",
                           "pages = 3",
                           "(pages == 3",
                           "pages == 3)",
                           "$pages == 3",
                           "pages.x == 3",
                           "trays[1] == 3",
                           "formats._length == 2",
                           "'open",
                           "1 + 2",
                           "'text'",
                           "3",
                           "pages == 3 pages",
                           "and",
                           "a in 3",
                           "exist 3",
                           "default x",
                           "p(x) == 3",
                           "\xff",
                           "pages == 1e99999"})
    EXPECT_FALSE(is_constraint(text)) << text;
  EXPECT_TRUE(is_constraint("\\and == 3")) << "a backslash makes a name of a reserved word";
  EXPECT_TRUE(is_constraint("pages")) << "a name may be a boolean";
}

TEST(Constraint, HasLimits) {
  EXPECT_FALSE(is_constraint(std::string(200, '(') + "TRUE" + std::string(200, ')')));
  EXPECT_TRUE(is_constraint(std::string(30, '(') + "TRUE" + std::string(30, ')')));
  std::string many = "TRUE";
  for (int i = 0; i < 2'000; ++i) many += " or TRUE";
  EXPECT_FALSE(is_constraint(many));
  EXPECT_FALSE(is_constraint(std::string(100'000, ' ')));
  EXPECT_FALSE(trading::matches("pages == 20 and price == 2.5", *printer(), 3)) << "the steps are used up";
  const auto long_one = offer(1, "Printer", {property("text", std::string(60'000, 'x'))});
  EXPECT_TRUE(trading::matches("'x' ~ text", *long_one, 1'000));
  EXPECT_FALSE(trading::matches("'x' ~ text", *long_one, 500)) << "long texts take more steps";
}

TEST(Constraint, TellsIndexesWhatItNeeds) {
  const auto conditions = criterion("3 > pages and (site == 'x' and price >= -2.5) and colour").conditions();
  ASSERT_EQ(conditions.size(), 3u);
  EXPECT_EQ(conditions[0].property, "pages");
  EXPECT_EQ(conditions[0].action, constraint::Operator::less);
  EXPECT_EQ(conditions[1].property, "site");
  EXPECT_EQ(conditions[2].action, constraint::Operator::greater_equal);
  EXPECT_EQ(std::get<long double>(conditions[2].value), -2.5L);
  EXPECT_TRUE(criterion("pages == 1 or pages == 2").conditions().empty());
  EXPECT_TRUE(criterion("not (pages == 1)").conditions().empty());
  EXPECT_TRUE(criterion("pages != 1 and pages == trays and pages + 1 == 3").conditions().empty());
}

std::optional<long double> rank(const std::string& text, const Offer& of) {
  const auto preference = Preference::parse(text, {});
  if (!preference) throw std::runtime_error(text + ": " + preference.error().text);
  NoCalls calls;
  constraint::Budget budget(1'000);
  return preference->rank(OfferSubject(of, calls.values), budget);
}

TEST(Preference, RanksOffers) {
  EXPECT_EQ(rank("max pages", *printer()), 20.0L);
  EXPECT_EQ(rank("min price * 2", *printer()), -5.0L);
  EXPECT_EQ(rank("max(pages + 1)", *printer()), 21.0L);
  EXPECT_EQ(rank("with pages > 3", *printer()), 1.0L);
  EXPECT_EQ(rank("with site == 'x'", *printer()), 0.0L);
  EXPECT_EQ(rank("max floor", *printer()), std::nullopt);
  EXPECT_EQ(rank("max site", *printer()), std::nullopt);
  EXPECT_EQ(rank("first", *printer()), std::nullopt);
}

TEST(Preference, IsOneOfFiveWords) {
  const auto kind = [](const char* text) { return Preference::parse(text, {})->kind(); };
  EXPECT_EQ(kind(""), Preference::Kind::first);
  EXPECT_EQ(kind(" first "), Preference::Kind::first);
  EXPECT_EQ(kind("random"), Preference::Kind::random);
  EXPECT_EQ(kind("with colour"), Preference::Kind::with);
  for (const char* text :
       {"max", "min ", "with", "random x", "first x", "best", "Max pages", "max TRUE", "max 'x'",
        "max a == b", "with 3", "with a + b", "max $pages", "pages", "max (pages"})
    EXPECT_FALSE(Preference::parse(text, {}).has_value()) << text;
}

}  // namespace
}  // namespace takt::trading
