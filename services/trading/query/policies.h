// The policies of one query: what the importer asks for, within what the trader allows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "CosTradingC.h"
#include "trading/model/settings.h"

namespace takt::trading {

inline constexpr std::size_t longest_request_id = 1'024;  // octets

struct QueryPolicies {
  std::uint32_t search_card = 0, match_card = 0, return_card = 0, hop_count = 0;
  std::optional<FollowOption> follow;  // as the importer says
  bool exact_type_match = false;
  bool use_modifiable = true, use_dynamic = true, use_proxies = true;
  CosTrading::TraderName starting_trader;
  std::string request_id;       // octets; empty: a new query
  CosTrading::PolicySeq given;  // all, for other traders
  CosTrading::PolicyNameSeq limits_applied;

  // Notes that a limit has cut the result, or that another trader's offers are missing, once.
  void note_limit(const std::string& policy);
  // The same for what another trader says; without effect if there is no such limit.
  void note_limit_of_other(const std::string& policy);
};

// Throws IllegalPolicyName, DuplicatePolicyName, PolicyTypeMismatch or InvalidPolicyValue.
QueryPolicies policies_of(const CosTrading::PolicySeq& given, const Settings& settings);
// Throws DuplicatePolicyName.
void refuse_policies_twice(const CosTrading::PolicySeq& given);

}  // namespace takt::trading
