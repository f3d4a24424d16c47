// A constraint, a preference and a recipe, each up to a zero, and behind them the properties of an offer as
// the store has them.
#include <string>
#include <string_view>

#include "cdr_input.h"
#include "trading/model/recipe.h"
#include "trading/query/criteria.h"
#include "trading/query/offer_subject.h"
#include "trading/store/octets.h"

namespace {

std::string take_text(std::string_view& input) {
  const auto end = std::min(input.find('\0'), input.size());
  std::string text(input.substr(0, end));
  input.remove_prefix(std::min(end + 1, input.size()));
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::trading;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string constraint = take_text(input), preference = take_text(input), recipe = take_text(input);
  Offer offer;
  CosTrading::PropertySeq properties;
  if (read_octets(input, properties, nullptr))
    for (const CosTrading::Property& each : properties)
      offer.properties.push_back({each.name(), each.value(), false});
  const Limits limits;
  DynamicCounts counts;
  takt::MemoryBudget memory;
  DynamicValues dynamic(limits, counts, memory, {});
  const OfferSubject subject(offer, dynamic);
  const auto criterion = Criterion::parse(constraint, limits);
  if (criterion) {
    takt::constraint::Budget once(1000), again(1000);
    const bool matches = criterion->matches(subject, once);
    takt::fuzz::require(matches == criterion->matches(subject, again));
    for (const Condition& each : criterion->conditions()) {
      PropertyIndex index(each.property);
      index.add(offer);
      std::vector<OfferNumber> candidates;
      index.collect({each}, 10, candidates);
      takt::fuzz::require(!matches || !candidates.empty());
    }
  }
  if (const auto order = Preference::parse(preference, limits)) {
    takt::constraint::Budget budget(1000);
    order->rank(subject, budget);
  }
  const auto made = expanded(
      recipe, constraint,
      [&](const std::string& name) -> std::optional<takt::constraint::Value> {
        const OfferProperty* property = offer.property(name);
        return property ? std::optional(value_of(property->value)) : std::nullopt;
      },
      1000);
  takt::fuzz::require(!made || made->size() <= 1000);
  return 0;
}
