#include "trading/model/index.h"

#include <cmath>
#include <limits>
#include <variant>

#include "trading/model/values.h"

namespace takt::trading {
namespace {

using constraint::Operator;

template <class Key>
bool collect_between(const std::set<std::pair<Key, OfferNumber>>& ordered, Operator action, const Key& key,
                     std::size_t most, std::vector<OfferNumber>& found) {
  constexpr OfferNumber last = std::numeric_limits<OfferNumber>::max();
  auto from = ordered.begin(), to = ordered.end();
  if (action == Operator::equal || action == Operator::greater_equal) from = ordered.lower_bound({key, 0});
  if (action == Operator::greater) from = ordered.upper_bound({key, last});
  if (action == Operator::equal || action == Operator::less_equal) to = ordered.upper_bound({key, last});
  if (action == Operator::less) to = ordered.lower_bound({key, 0});
  for (; from != to; ++from) {
    if (found.size() >= most) return false;
    found.push_back(from->second);
  }
  return true;
}

}  // namespace

template <class Action>
void PropertyIndex::for_key(const Offer& offer, const Action& action) {
  const OfferProperty* property = offer.property(property_);
  if (!property) return;
  const constraint::Value value = property->dynamic ? constraint::Compound{} : value_of(property->value);
  if (const auto* integer = std::get_if<constraint::Integer>(&value))
    action(numbers_, std::pair(static_cast<long double>(*integer), offer.number));
  else if (const auto* real = std::get_if<long double>(&value); real && !std::isnan(*real))
    action(numbers_, std::pair(*real, offer.number));
  else if (const auto* text = std::get_if<std::string>(&value))
    action(texts_, std::pair(*text, offer.number));
  else
    action(others_, offer.number);
}

void PropertyIndex::add(const Offer& offer) {
  for_key(offer, [](auto& ordered, auto key) { ordered.insert(std::move(key)); });
}

void PropertyIndex::remove(const Offer& offer) {
  for_key(offer, [](auto& ordered, const auto& key) { ordered.erase(key); });
}

bool PropertyIndex::collect(const Condition& condition, std::size_t most,
                            std::vector<OfferNumber>& found) const {
  if (others_.size() > most) return false;
  found.insert(found.end(), others_.begin(), others_.end());
  const constraint::Value& value = condition.value;
  if (const auto* integer = std::get_if<constraint::Integer>(&value))
    return collect_between(numbers_, condition.action, static_cast<long double>(*integer), most, found);
  if (const auto* real = std::get_if<long double>(&value))
    return collect_between(numbers_, condition.action, *real, most, found);
  if (const auto* text = std::get_if<std::string>(&value))
    return collect_between(texts_, condition.action, *text, most, found);
  return false;
}

}  // namespace takt::trading
