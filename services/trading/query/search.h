// The search of one query among the offers of this trader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "naming/model/tree_mutex.h"
#include "trading/model/offers.h"
#include "trading/model/types.h"
#include "trading/query/criteria.h"
#include "trading/query/dynamic_values.h"
#include "trading/query/policies.h"

namespace takt::trading {

// The offers of a trader with their lock, which is held for short times only.
struct SharedOffers {
  explicit SharedOffers(const Limits& limits) : book(limits) {}
  OfferBook book;
  mutable naming::TreeMutex mutex;
};

struct SearchResult {
  std::vector<OfferPtr> matches, proxies;  // in the order of the search
  std::uint64_t looked_at = 0;
  bool indexed = false;     // an index has served at least one of the types
  bool search_cut = false;  // not all offers were looked at, or not with all of their values
  bool match_cut = false;
};

// Holds the lock neither while it evaluates nor while it calls.
class Search {
 public:
  // All must outlive it.
  Search(SharedOffers& offers, const Criterion& criterion, DynamicValues& dynamic, constraint::Budget& budget)
      : offers_(offers), criterion_(criterion), dynamic_(dynamic), budget_(budget) {}

  // Looks at the offers and then the proxies of each type. `policies`: the cardinalities, and which offers
  // are of use.
  SearchResult run(const std::vector<TypePtr>& types, const QueryPolicies& policies);

 private:
  void look_at(const ServiceType& type, bool proxies);
  // False: the search has ended.
  bool look_at(const std::vector<OfferPtr>& found, const ServiceType& type);
  bool is_of_use(const Offer& offer, const ServiceType& type) const;
  std::optional<std::vector<OfferPtr>> by_index(const ServiceType& type);

  SharedOffers& offers_;
  const Criterion& criterion_;
  DynamicValues& dynamic_;
  constraint::Budget& budget_;
  const QueryPolicies* policies_ = nullptr;
  SearchResult result_;
};

}  // namespace takt::trading
