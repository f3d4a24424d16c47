// One query, from its texts to the offers that it finds.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trading/query/criteria.h"
#include "trading/query/policies.h"
#include "trading/query/search.h"
#include "trading/service/parts.h"
#include "trading/service/results.h"

namespace takt::trading {

// The arguments of Lookup::query, checked.
struct QueryInput {
  TypePtr type;
  std::string constraint_text, preference_text;
  Criterion criterion;
  Preference preference;
  QueryPolicies policies;
  Desired desired;
};

// Throws what query() raises.
QueryInput query_input(const Parts& parts, const std::string& type, const std::string& constraint,
                       const std::string& preference, const CosTrading::PolicySeq& policies,
                       const CosTrading::Lookup::SpecifiedProps& desired);

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
  void add(Result result);
  void order();

  Parts& parts_;
  QueryInput& input_;
  DynamicValues dynamic_;
  constraint::Budget budget_;
  std::vector<Ranked> found_;
};

// The offers of this trader that match, without proxies: what withdraw_using_constraint withdraws.
std::vector<OfferNumber> matching(Parts& parts, const TypePtr& type, const Criterion& criterion);

}  // namespace takt::trading
