#include "trading/model/index.h"

#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "trading/model/values.h"

namespace takt::trading {
namespace {

using constraint::Operator;

// The number of a condition; nothing if it asks for a text.
std::optional<long double> number_in(const Condition& condition) {
  if (const auto* integer = std::get_if<constraint::Integer>(&condition.value))
    return static_cast<long double>(*integer);
  const auto* real = std::get_if<long double>(&condition.value);
  return real ? std::optional(*real) : std::nullopt;
}

// The part of an index between the conditions that it has been given.
template <class Key>
class Range {
 public:
  using Entry = std::pair<Key, OfferNumber>;

  void narrow(Operator action, const Key& key) {
    constexpr OfferNumber last = std::numeric_limits<OfferNumber>::max();  // which no offer has
    const Entry before(key, 0), behind(key, last);
    const bool is_equal = action == Operator::equal;
    if (is_equal || action == Operator::greater_equal) raise(before);
    if (action == Operator::greater) raise(behind);
    if (is_equal || action == Operator::less_equal) lower(behind);
    if (action == Operator::less) lower(before);
  }
  bool collect(const std::set<Entry>& ordered, std::size_t most, std::vector<OfferNumber>& found) const {
    if (from_ && to_ && !(*from_ < *to_)) return true;
    auto at = from_ ? ordered.lower_bound(*from_) : ordered.begin();
    const auto end = to_ ? ordered.lower_bound(*to_) : ordered.end();
    for (; at != end; ++at) {
      if (found.size() >= most) return false;
      found.push_back(at->second);
    }
    return true;
  }

 private:
  void raise(const Entry& bound) {
    if (!from_ || *from_ < bound) from_ = bound;
  }
  void lower(const Entry& bound) {
    if (!to_ || bound < *to_) to_ = bound;
  }

  std::optional<Entry> from_, to_;
};

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

bool PropertyIndex::collect(const std::vector<Condition>& conditions, std::size_t most,
                            std::vector<OfferNumber>& found) const {
  if (others_.size() > most) return false;
  found.insert(found.end(), others_.begin(), others_.end());
  // No value is a number and a text, so that the conditions of the first one's kind are enough.
  const bool of_numbers = number_in(conditions.front()).has_value();
  Range<long double> numbers;
  Range<std::string> texts;
  for (const Condition& each : conditions) {
    const auto number = number_in(each);
    const auto* text = std::get_if<std::string>(&each.value);
    if (of_numbers && number && !std::isnan(*number)) numbers.narrow(each.action, *number);
    if (!of_numbers && text) texts.narrow(each.action, *text);
  }
  return of_numbers ? numbers.collect(numbers_, most, found) : texts.collect(texts_, most, found);
}

}  // namespace takt::trading
