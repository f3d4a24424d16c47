// Offers in memory, and their indexes.
#include "trading/model/offers.h"

#include <gtest/gtest.h>

#include <random>

#include "samples.h"

namespace takt::trading {
namespace {

Limits small_limits() {
  Limits limits;
  limits.offers = 5;
  limits.offers_per_host = 3;
  limits.index_from_offers = 1;
  limits.indexes = 2;
  return limits;
}

OfferNumber put(OfferBook& book, const std::string& type, std::vector<OfferProperty> properties,
                const std::string& host = "host") {
  const auto number = book.reserve(host, 0);
  if (!number) throw std::runtime_error("there is no room");
  book.put(offer(*number, type, std::move(properties), host));
  return *number;
}

TEST(OfferBook, KeepsOffersByNumberAndType) {
  OfferBook book({});
  const auto first = put(book, "A", {}), second = put(book, "B", {}), third = put(book, "A", {});
  EXPECT_EQ(book.size(), 3u);
  EXPECT_EQ(book.count("A", false), 2u);
  EXPECT_EQ(book.count("A", true), 0u);
  EXPECT_EQ(book.find(second)->type, "B");
  EXPECT_EQ(book.after("A", false, first, 10).front()->number, third);
  EXPECT_EQ(book.numbers_after(false, 0, 2), (std::vector{first, second}));
  book.remove(first);
  EXPECT_EQ(book.find(first), nullptr);
  EXPECT_EQ(book.after("A", false, 0, 10).size(), 1u);
  EXPECT_GT(put(book, "A", {}), third) << "no number comes again";
}

TEST(OfferBook, BoundsOffersInAllAndOfAHost) {
  OfferBook book(small_limits());
  for (int i = 0; i < 3; ++i) put(book, "A", {}, "x");
  EXPECT_FALSE(book.reserve("x", 0));
  const auto number = put(book, "A", {}, "y");
  ASSERT_TRUE(book.reserve("z", 0));
  EXPECT_FALSE(book.reserve("y", 0)) << "those that are reserved count";
  book.give_back("z", 0);
  EXPECT_TRUE(book.reserve("y", 0));
  book.give_back("y", 0);
  book.put(offer(number, "A", {}, "y"));  // replaces, and needs no room
  EXPECT_EQ(book.size(), 4u);
  book.remove(number);
  EXPECT_TRUE(book.reserve("y", 0));
}

TEST(OfferBook, BoundsOctetsInAllAndOfAHost) {
  Limits limits;
  limits.all_offers_bytes = 150;
  limits.host_bytes = 100;
  OfferBook book(limits);
  const auto number = book.reserve("x", 60);
  ASSERT_TRUE(number);
  EXPECT_FALSE(book.reserve("x", 41)) << "those that are reserved count";
  book.put(offer(*number, "A", {}, "x", 60));
  EXPECT_FALSE(book.reserve("x", 41));
  EXPECT_FALSE(book.reserve_growth("x", 41));
  ASSERT_TRUE(book.reserve_growth("x", 40));
  book.put(offer(*number, "A", {}, "x", 100));
  EXPECT_FALSE(book.reserve("y", 51)) << "in all";
  ASSERT_TRUE(book.reserve("y", 50));
  book.give_back("y", 50);
  book.put(offer(*number, "A", {}, "x", 10));  // smaller
  ASSERT_TRUE(book.reserve_growth("x", 90));
  book.give_back_growth("x", 90);
  ASSERT_TRUE(book.reserve("y", 100));
  book.give_back("y", 100);
  book.remove(*number);
  EXPECT_TRUE(book.reserve("x", 100));
}

std::vector<OfferNumber> numbers(const std::vector<OfferPtr>& offers) {
  std::vector<OfferNumber> all;
  for (const OfferPtr& each : offers) all.push_back(each->number);
  return all;
}

TEST(OfferBook, AnIndexHasCandidatesForEachOperator) {
  OfferBook book({});
  for (int i = 0; i < 40; ++i) put(book, "A", {property("n", std::int32_t{i})});
  book.make_index("A", "n");
  const auto found = [&](const char* text) { return book.candidates("A", criterion(text).conditions()); };
  EXPECT_EQ(numbers(*found("n == 7")), (std::vector<OfferNumber>{8}));
  EXPECT_EQ(numbers(*found("n < 2")), (std::vector<OfferNumber>{1, 2}));
  EXPECT_EQ(numbers(*found("n <= 1.5")), (std::vector<OfferNumber>{1, 2}));
  EXPECT_EQ(numbers(*found("n > 38")), (std::vector<OfferNumber>{40}));
  EXPECT_EQ(numbers(*found("n >= 38")), (std::vector<OfferNumber>{39, 40}));
  EXPECT_EQ(numbers(*found("n > 20 and n <= 22")), (std::vector<OfferNumber>{22, 23}))
      << "together they are few";
  EXPECT_EQ(numbers(*found("20 <= n and n < 25 and n < 22 and n >= 1")), (std::vector<OfferNumber>{21, 22}));
  EXPECT_TRUE(found("n > 20 and n < 20")->empty());
  EXPECT_TRUE(found("n == 20 and n > 20")->empty());
  EXPECT_TRUE(found("n == 'text'")->empty());
  EXPECT_TRUE(found("n == -1")->empty());
  EXPECT_FALSE(found("n > 5")) << "a search of all is quicker";
  EXPECT_FALSE(found("m == 5")) << "there is no such index";
  EXPECT_TRUE(book.candidates("B", {})->empty()) << "no offers, whatever the condition";
}

TEST(OfferBook, AnIndexFollowsChanges) {
  OfferBook book({});
  for (int i = 0; i < 20; ++i) put(book, "A", {property("n", std::int32_t{i})});
  book.make_index("A", "n");
  const auto found = [&](const char* text) {
    return numbers(*book.candidates("A", criterion(text).conditions()));
  };
  book.put(offer(3, "A", {property("n", std::int32_t{99})}));
  EXPECT_EQ(found("n == 99"), (std::vector<OfferNumber>{3}));
  EXPECT_TRUE(found("n == 2").empty());
  book.remove(3);
  EXPECT_TRUE(found("n == 99").empty());
  const auto added = put(book, "A", {property("n", 2.0)});
  EXPECT_EQ(found("n == 2"), (std::vector{added}));
}

TEST(OfferBook, ValuesThatNoIndexOrdersAreCandidatesAlways) {
  OfferBook book({});
  for (int i = 0; i < 20; ++i) put(book, "A", {property("n", std::int32_t{i})});
  const auto flag = put(book, "A", {property("n", true)});
  const auto nan = put(book, "A", {property("n", std::nan(""))});
  auto dynamic =
      std::make_shared<Offer>(*offer(*book.reserve("host", 0), "A", {property("n", std::int32_t{500})}));
  dynamic->properties[0].dynamic = true;
  book.put(dynamic);
  book.make_index("A", "n");
  EXPECT_EQ(numbers(*book.candidates("A", criterion("n == 3").conditions())),
            (std::vector<OfferNumber>{4, flag, nan, dynamic->number}));
}

TEST(OfferBook, TheLeastUsedIndexMakesRoom) {
  OfferBook book(small_limits());
  put(book, "A",
      {property("a", std::int32_t{1}), property("b", std::int32_t{1}), property("c", std::int32_t{1})});
  put(book, "A", {});
  put(book, "A", {});
  const auto wanted = [&](const char* text) {
    return book.wanted_indexes("A", criterion(text).conditions());
  };
  EXPECT_EQ(wanted("a == 1 and b == 1 and a < 2"), (std::vector<std::string>{"a", "b"}));
  book.make_index("A", "a");
  book.make_index("A", "b");
  EXPECT_TRUE(wanted("a == 1 and b == 1").empty());
  book.make_index("A", "c");
  ASSERT_EQ(book.indexes().size(), 2u);
  for (int i = 0; i < 16; ++i)
    EXPECT_TRUE(wanted("a == 1 and b == 1 and c == 1").empty()) << "the two are new";
  for (int i = 0; i < 16; ++i) wanted("a == 1");
  EXPECT_EQ(wanted("a == 1 and b == 1 and c == 1"), (std::vector<std::string>{"a"}));
}

TEST(OfferBook, IndexesInUseMakeNoRoom) {
  Limits limits = small_limits();
  limits.offers = limits.offers_per_host = 100;
  OfferBook book(limits);
  for (std::int32_t i = 0; i < 8; ++i) put(book, "A", {property("a", i), property("b", i), property("c", i)});
  std::size_t made = 0;
  for (int i = 0; i < 300; ++i) {
    const auto conditions = criterion(std::string(1, "abc"[i % 3]) + " == 1").conditions();
    for (const std::string& each : book.wanted_indexes("A", conditions)) {
      book.make_index("A", each);
      ++made;
    }
    book.candidates("A", conditions);
  }
  EXPECT_EQ(made, 2u);
}

TEST(OfferBook, IndexesHaveALimitOfEntries) {
  Limits limits = small_limits();
  limits.offers = 10;
  limits.index_entries = 5;
  OfferBook book(limits);
  const auto wanted = [&](const std::string& type) {
    return book.wanted_indexes(type, criterion("n == 1").conditions()).size();
  };
  for (std::int32_t i = 0; i < 3; ++i) put(book, "A", {property("n", i)}, "a");
  for (std::int32_t i = 0; i < 2; ++i) put(book, "B", {property("n", i)}, "b");
  book.make_index("A", "n");
  EXPECT_EQ(wanted("B"), 1u) << "there is room for two";
  const auto sixth = put(book, "A", {property("n", std::int32_t{9})}, "c");
  EXPECT_EQ(wanted("B"), 0u);
  book.remove(sixth);
  EXPECT_EQ(wanted("B"), 1u);
  put(book, "B", {property("n", std::int32_t{9})}, "b");
  EXPECT_EQ(wanted("B"), 0u);
  book.make_index("B", "n");
  EXPECT_EQ(book.indexes().size(), 1u) << "it has taken the place of the other";
}

// For any properties and constraint, an index finds the same offers as a search of all of them.
TEST(OfferBook, AnIndexLosesNoMatch) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::minstd_rand random(seed);
  OfferBook book({});
  const auto value = [&]() -> OfferProperty {
    const auto kind = random() % 20;
    if (kind == 0) return property("n", true);
    if (kind == 1) return property("m", std::int32_t{1});
    if (kind < 9) return property("n", static_cast<std::int32_t>(random() % 20) - 10);
    if (kind < 15) return property("n", static_cast<double>(random() % 40) / 2 - 10);
    return property("n", std::string(1, static_cast<char>('a' + random() % 5)));
  };
  for (int i = 0; i < 120; ++i) put(book, "A", {value()});
  book.make_index("A", "n");
  const char* const operators[] = {"==", "<", "<=", ">", ">="};
  std::size_t served = 0;
  for (int i = 0; i < 150; ++i) {
    const std::string literal = random() % 4
                                    ? std::to_string(static_cast<int>(random() % 24) - 12)
                                    : "'" + std::string(1, static_cast<char>('a' + random() % 6)) + "'";
    std::string text = std::string("n ") + operators[random() % 5] + " " + literal;
    if (i % 2)
      text += " and " + std::to_string(static_cast<int>(random() % 24) - 12) + " " + operators[random() % 5] +
              " n";
    const auto candidates = book.candidates("A", criterion(text).conditions());
    if (!candidates) continue;
    ++served;
    std::vector<OfferNumber> by_index, by_search;
    for (const OfferPtr& each : *candidates)
      if (matches(text, *each)) by_index.push_back(each->number);
    for (const OfferPtr& each : book.after("A", false, 0, 1'000))
      if (matches(text, *each)) by_search.push_back(each->number);
    EXPECT_EQ(by_index, by_search) << text;
  }
  EXPECT_GT(served, 15u);
}

}  // namespace
}  // namespace takt::trading
