// An index on one property of the offers of one type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "constraint/expression.h"
#include "trading/model/offer.h"

namespace takt::trading {

// Which values of a property a constraint asks for: `property action value`.
struct Condition {
  std::string property;
  constraint::Operator action{};  // equal, less, less_equal, greater or greater_equal
  constraint::Value value;        // a number or a text
};

// Holds numbers and texts in order. Offers whose property is of another kind, or dynamic, are candidates for
// every condition. Not thread-safe.
class PropertyIndex {
 public:
  explicit PropertyIndex(std::string property) : property_(std::move(property)) {}

  void add(const Offer& offer);
  void remove(const Offer& offer);
  std::size_t size() const { return numbers_.size() + texts_.size() + others_.size(); }

  // Appends the offers that may fulfil the condition, without an order. False, with some of them, if there
  // are more than `most`.
  bool collect(const Condition& condition, std::size_t most, std::vector<OfferNumber>& found) const;

 private:
  template <class Key>
  using Ordered = std::set<std::pair<Key, OfferNumber>>;

  template <class Action>
  void for_key(const Offer& offer, const Action& action);

  const std::string property_;
  Ordered<long double> numbers_;  // has every integer of IDL
  Ordered<std::string> texts_;
  std::set<OfferNumber> others_;
};

}  // namespace takt::trading
