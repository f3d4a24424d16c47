#include "trading/query/search.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "trading/query/offer_subject.h"

namespace takt::trading {
namespace {

constexpr std::size_t chunk = 2'048;  // offers that are copied under the lock

}  // namespace

SearchResult Search::run(const std::vector<TypePtr>& types, const QueryPolicies& policies) {
  policies_ = &policies;
  for (const TypePtr& type : types) look_at(*type, false);
  if (policies.use_proxies)
    for (const TypePtr& type : types) look_at(*type, true);
  result_.search_cut |= budget_.exhausted() || dynamic_.were_cut();  // also at the last offer
  return std::move(result_);
}

void Search::look_at(const ServiceType& type, bool proxies) {
  if (!proxies)
    if (const auto candidates = by_index(type)) {
      look_at(*candidates, type);
      return;
    }
  OfferNumber last = 0;
  while (true) {
    std::vector<OfferPtr> found;
    {
      const std::shared_lock lock(offers_.mutex);
      found = offers_.book.after(type.name, proxies, last, chunk);
    }
    if (found.empty() || !look_at(found, type)) return;
    last = found.back()->number;
  }
}

std::optional<std::vector<OfferPtr>> Search::by_index(const ServiceType& type) {
  std::vector<Condition> conditions;
  for (const Condition& each : criterion_.conditions())
    if (type.property(each.property)) conditions.push_back(each);
  if (conditions.empty()) return std::nullopt;
  std::shared_lock lock(offers_.mutex);
  const auto wanted = offers_.book.wanted_indexes(type.name, conditions);
  if (!wanted.empty()) {  // one at a time, so that a query takes about as long as two searches
    lock.unlock();
    {
      const std::unique_lock changing(offers_.mutex);
      offers_.book.make_index(type.name, wanted.front());
    }
    lock.lock();
  }
  auto candidates = offers_.book.candidates(type.name, conditions);
  result_.indexed |= candidates.has_value();
  return candidates;
}

bool Search::is_of_use(const Offer& offer, const ServiceType& type) const {
  if (policies_->use_dynamic && policies_->use_modifiable) return true;
  return std::ranges::all_of(offer.properties, [&](const OfferProperty& each) {
    if (each.dynamic && !policies_->use_dynamic) return false;
    const PropertyType* declared = policies_->use_modifiable ? nullptr : type.property(each.name);
    return policies_->use_modifiable || (declared && is_readonly(declared->mode()));
  });
}

bool Search::look_at(const std::vector<OfferPtr>& found, const ServiceType& type) {
  for (const OfferPtr& offer : found) {
    if (result_.looked_at >= policies_->search_card || budget_.exhausted()) {
      result_.search_cut = true;
      return false;
    }
    ++result_.looked_at;
    if (!is_of_use(*offer, type)) continue;
    const bool matches = (offer->proxy && offer->proxy->match_all) ||
                         criterion_.matches(OfferSubject(*offer, dynamic_), budget_);
    if (!matches) continue;
    auto& into = offer->proxy ? result_.proxies : result_.matches;
    if (result_.matches.size() + result_.proxies.size() >= policies_->match_card) {
      result_.match_cut = true;
      return false;
    }
    into.push_back(offer);
  }
  return true;
}

}  // namespace takt::trading
