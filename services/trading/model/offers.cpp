#include "trading/model/offers.h"

#include <algorithm>
#include <new>
#include <utility>

namespace takt::trading {

OfferPtr OfferBook::find(OfferNumber number) const {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

const OfferBook::OfType* OfferBook::of_type(const std::string& type) const {
  const auto found = of_types_.find(type);
  return found == of_types_.end() ? nullptr : &found->second;
}

std::vector<std::string> OfferBook::types() const {
  std::vector<std::string> names;
  for (const auto& [name, of] : of_types_)
    if (!of.offers.empty() || !of.proxies.empty()) names.push_back(name);
  return names;
}

std::size_t OfferBook::count(const std::string& type, bool proxies) const {
  const OfType* of = of_type(type);
  return !of ? 0 : proxies ? of->proxies.size() : of->offers.size();
}

std::vector<OfferPtr> OfferBook::after(const std::string& type, bool proxies, OfferNumber after,
                                       std::size_t most) const {
  std::vector<OfferPtr> found;
  const OfType* of = of_type(type);
  if (!of) return found;
  const auto& kept = proxies ? of->proxies : of->offers;
  for (auto at = kept.upper_bound(after); at != kept.end() && found.size() < most; ++at)
    found.push_back(at->second);
  return found;
}

std::vector<OfferNumber> OfferBook::numbers_after(bool proxies, OfferNumber after, std::size_t most) const {
  std::vector<OfferNumber> found;
  for (auto at = by_number_.upper_bound(after); at != by_number_.end() && found.size() < most; ++at)
    if (static_cast<bool>(at->second->proxy) == proxies) found.push_back(at->first);
  return found;
}

std::optional<std::vector<OfferPtr>> OfferBook::candidates(const std::string& type,
                                                           const std::vector<Condition>& conditions) const {
  const OfType* of = of_type(type);
  if (!of) return std::vector<OfferPtr>();
  std::optional<std::vector<OfferNumber>> fewest;
  const Index* best = nullptr;
  std::map<std::string, std::vector<Condition>> by_property;
  for (const Condition& condition : conditions)
    if (of->indexes.contains(condition.property)) by_property[condition.property].push_back(condition);
  for (const auto& [property, of_property] : by_property) {
    const Index& index = of->indexes.at(property);
    std::vector<OfferNumber> found;
    if (!index.entries.collect(of_property, fewest ? fewest->size() : worthwhile(*of), found)) continue;
    fewest = std::move(found);
    best = &index;
  }
  if (!fewest) return std::nullopt;
  best->used.fetch_add(1, std::memory_order_relaxed);
  best->last_used.store(uses_.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  std::ranges::sort(*fewest);
  std::vector<OfferPtr> offers;
  offers.reserve(fewest->size());
  for (const OfferNumber number : *fewest) offers.push_back(of->offers.at(number));
  return offers;
}

std::vector<std::string> OfferBook::wanted_indexes(const std::string& type,
                                                   const std::vector<Condition>& conditions) const {
  std::vector<std::string> wanted;
  const OfType* of = of_type(type);
  if (!of || of->offers.size() < limits_.index_from_offers || limits_.indexes == 0) return wanted;
  for (const Condition& condition : conditions)
    if (!of->indexes.contains(condition.property) &&
        std::ranges::find(wanted, condition.property) == wanted.end() && wanted.size() < limits_.indexes)
      wanted.push_back(condition.property);
  if (!wanted.empty() && !has_room_for_index(*of)) wanted.clear();
  return wanted;
}

bool OfferBook::has_room_for_index(const OfType& of) const {
  constexpr std::uint64_t rounds = 16;
  const std::uint64_t now = uses_.fetch_add(1, std::memory_order_relaxed) + 1;
  std::size_t count = 0, entries = of.offers.size();
  for (const Place& each : indexes_)
    if (each.index->last_used.load(std::memory_order_relaxed) + rounds * limits_.indexes >= now) {
      ++count;
      entries += each.index->entries.size();
    }
  return count < limits_.indexes && entries <= limits_.index_entries;
}

std::size_t OfferBook::index_entries() const {
  std::size_t entries = 0;
  for (const Place& each : indexes_) entries += each.index->entries.size();
  return entries;
}

void OfferBook::make_index(const std::string& type, const std::string& property) {
  OfType& of = of_types_[type];
  if (of.indexes.contains(property)) return;
  while (!indexes_.empty() &&
         (indexes_.size() >= limits_.indexes || index_entries() + of.offers.size() > limits_.index_entries))
    drop_oldest_index();
  indexes_.reserve(indexes_.size() + 1);
  Place place{&of, property, nullptr};
  Index& made = of.indexes.try_emplace(property, property).first->second;
  try {
    for (const auto& [number, offer] : of.offers) made.entries.add(*offer);
  } catch (...) {  // an index that lacks offers would hide them
    of.indexes.erase(property);
    throw;
  }
  made.last_used.store(uses_.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  place.index = &made;
  indexes_.push_back(std::move(place));
}

void OfferBook::drop_oldest_index() {
  const auto oldest = std::ranges::min_element(
      indexes_, {}, [](const Place& each) { return each.index->last_used.load(std::memory_order_relaxed); });
  oldest->of->indexes.erase(oldest->property);
  indexes_.erase(oldest);
}

void OfferBook::index(OfType& of, const Offer& offer) {
  if (offer.proxy) return;
  for (auto at = of.indexes.begin(); at != of.indexes.end();) {
    try {
      at->second.entries.add(offer);
      ++at;
    } catch (const std::bad_alloc&) {  // without the offer it would hide it; a query makes it again
      std::erase_if(indexes_, [&](const Place& each) { return each.index == &at->second; });
      at = of.indexes.erase(at);
    }
  }
}

void OfferBook::remove_from_indexes(OfType& of, const Offer& offer) {
  if (offer.proxy) return;
  for (auto& [property, index] : of.indexes) index.entries.remove(offer);
}

std::vector<IndexState> OfferBook::indexes() const {
  std::vector<IndexState> all;
  for (const auto& [type, of] : of_types_)
    for (const auto& [property, index] : of.indexes)
      all.push_back({type, property, index.entries.size(), index.used.load(std::memory_order_relaxed)});
  return all;
}

std::optional<OfferNumber> OfferBook::reserve(const std::string& host, std::size_t octets) {
  if (by_number_.size() + reserved_ >= limits_.offers) return std::nullopt;
  const auto found = per_host_.find(host);
  if ((found == per_host_.end() ? 0 : found->second.offers) >= limits_.offers_per_host) return std::nullopt;
  if (!reserve_growth(host, octets)) return std::nullopt;
  ++per_host_[host].offers;
  ++reserved_;
  return ++last_;
}

void OfferBook::give_back(const std::string& host, std::size_t octets) {
  --reserved_;
  release(host, octets);
}

bool OfferBook::reserve_growth(const std::string& host, std::size_t octets) {
  const auto fits = [octets](std::size_t used, std::size_t most) {
    return used <= most && octets <= most - used;
  };
  const auto found = per_host_.find(host);
  if (!fits(found == per_host_.end() ? 0 : found->second.octets, limits_.host_bytes) ||
      !fits(octets_, limits_.all_offers_bytes))
    return false;
  octets_ += octets;
  per_host_[host].octets += octets;
  return true;
}

void OfferBook::give_back_growth(const std::string& host, std::size_t octets) {
  octets_ -= octets;
  per_host_[host].octets -= octets;
}

void OfferBook::release(const std::string& host, std::size_t octets) {
  give_back_growth(host, octets);
  const auto found = per_host_.find(host);
  if (--found->second.offers == 0) per_host_.erase(found);
}

void OfferBook::put(OfferPtr offer) {
  const OfferPtr old = find(offer->number);
  if (!old) {
    give_back(offer->host, offer->octets);
    restore(std::move(offer));
    return;
  }
  if (old->octets > offer->octets) give_back_growth(offer->host, old->octets - offer->octets);
  OfType& of = of_types_[offer->type];
  remove_from_indexes(of, *old);
  index(of, *offer);
  by_number_[offer->number] = offer;
  kept_in(of, *offer)[offer->number] = std::move(offer);
}

void OfferBook::restore(OfferPtr offer) {
  OfType& of = of_types_[offer->type];
  OfHost& of_host = per_host_[offer->host];
  const OfferNumber number = offer->number;
  by_number_[number] = offer;
  try {
    kept_in(of, *offer)[number] = offer;
  } catch (...) {
    by_number_.erase(number);
    throw;
  }
  last_ = std::max(last_, number);
  ++of_host.offers;
  of_host.octets += offer->octets;
  octets_ += offer->octets;
  index(of, *offer);
}

void OfferBook::remove(OfferNumber number) {
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return;
  const OfferPtr offer = found->second;
  OfType& of = of_types_[offer->type];
  remove_from_indexes(of, *offer);
  kept_in(of, *offer).erase(number);
  release(offer->host, offer->octets);
  by_number_.erase(found);
}

}  // namespace takt::trading
