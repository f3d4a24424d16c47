// Offers and their indexes when there is no memory.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "../../failing_memory.h"
#include "samples.h"
#include "trading/model/offers.h"

namespace takt::trading {
namespace {

constexpr std::int32_t offers = 20;

// Runs `action` with one failure at each of its allocations in turn, each time after `prepare`. `check` then
// sees what it has left. Returns how many there were.
template <class Prepare, class Action, class Check>
int fail_at_each_allocation(const Prepare& prepare, const Action& action, const Check& check) {
  const test::Here here;
  for (int allocation = 0;; ++allocation) {
    auto subject = prepare();
    const bool has_failed = test::fails_here(allocation, [&] { action(*subject); });
    check(*subject);
    if (!has_failed) return allocation;
  }
}

OfferPtr numbered(OfferNumber number) {
  return offer(number, "Printer",
               {property("pages", static_cast<std::int32_t>(number)),
                property("site", "a site with a long name, " + std::to_string(number))});
}

std::unique_ptr<OfferBook> filled() {
  Limits limits;
  limits.index_from_offers = 1;
  auto book = std::make_unique<OfferBook>(limits);
  for (std::int32_t i = 0; i < offers; ++i) book->put(numbered(*book->reserve("host", 0)));
  return book;
}

std::vector<OfferNumber> numbers_of(const std::vector<OfferPtr>& all) {
  std::vector<OfferNumber> numbers;
  for (const OfferPtr& each : all) numbers.push_back(each->number);
  return numbers;
}

// The indexes that there are find what a search through all offers finds.
void expect_that_indexes_hide_nothing(const OfferBook& book) {
  for (const OfferPtr& each : book.after("Printer", false, 0, 1'000)) {
    const auto page = static_cast<std::int32_t>(each->number);
    const auto by_pages =
        book.candidates("Printer", {{"pages", constraint::Operator::equal, constraint::Integer(page)}});
    const auto by_site = book.candidates("Printer", {{"site", constraint::Operator::equal,
                                                      "a site with a long name, " + std::to_string(page)}});
    for (const auto& found : {by_pages, by_site})
      EXPECT_EQ(numbers_of(found.value_or(std::vector{each})), std::vector{each->number});
  }
}

TEST(OfferBook, AnIndexThatCannotBeMadeHidesNoOffer) {
  const int failures = fail_at_each_allocation([] { return filled(); },
                                               [](OfferBook& book) {
                                                 book.make_index("Printer", "pages");
                                                 book.make_index("Printer", "site");
                                               },
                                               expect_that_indexes_hide_nothing);
  EXPECT_GT(failures, 2 * offers);
}

TEST(OfferBook, AnOfferThatCannotBePutHidesNoOther) {
  const OfferPtr further = numbered(offers + 1);
  const int failures = fail_at_each_allocation(
      [] {
        auto book = filled();
        book->make_index("Printer", "pages");
        book->make_index("Printer", "site");
        (void)book->reserve("host", 0);
        return book;
      },
      [&further](OfferBook& book) { book.put(further); },
      [](const OfferBook& book) {
        expect_that_indexes_hide_nothing(book);
        EXPECT_GE(book.count("Printer", false), static_cast<std::size_t>(offers));
      });
  EXPECT_GT(failures, 3);
}

}  // namespace
}  // namespace takt::trading
