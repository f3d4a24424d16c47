// The arguments of a query, checked.
#pragma once

#include <string>

#include "trading/query/criteria.h"
#include "trading/query/policies.h"
#include "trading/service/parts.h"
#include "trading/service/results.h"

namespace takt::trading {

struct QueryInput {
  TypePtr type;  // null: this trader does not have it, and only passes the query on
  std::string type_name, constraint_text, preference_text;
  Criterion criterion;
  Preference preference;
  QueryPolicies policies;
  Desired desired;
};

// Throws what query() raises.
QueryInput query_input(const Parts& parts, const std::string& type, const std::string& constraint,
                       const std::string& preference, const CosTrading::PolicySeq& policies,
                       const CosTrading::Lookup::SpecifiedProps& desired);

}  // namespace takt::trading
