// One query, from its texts to the offers that it finds.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trading/query/criteria.h"
#include "trading/query/search.h"
#include "trading/service/federation.h"
#include "trading/service/query_input.h"

namespace takt::trading {

class Query {
 public:
  // Both must outlive it.
  Query(Parts& parts, QueryInput& input);

  // The offers, ordered and cut to return_card. Adds to the input's limits_applied. Blocks for calls.
  std::vector<Result> run();
  DynamicValues& dynamic() { return dynamic_; }

 private:
  struct Ranked {
    Result result;
    std::optional<long double> rank;
  };

  std::vector<TypePtr> types() const;
  // Adds the offers of this trader, and returns its proxies.
  std::vector<OfferPtr> search();
  void ask_others(const std::vector<OfferPtr>& proxies);
  void add(Result result);
  void order();
  std::vector<Result> cut();

  Parts& parts_;
  QueryInput& input_;
  const DynamicValues::Clock::time_point end_;
  DynamicValues dynamic_;
  constraint::Budget budget_;
  Federation federation_;
  std::vector<Ranked> found_;
};

// The offers of this trader that match, without proxies: what withdraw_using_constraint withdraws. IMP_LIMIT
// if the limits of a query leave some of them unknown.
std::vector<OfferNumber> matching(Parts& parts, const TypePtr& type, const Criterion& criterion);

}  // namespace takt::trading
