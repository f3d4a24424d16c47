#include "trading/service/query.h"

#include <algorithm>
#include <limits>
#include <random>

#include "trading/query/offer_subject.h"
#include "trading/service/checks.h"

namespace takt::trading {
namespace {

// If the repository is in another process, only types that have offers here are looked at.
std::vector<TypePtr> descendants(const Parts& parts, const TypePtr& type,
                                 DynamicValues::Clock::time_point end) {
  if (const auto remote = parts.used_types.remote())
    return remote->extending(type->name, parts.offered_types(), end);
  return parts.types.look([&](const TypeBook& book) {
    std::vector<TypePtr> all;
    for (const std::string& each : book.descendants(type->name)) all.push_back(book.find(each));
    return all;
  });
}

// Each type before those that extend it: a type has more ancestors than any of its ancestors has.
std::vector<TypePtr> with_descendants(const Parts& parts, const TypePtr& type,
                                      DynamicValues::Clock::time_point end) {
  std::vector<TypePtr> all = descendants(parts, type, end);
  all.insert(all.begin(), type);
  std::ranges::stable_sort(all, {}, [](const TypePtr& each) { return each->ancestors.size(); });
  return all;
}

// An offer of another trader, as far as that has shown it.
Offer as_offer(const CosTrading::Offer& foreign) {
  Offer offer;
  for (const CosTrading::Property& each : foreign.properties())
    offer.properties.push_back({each.name(), each.value(), false});
  return offer;
}

}  // namespace

QueryInput query_input(const Parts& parts, const std::string& type, const std::string& constraint,
                       const std::string& preference, const CosTrading::PolicySeq& policies,
                       const CosTrading::Lookup::SpecifiedProps& desired) {
  using CosTrading::Lookup;
  const Limits& limits = parts.limits;
  if (policies.size() > limits.policies)
    throw_limit("a query has at most " + std::to_string(limits.policies) + " policies");
  QueryPolicies checked = policies_of(policies, parts.settings.get());
  const bool passes_on = !checked.starting_trader.empty();
  if (passes_on && !is_type_name(type, limits.name_bytes)) throw CosTrading::IllegalServiceType(type);
  TypePtr found = passes_on ? parts.types.find(type) : existing_type(parts, type);
  Criterion criterion = criterion_of(constraint, limits);
  auto order = Preference::parse(preference, limits);
  if (!order) throw Lookup::IllegalPreference(preference);
  QueryInput input{.type = std::move(found),
                   .type_name = type,
                   .constraint_text = constraint,
                   .preference_text = preference,
                   .criterion = std::move(criterion),
                   .preference = std::move(*order),
                   .policies = std::move(checked),
                   .desired = {.how_many = desired._d(), .names = {}}};
  if (desired._d() == Lookup::HowManyProps::some) {
    check_names(desired.prop_names(), limits);
    input.desired.names = desired.prop_names();
  }
  return input;
}

Query::Query(Parts& parts, QueryInput& input)
    : parts_(parts),
      input_(input),
      end_(parts.query_end()),
      dynamic_(parts.limits, parts.counts.dynamic, parts.query_memory, end_),
      budget_(parts.limits.query_steps),
      federation_(parts, input, dynamic_, end_) {}

std::vector<TypePtr> Query::types() const {
  if (input_.policies.exact_type_match) return {input_.type};
  return with_descendants(parts_, input_.type, end_);
}

std::vector<Result> Query::run() {
  if (!federation_.begin()) return {};
  if (!input_.policies.starting_trader.empty()) {  // in the order of the trader there
    for (CosTrading::Offer& each : federation_.from_start())
      found_.push_back({std::move(each), std::nullopt});
    return cut();
  }
  ask_others(search());
  order();
  if (budget_.exhausted()) input_.policies.note_limit("search_card");  // the rest has no rank
  return cut();
}

std::vector<OfferPtr> Query::search() {
  QueryPolicies& policies = input_.policies;
  SearchResult local = Search(parts_.offers, input_.criterion, dynamic_, budget_).run(types(), policies);
  parts_.counts.looked_at.fetch_add(local.looked_at, std::memory_order_relaxed);
  if (local.indexed) parts_.counts.indexed.fetch_add(1, std::memory_order_relaxed);
  if (local.search_cut) policies.note_limit("search_card");
  if (local.match_cut) policies.note_limit("match_card");
  found_.reserve(local.matches.size());
  for (const OfferPtr& each : local.matches) add(each);
  return std::move(local.proxies);
}

void Query::ask_others(const std::vector<OfferPtr>& proxies) {
  // With an order, offers of other traders may come before all of those that are there.
  const bool in_order = input_.preference.kind() == Preference::Kind::first;
  const std::size_t most = input_.policies.return_card;
  const std::size_t own = found_.size();
  const auto wanted = [&] { return most - std::min(most, in_order ? found_.size() : found_.size() - own); };
  for (const OfferPtr& proxy : proxies)
    for (CosTrading::Offer& each : federation_.from_proxy(*proxy, wanted())) add(std::move(each));
  for (CosTrading::Offer& each : federation_.from_links(!found_.empty(), wanted())) add(std::move(each));
}

std::vector<Result> Query::cut() {
  if (found_.size() > input_.policies.return_card) {
    input_.policies.note_limit("return_card");
    found_.resize(input_.policies.return_card);
  }
  std::vector<Result> results;
  results.reserve(found_.size());
  for (Ranked& each : found_) results.push_back(std::move(each.result));
  return results;
}

void Query::add(Result result) {
  std::optional<long double> rank;
  if (input_.preference.ranks()) {
    const auto* own = std::get_if<OfferPtr>(&result);
    rank = own ? input_.preference.rank(OfferSubject(**own, dynamic_), budget_)
               : input_.preference.rank(OfferSubject(as_offer(std::get<CosTrading::Offer>(result)), dynamic_),
                                        budget_);
  }
  found_.push_back({std::move(result), rank});
}

void Query::order() {
  if (input_.preference.kind() == Preference::Kind::random) {
    std::minstd_rand random(std::random_device{}());
    std::ranges::shuffle(found_, random);
  }
  if (!input_.preference.ranks()) return;
  constexpr long double last = -std::numeric_limits<long double>::infinity();
  std::ranges::stable_sort(found_, [&](const Ranked& a, const Ranked& b) {
    if (a.rank.has_value() != b.rank.has_value()) return a.rank.has_value();
    return a.rank.value_or(last) > b.rank.value_or(last);
  });
}

std::vector<OfferNumber> matching(Parts& parts, const TypePtr& type, const Criterion& criterion) {
  constexpr std::uint32_t all = std::numeric_limits<std::uint32_t>::max();
  QueryPolicies policies;
  policies.search_card = policies.match_card = all;
  policies.use_proxies = false;
  const auto end = parts.query_end();
  DynamicValues dynamic(parts.limits, parts.counts.dynamic, parts.query_memory, end,
                        DynamicValues::Silence::is_asked_again);
  constraint::Budget budget(parts.limits.query_steps);
  const auto found =
      Search(parts.offers, criterion, dynamic, budget).run(with_descendants(parts, type, end), policies);
  if (found.search_cut)
    throw_limit("the constraint takes too long for the offers of the type, or needs too many dynamic values");
  std::vector<OfferNumber> numbers;
  numbers.reserve(found.matches.size());
  for (const OfferPtr& each : found.matches) numbers.push_back(each->number);
  return numbers;
}

}  // namespace takt::trading
