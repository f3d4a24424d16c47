#include "trading/service/offer_changes.h"

#include <algorithm>
#include <utility>

#include "trading/service/checks.h"

namespace takt::trading {
namespace {

// Notes the offer's octets. IMP_LIMIT if they are too many.
Change put_change(Offer& offer, const Limits& limits) {
  Change change{.action = Change::Action::put_offer, .name = {}, .octets = {}};
  change.offer = {.number = offer.number,
                  .type = offer.type,
                  .reference = offer.reference,
                  .properties = octets_of(idl_of(offer.properties)),
                  .proxy = {}};
  if (offer.proxy) {
    CosTrading::Proxy::ProxyInfo info;
    info.if_match_all(offer.proxy->match_all);
    info.recipe(offer.proxy->recipe);
    info.policies_to_pass_on(offer.proxy->policies);
    change.offer.proxy = octets_of(info);
  }
  offer.octets = change.offer.properties.size() + offer.reference.size() + change.offer.proxy.size();
  if (offer.octets > limits.offer_bytes)
    throw_limit("an offer has at most " + std::to_string(limits.offer_bytes) + " octets");
  return change;
}

[[noreturn]] void throw_full() {
  throw_limit("the trader has its maximum of offers or of their octets, in all or of this host");
}

Change remove_change(OfferNumber number) {
  Change change{.action = Change::Action::remove_offer, .name = {}, .octets = {}};
  change.offer.number = number;
  return change;
}

// With the gate. A repository in another process cannot be held still.
void require_unchanged(const Parts& parts, const ServiceType& type) {
  if (parts.used_types.remote()) return;
  const TypePtr now = parts.types.find(type.name);
  if (!now || now->own.masked() || now->incarnation() != type.incarnation())
    throw CosTrading::UnknownServiceType(type.name);
}

}  // namespace

OfferPtr OfferChanges::existing(OfferNumber number) const {
  OfferPtr offer = parts_.offer(number);
  if (!offer) throw CosTrading::UnknownOfferId(id_of(number));
  return offer;
}

OfferPtr OfferChanges::existing(const std::string& id) const { return existing(existing_number(id)); }

OfferNumber OfferChanges::add(const ServiceType& type, Offer offer) {
  put_change(offer, parts_.limits);  // throws before a number is taken
  const std::shared_lock gate(parts_.gate);
  require_unchanged(parts_, type);
  const auto made = std::make_shared<Offer>(std::move(offer));
  std::optional<OfferNumber> number;
  {
    const std::unique_lock lock(parts_.offers.mutex);
    number = parts_.offers.book.reserve(made->host, made->octets);
  }
  if (!number) throw_full();
  made->number = *number;
  Journal::Outcome written;
  try {
    written = parts_.journal->write(put_change(*made, parts_.limits));
  } catch (...) {
    const std::unique_lock lock(parts_.offers.mutex);
    parts_.offers.book.give_back(made->host, made->octets);
    throw;
  }
  const std::unique_lock lock(parts_.offers.mutex);
  if (!written) parts_.offers.book.give_back(made->host, made->octets);
  require_written(written);
  parts_.offers.book.put(made);
  parts_.counts.exports.fetch_add(1, std::memory_order_relaxed);
  return *number;
}

void OfferChanges::put(Offer offer, std::size_t old_octets) {
  const Change change = put_change(offer, parts_.limits);
  const std::size_t growth = offer.octets > old_octets ? offer.octets - old_octets : 0;
  const auto made = std::make_shared<const Offer>(std::move(offer));
  {
    const std::unique_lock lock(parts_.offers.mutex);
    if (!parts_.offers.book.reserve_growth(made->host, growth)) throw_full();
  }
  Journal::Outcome written;
  try {
    written = parts_.journal->write(change);
  } catch (...) {
    const std::unique_lock lock(parts_.offers.mutex);
    parts_.offers.book.give_back_growth(made->host, growth);
    throw;
  }
  const std::unique_lock lock(parts_.offers.mutex);
  if (!written) parts_.offers.book.give_back_growth(made->host, growth);
  require_written(written);
  parts_.offers.book.put(made);
}

void OfferChanges::remove(OfferNumber number) {
  if (remove_at_once({number}) == 0) throw CosTrading::UnknownOfferId(id_of(number));
}

std::size_t OfferChanges::remove(std::span<const OfferNumber> numbers) {
  std::size_t removed = 0;
  try {
    while (!numbers.empty()) {
      const auto now = numbers.first(std::min(numbers.size(), parts_.limits.withdrawn_at_once));
      removed += remove_at_once({now.begin(), now.end()});
      numbers = numbers.subspan(now.size());
    }
  } catch (const CORBA::PERSIST_STORE& failure) {
    if (removed == 0) throw;
    throw CORBA::PERSIST_STORE(failure.minor(), CORBA::COMPLETED_MAYBE, std::string(failure.detail()));
  }
  return removed;
}

std::size_t OfferChanges::remove_at_once(std::vector<OfferNumber> numbers) {
  const std::shared_lock gate(parts_.gate);
  std::vector<std::unique_lock<std::mutex>> locks;
  std::array<bool, 64> wanted{};
  for (const OfferNumber each : numbers) wanted[each % wanted.size()] = true;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i]) locks.emplace_back(parts_.offer_locks[i]);
  std::erase_if(numbers, [&](OfferNumber each) { return !parts_.offer(each); });
  if (numbers.empty()) return 0;
  std::vector<Change> changes;
  changes.reserve(numbers.size());
  for (const OfferNumber each : numbers) changes.push_back(remove_change(each));
  require_written(parts_.journal->write(changes));
  const std::unique_lock lock(parts_.offers.mutex);
  for (const OfferNumber each : numbers) parts_.offers.book.remove(each);
  parts_.counts.withdrawals.fetch_add(numbers.size(), std::memory_order_relaxed);
  return numbers.size();
}

}  // namespace takt::trading
