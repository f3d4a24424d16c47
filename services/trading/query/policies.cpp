#include "trading/query/policies.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

namespace takt::trading {
namespace {

using CosTrading::Lookup;
using CosTrading::Policy;

constexpr std::size_t longest_path = 100;

template <class T>
T value_in(const Policy& policy) {
  T value{};
  if (!(policy.value() >>= value)) throw Lookup::PolicyTypeMismatch(policy);
  return value;
}

struct Card {
  std::string_view name;
  std::uint32_t QueryPolicies::* value;
  Setting usual, most;
};
constexpr std::array<Card, 4> cards{
    {{"search_card", &QueryPolicies::search_card, Setting::def_search_card, Setting::max_search_card},
     {"match_card", &QueryPolicies::match_card, Setting::def_match_card, Setting::max_match_card},
     {"return_card", &QueryPolicies::return_card, Setting::def_return_card, Setting::max_return_card},
     {"hop_count", &QueryPolicies::hop_count, Setting::def_hop_count, Setting::max_hop_count}}};

struct Use {
  std::string_view name;
  bool QueryPolicies::* value;
};
constexpr std::array<Use, 4> uses{{{"exact_type_match", &QueryPolicies::exact_type_match},
                                   {"use_dynamic_properties", &QueryPolicies::use_dynamic},
                                   {"use_modifiable_properties", &QueryPolicies::use_modifiable},
                                   {"use_proxy_offers", &QueryPolicies::use_proxies}}};

// False if it has another name.
bool take_number(const Policy& policy, const Settings& settings, QueryPolicies& policies) {
  const auto* const card = std::ranges::find(cards, policy.name(), &Card::name);
  if (card == cards.end()) return false;
  const auto wanted = value_in<std::uint32_t>(policy);
  policies.*card->value = std::min(wanted, settings[card->most]);
  if (wanted > settings[card->most]) policies.note_limit(policy.name());
  return true;
}

bool take_use(const Policy& policy, QueryPolicies& policies) {
  const auto* const use = std::ranges::find(uses, policy.name(), &Use::name);
  if (use == uses.end()) return false;
  policies.*use->value = value_in<bool>(policy);
  return true;
}

void take(const Policy& policy, const Settings& settings, QueryPolicies& policies) {
  if (take_number(policy, settings, policies) || take_use(policy, policies)) return;
  const std::string& name = policy.name();
  if (name == "link_follow_rule") {
    policies.follow = value_in<FollowOption>(policy);
    if (*policies.follow > settings.follow(Setting::max_follow_policy)) policies.note_limit(name);
  } else if (name == "starting_trader") {
    policies.starting_trader = value_in<CosTrading::TraderName>(policy);
    if (policies.starting_trader.size() > longest_path) throw Lookup::InvalidPolicyValue(policy);
  } else if (name == "request_id") {
    const auto octets = value_in<CosTrading::Admin::OctetSeq>(policy);
    if (octets.empty() || octets.size() > longest_request_id) throw Lookup::InvalidPolicyValue(policy);
    policies.request_id.assign(octets.begin(), octets.end());
  } else {
    throw Lookup::IllegalPolicyName(name);
  }
}

}  // namespace

void QueryPolicies::note_limit(const std::string& policy) {
  if (std::ranges::find(limits_applied, policy) == limits_applied.end()) limits_applied.push_back(policy);
}

void QueryPolicies::note_limit_of_other(const std::string& policy) {
  constexpr std::string_view others[] = {"link_follow_rule", "starting_trader", "use_proxy_offers"};
  if (std::ranges::find(others, policy) != std::end(others) ||
      std::ranges::find(cards, policy, &Card::name) != cards.end())
    note_limit(policy);
}

void refuse_policies_twice(const CosTrading::PolicySeq& given) {
  for (auto each = given.begin(); each != given.end(); ++each)
    if (std::any_of(given.begin(), each, [&](const Policy& other) { return other.name() == each->name(); }))
      throw CosTrading::DuplicatePolicyName(each->name());
}

QueryPolicies policies_of(const CosTrading::PolicySeq& given, const Settings& settings) {
  refuse_policies_twice(given);
  QueryPolicies policies;
  policies.given = given;
  for (const Card& card : cards) policies.*card.value = std::min(settings[card.usual], settings[card.most]);
  for (const Policy& policy : given) take(policy, settings, policies);
  policies.use_dynamic = policies.use_dynamic && settings[Setting::supports_dynamic_properties] != 0;
  policies.use_proxies = policies.use_proxies && settings[Setting::supports_proxy_offers] != 0;
  return policies;
}

}  // namespace takt::trading
